#!/usr/bin/env bash
# The backends of fuzz/backend/other_languages.md, as they stand there. Usage: other_languages_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

code_of() {  # language: its code on the page
  sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$source_dir/fuzz/backend/other_languages.md" | grep -v '^```'
}

try() {  # lines that build and start the backend, its file, how to break it on purpose
  expect 0 "healthy" bash -c "$1; \"$lanecheck\" doctor \"cmd: \$start\""
  expect 0 "conforms, as far as it offers" bash -c "$1; \"$lanecheck\" run --quiet --cases 3000 --backend \"cmd: \$start\""
  sed -i "$3" "$2"
  expect 1 "[add-ignores-mask]" bash -c "$1; \"$lanecheck\" run --quiet --cases 3000 --backend \"cmd: \$start\""
}

tried=0
if command -v node >/dev/null; then
  code_of js >"$work/sim.js"
  try "start='node $work/sim.js'" "$work/sim.js" 's/if (mask\[0\] >> BigInt(lane) & 1n)/if (true)/'
  tried=$((tried + 1))
fi
if command -v go >/dev/null; then
  code_of go >"$work/sim.go"
  export GOCACHE=$work/cache GOPATH=$work/go GO111MODULE=off
  try "go build -o '$work/sim' '$work/sim.go'; start='$work/sim'" "$work/sim.go" 's/== 0 {/== 2 {/'
  tried=$((tried + 1))
fi
[ "$tried" -gt 0 ] || { echo "skipped: neither Node nor Go is installed"; exit 77; }
exit $failed
