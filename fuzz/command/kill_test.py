#!/usr/bin/env python3
"""Kills a run at random moments, resumes it each time, and compares its report with that of a run in peace.

Usage: kill_test.py LANECHECK SOURCE_DIR PYTHON [KILLS]
Each kill is SIGKILL, which nothing can handle. The backends are one in the process, which is wrong, with one job and
with three, and one in a process of its own.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

CANONICAL_WITHOUT = ("timing", "version", "processes")


def canonical(file):
    report = json.loads(pathlib.Path(file).read_text())
    return json.dumps({key: value for key, value in report.items() if key not in CANONICAL_WITHOUT})


def run(lanecheck, *options):
    return subprocess.run([lanecheck, "run", "--quiet", *options], stdout=subprocess.DEVNULL).returncode


def kill_while_it_runs(lanecheck, folder, options, jobs, kills, dice):
    """Starts the run and kills it, `kills` times, unless it ends first. Returns how often it was killed."""
    killed = 0
    for n in range(kills):
        begun = (folder / "run.json").exists()
        where = ["--resume", str(folder)] if begun else [*options, "--folder", str(folder)]
        process = subprocess.Popen([lanecheck, "run", "--quiet", *where, "--jobs", str(jobs), "--checkpoint", "0.01"],
                                   stdout=subprocess.DEVNULL)
        try:
            process.wait(timeout=dice.uniform(0.005, 0.25))
            return killed
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed += 1
    return killed


def main():
    lanecheck, _, _, *rest = sys.argv[1:]
    kills = int(rest[0]) if rest else 100
    dice = random.Random(14)
    serve = f"cmd: '{lanecheck}' serve --backend wrong:cadd-keeps-dst"
    runs = [("wrong:set-mask-swapped", 1, 60000), ("wrong:cadd-keeps-dst", 3, 150000), (serve, 2, 40000)]
    total, faults = 0, 0
    with tempfile.TemporaryDirectory() as work:
        for number, (backend, jobs, cases) in enumerate(runs):
            options = ["--backend", backend, "--cases", str(cases), "--first", "100000"]
            peace = pathlib.Path(work) / f"peace-{number}"
            code = run(lanecheck, *options, "--jobs", "1", "--folder", str(peace))
            killed, round_number = 0, 0
            while killed < kills // len(runs) and round_number < 200:
                round_number += 1
                folder = pathlib.Path(work) / f"killed-{number}-{round_number}"
                now = kill_while_it_runs(lanecheck, folder, options, jobs, 12, dice)
                killed += now
                where = ["--resume", str(folder)] if (folder / "run.json").exists() else [*options, "--folder", str(folder)]
                ended = run(lanecheck, *where, "--jobs", str(jobs))
                if ended != code or canonical(folder / "report.json") != canonical(peace / "report.json"):
                    print(f"FAILED: {backend}, {jobs} jobs, after {now} kills: exit {ended} (in peace {code}), or "
                          "another report")
                    faults += 1
            print(f"{backend}, {jobs} jobs: {killed} kills in {round_number} runs")
            total += killed
    print(f"{total} kills, {faults} runs with another report")
    return 1 if faults or total < kills // len(runs) * len(runs) else 0


if __name__ == "__main__":
    sys.exit(main())
