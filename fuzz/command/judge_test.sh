#!/usr/bin/env bash
# lanecheck judge, with gen --questions, gen --folder and serve --recorded. Usage: judge_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"
simulator=$source_dir/fuzz/backend/python/example_simulator.py

# The round trip: the example is clean in every profile, and a mutant is named, with the place and the id of its record.
for profile in vmc ascendc-a2 ascendc-310p tik; do
  expect 0 "100 records, 0 diverge" bash -c "'$lanecheck' gen --questions --cases 100 --profile $profile |
    '$lanecheck' serve --recorded | '$lanecheck' judge -"
done
"$lanecheck" gen --questions --cases 100 --first 20 >"$work/questions.jsonl"
"$lanecheck" serve --recorded --backend wrong:cadd-keeps-dst <"$work/questions.jsonl" >"$work/wrong.jsonl"
expect 1 "VMC-3.2-cadd-zero" "$lanecheck" judge "$work/wrong.jsonl" --json "$work/report.json"
"$python" - "$work" <<'END' || { echo "FAILED: the finding does not say which record shows it"; failed=1; }
import json, sys
work = sys.argv[1]
finding, = json.load(open(f"{work}/report.json"))["findings"]
place, record = finding["first_file"].split(", id ")
line = int(place.rsplit(":", 1)[1])
answers = [json.loads(each) for each in open(f"{work}/wrong.jsonl")]
assert place == f"{work}/wrong.jsonl:{line}" and finding["id"] == "cadd-keeps-dst", finding["first_file"]
assert int(record) == finding["first_case"] == answers[line - 1]["id"] == 20 + line - 1
END

# A Python simulator answers the same questions with the client that attaches it.
"$python" "$simulator" <"$work/questions.jsonl" >"$work/answers.jsonl"
expect 0 "100 records, 0 diverge" "$lanecheck" judge "$work/answers.jsonl"
expect 3 "skipped" bash -c "'$lanecheck' gen --questions --cases 5 --profile tik | '$python' '$simulator' | '$lanecheck' judge -"

# Whatever is wrong with a line is said by name and line, and the other 99 records are judged.
spoil() {  # name of the file, line, Python statement that changes the record `r` or the text `line`
  "$python" - "$work/answers.jsonl" "$work/$1" "$2" "$3" <<'END'
import json, sys
lines = open(sys.argv[1]).read().splitlines(keepends=True)
at = int(sys.argv[3]) - 1
r, line = json.loads(lines[at]), None
exec(sys.argv[4])
lines[at] = json.dumps(r) + "\n" if line is None else line
open(sys.argv[2], "w").writelines(lines)
END
}
spoiled() {  # line, Python statement, text that must appear
  spoil spoiled.jsonl "$1" "$2"
  expect 2 "spoiled.jsonl:$1$3" "$lanecheck" judge "$work/spoiled.jsonl"
  expect 2 "99 records, 0 diverge, 1 fault " "$lanecheck" judge "$work/spoiled.jsonl"
}
spoiled 7 'r["schema"] = "lanecheck-record-2"' ': this lanecheck reads "lanecheck-record-1", the record says "lanecheck-record-2"'
spoiled 7 'r = {"hello": 1}' ': not a record: "schema" is missing'
spoiled 7 'line = "nothing\n"' ": not a JSON message"
grep -q "standard output" "$work/output" && { echo "FAILED: a file is told what standard output is for"; failed=1; }
spoiled 7 'line = "[" * 40 + "\n"' ": nested more than 16 levels deep"
spoiled 7 'line = "x" * (17 << 20) + "\n"' ": longer than 16 MiB"
spoiled 7 'r["ub"] = "a5" * r["ub_bytes"]' ": this is another program than the question, or its initial UB has changed"
spoiled 7 'r["instructions"].pop()' ": this is another program than the question"
spoiled 7 'r["instructions"][0]["op"] = "fly"' "/instructions/0/op: no such instruction: fly"
spoiled 7 'del r["ran"]' ": an answer has not exactly one of ran, refused, skipped, errored"
spoiled 7 'r["ran"]["ub"] = r["ran"]["ub"][2:]' ': "ub" has'
spoiled 7 'del r["ran"]["mask"]' ': "ran" lacks "mask", which the records before it have'
spoiled 7 'r["id"] = 3' ": id 3 comes after id 25"
spoiled 7 'r["id"] = 22' ": id 22 was answered before"
spoiled 7 'r["profile"] = "tik"; del r["digest"]' ": a program of profile tik in a recording that is judged by vmc"

# A file that ends too early: in the middle of a record, or between two.
head -c -50 "$work/answers.jsonl" >"$work/middle.jsonl"
expect 2 "middle.jsonl:100: ends in the middle of a record" "$lanecheck" judge "$work/middle.jsonl"
head -n 40 "$work/answers.jsonl" >"$work/short.jsonl"
expect 2 "short.jsonl: ends after 40 of 100 records" "$lanecheck" judge "$work/short.jsonl"
expect 2 "40 records, 0 diverge, 1 fault" "$lanecheck" judge "$work/short.jsonl"
expect 2 "99 records, 0 diverge" bash -c "sed 5d '$work/answers.jsonl' | '$lanecheck' judge -"
# Of many bad lines the first 20 are named. A divergence weighs more than a bad line.
expect_lines 26 4000 bash -c "'$lanecheck' gen --cases 60 | '$lanecheck' judge -"
expect 2 "a case file, which \`lanecheck replay\` reads" bash -c "'$lanecheck' gen | '$lanecheck' judge -"
expect 1 "1 fault in the recording" bash -c "(cat '$work/wrong.jsonl'; echo x) | '$lanecheck' judge -"

# Refusals, failures and skips are results, too.
spoil outcomes.jsonl 7 'del r["ran"]; r["errored"] = "core dumped"'
expect 3 "backend failure" "$lanecheck" judge "$work/outcomes.jsonl"
spoil outcomes.jsonl 7 'del r["ran"]; r["refused"] = "no such stride"'
expect 1 "refuses a legal program: no such stride" "$lanecheck" judge "$work/outcomes.jsonl"
spoil outcomes.jsonl 7 'del r["ran"]; r["skipped"] = "no cast"'
expect 0 "100 records, 0 diverge, 1 skipped" "$lanecheck" judge "$work/outcomes.jsonl"

# A machine that leaves files: output.bin has the final UBs, here those of the oracle.
expect 0 "" "$lanecheck" gen --folder "$work/launch" --cases 100 --first 20
expect 2 "output.bin: cannot be read" "$lanecheck" judge "$work/launch"
launch() {  # file of records whose final UBs go into output.bin
  "$python" -c 'import json, sys
for line in sys.stdin: sys.stdout.buffer.write(bytes.fromhex(json.loads(line)["ran"]["ub"]))' <"$1" >"$work/launch/output.bin"
}
launch "$work/answers.jsonl"
expect 0 "100 records, 0 diverge" "$lanecheck" judge "$work/launch"
launch "$work/wrong.jsonl"
expect 1 "VMC-3.2-cadd-zero" "$lanecheck" judge "$work/launch"
launch "$work/short.jsonl"
expect 2 "/programs/40: output.bin ends before the UB of this program" "$lanecheck" judge "$work/launch"
expect 2 "40 records, 0 diverge" "$lanecheck" judge "$work/launch"
cp "$work/launch/input.bin" "$work/launch/output.bin"
expect 1 "output.bin: has the same bytes as input.bin (did the programs run?)" "$lanecheck" judge "$work/launch"
cat "$work/launch/input.bin" "$work/launch/input.bin" >"$work/launch/output.bin"
expect 1 "does it belong to other questions?" "$lanecheck" judge "$work/launch"
expect 2 "exists; give a folder without earlier questions and results" "$lanecheck" gen --folder "$work/launch"
launch "$work/answers.jsonl"
tr '\000' '\001' <"$work/launch/input.bin" >"$work/input" && mv "$work/input" "$work/launch/input.bin"
expect 2 "this is another program than the question" "$lanecheck" judge "$work/launch"
sed -i 's/lanecheck-recorded-folder-1/lanecheck-recorded-folder-2/' "$work/launch/manifest.json"
expect 2 'the file says "lanecheck-recorded-folder-2"' "$lanecheck" judge "$work/launch"

# Readings, profiles and what cannot be judged.
"$lanecheck" serve --recorded --backend wrong:cast-ignores-mask <"$work/questions.jsonl" >"$work/reading.jsonl"
expect 0 "undecided" "$lanecheck" judge "$work/reading.jsonl"
expect 1 "undecided (--strict)" "$lanecheck" judge "$work/reading.jsonl" --strict
reading=$("$lanecheck" judge "$work/reading.jsonl" | sed -n 's/^undecided: \([a-z_]*\)=.*/\1/p' | head -1)
default=$("$lanecheck" judge "$work/reading.jsonl" | sed -n "s/^  the default is '\([a-z_]*\)'.*/\1/p" | head -1)
expect 1 "diverge" "$lanecheck" judge "$work/reading.jsonl" --reading "$reading=$default"
expect 2 "a recording has one profile" "$lanecheck" judge "$work/answers.jsonl" --profile tik
expect 2 "cannot be read" "$lanecheck" judge "$work/absent"
expect 2 "holds no records" "$lanecheck" judge /dev/null
expect 2 "--questions excludes --folder" "$lanecheck" gen --questions --folder "$work/other"

# What was skipped is said with its reason, and so is how far the rules were judged. --only asks what is there.
cat >"$work/part.py" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
import example_simulator as e, lanecheck_backend
lanecheck_backend.serve({"add": e.INSTRUCTIONS["add"], "cadd.f16": e.INSTRUCTIONS["cadd"]})
END
part() { "$python" "$work/part.py" "$source_dir/fuzz/backend/python"; }
"$lanecheck" gen --questions --cases 60 | part >"$work/part.jsonl"
expect 0 ": no set_cmpmask" "$lanecheck" judge "$work/part.jsonl"
expect 0 " of 65 rules judged; no record that ran exercises VMC-" "$lanecheck" judge "$work/part.jsonl"
expect 0 "gen --questions --only add,cadd.f16" "$lanecheck" judge "$work/part.jsonl"
"$lanecheck" gen --questions --cases 60 --only add,cadd.f16 | part >"$work/only.jsonl"
expect 0 "60 records, 0 diverge" "$lanecheck" judge "$work/only.jsonl"
grep -q skipped "$work/output" && { echo "FAILED: a question of --only was skipped"; failed=1; }
expect 2 "--only add.f99: there is no element type 'f99'" "$lanecheck" gen --questions --only add.f99
expect 2 "--only fly: there is no instruction 'fly'" "$lanecheck" gen --questions --only add,fly
"$lanecheck" gen --questions --cases 5 --profile tik | "$python" "$simulator" >"$work/tik.jsonl"
expect 3 "5 skipped" "$lanecheck" judge "$work/tik.jsonl"
expect 2 "5 skipped, 1 fault" bash -c "(cat '$work/tik.jsonl'; echo x) | '$lanecheck' judge -"
exit $failed
