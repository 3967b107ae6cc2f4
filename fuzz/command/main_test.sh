#!/usr/bin/env bash
# The command line as a whole. Usage: main_test.sh LANECHECK SOURCE_DIR
set -u
. "$(dirname "$0")/expect.sh"

expect 2 "A subcommand is required" "$lanecheck"
expect 2 "The following argument was not expected" "$lanecheck" run --nonsense
expect 0 "lanecheck " "$lanecheck" --version

# Every command has help with an example and a test of its own.
commands=$("$lanecheck" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p')
[ -n "$commands" ] || { echo "FAILED: no commands in the help"; failed=1; }
for command in $commands; do
  expect 0 "  lanecheck " "$lanecheck" "$command" --help
  [ -x "$source_dir/fuzz/command/${command//-/_}_test.sh" ] || { echo "FAILED: no test of $command"; failed=1; }
done
exit $failed
