#!/usr/bin/env bash
# The pytest plug-in as a user meets it: in an empty folder and an empty virtual environment, from a wheel, offline.
# Usage: pytest_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
if ! "$python" -c 'import numpy, pytest, xdist, pytest_forked, setuptools, wheel' 2>/dev/null; then
  echo "FAILED: $python has not all of NumPy, pytest, pytest-xdist, pytest-forked, setuptools and wheel"
  exit 1
fi
export LANECHECK=$lanecheck
unset PYTHONPATH PYTEST_ADDOPTS

# The wheel is built from a copy, because setuptools writes into the source folder; its installation is to unpack it.
mkdir -p "$work/source/fuzz/backend" "$work/mine"
cp "$source_dir/pyproject.toml" "$work/source/"
cp -r "$source_dir/fuzz/backend/python" "$work/source/fuzz/backend/"
cp "$source_dir/fuzz/backend/python/example_simulator.py" "$work/mine/"
"$python" -m venv --system-site-packages --without-pip "$work/venv" || exit 1
(cd "$work/source" && "$python" -c "from setuptools import build_meta; build_meta.build_wheel('$work')") >"$work/wheel.log" 2>&1
expect 0 "" bash -c "'$work/venv/bin/python' -m zipfile -e '$work'/lanecheck-*.whl '$work'/venv/lib/python3*/site-packages"
cd "$work/mine" || exit 1
pytest() { "$work/venv/bin/python" -m pytest -p no:cacheprovider -q "$@"; }
cases=(--lanecheck-cases 2000)

cat >sims.py <<'EOF'
import lanecheck
import numpy
from example_simulator import INSTRUCTIONS
numpy.seterr(all="ignore")

def without_mask(name):
    def execute(machine, i):
        mask, machine.mask = machine.mask, bytearray(b"\1" * 256)
        INSTRUCTIONS[name](machine, i)
        machine.mask = mask
    return {**INSTRUCTIONS, name: execute}

good = lanecheck.Backend(INSTRUCTIONS, name="mine")
wrong = lanecheck.Backend(without_mask("cadd"), name="mine")
undecided = lanecheck.Backend(without_mask("cast"))
few = lanecheck.Backend({"add.i32": INSTRUCTIONS["add"]}, name="mine")
def returns_nothing(machine):
    pass
def asks_for_a_field(machine):
    return machine.instructions[-1].destination
EOF
cat >dies.py <<'EOF'  # without NumPy, because it is started twenty times
import os
import lanecheck
from lanecheck_backend import blocks

def crashes(machine, i):
    if i.repeat > 1:
        os.abort()
    operands = (list(blocks(machine, i, each, "i16")) for each in (i.dst, i.src0, i.src1))
    for (_, block, dst), (_, _, src0), (_, _, src1) in zip(*operands):
        if block == 0:  # a repeat is read before it is written
            read = bytes(machine.ub)
        for byte in range(32):
            if machine.mask[block * 16 + byte // 2]:
                machine.ub[dst + byte] = read[src0 + byte] | read[src1 + byte]

crashing = lanecheck.Backend({"vor.i16": crashes}, name="mine")
EOF

# A right simulator passes; what it does not offer is skipped, with the reason.
expect 0 "66 passed, 13 skipped" pytest --lanecheck sims:good "${cases[@]}" -rs
expect 0 "refusals of illegal programs were not judged: the simulator does not report them" cat "$work/output"
expect 0 "79 passed" pytest --lanecheck example --lanecheck-cases 6000  # it reports refusals
expect 0 "66 passed, 13 skipped" pytest --lanecheck sims:undecided "${cases[@]}"  # what the documents leave open is no failure
expect 0 "not offered" pytest --lanecheck sims:few "${cases[@]}" -rs
expect 0 "79 tests collected" pytest --lanecheck no:such --collect-only
expect 0 "1 passed, 105 deselected" pytest --lanecheck sims:good --lanecheck-profile vmc --lanecheck-profile tik "${cases[@]}" -k VMC-3.2-cadd-zero

cases=(--lanecheck-cases 500)  # enough to break the rules of one mistake

# A wrong one fails the rules that the report names, and no other test, however the tests are distributed.
"$lanecheck" run --quiet --cases 500 --json "$work/wrong.json" --backend "cmd: $work/venv/bin/python -m lanecheck.serve sims:wrong" >"$work/output" 2>&1
"$python" - "$work/wrong.json" >"$work/broken" <<'EOF'
import json, sys
rules = json.load(open(sys.argv[1]))["coverage"]["rules"]
print(*sorted("FAILED lanecheck::vmc::" + each["id"] for each in rules if each["broken"]), sep="\n")
EOF
grep -q VMC-3.2-cadd-zero "$work/broken" || { echo "FAILED: the report does not name VMC-3.2-cadd-zero"; failed=1; }
for way in "" "-n 2" "--forked" "-n 2 --forked"; do
  # shellcheck disable=SC2086
  pytest --lanecheck sims:wrong "${cases[@]}" $way >"$work/output" 2>&1
  if ! diff <(grep '^FAILED' "$work/output" | sort) "$work/broken"; then
    echo "FAILED: pytest $way does not fail the broken rules alone"
    failed=1
  fi
done
pytest --lanecheck sims:wrong "${cases[@]}" -k VMC-3.2-cadd-zero >"$work/output" 2>&1
for text in "VMC-3.2-cadd-zero is broken: cadd: a masked-off element does not contribute" "(VMC section 3.2, documented)" \
  "lanecheck run --backend 'cmd: $work/venv/bin/python -m lanecheck.serve sims:wrong' --profile vmc --seed 1 --cases 1 --first" \
  "program:" "set_mask high=" "lanes of dst: . kept, # written" "wrong value: old "; do
  expect 0 "$text" cat "$work/output"
done
command=$(grep -m 1 "^lanecheck run --backend" "$work/output")
expect 1 "VMC-3.2-cadd-zero" bash -c "'$lanecheck'${command#lanecheck}"

# A crash fails one test; if the simulator cannot run at all, or the run is given up, the others are no pass.
pytest --lanecheck dies:crashing "${cases[@]}" --forked >"$work/output" 2>&1
expect 0 "killed by signal 6 (SIGABRT)" cat "$work/output"
expect 0 "1 failed" tail -n 1 "$work/output"
pytest --lanecheck dies:crashing --lanecheck-cases 20000 >"$work/output" 2>&1
expect 0 "it died 21 times (--restarts)" cat "$work/output"
expect 0 "1 failed, 78 skipped" tail -n 1 "$work/output"
pytest --lanecheck sims:returns_nothing >"$work/output" 2>&1
expect 0 "run returned nothing; it must return UB as it is afterwards" cat "$work/output"
expect 0 "1 failed, 78 skipped" tail -n 1 "$work/output"
expect 1 "1 failed, 78 skipped" pytest --lanecheck sims:asks_for_a_field --lanecheck-cases 500
expect 1 "sims.py has no 'god'; backends in it: good, wrong, undecided, few" pytest --lanecheck sims:god

# Known failures are strict xfails: what is known, what is new, what is fixed, what another run cannot know.
expect 0 "added" "$lanecheck" baseline add known.json --from "$work/wrong.json" --all --reason "cadd is being rewritten"
expect 0 "$(wc -l <"$work/broken") xfailed" pytest --lanecheck sims:wrong "${cases[@]}" --lanecheck-baseline known.json
expect 0 "cadd is being rewritten" pytest --lanecheck sims:wrong "${cases[@]}" --lanecheck-baseline known.json -rx -n 2
expect 1 "[XPASS(strict)] fixed: " pytest --lanecheck sims:good "${cases[@]}" --lanecheck-baseline known.json
diff <(grep '^FAILED' "$work/output" | sort) "$work/broken" || { echo "FAILED: what is fixed"; failed=1; }
expect 0 "not exercised: " pytest --lanecheck sims:good --lanecheck-cases 20 --lanecheck-baseline known.json -rs
expect 1 "new failure: add-ignores-mask: " pytest --lanecheck wrong:add-ignores-mask "${cases[@]}" --lanecheck-baseline known.json
sed 's/"reason"/"expires": "2020-01-01", "reason"/' known.json >expired.json
expect 1 "expired: " pytest --lanecheck sims:wrong "${cases[@]}" --lanecheck-baseline expired.json

# The configuration file, which leaves the user's own tests alone if they are named.
printf '[pytest]\nlanecheck = sims:wrong\nlanecheck_cases = 500\nlanecheck_baseline = known.json\n' >pytest.ini
printf 'def test_mine():\n    pass\n' >test_mine.py
expect 0 "$(wc -l <"$work/broken") xfailed" pytest
expect 0 "1 passed in" pytest test_mine.py::test_mine
rm pytest.ini

# Wrong input.
expect 4 "known-not.json: cannot be read" pytest --lanecheck sims:good --lanecheck-baseline known-not.json
expect 2 "no such profile; there are: vmc" pytest --lanecheck sims:good --lanecheck-profile mine
expect 4 "LANECHECK=/no/such: there is no such program" env LANECHECK=/no/such "$work/venv/bin/python" -m pytest --lanecheck sims:good
expect 0 "1 passed" env LANECHECK=/no/such "$work/venv/bin/python" -m pytest  # the plug-in is there, and not asked for

# What init-backend writes: at most 40 lines of the user's own, which pass as written, and fail if they are broken.
cd "$work" || exit 1
expect 0 "cd project && pytest" "$lanecheck" init-backend pytest project
lines=$(cat project/my_sim.py project/pytest.ini project/conftest.py | wc -l)
[ "$lines" -le 40 ] || { echo "FAILED: init-backend pytest writes $lines lines"; failed=1; }
cd project || exit 1
expect 0 "26 passed, 53 skipped" "$python" -m pytest -p no:cacheprovider
expect 0 "26 passed, 53 skipped" "$work/venv/bin/python" -m pytest -p no:cacheprovider  # the plug-in is installed, too
sed -i 's/if machine.mask\[.*:  # a masked-off/if True:  # a masked-off/' my_sim.py
"$python" -m pytest -p no:cacheprovider >"$work/output" 2>&1
expect 0 "FAILED lanecheck::vmc::VMC-3.1-keeps-masked-off" cat "$work/output"
expect 0 "Captured lanecheck doctor" cat "$work/output"
expect 0 "4 failed, 22 passed, 53 skipped" tail -n 1 "$work/output"
"$lanecheck" run --quiet --cases 5000 --json "$work/add.json" --backend "cmd: $python -m lanecheck.serve my_sim:backend" >"$work/output" 2>&1
expect 0 "added" "$lanecheck" baseline add known.json --from "$work/add.json" --all --reason "add is being rewritten"
expect 0 "22 passed, 53 skipped, 4 xfailed" "$python" -m pytest -p no:cacheprovider --lanecheck-baseline known.json
exit $failed
