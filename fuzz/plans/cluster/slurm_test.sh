#!/usr/bin/env bash
# Runs a plan on a real Slurm cluster of two nodes on this machine: 8 tasks, one killed half-way and requeued, one moved
# away from a node that is drained, then the merge. The merged reports must be those of a run in one piece.
# Usage: slurm_test.sh LANECHECK. Installs Debian's slurm and munge. If they cannot be installed or started, it prints
# why and exits with 0.
set -euo pipefail
lanecheck=$(realpath "$1")
work=$(mktemp -d)
export LANECHECK=$lanecheck

skip() {
  echo "skipped: $*"
  exit 0
}

fail() {
  echo "FAILED: $*"
  squeue -r 2>&1 | sed 's/^/  | /'
  tail -n 4 "$work"/*.out "$work"/night/*.log 2>&1 | cut -c1-150 | sed 's/^/  | /'
  exit 1
}

# Every process of the cluster and of its jobs has SLURM_CONF in its environment, and nothing else has this value.
clean_up() {
  local status=$? signal
  for signal in TERM KILL; do
    grep -lszF "SLURM_CONF=$work/slurm.conf" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 |
      xargs -r kill -s $signal 2>/dev/null || true
    sleep 0.5
  done
  rm -rf "$work"
  exit $status
}

. "$(dirname "$0")/../../../.ci/install_packages.sh"

# The machine may be busy with other builds, so how long a step takes says nothing: the limit only ends what hangs.
wait_for() {  # command...: until the command succeeds; limit=SECONDS before it gives another limit than 600
  local end=$((SECONDS + ${limit:-600}))
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

start_cluster() {
  local user ports
  user=$(id -un)
  read -ra ports < <(python3 -c 'import socket
taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
print(*(each.getsockname()[1] for each in taken))')
  cat >"$work/slurm.conf" <<END
ClusterName=lanecheck
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=${ports[0]}
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=2
NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=1
NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
  mkdir "$work/state"
  head -c 128 /dev/urandom >"$work/munge.key"
  chmod 400 "$work/munge.key"
  export SLURM_CONF=$work/slurm.conf
  munged --foreground --force --socket="$work/munge.socket" --key-file="$work/munge.key" --pid-file="$work/munged.pid" \
    --log-file="$work/munged.log" --seed-file="$work/munge.seed" >"$work/munged.out" 2>&1 &
  limit=60 wait_for test -S "$work/munge.socket" || return
  slurmctld -D >"$work/slurmctld.out" 2>&1 &
  slurmd -D -N n1 >"$work/n1.out" 2>&1 &
  slurmd -D -N n2 >"$work/n2.out" 2>&1 &
  limit=60 wait_for two_idle_nodes
}

two_idle_nodes() { [ "$(sinfo -h -o %D -t idle 2>/dev/null)" = 2 ]; }
state() { scontrol show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p'; }
ended() { case $(state "$1") in COMPLETED | FAILED | CANCELLED) ;; *) return 1 ;; esac; }
number_in() {  # part, file of its first run, name of a number in it
  grep -oE "\"$3\": ?[0-9.e+-]+" "$work/night/part-$1/vmc/$2.json" 2>/dev/null | sed '1s/.*://;2,$d'
}

cases_of() {  # part: how many cases its first run has done, at its last checkpoint
  number_in "$1" checkpoint "done"
}

pending() { [ "$(state "$1")" = PENDING ]; }

requeue() {  # task: Slurm keeps it for two minutes before it starts it again; this does not wait so long
  scontrol requeue "$1"
  wait_for pending "$1" || fail "task $1 is not requeued"
  scontrol update JobId="$1" StartTime=now
}

half_way() {  # part: is a checkpoint there, and is work left?
  [ -e "$work/night/part-$1/vmc/checkpoint.json" ] && [ "$(cases_of "$1")" -lt $((cases / 8)) ] 2>/dev/null
}

half_way_on_n2() {  # sets `moved` to a part that has come half-way on this node
  moved=$(squeue -h -r -t R -w n2 -o %K)
  [[ $moved =~ ^[0-9]+$ ]] && half_way "$moved"
}

resumed() {  # part: its last process has done fewer cases than the part has
  awk -v rate="$(number_in "$1" status cases_per_second)" -v seconds="$(number_in "$1" status seconds)" -v all=$((cases / 8)) \
    'BEGIN { exit !(rate * seconds < all - 1) }'
}

same_report() {  # file file: equal, except for times, versions and processes?
  python3 - "$@" <<'END'
import json, sys
one, two = (json.dumps({key: value for key, value in json.load(open(file)).items()
                        if key not in ("timing", "version", "processes")}) for file in sys.argv[1:])
print(f"{sys.argv[2]}: {len(two)} bytes without times, version and processes")
sys.exit(one != two)
END
}

trap clean_up EXIT
missing=()
for program in slurmctld slurmd munged:munge sbatch:slurm-client; do
  command -v ${program%:*} >/dev/null || missing+=("${program#*:}")
done
[ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}" || skip "these packages cannot be installed: ${missing[*]}"
start_cluster || skip "the daemons do not start: $(grep -hi fatal "$work"/*.out | head -n 1)"

cases=320000
cat >"$work/two.plan" <<END
{"schema": "lanecheck-plan-1", "name": "two", "about": "Two runs.", "runs": [
 {"name": "vmc", "cases": $cases, "first": 200000},
 {"name": "tik", "profile": "tik", "cases": 4000, "illegal": true}]}
END
backend="cmd: '$lanecheck' serve --backend wrong:cadd-keeps-dst"
cd "$work"
"$lanecheck" run --quiet --plan two.plan --folder whole --backend "$backend" >whole.log || [ $? -eq 1 ]
echo "the run in one piece: $SECONDS s"

"$lanecheck" plan slurm two.plan --parts 8 >two.sbatch
bash two.sbatch submit night --backend "$backend" --checkpoint 0.2 | tee submitted
array=$(sed 's/^array \([0-9]*\):.*/\1/' submitted)
merge=$(cat night/merge.job)

wait_for half_way 1 || fail "part 1 does not come half-way"
kill -KILL "$(number_in 1 status process)"
wait_for ended "${array}_1" || fail "part 1 goes on without its process"
echo "part 1: killed after $(cases_of 1) cases, $(state "${array}_1")"
requeue "${array}_1"

wait_for half_way_on_n2 || fail "no part comes half-way on n2"
scontrol update NodeName=n2 State=DRAIN Reason="slurm_test.sh"
requeue "${array}_$moved"
echo "part $moved: requeued after $(cases_of "$moved") cases, because n2 is drained"

wait_for ended "$merge" || fail "the merge job does not end"
[[ $(scontrol show job "$merge") == *"JobState=FAILED"*"ExitCode=1:0"* ]] || fail "the merge does not say that the backend diverges"
for part in 1 "$moved"; do
  grep -q "^part $part of 8 on n[12], start 1\$" "night/part-$part.log" || fail "part $part was not started again"
  resumed "$part" || fail "part $part was done again from the start"
done
grep -q "^part $moved of 8 on n1, start 1\$" "night/part-$moved.log" || fail "part $moved stayed on the drained node"
for run in vmc tik; do
  same_report whole/$run/report.json night/$run/report.json || fail "the merged report of $run is another one"
  for page in report.html junit.xml summary.md; do [ -s night/$run/$page ] || fail "no night/$run/$page"; done
done

# The same line again: all parts are finished, so nothing is done but the merge.
bash two.sbatch submit night --backend "$backend" >again
wait_for ended "$(cat night/merge.job)" || fail "the second merge does not end"
same_report whole/vmc/report.json night/vmc/report.json || fail "the second merged report is another one"
echo "passed in $SECONDS s"
