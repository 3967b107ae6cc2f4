#!/usr/bin/env bash
# lanecheck offers. Usage: offers_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 0 "cadd  dst (repeat stride), src (block stride, repeat stride), repeat" "$lanecheck" offers
expect 0 "vpadding  dst (block stride, repeat stride), src (block stride, repeat stride), mode, side, mask n, mask high:low, count n, repeat  [VectorPadding]" "$lanecheck" offers --profile ascendc-310p

# The JSON lists the same instructions with as many types as the text.
for profile in vmc ascendc-a2 ascendc-310p tik; do
  expect 0 "agree" "$python" - "$lanecheck" "$profile" <<'EOF'
import json, subprocess, sys
lanecheck, profile = sys.argv[1:]
ask = lambda *more: subprocess.run([lanecheck, "offers", "--profile", profile, *more], check=True, capture_output=True, text=True).stdout
text = ask().splitlines()
offers = json.loads(ask("--json"))
assert offers["schema"] == "lanecheck-offers-1" and offers["profile"] == profile
names = [line.split()[0] for line in text if not line.startswith(" ")]
types = sum(len(line.split()) for line in text if line.startswith(" "))
listed = offers["instructions"]
assert [each["instruction"] for each in listed] == names, (names, listed)
assert sum("dst" in form for each in listed for form in each["mnemonics"]) == types
for each in listed:
    line = next(line for line in text if line.split()[0] == each["instruction"])
    for named in each["operands"] + each["settings"]:
        assert (named.get("role") or named.get("name")) in line, (line, named)
    assert each["repeat"] == ("repeat" in line.replace("repeat stride", "")), line
print("agree")
EOF
done
expect 2 "no such profile" "$lanecheck" offers --profile ascend
exit $failed
