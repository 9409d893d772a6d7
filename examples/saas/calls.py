"""The calls of app.mjs in Python, one by one, with the standard library alone.

    python3 examples/saas/calls.py plans
    python3 examples/saas/calls.py buy NAME PLAN PROVIDER     prints the page to pay on
    python3 examples/saas/calls.py work NAME                  checks, works, tracks
    python3 examples/saas/calls.py preview NAME PLAN
    python3 examples/saas/calls.py change NAME PLAN           prints the page to approve on, if there is one
    python3 examples/saas/calls.py cancel NAME
    python3 examples/saas/calls.py show NAME

It reads TOLLGATE_URL and TOLLGATE_KEY; docs/quickstart.md says where they come from.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

FEATURE = "ai_tokens"


class Refused(Exception):
    """An answer of 4xx: RFC 9457 problem details."""

    def __init__(self, problem):
        super().__init__(f"{problem['code']}: {problem['detail']} {problem.get('fix', '')}")
        self.problem = problem


class Lost(Exception):
    """No answer, or one that was cut off. What was asked for may have been done."""


def tollgate(method, path, body=None, key=None):
    """Calls Tollgate. What may have been lost is sent again: with the same key it is done once.

    A command that was accepted and is still under way (202) is followed to its end.
    """
    for attempt in range(1, 5):
        request = urllib.request.Request(os.environ["TOLLGATE_URL"] + path, method=method)
        request.add_header("Authorization", "Bearer " + os.environ["TOLLGATE_KEY"])
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        if key is not None:
            request.add_header("Idempotency-Key", key)
        try:
            status, headers, text = answer_to(request)
        except (OSError, http.client.HTTPException) as lost:
            if attempt == 4:
                raise Lost(lost) from None
            time.sleep(attempt)
            continue
        # 409 `idempotency_key_in_use` has Retry-After: the request that was lost is still under way.
        is_lost = status == 429 or status >= 500 or "Retry-After" in headers
        if is_lost and attempt < 4:
            time.sleep(float(headers.get("Retry-After", attempt)))
            continue
        result = parsed(status, text)
        if status >= 300:
            raise Refused(result)
        return finished(result["id"]) if status == 202 else result


def answer_to(request):
    """Returns status, headers and the whole body, of refusals as well."""
    try:
        answer = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as refusal:
        answer = refusal
    with answer:
        return answer.status, answer.headers, answer.read()


def parsed(status, text):
    try:
        return json.loads(text)
    except ValueError:
        detail = "This is not Tollgate's answer, but that of a proxy."
        raise Refused({"code": f"HTTP {status}", "detail": detail}) from None


def finished(operation_id):
    """Waits for an operation. Returns what its request would have been answered."""
    while True:
        operation = tollgate("GET", f"/v1/operations/{operation_id}")
        if operation["answer"] is not None:
            return operation["answer"]["body"]
        if operation["problem"] is not None:
            raise Refused(operation["problem"])
        if operation["status"] == "abandoned":
            raise SystemExit("Nothing was changed. Try again.")
        time.sleep(0.5)


def quoted(text):
    return urllib.parse.quote(text, safe="")


def subscription_of(name):
    """The customer's newest subscription."""
    subscriptions = tollgate("GET", f"/v1/subscriptions?externalId={quoted(name)}&take=1&expand=plan")["data"]
    if not subscriptions:
        raise SystemExit(f"{name} has no subscription yet.")
    return subscriptions[0]


def plans():
    for plan in tollgate("GET", "/v1/plans?archived=false")["data"]:
        sellers = [at["provider"] for at in plan["providers"] if at["sellable"]]
        print(plan["slug"], plan["price"]["amount"], plan["price"]["currency"], *sellers)


def buy(name, plan, provider):
    customer = {"name": name, "email": f"{name}@example.com"}
    tollgate("PUT", f"/v1/customers/{quoted(name)}", customer)
    order = {"externalId": name, "planSlug": plan, "provider": provider}
    checkout = tollgate("POST", "/v1/checkouts", order, key=str(uuid.uuid4()))
    print(checkout["url"])


def work(name):
    use = {"externalId": name, "feature": FEATURE, "quantity": 500}
    check = tollgate("POST", "/v1/usage/check", use)
    if not check["allowed"]:
        raise SystemExit(check["reason"]["message"])
    # ... the expensive work; keep the key with it, so that each retry of this track sends the same one ...
    track = tollgate("POST", "/v1/usage/track", use, key=str(uuid.uuid4()))
    print("left:", track["remaining"])


def preview(name, plan):
    path = f"/v1/subscriptions/{subscription_of(name)['id']}/change?dryRun=true"
    for step in tollgate("POST", path, {"planSlug": plan})["steps"]:
        print(step)


def change(name, plan):
    path = f"/v1/subscriptions/{subscription_of(name)['id']}/change"
    changed = tollgate("POST", path, {"planSlug": plan}, key=str(uuid.uuid4()))
    print(changed.get("approvalUrl") or changed["subscription"]["plan"]["slug"])


def cancel(name):
    path = f"/v1/subscriptions/{subscription_of(name)['id']}/cancel"
    cancelled = tollgate("POST", path, key=str(uuid.uuid4()))
    print(cancelled["effective"], cancelled["effectiveAt"])


def show(name):
    subscription = subscription_of(name)
    plan = subscription["expanded"]["plan"]["name"]
    print(subscription["status"], plan, subscription["waitingFor"] or "")
    for one in tollgate("GET", f"/v1/customers/{quoted(name)}/entitlements")["data"]:
        print(one["feature"], "yes" if one["allowed"] else one["reason"]["message"])


COMMANDS = {command.__name__: command for command in (plans, buy, work, preview, change, cancel, show)}

if __name__ == "__main__":
    _, *words = sys.argv
    command = COMMANDS.get(words[0]) if words else None
    if command is None or len(words) - 1 != command.__code__.co_argcount:
        sys.exit(__doc__)
    if not os.environ.get("TOLLGATE_URL") or not os.environ.get("TOLLGATE_KEY"):
        sys.exit("Set TOLLGATE_URL and TOLLGATE_KEY; docs/quickstart.md says how.")
    try:
        command(*words[1:])
    except Refused as refused:
        sys.exit(str(refused))
    except Lost as lost:
        sys.exit(f"{os.environ['TOLLGATE_URL']} has not answered: {lost}")
