#!/usr/bin/env bash
# The backend of fuzz/backend/other_languages.md, as it stands there. Usage: other_languages_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
command -v node >/dev/null || { echo "skipped: Node is not installed"; exit 77; }
sed -n '/^```js$/,/^```$/p' "$source_dir/fuzz/backend/other_languages.md" | grep -v '^```' >"$work/sim.js"

expect 0 "healthy" "$lanecheck" doctor "cmd: node $work/sim.js"
expect 0 "conforms, as far as it offers" "$lanecheck" run --quiet --cases 3000 --backend "cmd: node $work/sim.js"
sed -i 's/if (mask\[0\] >> BigInt(lane) & 1n)/if (true)/' "$work/sim.js"
expect 1 "[add-ignores-mask]" "$lanecheck" run --quiet --cases 3000 --backend "cmd: node $work/sim.js"
exit $failed
