# For tests of the command line: . expect.sh, after the arguments LANECHECK SOURCE_DIR [PYTHON] of the test.
# `failed` is 1 after the first expectation that was not met. $work is a folder for files of the test; every JSON
# report that is in it at the end of the test must be valid against its schema ($LANECHECK_VALID_REPORT checks that).
lanecheck=$1
source_dir=$2
python=${3:-python3}
failed=0
work=$(mktemp -d)
trap 'finish $?' EXIT

finish() {  # status with which the test ends
  local status=$1 report
  while IFS= read -r -d '' report; do
    if ! "${LANECHECK_VALID_REPORT:-$(dirname "$lanecheck")/reports/valid_report}" "$report"; then
      echo "FAILED: a report is not valid against its schema"
      status=1
    fi
  done < <(grep -rlZ --include='*.json' '"schema": "lanecheck-report-' "$work")
  rm -rf --one-file-system "$work"
  exit "$status"
}

wait_until() {  # command that fails until what the test waits for is there, at most five minutes
  local tries
  for tries in $(seq 3000); do
    "$@" && return
    sleep 0.1
  done
  echo "FAILED: waited in vain for: $*"
  failed=1
}

handles_signals() {  # pid: whether it has come as far as catching SIGTERM and SIGALRM, the last one that it asks for (before
                     # the exec it is a shell, which catches some, too)
  [ "$(readlink "/proc/$1/exe")" = "$(readlink -f "$lanecheck")" ] &&
    [ $((0x$(sed -n 's/^SigCgt:\t//p' "/proc/$1/status") & 0x6000)) = $((0x6000)) ]
}

expect() {  # exit code, text that must appear, command...
  local code=$1 text=$2
  shift 2
  local output status
  output=$("$@" 2>&1)
  status=$?
  printf "%s\n" "$output" >"$work/output"  # for a test that looks for more
  if [ "$status" -ne "$code" ] || ! grep -qF -- "$text" <<<"$output"; then
    echo "FAILED: $*"
    echo "  wanted exit $code and '$text', got exit $status and:"
    head -n 12 <<<"$output" | sed 's/^/  | /'
    failed=1
  fi
}

limited() {  # command...: with 20 seconds of a processor (5 minutes of any clock, on a busy machine, for one that only
             # waits) and at most 4 GB of addresses (ASan's programs take terabytes, and get no limit)
  (
    if (ulimit -v 4000000 && "$lanecheck" --version) >/dev/null 2>&1; then ulimit -v 4000000; fi
    ulimit -t 20
    exec timeout -k 1 300 "$@"
  )
}

expect_lines() {  # most lines, most bytes, command...: the output is no longer than that
  local most_lines=$1 most_bytes=$2
  shift 2
  "$@" >"$work/output" 2>&1
  local lines bytes
  lines=$(wc -l <"$work/output")
  bytes=$(wc -c <"$work/output")
  if [ "$lines" -gt "$most_lines" ] || [ "$bytes" -gt "$most_bytes" ]; then
    echo "FAILED: $*"
    echo "  wanted at most $most_lines lines and $most_bytes bytes, got $lines and $bytes"
    failed=1
  fi
}
