#!/usr/bin/env bash
# Every command that reads a file, on a device that never ends, a pipe that nobody writes to, a folder, a file of
# 10 GB and a loop of symbolic links: exit code 2 and the name of the file, soon and in little memory.
# Usage: hostile_files_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

mkfifo "$work/fifo"
mkdir "$work/folder"
truncate -s 10G "$work/sparse"
ln -s loop "$work/loop"
"$lanecheck" run --quiet --cases 100 --folder "$work/run" --json "$work/report.json" >"$work/out" || failed=1

exec </dev/null
for file in /dev/zero "$work/fifo" "$work/folder" "$work/sparse" "$work/loop"; do
  expect 2 "$file: " limited "$lanecheck" explain "$file"
  expect 2 "$file: " limited "$lanecheck" compare "$work/report.json" "$file"
  expect 2 "$file: " limited "$lanecheck" report "$file" --html "$work/page.html"
  expect 2 "$file: " limited "$lanecheck" baseline show "$file"
  expect 2 "$file: " limited "$lanecheck" baseline check "$file" "$work/report.json"
  expect 2 "$file: " limited "$lanecheck" run --cases 10 --quiet --baseline "$file"
  expect 2 "$file: " limited "$lanecheck" history show "$file"
  expect 2 "$file: " limited "$lanecheck" history add "$work/history.sqlite" "$file"
  [ "$file" = "$work/loop" ] || expect 2 "$file: " limited "$lanecheck" plan show "$file"
  expect 2 "$file" limited "$lanecheck" replay "$file"
  expect 2 "$file" limited "$lanecheck" judge "$file"
  for name in run.json checkpoint.json status.json; do  # a file of a run
    rm -rf "$work/bad"
    cp -r "$work/run" "$work/bad"
    ln -sf "$file" "$work/bad/$name"
    [ "$file" != "$work/folder" ] || ln -sfT "$file" "$work/bad/$name"
    [ $name = checkpoint.json ] || expect 2 "$work/bad/$name: " limited "$lanecheck" status "$work/bad"
    [ $name = status.json ] || expect 2 "$work/bad/$name: " limited "$lanecheck" run --quiet --resume "$work/bad"
    [ $name = status.json ] || expect 2 "$work/bad/$name: " limited "$lanecheck" merge "$work/bad"
  done
done
[ -e "$work/page.html" ] && echo "FAILED: a page of no report was written" && failed=1

# A line that never ends does not end the reading of a recording before its time, nor does it fill the memory.
expect 2 "/dev/zero:1: does not end after 256 MiB" limited "$lanecheck" judge /dev/zero
exit $failed
