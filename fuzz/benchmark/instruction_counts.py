#!/usr/bin/env python3
"""Counts the instructions of fixed workloads under valgrind, and compares them with those of instruction_counts.json.

A count does not depend on what else the machine does, so a change of more than the tolerance is a change of
the program. Counts depend on the compiler, the C library and the kind of CPU: with others than those of the file, the script
says so and exits with 77, which CTest shows as skipped.
"""
import argparse
import json
import pathlib
import platform
import re
import subprocess
import sys

KEPT = pathlib.Path(__file__).with_name("instruction_counts.json")
TOLERANCE = 0.03
PIPE_TOLERANCE = 0.06  # a busy machine splits messages into more reads, or fewer
SKIPPED = 77
EXPLAIN = "explain one finding"
PIPE = "transport process"
FIRST = 300_000
PROFILES = ("vmc", "ascendc-a2", "ascendc-310p", "tik")


def workloads(lanecheck, plugin):
    """By name: the arguments for lanecheck, and two numbers of cases. The count is that between the two, of each case;
    of the explanation, it is that of all cases between, with the finding. Cases from 300,000 on are drawn ones, of which
    a long run consists; the directed ones, which come first, are two to three times as long."""
    road = {f"road {profile}": (["--profile", profile], 100, 500) for profile in PROFILES}
    return road | {
        EXPLAIN: (["--backend", "wrong:dup-ignores-mask"], 2, 200),
        "transport plug-in": (["--backend", f"plugin:{plugin}", "--in-process"], 100, 300),
        PIPE: (["--backend", f"cmd:'{lanecheck}' serve"], 100, 300),
    }


def instructions(lanecheck, arguments, cases, code=0):
    """How many instructions a run of so many cases executes. It must end with the exit code `code`."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
               lanecheck, "run", "--jobs", "1", "--seed", "1", "--first", str(FIRST), "--cases", str(cases), *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != code:
        sys.exit(f"{' '.join(command)}: exit code {result.returncode} instead of {code}; if the first finding has another "
                 "case now, give the workload another window")
    found = re.findall(r"I\s+refs:\s+([\d,]+)", result.stderr)
    if not found:
        sys.exit(f"valgrind counted nothing: {result.stderr[-2000:]}")
    return max(int(count.replace(",", "")) for count in found)  # the fork that starts a child counts little


def count_of(lanecheck, name, workload):
    """The instructions of the cases between the two numbers. The start of the program, which both runs have, is
    subtracted. Over a pipe it is the middle of three counts."""
    if name == PIPE:
        return sorted(between(lanecheck, name, workload) for _ in range(3))[1]
    return between(lanecheck, name, workload)


def between(lanecheck, name, workload):
    arguments, first, last = workload
    code = 1 if name == EXPLAIN else 0  # with the finding
    counted = instructions(lanecheck, arguments, last, code) - instructions(lanecheck, arguments, first)
    return counted if name == EXPLAIN else counted // (last - first)


def built_with(compiler):
    """What the counts depend on beside the source."""
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    libc = subprocess.run(["getconf", "GNU_LIBC_VERSION"], capture_output=True, text=True, check=True)
    vectors = " avx2 " in pathlib.Path("/proc/cpuinfo").read_text()  # the C library picks its memcpy by them
    return {"compiler": version.stdout.splitlines()[0].partition(" ")[2], "libc": libc.stdout.strip(),
            "cpu": platform.machine() + (" with AVX2" if vectors else "")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lanecheck", help="a Release build")
    parser.add_argument("--plugin", type=pathlib.Path, required=True, help="the example plug-in")
    parser.add_argument("--compiler", default="g++", help="what built them (default: g++)")
    parser.add_argument("--update", action="store_true", help="write the counts into instruction_counts.json")
    options = parser.parse_args()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {"built_with": {}, "counts": {}}
    here = built_with(options.compiler)
    if not options.update and here != kept["built_with"]:
        print(f"skipped: the kept counts are of {kept['built_with']}, this build is of {here}")
        return SKIPPED
    counts, changed = {}, False
    print(f"{'workload':22} {'kept':>12} {'now':>12}  change")
    for name, workload in workloads(options.lanecheck, options.plugin).items():
        counts[name] = count_of(options.lanecheck, name, workload)
        old = kept["counts"].get(name, 0)
        change = counts[name] / old - 1 if old else 1
        changed |= abs(change) > (PIPE_TOLERANCE if name == PIPE else TOLERANCE)
        print(f"{name:22} {old:12,} {counts[name]:12,}  {change:+.1%}", flush=True)
    if options.update:
        KEPT.write_text(json.dumps({"built_with": here, "counts": counts}, indent=2) + "\n")
        return 0
    if changed:
        print(f"a count changed by more than {TOLERANCE:.0%} (over a pipe {PIPE_TOLERANCE:.0%}); if it is meant to, run this again with --update")
    return changed


if __name__ == "__main__":
    sys.exit(main())
