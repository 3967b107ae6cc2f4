#!/usr/bin/env bash
# The command line as a user meets it: messages and exit codes. Usage: command_line_test.sh LANECHECK SOURCE_DIR
set -u
lanecheck=$1
source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$source_dir/fuzz/command/expect.sh"

expect 0 "500 of 500 cases" "$lanecheck" run --cases 500 --quiet
expect 1 "[mask-advances]" "$lanecheck" run --cases 3000 --first 200000 --backend wrong:mask-advances
expect 0 "Examples:" "$lanecheck" run --help
expect 0 "VMC-3.1-cast-half-float" "$lanecheck" rules
expect 0 "184 rules, 0 uncovered" "$lanecheck" rules --uncovered

# Profiles
expect 0 "conforms" "$lanecheck" run --profile ascendc-a2 --cases 3000 --first 400000 --quiet
expect 0 "conforms" "$lanecheck" run --profile tik --illegal --cases 500 --quiet
expect 1 "accepts an illegal program" "$lanecheck" run --profile ascendc-310p --illegal --cases 500 --quiet --backend wrong:accepts-VP-range-pad-mode
expect 1 "GM-5-count  The call returns how many elements it kept" "$lanecheck" run --profile ascendc-a2 --cases 2000 --first 400000 --quiet --backend wrong:gather-counts-last
expect 2 "no such profile; there are: vmc ascendc-a2 ascendc-310p tik" "$lanecheck" run --profile ascend
expect 2 "profile tik does not leave this open" "$lanecheck" run --profile tik --reading zero_mask=no_op
expect 2 "no such reading" "$lanecheck" run --profile tik --reading zero=no_op
expect 2 "(add): not in profile tik" bash -c "printf 'profile tik\nub 96\nalloc a f16 0 32\nadd.f16 a+0 blk=1 rep=8, a+0 blk=1 rep=8, a+0 blk=1 rep=8, mask=16, repeat=1\n' > '$work/tik.txt'; '$lanecheck' explain '$work/tik.txt'"
expect 2 "bad.txt:1: no such profile" bash -c "printf 'profile tok\nub 64\n' > '$work/bad.txt'; '$lanecheck' explain '$work/bad.txt'"
expect 0 "vpadding  dst (block stride, repeat stride), src (block stride, repeat stride), mode, side, mask n, mask high:low, count n, repeat  [VectorPadding]" "$lanecheck" offers --profile ascendc-310p
expect 0 "conforms" "$lanecheck" run --profile ascendc-a2 --cases 500 --first 400000 --quiet --backend "cmd: '$lanecheck' serve"
expect 0 "empty_reduction" "$lanecheck" readings
expect 0 "wrong:cadd-keeps-dst" "$lanecheck" mutants --list
expect 0 '"schema":"lanecheck-case-1"' "$lanecheck" gen --cases 2
expect 0 "repeat 0" "$lanecheck" explain --seed 1 --index 200000
expect 0 "0 diverge" "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup"
expect 0 "0 diverge, " "$lanecheck" replay "$source_dir/corpus"
expect 1 "diverges" "$lanecheck" replay "$source_dir/corpus" --backend wrong:cadd-keeps-dst
expect 1 "diverges" "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup" --backend wrong:dup-ignores-mask

expect 2 "no backend 'nonsense'" "$lanecheck" run --backend nonsense
expect 2 "no such reading" "$lanecheck" run --reading nonsense=1
expect 2 "with one of: keeps_dst writes_neutral" "$lanecheck" run --reading empty_reduction=perhaps
expect 2 "does not exist" "$lanecheck" replay "$work/absent"
expect 2 "holds no case files" "$lanecheck" replay "$work"
expect 2 "cannot be written" "$lanecheck" run --cases 10 --json "$work/absent/report.json"
expect 2 "is a folder; name a file" "$lanecheck" run --cases 10 --json "$work"
expect 2 "cannot be made a folder" "$lanecheck" run --cases 10 --save /dev/null/cases
expect 2 "cannot be made a folder" "$lanecheck" init-backend cpp /dev/null/mine
expect 2 "cannot be read; name a file" "$lanecheck" explain "$work"
expect 2 "reach past 2^64 - 1" "$lanecheck" run --first 18446744073709551615 --cases 5
expect 2 "--cases: Value minus" "$lanecheck" run --cases minus
expect 2 "A subcommand is required" "$lanecheck"
expect 2 "bad.txt:2: no such instruction: frobnicate" bash -c "printf 'ub 64\nfrobnicate\n' > '$work/bad.txt'; '$lanecheck' explain '$work/bad.txt'"

# A file brings its profile along, and the readings of that profile.
printf 'profile ascendc-310p\nub 576\nalloc d u16 0 32\nalloc c u64 256 32\nalloc s u16 288 32\ngather_mask.u16 d+0, s+0 blk=1 rep=8, c+0, pattern=5, counter=1, mask=5, repeat=2\n' >"$work/total.txt"
expect 0 "#.#....." "$lanecheck" explain "$work/total.txt"
expect 1 "the run pins the reading empty_pair to another option" "$lanecheck" run --quiet --cases 3000 --first 200000 --reading empty_pair=keeps_dst

# Attached backends (fuzz/command/story_test.sh has the rest)
served="cmd: '$lanecheck' serve"
expect 0 "conforms" "$lanecheck" run --cases 500 --quiet --backend "$served"
printf 'echo "{\\"protocol\\":1,\\"name\\":\\"old\\"}"\ncat > /dev/null\n' >"$work/old.sh"
printf 'echo "{\\"protocol\\":1,\\"name\\":\\"new\\",\\"profiles\\":[\\"tik\\"]}"\ncat > /dev/null\n' >"$work/new.sh"
expect 2 "new does not offer profile vmc, in which the doctor asks" "$lanecheck" doctor "cmd: bash '$work/new.sh'"
expect 2 "old does not offer it; it offers: vmc" "$lanecheck" run --profile tik --backend "cmd: bash '$work/old.sh'"
expect 1 "[cadd-keeps-dst]" "$lanecheck" run --cases 3000 --first 200000 --backend "$served --backend wrong:cadd-keeps-dst"
expect 0 "0 diverge" "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup" --backend "$served"
expect 0 "healthy" "$lanecheck" doctor "$served"
expect 0 "it keeps to the protocol" "$lanecheck" doctor --protocol "$served"
expect 2 "takes a process" "$lanecheck" doctor --protocol example
expect 0 "conforms" "$lanecheck" run --cases 500 --first 200000 --quiet --backend example --against oracle
printf 'read hello\necho "{\\"protocol\\":1,\\"name\\":\\"mute\\"}"\nread request\nexit 7\n' >"$work/mute.sh"
expect 3 "the backend failed on 1" "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup/f32.json" --backend "cmd: bash '$work/mute.sh'"
expect 3 "mute fails: " "$lanecheck" readings --backend "cmd: bash '$work/mute.sh'"
expect 2 "mute does not report refusals" "$lanecheck" run --illegal --no-doctor --backend "cmd: bash '$work/mute.sh'"
expect 1 "the documents allow what example does" "$lanecheck" run --cases 3000 --first 200000 --backend wrong:cadd-keeps-dst --against example
expect 0 "cadd  dst (repeat stride), src (block stride, repeat stride), repeat" "$lanecheck" offers
expect 2 "lanecheck serve: not a JSON message: 'nonsense'" bash -c "echo nonsense | '$lanecheck' serve"

if [ -w /dev/full ]; then expect 3 "could not be written" bash -c "'$lanecheck' gen --cases 5000 > /dev/full"; fi

# A disk that fills up while the report is written: a message, exit 3, and the old report untouched.
echo old >"$work/kept.json"
expect 3 "could not be written whole" bash -c "trap '' XFSZ; ulimit -f 4; '$lanecheck' run --cases 100 --quiet --json '$work/kept.json'"
grep -qx old "$work/kept.json" || { echo "FAILED: the old report was lost"; failed=1; }

# Ctrl-C in the middle: the report so far is whole and says that it was interrupted.
"$lanecheck" run --cases 2000000000 --quiet --json "$work/report.json" >"$work/out" 2>&1 &
pid=$!
sleep 1
kill -INT "$pid"
wait "$pid"
status=$?
if [ "$status" -ne 3 ] || ! grep -q '"interrupted": true' "$work/report.json" || ! grep -q '"timing"' "$work/report.json"; then
  echo "FAILED: an interrupted run exits with 3 and leaves a whole report (exit $status)"
  failed=1
fi
[ -e "$work/report.json.part" ] && { echo "FAILED: a draft is left behind"; failed=1; }
exit $failed
