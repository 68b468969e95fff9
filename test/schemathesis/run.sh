#!/usr/bin/env bash
# Calls that Schemathesis makes up from the description of a platform on the embedded stores: no answer is a 5xx, each is as described,
# and what is not valid is refused. Takes the program; what is behind it goes to it: `run.sh schemathesis --seed 7`
set -euo pipefail
program=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
data=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || { kill "$pid" && wait "$pid"; } 2>/dev/null || true; rm -rf "$data"' EXIT

export DATA_DIR="$data/presage" PORT=0 PUBLIC_PROBE=true
for limit in DEFAULT PUSH HEAVY UPLOAD INFERENCE WEBHOOK AUTH; do export "RATE_$limit=1000000"; done
node "$here/../../dist/cli/presage.js" serve > "$data/out" & pid=$!
for _ in $(seq 600); do grep -q '^export TOKEN=' "$data/out" && break; sleep 0.1; done
eval "$(grep '^export TOKEN=' "$data/out")"
export TOKEN WORKSPACE
url=$(sed -n 's/^Presage listens on \([^ ]*\) .*/\1/p' "$data/out")

cd "$data"
PYTHONPATH="$here" "$program" --config-file "$here/schemathesis.toml" run "$url/openapi/v1.json" --no-color "$@"
