#!/usr/bin/env bash
# lanecheck serve; run_test.sh runs on it. Usage: serve_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 2 "lanecheck serve: not a JSON message: 'nonsense'" bash -c "echo nonsense | '$lanecheck' serve"
expect 2 "no backend 'nonsense'" "$lanecheck" serve --backend nonsense
expect 0 "conforms" "$lanecheck" run --quiet --cases 50 --backend "cmd: '$lanecheck' serve --hex-only"
exit $failed
