#!/usr/bin/env bash
# lanecheck replay. Usage: replay_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
case_file="$source_dir/corpus/VMC-3.1-dup/f32.json"

# It judges a file, a folder and a generated case.
expect 0 "1 cases, 0 diverge" "$lanecheck" replay "$case_file"
expect 0 "0 diverge" "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup"
expect 0 "0 diverge, " "$lanecheck" replay "$source_dir/corpus"
expect 0 "conforms  case 200017" "$lanecheck" replay --seed 1 --index 200017
expect 1 "diverges" "$lanecheck" replay "$source_dir/corpus" --backend wrong:cadd-keeps-dst
expect 1 "diverges" "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup" --backend wrong:dup-ignores-mask
expect 0 "0 diverge" "$lanecheck" replay "$source_dir/corpus/VMC-3.1-dup" --backend "cmd: '$lanecheck' serve"

# A backend that dies is a failure, not a divergence.
printf 'read hello\necho "{\\"protocol\\":1,\\"name\\":\\"mute\\"}"\nread request\nexit 7\n' >"$work/mute.sh"
expect 3 "the backend failed on 1" "$lanecheck" replay "$case_file" --backend "cmd: bash '$work/mute.sh'"

# It refuses what it cannot replay.
expect 2 "does not exist" "$lanecheck" replay "$work/absent"
expect 2 "holds no case files" "$lanecheck" replay "$work"
expect 2 "give a case file, a folder, or --seed and --index" "$lanecheck" replay
expect 2 "excludes --index" "$lanecheck" replay "$case_file" --index 3
expect 2 "--seed requires --index" "$lanecheck" replay "$case_file" --seed 3
expect 2 "--index: '-1' is not a whole number from 0 to" "$lanecheck" replay --index -1
expect 2 "--in-process: only a plug-in" "$lanecheck" replay "$case_file" --in-process --backend "cmd: true"
exit $failed
