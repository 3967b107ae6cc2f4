#!/usr/bin/env bash
# lanecheck plan, and `lanecheck run --plan`. Usage: plan_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

for name in smoke pr nightly slow; do
  expect 0 "$name: " "$lanecheck" plan list
  expect 0 '"profile":"vmc"' "$lanecheck" plan show $name
done
expect 2 "did you mean nightly" "$lanecheck" plan show nigthly

# The schema names exactly the settings that a run has.
"$lanecheck" plan show smoke | sed -n 's/^  vmc  //p' >"$work/settings"
"$python" - "$work/settings" "$source_dir/fuzz/plans/plan.schema.json" <<'PY' || { echo "FAILED: plan.schema.json has other settings"; failed=1; }
import json, sys
settings, schema = (json.load(open(file)) for file in sys.argv[1:])
named = set(schema["properties"]["runs"]["items"]["properties"]) - {"name", "boundaries"}
sys.exit(named != set(settings))
PY

# A plan is done run by run, each in a folder of its own, and goes on where it stands.
plan='{"schema":"lanecheck-plan-1","name":"two","about":"Two short runs.","runs":['
plan+='{"name":"first","cases":500},{"name":"second","profile":"tik","cases":400,"illegal":true}]}'
echo "$plan" >"$work/two.plan"
expect 0 "== second" "$lanecheck" run --quiet --plan "$work/two.plan" --folder "$work/two"
for file in report.json report.html junit.xml summary.md checkpoint.json; do
  [ -s "$work/two/second/$file" ] || { echo "FAILED: no $file"; failed=1; }
done
rm "$work/two/second/checkpoint.json"
expect 0 "400 of 400 cases" "$lanecheck" run --quiet --plan "$work/two.plan" --folder "$work/two"
expect 2 "holds a run with other settings" "$lanecheck" run --quiet --plan "$work/two.plan" --folder "$work/two" --backend oracle
expect 1 "1 finding" "$lanecheck" run --quiet --plan "$work/two.plan" --backend wrong:accepts-TIK-range-counter
expect 0 "== second: skipped, because the backend does not offer profile tik" \
  "$lanecheck" run --quiet --plan "$work/two.plan" --backend "cmd: '$python' '$source_dir/fuzz/backend/python/example_simulator.py'"

# Parts of a plan: each goes on where it stands, and each run is merged by itself.
for part in 1 2; do
  expect 0 "== second" "$lanecheck" run --quiet --plan "$work/two.plan" --folder "$work/part-$part" --shard $part/2
done
rm "$work/part-2/second/checkpoint.json"
expect 2 "has 0 of 200 cases" "$lanecheck" merge --quiet "$work"/part-?/second
expect 0 "200 of 200 cases" "$lanecheck" run --quiet --plan "$work/two.plan" --folder "$work/part-2" --shard 2/2
expect 0 "400 of 400 cases" "$lanecheck" merge --quiet "$work"/part-?/second
expect 2 "holds part 2 of 2" "$lanecheck" run --quiet --plan "$work/two.plan" --folder "$work/part-2" --shard 1/2
expect 2 "--shard requires --folder" "$lanecheck" run --plan "$work/two.plan" --shard 1/2

# The script for Slurm is that of the repository with the plan and the number of parts in it.
cp "$work/two.plan" "$work/two short.plan"
expect 0 "plan='$work/two short.plan'" "$lanecheck" plan slurm "$work/two short.plan" --parts 30
"$lanecheck" plan slurm nightly --parts 30 | diff "$source_dir/fuzz/plans/cluster/lanecheck.sbatch" - >"$work/changes"
[ "$(grep '^>' "$work/changes")" = $'> plan=nightly\n> parts=30' ] || { echo "FAILED: plan slurm"; failed=1; }
expect 2 "run second has only 400 cases" "$lanecheck" plan slurm "$work/two.plan" --parts 401
expect 2 "at most 100000 parts" "$lanecheck" plan slurm nightly --parts 100001
sed 's/"cases":500/"cases":500,"seconds":3/' "$work/two.plan" >"$work/timed.plan"
expect 2 "run first stops after some seconds" "$lanecheck" plan slurm "$work/timed.plan"

# A plan that is wrong is refused, and the message says where.
refuse() {  # text that must appear, sed command that breaks the plan
  sed "$2" "$work/two.plan" >"$work/bad.plan"
  expect 2 "$1" "$lanecheck" run --plan "$work/bad.plan"
}
refuse "is not a plan of this version" 's/plan-1/plan-9/'
refuse "runs[0]: there is no setting 'casse'; did you mean cases" 's/"cases":500/"casse":500/'
refuse "runs[0]: 'cases' cannot be \"many\"" 's/"cases":500/"cases":"many"/'
refuse "runs[0]: 'cases' cannot be -5" 's/"cases":500/"cases":-5/'
refuse "a run has a 'name' of letters" 's/"first"/"..\/first"/'
refuse "there are two runs 'first'" 's/"second"/"first"/'
refuse "$work/bad.plan: runs[1]: 'profile' tick: no such profile" 's/"tik"/"tick"/'
refuse "$work/bad.plan: runs[0]: 'deadline' cannot be 1e+300; give a number of seconds from 0 to 1000000" 's/"cases":500/"deadline":1e300/'
refuse "$work/bad.plan: runs[0]: 'start_up': give more than 0 seconds" 's/"cases":500/"start_up":0/'
refuse "$work/bad.plan: runs[0]: 'first': 18446744073709551615 and 500 cases" 's/"cases":500/"cases":500,"first":18446744073709551615/'
refuse "$work/bad.plan: runs[0]: 'readings': " 's/"cases":500/"readings":["no=way"]/'
refuse "$work/bad.plan: runs[0]: 'illegal': cannot be compared with --against" 's/"cases":500/"illegal":true,"against":"oracle"/'
refuse "$work/bad.plan: runs[0]: 'max_findings': give at least 1" 's/"cases":500/"max_findings":0/'
refuse "$work/bad.plan: runs[1]: 'profile' tick: no such profile" 's/"profile":"tik","cases":400/"profile":"tick","boundaries":true/'
refuse "$work/bad.plan: run first: 'backend': no backend 'exmaple'" 's/"cases":500/"backend":"exmaple"/'
expect 2 "no backend 'exmaple'" "$lanecheck" run --plan "$work/two.plan" --backend exmaple

# What is wrong with the second run is found before the first one starts, which may take hours.
before_the_first() {  # exit code, text that must appear, settings of the second run, options of the command...
  local code=$1 text=$2 settings=$3
  shift 3
  sed "s|\"second\",|&$settings,|" "$work/two.plan" >"$work/bad.plan"
  expect "$code" "$text" "$lanecheck" run --quiet --plan "$work/bad.plan" "$@"
  grep -q "== first" "$work/output" && { echo "FAILED: the first run was started before '$text'"; failed=1; }
}
before_the_first 2 "bad.plan: run second: 'backend': no backend 'exmaple'" '"backend":"exmaple"'
before_the_first 2 "bad.plan: run second: 'backend': cmd: a 'b: a quote is not closed" "\"backend\":\"cmd: a 'b\""
before_the_first 3 "bad.plan: run second: 'backend': " "\"backend\":\"cmd: $work/absent\""
before_the_first 3 "bad.plan: run second: 'backend': " "\"backend\":\"plugin:$work/absent.so\""
sed -i 's/,"illegal":true//' "$work/two.plan"
before_the_first 2 "bad.plan: run second: 'against': no backend 'exmaple'" '"against":"exmaple"'
before_the_first 2 "--in-process" '"seed":7' --backend example --in-process
before_the_first 2 "--until" '"until":"findings >= 5"' --folder "$work/parts" --shard 1/2
"$lanecheck" run --quiet --cases 10 --folder "$work/other/second" >/dev/null
before_the_first 2 "holds a run with other settings" '"seed":7' --folder "$work/other"
refuse "a plan has no 'jobs'" 's/"about"/"jobs":3,"about"/'
refuse "is not a whole plan" 's/]}$//'
expect 2 "there is no such plan" "$lanecheck" run --plan nothing
expect 2 "excludes --plan" "$lanecheck" run --plan smoke --cases 7

# A list of known failures decides the exit code.
wrong="--quiet --cases 2000 --first 200000 --backend wrong:cadd-keeps-dst"
expect 1 "[cadd-keeps-dst]" "$lanecheck" run $wrong --json "$work/report.json"
expect 0 "" "$lanecheck" baseline add "$work/known.list" --from "$work/report.json" --all --reason "known"
expect 0 "cadd-keeps-dst" "$lanecheck" run $wrong --baseline "$work/known.list"
expect 1 "cmax-keeps-dst" "$lanecheck" run --quiet --cases 2000 --first 200000 --backend wrong:cmax-keeps-dst --baseline "$work/known.list"
expect 2 "nothing.list" "$lanecheck" run $wrong --baseline "$work/nothing.list"

# The mask certificate of a run: its sentence, and the instructions that have none.
has() {  # file, text
  grep -qF -- "$2" "$1" || { echo "FAILED: no '$2' in ${1#"$work"}"; failed=1; }
}
plan='{"schema":"lanecheck-plan-1","name":"night","about":"Two runs with certificates.","runs":['
plan+='{"name":"masks","cases":1000,"certificate":3},{"name":"tik","profile":"tik","cases":300,"certificate":2}]}'
echo "$plan" >"$work/night.plan"
expect 0 "conforms; mask certificate of strength 3 for all 208 instructions" \
  "$lanecheck" run --quiet --plan "$work/night.plan" --folder "$work/good"
has "$work/good/masks/report.html" "Any fault of these instructions that depends on at most 3 mask bits was exercised."
has "$work/good/index.html" "All 2 runs conform"
expect 1 "== tik" "$lanecheck" run --quiet --plan "$work/night.plan" \
  --backend wrong:cadd-keeps-dst --folder "$work/bad" --history "$work/history"
"$python" "$source_dir/fuzz/command/check_junit.py" "$work/bad/masks/junit.xml" || { echo "FAILED: junit.xml"; failed=1; }
has "$work/bad/masks/junit.xml" 'name="cadd.f16"><failure message="under mask high='
has "$work/bad/masks/report.html" "204 of 208 instructions conform under masks that hold every combination of any 3 mask bits."
has "$work/bad/index.html" "1 of 2 runs does not conform: 1 finding<"
sed 's/1000/1/; s/"cases":300/"cases":1/' "$work/night.plan" >"$work/masks.plan"  # a run that does not see the fault
expect 1 "diverges: 4 instructions under the masks of the certificate" \
  "$lanecheck" run --quiet --plan "$work/masks.plan" --backend wrong:cadd-keeps-dst
refuse "runs[0]: 'certificate': '5' is not 2, 3 or 4" 's/"cases":500/"cases":500,"certificate":5/'
refuse "runs[1]: 'certificate': its programs are legal" 's/"profile":"tik"/"profile":"tik","illegal":true,"certificate":3/'
for part in 1 2; do  # a part has no certificate; the merge makes it
  expect 0 "conforms" "$lanecheck" run --quiet --plan "$work/night.plan" --folder "$work/share-$part" --shard $part/2
  ! grep -q certified "$work/share-$part/masks/report.json" || { echo "FAILED: a part has a certificate"; failed=1; }
done
expect 0 "certificate of strength 3 for all 208" "$lanecheck" merge --quiet "$work"/share-?/masks

# The list of known failures does not hide an instruction that only the certificate sees.
"$lanecheck" run --quiet --cases 1 --certificate 2 --backend wrong:cadd-keeps-dst --json "$work/seen.json" >/dev/null
"$lanecheck" run --quiet --cases 1 --json "$work/clean.json" >/dev/null
expect 0 "" "$lanecheck" baseline add "$work/empty.list" --from "$work/clean.json" --all --reason "none"
expect 1 "4 instructions under the masks" "$lanecheck" run --quiet --cases 1 --certificate 2 \
  --backend wrong:cadd-keeps-dst --baseline "$work/empty.list"

# Each finding has a bundle, the same for any number of jobs and after a resume, and the page links to it.
bundle="$work/bad/masks/bundles/cadd-keeps-dst"
has "$work/bad/masks/report.html" 'href="bundles/cadd-keeps-dst/finding_test.cc"'
expect 1 "" "$lanecheck" replay "$bundle/case.json" --backend wrong:cadd-keeps-dst
for jobs in 1 3; do
  expect 1 "" "$lanecheck" run --quiet --cases 1000 --certificate 3 --backend wrong:cadd-keeps-dst --jobs $jobs --folder "$work/jobs-$jobs"
  diff -r "$work/bad/masks/bundles" "$work/jobs-$jobs/bundles" >/dev/null || { echo "FAILED: bundles of $jobs jobs"; failed=1; }
done
rm -r "$bundle" "$work/bad/masks/checkpoint.json"; mkdir "$work/bad/masks/bundles/stale"
expect 1 "" "$lanecheck" run --quiet --resume "$work/bad/masks"
diff -r "$work/bad/masks/bundles" "$work/jobs-1/bundles" >/dev/null || { echo "FAILED: bundles after a resume"; failed=1; }

# The history: what is new, and what is fixed. A run that is resumed is not added twice.
night() {  # folder, backend, exit code
  expect "$3" "" "$lanecheck" run --quiet --plan "$work/night.plan" --backend "$2" --folder "$work/$1" --history "$work/history"
}
night bad wrong:cadd-keeps-dst 1
"$lanecheck" history show "$work/history" >"$work/runs"
[ "$(grep -c 'profile vmc' "$work/runs")" = 2 ] || { echo "FAILED: a run stands in the history twice"; cat "$work/runs"; failed=1; }
cat >"$work/sim.py" <<PY
import sys
sys.path[:0] = ["$source_dir/fuzz/unforeseen", "$source_dir/fuzz/backend/python"]
import faults
from vmc_simulator import VectorUnit, serve, table
version = open("$work/version").read().strip()
if version == "2":
    faults.by_name("f16_slots64").plant(VectorUnit)
serve(table(), name="a simulator", version=version)
PY
for version in 1 2 3 4; do
  echo $version >"$work/version"
  rm -rf "$work/tonight"
  "$lanecheck" run --quiet --no-doctor --cases 200 --backend "cmd: '$python' '$work/sim.py'" --folder "$work/tonight" --history "$work/served" >/dev/null
  cp "$work/tonight/report.html" "$work/page-$version.html"
done
has "$work/page-2.html" "<b>1 new</b>, 0 known, 0 fixed."
has "$work/page-2.html" "No earlier run has it."
has "$work/page-3.html" "<b>0 new</b>, 0 known, 1 fixed."
has "$work/page-4.html" "<b>0 new</b>, 0 known, 0 fixed."  # it was fixed before

# Cases at the edge of legality are not the cases of the run of equal count beside them.
plan='{"schema":"lanecheck-plan-1","name":"kinds","about":"Two kinds of cases.","runs":['
plan+='{"name":"legal","cases":200},{"name":"edge","cases":200,"illegal":true}]}'
echo "$plan" >"$work/kinds.plan"
expect 0 "" "$lanecheck" run --quiet --plan "$work/kinds.plan" --folder "$work/kinds" --history "$work/kinds.history"
"$lanecheck" history show "$work/kinds.history" >"$work/runs"
[ "$(grep -c 'profile vmc' "$work/runs")" = 2 ] || { echo "FAILED: the history lacks one of two kinds of cases"; failed=1; }
has "$work/kinds/edge/report.html" "This is the first run of these cases on this backend in the history."

# A part of a run is not in the history: the page has no trend for it, whatever other runs of its cases there are.
"$lanecheck" run --quiet --cases 100 --backend wrong:cadd-keeps-dst --json "$work/half.json" >/dev/null
"$python" - "$work/half.json" "$work" <<'PY'
import json, sys
report = json.load(open(sys.argv[1]))
for version, findings in enumerate((report["findings"], [])):
    report["run"]["about"], report["findings"] = f"version {version}", findings
    json.dump(report, open(f"{sys.argv[2]}/half-{version}.json", "w"))
PY
for version in 0 1; do
  expect 0 "" "$lanecheck" history add "$work/half.history" "$work/half-$version.json" --date 2026-01-0$((version + 1))
done
expect 1 "" "$lanecheck" run --quiet --plan "$work/kinds.plan" --folder "$work/half" --shard 1/2 \
  --backend wrong:cadd-keeps-dst --history "$work/half.history"
has "$work/half/index.html" "1 of 2 runs does not conform: 1 finding<"
! grep -q "fixed</small>" "$work/half/index.html" || { echo "FAILED: the page of a part has a trend"; failed=1; }

# A disk that fills up: the run says so and goes on; the same command then leaves the same bytes.
expect 1 "can be resumed from its last checkpoint" bash -c "ulimit -f 16; \
  '$lanecheck' run --quiet --cases 1000 --certificate 3 --backend wrong:cadd-keeps-dst --folder '$work/full'"
[ ! -s "$work/full/report.html" ] || { echo "FAILED: the page is there although the disk was full"; failed=1; }
expect 1 "" "$lanecheck" run --quiet --resume "$work/full"
diff -r "$work/full/bundles" "$work/jobs-1/bundles" >/dev/null || { echo "FAILED: bundles after a full disk"; failed=1; }
"$python" - "$work/full/report.json" "$work/jobs-1/report.json" <<'PY' || { echo "FAILED: another report after a full disk"; failed=1; }
import json, sys
one, other = (json.load(open(file)) for file in sys.argv[1:])
for report in (one, other):
    del report["timing"], report["processes"]
sys.exit(one != other)
PY
exit $failed
