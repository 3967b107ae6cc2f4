#!/usr/bin/env bash
# From lanecheck distill over export and a simulator to lanecheck judge. Usage: export_test.sh LANECHECK SOURCE_DIR PYTHON
# COMPILER PLUGIN
set -u
compiler=$4
plugin=$5
. "$(dirname "$0")/expect.sh"
unset PYTHONPATH
cd "$source_dir/fuzz/exam/hooks" || exit 1  # exam.py finds the simulators in the current folder

expect 0 "105 of 106 mutants" "$lanecheck" distill -o "$work/exam.jsonl"

# NumPy: the right simulator conforms.
expect 0 "exam.py" "$lanecheck" export "$work/exam.jsonl" --as numpy -o "$work/numpy"
expect 0 "no program differs" "$python" "$work/numpy/exam.py" numpy_hook:example
for argument in "" numpy_hook; do
  expect 2 "usage: python3 $work/numpy/exam.py MODULE:UNIT" "$python" "$work/numpy/exam.py" $argument
done
printf 'class Unit:\n    def __init__(self, ub):\n        pass\n' >"$work/small.py"
small() { (cd "$work" && "$python" numpy/exam.py "$1"); }
expect 2 "the unit has no set_mask, reset_mask, which reset the mask between two programs; nothing was written" small small:Unit
expect 2 "numpy/exam.py: small:unit: module 'small' has no attribute 'unit'" small small:unit
expect 2 "numpy/exam.py: absent:Unit: No module named 'absent'" small absent:Unit
expect 0 " records, 0 diverge" "$lanecheck" judge "$work/numpy"
grep -q "skipped" "$work/output" && { echo "FAILED: a program was skipped"; failed=1; }

# A simulator that lacks instructions skips the programs that need them. Two wrong ones are named.
unforeseen() { EXAM_FAULT=$1 "$python" "$work/numpy/exam.py" numpy_hook:unforeseen; }
expect 0 "no program differs" "$python" "$work/numpy/exam.py" numpy_hook:unforeseen
expect 0 "0 diverge, " "$lanecheck" judge "$work/numpy"
grep -q "skipped" "$work/output" || { echo "FAILED: no program was skipped"; failed=1; }
named() {  # fault of fuzz/unforeseen, what lanecheck calls it
  expect 1 "differ from golden.bin" unforeseen "$1"
  expect 1 "$2" "$lanecheck" judge "$work/numpy"
}
named setmask_high0_kept set-mask-zero-high-stays
named setmask_accumulates set-mask-ands

# A unit that breaks in one program still runs the others.
printf 'import numpy_hook\nclass Unit(numpy_hook.Unit):\n    def __getattr__(self, op):\n        if op == "exp": return lambda **fields: 1 / 0\n        return super().__getattr__(op)\ndef unit(ub): return Unit(ub, numpy_hook.FULL_TABLE)\n' >"$work/broken.py"
expect 1 "differ" env PYTHONPATH="$work" "$python" "$work/numpy/exam.py" broken:unit
expect 3 "ZeroDivisionError" "$lanecheck" judge "$work/numpy"

# GoogleTest: compiled with the example simulator behind the functions of lanecheck_exam.h.
expect 0 "lanecheck_exam.h" "$lanecheck" export "$work/exam.jsonl" --as gtest -o "$work/gtest"
flags="-std=c++17 -Wall -Wextra -Wpedantic -Werror -I$work/gtest -I$source_dir/fuzz/backend"
expect 0 "" $compiler $flags "-DLANECHECK_EXAM_DIR=\"$work/gtest\"" -c "$work/gtest/exam_test.cc" -o "$work/exam_test.o"
for wrong in "" -DEXAM_SWAPS_WORDS; do
  expect 0 "" $compiler $flags $wrong '-DEXAM_PROFILE="vmc"' "$source_dir/fuzz/exam/hooks/plugin_hook.cc" "$work/exam_test.o" \
    "$plugin" "-Wl,-rpath,$(dirname "$plugin")" -lgtest -lgtest_main -lpthread -o "$work/exam_test$wrong"
done
expect 0 "[  PASSED  ]" "$work/exam_test"
expect 0 " records, 0 diverge" "$lanecheck" judge "$work/gtest"
expect 1 "names the cause" "$work/exam_test-DEXAM_SWAPS_WORDS"
expect 1 "set-mask-swapped" "$lanecheck" judge "$work/gtest"
rm "$work/gtest/output.bin"
mkdir "$work/gtest/output.bin"
expect 1 "output.bin cannot be written" "$work/exam_test"

# Ascend C: compiled with a header that writes down the calls, which are then compared with the programs. All
# instructions come in: each generated case is a launch of its own.
hooks=$source_dir/fuzz/exam/hooks/ascendc
calls_of() {  # kinds of calls, the exam
  rm -rf "$work/ascendc"
  expect 0 "exam_kernel.cpp" "$lanecheck" export "$2" --as ascendc -o "$work/ascendc"
  kernels=$(grep -o "lanecheck_launch_[0-9]*" "$work/ascendc/exam_kernel.cpp" | paste -sd,)
  expect 0 "" $compiler -O0 -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Werror "-I$hooks" "-DKERNELS=$kernels" \
    "-DEXAM_KERNEL=\"$work/ascendc/exam_kernel.cpp\"" "$hooks/record_main.cc" -o "$work/ascendc_calls"
  expect 0 "" bash -c "'$work/ascendc_calls' '$work/ascendc/input.bin' '$work/copied.bin' >'$work/calls'"
  expect 0 "calls are those of the programs, of $1 kinds" "$python" "$hooks/check_calls.py" "$work/ascendc" "$work/calls" \
    "$work/copied.bin"
}
each_alone() { "$lanecheck" gen --questions --profile "$1" --cases "$2" | awk '{sub(/}$/, ",\"launch\":" NR - 1 ",\"base\":0}"); print}'; }
each_alone ascendc-a2 250 >"$work/a2.jsonl"
calls_of 54 "$work/a2.jsonl"
"$lanecheck" distill --profile ascendc-310p -o "$work/310p.jsonl" >"$work/output"
calls_of 16 "$work/310p.jsonl"
sed -i '0,/"repeat": 1,/s//"repeat": 2,/' "$work/calls"
expect 1 "instead of" "$python" "$hooks/check_calls.py" "$work/ascendc" "$work/calls" "$work/copied.bin"
expect 2 "the instructions of profile vmc are not calls of Ascend C" "$lanecheck" export "$work/exam.jsonl" --as ascendc -o "$work/other"

# easyasc: a stand-in records the calls, the importer of the package reads the records, and the example executes them.
expect 2 "takes no " "$lanecheck" export "$work/exam.jsonl" --as easyasc -o "$work/other"
expect 2 "profile ascendc-a2 are not functions of easyasc" "$lanecheck" export "$work/a2.jsonl" --as easyasc -o "$work/other"
expect 0 " of 106 mutants" "$lanecheck" distill --for easyasc -o "$work/easyasc.jsonl"
expect 0 "exam.py" "$lanecheck" export "$work/easyasc.jsonl" --as easyasc -o "$work/easyasc"
expect 0 "no program differs" "$python" "$work/easyasc/exam.py" easyasc_hook:Unit
expect 0 " records, 0 diverge" "$lanecheck" judge "$work/easyasc"
grep -q "skipped" "$work/output" && { echo "FAILED: a program was skipped"; failed=1; }
expect 1 "differ from golden.bin" env EASYASC_FAULT=swap "$python" "$work/easyasc/exam.py" easyasc_hook:Unit
expect 1 "set-mask-swapped" "$lanecheck" judge "$work/easyasc"

# What cannot be exported.
expect 2 "is not empty" "$lanecheck" export "$work/exam.jsonl" --as numpy -o "$work/numpy"
expect 2 "there are: numpy, gtest, ascendc, easyasc" "$lanecheck" export "$work/exam.jsonl" --as fortran -o "$work/other"
expect 2 '"launch" is missing' bash -c "'$lanecheck' gen --questions | sed 's/\"id\":[0-9]*/\"id\":0/' |
  '$lanecheck' export - --as numpy -o '$work/other'"
expect 2 "cannot be read" "$lanecheck" export "$work/absent" --as numpy -o "$work/other"
[ -e "$work/other" ] && { echo "FAILED: a folder was made for nothing"; failed=1; }
exit $failed
