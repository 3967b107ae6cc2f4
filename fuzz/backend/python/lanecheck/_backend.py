"""A simulator of this process as a backend."""
import importlib
import inspect
import sys
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Type, Union

import lanecheck_backend
from lanecheck._program import Result, result_of

Machine = lanecheck_backend.Machine
Run = Callable[[Machine], Any]
Functions = Mapping[str, Callable[[Machine, lanecheck_backend.Instruction], None]]


class Backend:
    """A simulator that lanecheck can test.

    run: a function run(machine) that executes machine.instructions on machine.ub and machine.mask, and returns UB as it
        is afterwards: `machine.ub`, or any other object with the buffer protocol (bytearray, a NumPy array) or with a
        method numpy() (a torch tensor). It may return a pair (UB, mask) if it keeps the mask in an object of its own.
        Or a dictionary {"add.f32": f, "cast": g} of functions f(machine, instruction), which change machine.ub in place;
        lanecheck leaves out the instructions that are not in it. set_mask and reset_mask are there already.
    ub: makes machine.ub from a bytearray, so that it shares the bytes or copies them. Without it, machine.ub is the
        bytearray. Examples: `lambda b: np.frombuffer(b, np.uint8)`, `lambda b: torch.frombuffer(b, dtype=torch.uint8)`.
    name, version: for the report; without a name, the name of the module
    offers: rows like {"instruction": "add", "dst": "f16"}: what a function `run` can execute; None: everything
    profiles: whose programs it takes: vmc, ascendc-a2, ascendc-310p, tik
    readings: {"empty_pair": "keeps_dst"}: what it does on purpose where the documents leave it open
    refuses: exceptions, beside lanecheck.Refuse, with which it refuses illegal programs
    reports_refusals: lanecheck sends illegal programs too, and judges whether they are refused
    shows_mask, shows_mode: whether machine.mask and machine.mode hold the state after a program

    A backend is also a function of a program: backend(case.program) runs it here and returns a lanecheck.Result.
    """

    def __init__(self, run: Union[Run, Functions], *, ub: Optional[Callable[[bytearray], Any]] = None, name: str = "",
                 version: str = "", offers: Optional[List[Dict[str, str]]] = None, profiles: Iterable[str] = ("vmc",),
                 readings: Optional[Mapping[str, str]] = None, refuses: Iterable[Type[BaseException]] = (),
                 reports_refusals: bool = False, shows_mask: bool = True, shows_mode: bool = False) -> None:
        self._in_place = isinstance(run, Mapping)
        if self._in_place:
            self._execute, derived = lanecheck_backend._dispatch(run)
            offers = derived if offers is None else offers
        else:
            _check_takes_a_machine(run)
            self._execute = run
        self._ub = ub
        self._refuses: Tuple[Type[BaseException], ...] = tuple(refuses)
        self._shows = lanecheck_backend._Shows(shows_mask, shows_mode)
        self.name = name
        self.version = version
        self._hello = {"offers": offers, "profiles": tuple(profiles), "readings": dict(readings or {}),
                       "reports_refusals": reports_refusals}

    def run(self, machine: Machine) -> None:
        """Runs the program of `machine` and leaves UB and the mask in it."""
        if self._ub is not None:
            machine.ub = self._ub(machine.ub)
        after = self._execute(machine)
        if self._in_place:
            after = machine.ub
        elif isinstance(after, tuple) and len(after) == 2:
            after, machine.mask = after
        machine.ub = _bytes_of(after)

    def __call__(self, program: Dict[str, Any]) -> Result:
        """Runs one program, given as for `lanecheck.oracle`, in this process."""
        fields = {"id": 0, **program}
        refuses = (lanecheck_backend.Refuse, *self._refuses)
        answer, ub = lanecheck_backend._answer(self.run, fields, bytearray.fromhex(fields["ub"]), refuses, self._shows)
        return result_of(answer, ub)

    def serve(self) -> None:
        """Answers lanecheck on standard input and output until it closes them: `python3 -m lanecheck.serve`."""
        lanecheck_backend.serve(self, name=self.name, version=self.version, refuses=self._refuses,
                                shows_mask=self._shows.mask, shows_mode=self._shows.mode, **self._hello)


def _check_takes_a_machine(run: Any) -> None:
    if not callable(run):
        raise TypeError(f"lanecheck.Backend: run must be a function or a dictionary of functions, not {run!r}")
    try:
        signature = inspect.signature(run)
    except ValueError:  # of some functions that are written in C nothing is known
        return
    try:
        signature.bind(None)
    except TypeError as error:
        name = getattr(run, "__name__", type(run).__name__)
        raise TypeError(f"lanecheck.Backend: lanecheck calls {name}{signature} with one argument, the machine: {error}"
                        ) from None


def _bytes_of(after: Any) -> bytes:
    if not isinstance(after, (bytes, bytearray)) and callable(getattr(after, "numpy", None)):
        after = after.numpy()
    try:
        return bytes(memoryview(after))
    except TypeError:
        what = "nothing" if after is None else f"an object of type {type(after).__name__}"
        raise TypeError(f"run returned {what}; it must return UB as it is afterwards, an object with the buffer protocol "
                        "such as machine.ub") from None


def load(place: str) -> Backend:
    """Returns the backend that "module:name" names: a Backend, or what its argument `run` may be."""
    module_name, _, name = place.partition(":")
    if not module_name or not name:
        sys.exit(f"lanecheck: '{place}' names no backend; write MODULE:NAME, for example my_sim:backend")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name.split(".")[0] and error.name != module_name:
            raise  # the module exists, and imports another one that does not
        sys.exit(f"lanecheck: there is no module '{module_name}' in {', '.join(filter(None, sys.path[:3]))}")
    if not hasattr(module, name):
        backends = [each for each, value in vars(module).items() if isinstance(value, Backend)]
        sys.exit(f"lanecheck: {module.__file__} has no '{name}'; backends in it: {', '.join(backends) or 'none'}")
    found = getattr(module, name)
    try:
        backend = found if isinstance(found, Backend) else Backend(found)
    except TypeError as error:
        sys.exit(f"{error} ({place})")
    backend.name = backend.name or module_name
    return backend
