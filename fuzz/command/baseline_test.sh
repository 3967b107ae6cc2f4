#!/usr/bin/env bash
# lanecheck baseline. Usage: baseline_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

report() {  # backend, cases, file
  "$lanecheck" run --quiet --backend "$1" --cases "$2" --json "$work/$3" >"$work/output" 2>&1
}
report wrong:cadd-keeps-dst 2000 broken.json
report wrong:cadd-keeps-dst 1 short.json
known=$work/known.json

# The life of an entry.
expect 1 "new failure: cadd-keeps-dst: diverges in " bash -c "echo '{\"schema\": \"lanecheck-known-failures-1\", \"failures\": []}' >$known; '$lanecheck' baseline check $known $work/broken.json"
rm "$known"
expect 0 "added cadd-keeps-dst (diverges)" "$lanecheck" baseline add "$known" --from "$work/broken.json" cadd-keeps-dst \
  --reason "cadd is being rewritten" --link https://example.org/7 --expires 2026-12-31
expect 0 "known failure: cadd-keeps-dst: cadd is being rewritten (https://example.org/7)" \
  "$lanecheck" baseline check "$known" "$work/broken.json" --today 2026-12-31
expect 1 "expired: cadd-keeps-dst: the entry expired on 2026-12-31" \
  "$lanecheck" baseline check "$known" "$work/broken.json" --today 2027-01-01
expect 0 "not exercised: cadd-keeps-dst: " "$lanecheck" baseline check "$known" "$work/short.json" --today 2026-06-01
expect 0 "cadd-keeps-dst: diverges, backends wrong:cadd-keeps-dst, profiles vmc, until 2026-12-31, seen in " \
  "$lanecheck" baseline show "$known"
"$python" - "$work" <<'EOF'  # the same backend when it is mended: its report without the finding
import json, sys
report = json.load(open(sys.argv[1] + "/broken.json"))
report["findings"] = []
json.dump(report, open(sys.argv[1] + "/mended.json", "w"), indent=1)
EOF
expect 1 "fixed: cadd-keeps-dst: " "$lanecheck" baseline check "$known" "$work/mended.json" --today 2026-06-01
expect 0 "fixed: cadd-keeps-dst: " "$lanecheck" baseline check "$known" "$work/mended.json" --today 2026-06-01 --lenient
expect 0 "removed cadd-keeps-dst (diverges): it is fixed" "$lanecheck" baseline update "$known" --from "$work/mended.json" --today 2026-06-01
expect 0 "added cadd-keeps-dst (conforms)" "$lanecheck" baseline add "$known" --from "$work/mended.json" cadd-keeps-dst \
  --reason "it was mended" --expect conforms
expect 0 "conforms: cadd-keeps-dst: it was mended" "$lanecheck" baseline check "$known" "$work/mended.json"
expect 1 "must not occur, but it was found" "$lanecheck" baseline check "$known" "$work/broken.json"
expect 0 "added other (conforms)" "$lanecheck" baseline add "$known" other another --from "$work/mended.json" --reason x --expect conforms
expect 0 "removed another" "$lanecheck" baseline remove "$known" cadd-keeps-dst other another
expect 0 "0 entries" "$lanecheck" baseline show "$known"

# Every pair of an expected state and a found state, with its exit code.
expect 0 "25 pairs" "$python" - "$lanecheck" "$work" <<'EOF'
import copy, json, subprocess, sys
lanecheck, work = sys.argv[1:]
report = json.load(open(work + "/broken.json"))
found = {"diverges": ("diverges", "left another state in the run"), "refused": ("diverges", "refused this program in the run (no)"),
         "crashed": ("errored", "broke in the run (killed by SIGSEGV)"), "hung": ("errored", "broke in the run (missed its deadline of 2 s)")}
states, pairs = ["conforms", *found], 0
for expected in states:
    entry = {"id": "not-repeatable", "expect": expected, "reason": "it is flaky", "rules": ["VMC-3.2-cadd-zero"]}
    json.dump({"schema": "lanecheck-known-failures-1", "failures": [entry]}, open(work + "/pair-known.json", "w"))
    for now in states:
        changed = copy.deepcopy(report)
        changed["findings"] = []
        if now in found:
            verdict, what = found[now]
            changed["findings"] = [dict(report["findings"][0], id="not-repeatable", verdict=verdict, what=what)]
        json.dump(changed, open(work + "/pair.json", "w"), indent=1)
        ran = subprocess.run([lanecheck, "baseline", "check", work + "/pair-known.json", work + "/pair.json"], capture_output=True, text=True)
        name = ("conforms" if now == expected == "conforms" else "known failure" if now == expected else
                "new failure" if expected == "conforms" else "fixed" if now == "conforms" else "changed")
        assert ran.stdout.startswith(name + ": not-repeatable: "), (expected, now, ran)
        assert ran.returncode == (0 if now == expected else 1), (expected, now, ran)
        pairs += 1
print(pairs, "pairs")
EOF

# Bad input.
expect 2 "give the ids of findings, or --all" "$lanecheck" baseline add "$known" --from "$work/broken.json" --reason x
expect 2 "--reason is required" "$lanecheck" baseline add "$known" --from "$work/broken.json" --all
expect 2 "has no failure 'cadd'" "$lanecheck" baseline add "$known" --from "$work/broken.json" cadd --reason x
expect 2 "takes only 'conforms'" "$lanecheck" baseline add "$known" --from "$work/broken.json" cadd --reason x --expect hung
expect 2 "'2026-02-30' is no date" "$lanecheck" baseline add "$known" --from "$work/broken.json" --all --reason x --expires 2026-02-30
expect 2 "'tomorrow' is no date" "$lanecheck" baseline check "$known" "$work/broken.json" --today tomorrow
expect 2 "lists no 'cadd'" "$lanecheck" baseline remove "$known" cadd
expect 2 "is no report of lanecheck" "$lanecheck" baseline check "$known" "$known"
expect 2 "is no list of known failures" "$lanecheck" baseline check "$work/broken.json" "$work/broken.json"
expect 2 "cannot be read: No such file" "$lanecheck" baseline check "$known" "$work/nothing.json"
expect 2 "cannot be read: No such file" "$lanecheck" baseline check "$work/nothing.json" "$work/broken.json"
head -c 3000 "$work/broken.json" >"$work/cut.txt"
expect 2 "is truncated" "$lanecheck" baseline check "$known" "$work/cut.txt"
sed 's/lanecheck-report-3/lanecheck-report-1/' "$work/broken.json" >"$work/old.txt"
expect 2 "is a report of the schema version lanecheck-report-1; this lanecheck reads lanecheck-report-3" \
  "$lanecheck" baseline check "$known" "$work/old.txt"
expect 2 "A subcommand is required" "$lanecheck" baseline
expect 2 "Did you mean check?" "$lanecheck" baseline chekc "$known"
exit $failed
