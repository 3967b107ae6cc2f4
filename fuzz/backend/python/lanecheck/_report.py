"""A run of lanecheck, its JSON report, and what they say of each rule."""
import contextlib
import fcntl
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple
from xml.etree import ElementTree

from lanecheck._program import LanecheckError, find_program

OTHER = "other-findings"  #: the test of what no rule names

#: The lines of `lanecheck baseline check`: what happened to an entry, its id, a sentence.
_LINE = re.compile(r"^(incomplete|new failure|changed|fixed|split|merged|renamed|expired|unknown|not exercised|"
                   r"known failure|conforms): (?:(\S+): )?(.*)$")
_UNEXPECTED = ("new failure", "changed", "split", "merged", "renamed", "expired", "unknown")


class Outcome(NamedTuple):
    """Of one rule. state: passed, failed or skipped; xfail: the reason if the failure is known."""
    state: str
    text: str = ""
    xfail: str = ""


class ProfileRun(NamedTuple):
    """What one run says, and what the baseline says of it."""
    output: str  # of the terminal
    report: Dict[str, Any]  # empty if lanecheck wrote none
    texts: Dict[str, str]  # by finding: program, lane map, command
    skipped: Dict[str, str]  # by rule: why
    baseline: List[Tuple[str, str, str]]  # what happened, entry, sentence
    rules_of_entry: Dict[str, List[str]]

    @property
    def doctor(self) -> List[str]:
        return self.report["run"]["doctor"] if self.report else []

    def outcome(self, rule: str) -> Outcome:
        if not self.report:
            return (Outcome("failed", self.output) if rule == OTHER else
                    Outcome("skipped", f"lanecheck did not judge the simulator; {OTHER} says why"))
        found = [each for each in self.report["findings"] if self._fails(each) and rule in _rules_of(each)]
        wrong, known, fixed, waiting = self._baseline_of(rule, {each["id"] for each in found})
        if rule == OTHER:
            wrong += self._failed_run(bool(found))
        text = "\n\n".join([*wrong, *(self._text(each, rule) for each in found)])
        if text:
            expected = bool(known) and not wrong
            return Outcome("failed", text, "; ".join(known + fixed) if expected else "")
        if waiting:
            return Outcome("skipped", "; ".join(waiting))
        if fixed:
            return Outcome("passed", xfail="; ".join(fixed))
        why = "" if rule == OTHER else self._not_judged() or self._not_asked(rule) or self.skipped.get(rule, "")
        return Outcome("skipped", why) if why else Outcome("passed")

    def _not_judged(self) -> str:
        """Why a rule without a finding is no pass."""
        if self.report["run"]["given_up"]:
            return f"the run ended early: {self.report['run']['given_up']}; {OTHER} says more"
        verdicts = self.report["verdicts"]
        judged = any(verdicts[each] for each in ("conforms", "diverges", "undecided"))
        return "" if judged else f"no case was judged; {OTHER} says more"

    def _not_asked(self, rule: str) -> str:
        """Why no program of the run could break the rule: the report does not list it."""
        coverage = self.report["coverage"]
        if any(each["id"] == rule for each in (*coverage["rules"], *coverage["legality"])):
            return ""
        return ("refusals of illegal programs were not judged: the simulator does not report them "
                "(reports_refusals=True of lanecheck.Backend and serve)")

    @staticmethod
    def _fails(finding: Dict[str, Any]) -> bool:
        return finding["verdict"] in ("diverges", "errored")

    def _baseline_of(self, rule: str, found: set) -> Tuple[List[str], List[str], List[str], List[str]]:
        """What the baseline says of a rule: what is not as expected, and the reasons of what is known, is fixed, or was
        not exercised enough."""
        wrong, known, fixed, waiting = [], [], [], []
        for what, entry, sentence in self.baseline:
            named = self.rules_of_entry.get(entry, []) or [OTHER]
            if entry not in found and rule not in named:
                continue
            line = f"{what}: {entry}: {sentence}" if entry else f"{what}: {sentence}"
            if what in _UNEXPECTED and (entry in found or entry in self.rules_of_entry):
                wrong.append(line)
            elif what == "incomplete" and not self._is_symptom(sentence):
                wrong.append(line)
            elif what == "known failure" and entry in found:
                known.append(f"{entry}: {sentence}")
            elif what == "fixed":
                fixed.append(line)
            elif what == "not exercised":
                waiting.append(line)
        return wrong, known, fixed, waiting

    def _is_symptom(self, sentence: str) -> bool:
        """It is what the doctor says, and the findings say the same of the rules."""
        return any(map(self._fails, self.report["findings"])) and any(each in sentence for each in self.doctor)

    def _failed_run(self, found: bool) -> List[str]:
        """Why the run is no pass although no finding says so."""
        conclusion, run = self.report["conclusion"], self.report["run"]
        if conclusion["state"] in ("failed", "incomplete"):
            return [] if found and not run["given_up"] else [self.output]
        no_findings = not any(map(self._fails, self.report["findings"]))
        return [self.output] if conclusion["state"] == "diverges" and no_findings else []

    def _text(self, finding: Dict[str, Any], rule: str) -> str:
        own = [each for each in finding["rules"] if each["id"] == rule]
        head = "".join(f"{each['id']} is broken: {each['claim']} ({each['source']['document']} section "
                       f"{each['source']['section']}, {each['standing']})\n" for each in own)
        return head + self.texts.get(finding["id"], finding["what"])


def _rules_of(finding: Dict[str, Any]) -> List[str]:
    return [each["id"] for each in finding["rules"]] or [OTHER]


def _lanecheck(*arguments: str, root: str = "") -> "subprocess.CompletedProcess[str]":
    """Runs lanecheck. What it starts finds the modules that this process finds."""
    path = os.pathsep.join([os.getcwd(), root or os.getcwd(), *filter(None, sys.path)])
    return subprocess.run([find_program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", env={**os.environ, "PYTHONPATH": path})


def _checked(ran: "subprocess.CompletedProcess[str]") -> str:
    if ran.returncode != 0:
        raise LanecheckError(ran.stdout.strip())
    return ran.stdout


def check_baseline(known: str) -> None:
    """Raises LanecheckError if the file is no list of known failures."""
    _checked(_lanecheck("baseline", "show", known))


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """One process at a time."""
    with open(lock, "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def rules_of(profile: str, folder: Path) -> List[str]:
    """The ids of the rules of a profile, from the report of a run of one case."""
    with _alone(folder / f"{profile}.lock"):
        path = folder / f"{profile}.rules.json"
        if not path.exists():
            _checked(_lanecheck("run", "--quiet", "--backend", "example", "--profile", profile, "--cases", "1", "--json",
                                str(path)))
    coverage = json.loads(path.read_text(encoding="utf-8"))["coverage"]
    return [each["id"] for each in (*coverage["rules"], *coverage["legality"])]


def run_once(backend: str, profile: str, settings: Any, folder: Path, root: str) -> ProfileRun:
    """Runs lanecheck, except if another process that shares `folder` did so already."""
    report, junit, output = (folder / f"{profile}.{kind}" for kind in ("json", "xml", "txt"))
    with _alone(folder / f"{profile}.lock"):
        if not output.exists():
            ran = _lanecheck("run", "--quiet", "--backend", backend, "--profile", profile, "--cases",
                             str(settings.cases), "--seed", str(settings.seed), "--json", str(report), root=root)
            if report.exists():
                _checked(_lanecheck("report", str(report), "--junit", str(junit)))
            output.write_text(f"{ran.stdout}exit code {ran.returncode}\n", encoding="utf-8")
    if not report.exists():
        return ProfileRun(output.read_text(encoding="utf-8"), {}, {}, {}, [], {})
    texts, skipped = _read_junit(junit)
    lines, entries = _compare(settings.baseline, report) if settings.baseline else ([], {})
    return ProfileRun(output.read_text(encoding="utf-8"), json.loads(report.read_text(encoding="utf-8")), texts, skipped, lines, entries)


def _read_junit(junit: Path) -> Tuple[Dict[str, str], Dict[str, str]]:
    """The text of each finding, and of each rule that was not exercised the reason."""
    texts, skipped = {}, {}
    for case in ElementTree.parse(junit).iter("testcase"):
        for outcome in case:
            if outcome.tag == "skipped":
                skipped[case.get("name")] = outcome.get("message")
            for part in (outcome.text or "").split("\n----\n"):
                told = re.search(r"^finding (\S+) \(seed ", part, re.MULTILINE)
                if told:
                    texts[told.group(1)] = part
    return texts, skipped


def _compare(known: str, report: Path) -> Tuple[List[Tuple[str, str, str]], Dict[str, List[str]]]:
    """The lines of `lanecheck baseline check`, and the rules of each entry."""
    ran = _lanecheck("baseline", "check", known, str(report))
    if ran.returncode not in (0, 1):
        raise LanecheckError(ran.stdout.strip())
    lines = [match.group(1, 2, 3) for match in map(_LINE.match, ran.stdout.splitlines()) if match]
    rules: Dict[str, List[str]] = {}
    for entry in json.loads(Path(known).read_text(encoding="utf-8"))["failures"]:
        rules.setdefault(entry["id"], []).extend(entry.get("rules", []))
    return [(what, entry or "", sentence) for what, entry, sentence in lines], rules
