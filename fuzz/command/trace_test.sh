#!/usr/bin/env bash
# lanecheck trace. Usage: trace_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

# A kernel of three steps: a mask with lanes 0 and 2 on, 1 + 2 in these lanes, a mask of ones.
kernel() {  # the bytes that the second step writes at the start of UB
  "$python" - "$1" <<'END'
import json, struct, sys
place = lambda n: {"at": "ub", "offset": 256 * n, "block_stride": 1, "repeat_stride": 8}
add = {"op": "add.i32", "dst": place(0), "src0": place(1), "src1": place(2), "repeat": 1}
lines = [{"schema": "lanecheck-trace-1", "ub_bytes": 768,
          "allocations": [{"name": "ub", "type": "u8", "offset": 0, "bytes": 768}],
          "ub": (bytes(256) + struct.pack("<128i", *[1] * 64, *[2] * 64)).hex()},
         {"step": 0, "instruction": {"op": "set_mask", "high": "0x0", "low": "0x5"}, "wrote": []},
         {"step": 1, "instruction": add, "wrote": [{"offset": 0, "hex": sys.argv[1]}]},
         {"step": 2, "instruction": {"op": "reset_mask"}, "wrote": []},
         {"steps": 3}]
print("\n".join(map(json.dumps, lines)))
END
}
kernel 030000000000000003 >"$work/right.jsonl"
kernel 0300000003000000030000000300 >"$work/wrong.jsonl"
expect 0 "3 steps, 0 diverge" "$lanecheck" trace "$work/right.jsonl"
expect 0 "3 steps, 0 diverge" bash -c "'$lanecheck' trace - <'$work/right.jsonl'"

# A wrong step is named by its line, explained, and saved as a case that the oracle passes.
expect 1 "wrong.jsonl:3, id 1" "$lanecheck" trace "$work/wrong.jsonl" --json "$work/report.json" --save "$work/steps"
expect 1 "3 steps, 1 diverges" "$lanecheck" trace "$work/wrong.jsonl"
expect 0 "1 case, 0 diverge" "$lanecheck" replay "$work/steps" --backend oracle
expect 2 "cannot be made a folder" "$lanecheck" trace "$work/wrong.jsonl" --save /dev/null/steps

# What cannot be read is named, and what was read before it is judged. A divergence weighs more.
sed '$d' "$work/right.jsonl" >"$work/short.jsonl"
expect 2 "short.jsonl: ends after 3 steps without its last line" "$lanecheck" trace "$work/short.jsonl"
expect 2 "3 steps, 0 diverge, 1 fault in the trace" "$lanecheck" trace "$work/short.jsonl"
sed 4d "$work/wrong.jsonl" >"$work/gap.jsonl"
expect 1 "gap.jsonl:4: the last line says 3 steps, the file has 2" "$lanecheck" trace "$work/gap.jsonl"
expect 2 "a trace of profile vmc, but --profile says tik" "$lanecheck" trace "$work/right.jsonl" --profile tik
expect 2 "which \`lanecheck judge\` reads" bash -c "'$lanecheck' gen --questions --cases 1 | '$lanecheck' trace -"
expect 2 "cannot be read" "$lanecheck" trace "$work/absent"
expect 2 "holds no trace" "$lanecheck" trace /dev/null

# An illegal step is skipped, and said.
sed 's/"repeat": 1/"repeat": 9/' "$work/right.jsonl" >"$work/illegal.jsonl"
expect 0 "illegal.jsonl:3" "$lanecheck" trace "$work/illegal.jsonl"
expect 0 "3 steps, 0 diverge, 1 skipped" "$lanecheck" trace "$work/illegal.jsonl"
exit $failed
