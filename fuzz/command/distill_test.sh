#!/usr/bin/env bash
# lanecheck distill. Usage: distill_test.sh LANECHECK SOURCE_DIR
set -u
. "$(dirname "$0")/expect.sh"

# The same seed gives the same exam, and the table says what is not told apart.
expect 0 "24 of 26 mutants" "$lanecheck" distill --profile tik -o "$work/exam.jsonl"
for text in "count-as-length .*leave it open: tik_counter=as_normal" "12 of 18 rules of legality" " in 1 launch,"; do
  grep -q -- "$text" "$work/output" || { echo "FAILED: the table lacks $text"; failed=1; }
done
"$lanecheck" distill --profile tik -o "$work/again.jsonl" >/dev/null
cmp "$work/exam.jsonl" "$work/again.jsonl" || { echo "FAILED: the same seed gives another exam"; failed=1; }

# An exam is a file of questions, too.
expect 0 "0 diverge" bash -c "'$lanecheck' serve --recorded <'$work/exam.jsonl' | '$lanecheck' judge -"
expect 1 "diverge" bash -c "'$lanecheck' serve --recorded --backend wrong:adds-ignores-mask <'$work/exam.jsonl' | '$lanecheck' judge -"

# Rules of legality: the last programs must be refused. A right backend refuses them; one that does not know a rule is
# named by that rule; a machine that refuses nothing is not judged by them.
answers() { "$lanecheck" serve --recorded --backend "$1" <"$work/exam.jsonl" >"$work/answers.jsonl"; }
answers example
expect 0 "rules of legality judged" "$lanecheck" judge "$work/answers.jsonl"
grep -q "skipped" "$work/output" && { echo "FAILED: a program was skipped"; failed=1; }
for rule in TIK-range-repeat TIK-overlap-repeats LAW-alignment; do
  answers "wrong:accepts-$rule"
  expect 1 "accepts-illegal-$rule" "$lanecheck" judge "$work/answers.jsonl"
done
sed -n '/"alone":true/!p' "$work/exam.jsonl" >"$work/legal.jsonl"
[ -s "$work/legal.jsonl" ] || { echo "FAILED: there is no legal program"; failed=1; }
expect 0 "rules of legality are not asked for" "$lanecheck" distill --profile tik --legal -o "$work/legal_only.jsonl"
grep -q '"alone":true' "$work/legal_only.jsonl" && { echo "FAILED: --legal leaves a program that must be refused"; failed=1; }
expect 0 "that a machine must or may refuse, since source cannot say that it did" "$lanecheck" export "$work/exam.jsonl" --as numpy -o "$work/numpy"
grep '"alone":true' "$work/exam.jsonl" | awk '{sub(/"id":[0-9]+/, "\"id\":" NR - 1); sub(/"launch":[0-9]+/, "\"launch\":" NR - 1); print}' >"$work/alone.jsonl"
expect 2 "holds only programs that a machine may refuse" "$lanecheck" export "$work/alone.jsonl" --as numpy -o "$work/none"

# Fewer programs, and only some instructions.
expect 0 "2 programs in" "$lanecheck" distill --profile tik --programs 2 --instructions 1
grep -q -- "--programs is too small" "$work/output" || { echo "FAILED: the table does not say what found no room"; failed=1; }
expect 0 "2 programs in" "$lanecheck" distill --profile tik --programs 2 --twice
grep -q "only one program" "$work/output" && { echo "FAILED: the table gives a false reason"; failed=1; }
expect 0 "no generated case of the instructions of --only tells it apart" "$lanecheck" distill --profile tik --only dup --instructions 2 -o "$work/dup.jsonl"
grep -q '"op":"dup' "$work/dup.jsonl" || { echo "FAILED: there is no dup"; failed=1; }
grep -qE '"op":"(adds|muls|axpy)' "$work/dup.jsonl" && { echo "FAILED: there is more than dup"; failed=1; }
expect 2 "no such instruction in this profile: fly" "$lanecheck" distill --profile tik --only dup,fly
expect 2 "no such instruction in this profile: set_mask" "$lanecheck" distill --profile tik --only set_mask
expect 2 "--instructions" "$lanecheck" distill --instructions 17

# A file that cannot be written is refused before the search; a pipe and a device are written straight through.
expect 2 "$work/absent/exam.jsonl: cannot be written" "$lanecheck" distill --programs 2 -o "$work/absent/exam.jsonl"
grep -q "programs in" "$work/output" && { echo "FAILED: the search came before the check of the file"; failed=1; }
mkfifo "$work/fifo"
cat "$work/fifo" >"$work/piped.jsonl" &
expect 0 "2 programs in" "$lanecheck" distill --profile tik --programs 2 -o "$work/fifo"
wait
grep -q '"op":' "$work/piped.jsonl" || { echo "FAILED: nothing came through the pipe"; failed=1; }

# Ctrl-C in the search leaves no draft of the file.
timeout -s INT 0.5 "$lanecheck" distill -o "$work/stopped.jsonl"
[ -z "$(find "$work" -name '*stopped*')" ] || { echo "FAILED: an interrupted search leaves a file"; failed=1; }
exit $failed
