#!/usr/bin/env bash
# lanecheck compare. Usage: compare_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

report() {  # file, options of run...
  local file=$1
  shift
  "$lanecheck" run --quiet --json "$work/$file" "$@" >"$work/output" 2>&1
}
report cadd.json --backend wrong:cadd-keeps-dst --cases 2000
report dup.json --backend wrong:dup-ignores-mask --cases 2000
report example.json --backend example --cases 2000
report short.json --backend example --cases 1999
report seed.json --backend example --cases 2000 --seed 2
report tik.json --backend example --cases 2000 --profile tik
cd "$work" || exit 1

expect 0 "in both: 0 findings" "$lanecheck" compare example.json example.json
expect 1 "only in wrong:cadd-keeps-dst: 1 finding" "$lanecheck" compare cadd.json dup.json
expect 1 ": 1 only in wrong:cadd-keeps-dst" "$lanecheck" compare cadd.json dup.json example.json
cp cadd.json again.json
expect 0 "in both: 1 finding" "$lanecheck" compare cadd.json again.json
expect 1 "only in wrong:cadd-keeps-dst: 1 finding" "$lanecheck" compare cadd.json example.json --only-in cadd.json
expect 0 "only in example: 0 findings" "$lanecheck" compare cadd.json example.json --only-in example

# The files say the same.
expect 1 "" "$lanecheck" compare cadd.json dup.json --json compared.json --markdown compared.md
expect 0 "agree" "$python" - <<'EOF'
import json
compared = json.load(open("compared.json"))
assert compared["schema"] == "lanecheck-comparison-1", compared
assert [each["id"] for each in compared["findings"]] == ["cadd-keeps-dst", "dup-ignores-mask"], compared
assert [[one["state"] for one in each["in"]] for each in compared["findings"]] == [["diverges", "conforms"], ["conforms", "diverges"]], compared
markdown = open("compared.md").read()
cases = json.load(open("cadd.json"))["findings"][0]["cases"]
assert f"| cadd-keeps-dst: cadd gates its writeback instead of its source | cadd.f16 | diverges in {cases} cases | conforms |" in markdown, markdown
print("agree")
EOF

# What cannot be compared.
expect 2 "the profiles differ: example.json has vmc, tik.json has tik" "$lanecheck" compare example.json tik.json
expect 2 "the cases differ: example.json has 2,000 cases from case 0 of seed 1, short.json has 1,999" "$lanecheck" compare example.json short.json
expect 2 "seed.json has 2,000 cases from case 0 of seed 2" "$lanecheck" compare example.json seed.json
expect 0 "note: the cases differ" "$lanecheck" compare example.json seed.json --other-cases
expect 2 "give two reports or more" "$lanecheck" compare example.json
expect 2 "is the name of 0 reports" "$lanecheck" compare example.json cadd.json --only-in chip
expect 2 "is no report of lanecheck" "$lanecheck" compare example.json compared.json
head -c 3000 cadd.json >cut.txt
expect 2 "cut.txt: is truncated" "$lanecheck" compare example.json cut.txt
exit $failed
