#!/usr/bin/env bash
# lanecheck rules. Usage: rules_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

# The page of the catalogue lists each rule once; `rules` lists all of them except the legality rules that are not tried.
"$lanecheck" rules --markdown >"$work/page"
all=$(grep -c '^| `' "$work/page")
untried=$(sed -n '/^## Legality/,/^## Readings/p' "$work/page" | grep '^| `' | grep -vc '| yes |')
tried=$((all - untried))
expect 0 "VMC-3.1-cast-half-float" "$lanecheck" rules
expect 0 "$tried rules, 0 uncovered" "$lanecheck" rules --uncovered
grep -qF "a class of values of a parameter, 0 not reached (20000 cases for each profile)" "$work/output" ||
  { echo "FAILED: a class of values of a parameter is not reached"; failed=1; }
[ "$tried" -gt 0 ] && [ "$untried" -gt 0 ] || { echo "FAILED: the page was not understood"; failed=1; }

expect 2 "--uncovered excludes --markdown" "$lanecheck" rules --markdown --uncovered
expect 2 "--seed excludes --markdown" "$lanecheck" rules --markdown --seed 3
expect 2 "--seed: '-1' is not a whole number from 0 to 18446744073709551615" "$lanecheck" rules --seed -1
exit $failed
