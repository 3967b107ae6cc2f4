"""Writes a trace: the vector instructions that a simulator executes, and the bytes of UB that each of them writes."""
import json
from types import TracebackType
from typing import Any, Dict, Iterator, List, Optional, TextIO, Tuple, Type, Union

import lanecheck_backend
from lanecheck._backend import Backend, Functions, Run

_UB_BYTES = 192 * 1024
_CHUNK, _BLOCK = 4096, lanecheck_backend.BLOCK_BYTES


class Recorder:
    """What `with lanecheck.record(backend) as t:` gives. See help(lanecheck.record)."""

    def __init__(self, backend: Backend, out: TextIO, start: Dict[str, Any]) -> None:
        self._backend = backend
        self._out = out
        self._steps = 0
        self._machine = lanecheck_backend.Machine({"id": 0, "instructions": [], **start}, bytearray.fromhex(start["ub"]))
        self._homes = {each.name: each for each in self._machine.allocations}
        self._line({"schema": "lanecheck-trace-1", "name": backend.name, **start})

    @property
    def ub(self) -> bytes:
        """UB as it is now."""
        return bytes(self._machine.ub)

    def execute(self, instruction: Dict[str, Any]) -> None:
        """Executes one vector instruction, given as in `instructions` of a program (fuzz/backend/protocol.md)."""
        machine = self._machine
        before, mask = self.ub, self._mask()
        machine.instructions = [self._read(instruction)]
        machine.ub = bytearray(before)
        self._backend.run(machine)
        machine.ub, _ = lanecheck_backend._state(machine, len(before), self._backend._shows)
        self._step({"instruction": instruction, **mask}, before)

    def _read(self, instruction: Any) -> lanecheck_backend.Instruction:
        """The instruction, or an error that says what is missing in it."""
        if not isinstance(instruction, dict) or "op" not in instruction:
            raise ValueError('an instruction is a dictionary such as {"op": "set_mask", "high": "0x0", "low": "0xff"}, '
                             f"not {instruction!r:.60}")
        for role, operand in instruction.items():
            if isinstance(operand, dict) and "at" in operand and operand["at"] not in self._homes:
                raise ValueError(f"{instruction['op']}: {role} lies in '{operand['at']}', which is no allocation of this "
                                 f"recording; there are: {', '.join(self._homes)}")
        return lanecheck_backend.Instruction(instruction, self._homes)

    def copy_in(self, offset: int, data: Union[bytes, bytearray, memoryview]) -> None:
        """Something else than a vector instruction writes `data` into UB at this offset, for example DataCopy."""
        before, data = self.ub, bytes(data)
        if offset < 0 or offset + len(data) > len(before):
            raise ValueError(f"{len(data)} bytes at offset {offset} do not lie in a UB of {len(before)} bytes")
        self._machine.ub = before[:offset] + data + before[offset + len(data):]
        self._step(self._mask(), before)

    def _mask(self) -> Dict[str, Any]:
        return lanecheck_backend._state(self._machine, len(self._machine.ub), self._backend._shows)[1]

    def _step(self, fields: Dict[str, Any], before: bytes) -> None:
        wrote = [{"offset": at, "hex": self.ub[at:end].hex()} for at, end in _changes(before, self.ub)]
        self._line({"step": self._steps, **fields, "wrote": wrote})
        self._steps += 1

    def _line(self, fields: Dict[str, Any]) -> None:
        self._out.write(json.dumps(fields) + "\n")

    def _end(self) -> None:
        self._line({"steps": self._steps, **self._mask()})


def _changes(before: bytes, after: bytes) -> Iterator[Tuple[int, int]]:
    """The data blocks that differ, as ranges of bytes; neighbours are one range."""
    first = None
    for chunk in range(0, len(before), _CHUNK):
        same = before[chunk:chunk + _CHUNK] == after[chunk:chunk + _CHUNK]
        for at in range(chunk, min(chunk + _CHUNK, len(before)), _CHUNK if same else _BLOCK):
            differs = not same and before[at:at + _BLOCK] != after[at:at + _BLOCK]
            if differs and first is None:
                first = at
            elif not differs and first is not None:
                yield first, at
                first = None
    if first is not None:
        yield first, len(before)


class record:  # noqa: N801: used like a function
    """Records what a simulator executes, for `lanecheck trace`.

        with lanecheck.record(backend, "kernel.jsonl") as t:
            t.copy_in(0, data)
            t.execute({"op": "set_mask", "high": "0x0", "low": "0xff"})
            t.execute({"op": "adds.f32", "repeat": 1, "scalar": {"value": "2"},
                       "dst": {"at": "ub", "offset": 0, "block_stride": 1, "repeat_stride": 8}, "src": {...}})
        # lanecheck trace kernel.jsonl

    backend: a lanecheck.Backend, or what its argument `run` may be. It executes one instruction at a time, on the
        machine.ub and machine.mask that the instruction before left.
    file: where the trace goes
    ub_bytes, ub: the size of UB, and what it holds at the start (zeros if nothing is given)
    allocations: as in a program; without them, UB is one allocation named "ub"
    profile: the contract of the instructions: vmc, ascendc-a2, ascendc-310p, tik

    If the block ends with an exception, the trace has no last line, and `lanecheck trace` says so.
    """

    def __init__(self, backend: Union[Backend, Run, Functions], file: str = "trace.jsonl", *, profile: str = "vmc",
                 ub_bytes: int = _UB_BYTES, ub: Optional[bytes] = None,
                 allocations: Optional[List[Dict[str, Any]]] = None) -> None:
        self._backend = backend if isinstance(backend, Backend) else Backend(backend)
        self._file = file
        start = bytes(ub_bytes) if ub is None else bytes(ub)
        whole = [{"name": "ub", "type": "u8", "offset": 0, "bytes": len(start)}]
        self._start = {"profile": profile, "ub_bytes": len(start), "allocations": allocations or whole, "ub": start.hex()}

    def __enter__(self) -> Recorder:
        self._out = open(self._file, "w", encoding="utf-8")
        self._recorder = Recorder(self._backend, self._out, self._start)
        return self._recorder

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        with self._out:
            if kind is None:
                self._recorder._end()
