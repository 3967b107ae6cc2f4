#!/usr/bin/env bash
# The command line as a whole. Usage: main_test.sh LANECHECK SOURCE_DIR
set -u
. "$(dirname "$0")/expect.sh"

expect 2 "A subcommand is required" "$lanecheck"
expect 2 "The following argument was not expected" "$lanecheck" run --nonsense
expect 0 "lanecheck " "$lanecheck" --version

# It names the nearest of what exists.
expect 2 "Did you mean run?" "$lanecheck" rnu
expect 2 "Did you mean --backend?" "$lanecheck" run --bakcend example
expect 2 "did you mean example?" "$lanecheck" run --backend exmaple
expect 2 "did you mean wrong:cadd-keeps-dst?" "$lanecheck" run --backend wrong:cad-keeps-dst
expect 2 "did you mean ascendc-a2?" "$lanecheck" run --profile ascend-a2
expect 2 "did you mean empty_pair=keeps_dst?" "$lanecheck" run --reading empty_pair=keep_dst
expect 2 "did you mean pytest?" "$lanecheck" init-backend pytst "$work/started"
expect 2 "did you mean numpy?" "$lanecheck" export exam.jsonl --as numpi -o "$work/exported"
expect 2 "did you mean add?" "$lanecheck" gen --questions --only addd
expect 2 "did you mean sub?" "$lanecheck" distill --only subb
expect 2 "did you mean oracle?" "$lanecheck" serve --backend oracel
"$lanecheck" run $'--\033[31m' 2>&1 | grep -q $'\033' && { echo "FAILED: escapes in an option reach the terminal"; failed=1; }

# An empty value is refused, and the message names the option: a variable of the shell that is not set loses no report.
empty="the value is empty; is a variable of the shell not set?"
for option in --json --save --baseline --history --folder --backend --profile --reading; do
  expect 2 "$option: $empty" "$lanecheck" run --quiet --cases 10 $option ''
done
for option in --html --junit --markdown --bundle; do
  expect 2 "$option: $empty" "$lanecheck" report absent.json $option ''
done
expect 2 "path: $empty" "$lanecheck" replay ''
expect 2 "reports: $empty" "$lanecheck" compare absent.json ''
cp "$source_dir/corpus/VMC-3.2-cadd-empty/"*.json "$work"
for case in "$work/"*.json; do
  expect 2 "--json: $empty" "$lanecheck" replay --json= "$case"  # the case is not what the report is written to
  cmp -s "$case" "$source_dir/corpus/VMC-3.2-cadd-empty/${case##*/}" || { echo "FAILED: replay --json= overwrites a case"; failed=1; }
done

# Every command has help with an example and a test of its own.
commands=$("$lanecheck" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p')
[ -n "$commands" ] || { echo "FAILED: no commands in the help"; failed=1; }
for command in $commands; do
  expect 0 "  lanecheck " "$lanecheck" "$command" --help
  [ -x "$source_dir/fuzz/command/${command//-/_}_test.sh" ] || { echo "FAILED: no test of $command"; failed=1; }
done

# What cannot be written is a failure of every command; a reader that has read enough is not.
for what in "--help" "--version" "rules --markdown" "readings" "offers" "gen --cases 2" "mutants --list" \
  "run --quiet --cases 10" "replay --index 3" "explain --index 3" "doctor example"; do
  expect 3 "standard output could not be written: No space left on device" bash -c "'$lanecheck' $what >/dev/full"
done
expect 3 "standard output could not be written: Bad file descriptor" bash -c "'$lanecheck' offers >&-"
said=$(timeout 300 "$lanecheck" run --verbose --cases 2000000000 2>&1 --quiet --backend wrong:dup-ignores-mask | head -n 1)
[[ $said == VMC-* ]] || { echo "FAILED: output to a closed pipe: '$said'"; failed=1; }
said=$("$lanecheck" rules --markdown 2>&1 | head -n 1)
[[ $said == "# "* ]] || { echo "FAILED: output to a closed pipe: '$said'"; failed=1; }

# One signal ends every command that takes long, with a line that says so; SIGTERM twice at once is one signal.
printf 'read -r hello\necho "$hello" | "%s" serve\nsleep 600\n' "$lanecheck" >"$work/hung.sh"  # says hello, then hangs
printf '"%s" "%s" 0.25 | "%s" serve --hex-only\n' "$python" "$source_dir/fuzz/backend/misbehaving/slow_lines.py" \
  "$lanecheck" >"$work/slow.sh"  # takes a quarter of a second for each request
for what in "replay $source_dir/corpus" "readings --backend example" "mutants" "documents" "rules --exercised" \
  "doctor --deadline 60" "doctor --protocol --deadline 60" "explain --index 3 --deadline 60 --backend" \
  "identify --deadline 60" "certify --deadline 60 --backend" "run --no-doctor --deadline 1 --backend"; do
  for signal in TERM HUP; do
    case $what in  # these ask a backend that does not answer, or a slow one
      identify*) "$lanecheck" $what "cmd: sh $work/hung.sh" add >"$work/out" 2>&1 & ;;
      run*) "$lanecheck" $what "cmd: bash $work/slow.sh" >"$work/out" 2>&1 & ;;
      *deadline*) "$lanecheck" $what "cmd: sh $work/hung.sh" >"$work/out" 2>&1 & ;;
      *) "$lanecheck" $what >"$work/out" 2>&1 & ;;
    esac
    pid=$!
    wait_until handles_signals $pid
    sleep 0.1
    kill -"$signal" "$pid" "$pid"
    from=$(date +%s%N)
    wait "$pid"
    status=$?
    took=$((($(date +%s%N) - from) / 1000000))
    if [ "$status" -ne 3 ] || ! grep -qi "interrupted" "$work/out" || [ "$took" -gt 30000 ]; then
      echo "FAILED: SIG$signal at '$what': exit $status after $took ms"
      failed=1
    fi
  done
done

# A second signal after more than a second ends even what cannot be stopped, and leaves no draft of the report.
hangs=$(echo "$(dirname "$lanecheck")"/fuzz/backend/libbad_plugin.*)
mkdir "$work/cut_short"
BAD_PLUGIN=hangs_always "$lanecheck" run --quiet --in-process --backend "plugin:$hangs" --json "$work/cut_short/report.json" \
  >"$work/out" 2>&1 &
pid=$!
has_draft() { [ "$(ls -A "$work/cut_short" | wc -l)" -eq 1 ]; }
wait_until has_draft
sleep 0.5
kill -TERM "$pid"
sleep 1.2
has_draft || { echo "FAILED: it does not hang with a draft"; failed=1; }
kill -TERM "$pid"
wait "$pid"
status=$?
if [ "$status" -ne 3 ] || [ -n "$(ls -A "$work/cut_short")" ]; then
  echo "FAILED: a second signal: exit $status, left: $(ls -A "$work/cut_short")"
  failed=1
fi

# A closed standard input is nothing to an attached backend.
expect 0 "conforms" bash -c "exec <&-; '$lanecheck' run --quiet --cases 50 --backend \"cmd: '$lanecheck' serve\""
exit $failed
