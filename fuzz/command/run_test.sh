#!/usr/bin/env bash
# lanecheck run. Usage: run_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
run="$lanecheck run --quiet"

# It tells a backend that conforms from one that does not.
expect 0 "500 of 500 cases" $run --cases 500
expect 1 "[mask-advances]" $run --cases 3000 --first 200000 --backend wrong:mask-advances
expect 0 "conforms" $run --cases 500 --first 200000 --backend example --against oracle
expect 0 "conforms" $run --cases 50 --first 200000 --backend example --against oracle --bitwise
expect 1 "the documents allow what example does" $run --cases 3000 --first 200000 --backend wrong:cadd-keeps-dst --against example
grep -q "^diverges: 4 rules broken, 1 finding" "$work/output" || { echo "FAILED: --against does not count the rules that its finding names"; failed=1; }

# It runs each profile by its own documents.
expect 0 "conforms" $run --profile ascendc-a2 --cases 3000 --first 400000
expect 1 "GM-5-count  The call returns how many elements it kept" $run --profile ascendc-a2 --cases 2000 --first 400000 --backend wrong:gather-counts-last
expect 2 "no such profile; there are: vmc ascendc-a2 ascendc-310p tik" $run --profile ascend

# It judges refusals at the edge of legality.
expect 0 "conforms" $run --profile tik --illegal --cases 500
expect 1 "accepts an illegal program" $run --profile ascendc-310p --illegal --cases 500 --backend wrong:accepts-VP-range-pad-mode

# It pins readings, and only those that the profile leaves open.
expect 1 "the run pins the reading empty_reduction to another option" $run --cases 3000 --first 200000 --reading empty_reduction=writes_neutral
expect 2 "profile tik does not leave this open" $run --profile tik --reading zero_mask=no_op
expect 2 "no such reading" $run --profile tik --reading zero=no_op
expect 2 "no such reading" $run --reading nonsense=1
expect 2 "with one of: keeps_dst writes_neutral" $run --reading empty_reduction=perhaps

# It runs attached backends (story_test.sh has the rest).
served="cmd: '$lanecheck' serve"
printf 'echo "{\\"protocol\\":1,\\"name\\":\\"old\\"}"\ncat > /dev/null\n' >"$work/old.sh"
printf 'read hello\necho "{\\"protocol\\":1,\\"name\\":\\"mute\\"}"\nread request\nexit 7\n' >"$work/mute.sh"
expect 0 "conforms" $run --cases 500 --backend "$served"
expect 0 "conforms" $run --profile ascendc-a2 --cases 500 --first 400000 --backend "$served"
expect 1 "[cadd-keeps-dst]" $run --cases 3000 --first 200000 --backend "$served --backend wrong:cadd-keeps-dst"
expect 2 "old does not offer it; it offers: vmc" $run --profile tik --backend "cmd: bash '$work/old.sh'"
expect 2 "mute does not report refusals" $run --illegal --no-doctor --backend "cmd: bash '$work/mute.sh'"
expect 2 "no backend 'nonsense'" $run --backend nonsense

# Its report is valid in every mode (expect.sh validates all reports of a test).
expect 3 "exited with status 7" $run --no-doctor --restarts 2 --cases 300 --backend "cmd: bash '$work/mute.sh'" --json "$work/mute.json"
expect 1 "the documents allow what example does" $run --cases 1000 --first 200000 --backend wrong:dup-ignores-mask --against "$served" --json "$work/against.json"
expect 3 "mute breaks: exited with status 7" $run --restarts 2 --cases 100 --against "cmd: bash '$work/mute.sh'" --json "$work/other.json"
expect 0 "conforms" $run --cases 300 --against oracle --bitwise --json "$work/bitwise.json"
expect 0 "conforms" $run --profile tik --illegal --cases 300 --json "$work/illegal.json"

# It says what the doctor finds wrong, in its output, its verdict, its report and its exit code.
swapped="cmd: $python $source_dir/fuzz/doctor/wrong_adapter.py set_mask-arguments-swapped"
expect 1 "doctor: mistake, by its answers: the arguments of set_mask (SetVectorMask) are swapped" $run --cases 40 --backend "$swapped" --json "$work/doctor.json"
expect 1 "the doctor found 1 mistake before the run" $run --cases 40 --backend "$swapped"
grep -q "mistake, by its answers: the arguments of set_mask" "$work/doctor.json" || { echo "FAILED: the report lacks the doctor"; failed=1; }

# It names rules that no case exercised in the verdict.
expect 0 "conforms, as far as exercised: " $run --cases 20

# It refuses combinations of options that have no meaning.
expect 2 "--bitwise requires --against" $run --bitwise
expect 2 "--against excludes --illegal" $run --illegal --against oracle
expect 2 "--in-process: only a plug-in (plugin:PATH) can be loaded into lanecheck; 'cmd: true' is not one" $run --in-process --backend "cmd: true"
expect 2 "--in-process: only a plug-in" $run --in-process

# It refuses numbers out of range.
expect 2 "--seed: '-1' is not a whole number from 0 to 18446744073709551615" $run --seed -1
expect 2 "--seed: '18446744073709551616' is not a whole number from 0 to 18446744073709551615" $run --seed 18446744073709551616
expect 0 "seed 18446744073709551615" $run --seed 18446744073709551615 --cases 10
expect 2 "--cases: 'minus' is not a whole number from 1 to" $run --cases minus
expect 2 "--cases: '0' is not a whole number from 1 to" $run --cases 0
expect 2 "--restarts: '4294967296' is not a whole number from 0 to 4294967295" $run --restarts 4294967296
expect 2 "--seconds: '-1' is not a number of seconds from 0 to 1000000" $run --seconds -1
expect 2 "--seconds: 'nan' is not a number of seconds from 0 to 1000000" $run --seconds nan
expect 2 "--seconds: '1e300' is not a number of seconds from 0 to 1000000" $run --seconds 1e300
expect 2 "--deadline: '0' is not a number of seconds above 0, up to 1000000" $run --deadline 0
expect 2 "--deadline: '1e300' is not a number of seconds above 0" $run --deadline 1e300
expect 2 "--deadline: 'nan' is not a number of seconds above 0" $run --deadline nan
expect 2 "give the path of a shared library" $run --backend plugin:
expect 2 "reach past 2^64 - 1" $run --first 18446744073709551615 --cases 5

# It says before the run that it cannot write a file.
expect 2 "cannot be written" $run --cases 10 --json "$work/absent/report.json"
expect 2 "is a folder; name a file" $run --cases 10 --json "$work"
expect 2 "cannot be made a folder" $run --cases 10 --save /dev/null/cases
expect 2 "cannot be opened as a history" $run --cases 10 --history "$work/absent/history.sqlite"
expect 2 "cannot be written: File name too long" $run --cases 10 --json "$work/$(printf 'a%.0s' {1..300})"
mkdir "$work/gone"
expect 2 "cannot be made a folder" bash -c "cd '$work/gone'; rmdir '$work/gone'; '$(realpath "$lanecheck")' run --quiet --cases 10 --folder here"

expect 2 "--jobs 300: give 1 to 256" $run --cases 10 --jobs 300

# A report that goes where the text goes overwrites nothing: the JSON is whole, and so is the text.
$run --cases 10 --json /dev/stdout >"$work/both"
grep -q '"schema": "lanecheck-report-' "$work/both" && grep -q "10 of 10 cases" "$work/both" && sed -n '/^{/,/^}/p' "$work/both" >"$work/from_both.json" &&
  "$python" -m json.tool "$work/from_both.json" >"$work/out" || { echo "FAILED: --json /dev/stdout overwrites"; failed=1; }

# A disk that fills up while the report is written: a message, exit 3, and the old report untouched.
echo old >"$work/kept.json"
expect 3 "could not be written whole" bash -c "ulimit -f 4; '$lanecheck' run --cases 100 --quiet --json '$work/kept.json'"
grep -qx old "$work/kept.json" || { echo "FAILED: the old report was lost"; failed=1; }

# A case that cannot be saved does not lose the report; a file that is there already is not overwritten.
mkdir "$work/saved"
echo mine >"$work/saved/cadd-keeps-dst.json"
expect 1 "[cadd-keeps-dst]" $run --cases 3000 --first 200000 --backend wrong:cadd-keeps-dst --save "$work/saved"
grep -qx mine "$work/saved/cadd-keeps-dst.json" && [ -s "$work/saved/cadd-keeps-dst-2.json" ] ||
  { echo "FAILED: --save overwrote a file"; failed=1; }
expect 1 "lanecheck: --save: " $run --cases 3000 --first 200000 --backend wrong:cadd-keeps-dst --save /proc/self/fd --json "$work/saved.json"
grep -q '"cadd-keeps-dst"' "$work/saved.json" || { echo "FAILED: a failure of --save lost the report"; failed=1; }

# Nor does a plug-in whose second process says hello in another way.
BAD_PLUGIN=restart_offers BAD_BACKEND_STARTED="$work/started" \
  expect 1 "cannot be started again: offers[0] = " \
  $run --cases 2000 --no-doctor --backend "plugin:$(echo "$(dirname "$lanecheck")"/fuzz/backend/libbad_plugin.*)" --json "$work/second.json"
grep -q '"given_up": "cannot be started again' "$work/second.json" && grep -q '"diverges": [1-9]' "$work/second.json" ||
  { echo "FAILED: a plug-in that cannot be started again lost the report"; failed=1; }

# The summary is short; the table of rules needs --verbose.
expect_lines 6 600 $run --cases 500
expect 0 "rule                          exercised  broken by" $run --cases 500 --verbose
expect 1 " cases, first 2000" $run --cases 3000 --first 200000 --backend wrong:cadd-keeps-dst
expect 1 "first seen in case 2000" $run --cases 3000 --first 200000 --backend wrong:cadd-keeps-dst
expect 0 "rules that no case exercised (their instructions may have run, but not in the situation that the rule describes): " $run --cases 20 --first 200000

# It stops after the first finding, or analyses only some.
expect 1 "(stopped after the first finding, --fail-fast)" $run --cases 2000000000 --first 200000 --backend wrong:cadd-keeps-dst --fail-fast
two="--cases 3000 --first 200000 --backend wrong:cadd-keeps-dst --against wrong:dup-ignores-mask"
[ "$($run $two --max-findings 1 | grep -c "first seen in")" -eq 1 ] || { echo "FAILED: --max-findings"; failed=1; }
[ "$($run $two | grep -c "first seen in")" -gt 1 ] || { echo "FAILED: --max-findings hides findings"; failed=1; }
expect 1 ", --until 'findings >= 1')" $run --cases 2000000000 --first 200000 --backend wrong:cadd-keeps-dst --until 'findings >= 1'
expect 0 ", --until 'risk < 1e-2')" $run --cases 2000000000 --until 'risk < 1e-2'
expect 2 "--until 'luck': give 'findings >= N' or 'risk < X'" $run --until luck
expect 2 "the run analyses at most 20 findings" $run --until 'findings >= 21'
expect 2 "--until: the risk is what programs leave" $run --until 'risk < 1e-2' --against example
expect 2 "--until: the risk is what programs leave" $run --until 'risk < 1e-2' --illegal
expect 2 "it cannot be used with --shard" $run --until 'risk < 1e-3' --folder "$work/until" --shard 1/2
[ -e "$work/until" ] && { echo "FAILED: settings without meaning leave a folder"; failed=1; }
expect 2 "--max-findings excludes --fail-fast" $run --fail-fast --max-findings 3
expect 2 "--max-findings: '0' is not a whole number from 1" $run --max-findings 0

# Undecided cases stand in the verdict; with --strict they are failures.
expect 0 "cases undecided" $run --cases 3000 --first 200000 --backend example --against oracle
expect 1 "does not conform (--strict)" $run --strict --cases 3000 --first 200000 --backend example --against oracle

expect 0 " undecided cases the two results differ, and the documents allow both" \
  $run --cases 3000 --first 200000 --backend example --against oracle
# No rules are exercised there: no table of rules, also with --verbose.
expect 0 "conforms" $run --cases 500 --first 200000 --backend example --against oracle --verbose
if grep -q "exercised\|diversity" "$work/output"; then
  echo "FAILED: --against prints a table of rules"
  failed=1
fi
expect 0 "The standing of a rule (documented, contested, library)" $run --help
expect 0 "268,188 (vmc)" $run --help

# --seconds also ends the wait for a program that runs then, however long its deadline is. It is counted from the
# first case: how long the backends take to start does not matter.
cat >"$work/slow.py" <<'END'
import sys, time
sys.path.insert(0, sys.argv[1])
time.sleep(1.2)
import lanecheck_backend
lanecheck_backend.serve({"add": lambda machine, i: time.sleep(1000)})
END
slow="cmd: $python '$work/slow.py' '$source_dir/fuzz/backend/python'"
expect 0 "stopped after 1 s, --seconds" timeout -s KILL 120 $run --quiet --no-doctor --cases 100 --seconds 1 --deadline 900 \
  --backend "$slow"
expect 0 "stopped after 1 s, --seconds" timeout -s KILL 120 $run --quiet --no-doctor --cases 100 --seconds 1 --deadline 900 \
  --against "$slow"

# One signal ends a run soon: the report so far is whole and says that it was interrupted. GNU timeout sends SIGTERM
# twice at once, which is one.
for signal in INT TERM HUP "TERM TERM" QUIT XCPU USR1 USR2 ALRM; do
  report="$work/${signal// /-and-}.json"
  $run --cases 2000000000 --json "$report" >"$work/out" 2>&1 &
  pid=$!
  wait_until handles_signals $pid
  sleep 0.1  # some cases later
  for each in $signal; do kill -"$each" "$pid"; done
  wait "$pid"
  status=$?
  if [ "$status" -ne 3 ] || ! grep -q '"interrupted": true' "$report" || ! grep -q '"timing"' "$report"; then
    echo "FAILED: a run that SIG$signal stops exits with 3 and leaves a whole report (exit $status)"
    failed=1
  fi
done
# Processes of a backend that do not end by themselves are ended at the same time, not one after the other (which takes 16 s).
eight_started() { [ "$(wc -l <"$work/eight")" -ge 8 ]; }
stubborn="cmd: sh -c \"trap : TERM; echo >>'$work/eight'; '$lanecheck' serve; while :; do sleep 1; done\""
>"$work/eight"
$run --cases 2000000000 --jobs 8 --no-doctor --backend "$stubborn" --json "$work/stubborn.json" >"$work/out" 2>&1 &
pid=$!
wait_until eight_started
sleep 2  # they have said hello
began=$(date +%s%N)
kill -TERM "$pid"
wait "$pid"
took=$((($(date +%s%N) - began) / 1000000))
if [ "$took" -gt 10000 ] || ! grep -q '"interrupted": true' "$work/stubborn.json"; then
  echo "FAILED: a run with 8 stubborn processes leaves a whole report soon after a signal ($took ms)"
  failed=1
fi
[ -n "$(find "$work" -name '*.part')" ] && { echo "FAILED: a draft is left behind"; failed=1; }
exit $failed
