"""A simulator that lanecheck tests: run `pytest` in this folder. Call yours from run(), and offer what it has."""
import struct

import lanecheck


def add_i32(machine, i):
    steps = zip(*(lanecheck.blocks(i, operand, "i32") for operand in (i.dst, i.src0, i.src1)))
    for (_, block, dst), (_, _, src0), (_, _, src1) in steps:
        one, other = (struct.unpack_from("<8I", machine.ub, start) for start in (src0, src1))
        for lane in range(8):
            if machine.mask[8 * block + lane]:  # a masked-off lane keeps its old dst
                struct.pack_into("<I", machine.ub, dst + 4 * lane, (one[lane] + other[lane]) % 2**32)


def run(machine):
    for i in machine.instructions:
        if i.op == "set_mask":
            machine.set_mask(i.high, i.low)
        elif i.op == "reset_mask":
            machine.reset_mask()
        else:
            add_i32(machine, i)
    return machine.ub


backend = lanecheck.Backend(run, offers=[{"instruction": "set_mask"}, {"instruction": "reset_mask"},
                                         {"instruction": "add", "dst": "i32", "src": "i32"}])
