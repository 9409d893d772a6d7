/**
 * Integrators' programs that use generated clients. They are text here, because their imports exist only once the
 * clients are generated.
 */

export const TYPESCRIPT_CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
    skipLibCheck: false,
  },
};

/**
 * Returns a program that assigns the service's answers to both generators' types: an unknown member or value does not
 * compile.
 */
export function usesOf(answers: { subscription: object; decision: object; problem: object }): string {
  const { subscription, decision, problem } = answers;
  return `
import type { components as Api } from './api-schema';
import type { components as Console, operations } from './console-schema';
import type { UsageCheck } from './api-sdk';
import { cancelSubscription, type Subscription, type CancelSubscriptionErrors } from './console-sdk';

export const bySdk: Subscription = ${JSON.stringify(subscription)};
export const bySchema: Console['schemas']['Subscription'] = ${JSON.stringify(subscription)};
export const checkBySdk: UsageCheck = ${JSON.stringify(decision)};
export const checkBySchema: Api['schemas']['UsageCheck'] = ${JSON.stringify(decision)};

type Listed = operations['listSubscriptions']['responses'][400]['content']['application/problem+json'];
export const refusedBySchema: Listed = ${JSON.stringify(problem)};

// What may be null is so at its use alone: nobody has to look whether a change that is scheduled is one.
export const scheduledFor = (one: Console['schemas']['ScheduledChange']): string => one.effectiveAt;
export const readSubscription = (one: Subscription): string => one.scheduledChange?.effectiveAt ?? 'nothing is scheduled';
// @ts-expect-error it may be null
export const unread = (one: Subscription): string => one.scheduledChange.effectiveAt;

export async function cancel(): Promise<string> {
  const { data, error } = await cancelSubscription({
    path: { id: 'sub_1' },
    query: { organizationId: 'org_1', env: 'sandbox' },
    headers: { 'Idempotency-Key': 'k' },
  });
  if (error === undefined) return data === undefined ? '' : 'done';
  // @ts-expect-error no answer of this route has the code
  if (error.code === 'login_failed') return '';
  return error.code satisfies CancelSubscriptionErrors[keyof CancelSubscriptionErrors]['code'];
}
`;
}

/** Imports every module of both clients; reads the answers into their models and writes them back. */
export const PYTHON_CHECK = `
import datetime, importlib, json, pathlib, pkgutil, sys

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))
imported = {}
for host in ("api", "console"):
    package = importlib.import_module(f"{host}_client")
    names = [module.name for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".") if not module.ispkg]
    for name in names:
        importlib.import_module(name)
    imported[host] = len(names)

def value(found):
    """Of a time the instant, however it is written."""
    if isinstance(found, dict):
        return {name: value(member) for name, member in found.items()}
    if isinstance(found, list):
        return [value(member) for member in found]
    try:
        return datetime.datetime.fromisoformat(found)
    except (TypeError, ValueError):
        return found

def takes(model, answer):
    """The answer as the model, which loses nothing of it."""
    parsed = model.from_dict(answer)
    assert value(parsed.to_dict()) == value(answer), (parsed.to_dict(), answer)
    return parsed

from api_client.models import UsageCheck
from console_client.models import Problem, ScheduledChange, Subscription, ValidationFailedOrCursorInvalidOrTakeInvalidProblem as Refusal

answers = json.loads((here / "answers.json").read_text())

subscription = takes(Subscription, answers["subscription"])
assert subscription.scheduled_change is None and subscription.pending_approval is None

scheduled = {
    "plan": {"id": "plan_1", "slug": "basic"},
    "seats": 2,
    "effectiveAt": "2026-01-31T00:00:00.000Z",
    "requestedAt": "2026-01-02T00:00:00.000Z",
}
changed = takes(Subscription, dict(answers["subscription"], scheduledChange=scheduled))
assert isinstance(changed.scheduled_change, ScheduledChange)
assert changed.scheduled_change.effective_at.year == 2026

takes(UsageCheck, answers["decision"])
refusal = takes(Refusal, answers["problem"])
assert refusal.code == "take_invalid" and isinstance(refusal.status, int), refusal

print(json.dumps(imported))
`;
