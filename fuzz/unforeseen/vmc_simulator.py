"""The adapter of vector_unit.py: a backend of profile vmc, with at most one fault.

    lanecheck run --backend 'cmd: python3 vmc_simulator.py --fault f16_slots64'
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "backend/python"))
import numpy as np  # noqa: E402
from lanecheck_backend import serve  # noqa: E402

from vector_unit import VectorUnit  # noqa: E402

ELEMENTWISE = ("abs relu vnot sqrt add sub mul vmax vmin vand vor muladddst adds muls vmaxs vmins axpy "
               "cast.f32.f16 cast.i32.f32 cast.i16.f16 cast.u8.f16 "
               "dup.f16 dup.f32 dup.i8 dup.u8 dup.i16 dup.u16 dup.i32 dup.u32").split()
REDUCTIONS = "cadd cgadd cpadd cmax cgmax cmin cgmin".split()
MOVES = [f"{op}.{t}" for op in ("gather", "scatter", "brcb") for t in ("f16", "f32", "i16", "u16", "i32", "u32")]


def unit(machine):
    """The simulator of this program: made at its first instruction, on the UB and the mask of lanecheck's machine."""
    if not hasattr(machine, "unit"):
        machine.unit = VectorUnit(np.frombuffer(machine.ub, np.uint8))
        machine.mask = machine.unit.mask
    return machine.unit


def method(name):
    return lambda machine, i: getattr(unit(machine), name)(i)


def table():
    rows = {name: method("elementwise") for name in ELEMENTWISE}
    rows.update({name: method("reduce") for name in REDUCTIONS})
    rows.update({name: method(name.split(".")[0]) for name in MOVES})
    rows.update({"compare": method("compare"), "compare_scalar": method("compare"), "select": method("select"),
                 "set_mask": lambda machine, i: unit(machine).set_mask(i.high, i.low),
                 "reset_mask": lambda machine, i: unit(machine).reset_mask()})
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fault"]:
        import faults
        faults.by_name(sys.argv[2]).plant(VectorUnit)
    serve(table(), name="unforeseen vmc", version="1")
