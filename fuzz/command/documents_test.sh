#!/usr/bin/env bash
# lanecheck documents; pages_test.sh compares the page itself. Usage: documents_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 0 "smallest program on which readings differ" "$lanecheck" documents --help

# The page has a section for every reading, and one for what no program shows.
"$lanecheck" rules --markdown | sed -n '/^## Readings/,$s/^### //p' | while read -r reading; do
  grep -qF "$reading," "$source_dir/spec/documents.md" || echo "$reading"
done >"$work/missing"
[ -s "$work/missing" ] && { echo "FAILED: spec/documents.md lacks: $(cat "$work/missing")"; failed=1; }
sed -n '/^`zero_mask`/,/^Raised by/p' "$source_dir/spec/documents.md" | grep -q "^Raised by a page or library outside" ||
  { echo "FAILED: SVM and VP forbid an empty mask; only the library raises the question"; failed=1; }
grep -q "^## What no program shows" "$source_dir/spec/documents.md" || { echo "FAILED: no misprints"; failed=1; }
exit $failed
