// The options of the readings, option 0 first. Which reading has which options stands in reading.cc.
#pragma once

#include "spec/program/reading.h"

namespace lanecheck::reading_options {

inline constexpr Option kEmptyReduction[] = {
    {"keeps_dst", "the destination scalar is not written"},
    {"writes_neutral", "the neutral element (0, or the sentinel) is written"},
};
inline constexpr Option kEmptyPair[] = {
    {"writes_zero", "both elements read as 0 and the sum 0 is written"},
    {"keeps_dst", "the destination element is not written"},
};
inline constexpr Option kCastMask[] = {
    {"wider_domain", "mask slot e gates element e, 256 bytes of the wider of the two types make a repeat"},
    {"ignores_mask", "cast writes every element, as the pending entry of section 5 permits"},
};
inline constexpr Option kAliasWinner[] = {
    {"last_repeat", "repeats and blocks are written in ascending order, so the last write stays"},
    {"first_repeat", "the first write to a place stays; later repeats leave it"},
};
inline constexpr Option kMaskedTail[] = {
    {"must_fit", "every lane of the repeat lies inside the allocation, masked off or not"},
    {"may_overhang", "lanes after the last active one may lie past the allocation, inside UB"},
};
inline constexpr Option kCompareNan[] = {
    {"ieee", "NE is true, all others are false"},
    {"never", "all six are false"},
};
inline constexpr Option kHalfOverflow[] = {
    {"infinity", "IEEE: infinities and NaN stay"},
    {"saturate", "an infinite f16 or bf16 result becomes the largest finite value, NaN becomes 0"},
};
inline constexpr Option kHalfScalar[] = {
    {"rounded_first", "the scalar is rounded to the element type, then used"},
    {"kept_wide", "the operation is done in f32 with the unrounded scalar, then rounded once"},
};
inline constexpr Option kIntegerOverflow[] = {
    {"wraps", "the low bits stay (two's complement)"},
    {"saturates", "the result is clamped to the type"},
};
inline constexpr Option kCastOverflow[] = {
    {"saturates", "clamped to the least or greatest value"},
    {"wraps", "the low bits of the rounded integer stay"},
    {"integers_wrap", "an integer source: the low bits stay; a float source: clamped"},
};
inline constexpr Option kCastNan[] = {
    {"zero", "NaN becomes 0"},
    {"lowest", "NaN becomes the least value of the type, as x86 conversions do"},
};
inline constexpr Option kSumOrder[] = {
    {"any", "any order: the sum may err by the bound of n additions"},
    {"pairwise", "neighbours are added level by level, each sum rounded to the type"},
    {"sequential", "from lane 0 upwards, each sum rounded to the type"},
    {"wide", "added in f32 from lane 0 upwards (f32: in f64), rounded once"},
};
inline constexpr Option kSortTies[] = {
    {"stable", "equal scores keep their source order; on a merge the lower queue goes first"},
    {"reversed", "equal scores come out in reverse source order; on a merge the higher queue goes first"},
};
inline constexpr Option kMultiplyAdd[] = {
    {"two_roundings", "the product is rounded, then the sum"},
    {"fused", "one rounding at the end"},
};
inline constexpr Option kSubnormals[] = {
    {"kept", "IEEE gradual underflow"},
    {"flushed", "subnormal float inputs and results of arithmetic become zero of their sign"},
};
inline constexpr Option kMaskAfter[] = {
    {"unchanged", "the mask stays as it was"},
    {"all_ones", "all 256 slots are 1 afterwards"},
};

inline constexpr Option kMaskUse[] = {
    {"ignores", "the mask has no say"},
    {"gates", "an element whose slot is 0 keeps its old dst"},
};
inline constexpr Option kMaskAfterGatherMask[] = {
    {"argument", "the high word is 0, the low word is the mask argument of the call"},
    {"all_ones", "all slots are 1"},
    {"unchanged", "the mask stays as it was"},
};
inline constexpr Option kMaskAfterOperand[] = {
    {"operand", "the mask that the instruction brought"},
    {"unchanged", "what was there before the instruction"},
    {"all_ones", "all 256 slots are 1"},
};
inline constexpr Option kModeArgument[] = {
    {"no_effect", "the mode stays; only SetMaskNorm and SetMaskCount choose it"},
    {"chooses", "the mode becomes the one that the argument names"},
};
inline constexpr Option kCounterHighWord[] = {
    {"arrives", "slots 64 to 127 hold it, as in normal mode, and no count is read from them"},
    {"no_effect", "slots 64 to 127 stay as they were"},
};
inline constexpr Option kCounterHighWordRange[] = {
    {"zero", "another maskHigh than 0 must be refused"},
    {"any", "it is legal, and reading counter_high_word says what becomes of it"},
};
inline constexpr Option kIdleSelectBits[] = {
    {"loads", "the 16 bytes of its control, as with other repeat times"},
    {"unchanged", "what it held before"},
};
inline constexpr Option kCastHalfOverflow[] = {
    {"by_direction",
     "the round mode decides: the greatest finite value if it rounds towards it, else infinity"},
    {"infinity", "infinity in every round mode"},
    {"greatest", "the greatest finite value (65504) in every round mode"},
};
inline constexpr Option kBitOrder[] = {
    {"lowest_first", "element n has bit n mod 8 of byte n / 8, the lowest bit first"},
    {"highest_first", "element n has bit 7 - n mod 8 of byte n / 8, the highest bit first"},
};
inline constexpr Option kGatherCounter[] = {
    {"per_repeat", "`mask` elements in every repeat, repeat times of them (configuration 1)"},
    {"total", "`mask` elements in all, 256 bytes in a repeat, repeat times ignored (configuration 2)"},
};
inline constexpr Option kGatherPastCount[] = {
    {"kept", "elements of dst past the returned count keep their old value"},
    {"undefined", "elements of dst past the returned count may hold anything"},
};
inline constexpr Option kZeroMask[] = {
    {"illegal", "a mask without an active lane must be refused"},
    {"no_op", "it is legal, and nothing is written"},
};
inline constexpr Option kShiftLeftSign[] = {
    {"shifted_out", "the sign bit is shifted like any other"},
    {"kept", "a signed element keeps its sign bit"},
};
inline constexpr Option kPadSource[] = {
    {"own_block", "the block that is padded is mirrored"},
    {"neighbour", "the block before it (padding on the left) or after it (on the right) is mirrored"},
};
inline constexpr Option kTikOverlap[] = {
    {"partial_only", "dst and src may be the same place; a partial overlap is refused"},
    {"never", "dst and src may share no byte"},
};
inline constexpr Option kTikCounter[] = {
    {"counter", "mask_mode counter counts the elements of the whole computation"},
    {"as_normal", "the mask is taken as in normal mode, as on Atlas 200/300/500 and on training products"},
};

}  // namespace lanecheck::reading_options
