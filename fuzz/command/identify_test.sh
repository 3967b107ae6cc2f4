#!/usr/bin/env bash
# lanecheck identify. Usage: identify_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 0 "The maps that were measured are as documented." "$lanecheck" identify example add.f16
expect 0 "gate  lanes 0..127 by slot lane, lanes 128..255 always" "$lanecheck" identify example dup.u8
expect 0 "cast.i16.f32 on oracle" "$lanecheck" identify oracle cast --types i16.f32
expect 0 "adds.f16 on example, profile tik" "$lanecheck" identify example adds.f16 --profile tik
expect_lines 40 4000 "$lanecheck" identify example add.f16

# A difference comes first, and is the exit code.
expect 1 "  set_mask gives slots 0..127 of the mask bit slot xor 64 of its words" \
  "$lanecheck" identify wrong:set-mask-swapped add.f16
expect 1 "masked-off lanes of add.f32 receive 0 instead of keeping their old dst" \
  "$lanecheck" identify wrong:mask-zeroes-dst add --types f32

expect 1 "reset_mask leaves slots 64..127 as they were" "$lanecheck" identify wrong:reset-low-only add.f16
expect 0 "  a result whose lanes are all off keeps its old dst" "$lanecheck" identify example cadd.f32
expect 1 "a masked-off element of cgmax.f16 acts like 0 instead of never being the result" \
  "$lanecheck" identify wrong:cgmax-sentinel-zero cgmax.f16

# What cannot be measured is no evidence.
expect 3 "Not measured: plain: there are no probes for this kind of instruction." "$lanecheck" identify example sort32.f16

# The maps as JSON.
expect 0 "add.f16" "$lanecheck" identify example add.f16 --json "$work/maps.json"
expect 0 "agree" "$python" - "$work/maps.json" <<'PY'
import json, sys
maps = json.load(open(sys.argv[1]))
assert maps["schema"] == "lanecheck-identify-1" and maps["backend"] == "example"
shapes = maps["instructions"][0]["shapes"]
assert [each["name"] for each in shapes][0] == "plain"
assert {"of": "gate", "map": "lanes 0..127 by slot lane"} in shapes[0]["maps"]
print("agree")
PY

# Wrong input.
expect 2 "no instruction 'ad': see \`lanecheck offers --profile vmc\`" "$lanecheck" identify example ad
expect 2 "has no element types 'f17'" "$lanecheck" identify example add --types f17
expect 2 "no backend 'exampl'" "$lanecheck" identify exampl add.f16
expect 2 "backend is required" "$lanecheck" identify

# An instruction that the backend does not offer, or on which it fails, is not measured, and nothing is said of it.
cat >"$work/part.py" <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
import example_simulator, lanecheck_backend
def raises(machine, i):
    raise ValueError("no mul today")
lanecheck_backend.serve({"add": example_simulator.INSTRUCTIONS["add"], "mul": raises})
PY
part="cmd: '$python' '$work/part.py' '$source_dir/fuzz/backend/python'"
expect 0 "The maps that were measured are as documented." "$lanecheck" identify "$part" add.f16
expect 3 "  Not measured: the backend skips it: sub.f16 is not on offer." "$lanecheck" identify "$part" sub.f16
expect_lines 2 200 "$lanecheck" identify "$part" sub.f16
expect 3 "  Not measured: the backend fails: ValueError: no mul today" "$lanecheck" identify "$part" mul.f16
expect 2 "the backend comes before the instruction: lanecheck identify 'example' add.f16" "$lanecheck" identify add.f16 example
exit $failed
