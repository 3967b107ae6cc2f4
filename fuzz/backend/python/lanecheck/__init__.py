"""lanecheck for Python: attach a simulator of the Ascend A2 vector unit, and use the oracle in its unit tests.

A simulator becomes a backend in one line; lanecheck starts the process, so there is no adapter to write:

    import lanecheck
    import numpy as np

    def run(machine):                       # my_sim.py
        for i in machine.instructions:      # help(lanecheck.Instruction), `lanecheck offers`
            ...                             # read and write machine.ub, obey machine.mask
        return machine.ub

    backend = lanecheck.Backend(run)

    pytest --lanecheck my_sim:backend       # one test for each documented rule
    lanecheck run --backend 'cmd: python3 -m lanecheck.serve my_sim:backend'

What must happen, for the unit tests of a simulator:

    for case in lanecheck.cases(profile="vmc", seed=1, count=100):
        assert lanecheck.judge(case.program, backend(case.program)) == []

(lanecheck.cases(only=["add", "cadd.f16"]) for a simulator that has only these; lanecheck.oracle(program) for the result.)

A kernel of your own, instruction by instruction (help(lanecheck.record)):

    with lanecheck.record(backend, "kernel.jsonl") as t:
        t.execute({"op": "set_mask", "high": "0x0", "low": "0xff"})

    lanecheck trace kernel.jsonl

Kernels of easyasc are programs too: help(lanecheck.easyasc).

All of it asks the program `lanecheck`, found by the environment variable LANECHECK, then in PATH. Continue with
help(lanecheck.Backend), help(lanecheck.judge) and help(lanecheck.cases).
"""
from lanecheck import easyasc
from lanecheck._backend import Backend
from lanecheck._program import Case, LanecheckError, Result, cases, find_program, judge, oracle
from lanecheck._record import Recorder, record
from lanecheck_backend import (TYPES, Allocation, Instruction, Machine, Operand, Refuse, Scalar, Skip, blocks,
                               lane_offsets, lanes, size_of)

__all__ = ["Allocation", "Backend", "Case", "Instruction", "LanecheckError", "Machine", "Operand", "Recorder", "Refuse",
           "Result", "Scalar", "Skip", "TYPES", "blocks", "cases", "easyasc", "find_program", "judge", "lane_offsets", "lanes", "oracle",
           "record", "size_of"]
