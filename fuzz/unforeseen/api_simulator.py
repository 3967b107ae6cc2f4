"""The adapter of api_unit.py: a backend of profiles ascendc-a2, ascendc-310p and tik, with at most one fault.

    lanecheck run --profile ascendc-a2 --backend 'cmd: python3 api_simulator.py --fault counter_tail_full'
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "backend/python"))
import numpy as np  # noqa: E402
from lanecheck_backend import serve  # noqa: E402

from api_unit import ApiUnit  # noqa: E402

TYPES = ("f16", "f32", "i16", "u16", "i32", "u32")
ELEMENTWISE = ("abs relu vnot sqrt add sub mul vmax vmin vand vor muladddst adds muls vmaxs vmins axpy cast.f32.f16 "
               "cast.i32.f32 cast.i16.f16").split() + ["dup." + each for each in TYPES]
REDUCTIONS = "cadd cgadd cpadd cmax cgmax cmin cgmin".split()


def set_length(unit, i):
    """The documents do not say which slots stand for 64-bit elements; lanecheck wants all of them for a full length."""
    unit.set_prefix(128 if i.src_type in ("i64", "u64") and i.len == 32 else i.len)


class Backend:
    def __init__(self):
        self.table = {name: ApiUnit.elementwise for name in ELEMENTWISE}
        self.table.update({name: ApiUnit.reduce for name in REDUCTIONS})
        self.table.update({f"{name}.{each}": ApiUnit.gather_mask for each in TYPES
                           for name in ("gather_mask", "gather_mask_user")})
        self.table.update({
            "vpadding": ApiUnit.vpadding,
            "set_vector_mask": lambda unit, i: unit.set_mask(i.high, i.low),
            "set_vector_mask_len": set_length,
            "set_vector_mask_total": lambda unit, i: unit.set_total(i.len),
            "reset_mask": lambda unit, i: unit.reset_mask(),
            "set_mask_norm": lambda unit, i: unit.set_mask_norm(),
            "set_mask_count": lambda unit, i: unit.set_mask_count()})

    def offers(self):
        rows = [name.split(".") for name in self.table]
        return [dict(zip(("instruction", "dst", "src"), row + row[1:] if len(row) == 2 else row)) for row in rows]

    def run(self, machine):
        unit = ApiUnit(np.frombuffer(machine.ub, np.uint8))
        unit.profile, machine.mask = machine.profile, unit.mask
        for i in machine.instructions:
            (self.table.get(i.name) or self.table[i.op])(unit, i)
        machine.mode = unit.mode


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fault"]:
        import faults
        faults.by_name(sys.argv[2]).plant(ApiUnit)
    backend = Backend()
    serve(backend, name="unforeseen api", version="1", offers=backend.offers(), shows_mode=True,
          profiles=("ascendc-a2", "ascendc-310p", "tik"))
