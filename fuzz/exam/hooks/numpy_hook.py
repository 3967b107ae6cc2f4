"""The NumPy example and the NumPy simulator of fuzz/unforeseen as units of an exam: exam.py numpy_hook:example.

EXAM_FAULT names a fault of fuzz/unforeseen for `unforeseen`."""
import os
import pathlib
import sys
import types

FUZZ = pathlib.Path(__file__).resolve().parent.parent.parent
for folder in ("backend/python", "unforeseen"):
    sys.path.insert(0, str(FUZZ / folder))

import numpy as np  # noqa: E402
import example_simulator  # noqa: E402
import faults  # noqa: E402
import vmc_simulator  # noqa: E402
from lanecheck_backend import TYPES, Machine  # noqa: E402

np.seterr(all="ignore")
FULL_TABLE = {"set_mask": lambda machine, i: machine.set_mask(i.high, i.low),
              "reset_mask": lambda machine, i: machine.reset_mask(), **example_simulator.INSTRUCTIONS}
if "EXAM_FAULT" in os.environ:
    faults.by_name(os.environ["EXAM_FAULT"]).plant(vmc_simulator.VectorUnit)


def check_scalar(scalar, element_type):
    """The value and the bits must say the same."""
    if element_type[0] == "f":
        value = np.array([scalar.value]).astype(TYPES[element_type][2]).tobytes()
        assert int.from_bytes(value, "little") == scalar.bits or scalar.value != scalar.value, scalar
    elif element_type == "bf16":  # the upper half of an f32
        value = np.array([scalar.bits << 16], np.uint32).view(np.float32)[0]
        assert np.float32(scalar.value) == value or scalar.value != scalar.value, scalar
    else:
        assert scalar.value % (1 << 8 * TYPES[element_type][0]) == scalar.bits, scalar


class Unit:
    """Calls the function of a table as an adapter does."""

    def __init__(self, ub, table):
        self.table = table
        self.machine = Machine({"id": 0, "allocations": [], "instructions": []}, ub)

    def __getattr__(self, op):
        typed = sorted(name for name in self.table if name.split(".")[0] == op)
        if not typed:
            raise AttributeError(op)

        def execute(**fields):
            if "scalar" in fields:
                check_scalar(fields["scalar"], fields["dst_type" if op in ("dup", "cast") else "src_type"])
            i = types.SimpleNamespace(op=op, **{"repeat": 1, **fields})
            names = [op, f"{op}.{fields.get('dst_type')}", f"{op}.{fields.get('dst_type')}.{fields.get('src_type')}"]
            found = [name for name in names if name in self.table]
            if not found:
                raise NotImplementedError(names[-1])
            self.table[found[0]](self.machine, i)
        return execute


def example(ub):
    return Unit(ub, FULL_TABLE)


def unforeseen(ub):
    return Unit(ub, vmc_simulator.table())
