#!/usr/bin/env bash
# lanecheck gen. Usage: gen_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 0 '"schema":"lanecheck-case-1"' "$lanecheck" gen --cases 2

# Without --cases it prints ten, each on a line of its own.
lines=$("$lanecheck" gen | wc -l)
[ "$lines" -eq 10 ] || { echo "FAILED: gen prints 10 cases, not $lines"; failed=1; }

# What it prints can be replayed.
"$lanecheck" gen --cases 1 --first 7 --profile tik >"$work/case.json"
expect 0 "1 case, 0 diverge" "$lanecheck" replay "$work/case.json"

expect 2 "reach past 2^64 - 1" "$lanecheck" gen --first 18446744073709551615 --cases 5
expect 2 "--cases: '-1' is not a whole number from 1 to" "$lanecheck" gen --cases -1
expect 2 "--seed: '-1' is not a whole number from 0 to" "$lanecheck" gen --seed -1
if [ -w /dev/full ]; then expect 3 "could not be written" bash -c "'$lanecheck' gen --cases 1000000 > /dev/full"; fi
exit $failed
