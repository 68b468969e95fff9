#!/usr/bin/env bash
# What a newcomer does, with nothing but a shell: starts the platform, pastes what it printed, kills it, starts it again.
set -euo pipefail
cd "$(dirname "$0")/.."
data=$(mktemp -d)
export DATA_DIR="$data/presage" PORT=${PORT:-18080}
pid=
trap 'kill_hard 2>/dev/null || true; rm -rf "$data"' EXIT

start() {
  npm start --silent > "$data/out" 2> "$data/err" & pid=$!
  for _ in $(seq 600); do grep -q 'Presage listens' "$data/out" && curl -sf "http://127.0.0.1:$PORT/health" > /dev/null && return; sleep 0.1; done
  echo 'it did not answer'; cat "$data/out" "$data/err"; exit 1
}
# The process whose number the start printed, not npm before it
kill_hard() { kill -9 "$(sed -n 's/^Presage listens.*(pid \([0-9]*\))$/\1/p' "$data/out")"; wait "$pid" 2>/dev/null || true; }
expect() { grep -q "$1" <<< "$2" || { echo "expected $1 in: $2"; exit 1; }; }

start
cat "$data/out"
record=$(sed -n '/curl.*\/v1\/event\/record/,/[^\\]$/p' "$data/out")
list=$(sed -n '/curl.*\/v1\/event\/streams/,/[^\\]$/p' "$data/out")
[ -n "$record" ] && [ -n "$list" ] || { echo 'no calls were printed'; exit 1; }
expect '"status":"pending"' "$(bash -c "$record")"
sleep 1
first=$(bash -c "$list")
expect '"count":1' "$first"
expect '"latest_sentiment":"' "$first"

# The line to paste, and the names that the README's tour goes on with
eval "$(grep '^export TOKEN=' "$data/out")"
expect '"count":1' "$(curl -sS -H "Authorization: Bearer $TOKEN" -H "X-Workspace-Id: $WORKSPACE" "http://127.0.0.1:$PORT/v1/event/streams")"

kill_hard
start
! grep -q psg_live_ "$data/out" || { echo 'a token was printed again'; exit 1; }
expect '"count":1' "$(bash -c "$list")"
kill_hard
npm run presage --silent -- replay --verify
npm run presage --silent -- audit
echo 'a newcomer gets through'
