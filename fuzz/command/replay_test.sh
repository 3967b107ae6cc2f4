#!/usr/bin/env bash
# lanecheck replay. Usage: replay_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
case_file="$source_dir/corpus/VMC-3.1-dup/f32.json"

# It judges a file, a folder and a generated case.
expect 0 "1 case, 0 diverge" "$lanecheck" replay "$case_file"
expect 0 "0 diverge" "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup"
expect 0 "0 diverge, " "$lanecheck" replay "$source_dir/corpus"
expect 0 "conforms  case 200017" "$lanecheck" replay --seed 1 --index 200017
expect 1 "diverges" "$lanecheck" replay "$source_dir/corpus" --backend wrong:cadd-keeps-dst
expect 1 "diverges" "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup" --backend wrong:dup-ignores-mask
expect 0 "0 diverge" "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup" --backend "cmd: '$lanecheck' serve"

# The backend runs a case that conforms once.
expect 0 "1 case, 0 diverge" "$lanecheck" replay "$case_file" --backend "cmd: sh -c 'tee $work/sent | $lanecheck serve --hex-only'"
asked=$(grep -c '"programs"' "$work/sent")
[ "$asked" -eq 1 ] || { echo "FAILED: a case was run $asked times"; failed=1; }

# It compares what the file expects with the oracle, and says who differs: the file, the oracle or the backend.
mkdir "$work/expects"
expects() {  # name of the file, the value that its first element is said to get
  "$python" - "$case_file" "$work/expects/$1.json" "$2" <<'END'
import json, sys
case = json.load(open(sys.argv[1]))
case["expect"]["ub"]["d"][0] = sys.argv[3]
json.dump(case, open(sys.argv[2], "w"))
END
}
expects right 3
expects wrong 99
expects kept 7
expect 0 "1 case, 0 diverge" "$lanecheck" replay "$work/expects/right.json"
expect 1 "the file differs: the oracle and example agree with each other, not with the file" "$lanecheck" replay "$work/expects/wrong.json"
expect 1 "expectation-VMC-3.1-dup: 2 cases, first $work/expects/kept.json" "$lanecheck" replay "$work/expects"
expect 1 "the file 99 (0x42c60000)  actual 3" "$lanecheck" replay "$work/expects/wrong.json"
"$python" - "$work/expects/wrong.json" "$work/escape.json" <<'END'
import json, sys
case = json.load(open(sys.argv[1]))
case["rule"] = "a\x1b[2J"
json.dump(case, open(sys.argv[2], "w"))
END
expect 1 "expectation-a?[2J (against the file)" "$lanecheck" replay "$work/escape.json"
expect 1 "the file, the oracle and wrong:dup-ignores-mask all differ from each other" "$lanecheck" replay "$work/expects/wrong.json" --backend wrong:dup-ignores-mask
"$python" - "$case_file" "$work/expects/oracle.json" <<'END'
import json, sys
case = json.load(open(sys.argv[1]))
case["expect"]["ub"]["d"] = ["3 x64"]
json.dump(case, open(sys.argv[2], "w"))
END
expect 1 "the oracle differs: wrong:dup-ignores-mask leaves what the file expects" "$lanecheck" replay "$work/expects/oracle.json" --backend wrong:dup-ignores-mask

# A file that cannot be read does not stop a folder. Nothing worse: exit 2.
mkdir "$work/bad"
cp "$case_file" "$work/bad/b.json"
echo '{' >"$work/bad/a.json"
sed 's/"repeat": 1/"repeat": 256/' "$case_file" >"$work/bad/c.json"
sed 's/"offset": 0/"offset": 1e400/' "$case_file" >"$work/bad/d.json"
ln -s e.json "$work/bad/e.json"
expect 2 "1 case, 0 diverge, 4 files could not be read" "$lanecheck" replay "$work/bad"
expect 2 "repeat times 256; allowed: 0 to 255" "$lanecheck" replay "$work/bad"
expect 2 "e.json: cannot be read: Too many levels of symbolic links" "$lanecheck" replay "$work/bad"
expect 2 "Too many levels of symbolic links" "$lanecheck" replay "$work/bad/e.json/"
expect 1 "4 files could not be read" "$lanecheck" replay "$work/bad" --backend wrong:dup-ignores-mask

# The findings are those of a run: one for each cause, in the JSON report too.
expect 1 "dup-ignores-mask: " "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup" --backend wrong:dup-ignores-mask --json "$work/replay.json"
grep -q '"text": "diverges: 4 rules broken, 1 finding"' "$work/replay.json" ||
  { echo "FAILED: the JSON report of a replay does not count the rules"; failed=1; }
grep -q '"replayed": true' "$work/replay.json" && [ "$(grep -c '"id": "dup-ignores-mask"' "$work/replay.json")" -eq 1 ] ||
  { echo "FAILED: the report of a replay"; failed=1; }
expect 1 "1 undecided (--strict)" "$lanecheck" replay "$source_dir/corpus/VMC-3.2-cadd-zero/reading-sum-wide.json" --strict

# Names of files do not colour the terminal.
cp "$case_file" "$work/"$'\033[31m.json'
"$lanecheck" replay "$work/"$'\033[31m.json' 2>&1 | grep -q $'\033' && { echo "FAILED: escapes in a file name reach the terminal"; failed=1; }

# A backend that dies is a failure, not a divergence.
printf 'read hello\necho "{\\"protocol\\":1,\\"name\\":\\"mute\\"}"\nread request\nexit 7\n' >"$work/mute.sh"
expect 3 "the backend failed on 1" "$lanecheck" replay "$case_file" --backend "cmd: bash '$work/mute.sh'"

# It refuses what it cannot replay.
expect 2 "does not exist" "$lanecheck" replay "$work/absent"
mkdir "$work/empty"
expect 2 "holds no case files" "$lanecheck" replay "$work/empty"
expect 2 "give a case file, a folder, or --seed and --index" "$lanecheck" replay
expect 2 "excludes --index" "$lanecheck" replay "$case_file" --index 3
expect 2 "--seed requires --index" "$lanecheck" replay "$case_file" --seed 3
expect 2 "--index: '-1' is not a whole number from 0 to" "$lanecheck" replay --index -1
expect 2 "--in-process: only a plug-in" "$lanecheck" replay "$case_file" --in-process --backend "cmd: true"

# --index N is case N of a run on the same backend, which offers only a part of the instructions.
printf '%s\n' 'import sys' 'sys.path.insert(0, sys.argv[1])' 'import example_simulator as e, lanecheck_backend' \
  'def wrong(machine, i):' '    machine.mask, mask = bytearray(b"\1" * 256), machine.mask' \
  '    e.INSTRUCTIONS["add"](machine, i)' '    machine.mask = mask' \
  'lanecheck_backend.serve({"add": wrong})' >"$work/part.py"
part="cmd: '$python' '$work/part.py' '$source_dir/fuzz/backend/python'"
for first in 0 200000; do
  index=$("$lanecheck" run --first $first --cases 2000 --no-doctor -q --fail-fast --backend "$part" | sed -n 's/.*the first is case \([0-9]*\)$/\1/p; s/.*first seen in case \([0-9]*\)$/\1/p' | head -n 1)
  expect 1 "diverges  case $index" "$lanecheck" replay --index "$index" --backend "$part"
done
exit $failed
