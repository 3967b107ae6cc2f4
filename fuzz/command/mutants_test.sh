#!/usr/bin/env bash
# lanecheck mutants. Usage: mutants_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 0 "wrong:cadd-keeps-dst" "$lanecheck" mutants --list
glued=$(grep -vE '^wrong:[^ ]+  +[^ ]' "$work/output") && { echo "FAILED: no spaces behind the name: $glued"; failed=1; }

# All mutants of a profile are caught, and the witness of each conforms on the oracle.
expect 0 " mutants caught" "$lanecheck" mutants --profile tik --save "$work/witnesses"
expect 0 " 0 diverge" "$lanecheck" replay "$work/witnesses" --backend oracle

expect 2 "--profile excludes --list" "$lanecheck" mutants --list --profile tik
expect 2 "--seed excludes --list" "$lanecheck" mutants --list --seed 2
expect 2 "--save excludes --list" "$lanecheck" mutants --list --save "$work/witnesses"
expect 2 "no such profile" "$lanecheck" mutants --profile ascend
exit $failed
