"""An example simulator of the vmc profile in NumPy: every instruction, written from the documents (VMC is Vector Mask
Constraints) and the facts of the asc-devkit pages; it knows nothing of lanecheck's oracle.

    lanecheck run --backend 'cmd: python3 example_simulator.py'

Masking is written once for each form: elementwise instructions gate their writeback (VMC 3.1), reductions read a
masked-off element as their neutral element (VMC 3.2, 3.3), the others ignore the mask (VMC 4). An instruction is one
row of the table at the end. Where the documents are open, it follows the defaults of `lanecheck readings`."""
import functools

import numpy as np

from lanecheck_backend import TYPES, lane_offsets, lanes, serve, size_of

RECORD_BYTES = 8  # (score, index) of the sorts


# Places in UB: index arrays of shape (repeats, lanes) into UB seen as an array of one element type.

def elements(machine, element_type):
    return machine.array(element_type, 0, len(machine.ub) // size_of(element_type))


def walk(i, operand, element_type):
    """By blocks, block stride and repeat stride."""
    return lane_offsets(i, operand, element_type) // size_of(element_type)


def run_of(operand, element_type, repeats, count, step=None):
    """`count` neighbours in each repeat, the next repeat `step` bytes on (None: right behind)."""
    size = size_of(element_type)
    first = operand.start + np.arange(repeats)[:, None] * (count * size if step is None else step)
    return (first + np.arange(count) * size) // size


def scalar(i, element_type):
    return np.frombuffer(i.scalar.bits.to_bytes(8, "little"), TYPES[element_type][2], 1)[0]


# Elementwise: each repeat is read whole, then written where the mask is 1; repeats follow one another, which is only
# visible when an instruction works in place or writes a place twice.

def elementwise(compute, sources):
    def execute(machine, i):
        gate = machine.lane_mask(lanes(i))
        dst, out = walk(i, i.dst, i.dst_type), elements(machine, i.dst_type)
        operands = [getattr(i, name) for name in sources]
        places = [walk(i, operand, i.dst_type if operand is i.dst else i.src_type) for operand in operands]
        arrays = [out if operand is i.dst else elements(machine, i.src_type) for operand in operands]
        in_place = any(operand.allocation is i.dst.allocation for operand in operands)
        for repeat in [slice(r, r + 1) for r in range(i.repeat)] if in_place else [slice(None)]:
            values = compute(i, *(array[place[repeat]] for array, place in zip(arrays, places)))
            out[dst[repeat][:, gate].ravel()] = np.broadcast_to(values, dst[repeat].shape)[:, gate].ravel()
    return execute


def unary(function):
    return elementwise(lambda i, a: function(a), ["src"])


def in_double(function):
    """NumPy's float32 functions err by more than one ULP; those of float64, rounded, do not."""
    return unary(lambda x: function(x.astype("f8")).astype(x.dtype))


def binary(function):
    return elementwise(lambda i, a, b: function(a, b), ["src0", "src1"])


def with_scalar(function):
    return elementwise(lambda i, a: function(a, scalar(i, i.src_type)), ["src"])


def multiply_add(i, a, b, dst):
    """Two roundings in the type of dst."""
    return a.astype(dst.dtype) * b.astype(dst.dtype) + dst


# Cast: the wider of the two types makes the lanes (VMC 3.1).

ROUNDERS = {"rint": np.rint, "none": np.rint, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
            "round": lambda x: np.trunc(x) + np.where(np.abs(x - np.trunc(x)) >= 0.5, np.sign(x), 0)}


def bf16_to_f32(bits):
    return (bits.astype("<u4") << 16).view("<f4")


def to_integer(x, mode, element_type):
    """NaN becomes 0, what does not fit the nearest limit."""
    limits = np.iinfo(TYPES[element_type][2])
    if x.dtype.kind == "i":
        return np.clip(x, limits.min, limits.max)
    whole = ROUNDERS[mode](x.astype("f8"))
    whole = np.where(np.isnan(whole), 0, whole)
    inside = np.clip(whole, float(limits.min), np.nextafter(2.0 ** (limits.bits - (limits.min < 0)), 0))
    return np.where(whole > inside, limits.max, inside.astype("i8"))


def to_float(x, mode, digits, lowest, largest):
    """x rounded to `digits` binary digits, with the lowest exponent `lowest`; beyond `largest` is infinity."""
    if x.dtype == np.int64:  # more digits than a double has: those that do not fit become one sticky digit
        sticky = (x >> 11) * 2048.0 + np.where(x & 2047, 1024.0, 0.0)
        x = np.where((x > 2**53) | (x < -(2**53)), sticky, x)
    x = x.astype("f8")
    exponent = np.maximum(np.frexp(x)[1] - digits, lowest)
    scaled = np.ldexp(x, -exponent)
    whole = np.trunc(scaled)
    if mode == "odd":
        whole = np.where((whole != scaled) & (whole % 2 == 0), whole + np.copysign(1, x), whole)
    else:
        whole = ROUNDERS[mode](scaled)
    y = np.ldexp(np.copysign(whole, x), exponent)
    towards = {"floor": x < 0, "ceil": x > 0, "trunc": False, "odd": False}.get(mode, True)  # infinity, or stay below
    y = np.where(np.abs(y) > largest, np.copysign(np.where(towards, np.inf, largest), x), y)
    return np.where(np.isfinite(x), y, x)


def cast(i, x):
    if i.src_type == "bf16":
        x = bf16_to_f32(x)
    if (i.dst_type, i.src_type) == ("f16", "i32"):  # dequantisation: times the scale, rounded once
        return (x.astype("f8") * float(scalar(i, "f16"))).astype("<f2")
    if i.dst_type[0] == "i" or i.dst_type == "u8":
        return to_integer(x, i.round, i.dst_type)
    if (i.dst_type, i.src_type) == ("f32", "f32"):
        return np.copysign(ROUNDERS[i.round](x.astype("f8")), x)
    if i.dst_type == "f16":
        return to_float(x, i.round, 11, -24, 65504.0)
    if i.dst_type == "bf16":
        y = to_float(x, i.round, 8, -133, 3.3895313892515355e38).astype("<f4")
        return np.where(np.isnan(y), 0x7FC0, y.view("<u4") >> 16)
    return to_float(x, i.round, 24, -149, 3.4028234663852886e38)


# Reductions: a masked-off element reads as the neutral element; without any active element dst is kept (VMC 3.2, 3.3),
# except for pairs, whose sum is then 0.

def reduction(fold, neutral, groups, always=False):
    def execute(machine, i):
        count = groups(i)
        gate = machine.lane_mask(lanes(i))
        source = elements(machine, i.src_type)
        out, step = elements(machine, i.dst_type), i.dst.repeat_stride * count * size_of(i.dst_type)
        dst = run_of(i.dst, i.dst_type, i.repeat, count, step)
        places = walk(i, i.src, i.src_type)
        active = gate.reshape(count, -1).any(axis=1) | always
        in_place = i.src.allocation is i.dst.allocation
        for repeat in [slice(r, r + 1) for r in range(i.repeat)] if in_place else [slice(None)]:
            x = np.where(gate, source[places[repeat]], neutral(source.dtype)).astype(source.dtype)
            results = fold(x.reshape(len(x), count, lanes(i) // count))
            out[dst[repeat][:, active].ravel()] = results[:, active].ravel()
    return execute


def total(x):
    return x.astype("f8").sum(axis=2) if x.dtype.kind == "f" else x.sum(axis=2, dtype=x.dtype)


def lowest(dtype):
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def highest(dtype):
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max


def zero(dtype):
    return 0


def one(i):
    return 1


def per_block(i):
    return 8


def per_pair(i):
    return lanes(i) // 2


# Instructions that ignore the mask (VMC 4).

COMPARISONS = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
               "ge": np.greater_equal}


def compare(machine, i):
    source = elements(machine, i.src_type)
    if i.op == "compare":
        operands = source[walk(i, i.src0, i.src_type)], source[walk(i, i.src1, i.src_type)]
    else:
        operands = source[walk(i, i.src, i.src_type)], scalar(i, i.src_type)
    bits = np.packbits(COMPARISONS[i.compare](*operands), axis=1, bitorder="little")
    machine.bytes[run_of(i.dst, "u8", i.repeat, lanes(i) // 8)] = bits


def select(machine, i):
    source = elements(machine, i.src_type)
    control = machine.bytes[run_of(i.control, "u8", i.repeat, lanes(i) // 8)]
    chosen = np.unpackbits(control, axis=1, bitorder="little").astype(bool)
    other = scalar(i, i.src_type) if i.op == "select_number" else source[walk(i, i.src1, i.src_type)]
    values = np.where(chosen, source[walk(i, i.src0, i.src_type)], other)
    elements(machine, i.dst_type)[walk(i, i.dst, i.dst_type)] = values


def gather(machine, i):
    offsets = elements(machine, "u32")[run_of(i.offsets, "u32", i.repeat, lanes(i))].astype("i8")
    x, size = elements(machine, i.src_type), size_of(i.src_type)
    x[run_of(i.dst, i.dst_type, i.repeat, lanes(i), i.dst.repeat_stride * 32)] = x[(i.src.start + offsets) // size]


def scatter(machine, i):
    offsets = elements(machine, "u32")[run_of(i.offsets, "u32", i.repeat, lanes(i))].astype("i8")
    x, size = elements(machine, i.src_type), size_of(i.src_type)
    x[(i.dst.start + offsets) // size] = x[run_of(i.src, i.src_type, i.repeat, lanes(i), i.src.repeat_stride * 32)]


def brcb(machine, i):
    x = elements(machine, i.src_type)
    values = np.repeat(x[run_of(i.src, i.src_type, i.repeat, 8)], 32 // size_of(i.src_type), axis=1)
    x[walk(i, i.dst, i.dst_type)] = values


def put_records(machine, start, records):
    machine.bytes[start:start + records.size] = records.reshape(-1)


def descending(records, element_type):
    """Records by score, equal scores in their order."""
    scores = np.ascontiguousarray(records[:, :size_of(element_type)]).view(TYPES[element_type][2])[:, 0]
    return records[np.argsort(-scores.astype("f8"), kind="stable")]


def sort32(machine, i):
    for r in range(i.repeat):
        records = np.zeros((32, RECORD_BYTES), np.uint8)
        size = size_of(i.src_type)
        records[:, :size] = machine.bytes[i.src.start + r * 32 * size:][:32 * size].reshape(32, size)
        records[:, 4:] = machine.bytes[i.index.start + r * 128:][:128].reshape(32, 4)
        put_records(machine, i.dst.start + r * 256, descending(records, i.src_type))


def merge(machine, dst, queues, element_type):
    """The queues are sorted: merging them is a stable sort of one behind the other."""
    records = [machine.bytes[start:start + n * RECORD_BYTES].reshape(n, RECORD_BYTES) for start, n in queues]
    put_records(machine, dst, descending(np.concatenate(records), element_type))


def mergesort4(machine, i):
    queue = i.lengths[0] * RECORD_BYTES
    for step in range(0, i.repeat * 4 * queue, 4 * queue or 1):
        queues = [(i.src.start + step + q * queue, i.lengths[0]) for q in range(4)]
        merge(machine, i.dst.start + step, queues, i.src_type)


def mergesort_2seq(machine, i):
    merge(machine, i.dst.start, [(i.src0.start, i.lengths[0]), (i.src1.start, i.lengths[1])], i.src_type)


def nothing(machine, i):
    """set_cmpmask sets a register that no instruction here reads."""


INSTRUCTIONS = {
    "exp": in_double(np.exp), "ln": in_double(np.log), "abs": unary(np.abs), "rec": unary(lambda x: 1 / x),
    "sqrt": unary(np.sqrt), "rsqrt": unary(lambda x: 1 / np.sqrt(x)), "vnot": unary(np.invert),
    "relu": unary(lambda x: np.maximum(x, 0)),
    "add": binary(np.add), "sub": binary(np.subtract), "mul": binary(np.multiply), "div": binary(np.divide),
    "vmax": binary(np.maximum), "vmin": binary(np.minimum), "vand": binary(np.bitwise_and),
    "vor": binary(np.bitwise_or),
    "muladddst": elementwise(multiply_add, ["src0", "src1", "dst"]),
    "adds": with_scalar(np.add), "muls": with_scalar(np.multiply), "vmaxs": with_scalar(np.maximum),
    "vmins": with_scalar(np.minimum), "lrelu": with_scalar(lambda x, s: np.where(x >= 0, x, x * s)),
    "axpy": elementwise(lambda i, a, dst: multiply_add(i, a, scalar(i, i.src_type), dst), ["src", "dst"]),
    "dup": elementwise(lambda i: scalar(i, i.dst_type), []), "cast": elementwise(cast, ["src"]),
    "cadd": reduction(total, zero, one), "cgadd": reduction(total, zero, per_block),
    "cpadd": reduction(total, zero, per_pair, always=True),
    "cmax": reduction(functools.partial(np.max, axis=2), lowest, one),
    "cgmax": reduction(functools.partial(np.max, axis=2), lowest, per_block),
    "cmin": reduction(functools.partial(np.min, axis=2), highest, one),
    "cgmin": reduction(functools.partial(np.min, axis=2), highest, per_block),
    "select": select, "select_number": select, "compare": compare, "compare_scalar": compare,
    "gather": gather, "scatter": scatter, "sort32": sort32, "mergesort4": mergesort4,
    "mergesort_2seq": mergesort_2seq, "brcb": brcb, "set_cmpmask": nothing,
}

if __name__ == "__main__":
    np.seterr(all="ignore")
    serve(INSTRUCTIONS, name="NumPy example", version="0.1")
