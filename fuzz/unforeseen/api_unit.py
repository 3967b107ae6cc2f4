"""A NumPy simulator of the vector unit as the Ascend C API drives it (profiles ascendc-a2 and ascendc-310p), written from
the documents: SVM is SetVectorMask, GM is gather_mask, VP is VectorPadding. What they leave open follows the defaults of
`lanecheck readings`. As in vector_unit.py, each decision is a method that a fault can replace."""
import numpy as np

from lanecheck_backend import lanes, size_of
from vector_unit import VectorUnit


class ApiUnit(VectorUnit):
    profile = "ascendc-a2"

    def __init__(self, ub):
        super().__init__(ub)
        self.mode = "normal"

    # The register and the mode (SVM).

    def set_prefix(self, length):
        """SetVectorMask with a length in normal mode."""
        ones = (1 << length) - 1
        self.set_mask(ones >> 64 & (1 << 64) - 1, ones & (1 << 64) - 1)

    def set_total(self, length):
        """SetVectorMask with a length in counter mode."""
        self.set_mask(0, length)

    def set_mask_norm(self):
        self.mode = "normal"

    def set_mask_count(self):
        self.mode = "counter"

    def count(self, i):
        """How many elements counter mode computes: the low 32 bits of the register."""
        return int(np.packbits(self.mask[:32], bitorder="little").view("<u4")[0])

    def take_operand(self, i):
        """The instruction's own mask goes into the register."""
        operand = i.mask_operand
        if operand is None:
            return
        if "contiguous" in operand:
            self.set_prefix(operand["contiguous"])
        elif "count" in operand:
            self.mode = "counter"
            self.set_total(operand["count"])
        else:
            self.set_mask(operand["high"], operand["low"])

    def finish(self, i):
        """The form for the first n elements ends in normal mode with a full mask."""
        if i.mask_operand is not None and "count" in i.mask_operand:
            self.mode = "normal"
            self.set_prefix(128)

    # Counter mode: repeats follow from the count, the last one takes what is left (SVM).

    def counted_repeats(self, i):
        """A count that fault or accident made enormous ends soon: more repeats than this fit into no UB."""
        return range(min(-(-self.count(i) // lanes(i)), 512 + len(self.ub) // 32))

    def repeats(self, i):
        return range(i.repeat) if self.mode == "normal" else self.counted_repeats(i)

    def counted_gate(self, i, r):
        return np.arange(lanes(i)) < self.count(i) - r * lanes(i)

    def gate(self, i, r):
        return super().gate(i, r) if self.mode == "normal" else self.counted_gate(i, r)

    def group_gate(self, i, r):
        return super().group_gate(i, r) if self.mode == "normal" else self.counted_gate(i, r)

    def has_result(self, i, gate):
        return self.split(i, gate).any(axis=1)

    def elementwise(self, i):
        self.take_operand(i)
        super().elementwise(i)
        self.finish(i)

    def reduce(self, i):
        self.take_operand(i)
        super().reduce(i)
        self.finish(i)

    # GatherMask (GM): the mask register has no say.

    def chunks(self, i):
        """How many elements each repeat takes."""
        full = 256 // size_of(i.dst_type)
        if not i.counter:
            return [full] * i.repeat
        if self.profile == "ascendc-a2":
            return [i.mask] * i.repeat
        return [min(full, i.mask - first) for first in range(0, i.mask, full)]

    def fixed_pattern(self, i, lane):
        first_of = {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3), 7: (1, 0)}
        step, first = first_of[i.pattern]
        return lane % step == first

    def user_pattern(self, i, r, count):
        start = i.src1.start + 32 * r * i.src1.repeat_stride
        return np.unpackbits(self.read(start + np.arange(-(-count // 8)), "u8"), bitorder="little")[:count].astype(bool)

    def gather_places(self, i, r, count):
        lane, size = np.arange(count), size_of(i.dst_type)
        steps = r * self.stride(i, "src0", "repeat_stride") + lane // (32 // size) * self.stride(i, "src0", "block_stride")
        return i.src0.start + 32 * steps + lane % (32 // size) * size

    def kept_places(self, i, kept, count):
        """Where the next `count` elements go in dst, after `kept` ones."""
        return i.dst.start + (kept + np.arange(count)) * size_of(i.dst_type)

    def returned(self, i, kept):
        return kept

    def gather_mask(self, i):
        kept = 0
        for r, count in enumerate(self.chunks(i)):
            user = i.op == "gather_mask_user"
            chosen = self.user_pattern(i, r, count) if user else self.fixed_pattern(i, np.arange(count))
            values = self.read(self.gather_places(i, r, count)[chosen], i.dst_type)
            self.write(self.kept_places(i, kept, len(values)), i.dst_type, values)
            kept += len(values)
        self.write(np.array([i.count.start]), "u64", np.array([self.returned(i, kept)]))
        self.leave_gather_mask(i)

    def leave_gather_mask(self, i):
        """Normal mode, and the mask argument in the register."""
        self.mode = "normal"
        self.set_mask(0, i.mask)

    # VectorPadding (VP): each data block by itself; the mask gates what is written only.

    def padded(self, i, blocks):
        """blocks: one data block in each row."""
        if i.mode == 0:
            return np.repeat(blocks[:, -1:] if i.side else blocks[:, :1], blocks.shape[1], axis=1)
        mirrored = blocks[:, ::-1]
        if i.mode == 1:
            return mirrored
        zero = np.zeros_like(blocks[:, :1])
        return np.hstack([mirrored[:, 1:], zero] if i.side else [zero, mirrored[:, :-1]])

    def vpadding(self, i):
        self.take_operand(i)
        for r in self.repeats(i):
            blocks = self.read(self.walk(i, "src", r), i.src_type).reshape(8, -1)
            self.store(i, r, self.padded(i, blocks).reshape(-1), self.gate(i, r))
        self.finish(i)
