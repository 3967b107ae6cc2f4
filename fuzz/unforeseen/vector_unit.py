"""A NumPy simulator of the vector unit, profile vmc, written from the documents alone (VMC is Vector Mask Constraints).

Each decision that the documents make has a method of its own, so that a fault (faults_vmc.py) replaces one method.
An instruction `i` is an Instruction of lanecheck_backend; `r` is the number of a repeat."""
import numpy as np

from lanecheck_backend import TYPES, lanes, size_of

np.seterr(all="ignore")
COMPARISONS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
               "ge": np.greater_equal}
ROUNDERS = {"none": np.rint, "rint": np.rint, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
            "round": lambda x: np.trunc(x) + np.where(np.abs(x - np.trunc(x)) >= 0.5, np.sign(x), 0)}
SOURCES = ("src", "src0", "src1")
ACCUMULATES = ("muladddst", "axpy")  # the old dst is one more source


def dtype(element_type):
    return np.dtype(TYPES[element_type][2])


def multiply_add(a, b, old):
    """Two roundings in the type of dst."""
    return np.asarray(a).astype(old.dtype) * np.asarray(b).astype(old.dtype) + old


def greater(a, b):
    """The documents are silent on NaN: a comparison with it is false, so the first operand stays."""
    return np.where(b > a, b, a)


def less(a, b):
    return np.where(b < a, b, a)


ARITHMETIC = {
    "abs": np.abs, "relu": lambda a: np.maximum(a, a.dtype.type(0)), "vnot": np.invert, "sqrt": np.sqrt,
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "vmax": greater, "vmin": less,
    "vand": np.bitwise_and, "vor": np.bitwise_or, "muladddst": multiply_add, "axpy": multiply_add,
    "adds": np.add, "muls": np.multiply, "vmaxs": greater, "vmins": less, "dup": lambda s: s,
}


class VectorUnit:
    def __init__(self, ub):
        self.ub = ub  # all of UB as uint8; writes go through
        self.mask = np.ones(256, np.uint8)

    # The mask (VMC 1, 2).

    def bits(self, high, low):
        """128 slots: bit i of low is slot i, bit i of high is slot 64 + i."""
        return np.unpackbits(np.array([low, high], "<u8").view(np.uint8), bitorder="little")

    def set_mask(self, high, low):
        self.mask[:128] = self.bits(high, low)

    def reset_mask(self):
        self.mask[:] = 1

    # Places in UB, as byte offsets.

    def stride(self, i, role, which):
        """block_stride or repeat_stride of an operand, in data blocks."""
        return getattr(getattr(i, role), which)

    def walk(self, i, role, r):
        """Every lane of repeat r of an operand."""
        size = size_of(i.dst_type if role == "dst" else i.src_type)
        lane, per_block = np.arange(lanes(i)), 32 // size
        steps = r * self.stride(i, role, "repeat_stride") + lane // per_block * self.stride(i, role, "block_stride")
        return getattr(i, role).start + 32 * steps + lane % per_block * size

    def read(self, places, element_type):
        places = np.minimum(places, len(self.ub) - size_of(element_type))  # a faulty address stays inside UB
        return self.ub[places[:, None] + np.arange(size_of(element_type))].reshape(-1).view(dtype(element_type))

    def write(self, places, element_type, values):
        size = size_of(element_type)
        data = np.ascontiguousarray(np.asarray(values).astype(dtype(element_type))).view(np.uint8).reshape(-1, size)
        inside = places + size <= len(self.ub)
        for byte in range(size):
            self.ub[places[inside] + byte] = data[inside, byte]

    # Elementwise instructions: each repeat is read whole, then written where its slot is 1 (VMC 3.1).

    def repeats(self, i):
        return range(i.repeat)

    def gate(self, i, r):
        return self.mask[:lanes(i)].astype(bool)

    def scalar(self, i):
        element_type = i.dst_type if i.op == "dup" else i.src_type
        bits = i.scalar.bits & (1 << 8 * size_of(element_type)) - 1
        return np.array([bits], "<u8").view(dtype(element_type))[0]

    def compute(self, i, values):
        return self.cast(i, *values) if i.op == "cast" else ARITHMETIC[i.op](*values)

    def cast(self, i, x):
        if i.dst_type[0] == "f":
            return x.astype(dtype(i.dst_type))
        limits, y = np.iinfo(dtype(i.dst_type)), self.round(i, x.astype(np.float64))
        return np.clip(np.where(np.isnan(y), 0, y), limits.min, limits.max).astype(np.int64)

    def round(self, i, x):
        return ROUNDERS[i.round](x)

    def operands(self, i, r):
        """The values that repeat r computes with."""
        values = [self.read(self.walk(i, role, r), i.src_type) for role in SOURCES if hasattr(i, role)]
        return values + ([self.scalar(i)] if hasattr(i, "scalar") else [])

    def store(self, i, r, values, gate):
        self.write(self.walk(i, "dst", r)[gate], i.dst_type, values[gate])

    def elementwise(self, i):
        for r in self.repeats(i):
            values = self.operands(i, r)
            if i.op in ACCUMULATES:
                values.append(self.read(self.walk(i, "dst", r), i.dst_type))
            result = np.broadcast_to(self.compute(i, values), lanes(i)).astype(dtype(i.dst_type))
            self.store(i, r, result, self.gate(i, r))
        self.after(i)

    def after(self, i):
        """What an instruction leaves behind: nothing but its results."""

    # Reductions: a masked-off element reads as the neutral element; without any active one nothing is written, except
    # for pairs (VMC 3.2, 3.3).

    def groups(self, i):
        return {"ca": 1, "cm": 1, "cg": 8, "cp": lanes(i) // 2}[i.op[:2]]

    def group_gate(self, i, r):
        return self.mask[:lanes(i)].astype(bool)

    def neutral(self, i):
        if i.op.endswith("add"):
            return 0
        sign = -1 if i.op.endswith("max") else 1
        if i.src_type[0] == "f":
            return sign * np.inf
        return np.iinfo(dtype(i.src_type)).min if sign < 0 else np.iinfo(dtype(i.src_type)).max

    def fold(self, i, grouped):
        return {"add": grouped.sum, "max": grouped.max, "min": grouped.min}[i.op[-3:]](axis=1)

    def split(self, i, x):
        return x.reshape(self.groups(i), -1)

    def has_result(self, i, gate):
        return self.split(i, gate).any(axis=1) | (i.op == "cpadd")

    def result_places(self, i, r):
        count = self.groups(i)
        return i.dst.start + (r * i.dst.repeat_stride * count + np.arange(count)) * size_of(i.dst_type)

    def reduce(self, i):
        wide = np.float32 if i.src_type[0] == "f" else np.int64
        for r in self.repeats(i):
            gate = self.group_gate(i, r)
            x = self.read(self.walk(i, "src", r), i.src_type).astype(wide)
            results = self.fold(i, self.split(i, np.where(gate, x, wide(self.neutral(i)))))
            written = self.has_result(i, gate)
            self.write(self.result_places(i, r)[written], i.dst_type, results[written])
        self.after(i)

    # Instructions that ignore the mask (VMC 4).

    def free_gate(self, i):
        return np.ones(lanes(i), bool)

    def relation(self, i, a, b):
        return COMPARISONS[i.compare](a, b)

    def bit_order(self, i):
        return "little"

    def bits_step(self, i):
        """Bytes of packed bits in a repeat."""
        return lanes(i) // 8

    def compare(self, i):
        for r in self.repeats(i):
            values = np.packbits(self.relation(i, *self.operands(i, r)), bitorder=self.bit_order(i))
            self.write(i.dst.start + r * self.bits_step(i) + np.arange(len(values)), "u8", values)
        self.after(i)

    def select(self, i):
        for r in self.repeats(i):
            control = self.read(i.control.start + r * self.bits_step(i) + np.arange(lanes(i) // 8), "u8")
            chosen = np.unpackbits(control, bitorder=self.bit_order(i)).astype(bool)
            self.store(i, r, np.where(chosen, *self.operands(i, r)), self.free_gate(i))
        self.after(i)

    def offsets(self, i, r):
        """In bytes, one for each lane."""
        places = i.offsets.start + 4 * (r * lanes(i) + np.arange(lanes(i)))
        return self.read(places, "u32").astype(np.int64)

    def row(self, i, role, r):
        """The lanes of an operand that has a repeat stride and no block stride."""
        return (getattr(i, role).start + 32 * r * self.stride(i, role, "repeat_stride") +
                np.arange(lanes(i)) * size_of(i.dst_type))

    def gather(self, i):
        for r in self.repeats(i):
            values, gate = self.read(i.src.start + self.offsets(i, r), i.src_type), self.free_gate(i)
            self.write(self.row(i, "dst", r)[gate], i.dst_type, values[gate])
        self.after(i)

    def scatter(self, i):
        for r in self.repeats(i):
            values, gate = self.read(self.row(i, "src", r), i.src_type), self.free_gate(i)
            self.write((i.dst.start + self.offsets(i, r))[gate], i.dst_type, values[gate])
        self.after(i)

    def blocks(self, i, r):
        """How many data blocks brcb fills in a repeat."""
        return 8

    def brcb(self, i):
        for r in self.repeats(i):
            size = size_of(i.dst_type)
            values = self.read(i.src.start + (r * 8 + np.arange(8)) * size, i.src_type)
            filled = self.blocks(i, r) * 32 // size
            self.write(self.walk(i, "dst", r)[:filled], i.dst_type, np.repeat(values, 32 // size)[:filled])
        self.after(i)
