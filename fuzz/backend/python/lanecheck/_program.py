"""The program `lanecheck`, asked for cases and for what must happen. Nothing that it does is repeated here."""
import atexit
import contextlib
import dataclasses
import functools
import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
import threading
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional

_PROTOCOL_SLOTS = 64  # mask slots in one word of a message
_RECORD_SCHEMA = "lanecheck-record-1"
_RECORD_FIELDS = ("schema", "of", "digest")  # of a question, beside its program


class LanecheckError(Exception):
    """The program `lanecheck` was not found, or it could not do what was asked."""


def find_program() -> str:
    """Returns the path of the program `lanecheck`: $LANECHECK, else the one that the wheel installed beside this
    Python, else the first one in PATH."""
    named = os.environ.get("LANECHECK")
    found = shutil.which(named) if named else (
        shutil.which("lanecheck", path=sysconfig.get_path("scripts")) or shutil.which("lanecheck"))
    if found is None and named:
        raise LanecheckError(f"LANECHECK={named}: there is no such program")
    if found is None:
        raise LanecheckError("there is no program `lanecheck` in PATH; set LANECHECK to its path")
    return os.path.abspath(found)


@dataclasses.dataclass(frozen=True)
class Result:
    """What came out of a program.

    state: "ran", "refused" (the program is illegal), "skipped" (not on offer) or "errored" (the backend broke)
    ub: all of UB afterwards if the program ran, else None
    mask: 256 bytes of 0 or 1, one for each slot, if the program ran and the backend shows its mask, else None
    why: one line, if the program did not run. Two results are equal if all except `why` is equal.
    """
    state: str
    ub: Optional[bytes] = None
    mask: Optional[bytes] = None
    why: str = dataclasses.field(default="", compare=False)


def result_of(answer: Dict[str, Any], ub: Optional[bytes] = None) -> Result:
    """The result that an entry of `answers` holds (fuzz/backend/protocol.md). `ub`: if the entry does not hold it."""
    if "ran" not in answer:
        state = next(each for each in ("refused", "skipped", "errored") if each in answer)
        return Result(state, why=answer[state])
    ran, mask = answer["ran"], None
    if "mask" in ran:
        mask = bytes(int(word, 16) >> bit & 1 for word in ran["mask"] for bit in range(_PROTOCOL_SLOTS))
    return Result("ran", bytes.fromhex(ran["ub"]) if ub is None else bytes(ub), mask)


class _Oracle:
    """A process `lanecheck serve --backend oracle`, which ends with this one."""

    def __init__(self, program: str) -> None:
        self._lock = threading.Lock()
        self._messages = tempfile.TemporaryFile()
        self._process = subprocess.Popen([program, "serve", "--backend", "oracle"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=self._messages)
        atexit.register(self._end)

    def _end(self) -> None:
        with contextlib.suppress(BrokenPipeError):  # it ended before
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        self._messages.close()

    def _why(self) -> str:
        """What the process said before it ended."""
        self._messages.seek(0)
        said = self._messages.read().decode(errors="replace").strip()
        return f": {said}" if said else ""

    def ask(self, program: Dict[str, Any]) -> Dict[str, Any]:
        message = {"cmd": "run", "encoding": "hex", "programs": [{"id": 0, **_fields(program)}]}
        with self._lock:
            try:
                self._process.stdin.write(json.dumps(message).encode() + b"\n")
                self._process.stdin.flush()
                line = self._process.stdout.readline()
            except OSError:
                line = b""
        if not line:
            _oracle.cache_clear()
            raise LanecheckError(f"`lanecheck serve --backend oracle` ended with status {self._process.wait()}"
                                 + self._why())
        return json.loads(line)["answers"][0]


@functools.lru_cache(maxsize=4)
def _oracle(program: str, process: int) -> _Oracle:
    """One for each process: a process that was forked must not share the pipe of its parent."""
    return _Oracle(program)


def oracle(program: Dict[str, Any]) -> Result:
    """Returns what must happen when `program` runs.

    program: a dictionary as in `run` of fuzz/backend/protocol.md: ub_bytes, allocations, instructions, ub (hexadecimal)
        and, except for vmc, profile. `lanecheck.cases` makes some.

    The state is "ran", or "refused" if the program is illegal. Where the documents leave a choice (the last bit of exp,
    what a NaN looks like) the result is one of those allowed: ask `lanecheck.judge` whether another one is too. Raises LanecheckError if `program` cannot be read.

        >>> program = {"ub_bytes": 32, "ub": "00" * 32,
        ...            "allocations": [{"name": "d", "type": "i32", "offset": 0, "bytes": 32}],
        ...            "instructions": [{"op": "set_mask", "high": "0x0", "low": "0x5"}]}
        >>> list(lanecheck.oracle(program).mask[:4])
        [1, 0, 1, 0]
    """
    result = result_of(_oracle(find_program(), os.getpid()).ask(program))
    if result.state in ("skipped", "errored"):
        raise LanecheckError(result.why)
    return result


def judge(program: Dict[str, Any], result: Result) -> List[str]:
    """Returns what is wrong with the `result` of `program`, a sentence for each fault; [] if the documents allow it.

    program: as for `lanecheck.oracle`
    result: what a simulator left; a lanecheck.Backend gives it, or make one: lanecheck.Result("ran", ub, mask)

    Where the documents leave a choice (the last bit of exp, what a NaN looks like), all of its options are right.

        for case in lanecheck.cases(only=["add", "cadd.f16"]):
            assert lanecheck.judge(case.program, backend(case.program)) == []

    Raises LanecheckError if `program` cannot be read, or if nothing can be judged: the simulator skips it.
    """
    record = {"schema": _RECORD_SCHEMA, "id": 0, **_fields(program), **_answer_of(result)}
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [find_program(), "judge", "-", "--profile", record.get("profile", "vmc"), "--json", report]
        done = subprocess.run(command, input=json.dumps(record).encode() + b"\n", stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode not in (0, 1):
            raise LanecheckError(done.stderr.decode(errors="replace").strip() or result.why)
        with open(report, encoding="utf-8") as file:
            findings = json.load(file)["findings"]
    return [each["what"] for each in findings if each["verdict"] != "undecided"]


def _answer_of(result: Result) -> Dict[str, Any]:
    """A result as in a record."""
    if result.state != "ran":
        return {result.state: result.why}
    ran = {"ub": bytes(result.ub).hex()}
    if result.mask is not None:
        words = [sum(slot << bit for bit, slot in enumerate(result.mask[at:at + _PROTOCOL_SLOTS]))
                 for at in range(0, len(result.mask), _PROTOCOL_SLOTS)]
        ran["mask"] = [f"0x{word:x}" for word in words]
    return {"ran": ran}


def _fields(program: Any) -> Dict[str, Any]:
    """The fields of a program, or an error that says what a program is."""
    if not isinstance(program, Mapping):
        raise LanecheckError(f"a program is a dictionary such as lanecheck.cases() gives, not {program!r:.60}")
    return dict(program)


@dataclasses.dataclass(frozen=True)
class Case:
    """A generated program: case `number` of its profile and seed, and `program` as in fuzz/backend/protocol.md."""
    number: int
    program: Dict[str, Any] = dataclasses.field(hash=False)


def cases(profile: str = "vmc", seed: int = 1, count: int = 10, first: int = 0,
          only: Iterable[str] = ()) -> Iterator[Case]:
    """Iterates over generated cases, the same that `lanecheck run` takes: case i is a function of seed and i alone.

    profile: vmc, ascendc-a2, ascendc-310p or tik
    count, first: how many cases, and the number of the first one
    only: the instructions that a simulator has, with element types or without: ["add", "cadd.f16"]; those that set the
        mask are always there. Cases without them are passed over.
    """
    command = [find_program(), "gen", "--questions", "--profile", profile, "--seed", str(seed), "--cases", str(count),
               "--first", str(first)]
    if only:
        command += ["--only", ",".join(only)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            for line in process.stdout:
                question = json.loads(line)
                program = {field: value for field, value in question.items() if field not in _RECORD_FIELDS}
                yield Case(program["id"], program)
            if process.wait() != 0:
                raise LanecheckError(process.stderr.read().decode(errors="replace").strip())
        finally:
            process.kill()  # the caller may stop early
