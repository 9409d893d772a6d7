# Shell functions for the pages in docs/tours: source this in the project's folder while npm start runs.

[ -f .data/demo.json ] || { echo 'There is no .data/demo.json here: go to the project’s folder, and start Tollgate with npm start.' >&2; return 1; }

# demo PATH: a member of demo.json, such as consoleUrl or connections.provider_a.id
demo() { node -p "require('./.data/demo.json').$1"; }
API=$(demo consoleUrl)/api
IN="organizationId=$(demo organizationId)&env=sandbox"
COOKIES=.data/cookies.txt

# get PATH and post PATH JSON call the console API as the demo's operator.
get() { curl -sS -b "$COOKIES" "$API$1"; }
# A command that takes longer than its answer (202) is sent again under its key, which waits on.
post() {
  set -- "$1" "$2" "$(node -p 'crypto.randomUUID()')"
  while
    ANSWER=$(curl -sS -b "$COOKIES" -H 'Content-Type: application/json' -H "Idempotency-Key: $3" -w '%{http_code}' "$API$1" -d "$2")
    [ "${ANSWER#"${ANSWER%???}"}" = 202 ]
  do :; done
  printf '%s\n' "${ANSWER%???}"
}
# pick EXPRESSION prints a part of the JSON that it reads, or the error and its fix. Without an answer, curl has said why.
pick() { node -p "const answer = fs.readFileSync(0, 'utf8'); if (answer === '') process.exit(1); const it = JSON.parse(answer); it.code ? it.detail + ' ' + it.fix : it.$1"; }
# holds_for PATH EXPRESSION repeats a GET until the expression is true of its answer, for a minute at most.
holds_for() { for _ in $(seq 120); do [ "$(get "$1" | pick "$2")" = true ] && return; sleep 0.5; done; echo "$2 is not true of $1" >&2; return 1; }
# press URL FIELD=VALUE presses a button of a simulated provider's page.
press() { curl -sS -o /dev/null -w 'HTTP %{http_code}\n' "$1" -d "$2"; }

node -p "JSON.stringify(require('./.data/demo.json').operator)" |
  (umask 077 && curl -sS -c "$COOKIES" "$API/auth/login" -H 'Content-Type: application/json' -d @-) | pick operator
