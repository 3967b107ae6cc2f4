#!/usr/bin/env bash
# lanecheck doctor. Usage: doctor_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
served="cmd: '$lanecheck' serve"

expect 0 "healthy" "$lanecheck" doctor "$served"
expect 0 "the backend keeps to the protocol" "$lanecheck" doctor --protocol "$served"

# The questions are programs of profile vmc.
printf 'echo "{\\"protocol\\":1,\\"name\\":\\"new\\",\\"profiles\\":[\\"tik\\"]}"\ncat > /dev/null\n' >"$work/new.sh"
expect 2 "new does not offer profile vmc, and all questions are programs of vmc" "$lanecheck" doctor "cmd: bash '$work/new.sh'"

expect 2 "takes a process as the backend" "$lanecheck" doctor --protocol example
expect 2 "backend is required" "$lanecheck" doctor
expect 2 "--in-process excludes --protocol" "$lanecheck" doctor --protocol --in-process "$served"
expect 2 "--in-process: only a plug-in" "$lanecheck" doctor --in-process "$served"
exit $failed
