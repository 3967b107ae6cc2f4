"""The start of a lanecheck backend. It works as it is, for a few instructions:

    lanecheck doctor 'cmd: python3 my_simulator.py'
    lanecheck run --backend 'cmd: python3 my_simulator.py'

Replace these functions by calls into your simulator, and add more; `lanecheck offers` lists all instructions. lanecheck
leaves instructions that are not in the dictionary at the end out of its programs, and counts them. The rest is
explained in lanecheck_backend.py."""
import struct

from lanecheck_backend import TYPES, blocks, lanes, serve, size_of


def elements(machine, i, operand, element_type):
    """Returns, for each repeat, the byte offset in UB of each of its lanes."""
    per_block = 32 // size_of(element_type)
    repeats = [[] for _ in range(i.repeat)]
    for repeat, _, start in blocks(i, operand, element_type):
        repeats[repeat] += [start + n * size_of(element_type) for n in range(per_block)]
    return repeats


def load(machine, element_type, offset):
    return struct.unpack_from(TYPES[element_type][1], machine.ub, offset)[0]


def store(machine, element_type, offset, value):
    struct.pack_into(TYPES[element_type][1], machine.ub, offset, value)


def wrapped(value):
    """i32 arithmetic wraps around."""
    return (value + 2**31) % 2**32 - 2**31


def add_i32(machine, i):
    sources = zip(*(elements(machine, i, operand, "i32") for operand in (i.dst, i.src0, i.src1)))
    for dst, src0, src1 in sources:
        sums = [wrapped(load(machine, "i32", a) + load(machine, "i32", b)) for a, b in zip(src0, src1)]
        for lane, value in enumerate(sums):
            if machine.mask[lane]:  # a masked-off lane keeps its old dst
                store(machine, "i32", dst[lane], value)


def cadd_i32(machine, i):
    for repeat, src in enumerate(elements(machine, i, i.src, "i32")):
        active = [load(machine, "i32", src[lane]) for lane in range(lanes(i)) if machine.mask[lane]]
        if active:  # a masked-off lane counts as 0; if no lane is active, dst stays as it is
            store(machine, "i32", i.dst.start + repeat * i.dst.repeat_stride * 4, wrapped(sum(active)))


# serve() itself implements set_mask and reset_mask. A key may name the types, as here, or leave them out.
serve({"add.i32": add_i32, "cadd.i32": cadd_i32}, name="my simulator", version="0.1")
