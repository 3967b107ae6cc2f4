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

# Seed 2: the smallest program of the finding writes a lane that is off.
"$lanecheck" run --quiet --backend wrong:mask-advances --cases 1000 --seed 2 --json "$work/report.json" >/dev/null || true
"$lanecheck" run --quiet --cases 300 --json "$work/good.json" >/dev/null
node "$work/make_reports.mjs" "$work/report.json" "$work/few.json" 12
node "$work/make_reports.mjs" "$work/report.json" "$work/many.json" 10000
for page in report good few many; do "$lanecheck" report "$work/$page.json" --html "$work/$page.html"; done
# The page of a plan, and that of one of its runs: with a mask certificate and a history of two runs.
echo '{"schema":"lanecheck-plan-1","name":"night","about":"Two runs.","runs":[
  {"name":"masks","cases":1000,"certificate":3},{"name":"illegal","cases":100,"illegal":true}]}' >"$work/plan.json"
"$lanecheck" history add "$work/history" "$work/report.json" --date 2026-01-01 >/dev/null
"$lanecheck" run --quiet --plan "$work/plan.json" --backend wrong:mask-advances --folder "$work/night" \
  --history "$work/history" >/dev/null || true
cp "$work/night/index.html" "$work/index.html"
cp "$work/night/masks/report.html" "$work/masks.html"
[ -z "$shots" ] || mkdir -p "$shots"
node "$work/page_test.mjs" "$work" "$shots"
