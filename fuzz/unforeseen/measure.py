"""Runs lanecheck on every unforeseen fault and prints what was caught, how soon, and whether the cause named is right.

    /usr/bin/python3 measure.py ../../build/release/lanecheck  (a Python that has NumPy)
    python3 measure.py LANECHECK --only f16_slots64 --cases 2000
    python3 measure.py LANECHECK --floor caught=95,right=90,wrong=0

A fault is caught if the report has a finding. Its cause is wrong if any of the findings claims something false; otherwise
right or vague as the finding that is printed first. Percentages are of all faults; --floor fails (exit code 1) if fewer
are caught or right, or more are wrong."""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

import faults

ROOM = pathlib.Path(__file__).resolve().parent
ADAPTERS = {"vmc": "vmc_simulator.py", "ascendc-a2": "api_simulator.py", "ascendc-310p": "api_simulator.py",
            "tik": "api_simulator.py"}


def run(fault, options):
    """The report of one run, or None and the end of what lanecheck printed instead of one."""
    adapter = f"cmd: {sys.executable} {ROOM / ADAPTERS[fault.profile]} --fault {fault.name}"
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        command = [options.lanecheck, "run", "-q", "--profile", fault.profile, "--cases", str(options.cases), "--seconds",
                   str(options.seconds), "--json", str(report), "--backend", adapter]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if report.is_file():
            return json.loads(report.read_text()), ""
        return None, " ".join(done.stdout.split())[-200:]


def instruction(finding):
    """Its name, such as vmin.f16, without operands."""
    return finding["instruction"]["text"].partition(" ")[0] if "instruction" in finding else ""


def measure(fault, options):
    """One row of the table."""
    report, instead = run(fault, options)
    if report is None:
        return {"name": fault.name, "profile": fault.profile, "caught": False, "first": None, "done": 0, "findings": 0,
                "cause": "none", "says": "NO REPORT: " + instead}
    findings = [each for each in report["findings"] if each["verdict"] != "errored"]
    causes = [fault.judge(each["what"], instruction(each)) for each in findings]
    row = {"name": fault.name, "profile": fault.profile, "caught": bool(findings), "done": report["run"]["done"],
           "findings": len(findings), "first": min((each["first_case"] for each in findings), default=None),
           "cause": "none", "says": "", "sentences": [[instruction(each), each["what"]] for each in findings]}
    if findings:
        worst = causes.index("wrong") if "wrong" in causes else 0
        row.update(cause=causes[worst], says=findings[worst]["what"])
    if report["verdicts"]["errored"]:
        row["says"] += f" [{report['verdicts']['errored']} cases errored]"
    return row


def line(row):
    caught = f"case {row['first']}" if row["caught"] else f"missed in {row['done']}"
    return f"{row['profile']:12} {row['name']:28} {caught:16} {row['findings']:2}  {row['cause']:5}  {row['says']}"


def percentages(rows):
    count = len(rows)
    caught = [row for row in rows if row["caught"]]
    shares = {"caught": len(caught), "one_finding": sum(row["findings"] == 1 for row in rows)}
    shares.update({cause: sum(row["cause"] == cause for row in rows) for cause in ("right", "vague", "wrong")})
    return {name: 100 * share / count for name, share in shares.items()}


def summary(title, rows):
    first = sorted(row["first"] for row in rows if row["caught"])
    shares = ", ".join(f"{name} {share:.0f}%" for name, share in percentages(rows).items())
    median = f"; median case of the catch {first[len(first) // 2]}, last {first[-1]}" if first else ""
    return f"{title}: {len(rows)} faults: {shares}{median}"


def below(floor, rows):
    """What of "caught=95,right=80,wrong=5" is not kept."""
    reached, broken = percentages(rows), []
    for part in filter(None, floor.split(",")):
        name, limit = part.split("=")
        kept = reached[name] <= float(limit) if name in ("wrong", "vague") else reached[name] >= float(limit)
        broken += [] if kept else [f"{name} is {reached[name]:.0f}%, and the limit is {limit}%"]
    return broken


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lanecheck", help="the program")
    parser.add_argument("--cases", type=int, default=20000, help="cases a fault (20000)")
    parser.add_argument("--seconds", type=float, default=20, help="seconds a fault at most (20)")
    parser.add_argument("--only", metavar="NAMES", default="", help="these faults, with commas between them")
    parser.add_argument("--jobs", type=int, default=2, help="runs at the same time (2)")
    parser.add_argument("--floor", default="", help="such as caught=95,right=90,wrong=0: fail if this is not kept")
    parser.add_argument("--json", help="write the rows to this file")
    return parser.parse_args()


def main():
    options, every = arguments(), faults.every_fault()
    names = options.only.split(",") if options.only else [each.name for each in every]
    chosen = [faults.by_name(name) for name in names]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = []
        for row in pool.map(lambda fault: measure(fault, options), chosen):
            rows.append(row)
            print(line(row), flush=True)
    for profile in dict.fromkeys(row["profile"] for row in rows):
        print(summary(profile, [row for row in rows if row["profile"] == profile]))
    print(summary("all", rows))
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    broken = below(options.floor, rows)
    for each in broken:
        print("below the floor:", each)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
