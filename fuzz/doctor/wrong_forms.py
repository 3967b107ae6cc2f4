"""The forms of wrong_adapter.py beyond elementwise ones: cast, compare, cmax, gather, select. Of these, cast
and cmax obey the mask."""
import math
import operator
import struct

ROUNDINGS = {"none": round, "rint": round, "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc,
             "round": lambda value: int(math.copysign(math.floor(abs(value) + 0.5), value))}
COMPARISONS = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
STRIDES = {"strides-are-0": (0, 0), "strides-ignored": (1, 8), "operands-in-a-row": (1, 8)}
NAMES = ("cast", "compare", "compare_scalar", "cmax", "gather", "select")


def units_of(wrong, size):
    """The bytes that a block stride and a repeat stride of 1 stand for."""
    return {"strides-in-bytes": (1, 1), "strides-in-elements": (size, size), "block-stride-in-bytes": (1, 32),
            "block-stride-in-elements": (size, 32), "repeat-stride-in-bytes": (32, 1),
            "repeat-stride-in-elements": (32, size)}.get(wrong, (32, 32))


class Forms:
    """Runs one instruction on a machine. `start` gives the first byte of an operand, `kind` the struct format of a
    type."""

    def __init__(self, wrong, machine, start, kind):
        self.wrong, self.ub, self.mask, self.start, self.kind = wrong, machine.ub, machine.mask, start, kind
        if wrong == "mask-inverted":
            self.mask = [1 - slot for slot in machine.mask]

    def load(self, kind, at):
        return struct.unpack_from(kind, self.ub, at)[0]

    def store(self, kind, at, value):
        try:
            struct.pack_into(kind, self.ub, at, value)
        except OverflowError:
            struct.pack_into(kind, self.ub, at, math.copysign(math.inf, value))

    def places(self, instruction, role, repeat, lanes, size):
        place = instruction[role]
        stride = place["block_stride"]
        if self.wrong == "block-stride-ignored" or (self.wrong == "src1-block-stride-ignored" and role == "src1"):
            stride = 1
        step = place["repeat_stride"]
        if self.wrong in STRIDES:
            stride, step = STRIDES[self.wrong]
        if self.wrong == "strides-swapped":
            stride, step = step, stride
        if self.wrong == "repeat-stride-ignored":
            step = 8
        if self.wrong == "repeats-from-1":
            repeat += 1
        block_unit, unit = units_of(self.wrong, size)
        start = self.start(place)
        return [start + unit * repeat * step + block_unit * (n * size // 32) * stride + n * size % 32 for n in range(lanes)]

    def cast(self, instruction, types):
        dst, src = types if self.wrong != "cast-types-swapped" else types[::-1]
        to, of = self.kind(dst, of_cast=True), self.kind(src, of_cast=True)
        lanes = 256 // max(struct.calcsize(to), struct.calcsize(of))
        rounding = instruction["round"]
        if rounding != "none":
            rounding = {"cast-mode-ignored": "rint", "cast-truncates": "trunc"}.get(self.wrong, rounding)
        for repeat in range(instruction["repeat"]):
            places = [self.places(instruction, role, repeat, lanes, struct.calcsize(kind))
                      for role, kind in (("dst", to), ("src", of))]
            values = [self.load(of, at) for at in places[1]]
            for at, value, active in zip(places[0], values, self.mask):
                if active:
                    self.store(to, at, value if to[1] in "ef" else ROUNDINGS[rounding](value))

    def compare(self, instruction, types, scalar=None):
        kind = self.kind(types[-1])
        size = struct.calcsize(kind)
        lanes = 256 // size
        test = COMPARISONS["eq" if self.wrong == "compare-mode-ignored" else instruction["compare"]]
        left, right = ("src0", "src1") if scalar is None else ("src", None)
        if self.wrong == "sources-swapped" and right:
            left, right = right, left
        for repeat in range(instruction["repeat"]):
            values = [self.load(kind, at) for at in self.places(instruction, left, repeat, lanes, size)]
            others = [scalar] * lanes
            if right:
                others = [self.load(kind, at) for at in self.places(instruction, right, repeat, lanes, size)]
            if self.wrong == "compare-scalar-first" and scalar is not None:
                values, others = others, values
            bits = sum(test(a, b) << n for n, (a, b) in enumerate(zip(values, others)))
            at = self.start(instruction["dst"]) + repeat * lanes // 8
            self.ub[at:at + lanes // 8] = bits.to_bytes(lanes // 8, "little")

    def cmax(self, instruction, types):
        kind = self.kind(types[0])
        size = struct.calcsize(kind)
        stride = {"strides-are-0": 0, "strides-ignored": 8, "repeat-stride-ignored": 8, "operands-in-a-row": 1,
                  "strides-swapped": instruction["dst"].get("block_stride", 1)}.get(
            self.wrong, instruction["src" if self.wrong == "strides-of-src" else "dst"]["repeat_stride"])
        steps = {"reduction-stride-in-blocks": 32 * stride, "reduction-stride-ignored": size}
        step = steps.get(self.wrong, stride * size)
        for repeat in range(instruction["repeat"]):
            places = self.places(instruction, "src", repeat, 256 // size, size)
            values = [self.load(kind, at) for at, active in zip(places, self.mask) if active]
            if values:
                self.store(kind, self.start(instruction["dst"]) + repeat * step, max(values))

    def gather(self, instruction, types):
        kind, offsets = self.kind(types[0]), self.kind("u32")
        size = struct.calcsize(kind)
        base = 0 if self.wrong == "gather-base-ignored" else self.start(instruction["src"])
        unit = size if self.wrong == "gather-offsets-in-elements" else 1
        for repeat in range(instruction["repeat"]):
            for n in range(256 // size):
                lane = repeat * (256 // size) + n
                at = base + unit * self.load(offsets, self.start(instruction["offsets"]) + 4 * lane)
                dst = self.start(instruction["dst"]) + repeat * instruction["dst"]["repeat_stride"] * 32 + n * size
                self.store(kind, dst, self.load(kind, at))

    def select(self, instruction, types):
        kind = self.kind(types[0])
        size = struct.calcsize(kind)
        lanes = 256 // size
        first, second = "src0", "src1"
        if self.wrong in ("select-sources-swapped", "sources-swapped"):
            first, second = second, first
        for repeat in range(instruction["repeat"]):
            dst, *sources = (self.places(instruction, role, repeat, lanes, size) for role in ("dst", first, second))
            for n in range(lanes):
                bit = repeat * lanes + n
                taken = self.ub[self.start(instruction["control"]) + bit // 8] >> bit % 8 & 1
                self.store(kind, dst[n], self.load(kind, sources[0 if taken else 1][n]))
