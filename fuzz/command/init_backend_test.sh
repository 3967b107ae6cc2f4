#!/usr/bin/env bash
# lanecheck init-backend; story_test.sh builds and runs what it writes. Usage: init_backend_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 0 "wrote $work/mine/my_simulator.py" "$lanecheck" init-backend python "$work/mine"
expect 2 "already exists; nothing was written" "$lanecheck" init-backend python "$work/mine"
expect 0 "cmake -S $work/plug" "$lanecheck" init-backend cpp "$work/plug"
expect 2 "there are: python, pytest, easyasc, cpp, gtest" "$lanecheck" init-backend cobol "$work/elsewhere"
expect 0 "$work/tests/build/my_tests" "$lanecheck" init-backend gtest "$work/tests"
expect 0 "cd $work/asc && pytest" "$lanecheck" init-backend easyasc "$work/asc"
expect 2 "cannot be made a folder" "$lanecheck" init-backend cpp /dev/null/mine
expect 2 "folder is required" "$lanecheck" init-backend cpp

# The commands that it prints can be copied, whatever the name of the folder is.
for name in "two words" "it's" 'back\slash' '$HOME'; do
  expect 0 "next:" "$lanecheck" init-backend python "$work/$name"
  doctor=$(sed -n "s|^  lanecheck doctor|'$lanecheck' doctor|p" "$work/output")
  expect 0 "doctor: my simulator" sh -c "$doctor"
done
exit $failed
