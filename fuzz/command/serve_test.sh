#!/usr/bin/env bash
# lanecheck serve; run_test.sh runs on it. Usage: serve_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 2 "lanecheck serve: not a JSON message: 'nonsense'" bash -c "echo nonsense | '$lanecheck' serve"
expect 2 "no backend 'nonsense'" "$lanecheck" serve --backend nonsense
expect 0 "conforms" "$lanecheck" run --quiet --cases 50 --backend "cmd: '$lanecheck' serve --hex-only"
# A line that never ends is not read to its end.
for options in "" --recorded; do
  expect 2 "longer than 16 MiB" limited "$lanecheck" serve $options </dev/zero
done
exit $failed
