#!/usr/bin/env bash
# lanecheck status, and runs in a folder. Usage: status_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 2 "is not the folder of a run" "$lanecheck" status "$work"
expect 1 "cadd-keeps-dst" "$lanecheck" run --quiet --cases 2000 --first 200000 --backend wrong:cadd-keeps-dst --folder "$work/done"
expect 0 "finished" "$lanecheck" status "$work/done"
expect 0 "2000 of 2000 cases" "$lanecheck" status "$work/done"
expect 0 "  cadd-keeps-dst" "$lanecheck" status "$work/done"
expect 2 "holds a run already" "$lanecheck" run --folder "$work/done"
expect 2 "--cases excludes --resume" "$lanecheck" run --resume "$work/done" --cases 5
expect 2 "is not the folder of a run" "$lanecheck" run --resume "$work/nothing"
expect 1 "2,000 of 2,000 cases" "$lanecheck" run --quiet --resume "$work/done"  # nothing is left to run
expect 2 "cases_per_second" sh -c "sed 's/backend/cases_per_second/' '$work/done/run.json' > '$work/run.json' && mv '$work/run.json' '$work/done/run.json' && '$lanecheck' run --resume '$work/done'"

# Numbers that no run writes are refused.
"$lanecheck" run --quiet --cases 100 --folder "$work/bad" >/dev/null
cp "$work/bad/status.json" "$work/good.json"
refuse() {  # text that must appear, sed command that changes the status
  sed -E "$2" "$work/good.json" >"$work/bad/status.json"
  expect 2 "$work/bad/status.json: is no status of a run: $1" "$lanecheck" status "$work/bad"
}
refuse "'written_at' cannot be -1e+300" 's/("written_at": *)[0-9]+/\1-1e300/'
refuse "'cases_per_second' cannot be 1e+300" 's/("cases_per_second": *)[0-9.e+-]+/\11e300/'
refuse "it has more cases than were planned" 's/("done": *)[0-9]+/\118446744073709551615/'

# Beside a run, and after its death.
"$lanecheck" run --quiet --cases 1000000000 --folder "$work/long" >/dev/null &
worker=$!
wait_until test -e "$work/long/status.json"
expect 0 "running: process $worker" "$lanecheck" status "$work/long"
expect 2 "process $worker works at this run" "$lanecheck" run --resume "$work/long"
expect 2 "process $worker works at this part" "$lanecheck" merge "$work/long"
kill -KILL $worker
wait $worker 2>/dev/null
expect 0 "interrupted: nothing runs" "$lanecheck" status "$work/long"

# A folder of several runs, and what is to be read from the folder of a run.
mkdir -p "$work/night"
"$lanecheck" run -q --cases 20 --folder "$work/night/smoke" >"$work/run.txt" 2>&1
expect 2 "night: holds several runs; name one of them: $work/night/smoke" "$lanecheck" status "$work/night"
expect 0 "" "$lanecheck" compare "$work/night/smoke" "$work/night/smoke"
expect 0 "" "$lanecheck" report "$work/night/smoke" --markdown "$work/night.md"
mkdir "$work/half" && cp "$work/night/smoke/run.json" "$work/half"
expect 2 "the run is not finished, so it has no report; go on with: lanecheck run --resume $work/half" "$lanecheck" recheck "$work/half" --backend example
expect 2 "the run is not finished" "$lanecheck" compare "$work/half" "$work/half"
expect 2 '--html is an option of `lanecheck rules`, `lanecheck report`' "$lanecheck" run --html x.html
expect 0 "REQUIRED" "$lanecheck" recheck --help
grep -q "example REQUIRED" "$work/output" && { echo "FAILED: a required option shows a default"; failed=1; }
exit $failed
