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

#include "spec/source.h"

namespace lanecheck {

enum class EmptyReduction : std::uint8_t { keeps_dst, writes_neutral };
enum class EmptyPair : std::uint8_t { writes_zero, keeps_dst };
enum class CastMask : std::uint8_t { wider_domain, ignores_mask };
enum class IntegerSentinel : std::uint8_t { type_limit, zero };
enum class AliasWinner : std::uint8_t { last_repeat, first_repeat };
enum class MaskedTail : std::uint8_t { must_fit, may_overhang };
enum class CompareNan : std::uint8_t { ieee, never };
enum class HalfOverflow : std::uint8_t { infinity, saturate };
enum class HalfScalar : std::uint8_t { rounded_first, kept_wide };
enum class IntegerOverflow : std::uint8_t { wraps, saturates };
enum class CastOverflow : std::uint8_t { saturates, wraps };
enum class CastNan : std::uint8_t { zero, lowest };
enum class SumOrder : std::uint8_t { any, pairwise, sequential, wide };
enum class SortTies : std::uint8_t { stable, reversed };
enum class MultiplyAdd : std::uint8_t { two_roundings, fused };
enum class Subnormals : std::uint8_t { kept, flushed };
enum class MaskAfter : std::uint8_t { unchanged, all_ones };

struct Readings {
  EmptyReduction empty_reduction{};
  EmptyPair empty_pair{};
  CastMask cast_mask{};
  IntegerSentinel integer_sentinel{};
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

  bool operator==(const Readings&) const = default;
};

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
};

std::span<const Reading> readings();
const Reading* find_reading(std::string_view id);

/// Sets one reading from "id=option"; throws std::invalid_argument that names what exists.
void pin(Readings& readings, std::string_view setting);

/// The readings that differ from the default, as (id, option name).
std::vector<std::pair<std::string_view, std::string_view>> departures(const Readings& readings);

}  // namespace lanecheck
