#!/usr/bin/env python3
"""Executes the shell lines of gitlab.yml, github.yml, the cron line of many_machines.md and the systemd service as their CI or
daemon would: each job in a folder of its own, with its variables, its artifacts handed on.

Usage: ci_test.py LANECHECK. The plan is a small one. The merged report must be that of a run in one piece. Without PyYAML
(Debian's python3-yaml) it prints that it is skipped."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    sys.exit(print("skipped: Python has no module yaml"))

lanecheck = os.path.realpath(sys.argv[1])
here = os.path.dirname(os.path.realpath(__file__))
work = tempfile.TemporaryDirectory()
os.mkdir(f"{work.name}/bin")
os.symlink(lanecheck, f"{work.name}/bin/lanecheck")
plan = f"{work.name}/small.plan"
with open(plan, "w") as file:
    json.dump({"schema": "lanecheck-plan-1", "name": "small", "about": "Two runs.", "runs": [
        {"name": "vmc", "cases": 6000, "first": 200000},
        {"name": "tik", "profile": "tik", "cases": 300, "illegal": True}]}, file)


def run(words, folder, **variables):
    """The exit code of a command in this folder, with a small plan in the place of pr and nightly."""
    words = [re.sub(r"\b(plan|slurm) (pr|nightly)\b", rf"\1 {plan}", word) for word in words]
    environment = {"PATH": f"{work.name}/bin:{os.environ['PATH']}", "LANG": "C.UTF-8", "SIMULATOR": simulator} | variables
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        print(done.stdout[-2000:], done.stderr[-2000:])
    return done.returncode


def new_folder():
    return tempfile.mkdtemp(dir=work.name)


def keep(patterns, folder, store):
    """Copies what the patterns name into the store, as an artifact. Each must name something."""
    for pattern in patterns:
        found = glob.glob(pattern, root_dir=folder)
        assert found, f"no artifact {pattern}"
        for name in found:
            source, place = os.path.join(folder, name), os.path.join(store, name)
            if os.path.isdir(source):
                shutil.copytree(source, place)
            else:
                os.makedirs(os.path.dirname(place), exist_ok=True)
                shutil.copy(source, place)


def gitlab():
    """The exit code of the last job, and the folder with its artifacts."""
    with open(f"{here}/gitlab.yml") as file:
        jobs = yaml.safe_load(file)
    parts, store = jobs["lanecheck"], new_folder()
    for number in range(1, parts["parallel"] + 1):
        folder = new_folder()
        code = run(["bash", "-eo", "pipefail", "-c", "\n".join(parts["script"])], folder,
                   CI_NODE_INDEX=str(number), CI_NODE_TOTAL=str(parts["parallel"]))
        assert code == 0, f"GitLab: part {number} ends with {code}"
        keep(parts["artifacts"]["paths"], folder, store)
    report, result = jobs["lanecheck-report"], new_folder()
    code = run(["bash", "-eo", "pipefail", "-c", "\n".join(report["script"])], store)
    keep(report["artifacts"]["paths"] + [report["artifacts"]["reports"]["junit"]], store, result)
    return code, result


def steps(job, folder, variables, artifacts):
    """Does the steps of a job of GitHub. The exit code is that of the first step that fails."""
    def value(text):
        known = {"matrix.part": variables.get("PART", ""), "strategy.job-total": variables.get("PARTS", "")}
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: known[match[1]], text)

    worst = 0
    for step in job["steps"]:
        if worst and step.get("if") != "always()":
            continue
        if "run" in step:
            code = run(["bash", "-e", "-c", step["run"]], folder, **variables)
            worst = worst or code
        elif "upload-artifact" in step["uses"]:
            kept = artifacts[value(step["with"]["name"])] = new_folder()
            paths = value(step["with"]["path"]).split()
            keep(paths if "*" in paths[0] else ["*"], folder if "*" in paths[0] else f"{folder}/{paths[0]}", kept)
        elif "download-artifact" in step["uses"]:
            for name, kept in artifacts.items():
                shutil.copytree(kept, f"{folder}/{name}")
    return worst


def github():
    with open(f"{here}/github.yml") as file:
        jobs = yaml.safe_load(file)["jobs"]
    matrix, artifacts = jobs["part"]["strategy"]["matrix"]["part"], {}
    assert jobs["part"]["env"] == {"PART": "${{ matrix.part }}", "PARTS": "${{ strategy.job-total }}",
                                   "SIMULATOR": "${{ vars.SIMULATOR }}"}
    for number in matrix:
        code = steps(jobs["part"], new_folder(), {"PART": str(number), "PARTS": str(len(matrix))}, artifacts)
        assert code == 0, f"GitHub: part {number} ends with {code}"
    folder = new_folder()
    code = steps(jobs["report"], folder, {"GITHUB_STEP_SUMMARY": f"{folder}/step_summary"}, artifacts)
    assert os.path.getsize(f"{folder}/step_summary") > 0, "GitHub: nothing on the page of the run"
    return code, folder


def systemd():
    with open(f"{here}/lanecheck-nightly.service") as file:
        line = re.search(r"^ExecStart=/bin/sh -c '(.*)'$", file.read(), re.M)[1]
    folder = new_folder()
    line = line.replace("%%", "%").replace("/usr/local/bin/lanecheck", "lanecheck")
    code = run(["sh", "-c", line], folder, STATE_DIRECTORY=folder)
    return code, glob.glob(f"{folder}/2*")[0]


def cron():
    with open(f"{here}/many_machines.md") as file:
        line = re.search(r"^0 22 \* \* \*  (.*)$", file.read(), re.M)[1]
    folder = new_folder()
    line = line.replace(r"\%", "%").replace("/srv/sim", folder).replace("'cmd: python3 my_sim.py'", '"$SIMULATOR"')
    with open(f"{here}/lanecheck-nightly.service") as file:  # after midnight, the same line is to go on with the run
        night = re.search(r"\$\(date .*?\)", file.read().replace("%%", "%"))[0]
    assert night in line, f"cron: the folder of the night is not {night}"
    line = line.replace("/usr/local/bin/lanecheck", f"{work.name}/bin/lanecheck")
    code = run(["sh", "-c", line], folder, PATH="/usr/bin:/bin")  # cron's own
    return code, glob.glob(f"{folder}/nights/2*")[0]


def canonical(file):
    with open(file) as text:
        return {key: value for key, value in json.load(text).items() if key not in ("timing", "version", "processes")}


for expected, simulator in (0, "example"), (1, "wrong:cadd-keeps-dst"):
    whole = new_folder()
    assert run(["lanecheck", "run", "--quiet", "--plan", plan, "--folder", whole, "--backend", simulator], whole) == expected
    for each in gitlab, github, systemd, cron:
        code, folder = each()
        assert code == expected, f"{each.__name__} ends with {code} for {simulator}"
        for name in "vmc", "tik":
            assert canonical(f"{folder}/{name}/report.json") == canonical(f"{whole}/{name}/report.json"), each.__name__
            for page in "report.html", "junit.xml", "summary.md":
                assert os.path.getsize(f"{folder}/{name}/{page}") > 0, f"{each.__name__}: no {name}/{page}"
print("passed: gitlab.yml, github.yml, lanecheck-nightly.service and the cron line give the report of a run in one piece")
