#!/usr/bin/env python3
"""Runs lanecheck for a long time on chaotic backends, with random signals and a disk that fills up.

Usage: soak.py LANECHECK SOURCE_DIR VALID_REPORT BAD_PLUGIN [SECONDS [SEED]]. After each round: the exit code is a
documented one, the report is valid and its verdicts add up, memory stayed bounded, and no process, draft or shared
memory is left. A round is a function of its number and the seed: SECONDS 0 runs the round SEED alone, to repeat a
failure.
"""
import collections
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

lanecheck, source, valid_report, bad_plugin = (os.path.abspath(each) for each in sys.argv[1:5])
# What ASan keeps of freed memory is not the program's: with its defaults it is 5 times what the program has.
os.environ["ASAN_OPTIONS"] = "quarantine_size_mb=4:allocator_release_to_os_interval_ms=100"
seconds, seed = (int(each) for each in (sys.argv[5:7] + ["1800", "1"][len(sys.argv) - 5:]))

MEMORY_KIB = 160 << 10  # more than a calm run takes: messages of 16 MiB, answers that are kept (32 MiB)
PATIENCE = 15  # seconds until a run ends after a signal; on a calm machine it takes about one
DISK_BYTES = 1 << 20
PLUGIN_FAULTS = ["segfault", "abort", "exit0", "ends_thread", "stack_overflow", "hang", "writes_far_beyond_ub",
                 "writes_answers", "odd_verdict", "odd_mask", "errored"]
STOPS = [[signal.SIGINT], [signal.SIGTERM], [signal.SIGHUP], [signal.SIGXCPU], [signal.SIGUSR1], [signal.SIGTERM, signal.SIGTERM]]
slowest = collections.Counter()  # seconds from the last signal to the end, for each command
OTHERS = [[signal.SIGSTOP, signal.SIGCONT], [signal.SIGKILL], []]


class Disk:
    """A folder that has little room: a tmpfs, or where none can be mounted, a limit for the size of files."""

    def __init__(self, folder):
        self.folder = folder
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "soak", folder]
        self.mounted = subprocess.run(mount, stderr=subprocess.DEVNULL).returncode == 0

    def fill(self, room):
        """Leaves about `room` bytes. Returns what the child must do before it starts."""
        for path in self.folder.iterdir():
            path.unlink()
        if self.mounted:
            (self.folder / "filler").write_bytes(b"x" * max(0, DISK_BYTES - room - 8192))
            return None

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        return limit

    def close(self):
        if self.mounted:
            subprocess.run(["umount", self.folder], check=True)


def command_of(dice, folder):
    """What the round runs."""
    backend = f"cmd: {sys.executable} '{source}/fuzz/backend/misbehaving/chaos_backend.py' '{lanecheck}'"
    if dice.random() < 0.3:
        backend = "plugin:" + bad_plugin
    attach = ["--backend", backend, "--deadline", "0.5", "--restarts", str(dice.choice([3, 30, 300]))]
    json_file = ["--json", folder / "report.json"]
    kind = dice.choice(["run"] * 5 + ["replay", "readings", "doctor"])
    if kind == "replay":
        return [lanecheck, "replay", f"{source}/corpus", *attach, *json_file]
    if kind == "readings":
        return [lanecheck, "readings", *attach]
    if kind == "doctor":
        return [lanecheck, "doctor", backend, *attach[2:]]
    window = ["--seed", str(dice.randrange(1000)), "--first", str(dice.choice([0, 200000])),
              "--cases", str(dice.choice([100, 1000, 1000000000]))]
    doctor = ["--no-doctor"] * dice.choice([0, 1, 1])
    return [lanecheck, "run", "--quiet", *window, *doctor, *attach, *json_file, "--save", folder]


def status_of(pid, field):
    """A line of /proc/PID/status; "" if the process is gone."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return ""
    return next((line.split()[1] for line in lines if line.startswith(field + ":")), "")


def shared_memory():
    """The names in /dev/shm, except those of other tests, which may run at the same time."""
    return {name for name in os.listdir("/dev/shm") if not name.startswith(("hostile_inputs.", "lanecheck-test-"))}


def started_by(token):
    """The processes whose environment holds the token: whatever a round started, daemons included."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if token.encode() in (path / "environ").read_bytes() and status_of(path.name, "State") != "Z":
                found.append(int(path.name))
        except OSError:
            pass
    return found


def run_round(dice, command, before, environment, shown):
    """Returns the exit status and the most memory that the program had, in KiB. It gets one signal to stop at most:
    a second one would cut it short."""
    process = subprocess.Popen(command, env=environment, preexec_fn=before, stdin=subprocess.DEVNULL,
                               stdout=shown, stderr=subprocess.STDOUT)
    while process.poll() is None and not int(status_of(process.pid, "SigCgt") or "0", 16) & 1 << signal.SIGTERM - 1:
        time.sleep(0.005)
    most, began, last = 0, time.monotonic(), None
    signals = dice.choice(STOPS + OTHERS)
    plan = [(began + dice.uniform(0, 3), signals)]
    if signals not in STOPS:
        plan.append((began + 5, [signal.SIGTERM]))
    while process.poll() is None:
        most = max(most, int(status_of(process.pid, "VmHWM") or 0))
        now = time.monotonic()
        if plan and now >= plan[0][0]:
            for each in plan.pop(0)[1]:
                process.send_signal(each)
                time.sleep(1 if each == signal.SIGSTOP else 0)
            last = time.monotonic()
        elif not plan and now > last + PATIENCE:
            process.kill()
            process.wait()
            return "none: it did not end", most
        time.sleep(0.02)
    if last and not plan:
        slowest[command[1]] = max(slowest[command[1]], time.monotonic() - last)
    return process.returncode, most


def report_fault(path):
    """What is wrong with a report; "" if nothing is."""
    checked = subprocess.run([valid_report, path], capture_output=True, text=True)
    if checked.returncode != 0:
        return checked.stdout
    report = json.loads(path.read_text())
    run = report["run"]
    if sum(report["verdicts"].values()) != run["done"]:
        return f"{report['verdicts']} do not add up to {run['done']} cases"
    whole = run["done"] + len(run["unreadable"]) == run["planned"]
    return "" if whole or run["interrupted"] or run["given_up"] else f"the report does not say why it ends: {run}"


def faults_of_round(number, disk, work, tally, most_memory):
    """Runs round `number`. Returns what is wrong, as a list of lines."""
    dice = random.Random(f"{number}")
    token = f"LANECHECK_SOAK={os.getpid()}.{number}."
    before = disk.fill(dice.choice([0, 20000, 60000, 400000, 800000]))
    command = command_of(dice, disk.folder)
    environment = dict(os.environ, LANECHECK_SOAK=token.split("=")[1], BAD_PLUGIN=dice.choice(PLUGIN_FAULTS),
                       BAD_PLUGIN_EVERY="200", TMPDIR=str(work / "tmp"), PYTHONDONTWRITEBYTECODE="1")
    shared = shared_memory()
    with open(work / "shown", "w+") as shown:
        # through a pipe, which holds no limit for the size of files
        writer = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=shown)
        status, memory = run_round(dice, command, before, environment, writer.stdin)
        writer.communicate(timeout=PATIENCE)
        shown.seek(0)
        said = shown.read()
    full = "could not be written" in said or "cannot be written" in said
    tally[f"{command[1]}: exit {status}" + (", disk full" if full else "")] += 1
    faults = []
    killed = status == -signal.SIGKILL
    if status not in [0, 1, 3, -signal.SIGKILL] + [2] * full:
        faults.append(f"exit {status}")
    deadline = time.monotonic() + 2
    while (left := started_by(token)) and time.monotonic() < deadline:
        time.sleep(0.05)
    faults += [f"a process is left: {pid}" for pid in left]
    report = disk.folder / "report.json"
    if report.exists():
        fault = report_fault(report)
        tally["valid reports"] += not fault
        faults += [fault] * bool(fault)
    elif "--json" in command and not (killed or full or "Not run: " in said or "\nlanecheck: " in "\n" + said):
        faults.append("no report")
    drafts = [path for path in disk.folder.iterdir() if ".part" in path.name or path.name.startswith(".")]
    faults += [f"a draft is left: {path}" for path in drafts if not killed]
    faults += [f"a file is left: {path}" for path in (work / "tmp").iterdir()]
    faults += [f"shared memory is left: {name}" for name in shared_memory() - shared]
    if memory > most_memory:
        faults.append(f"{memory} KiB of memory, {most_memory} are allowed")
    return [*faults, f"command: {command}", *said.splitlines()[-30:]] if faults else []


def calm_memory(work):
    """What a run without chaos takes, in KiB."""
    with open(work / "shown", "w") as shown:
        command = [lanecheck, "run", "--quiet", "--cases", "1000000000", "--backend", "plugin:" + bad_plugin]
        return run_round(random.Random(3), command, None, os.environ, shown)[1]


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell or nohup may have told us to ignore them;
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # lanecheck would then ignore them, too
    work = pathlib.Path(tempfile.mkdtemp())
    (work / "tmp").mkdir()
    (work / "disk").mkdir()
    disk, tally = Disk(work / "disk"), collections.Counter()
    until, number, failed = time.monotonic() + seconds, seed * (1 if seconds == 0 else 1000000), 0
    try:
        most_memory = MEMORY_KIB + calm_memory(work)
        while True:
            faults = faults_of_round(number, disk, work, tally, most_memory)
            if faults:
                failed += 1
                print(f"FAILED: round {number} (repeat it with SECONDS 0, SEED {number})", *faults, sep="\n  ", flush=True)
            number += 1
            if time.monotonic() >= until:
                break
    finally:
        disk.close()
        subprocess.run(["rm", "-rf", work], check=True)
    print(*(f"{count:5} {what}" for what, count in sorted(tally.items())), sep="\n")
    print(*(f"{most:5.1f} s at most from a signal to the end of {what}" for what, most in sorted(slowest.items())), sep="\n")
    sys.exit(1 if failed else 0)


main()
