"""A simulator of easyasc's vector instructions that lanecheck tests: run `pytest` in this folder. Put yours into Vec."""
import struct

import lanecheck


class Vec:
    """Executes records of easyasc on UB. Here it knows add of int, and obeys the mask."""

    def __init__(self, ub, mask):
        self.ub, self.mask = ub, mask

    def run(self, records):
        for name, fields in records:
            getattr(self, name)(**fields)

    def set_mask(self, low, high):
        for bit in range(64):
            self.mask[bit], self.mask[64 + bit] = low >> bit & 1, high >> bit & 1

    def reset_mask(self):
        self.mask[:] = b"\1" * 256

    def add(self, dst, src1, src2, repeat, **strides):
        for step in range(repeat):
            for lane in range(64):
                if self.mask[lane]:  # a masked-off lane keeps its old dst
                    at = {name: tensor.start + 4 * (lane % 8) + 32 * (
                        step * strides[name + "_rep_stride"] + lane // 8 * strides[name + "_blk_stride"])
                        for name, tensor in (("dst", dst), ("src1", src1), ("src2", src2))}
                    one, other = (struct.unpack_from("<I", self.ub, at[name])[0] for name in ("src1", "src2"))
                    struct.pack_into("<I", self.ub, at["dst"], (one + other) % 2**32)


def run(machine):
    Vec(machine.ub, machine.mask).run(lanecheck.easyasc.records(machine))
    return machine.ub


backend = lanecheck.Backend(run, offers=[{"instruction": "set_mask"}, {"instruction": "reset_mask"},
                                         {"instruction": "add", "dst": "i32", "src": "i32"}])
