#!/usr/bin/env bash
# lanecheck rules. Usage: rules_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

# The page of the catalogue lists each rule once; `rules` lists all of them except the legality rules that are not tried.
"$lanecheck" rules --markdown >"$work/page"
all=$(grep -c '^| `' "$work/page")
untried=$(sed -n '/^## Legality/,/^## Readings/p' "$work/page" | grep '^| `' | grep -vc '| yes |')
tried=$((all - untried))
expect 0 "$tried rules, 0 uncovered" "$lanecheck" rules --uncovered
grep -qF "a class of values of a parameter, 0 not reached (30000 cases for each profile)" "$work/output" ||
  { echo "FAILED: a class of values of a parameter is not reached"; failed=1; }

# The list alone needs no search.
expect 0 "$tried rules" "$lanecheck" rules
grep -q "^VMC-3.1-cast-half-float  *contested  *3.1 against 5: " "$work/output" || { echo "FAILED: the list lacks a rule"; failed=1; }
expect 2 "excludes" "$lanecheck" rules --exercised --markdown

# A list with counts is the same search again: a signal ends it early, and the command says that its
# counts are too low.
"$lanecheck" rules --exercised >"$work/stopped" 2>&1 &
pid=$!
wait_until handles_signals $pid
kill -TERM $pid
wait $pid
status=$?
[ $status = 3 ] || { echo "FAILED: after a signal: exit $status"; failed=1; }
for text in "VMC-3.1-cast-half-float " "$tried rules, " "interrupted: the counts above are too low"; do
  grep -qF "$text" "$work/stopped" || { echo "FAILED: the interrupted list lacks '$text'"; failed=1; }
done
[ "$tried" -gt 0 ] && [ "$untried" -gt 0 ] || { echo "FAILED: the page was not understood"; failed=1; }

# The page of a profile and the JSON show the same programs (rule_page_test.cc executes each of them), and the commands
# below a program do what the page says.
for profile in tik vmc; do
  "$lanecheck" rules --html --profile $profile --corpus "$source_dir/corpus" >"$work/rules.html"
  "$lanecheck" rules --json --profile $profile --corpus "$source_dir/corpus" >"$work/rules.json"
  "$python" - "$work" <<'EOF' || failed=1
import html, json, re, sys
page = open(sys.argv[1] + "/rules.html").read()
shown = {(case, mutant, html.unescape(program)) for case, mutant, program in
         re.findall(r'<pre data-case="([^"]*)" data-mutant="([^"]*)">(.*?)</pre>', page, re.S)}
rules = json.load(open(sys.argv[1] + "/rules.json"))["rules"]
examples = [each for rule in rules for each in rule["examples"]]
named = {(each["case"], each.get("mutant", ""), each["program"]) for each in examples if "case" in each}
if shown != named or len(named) <= 30:
    sys.exit(f"FAILED: the page shows {len(shown)} programs, the JSON {len(named)}: {sorted(shown ^ named)[:3]}")
EOF
  sed -n 's|.*<code>\(lanecheck replay .*\)</code>.*|\1|p' "$work/rules.html" >"$work/commands"
  first=$(grep -m 1 "wrong:" "$work/commands")
  expect 1 "diverges" bash -c "cd '$source_dir' && '$lanecheck'${first#lanecheck}"
  first=$(grep -v -m 1 "wrong:" "$work/commands")
  expect 0 "0 diverge" bash -c "cd '$source_dir' && '$lanecheck'${first#lanecheck}"
done

expect 0 'Shows the reading <code>alias_winner=last_repeat</code>.' "$lanecheck" rules --html --corpus "$source_dir/corpus"
expect 0 '"empty_reduction=keeps_dst"' "$lanecheck" rules --json --corpus "$source_dir/corpus"

# The page shows what a run exercised, if it is given the report of the run.
"$lanecheck" run --backend wrong:accepts-TIK-range-repeat --profile tik --cases 2000 --json "$work/run.json" >/dev/null
expect 0 "Coverage by the run of $work/run.json: backend wrong:accepts-TIK-range-repeat, seed 1, 2,000 of 2,000 cases." \
  "$lanecheck" rules --html --profile tik --corpus "$source_dir/corpus" --report "$work/run.json"
for text in 'id="TIK-range-repeat"' "; 1 finding names it." "; no finding names it." "The run did not ask for this rule."; do
  grep -qF "$text" "$work/output" || { echo "FAILED: the page lacks '$text'"; failed=1; }
done
[ "$(grep -c '; 1 finding names it' "$work/output")" = 1 ] || { echo "FAILED: another rule is broken"; failed=1; }
expect 2 "is a report of profile tik, not of vmc" \
  "$lanecheck" rules --html --profile vmc --corpus "$source_dir/corpus" --report "$work/run.json"
expect 2 "cannot be" "$lanecheck" rules --html --corpus "$source_dir/corpus" --report "$work/absent.json"
"$lanecheck" rules --json --profile tik --corpus "$source_dir/corpus" --report "$work/run.json" >"$work/rules.json"
expect 0 '"run": "Coverage by the run of ' cat "$work/rules.json"
"$python" - "$work" <<'EOF' || failed=1
import json, sys
rules = {each["rule"]: each for each in json.load(open(sys.argv[1] + "/rules.json"))["rules"]}
report = json.load(open(sys.argv[1] + "/run.json"))
for each in report["coverage"]["rules"]:
    if rules[each["id"]]["exercised"] != each["exercised"]:
        sys.exit(f"FAILED: {each['id']}: the JSON of the rules and the report count differently")
if [name for name, each in rules.items() if each["findings"]] != ["TIK-range-repeat"]:
    sys.exit("FAILED: the JSON names other broken rules than TIK-range-repeat")
EOF
expect 2 "--report needs --html or --json" "$lanecheck" rules --report "$work/run.json"

# An installed program finds the corpus that was installed with it.
mkdir -p "$work/installed/bin" "$work/installed/share/lanecheck"
cp "$lanecheck" "$work/installed/bin/lanecheck"
ln -s "$source_dir/corpus" "$work/installed/share/lanecheck/corpus"
(cd "$work" && "$work/installed/bin/lanecheck" rules --json --profile tik) | cmp - <("$lanecheck" rules --json --profile tik --corpus "$source_dir/corpus") ||
  { echo "FAILED: the installed corpus is not found"; failed=1; }
expect 2 "cannot be" "$lanecheck" rules --html --corpus "$work/absent"
expect 2 "excludes" "$lanecheck" rules --html --json

expect 2 "--seed excludes" "$lanecheck" rules --html --seed 3
expect 2 "--seed excludes" "$lanecheck" rules --json --seed 3
expect 0 "TIK-1-bits" "$lanecheck" rules --profile tik
expect 1 "0" bash -c "'$lanecheck' rules --profile tik | grep -cE '^(VMC|SVM|GM|VP)-'"
expect 2 "--uncovered speaks of all profiles" "$lanecheck" rules --uncovered --profile tik
expect 2 "--corpus needs --html or --json" "$lanecheck" rules --uncovered --corpus corpus
expect 2 "--uncovered excludes --markdown" "$lanecheck" rules --markdown --uncovered
expect 2 "--seed excludes --markdown" "$lanecheck" rules --markdown --seed 3
expect 2 "--seed: '-1' is not a whole number from 0 to 18446744073709551615" "$lanecheck" rules --seed -1
exit $failed
