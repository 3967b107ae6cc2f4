#!/usr/bin/env bash
# The three ways in, typed from the README's words alone: in an empty folder and a virtual environment that has only the
# wheel (and Debian's pytest). Then the simulator is broken on purpose, and each way must name the mistake. Prints how
# long each line took, and how many lines the user's simulator has.
# Usage: ways_in_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
unset LANECHECK PYTHONPATH PYTEST_ADDOPTS
"$python" "$source_dir/packages/wheel.py" "$source_dir" "$lanecheck" "$work" >"$work/wheel" 2>"$work/log" || { cat "$work/log"; exit 1; }
"$python" -m venv --system-site-packages "$work/venv" || exit 1
"$work/venv/bin/pip" --disable-pip-version-check -q install --no-index "$(cat "$work/wheel")" || exit 1
export PATH=$work/venv/bin:/usr/bin:/bin
mkdir "$work/empty" && cd "$work/empty" || exit 1

sed -n '/the first way in/,/^```$/p' "$source_dir/README.md" | sed 's/  *#.*//; /^```$/d' >"$work/lines"
[ "$(wc -l <"$work/lines")" = 7 ] || { echo "FAILED: the README has $(wc -l <"$work/lines") lines for the three ways, not 7"; failed=1; }

type_lines() {  # exit code of the lines that judge, text that each of them prints
  local line code text before spent all=0
  while IFS= read -r line; do
    code=0 text=
    case $line in
      *init-backend*) [ "$1" = 0 ] || continue; text=wrote ;;
      *doctor*) code=$1 text=$([ "$1" = 0 ] && echo healthy || echo WRONG) ;;
      *gen*) ;;
      *) code=$1 text=$2 ;;
    esac
    before=${EPOCHREALTIME/./}
    expect "$code" "" bash -c "$line"
    [ -z "$text" ] || grep -qE -- "$text" "$work/output" || { echo "FAILED: $line does not print $text"; head "$work/output"; failed=1; }
    spent=$((${EPOCHREALTIME/./} - before)) all=$((all + ${EPOCHREALTIME/./} - before))
    printf '%7d.%d s  %s\n' $((spent / 1000000)) $((spent / 100000 % 10)) "$line"
  done <"$work/lines"
  printf '%7d.%d s  in all: %d.%d minutes\n' $((all / 1000000)) $((all / 100000 % 10)) $((all / 60000000)) $((all / 6000000 % 10))
}

echo "as written: mine/my_simulator.py has $(wc -l <"$source_dir/fuzz/backend/skeleton/python/my_simulator.py") lines"
type_lines 0 'conforms|, 0 diverge|26 passed, 53 skipped'
echo "tested/my_sim.py has $(wc -l <tested/my_sim.py) lines; broken on purpose: both ignore the mask"
sed -i 's/if machine.mask\[.*:  # a masked-off/if True:  # a masked-off/' mine/my_simulator.py tested/my_sim.py
grep -q "if True:" mine/my_simulator.py && grep -q "if True:" tested/my_sim.py || { echo "FAILED: nothing was broken"; failed=1; }
type_lines 1 '\[add-ignores-mask\]|FAILED .*VMC-3.1-keeps-masked-off'
exit $failed
