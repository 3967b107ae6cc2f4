#!/usr/bin/env bash
# lanecheck report. Usage: report_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
report="$lanecheck report"
run="$lanecheck run --quiet"

fail() {
  echo "FAILED: $*"
  failed=1
}

$run --backend wrong:cadd-keeps-dst --cases 1000 --json "$work/report.json" >/dev/null

# It writes what is asked for.
expect 0 "" $report "$work/report.json" --html "$work/a.html" --junit "$work/a.xml" --markdown "$work/a.md"
for text in "Diverges: 4 rules broken, 1 finding" 'id="finding-cadd-keeps-dst"' "VMC-3.2-cadd-zero" "<svg class=\"map\"" \
  "a masked-off element does not contribute" ", actual " "Vector Mask Constraints"; do
  grep -qF -- "$text" "$work/a.html" || fail "the page lacks: $text"
done
grep -qE '(src|href)="?(https?:)?//|@import|url\(["'"'"']?http' "$work/a.html" && fail "the page needs the network"
grep -q '^### lanecheck: diverges' "$work/a.md" || fail "the summary lacks the verdict"
grep -q '^| <code>cadd-keeps-dst</code> | diverges | <code>VMC-3.2-cadd-zero</code> and 3 more |' "$work/a.md" ||
  fail "the summary lacks the finding"
"$python" "$source_dir/fuzz/command/check_junit.py" "$work/a.xml" || fail "the JUnit file does not fit the schema"

# The same report gives the same bytes.
$report "$work/report.json" --html "$work/b.html" && cmp "$work/a.html" "$work/b.html" || fail "two pages differ"

# The command that the page, the summary and the JUnit file show finds the same again.
command=$(grep -m1 '^lanecheck run ' "$work/a.md")
grep -qF "<code>$command</code>" "$work/a.html" || fail "the page lacks the command '$command'"
grep -qF ">$command" "$work/a.xml" || fail "the first line of a failure is not the command"
expect 1 "[cadd-keeps-dst]" bash -c "${command/lanecheck/\"$lanecheck\"}"

# A replayed file is replayed again, with the backend as the user gave it.
$run --backend wrong:cadd-keeps-dst --cases 100 --save "$work/it's" >/dev/null
served="cmd: '$lanecheck' serve --backend wrong:cadd-keeps-dst"
$lanecheck replay "$work/it's" --backend "$served" --json "$work/replay.json" >/dev/null
$report "$work/replay.json" --markdown "$work/replay.md" --junit "$work/replay.xml"
command=$(grep -m1 '^lanecheck replay ' "$work/replay.md")
expect 1 "[cadd-keeps-dst]" bash -c "${command/lanecheck/\"$lanecheck\"}"

# A hostile name stays text.
cat >"$work/hostile.py" <<'PYTHON'
import sys
print('{"protocol":1,"name":"<script>alert(1)</script>\\"&\'"}', flush=True)
sys.stdin.readline()
sys.stdin.readline()
sys.stderr.write("]]><b>")
sys.exit(7)
PYTHON
$run --no-doctor --restarts 1 --cases 50 --backend "cmd: $python $work/hostile.py" --json "$work/hostile.json" >/dev/null
expect 0 "" $report "$work/hostile.json" --html "$work/h.html" --junit "$work/h.xml" --markdown "$work/h.md"
for file in h.html h.xml h.md; do  # in Markdown the command stands in a block of code
  grep -v '^lanecheck run' "$work/$file" | grep -qF 'alert(1)</script>' && fail "$file: the name of the backend is markup"
done
grep -qF '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;&#39;' "$work/h.html" || fail "the page lacks the hostile name"
sed 's/<testsuites /&disabled="0" /' "$work/a.xml" >"$work/bad.xml"  # check_junit.py knows the schema
! "$python" "$source_dir/fuzz/command/check_junit.py" "$work/bad.xml" >/dev/null || fail "check_junit.py accepts an attribute that is not in the schema"
"$python" "$source_dir/fuzz/command/check_junit.py" "$work/h.xml" || fail "the JUnit file does not fit the schema"

# Other kinds of runs: conforming, at the edge of legality, against a backend, with undecided cases.
$run --cases 300 --json "$work/good.json" >/dev/null
$run --profile ascendc-310p --illegal --cases 500 --backend wrong:accepts-VP-range-pad-mode --json "$work/edge.json" >/dev/null
$run --cases 600 --first 200000 --backend wrong:dup-ignores-mask --against example --json "$work/against.json" >/dev/null
for name in good edge against; do
  expect 0 "" $report "$work/$name.json" --html "$work/$name.html" --junit "$work/$name.xml" --markdown "$work/$name.md"
  "$python" "$source_dir/fuzz/command/check_junit.py" "$work/$name.xml" || fail "$name.xml does not fit the schema"
done
grep -q "<failure\|<error" "$work/good.xml" && fail "a run that conforms has a failure"
for name in edge against; do
  command=$(grep -m1 '^lanecheck run ' "$work/$name.md")
  id=$(grep -m1 -oE '^\| <code>[^<]*' "$work/$name.md" | sed 's/.*>//; s/&#[0-9]*;/./g')
  output=$(bash -c "${command/lanecheck/\"$lanecheck\"}" 2>&1)
  grep -q -- "$id" <<<"$output" || fail "$name: '$command' does not find $id again"
done

# What is no report is refused by name.
head -c 3000 "$work/report.json" >"$work/cut.txt"
sed 's/lanecheck-report-3/lanecheck-report-1/' "$work/report.json" >"$work/old.txt"
echo '{"schema": "lanecheck-case-1"}' >"$work/case.txt"
expect 2 "cut.txt" $report "$work/cut.txt" --html "$work/no.html"
expect 2 "old.txt: is a report of another version (lanecheck-report-1); this lanecheck reads lanecheck-report-3" \
  $report "$work/old.txt" --html "$work/no.html"
expect 2 "case.txt: is not a report of lanecheck" $report "$work/case.txt" --html "$work/no.html"
expect 2 "absent.json: cannot be read" $report "$work/absent.json" --html "$work/no.html"
mkdir "$work/empty"
expect 2 "is a folder" $report "$work/empty" --html "$work/no.html"
[ -e "$work/no.html" ] && fail "a page was written without a report"

# It says what is missing.
expect 2 "give at least one of --html, --junit, --markdown and --bundle" $report "$work/report.json"
expect 2 "cannot be written" $report "$work/report.json" --html "$work/absent/a.html"
if [ -w /dev/full ]; then expect 3 "could not be written" $report "$work/report.json" --markdown /dev/full; fi
exit $failed
