#!/usr/bin/env bash
# lanecheck readings. Usage: readings_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 0 "empty_reduction" "$lanecheck" readings
expect 0 "  * writes_neutral" "$lanecheck" readings --reading empty_reduction=writes_neutral
expect 0 "example follows last_repeat on this program:" "$lanecheck" readings --profile tik --backend example
expect 0 "example does not run this program, which only 'may_overhang' calls legal:" "$lanecheck" readings --profile tik --backend example

# A backend that dies ends the command.
printf 'read hello\necho "{\\"protocol\\":1,\\"name\\":\\"mute\\",\\"profiles\\":[\\"tik\\"]}"\nread request\nexit 7\n' >"$work/mute.sh"
expect 3 "mute fails: " "$lanecheck" readings --profile tik --backend "cmd: bash '$work/mute.sh'"

# Options of a backend need a backend.
expect 2 "--seed requires --backend" "$lanecheck" readings --seed 3
expect 2 "--deadline requires --backend" "$lanecheck" readings --deadline 3
expect 2 "--in-process requires --backend" "$lanecheck" readings --in-process
expect 2 "profile tik does not leave this open" "$lanecheck" readings --profile tik --reading zero_mask=no_op

# A backend that lacks the instructions that tell two options apart: they are named.
printf 'read hello\necho "{\\"protocol\\":1,\\"name\\":\\"few\\",\\"profiles\\":[\\"tik\\"],\\"offers\\":[{\\"instruction\\":\\"add\\"}]}"\nexec stdbuf -oL sed "s/.*\\"id\\": *\\([0-9]*\\).*/{\\"answers\\":[{\\"id\\":\\1,\\"skipped\\":\\"no\\"}]}/"\n' >"$work/few.sh"
expect 0 "few does not offer adds.i32, with which the smallest program tells first_repeat from last_repeat" "$lanecheck" readings --profile tik --backend "cmd: bash '$work/few.sh'"

# A program that the backend skips shows nothing.
printf 'read hello\necho "{\\"protocol\\":1,\\"name\\":\\"lazy\\",\\"profiles\\":[\\"tik\\"]}"\nexec stdbuf -oL sed "s/.*\\"id\\": *\\([0-9]*\\).*/{\\"answers\\":[{\\"id\\":\\1,\\"skipped\\":\\"no\\"}]}/"\n' >"$work/lazy.sh"
expect 0 "not shown: lazy skips this program" "$lanecheck" readings --profile tik --backend "cmd: bash '$work/lazy.sh'"
grep -q "lazy follows" "$work/output" && { echo "FAILED: readings says something of a skipped program"; failed=1; }
exit $failed
