#!/bin/bash
# The generated pages are what lanecheck prints now: pages_test.sh LANECHECK SOURCE_DIR PAGE COMMAND...
set -o pipefail
lanecheck=$1 source_dir=$2 page=$3
shift 3
if ! "$lanecheck" "$@" | cmp - "$source_dir/$page"; then
  echo "$page is stale; write it anew with: lanecheck $* > $page"
  exit 1
fi
