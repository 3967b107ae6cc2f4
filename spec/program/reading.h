// Readings: where the documents contradict themselves or are silent, the choice has a name.
//
// A reading is one question with a closed set of options; option 0 is the default. A divergence that another
// option allows is reported as that option, never as a failure, unless the user pins the reading.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/program/profile_set.h"
#include "spec/program/source.h"

namespace lanecheck {

enum class EmptyReduction : std::uint8_t { keeps_dst, writes_neutral };
enum class EmptyPair : std::uint8_t { writes_zero, keeps_dst };
enum class CastMask : std::uint8_t { wider_domain, ignores_mask };
enum class AliasWinner : std::uint8_t { last_repeat, first_repeat };
enum class DstReadBack : std::uint8_t { as_left, as_before };
enum class MaskedTail : std::uint8_t { must_fit, may_overhang };
enum class CompareNan : std::uint8_t { ieee, never };
enum class HalfOverflow : std::uint8_t { infinity, saturate };
enum class HalfScalar : std::uint8_t { rounded_first, kept_wide };
enum class IntegerOverflow : std::uint8_t { wraps, saturates };
enum class CastOverflow : std::uint8_t { saturates, wraps, integers_wrap };
enum class CastNan : std::uint8_t { zero, lowest };
enum class SumOrder : std::uint8_t { any, pairwise, sequential, wide };
enum class SortTies : std::uint8_t { stable, reversed };
enum class SortZeros : std::uint8_t { equal, ordered };
enum class MultiplyAdd : std::uint8_t { two_roundings, fused, half_in_single };
enum class Subnormals : std::uint8_t { kept, flushed };
enum class MaskUseReading : std::uint8_t { ignores, gates };
enum class MaskAfterGatherMask : std::uint8_t { argument, all_ones, unchanged };
enum class GatherCounter : std::uint8_t { per_repeat, total };
enum class GatherPastCount : std::uint8_t { kept, undefined };
enum class OutsideDomain : std::uint8_t { ieee, undefined };
enum class MaskAfterOperand : std::uint8_t { operand, unchanged, all_ones };
enum class FullLength : std::uint8_t { whole_register, its_lanes, whole_register_of_casts };
enum class ModeArgument : std::uint8_t { no_effect, chooses };
enum class CounterHighWord : std::uint8_t { arrives, no_effect };
enum class CastHalfOverflow : std::uint8_t { by_direction, infinity, greatest };
enum class BitOrder : std::uint8_t { lowest_first, highest_first };
enum class ZeroMask : std::uint8_t { illegal, no_op };
enum class EqualOffsets : std::uint8_t { illegal, last_lane };
enum class ShiftLeftSign : std::uint8_t { shifted_out, kept };
enum class PadSource : std::uint8_t { own_block, neighbour };
enum class TikOverlap : std::uint8_t { partial_only, never };
enum class TikCounter : std::uint8_t { counter, as_normal };
enum class IdleSelectBits : std::uint8_t { loads, unchanged };
enum class CounterHighWordRange : std::uint8_t { zero, any };
enum class MaskAfter : std::uint8_t { unchanged, all_ones };

struct Readings {
  EmptyReduction empty_reduction{};
  EmptyReduction empty_extreme{};
  EmptyPair empty_pair{};
  CastMask cast_mask{};
  AliasWinner alias_winner{};
  DstReadBack dst_read_back{};
  MaskedTail masked_tail{};
  CompareNan compare_nan{};
  OutsideDomain outside_domain{};
  HalfOverflow half_overflow{};
  HalfScalar half_scalar{};
  IntegerOverflow integer_overflow{};
  CastOverflow cast_overflow{};
  CastNan cast_nan{};
  SumOrder sum_order{};
  SortTies sort_ties{};
  SortZeros sort_zeros{};
  MultiplyAdd multiply_add{};
  MultiplyAdd fused_multiply_add{};
  Subnormals subnormals{};
  MaskAfter mask_after_select{};
  MaskAfter mask_after_brcb{};
  MaskAfter mask_after_gather{};
  MaskUseReading select_mask{};
  MaskUseReading gather_uses_mask{};
  MaskAfterGatherMask mask_after_gather_mask{};
  MaskAfterOperand mask_after_operand{};
  FullLength full_length{};
  ModeArgument mode_argument{};
  CounterHighWord counter_high_word{};
  CounterHighWordRange counter_high_word_range{};
  IdleSelectBits idle_select_bits{};
  CastHalfOverflow cast_half_overflow{};
  BitOrder control_bits{};
  BitOrder pattern_bits{};
  GatherCounter gather_counter{};
  GatherPastCount gather_past_count{};
  ZeroMask zero_mask{};
  EqualOffsets equal_offsets{};
  ShiftLeftSign shift_left_sign{};
  PadSource pad_source{};
  TikOverlap tik_overlap{};
  TikCounter tik_counter{};

  bool operator==(const Readings&) const = default;
};

/// What a reading changes: how programs run in general, the arithmetic of single lanes, or which programs are
/// legal (and nothing else).
enum class Decides : std::uint8_t { execution, lane_arithmetic, legality };

struct Option {
  std::string_view name;
  std::string_view meaning;
};

/// A member of Readings, as an option number.
struct ReadingField {
  unsigned (*get)(const Readings&);
  void (*set)(Readings&, unsigned option);
};

/// One question, as data.
struct Reading {
  std::string_view id;
  std::string_view question;
  Source source;         ///< where the documents contradict each other, or where they should have said
  std::string_view why;  ///< why option 0 is the default
  std::span<const Option> options;
  ReadingField field;
  /// The profiles that leave the question open. The others settle it (spec/program/profile.cc).
  ProfileSet open;
  Decides decides = Decides::execution;

  unsigned get(const Readings& readings) const { return field.get(readings); }
  void set(Readings& readings, unsigned option) const { field.set(readings, option); }
  bool open_in(Profile profile) const { return open.contains(profile); }
};

std::span<const Reading> readings();
const Reading* find_reading(std::string_view id);

/// Sets one reading from "id=option"; throws InputError, which names what exists.
void pin(Readings& readings, std::string_view setting);

/// Do the two differ in a reading that decides this?
bool differ_in(Decides what, const Readings& one, const Readings& other);

/// The readings that differ from `base`, the defaults of a profile, as (id, option name).
std::vector<std::pair<std::string_view, std::string_view>> departures(const Readings& readings,
                                                                      const Readings& base = {});

}  // namespace lanecheck

/// The options of the readings, option 0 first. reading_table.cc says which reading has which options.
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
inline constexpr Option kDstReadBack[] = {
    {"as_left", "a repeat reads what the one before it left, so the results add up"},
    {"as_before", "all repeats read what stood there before the instruction"},
};
inline constexpr Option kMaskedTail[] = {
    {"must_fit", "every lane of the repeat lies inside the allocation, masked off or not"},
    {"may_overhang", "lanes after the last active one may lie past the allocation, inside UB"},
};
inline constexpr Option kCompareNan[] = {
    {"ieee", "NE is true, all others are false"},
    {"never", "all six are false"},
};
inline constexpr Option kOutsideDomain[] = {
    {"ieee", "IEEE 754: infinity at 0 (of the sign of 0; -infinity for ln), NaN below 0 and for 0 / 0"},
    {"undefined", "such a result may be anything"},
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
inline constexpr Option kSortZeros[] = {
    {"equal", "they are equal scores"},
    {"ordered", "+0 is greater than -0"},
};
inline constexpr Option kMultiplyAdd[] = {
    {"two_roundings", "the product is rounded, then the sum"},
    {"fused", "one rounding at the end"},
    {"half_in_single", "f16 is computed in f32 and rounded once; f32 rounds the product, then the sum"},
};
inline constexpr Option kSubnormals[] = {
    {"kept", "IEEE gradual underflow"},
    {"flushed", "subnormal float inputs and results of arithmetic become zero of their sign"},
};
inline constexpr Option kMaskAfter[] = {
    {"unchanged", "the mask stays as it was"},
    {"all_ones", "all 256 slots are 1 afterwards"},
};

inline constexpr Option kFullLength[] = {
    {"whole_register",
     "a full contiguous mask of a 64-bit type switches on slots 0 to 127, one of a cast to or from "
     "a narrower type those of its 32 lanes"},
    {"its_lanes", "a full contiguous mask of a 64-bit type switches on the slots of its 32 lanes alone"},
    {"whole_register_of_casts",
     "a full contiguous mask of a 64-bit type, or of a cast from or to one, switches on slots 0 to 127"},
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
inline constexpr Option kEqualOffsets[] = {
    {"illegal", "offsets that are equal within one repeat must be refused"},
    {"last_lane", "they are legal, and the element of the highest lane stays"},
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
