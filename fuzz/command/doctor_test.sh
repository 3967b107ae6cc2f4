#!/usr/bin/env bash
# lanecheck doctor. Usage: doctor_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
served="cmd: '$lanecheck' serve"

expect 0 "healthy" "$lanecheck" doctor "$served"
expect 0 "the backend keeps to the protocol" "$lanecheck" doctor --protocol "$served"

# Each profile has its questions.
expect 0 "profile tik" "$lanecheck" doctor "cmd: '$python' '$source_dir/fuzz/doctor/wrong_adapter.py' none tik"
expect 1 "[own-mask-ignored, seen in own_mask]" "$lanecheck" doctor "cmd: '$python' '$source_dir/fuzz/doctor/wrong_adapter.py' own-mask-ignored tik"

# What the doctor finds ends in 1, in a run that is not started, too.
wrong="cmd: '$python' '$source_dir/fuzz/doctor/wrong_adapter.py'"
expect 1 "set_mask (SetVectorMask) has no effect" "$lanecheck" doctor "$wrong set_mask-ignored"
expect 1 "checks fail for the same reason, shown above. Use --no-doctor" "$lanecheck" run --quiet --cases 10 --backend "$wrong memory-not-copied-out"
expect 1 "the doctor found 1 difference that no known mistake explains, before the run" \
  "$lanecheck" run --quiet --cases 10 --backend "$wrong lanes-off-are-0"

expect 2 "takes a process as the backend" "$lanecheck" doctor --protocol example
expect 2 "backend is required" "$lanecheck" doctor
expect 2 "--in-process excludes --protocol" "$lanecheck" doctor --protocol --in-process "$served"
expect 2 "--in-process: only a plug-in" "$lanecheck" doctor --in-process "$served"
exit $failed
