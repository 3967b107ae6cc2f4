#!/usr/bin/env bash
# The wheel, as a user meets it: pip without a network, an empty virtual environment, a project outside the tree.
# Usage: wheel_test.sh BUILD_DIR SOURCE_DIR PYTHON
set -u
set -- "$1/lanecheck" "$2" "$3"
. "$2/fuzz/command/expect.sh"
unset LANECHECK PYTHONPATH PYTEST_ADDOPTS
"$python" "$source_dir/packages/wheel.py" "$source_dir" "$lanecheck" "$work" >"$work/wheel" 2>"$work/log" || { cat "$work/log"; exit 1; }
wheel=$(cat "$work/wheel")
mkdir "$work/again"
"$python" "$source_dir/packages/wheel.py" "$source_dir" "$lanecheck" "$work/again" >/dev/null 2>&1
cmp "$wheel" "$work/again/$(basename "$wheel")" || { echo "FAILED: two builds are not the same bytes"; failed=1; }

# An environment with Debian's pytest and without anything of lanecheck; pip takes the wheel and no index.
"$python" -m venv --system-site-packages "$work/venv" || exit 1
mkdir "$work/mine" && cd "$work/mine" || exit 1
export PATH=/usr/bin:/bin
expect 0 "Successfully installed lanecheck-" "$work/venv/bin/pip" --disable-pip-version-check install --no-index "$wheel"
expect 0 "lanecheck " "$work/venv/bin/lanecheck" --version
expect 0 "0 diverge" "$work/venv/bin/lanecheck" replay "$work/venv/share/lanecheck/corpus/VMC-3.2-cadd-zero"
expect 0 "VMC-3.2-cadd-zero/witness-cadd-keeps-dst.json" "$work/venv/bin/lanecheck" rules --json
cp "$source_dir/fuzz/backend/skeleton/pytest/my_sim.py" my_sim.py
[ "$(wc -l <my_sim.py)" -le 30 ] || { echo "FAILED: the project has $(wc -l <my_sim.py) lines"; failed=1; }
expect 0 "26 passed, 53 skipped" "$work/venv/bin/python" -m pytest -p no:cacheprovider --lanecheck my_sim:backend --lanecheck-cases 5000
sed -i 's/if machine.mask\[.*:  # a masked-off/if True:  # a masked-off/' my_sim.py
expect 1 "4 failed, 22 passed, 53 skipped" "$work/venv/bin/python" -m pytest -p no:cacheprovider --lanecheck my_sim:backend --lanecheck-cases 5000
expect 0 "Successfully uninstalled" "$work/venv/bin/pip" uninstall -y lanecheck
[ -z "$(find "$work/venv" ! -type d -path '*lanecheck*')" ] || { echo "FAILED: files are left behind"; failed=1; }
exit $failed
