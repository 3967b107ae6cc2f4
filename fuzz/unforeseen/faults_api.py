"""Faults of api_unit.py (ascendc-a2, and ascendc-310p for VectorPadding). Each function replaces the method named first;
`old` is that method."""
import numpy as np

from faults import both, fault
from lanecheck_backend import lanes, size_of

a2, padding = fault("ascendc-a2"), fault("ascendc-310p")


# Counter mode.

@a2("counted_repeats", "counter mode runs the repeat times of the call", about="repeats state",
     says=[both("repeat times|repeat", "counter|count")])
def counter_runs_repeat_times(old, unit, i):
    return range(i.repeat)


@a2("counted_gate", "counter mode: the last repeat is computed in full", about="repeats gate state empty",
    says=[both("counter|count|past", "last repeat|full|tail|past|beyond|after the")])
def counter_tail_full(old, unit, i, r):
    return np.ones(lanes(i), bool)


@a2("counted_repeats", "counter mode leaves a last repeat out that is not full", about="repeats state",
    says=[both("counter|count|last repeat|tail", "last repeat|left out|missing|tail|unwritten|skip")])
def counter_tail_lost(old, unit, i):
    return range(unit.count(i) // lanes(i))


@a2("count", "counter mode reads 8 bits of the count", about="repeats state",
    says=[both("count", r"8 bits|25[56]|low byte|mod|bits? (is|are) lost|truncat")])
def counter_8_bits(old, unit, i):
    return old(unit, i) & 255


@a2("counted_repeats", "counter mode stops after two repeats", about="repeats state",
    says=[both("counter|count|repeat", "two|2|stop|third|left out|missing|not run")])
def counter_two_repeats(old, unit, i):
    return range(min(2, len(old(unit, i))))


@a2("counted_gate", "counter mode: the count holds for each repeat instead of all", about="repeats gate state empty",
    says=[both("count", "each repeat|every repeat|per repeat|of a repeat|contiguous")])
def counter_per_repeat(old, unit, i, r):
    return np.arange(lanes(i)) < unit.count(i)


@a2("stride", "counter mode takes the repeat stride of src0 as 8", about="place state",
    says=[both("repeat stride")])
def counter_src0_repeat_stride(old, unit, i, role, which):
    wrong = unit.mode == "counter" and role == "src0" and which == "repeat_stride"
    return 8 if wrong else old(unit, i, role, which)


@a2("stride", "counter mode takes the block stride of dst as 1", about="place state", says=[both("block stride")])
def counter_dst_block_stride(old, unit, i, role, which):
    wrong = unit.mode == "counter" and role == "dst" and which == "block_stride"
    return 1 if wrong else old(unit, i, role, which)


@a2("counted_gate", "counter mode computes one element more than the count", about="repeats gate state empty",
    says=[both("count", r"one (element )?more|\+ ?1|past|beyond|too many")])
def counter_one_more(old, unit, i, r):
    return np.arange(lanes(i)) <= unit.count(i) - r * lanes(i)


@a2("counted_gate", "counter mode completes the last data block", about="repeats gate state empty arithmetic",
    says=[both("block", "count|whole|complet|full|round|past")])
def counter_whole_blocks(old, unit, i, r):
    per_block = 32 // max(size_of(i.dst_type), size_of(i.src_type))
    return np.repeat(old(unit, i, r).reshape(-1, per_block).any(axis=1), per_block)


@a2("group_gate", "counter mode: reductions take elements past the count too", about="repeats gate state empty",
    says=[both("count|counter", "past|beyond|contribut|full|ignor|all elements")])
def reductions_past_count(old, unit, i, r):
    return np.ones(lanes(i), bool) if unit.mode == "counter" else old(unit, i, r)


# The register and the mode.

@a2("set_mask_norm", "SetMaskNorm has no effect", about="state",
    says=[r"set_?mask_?norm|counter mode stays|stays in counter",
    both("mode", "normal|counter")])
def norm_without_effect(old, unit):
    pass


@a2("set_mask_norm", "SetMaskNorm sets all slots", about="state gate",
    says=[both("set_?mask_?norm|normal mode", "all slots|reset|ones|fill|full mask")])
def norm_resets_mask(old, unit):
    old(unit)
    unit.mask[:] = 1


@a2("set_mask_count", "SetMaskCount clears slots 64..127", about="state gate",
    says=[both("set_?mask_?count|counter mode|slot", "64|high|upper|clear")])
def count_clears_high(old, unit):
    old(unit)
    unit.mask[64:128] = 0


@a2("reset_mask", "ResetMask chooses normal mode", about="state",
    says=[both("reset", "mode|normal")])
def reset_chooses_normal(old, unit):
    old(unit)
    unit.mode = "normal"


@a2("set_mask", "the high word of a bitwise mask is lost: slots 64..127 become 0", about="state gate",
    says=[both("high|64|upper", "lost|0|ignored|off|clear")])
def bitwise_high_lost(old, unit, high, low):
    old(unit, 0, low)


@a2("set_prefix", "a contiguous mask of n switches n + 1 elements on", about="state gate",
    says=[both("contiguous|length|n elements|first n", r"one more|\+ ?1|too many|off by one")])
def contiguous_one_more(old, unit, length):
    old(unit, length + 1 if length < 128 else length)


@a2("set_prefix", "a contiguous mask above 64 is taken as 64", about="state gate",
    says=[both("contiguous|length|n elements|first n|64", r"\b64\b|high word|upper")])
def contiguous_at_most_64(old, unit, length):
    old(unit, min(length, 64))


@a2("set_prefix", "a contiguous mask is rounded up to whole groups of 8 elements", about="state gate arithmetic",
    says=[both("contiguous|length|n elements|first n", r"\b8\b|round|multiple|group|block")])
def contiguous_eights(old, unit, length):
    old(unit, -(-length // 8) * 8)


@a2("take_operand", "a reduction ignores its own contiguous mask and uses the register", about="state gate empty",
    says=[both("own mask|operand|contiguous|register", "register|ignor|outside|not (take|use)|before")])
def reductions_use_register(old, unit, i):
    if i.op not in ("cadd", "cmax", "cgmax") or i.mask_operand is None or "contiguous" not in i.mask_operand:
        old(unit, i)


@a2("take_operand", "an instruction's own bitwise mask is ORed with the register", about="state gate",
    says=[both("own mask|operand|bitwise|register", r"\bor(ed)?\b|combin|adds? to|union|register|before|"
                                                     r"outside|earlier")])
def operand_ored(old, unit, i):
    before = unit.mask[:64].copy()
    old(unit, i)
    if i.mask_operand is not None and "low" in i.mask_operand:
        unit.mask[:64] |= before


@a2("finish", "the form for the first n elements leaves counter mode on", about="state",
    says=[both("first n|count|counter", "mode|left on|stays")])
def first_n_leaves_counter(old, unit, i):
    counted = i.mask_operand is not None and "count" in i.mask_operand
    old(unit, i)
    unit.mode = "counter" if counted else unit.mode


@a2("after", "SetVectorMask holds for one elementwise instruction only", about="state gate",
    says=[both("set_?vector_?mask|register|mask", "one (call|instruction)|once|only|after|reset|"
                                                  "does not (stay|hold)|lost")])
def register_holds_once(old, unit, i):
    if i.mask_operand is None:
        unit.mask[:] = 1


# Gates and reductions.

@a2("gate", "muls.f32 in normal mode is gated by slot l + 64 in odd repeats", about="gate repeats",
    says=[both(r"64", "odd|repeat"), "advanc"])
def muls_f32_odd_repeats(old, unit, i, r):
    wrong = i.op == "muls" and i.dst_type == "f32" and unit.mode == "normal" and r % 2
    return unit.mask[64:128].astype(bool) if wrong else old(unit, i, r)


@a2("neutral", "masked-off elements of cgmax.f16 count as -65504", about="neutral",
    says=[both("neutral|sentinel|masked|off|counts? as|acts?", "65504|(largest|lowest|least) finite")])
def a2_cgmax_neutral(old, unit, i):
    return -65504 if i.op == "cgmax" and i.src_type == "f16" else old(unit, i)


@a2("neutral", "masked-off elements of cmin count as 0", about="neutral",
    says=[both("neutral|sentinel|masked|off", r"\b0\b|zero")])
def a2_cmin_neutral(old, unit, i):
    return 0 if i.op == "cmin" else old(unit, i)


@a2("result_places", "the repeat stride of a WholeReduceSum's dst counts 32 bytes", about="place",
    says=[both("repeat stride", "32|block|bytes|unit")])
def a2_cadd_stride_in_blocks(old, unit, i, r):
    return old(unit, i, 0) + 32 * r * i.dst.repeat_stride if i.op == "cadd" else old(unit, i, r)


@a2("split", "BlockReduceSum forms its blocks from every eighth element", about="place",
    says=[both("block|lane|element", "eighth|interleav|other (lanes|elements|blocks)|contribut|every")])
def a2_cgadd_interleaved(old, unit, i, x):
    return x.reshape(-1, 8).T if i.op == "cgadd" else old(unit, i, x)


# GatherMask.

@a2("fixed_pattern", "pattern 3 keeps the second of every four elements", about="place",
    says=[both("pattern 3", "second|other|index|elements after")])
def pattern_3_second(old, unit, i, lane):
    return lane % 4 == 1 if i.pattern == 3 else old(unit, i, lane)


@a2("fixed_pattern", "patterns 5 and 6 are exchanged", about="place",
    says=[both("pattern", "5|6|exchang|swap|third|fourth")])
def patterns_5_6_exchanged(old, unit, i, lane):
    return lane % 4 == {5: 3, 6: 2}[i.pattern] if i.pattern in (5, 6) else old(unit, i, lane)


@a2("kept_places", "elements kept by the second and later repeats of GatherMask leave a gap of one element",
    about="place",
    says=[r"\bgap|dense|packed|without a gap"])
def gather_mask_gap(old, unit, i, kept, count):
    return old(unit, i, kept + (1 if kept else 0), count)


@a2("returned", "GatherMask returns a count of bytes", about="",
    says=[both("count|return", "byte|times|size|\\b[24]\\b")])
def gather_mask_returns_bytes(old, unit, i, kept):
    return kept * size_of(i.dst_type)


@a2("returned", "GatherMask returns at most 255", about="", says=[both("count|return", "25[56]|8 bits|byte|mod")])
def gather_mask_returns_8_bits(old, unit, i, kept):
    return min(kept, 255)


@a2("user_pattern", "GatherMask uses the user pattern of its first repeat in every repeat", about="place repeats",
    says=[both("pattern|src1", "first repeat|repeat 0|same|every repeat|reus|advanc|stride")])
def user_pattern_reused(old, unit, i, r, count):
    return old(unit, i, 0, count)


@a2("user_pattern", "GatherMask uses the first 32 bits of a user pattern again for each 32 elements", about="",
    says=[both("pattern|src1|bits", r"\b32\b|again|row|in a row|reus|mod")])
def user_pattern_32_bits(old, unit, i, r, count):
    return np.resize(old(unit, i, r, count)[:32], count)


@a2("stride", "GatherMask takes the repeat stride of src0 as 8", about="place", says=["repeat stride"])
def gather_mask_repeat_stride(old, unit, i, role, which):
    return 8 if i.op.startswith("gather_mask") and which == "repeat_stride" else old(unit, i, role, which)


@a2("stride", "GatherMask ignores the block stride of src0", about="place", says=["block stride"])
def gather_mask_block_stride(old, unit, i, role, which):
    return 1 if i.op.startswith("gather_mask") and which == "block_stride" else old(unit, i, role, which)


@a2("fixed_pattern", "GatherMask with a fixed pattern keeps only elements whose mask slot is 1", about="gate state",
    says=[both("mask|slot", "gather_?mask|consum|gate|only|select|vector mask")])
def gather_mask_gated(old, unit, i, lane):
    return old(unit, i, lane) & unit.mask[lane % 128].astype(bool)


@a2("leave_gather_mask", "GatherMask leaves counter mode on", about="state",
    says=[both("gather_?mask|afterwards|after", "mode|counter|normal")])
def gather_mask_leaves_counter(old, unit, i):
    mode = unit.mode
    old(unit, i)
    unit.mode = mode


@a2("chunks", "GatherMask in normal mode takes only `mask` elements if its mask is not 0", about="repeats",
    says=[both("mask", "normal|argument|effect|elements")])
def gather_mask_normal_mask(old, unit, i):
    return [min(each, i.mask) if i.mask and not i.counter else each for each in old(unit, i)]


# VectorPadding.

@padding("padded", "padMode 0 on the left takes the last element of the data block", about="place",
         says=[both("mode 0|pad", "last|right|side|first")])
def padding_0_left_takes_last(old, unit, i, blocks):
    return np.repeat(blocks[:, -1:], blocks.shape[1], axis=1) if i.mode == 0 else old(unit, i, blocks)


@padding("padded", "padMode 1 copies without mirroring", about="place",
         says=[both("mode 1|pad", "mirror|symmetr|copies|order")])
def padding_1_not_mirrored(old, unit, i, blocks):
    return blocks if i.mode == 1 else old(unit, i, blocks)


@padding("padded", "padMode 2 fills the free place with its neighbour instead of 0", about="",
         says=[both("mode 2|pad|free|discarded|place|fill", r"\b0\b|zero|neighbour|discarded")])
def padding_2_without_zero(old, unit, i, blocks):
    y = old(unit, i, blocks)
    if i.mode == 2:
        y[:, -1 if i.side else 0] = y[:, -2 if i.side else 1]
    return y


@padding("padded", "padMode 2 on the right drops the first element, as on the left", about="place",
         says=[both("mode 2|pad", "right|left|side|first|drop|discard")])
def padding_2_side_ignored(old, unit, i, blocks):
    if i.mode != 2:
        return old(unit, i, blocks)
    return np.hstack([np.zeros_like(blocks[:, :1]), blocks[:, :0:-1]])


@padding("padded", "padMode 0 takes the element of data block 0 for the whole repeat", about="place",
         says=[both("block", "block 0|first block|whole repeat|by itself|other|each")])
def padding_0_block_0(old, unit, i, blocks):
    return np.repeat(old(unit, i, blocks)[:1], 8, axis=0) if i.mode == 0 else old(unit, i, blocks)


@padding("padded", "the mask also gates what VectorPadding reads: a masked-off element of src counts as 0",
         about="gate neutral",
         says=[both("mask", "read|src|source|counts|gates"), both("off", "read as 0")])
def padding_mask_gates_reads(old, unit, i, blocks):
    if unit.mode == "counter":
        return old(unit, i, blocks)
    return old(unit, i, np.where(unit.gate(i, 0).reshape(8, -1), blocks, blocks.dtype.type(0)))


@padding("padded", "padding of 32-bit types works on halves of a data block", about="place",
         says=[both("block", r"half|halves|16 bytes|\b4\b")])
def padding_32_bit_halves(old, unit, i, blocks):
    if blocks.shape[1] != 8:
        return old(unit, i, blocks)
    return old(unit, i, blocks.reshape(16, 4)).reshape(8, 8)


@padding("stride", "VectorPadding ignores the block stride of src", about="place", says=["block stride"])
def padding_src_block_stride(old, unit, i, role, which):
    return 1 if i.op == "vpadding" and role == "src" and which == "block_stride" else old(unit, i, role, which)


@padding("store", "VectorPadding writes 0 to masked-off elements in its last repeat", about="gate repeats",
         says=[both(r"zero|writes 0|\b0\b", "masked|off|inactive")])
def padding_zeroes(old, unit, i, r, values, gate):
    if i.op == "vpadding" and r == len(unit.repeats(i)) - 1:
        values, gate = np.where(gate, values, values.dtype.type(0)), np.ones_like(gate)
    old(unit, i, r, values, gate)
