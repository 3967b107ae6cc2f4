# For tests of the command line. `failed` is 1 after the first expectation that was not met.
failed=0

expect() {  # exit code, text that must appear, command...
  local code=$1 text=$2
  shift 2
  local output status
  output=$("$@" 2>&1)
  status=$?
  if [ "$status" -ne "$code" ] || ! grep -qF -- "$text" <<<"$output"; then
    echo "FAILED: $*"
    echo "  wanted exit $code and '$text', got exit $status and:"
    head -n 12 <<<"$output" | sed 's/^/  | /'
    failed=1
  fi
}
