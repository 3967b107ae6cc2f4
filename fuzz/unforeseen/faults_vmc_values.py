"""More faults of vector_unit.py (profile vmc): reductions and arithmetic."""
import numpy as np

from faults import both, fault
from lanecheck_backend import lanes, size_of

vmc = fault("vmc")


# Reductions.

@vmc("neutral", "masked-off elements of cmax count as 0", about="neutral",
     says=[both(r"neutral|sentinel|masked|off", r"\b0\b|zero")])
def cmax_neutral_0(old, unit, i):
    return 0 if i.op == "cmax" else old(unit, i)


@vmc("neutral", "the sentinel of cgmin.f16 is 65504", about="neutral",
     says=[both("neutral|sentinel|masked|off|counts? as|acts?", "65504|(largest|greatest) finite")])
def cgmin_neutral_65504(old, unit, i):
    return 65504 if i.op == "cgmin" and i.src_type == "f16" else old(unit, i)


@vmc("neutral", "the sentinel of cmin.i16 is 32766", about="neutral",
     says=["32766", both("neutral|sentinel", "greatest|largest|small")])
def cmin_i16_neutral(old, unit, i):
    return 32766 if i.op == "cmin" and i.src_type == "i16" else old(unit, i)


@vmc("neutral", "masked-off elements of cgadd count as 1", about="neutral",
     says=[both(r"neutral|masked|off", r"\b1\b|one")])
def cgadd_neutral_1(old, unit, i):
    return 1 if i.op == "cgadd" else old(unit, i)


@vmc("group_gate", "cgadd: the first slot of each data block gates the block", about="gate",
     says=[both("first|slot", "block")])
def cgadd_block_first(old, unit, i, r):
    gate = old(unit, i, r)
    return np.repeat(gate.reshape(8, -1)[:, 0], lanes(i) // 8) if i.op == "cgadd" else gate


@vmc("group_gate", "cgmin: the mask advances from repeat to repeat: repeat r uses slots from r n on",
     about="gate repeats",
     says=[both("repeat", "advanc|further|moves|next|shift|slots? \\d+\\.\\.")])
def cgmin_mask_advances(old, unit, i, r):
    return np.roll(unit.mask, -lanes(i) * r)[:lanes(i)].astype(bool) if i.op == "cgmin" else old(unit, i, r)


@vmc("group_gate", "cadd ignores the mask if it is given more than one repeat", about="gate repeats",
     says=[both("mask|masked", "ignor|contribut|counts|take part|sums")])
def cadd_ignores_mask(old, unit, i, r):
    return old(unit, i, r) | (i.op == "cadd" and i.repeat > 1)


@vmc("has_result", "cpadd leaves dst alone if either slot of a pair is 0", about="empty gate",
     says=[both("pair|element|slot", "either|both|one of")])
def cpadd_either_off(old, unit, i, gate):
    return unit.split(i, gate).all(axis=1) if i.op == "cpadd" else old(unit, i, gate)


@vmc("has_result", "cadd.f32 writes 0 if no lane is active", about="empty neutral",
     says=[both("no (active )?lane|empty|all lanes|masked off entirely", "0|neutral|written|writes|overwrit")])
def cadd_f32_empty_0(old, unit, i, gate):
    return old(unit, i, gate) | (i.op == "cadd" and i.src_type == "f32")


@vmc("has_result", "cgmax writes -inf for an empty block", about="empty neutral",
     says=[both("empty|no (active )?lane|masked off entirely", "inf|sentinel|neutral|written|writes|overwrit")])
def cgmax_empty_sentinel(old, unit, i, gate):
    return old(unit, i, gate) | (i.op == "cgmax")


@vmc("has_result", "cgmax writes nothing if block 0 is empty", about="empty gate",
     says=[both("block 0|first block", "empty|off|no "), both("nothing", "block")])
def cgmax_first_empty(old, unit, i, gate):
    live = old(unit, i, gate)
    return live & live[0] if i.op == "cgmax" else live


@vmc("has_result", "cmin keeps dst if slot 0 is 0", about="empty gate",
     says=[both("slot 0|lane 0|first (slot|lane)")])
def cmin_needs_slot_0(old, unit, i, gate):
    return old(unit, i, gate) & gate[0] if i.op == "cmin" else old(unit, i, gate)


@vmc("split", "cpadd adds lane l and lane l + n / 2", about="place",
     says=[both("pair|add|sum|lane", r"half|n ?/ ?2|other (elements|lanes)|neighbour|\b(32|64)\b")])
def cpadd_halves(old, unit, i, x):
    return x.reshape(2, -1).T if i.op == "cpadd" else old(unit, i, x)


@vmc("result_places", "the repeat stride of a cmax's dst is ignored: results are packed", about="place",
     says=["repeat stride|packed|right behind|without a gap"])
def cmax_results_packed(old, unit, i, r):
    stride = 1 if i.op == "cmax" else i.dst.repeat_stride
    return old(unit, i, 0) + r * stride * unit.groups(i) * size_of(i.dst_type)


@vmc("result_places", "the repeat stride of cgmax's dst counts data blocks of 32 bytes", about="place",
     says=[both("repeat stride", r"32|blocks|bytes|unit")])
def cgmax_stride_in_blocks(old, unit, i, r):
    return old(unit, i, 0) + 32 * r * i.dst.repeat_stride if i.op == "cgmax" else old(unit, i, r)


@vmc("fold", "cgadd leaves the last lane of a data block out", about="",
     says=[both("last (lane|element)|lane (7|15)", "block|contribut|left out|miss")])
def cgadd_last_lane_lost(old, unit, i, grouped):
    return grouped[:, :-1].sum(axis=1) if i.op == "cgadd" else old(unit, i, grouped)


# Arithmetic.

@vmc("scalar", "adds.i16 uses the low 8 bits of the scalar, sign-extended", about="arithmetic",
     says=[both("scalar"), r"8 bits|low byte"])
def adds_i16_scalar_8_bits(old, unit, i):
    value = old(unit, i)
    return np.int16(value.astype(np.int8)) if i.op == "adds" and i.src_type == "i16" else value


@vmc("scalar", "muls.f32 rounds its scalar to f16", about="arithmetic", says=[both("scalar"), "f16"])
def muls_f32_scalar_f16(old, unit, i):
    value = old(unit, i)
    return np.float32(np.float16(value)) if i.op == "muls" and i.src_type == "f32" else value


@vmc("compute", "sub.i32 saturates", about="arithmetic", says=[r"saturat|clamp|overflow"])
def sub_i32_saturates(old, unit, i, values):
    if i.op != "sub" or i.dst_type != "i32":
        return old(unit, i, values)
    return np.clip(values[0].astype(np.int64) - values[1], -2**31, 2**31 - 1)


@vmc("compute", "vmax.u8 compares as signed numbers", about="arithmetic", says=[r"\bsigned|sign"])
def vmax_u8_signed(old, unit, i, values):
    if i.op != "vmax" or i.dst_type != "u8":
        return old(unit, i, values)
    return np.maximum(*(value.view(np.int8) for value in values)).view(np.uint8)


@vmc("compute", "abs.i16 of -32768 is 32767", about="arithmetic", says=[r"saturat|clamp|overflow|-?3276[78]"])
def abs_i16_saturates(old, unit, i, values):
    y = old(unit, i, values)
    return np.where(values[0] == -32768, 32767, y) if i.op == "abs" and i.dst_type == "i16" else y


@vmc("compute", "axpy.f32 rounds once (fused)", about="arithmetic",
     says=[r"fused|once|one rounding|single rounding|rounding"])
def axpy_f32_fused(old, unit, i, values):
    if i.op != "axpy" or i.dst_type != "f32":
        return old(unit, i, values)
    a, scalar, dst = (np.asarray(value, np.float64) for value in values)
    return a * scalar + dst


@vmc("compute", "relu.i16 keeps -1", about="arithmetic", says=[r"-1\b|negative"])
def relu_i16_keeps_minus_1(old, unit, i, values):
    y = old(unit, i, values)
    return np.where(values[0] == -1, values[0], y) if i.op == "relu" and i.dst_type == "i16" else y


@vmc("compute", "vand of 8-bit types clears bit 7", about="arithmetic", says=[r"bit 7|sign bit|0x7f|high(est)? bit"])
def vand_8_clears_bit_7(old, unit, i, values):
    y = old(unit, i, values)
    return y & y.dtype.type(0x7F) if i.op == "vand" and i.dst_type in ("i8", "u8") else y


@vmc("round", "cast in mode round takes ties to even", about="arithmetic", says=[both("tie|even|half|round")])
def cast_round_to_even(old, unit, i, x):
    return np.rint(x) if i.round == "round" else old(unit, i, x)


@vmc("round", "cast in mode trunc rounds towards -inf", about="arithmetic", says=[both("floor|-inf|down|trunc|round")])
def cast_trunc_floors(old, unit, i, x):
    return np.floor(x) if i.round == "trunc" else old(unit, i, x)


@vmc("round", "cast in mode round adds 0.5 in the arithmetic of the source, so 0.49999997 becomes 1",
     about="arithmetic",
     says=[both("0\\.4999|tie|half|round")])
def cast_round_adds_half(old, unit, i, x):
    kind = np.float16 if i.src_type == "f16" else np.float32
    half = np.abs(x.astype(kind)) + kind(0.5)
    return np.copysign(np.floor(half.astype(np.float64)), x) if i.round == "round" else old(unit, i, x)


@vmc("relation", "compare_scalar le is lt", about="arithmetic", says=[r"\ble\b|less|equal|\blt\b"])
def compare_scalar_le_is_lt(old, unit, i, a, b):
    return a < b if i.op == "compare_scalar" and i.compare == "le" else old(unit, i, a, b)
