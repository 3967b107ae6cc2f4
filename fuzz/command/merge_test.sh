#!/usr/bin/env bash
# lanecheck merge: parts of a run add up to the report of the whole run. Usage: merge_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
run="$lanecheck run --quiet --cases 6000 --first 200000"

same_report() {  # file file: equal, except for times, versions and processes?
  "$python" - "$1" "$2" <<'PY' || { echo "FAILED: $1 and $2 are different reports"; failed=1; }
import json, sys
one, two = ({k: v for k, v in json.load(open(f)).items() if k not in ("timing", "version", "processes")} for f in sys.argv[1:])
sys.exit(json.dumps(one) != json.dumps(two))
PY
}

for backend in example wrong:cadd-keeps-dst wrong:set-mask-swapped "cmd: '$lanecheck' serve --backend wrong:dup-ignores-mask"; do
  rm -rf "$work"/part-* "$work"/*.json
  $run --backend "$backend" --jobs 1 --json "$work/whole.json" >/dev/null
  code=$?
  for part in 3 1 2; do $run --backend "$backend" --folder "$work/part-$part" --shard $part/3 >/dev/null; done
  expect "$code" "6,000 of 6,000 cases" "$lanecheck" merge --quiet "$work"/part-2 "$work"/part-3 "$work"/part-1 --json "$work/merged.json"
  same_report "$work/whole.json" "$work/merged.json"
done

# It refuses what is not a whole run, by name.
expect 2 "--jobs 0: give 1 to 256" "$lanecheck" merge --jobs 0 "$work"/part-?
expect 2 "part 2 of 3 is missing" "$lanecheck" merge "$work"/part-1 "$work"/part-3
cp -r "$work/part-1" "$work/again"
expect 2 "is part 1, and so is" "$lanecheck" merge "$work"/part-* "$work/again"
$run --backend example --folder "$work/other" --shard 2/3 >/dev/null
expect 2 "is part of another run than" "$lanecheck" merge "$work/part-1" "$work/other" "$work/part-3"
$run --backend "$backend" --folder "$work/fourth" --shard 2/4 >/dev/null
expect 2 "is one of 4 parts" "$lanecheck" merge "$work/part-1" "$work/fourth" "$work/part-3"
head -c 500 "$work/part-2/checkpoint.json" >"$work/cut" && cp "$work/cut" "$work/part-2/checkpoint.json"
expect 2 "part-2/checkpoint.json:1: not JSON: " "$lanecheck" merge "$work"/part-?
rm "$work/part-2/checkpoint.json"
expect 2 "has 0 of 2000 cases; finish it with" "$lanecheck" merge "$work"/part-?
expect 2 "is not the folder of a run" "$lanecheck" merge "$work"
expect 2 "--shard requires --folder" "$lanecheck" run --shard 1/2
expect 2 "give the part and the number of parts" "$lanecheck" run --folder "$work/new" --shard 2
exit $failed
