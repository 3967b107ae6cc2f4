"""Faults of vector_unit.py (profile vmc). Each function replaces the method named first; `old` is that method."""
import numpy as np

from faults import both, fault
from lanecheck_backend import lanes, size_of

vmc = fault("vmc")


def is_type(i, *types):
    return i.dst_type in types and i.src_type in types


# The mask registers.

@vmc("set_mask", "set_mask with high = 0 leaves slots 64..127 as they were", about="state gate",
     says=[both("high", "64|127|upper|stays|kept|keeps|unchanged|"
                        "left"), both(r"set_mask\(0", "64", "were|stay|keep|leave")])
def setmask_high0_kept(old, unit, high, low):
    unit.mask[:128 if high else 64] = unit.bits(high, low)[:128 if high else 64]


@vmc("set_mask", "set_mask also writes slots 128..255", about="state gate",
     says=[both("set_mask", "128"), r"slots? 128"])
def setmask_upper(old, unit, high, low):
    unit.mask[:] = np.tile(unit.bits(high, low), 2)


@vmc("set_mask", "bit 63 of low is taken as a sign and spreads over slots 64..127", about="state gate",
     says=[both("63", "64|high|upper|sign"), r"low .*sign"])
def setmask_bit63(old, unit, high, low):
    old(unit, (1 << 64) - 1 if low >> 63 else high, low)


@vmc("set_mask", "bit i of high writes slot 127 - i", about="state gate",
     says=[both("high|64", "revers|127")])
def setmask_high_reversed(old, unit, high, low):
    unit.mask[:128] = unit.bits(high, low)
    unit.mask[64:128] = unit.mask[64:128][::-1].copy()


@vmc("set_mask", "low is read as 32 bits, slots 32..63 become 0", about="state gate",
     says=[both("low|slot", "32")])
def setmask_low32(old, unit, high, low):
    old(unit, high, low & 0xFFFFFFFF)


@vmc("set_mask", "a second set_mask is ANDed with the mask that stands", about="state gate",
     says=[both("set_mask|mask", r"second|\band(s|ed)? with|earlier|before|previous|combine|accumulat|"
                                  r"never (set|1)|only (clear|switches slots off)")])
def setmask_accumulates(old, unit, high, low):
    unit.mask[:128] &= unit.bits(high, low)


@vmc("reset_mask", "reset_mask resets slots 0..63 only", about="state gate",
     says=[both("reset", r"\b6[34]\b|low|half|slots")])
def reset_64(old, unit):
    unit.mask[:64] = 1


@vmc("after", "after a cast, all slots are 1", about="state gate",
     says=[both("cast", "mask|slot", "reset|set|chang|all|after|ones")])
def cast_resets_mask(old, unit, i):
    if i.op == "cast":
        unit.mask[:] = 1


@vmc("after", "after brcb, all slots are 1", about="state gate",
     says=[both("brcb", "mask|slot", "reset|set|chang|all|after|ones")])
def brcb_resets_mask(old, unit, i):
    if i.op == "brcb":
        unit.mask[:] = 1


@vmc("after", "compare writes its result bits into the vector mask", about="state gate",
     says=[both("compare", "mask|slot", "writ|chang|set|after|result")])
def compare_writes_mask(old, unit, i):
    if i.op == "compare":
        unit.mask[:8] = np.unpackbits(unit.ub[i.dst.start:i.dst.start + 1], bitorder="little")


# Which slot gates which lane.

@vmc("gate", "f16 lanes 64..127 are gated by slots 0..63", about="gate",
     says=[both(r"0\.\.63|mod(ulo)? 64|low(er)? (half|word|64)", r"64\.\.127|upper|lane l|64")])
def f16_slots64(old, unit, i, r):
    return unit.mask[np.arange(128) % 64].astype(bool) if is_type(i, "f16") else old(unit, i, r)


@vmc("gate", "lanes 128..255 of 8-bit types are gated by slots 0..127", about="gate",
     says=[both(r"0\.\.127|mod(ulo)? 128|low(er)? (half|128)", r"128"), both("8-bit", r"0\.\.127 twice")])
def i8_slots128(old, unit, i, r):
    return old(unit, i, r) if lanes(i) < 256 else unit.mask[np.arange(256) % 128].astype(bool)


@vmc("gate", "u8 lanes 128..255 are all gated by slot 127", about="gate", says=[both(r"slot 127", "128|upper")])
def u8_upper_by_127(old, unit, i, r):
    gate = old(unit, i, r)
    if is_type(i, "u8"):
        gate[128:] = unit.mask[127]
    return gate


@vmc("gate", "the last of several repeats ignores the mask", about="gate repeats",
     says=[both("last repeat|repeat", "ignor|every lane|all lanes|in full|always|without|masked-off")])
def last_repeat_full(old, unit, i, r):
    return np.ones(lanes(i), bool) if 1 < i.repeat == r + 1 else old(unit, i, r)


@vmc("gate", "from the third repeat on, the mask advances by one prefix per repeat", about="gate repeats",
     says=[both("repeat", "advanc|further|moves on|next slots|shift|slots? \\d+\\.\\.\\d+")])
def advance_from_third(old, unit, i, r):
    return np.roll(unit.mask, -lanes(i) * max(r - 1, 0))[:lanes(i)].astype(bool)


@vmc("gate", "dup writes the first n lanes, n being the number of active slots", about="gate",
     says=[r"popcount|number of (active|set|ones)|how many|count(s)? (of )?(the )?(active|slots|ones)|"
            r"first n\b|first active"])
def dup_popcount(old, unit, i, r):
    gate = old(unit, i, r)
    return np.arange(lanes(i)) < gate.sum() if i.op == "dup" else gate


@vmc("gate", "cast f32 from f16: lane l is gated by slot 2 l", about="gate",
     says=[r"slots? 2 ?\*? ?l|even slots|every (second|other) slot|twice|2 ?l\b|narrower|128 slots"])
def cast_slot2(old, unit, i, r):
    return unit.mask[np.arange(64) * 2].astype(bool) if i.op == "cast" and i.src_type == "f16" and \
        i.dst_type == "f32" else old(unit, i, r)


@vmc("gate", "vmin gates whole data blocks: a block is written if any of its slots is 1", about="gate",
     says=[both("block", "any|whole|gran|each|together")])
def vmin_block_granular(old, unit, i, r):
    gate, per_block = old(unit, i, r), 32 // size_of(i.dst_type)
    return np.repeat(gate.reshape(-1, per_block).any(1), per_block) if i.op == "vmin" else gate


@vmc("gate", "vor writes every lane if slots 0..63 are all 0", about="gate empty",
     says=[both("low|0\\.\\.63|64", "0|empty|all|ignore"), r"if no slot|all slots (are )?0"])
def vor_low_word_zero(old, unit, i, r):
    return old(unit, i, r) | (i.op == "vor" and not unit.mask[:64].any())


@vmc("gate", "mul.i16: lane l is gated by slot l + 1", about="gate",
     says=[r"slot l ?\+ ?1|next slot|shift|one (slot|lane) (further|later|off)|slots? 1\.\.", both("lane 0", "slot 1")])
def mul_i16_next_slot(old, unit, i, r):
    return np.roll(old(unit, i, r), -1) if i.op == "mul" and is_type(i, "i16") else old(unit, i, r)


@vmc("gate", "sub.f32 is gated by slots 64..127", about="gate", says=[r"64\.\.127|high|upper|64 (slots )?further"])
def sub_f32_high_word(old, unit, i, r):
    return unit.mask[64:128].astype(bool) if i.op == "sub" and is_type(i, "f32") else old(unit, i, r)


@vmc("gate", "abs.f16: lanes 2 k and 2 k + 1 are both gated by slot 2 k", about="gate",
     says=[r"pair|slot 2 ?k|even slot|neighbour|every (second|other) slot"])
def abs_f16_pairs(old, unit, i, r):
    gate = old(unit, i, r)
    return np.repeat(gate[::2], 2) if i.op == "abs" and is_type(i, "f16") else gate


@vmc("gate", "vmax writes lane l only if slots l and l ^ 1 are both 1", about="gate",
     says=[r"both|pair|two (slots|bits)|several (slots|bits)|neighbour|more than one (slot|bit)"])
def vmax_needs_neighbour(old, unit, i, r):
    gate = old(unit, i, r)
    return gate & gate[np.arange(lanes(i)) ^ 1] if i.op == "vmax" else gate


@vmc("gate", "vand ignores the mask in odd repeats", about="gate repeats",
     says=[both("repeat", "odd|second|every other|repeat 1")])
def vand_odd_repeats_full(old, unit, i, r):
    return old(unit, i, r) | (i.op == "vand" and r % 2 == 1)


@vmc("gate", "dup writes lane 0 whatever slot 0 is", about="gate",
     says=[both(r"lane 0|first lane|slot 0", "always|ignor|whatever|whether|even if|masked-off")])
def dup_lane0_always(old, unit, i, r):
    return old(unit, i, r) | ((np.arange(lanes(i)) == 0) & (i.op == "dup"))


@vmc("gate", "an empty mask is taken as a full one by elementwise instructions of 16-bit types", about="gate empty",
     says=[r"empty|no (active )?(slot|lane)|all slots (are )?0|all[- ]zero|everything off"])
def empty_is_full_16(old, unit, i, r):
    gate = old(unit, i, r)
    return gate | (not gate.any() and lanes(i) == 128)


@vmc("gate", "vnot in place ignores the mask", about="gate", says=[both("in place|dst is|same", "mask|gate|ignor")])
def vnot_in_place_full(old, unit, i, r):
    return old(unit, i, r) | (i.op == "vnot" and i.src.start == i.dst.start)


@vmc("store", "muladddst zeroes masked-off lanes", about="gate",
     says=[both("zero|writes 0|\\b0\\b", "masked|off|inactive")])
def muladddst_zeroing(old, unit, i, r, values, gate):
    if i.op == "muladddst":
        values, gate = np.where(gate, values, values.dtype.type(0)), np.ones_like(gate)
    old(unit, i, r, values, gate)


@vmc("store", "relu zeroes masked-off lanes in its first repeat", about="gate repeats",
     says=[both("zero|writes 0|\\b0\\b", "masked|off|inactive|first repeat")])
def relu_zeroes_first_repeat(old, unit, i, r, values, gate):
    if i.op == "relu" and r == 0:
        values, gate = np.where(gate, values, values.dtype.type(0)), np.ones_like(gate)
    old(unit, i, r, values, gate)


@vmc("free_gate", "select.f16 is gated by the vector mask", about="gate",
     says=[both("select|instruction", "mask", "consum|gate|appl|honou?r|obey|use")])
def select_f16_gated(old, unit, i):
    return unit.mask[:128].astype(bool) if i.op == "select" and is_type(i, "f16") else old(unit, i)


@vmc("free_gate", "scatter is gated by the vector mask", about="gate",
     says=[both("scatter|instruction", "mask", "consum|gate|appl|honou?r|obey|use|keeps dst where")])
def scatter_gated(old, unit, i):
    return unit.mask[:lanes(i)].astype(bool) if i.op == "scatter" else old(unit, i)


@vmc("free_gate", "gather of 16-bit types writes lanes 0..63 of a repeat only", about="gate",
     says=[both("6[34]", "lane|half|element"), r"half (of )?(the|a|each)"])
def gather_half_repeat(old, unit, i):
    return old(unit, i) & ((np.arange(lanes(i)) < 64) | (i.op != "gather"))


@vmc("relation", "compare.f32 yields 0 where the slot is 0", about="gate",
     says=[both("compar|instruction", "mask|slot", "consum|gate|appl|honou?r|obey|use|\\b0\\b")])
def compare_f32_gated(old, unit, i, a, b):
    bits = old(unit, i, a, b)
    return bits & unit.mask[:64].astype(bool) if i.op == "compare" and i.src_type == "f32" else bits


# Counts and addresses.

@vmc("repeats", "repeats run in descending order", about="repeats",
     says=[r"revers|descending|backward|order (of|in which)|first repeat .*(stays|wins)|last to (the )?first"])
def repeats_reversed(old, unit, i):
    return reversed(old(unit, i)) if i.op in ("add", "dup", "cast", "vmax") else old(unit, i)


@vmc("repeats", "repeat times above 127 lose bit 7", about="repeats",
     says=[r"\b12[78]\b|7 bits|signed|bit 7"])
def repeat_7_bits(old, unit, i):
    return range(i.repeat & 127) if i.repeat > 127 else old(unit, i)


@vmc("repeats", "repeat times of 255 run 254 repeats", about="repeats", says=[r"\b25[45]\b|last repeat"])
def repeat_255_runs_254(old, unit, i):
    return range(min(i.repeat, 254))


@vmc("repeats", "repeat times of 0 run one repeat", about="repeats",
     says=[both(r"repeat", r"(times )?(of )?\b0\b|zero", "one|once|1|runs|writes")])
def repeat_0_runs_once(old, unit, i):
    return range(max(i.repeat, 1))


@vmc("repeats", "muls leaves the last of several repeats out when their number is odd", about="repeats",
     says=[both("repeat", "last|odd|left out|missing|skip|not run|unwritten")])
def muls_odd_repeats(old, unit, i):
    return range(i.repeat - 1) if i.op == "muls" and i.repeat > 1 and i.repeat % 2 else old(unit, i)


@vmc("stride", "block strides of dst are taken as 1 above two repeats", about="place repeats",
     says=[both("block stride|contiguous", "dst|destination|writ")])
def dst_block_stride_1(old, unit, i, role, which):
    return 1 if which == "block_stride" and role == "dst" and i.repeat > 2 else old(unit, i, role, which)


@vmc("stride", "vmin: src1 walks with src0's repeat stride", about="place",
     says=[both("src1", "repeat stride", "src0"), both("src1", "repeat stride")])
def vmin_src1_repeat_stride(old, unit, i, role, which):
    return old(unit, i, "src0" if i.op == "vmin" and role == "src1" and which == "repeat_stride" else role, which)


@vmc("stride", "src1 walks with src0's repeat stride", about="place", says=[both("src1", "repeat stride")])
def src1_repeat_stride(old, unit, i, role, which):
    return old(unit, i, "src0" if role == "src1" and which == "repeat_stride" else role, which)


@vmc("stride", "src1 walks with src0's block stride", about="place", says=[both("src1", "block stride")])
def src1_block_stride(old, unit, i, role, which):
    return old(unit, i, "src0" if role == "src1" and which == "block_stride" else role, which)


@vmc("stride", "cast walks dst with the repeat stride of src", about="place", says=[both("repeat stride", "dst|src")])
def cast_dst_repeat_stride(old, unit, i, role, which):
    return old(unit, i, "src" if i.op == "cast" and which == "repeat_stride" else role, which)


@vmc("stride", "repeat strides have 7 bits", about="place", says=[both("repeat stride", "12[78]|7 bits|bit 7|mod")])
def repeat_stride_7_bits(old, unit, i, role, which):
    return old(unit, i, role, which) & (127 if which == "repeat_stride" else 65535)


@vmc("stride", "a repeat stride of 0 of src is taken as 8", about="place",
     says=[both("repeat stride", r"\b0\b|zero|\b8\b|default")])
def src_repeat_stride_0(old, unit, i, role, which):
    value = old(unit, i, role, which)
    return 8 if role == "src" and which == "repeat_stride" and value == 0 else value


@vmc("stride", "a block stride of 0 of src0 is taken as 1", about="place",
     says=[both("block stride", r"\b0\b|zero|\b1\b|contiguous|default")])
def src0_block_stride_0(old, unit, i, role, which):
    value = old(unit, i, role, which)
    return 1 if role == "src0" and which == "block_stride" and value == 0 else value


@vmc("stride", "brcb ignores the block stride of dst", about="place",
     says=["block stride|(data )?blocks in a row|contiguous blocks"])
def brcb_block_stride(old, unit, i, role, which):
    return 1 if i.op == "brcb" and which == "block_stride" else old(unit, i, role, which)


@vmc("blocks", "brcb leaves the eighth block of the last of several repeats out", about="repeats",
     says=["block 7|last block|eighth|seven|7 blocks"])
def brcb_7_blocks(old, unit, i, r):
    return 7 if 1 < i.repeat == r + 1 else 8


@vmc("operands", "adds reads src one data block further from its second repeat on", about="place repeats",
     says=[both("src|source|element", "block|further|other|shift"), r"takes other elements"])
def adds_reads_block_further(old, unit, i, r):
    if i.op != "adds" or r == 0:
        return old(unit, i, r)
    return [unit.read(unit.walk(i, "src", r) + 32, i.src_type), unit.scalar(i)]


@vmc("bits_step", "packed bits of compare are 32 bytes apart from repeat to repeat", about="place packed repeats",
     says=[r"\b32\b|gap|apart|aligned|distance|bytes further"])
def compare_step32(old, unit, i):
    return 32 if i.op == "compare" else old(unit, i)


@vmc("bits_step", "select reads the control bits of its first repeat in every repeat", about="packed repeats place",
     says=[both("control|bits", "first repeat|repeat 0|same|every repeat|reus|advanc")])
def select_control_reused(old, unit, i):
    return 0 if i.op == "select" else old(unit, i)


@vmc("bit_order", "compare packs the first lane into the highest bit of a byte", about="packed",
     says=[r"bit order|msb|highest|most significant|bit 7|revers"])
def compare_msb(old, unit, i):
    return "big" if i.op == "compare" else "little"


@vmc("bit_order", "select.f32 reads the bits of a control byte from the highest", about="packed",
     says=[r"bit order|msb|highest|most significant|bit 7|revers"])
def select_f32_msb(old, unit, i):
    return "big" if i.op == "select" and is_type(i, "f32") else "little"


@vmc("offsets", "gather uses the offsets of its first repeat in every repeat", about="place repeats",
     says=[both("offset", "first repeat|repeat 0|same|every repeat|reus|advanc")])
def gather_offsets_reused(old, unit, i, r):
    return old(unit, i, 0 if i.op == "gather" else r)
