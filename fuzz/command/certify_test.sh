#!/usr/bin/env bash
# lanecheck certify. Usage: certify_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

sentence="any fault of this instruction that depends on at most 3 mask bits was exercised"
expect 0 "add.f16  certified: $sentence" "$lanecheck" certify --instruction add.f16
expect 0 "cast.i16.f32  certified: $sentence" "$lanecheck" certify --backend oracle --instruction cast
expect 0 "depends on at most 2 mask bits" "$lanecheck" certify --instruction adds.f32 --strength 2 --profile tik
expect 0 "1 instruction with types on oracle: 1 certified, 0 diverge, 0 not judged" \
  "$lanecheck" certify --backend oracle --instruction cadd.i32

# The first mask that fails.
expect 1 "add.f32  diverges: under mask high=0x" "$lanecheck" certify --backend wrong:mask-zeroes-dst --instruction add.f32
expect 1 "cadd gates its writeback instead of its source" \
  "$lanecheck" certify --backend wrong:cadd-keeps-dst --instruction cadd.i32

# An open question is no divergence.
ignores=(--backend wrong:cast-ignores-mask --instruction cast.i16.f32)
expect 3 "cast.i16.f32  not judged: under mask high=0x" "$lanecheck" certify "${ignores[@]}"
expect 3 "give --reading cast_mask=ignores_mask to judge it under this reading" "$lanecheck" certify "${ignores[@]}"
expect 0 "cast.i16.f32  certified: $sentence" "$lanecheck" certify "${ignores[@]}" --reading cast_mask=ignores_mask

# What is not on offer is not certified.
cat >"$work/half.py" <<'PY'
import sys
sys.path.insert(0, sys.argv[1] + "/fuzz/backend/python")
from lanecheck_backend import blocks, serve

def add_i32(machine, insn):
    for repeat, block, start in blocks(insn, insn.src0, "i32"):
        pass

serve({"add.i32": add_i32}, name="half")
PY
expect 3 "add.f16  not judged: a program is skipped: add.f16 is not on offer" \
  "$lanecheck" certify --backend "cmd: $python $work/half.py $source_dir" --instruction add.f16

# A broken backend is not certified, and is not asked again for each instruction.
expect 3 "add.f16  not judged: the backend fails under mask high=0x" \
  "$lanecheck" certify --backend "cmd: bash -c 'read -r hello; echo \"\$hello\" | \"$lanecheck\" serve; exit 7'" --instruction add.f16

# As JSON.
expect 1 "diverge" "$lanecheck" certify --backend wrong:mask-zeroes-dst --instruction add --json "$work/masks.json"
expect 0 "agree" "$python" - "$work/masks.json" <<'PY'
import json, sys
certificate = json.load(open(sys.argv[1]))
assert certificate["schema"] == "lanecheck-certificate-1" and certificate["strength"] == 3
first = certificate["instructions"][0]
assert first["instruction"] == "add.f16" and first["verdict"] == "diverges", first
assert int(first["failing_mask"]["high"], 16) < 2**64, first
print("agree")
PY

# Wrong input.
expect 2 "no instruction 'ad' that computes: see \`lanecheck offers --profile vmc\`" "$lanecheck" certify --instruction ad
expect 2 "no instruction 'set_mask' that computes" "$lanecheck" certify --instruction set_mask
expect 2 "--strength: '5' is not 2, 3 or 4" "$lanecheck" certify --strength 5
expect 2 "no backend 'exampl'" "$lanecheck" certify --backend exampl
exit $failed
