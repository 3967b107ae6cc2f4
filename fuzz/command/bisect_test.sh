#!/usr/bin/env bash
# lanecheck bisect. Usage: bisect_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
bisect="$lanecheck bisect"
case_file="$source_dir/corpus/VMC-3.1-dup/f32.json"
$lanecheck replay "$case_file" --backend wrong:dup-ignores-mask --json "$work/report.json" >/dev/null

# A simulator of dup alone. From version 6 on it ignores the mask in three of ten runs. All versions write a wrong
# value in one of ten runs.
cat >"$work/sim.py" <<'END'
import random, struct, sys
sys.path.insert(0, sys.argv[1])
from lanecheck_backend import blocks, serve
version = int(sys.argv[2])
chance = random.Random(version)

def dup(machine, i):
    ignores = version >= 6 and chance.random() < 0.3
    value = i.scalar.value + (chance.random() < 0.1)
    for _, block, start in blocks(i, i.dst, "f32"):
        for lane in range(8):
            if ignores or machine.mask[8 * block + lane]:
                struct.pack_into("<f", machine.ub, start + 4 * lane, value)

serve({"dup.f32": dup}, name=f"sim {version}")
END
for version in 1 2 3 4 5 6 7 8; do
  echo "cmd: $python $work/sim.py $source_dir/fuzz/backend/python $version"
done >"$work/versions.txt"
expect 0 "version 6 of 8 (cmd: $python $work/sim.py $source_dir/fuzz/backend/python 6) is the first that shows dup-ignores-mask" \
  $bisect "$work/report.json:dup-ignores-mask" --backends "$work/versions.txt"
grep -q "^confidence: 99\.[0-9]*% or more that no version was called good wrongly" "$work/output" || { echo "FAILED: no confidence"; failed=1; }
expect 0 "version 6 of 8" $bisect "$case_file" --backends "$work/versions.txt"

# Undecided: the fault is too old, not there, or hidden by another one or by a version that cannot be started.
lines() { printf '# versions\n\n'; printf '%s\n' "$@"; } >"$work/list.txt"
lines wrong:dup-ignores-mask wrong:dup-ignores-mask
expect 1 "undecided: the first version shows the fault already" $bisect "$case_file" --backends "$work/list.txt"
lines example example
expect 1 "undecided: the last version conforms on the program" $bisect "$case_file" --backends "$work/list.txt"
lines example oracle wrong:dup-ignores-mask
expect 0 "version 3 of 3 (wrong:dup-ignores-mask)" $bisect "$case_file" --backends "$work/list.txt"
lines example "cmd: $work/absent" wrong:dup-ignores-mask
expect 1 "undecided: the versions between the last good one and the first bad one give too few answers" \
  $bisect "$case_file" --backends "$work/list.txt"
lines example "cmd: $work/absent"
expect 3 "lanecheck: " $bisect "$case_file" --backends "$work/list.txt"

# What follows from a reading that the last version says it follows is no fault of it.
cat >"$work/neutral.py" <<'END'
import struct, sys
sys.path.insert(0, sys.argv[1])
from lanecheck_backend import serve

def cadd(machine, i):  # of no active lane
    for repeat in range(i.repeat):
        struct.pack_into("<f", machine.ub, i.dst.start + repeat * i.dst.repeat_stride * 4, 0)

serve({"cadd.f32": cadd}, name="neutral", readings={"empty_reduction": "writes_neutral"})
END
lines example "cmd: $python $work/neutral.py $source_dir/fuzz/backend/python"
expect 1 "undecided: the last version conforms on the program" \
  $bisect "$source_dir/corpus/VMC-3.2-cadd-empty/all-off.json" --backends "$work/list.txt"

# A fault that ends the process. A version that cannot be started again shows nothing.
cat >"$work/dies.py" <<'END'
import os, sys
sys.path.insert(0, sys.argv[1])
from lanecheck_backend import serve
if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
    sys.exit("once is enough")

def dup(machine, i):
    if len(sys.argv) > 2:
        open(sys.argv[2], "w").close()
    os._exit(3)

serve({"dup.f32": dup}, name="dies")
END
dies="cmd: $python $work/dies.py $source_dir/fuzz/backend/python"
lines example "$dies" "$dies"
expect 0 "version 2 of 3 ($dies) is the first that shows backend-failure-exited-with-status" $bisect "$case_file" --backends "$work/list.txt"
lines example "$dies $work/died"
expect 1 "undecided: the last version gives no further answer: cannot be started again: " $bisect "$case_file" --backends "$work/list.txt"

# After a signal, --json holds what is known until then.
# This version says hello, then waits for a request, which it does not answer.
printf 'read -r hello\necho "$hello" | "%s" serve\nread -r request\ntouch "%s"\nsleep 600\n' "$lanecheck" "$work/asked" >"$work/hung.sh"
lines example "cmd: sh $work/hung.sh" wrong:dup-ignores-mask
$bisect "$case_file" --backends "$work/list.txt" --deadline 60 --json "$work/found.json" >"$work/output" 2>&1 &
pid=$!
wait_until test -e "$work/asked"
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 3 ] || { echo "FAILED: after a signal: exit $status"; failed=1; }
"$python" - "$work/found.json" <<'END' || { echo "FAILED: the JSON file after a signal"; failed=1; }
import json, sys
found = json.load(open(sys.argv[1]))
good, hung, bad = found["versions"]
assert found["schema"] == "lanecheck-bisect-1" and found["interrupted"] and found["first_bad"] is None, found
assert found["fault"] == "dup-ignores-mask" and found["undecided"] == "stopped by a signal", found
assert bad["runs"] == bad["fault"] > 0 and good["runs"] > 0 == good["fault"] and hung["runs"] == 0, found
END
lines example wrong:dup-ignores-mask
expect 0 "version 2 of 2" $bisect "$case_file" --backends "$work/list.txt" --json "$work/found.json"
"$python" -c 'import json, sys; found = json.load(open(sys.argv[1])); assert found["first_bad"] == 1 and found["confidence"] > 0.99' \
  "$work/found.json" || { echo "FAILED: the JSON file"; failed=1; }
expect 2 "cannot be written" $bisect "$case_file" --backends "$work/list.txt" --json "$work/absent/found.json"

# Wrong input.
lines example wrong:dup-ignores-maks wrong:dup-ignores-mask
expect 2 "list.txt: no backend 'wrong:dup-ignores-maks'" $bisect "$case_file" --backends "$work/list.txt"
lines example
expect 2 "names 1 backend; bisect needs at least two" $bisect "$case_file" --backends "$work/list.txt"
lines example example
expect 2 "the report has: dup-ignores-mask" $bisect "$work/report.json:no" --backends "$work/list.txt"
expect 2 "is neither a case file nor REPORT:ID" $bisect "$work/no:no" --backends "$work/list.txt"
expect 2 "--backends is required" $bisect "$case_file"
exit $failed
