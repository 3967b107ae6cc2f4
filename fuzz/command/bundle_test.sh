#!/usr/bin/env bash
# The folders of `lanecheck report --bundle`: their tests fail on the wrong simulator and pass on the right one.
# Usage: bundle_test.sh LANECHECK SOURCE_DIR PYTHON COMPILER
set -u
compiler=$4
. "$(dirname "$0")/expect.sh"
skeleton="$source_dir/fuzz/backend/skeleton"
export PYTHONPATH="$source_dir/fuzz/backend/python" LANECHECK=$lanecheck
mkdir "$work/right" "$work/wrong"
cp "$skeleton/pytest/my_sim.py" "$work/right/"
sed 's/if machine.mask\[8 \* block + lane\]:/if True:/' "$skeleton/pytest/my_sim.py" >"$work/wrong/my_sim.py"
cmp -s "$work/right/my_sim.py" "$work/wrong/my_sim.py" && { echo "FAILED: the wrong simulator is right"; failed=1; }

cd "$work/wrong" || exit 1
"$lanecheck" run --quiet --no-doctor --cases 3000 --backend "cmd: $python -m lanecheck.serve my_sim:backend" --json "$work/report.json" >/dev/null
cd "$work" || exit 1
expect 0 "" "$lanecheck" report "$work/report.json" --bundle "$work/findings"
finding=$(echo "$work"/findings/*)
[ -d "$finding" ] || { echo "FAILED: not one finding: $finding"; exit 1; }

# The case and the text.
expect 0 "conforms" "$lanecheck" replay "$finding/case.json" --backend example
for text in "lanecheck run --backend" "VMC-3.1" "add.i32"; do
  grep -qF -- "$text" "$finding/finding.txt" || { echo "FAILED: finding.txt lacks $text"; failed=1; }
done

# The Python test.
test_python() { PYTHONPATH="$work/$1:$PYTHONPATH" "$python" -m pytest -q -p no:cacheprovider "$finding/test_finding.py"; }
expect 0 "1 passed" test_python right
expect 1 "1 failed" test_python wrong

# The C++ test, which is compiled once and linked with both simulators.
plugin="$skeleton/cpp/my_simulator.cc"
sed 's/if (program.mask\[lane\] != 0) //' "$plugin" >"$work/wrong.cc"
cp "$plugin" "$work/right.cc"
warnings="-std=c++17 -Wall -Wextra -Werror -I$source_dir/fuzz/backend"
expect 0 "" $compiler $warnings -c "$finding/finding_test.cc" -o "$work/test.o"
for each in right wrong; do
  expect 0 "" $compiler $warnings "$work/test.o" "$work/$each.cc" -lgtest -lgtest_main -lpthread -o "$work/$each.test"
done
expect 0 "1 test from 1 test suite ran" "$work/right.test"
expect 1 "1 FAILED TEST" "$work/wrong.test"

# All kinds of findings: scalars, settings, masks, refusals. The Python tests pass on the oracle, and the C++ compiles.
mkdir "$work/oracle"
printf 'import lanecheck\nbackend = lanecheck.oracle\n' >"$work/oracle/my_sim.py"
"$lanecheck" run --quiet --profile ascendc-310p --illegal --cases 500 --backend wrong:accepts-VP-range-pad-mode \
  --json "$work/edge.json" >/dev/null
"$lanecheck" run --quiet --cases 400 --backend wrong:mask-advances --json "$work/mask.json" >/dev/null
for each in edge mask; do
  expect 0 "" "$lanecheck" report "$work/$each.json" --bundle "$work/$each"
  finding=$(echo "$work/$each"/*)
  expect 0 "1 passed" test_python oracle
  expect 0 "" $compiler $warnings -fsyntax-only "$finding/finding_test.cc"
done
grep -q 'LANECHECK_REFUSED' "$work"/edge/*/finding_test.cc || { echo "FAILED: an illegal program must be refused"; failed=1; }

# A hostile report: names are refused, and a sentence stays text in both tests.
sed -E 's/"name": "t[0-9]+"/"name": "t0);"/' "$work/report.json" >"$work/name.txt"
expect 2 "not a name" "$lanecheck" report "$work/name.txt" --bundle "$work/name"
sed 's/"what": "[^"]*"/"what": "a\\"\\"\\"b\\nc \\\\"/' "$work/report.json" >"$work/what.txt"
expect 0 "" "$lanecheck" report "$work/what.txt" --bundle "$work/what"
finding=$(echo "$work/what"/*)
expect 0 "1 passed" test_python right
expect 0 "" $compiler $warnings -fsyntax-only "$finding/finding_test.cc"

# Long ids, and ids that make the same name.
"$python" - "$work/report.json" "$work/ids.txt" <<'END'
import copy, json, sys
report = json.load(open(sys.argv[1]))
report["findings"] = [copy.deepcopy(report["findings"][0]) for _ in range(5)]
for finding, id in zip(report["findings"], ["a-2", "a-4", "a", "a", "n" * 300]):
    finding["id"] = id
open(sys.argv[2], "w").write(json.dumps(report, indent=1) + "\n")
END
expect 0 "" "$lanecheck" report "$work/ids.txt" --bundle "$work/ids"
[ "$(ls "$work/ids" | wc -l)" = 5 ] || { echo "FAILED: not five folders: $(ls "$work/ids")"; failed=1; }

echo old >"$work/page.html"
expect 2 "exists and is not an empty folder" \
  "$lanecheck" report "$work/report.json" --html "$work/page.html" --bundle "$work/findings"
[ "$(cat "$work/page.html")" = old ] || { echo "FAILED: the page was replaced before the folder was checked"; failed=1; }
exit $failed
