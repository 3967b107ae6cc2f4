#!/bin/bash
# The finding that README shows is what lanecheck prints: readme_test.sh LANECHECK SOURCE_DIR.
lanecheck=$1 source_dir=$2
shown=$(sed -n '/^```text$/,/^```$/p;/^```$/q' "$source_dir/README.md" | sed '1d;$d')
printed=$("$lanecheck" run --backend wrong:cadd-keeps-dst --cases 1000 --quiet 2>/dev/null | sed '/^$/q' | sed '$d')
if [ -z "$printed" ] || [ "$shown" != "$printed" ]; then
  echo "README.md shows another finding than \`lanecheck run --backend wrong:cadd-keeps-dst\` prints:"
  diff <(echo "$shown") <(echo "$printed")
  exit 1
fi
