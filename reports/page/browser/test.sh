#!/usr/bin/env bash
# Looks at the page of `lanecheck report` in headless Chromium. Usage: test.sh LANECHECK [FOLDER_FOR_SCREENSHOTS]
# Installs what it needs (Debian's chromium; playwright-core and axe-core by npm). If that fails, it prints why and
# exits with 0.
set -euo pipefail
lanecheck=$(realpath "$1")
shots=${2:-}
cd "$(dirname "$0")"
root=$(realpath ../../..)

skip() {
  echo "skipped: $*"
  exit 0
}

. "$root/.ci/install_packages.sh"

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
[ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}" || skip "these packages cannot be installed: ${missing[*]}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp package.json package-lock.json ./*.mjs "$work"
(cd "$work" && npm ci --silent --no-audit --no-fund --ignore-scripts >npm.log 2>&1) ||
  skip "npm cannot install playwright-core and axe-core: $(tail -n 1 "$work/npm.log")"

"$lanecheck" run --quiet --backend wrong:mask-advances --cases 1000 --json "$work/report.json" >/dev/null || true
"$lanecheck" run --quiet --cases 300 --json "$work/good.json" >/dev/null
node "$work/make_reports.mjs" "$work/report.json" "$work/few.json" 12
node "$work/make_reports.mjs" "$work/report.json" "$work/many.json" 10000
for page in report good few many; do "$lanecheck" report "$work/$page.json" --html "$work/$page.html"; done
[ -z "$shots" ] || mkdir -p "$shots"
node "$work/page_test.mjs" "$work" "$shots"
