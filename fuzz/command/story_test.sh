#!/usr/bin/env bash
# What the README tells a newcomer, typed word by word, in Python and in C++; then each simulator is broken on purpose
# and the report must name the rule. Usage: story_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
cd "$work" || exit 3

# Python
expect 0 "wrote mine/my_simulator.py" "$lanecheck" init-backend python mine
expect 2 "already exists; nothing was written" "$lanecheck" init-backend python mine
expect 0 "healthy" "$lanecheck" doctor "cmd: $python mine/my_simulator.py"
expect 0 "conforms, as far as it offers" "$lanecheck" run --quiet --cases 20000 --backend "cmd: $python mine/my_simulator.py"
sed -i 's/if machine.mask\[lane\]:  # a masked-off/if True:  # a masked-off/' mine/my_simulator.py
expect 1 "[add-ignores-mask]" "$lanecheck" run --quiet --cases 20000 --backend "cmd: $python mine/my_simulator.py"
expect 1 "WRONG   lanes" "$lanecheck" doctor "cmd: $python mine/my_simulator.py"

# C++, through CMake and through the installed header alone
expect 0 "wrote plug/lanecheck_plugin.h" "$lanecheck" init-backend cpp plug
expect 0 "Built target my_simulator" bash -c "cmake -S plug -B plug/build && cmake --build plug/build"
expect 0 "healthy" "$lanecheck" doctor plugin:plug/build/libmy_simulator.so
for where in --deadline=2 --in-process; do
  expect 0 "conforms, as far as it offers" "$lanecheck" run --quiet --cases 20000 $where --backend plugin:plug/build/libmy_simulator.so
done
expect 0 "lanecheck_plugin.h" cmake --install "$(dirname "$lanecheck")" --prefix installed
rm plug/lanecheck_plugin.h
expect 0 "compiled" bash -c '"$@" && echo compiled' - g++ -shared -fPIC -std=c++17 -Iinstalled/include plug/my_simulator.cc -o libinstalled.so
expect 0 "healthy" installed/bin/lanecheck doctor plugin:libinstalled.so
cp installed/include/lanecheck_plugin.h plug/
sed -i 's/program.mask\[lane\] != 0/program.mask[lane % 32] != 0/' plug/my_simulator.cc
expect 0 "Built target my_simulator" cmake --build plug/build
expect 1 "VMC-1-slot-per-element  One mask slot stands for one logical element" "$lanecheck" run --quiet --cases 20000 --backend plugin:plug/build/libmy_simulator.so

# GoogleTest, with what was installed above
expect 0 "wrote tested/my_tests.cc" "$lanecheck" init-backend gtest tested
expect 0 "Built target my_tests" bash -c "cmake -S tested -B tested/build -DCMAKE_PREFIX_PATH='$work/installed' && cmake --build tested/build"
expect 0 "[  PASSED  ]" tested/build/my_tests
sed -i 's/program.mask\[lane\] != 0/program.mask[lane % 32] != 0/' tested/my_tests.cc
expect 0 "Built target my_tests" cmake --build tested/build
expect 1 "rules/MySimulator.holds/VMC_3_1_writes_active" tested/build/my_tests

# easyasc, with pytest
if "$python" -c 'import pytest' 2>/dev/null; then
  expect 0 "wrote asc/my_sim.py" "$lanecheck" init-backend easyasc asc
  expect 0 " passed" env "LANECHECK=$lanecheck" "$python" -m pytest -q -p no:cacheprovider asc
  sed -i 's/if self.mask\[lane\]:/if True:/' asc/my_sim.py
  expect 1 "add-ignores-mask" env "LANECHECK=$lanecheck" "$python" -m pytest -q -p no:cacheprovider asc
else
  echo "no pytest: the start for easyasc was not run"
  failed=1
fi

# The complete example, and the same simulator three ways against itself
example="cmd: $python $source_dir/fuzz/backend/python/example_simulator.py"
if "$python" -c 'import numpy' 2>/dev/null; then
  expect 0 "healthy" "$lanecheck" doctor "$example"
  expect 0 "conforms 6,000" "$lanecheck" run --quiet --cases 6000 --first 137088 --seed 7 --backend "$example"
  expect 0 "conforms 3,000" "$lanecheck" run --quiet --cases 3000 --first 50000 --backend "$example"
  expect 0 "0 diverge" "$lanecheck" replay "$source_dir/corpus" --backend "$example"
else
  echo "no NumPy: the complete example was not run"
  failed=1
fi

# A backend that hangs, dies and colours its name: an end with a clear line, and nothing that colours the terminal
bad="cmd: $python $source_dir/fuzz/backend/misbehaving/bad_backend.py"
expect 3 "killed by signal 6 (SIGABRT)" "$lanecheck" run --quiet --no-doctor --restarts 2 --cases 500 --backend "$bad dies_often"
expect 3 "it died 3 times (--restarts); the findings above are still valid" "$lanecheck" run --quiet --no-doctor --restarts 2 --cases 500 --backend "$bad dies_often"
expect 1 "checks fail for the same reason, shown above." "$lanecheck" run --quiet --cases 500 --backend "$bad dies_often"
"$lanecheck" run --quiet --no-doctor --restarts 1 --cases 300 --json report.json --backend "$bad dies_often" >shown 2>&1
if grep -q $'\033' shown || ! grep -q '"given_up": "it died 2 times (--restarts)"' report.json; then
  echo "FAILED: escapes of a backend reach the terminal, or the report of a backend failure was lost"
  failed=1
fi
sed -i 's/set_mask(\*program, i);/__builtin_trap();/' plug/my_simulator.cc
expect 0 "Built target my_simulator" cmake --build plug/build
expect 3 "killed by signal 4 (SIGILL)" "$lanecheck" run --quiet --no-doctor --restarts 3 --cases 300 --first 137088 --backend plugin:plug/build/libmy_simulator.so
"$lanecheck" run --quiet --cases 300 --first 137088 --in-process --backend plugin:plug/build/libmy_simulator.so >shown 2>&1
if [ $? -ne 132 ] || ! grep -q "crashed in one of these cases: --seed 1 --first 137088 --cases 8" shown; then
  echo "FAILED: a crash in this process does not say its cases"
  failed=1
fi

# What goes wrong at the start is told, with what the backend said
expect 3 "cannot run 'no_such_program'" "$lanecheck" run --backend "cmd: no_such_program"
expect 3 "No module named" "$lanecheck" run --backend "cmd: $python -c 'import no_such_module'"
expect 2 "a quote is not closed" "$lanecheck" run --backend "cmd: python3 'my sim.py"
expect 2 "give the command to start" "$lanecheck" run --backend "cmd:"
expect 3 "libnothing.so" "$lanecheck" run --backend plugin:libnothing.so
expect 2 "there are: python, pytest, easyasc, cpp, gtest" "$lanecheck" init-backend cobol elsewhere
exit $failed
