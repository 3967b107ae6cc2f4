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
enum class MaskedTail : std::uint8_t { must_fit, may_overhang };
enum class CompareNan : std::uint8_t { ieee, never };
enum class HalfOverflow : std::uint8_t { infinity, saturate };
enum class HalfScalar : std::uint8_t { rounded_first, kept_wide };
enum class IntegerOverflow : std::uint8_t { wraps, saturates };
enum class CastOverflow : std::uint8_t { saturates, wraps, integers_wrap };
enum class CastNan : std::uint8_t { zero, lowest };
enum class SumOrder : std::uint8_t { any, pairwise, sequential, wide };
enum class SortTies : std::uint8_t { stable, reversed };
enum class MultiplyAdd : std::uint8_t { two_roundings, fused };
enum class Subnormals : std::uint8_t { kept, flushed };
enum class MaskUseReading : std::uint8_t { ignores, gates };
enum class MaskAfterGatherMask : std::uint8_t { argument, all_ones, unchanged };
enum class GatherCounter : std::uint8_t { per_repeat, total };
enum class GatherPastCount : std::uint8_t { kept, undefined };
enum class MaskAfterOperand : std::uint8_t { operand, unchanged, all_ones };
enum class ModeArgument : std::uint8_t { no_effect, chooses };
enum class CounterHighWord : std::uint8_t { arrives, no_effect };
enum class CastHalfOverflow : std::uint8_t { by_direction, infinity, greatest };
enum class BitOrder : std::uint8_t { lowest_first, highest_first };
enum class ZeroMask : std::uint8_t { illegal, no_op };
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
  MaskedTail masked_tail{};
  CompareNan compare_nan{};
  HalfOverflow half_overflow{};
  HalfScalar half_scalar{};
  IntegerOverflow integer_overflow{};
  CastOverflow cast_overflow{};
  CastNan cast_nan{};
  SumOrder sum_order{};
  SortTies sort_ties{};
  MultiplyAdd multiply_add{};
  Subnormals subnormals{};
  MaskAfter mask_after_select{};
  MaskAfter mask_after_brcb{};
  MaskAfter mask_after_gather{};
  MaskUseReading select_mask{};
  MaskUseReading gather_uses_mask{};
  MaskAfterGatherMask mask_after_gather_mask{};
  MaskAfterOperand mask_after_operand{};
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

/// One question, as data. `get` and `set` reach its field in Readings by option number.
struct Reading {
  std::string_view id;
  std::string_view question;
  Source source;         ///< where the documents contradict each other, or where they should have said
  std::string_view why;  ///< why option 0 is the default
  std::span<const Option> options;
  unsigned (*get)(const Readings&);
  void (*set)(Readings&, unsigned option);
  ProfileSet
      open;  ///< the profiles that leave the question open; the others settle it (spec/program/profile.cc)
  Decides decides = Decides::execution;

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
