#!/usr/bin/env bash
# lanecheck recheck. Usage: recheck_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
recheck="$lanecheck recheck"
$lanecheck run --quiet --backend wrong:cadd-keeps-dst --cases 1000 --folder "$work/night" >/dev/null

# Fixed, still, changed: for the report, the folder, one finding of it.
expect 0 "fixed  cadd-keeps-dst: none of 102 programs shows it" $recheck "$work/night" --backend example
expect 1 "still  cadd-keeps-dst: the smallest program shows it" $recheck "$work/night/report.json" --backend wrong:cadd-keeps-dst
expect 1 "changed  cadd-keeps-dst: the smallest program now shows cadd-ignores-mask" \
  $recheck "$work/night" cadd-keeps-dst --backend wrong:cadd-ignores-mask --json "$work/out.json"
"$python" - "$work/out.json" <<'END' || { echo "FAILED: the JSON file"; failed=1; }
import json, sys
out = json.load(open(sys.argv[1]))
assert out["schema"] == "lanecheck-recheck-1" and out["backend"] == "wrong:cadd-ignores-mask", out
[finding] = out["findings"]
assert finding["id"] == "cadd-keeps-dst" and finding["now"] == "changed" and finding["other"] == ["cadd-ignores-mask"], out
END
expect 1 "still  cadd-keeps-dst" $recheck "$work/night" --backend "cmd: '$lanecheck' serve --backend wrong:cadd-keeps-dst"

# A replayed report: its first case is a file.
$lanecheck replay "$source_dir/corpus/VMC-3.1-dup" --backend wrong:dup-ignores-mask --json "$work/replay.json" >/dev/null
expect 0 "fixed  dup-ignores-mask" $recheck "$work/replay.json" --backend example
expect 1 "still  dup-ignores-mask" $recheck "$work/replay.json" --backend wrong:dup-ignores-mask

# The file is judged under its own readings; a backend that follows them, and one that does not, are both right.
$lanecheck replay "$source_dir/corpus/VMC-3.2-cadd-empty/reading-writes-neutral.json" --backend wrong:cadd-ignores-mask \
  --json "$work/neutral.json" >/dev/null
for each in wrong:cadd-writes-empty example; do
  expect 0 "fixed  cadd-ignores-mask" $recheck "$work/neutral.json" --backend $each
done

# A run of cases at the edge of legality.
$lanecheck run --quiet --profile ascendc-310p --illegal --cases 500 --backend wrong:accepts-VP-range-pad-mode \
  --json "$work/edge.json" >/dev/null
expect 0 "fixed  accepts-illegal-VP-range-pad-mode" $recheck "$work/edge.json" --backend example
expect 1 "still  accepts-illegal-VP-range-pad-mode" $recheck "$work/edge.json" --backend wrong:accepts-VP-range-pad-mode

# A backend that is broken as a whole, or that does not offer the program, has fixed nothing.
printf 'read hello\necho "{\\"protocol\\":1,\\"name\\":\\"mute\\"}"\nread request\nexit 7\n' >"$work/mute.sh"
expect 3 "cadd-keeps-dst" $recheck "$work/night" --restarts 1 --backend "cmd: bash '$work/mute.sh'"
expect 3 "lanecheck: " $recheck "$work/night" --backend "plugin:$work/absent"
printf 'read hello\necho "{\\"protocol\\":1,\\"name\\":\\"other\\",\\"profiles\\":[\\"tik\\"]}"\nread request\n' >"$work/other.sh"
expect 1 "not asked  cadd-keeps-dst: profile vmc is not on offer" $recheck "$work/night" --backend "cmd: bash '$work/other.sh'"

# After a signal, --json holds the findings that were asked until then. The slow backend takes 0.03 seconds for each
# request; it shows the first finding at once, and the second one in none of 102 programs.
printf '"%s" "%s" 0.03 | "%s" serve --hex-only --backend wrong:cadd-keeps-dst\n' \
  "$python" "$source_dir/fuzz/backend/misbehaving/slow_lines.py" "$lanecheck" >"$work/slow.sh"
$lanecheck run --quiet --backend wrong:dup-ignores-mask --cases 1000 --json "$work/dup.json" >/dev/null
"$python" - "$work/night/report.json" "$work/dup.json" "$work/two.json" <<'END'
import json, sys
two, dup = (json.load(open(file)) for file in sys.argv[1:3])
two["findings"] += dup["findings"]
json.dump(two, open(sys.argv[3], "w"))
END
rm "$work/out.json"
$recheck "$work/two.json" --backend "cmd: bash '$work/slow.sh'" --json "$work/out.json" >"$work/output" 2>&1 &
pid=$!
wait_until grep -q "still  cadd-keeps-dst" "$work/output"
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 3 ] || { echo "FAILED: after a signal: exit $status"; failed=1; }
"$python" - "$work/out.json" <<'END' || { echo "FAILED: the JSON file after a signal"; failed=1; }
import json, sys
out = json.load(open(sys.argv[1]))
assert out["interrupted"] and [(f["id"], f["now"]) for f in out["findings"]] == [("cadd-keeps-dst", "still")], out
END

# Wrong input.
expect 2 "the report has: cadd-keeps-dst" $recheck "$work/night" dup-ignores-mask --backend example
expect 2 "cannot be read" $recheck "$work/absent.json" --backend example
expect 2 "--backend is required" $recheck "$work/night"
$lanecheck run --quiet --cases 600 --first 200000 --backend wrong:dup-ignores-mask --against example --json "$work/against.json" >/dev/null
expect 2 "comes from a comparison with example" $recheck "$work/against.json" --backend example
$lanecheck run --quiet --cases 20 --json "$work/clean.json" >/dev/null
expect 0 "the report has no findings" $recheck "$work/clean.json" --backend example
exit $failed
