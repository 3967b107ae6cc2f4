"""A plug-in for pytest 7 or later: one test for each documented rule and profile.

    pytest --lanecheck my_sim:backend --lanecheck-profile vmc --lanecheck-baseline known.json

--lanecheck takes MODULE:NAME (python3 -m lanecheck.serve) or what `lanecheck run --backend` takes. Each option can also
stand in the configuration file: `lanecheck = my_sim:backend`. lanecheck runs once for each profile, in a process of its
own; a rule fails if a finding names it, is skipped if the run did not exercise it, and is a strict xfail if
`lanecheck baseline check` says that all its findings are known. What no rule names (crashes, hangs, unexplained
results, a run that failed) fails the test `other-findings`. Select a rule with -k VMC-3.2-cadd-zero."""
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple

import pytest

from lanecheck._program import LanecheckError, find_program
from lanecheck._report import OTHER, Outcome, ProfileRun, check_baseline, rules_of, run_once

_FOLDER = pytest.StashKey[Path]()  # of the reports; all workers of xdist share it
_OPTIONS = (  # name, type of the command line, type in the configuration file, help
    ("lanecheck", str, "string", "test this simulator: MODULE:NAME, or a backend of `lanecheck run --backend`"),
    ("lanecheck-profile", str, "args", "vmc, ascendc-a2, ascendc-310p or tik; may be repeated (default: vmc)"),
    ("lanecheck-cases", int, "string", "how many cases to run for each profile (default: 20000)"),
    ("lanecheck-seed", int, "string", "the seed of the cases (default: 1)"),
    ("lanecheck-baseline", str, "string", "known failures: a file of `lanecheck baseline`"),
)


class Settings(NamedTuple):
    backend: str
    profiles: List[str]
    cases: int
    seed: int
    baseline: str


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lanecheck", "lanecheck: the mask rules of the Ascend A2 vector unit")
    for name, kind, ini, text in _OPTIONS:
        action = {"action": "append"} if ini == "args" else {}
        group.addoption("--" + name, type=kind, default=None, help=text, **action)
        parser.addini(name.replace("-", "_"), text, type=ini, default=None)


def _settings(config: pytest.Config) -> Settings:
    def given(name: str):
        value = config.getoption(name)
        return config.getini(name) if value is None else value

    try:
        return Settings(given("lanecheck") or "", list(dict.fromkeys(given("lanecheck_profile") or ["vmc"])),
                        int(given("lanecheck_cases") or 20000), int(given("lanecheck_seed") or 1),
                        given("lanecheck_baseline") or "")
    except ValueError as error:
        raise pytest.UsageError(f"lanecheck_cases and lanecheck_seed are numbers: {error}") from error


def _wanted(config: pytest.Config) -> bool:
    """A simulator is named. One in the configuration file does not count if the user asks for other tests by id."""
    by_id = any("::" in each for each in config.invocation_params.args)
    return config.getoption("lanecheck") is not None or (bool(config.getini("lanecheck")) and not by_id)


def backend_argument(backend: str) -> str:
    """MODULE:NAME as a backend that `lanecheck run` can start; other backends as they are."""
    if backend in ("example", "oracle") or backend.startswith(("cmd:", "plugin:", "wrong:")):
        return backend
    return f"cmd: {shlex.quote(sys.executable)} -m lanecheck.serve {backend}"


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    worker = getattr(config, "workerinput", None)  # of xdist
    if not _wanted(config):
        return
    if worker is not None:
        config.stash[_FOLDER] = Path(worker["lanecheck_folder"])
        return
    try:
        find_program()
        baseline = _settings(config).baseline
        if baseline:
            check_baseline(baseline)
    except LanecheckError as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[_FOLDER] = Path(tempfile.mkdtemp(prefix="lanecheck-"))


def pytest_unconfigure(config: pytest.Config) -> None:
    if _FOLDER in config.stash and not hasattr(config, "workerinput"):
        shutil.rmtree(config.stash[_FOLDER], ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    """xdist: tells a worker the folder."""
    if _FOLDER in node.config.stash:
        node.workerinput["lanecheck_folder"] = str(node.config.stash[_FOLDER])


class ProfileCollector(pytest.Collector):
    """All tests of one profile."""

    def collect(self) -> Iterator["RuleItem"]:
        try:
            rules = rules_of(self.name, self.config.stash[_FOLDER])
        except LanecheckError as error:
            raise self.CollectError(str(error)) from error
        for rule in (*rules, OTHER):
            yield RuleItem.from_parent(self, name=rule, nodeid=f"{self.nodeid}::{rule}")


class RuleFailed(Exception):
    """A finding names the rule; the text says which."""


class RuleItem(pytest.Item):
    """One rule in one profile."""

    outcome = Outcome("failed", "lanecheck did not run")

    def take(self, run: ProfileRun) -> None:
        self.outcome = run.outcome(self.name)
        if self.outcome.xfail:
            self.add_marker(pytest.mark.xfail(reason=self.outcome.xfail, raises=RuleFailed, strict=True))
        if self.outcome.state == "failed" and run.doctor:
            self.add_report_section("setup", "lanecheck doctor", "\n".join(run.doctor) + "\n")

    def runtest(self) -> None:
        if self.outcome.state == "skipped":
            pytest.skip(self.outcome.text)
        if self.outcome.state == "failed":
            raise RuleFailed(self.outcome.text)

    def repr_failure(self, excinfo):
        return str(excinfo.value) if isinstance(excinfo.value, RuleFailed) else super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, f"lanecheck {self.parent.name} {self.name}"


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    """The rules stand in no file: they join what the session itself collects."""
    report = (yield).get_result()
    if isinstance(collector, pytest.Session) and _FOLDER in collector.config.stash:
        for profile in _settings(collector.config).profiles:
            report.result.append(ProfileCollector.from_parent(collector, name=profile, nodeid=f"lanecheck::{profile}"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Runs lanecheck before the first test: --forked gives each test a process of its own."""
    if session.config.option.collectonly or session.testsfailed:
        return
    by_profile: Dict[str, List[RuleItem]] = {}
    for item in getattr(session, "items", []):  # none in the process that starts xdist's workers
        if isinstance(item, RuleItem):
            by_profile.setdefault(item.parent.name, []).append(item)
    settings, root = _settings(session.config), str(session.config.rootpath)
    for profile, items in by_profile.items():
        try:
            run = run_once(backend_argument(settings.backend), profile, settings, session.config.stash[_FOLDER], root)
        except LanecheckError as error:
            raise pytest.UsageError(str(error)) from error
        for item in items:
            item.take(run)
