#include "fuzz/generate/directed_cases.h"

#include <array>
#include <vector>

#include "fuzz/generate/boundary.h"
#include "fuzz/generate/builder.h"

namespace lanecheck {
namespace {

/// What a directed case tries.
enum class Tries : std::uint8_t { theme, field, twice, after_calls };

struct DirectedCase {
  Op op;
  Tries tries = Tries::theme;
  TypePair types = {};  ///< with one mode at most; drawn for all but Tries::theme
  Theme theme = Theme::wild;
  Field field = {};      ///< of Tries::field
  unsigned operand = 0;  ///< whose stride is wide
};

/// The themes that an instruction is tried on. A theme that stands twice comes twice, with other values.
std::span<const Theme> themes_of(const Row& row) {
  static constexpr std::array casts = {Theme::ties, Theme::ties, Theme::extremes};
  static constexpr std::array reductions = {Theme::by_repeat, Theme::extremes, Theme::by_repeat, Theme::wild};
  static constexpr std::array two_values = {Theme::extremes, Theme::close, Theme::wild};
  static constexpr std::array one_value = {Theme::extremes, Theme::wild};
  static constexpr std::array moves = {Theme::wild};
  if (row.rounds) return casts;
  if (row.family == Family::reductions) return reductions;
  if (row.moves_bits || row.family == Family::moves) return moves;
  const bool two = row.has_scalar || (!row.operands.empty() && row.operands.back().role == "src1");
  return two ? std::span<const Theme>(two_values) : one_value;
}

/// `pair` once for each of its modes; as it is if the instruction has none.
std::vector<TypePair> by_mode(const Row& row, const TypePair& pair) {
  constexpr std::uint8_t kEveryComparison = 0x3f;
  const std::uint8_t modes = row.compares && pair.modes == 0 ? kEveryComparison : pair.modes;
  if (modes == 0) return {pair};
  std::vector<TypePair> list;
  for (unsigned mode = 0; mode < 8; ++mode)
    if ((modes >> mode & 1) != 0) list.push_back({pair.dst, pair.src, static_cast<std::uint8_t>(1u << mode)});
  return list;
}

/// Casts of one program round ties in each mode of their types, the chosen one first: few cases meet all
/// modes.
void add_ties(const Row& row, const TypePair& chosen, Builder& builder, Profile profile) {
  builder.add_themed(row, chosen, Theme::ties);
  for (const TypePair& pair : row.in(profile).pairs)
    if (pair.dst == chosen.dst && pair.src == chosen.src)
      for (const TypePair& types : by_mode(row, pair))
        if (types.modes != chosen.modes) builder.add_themed(row, types, Theme::ties);
}

void add_fields(const Row& row, std::vector<DirectedCase>& list) {
  const auto add = [&](Field field, unsigned k) {
    list.push_back({.op = row.op, .tries = Tries::field, .field = field, .operand = k});
  };
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Walk walk = row.operands[k].walk;
    if (walk == Walk::blocks) add(Field::block_stride_zero, k);
    if (walk == Walk::blocks) add(Field::block_stride, k);
    if (walk == Walk::blocks || walk == Walk::results || walk == Walk::rows) add(Field::repeat_stride, k);
  }
  if (row.has_repeat) add(Field::repeat, 0);
  if (row.accumulates) add(Field::accumulation, 0);
  add(Field::mask_without_block, 0);
  add(Field::empty_mask, 0);
}

std::vector<DirectedCase> list_of(Profile profile) {
  std::vector<DirectedCase> list;
  for (const Row& row : instruction_table()) {
    if (!computes(row, profile)) continue;
    for (const TypePair& pair : row.in(profile).pairs)
      for (const TypePair& types : by_mode(row, pair))
        for (const Theme theme : themes_of(row))
          list.push_back({.op = row.op, .types = types, .theme = theme});
    add_fields(row, list);
    list.push_back({.op = row.op, .tries = Tries::twice});
    if (takes_register(row, profile)) list.push_back({.op = row.op, .tries = Tries::after_calls});
  }
  return list;
}

const std::vector<DirectedCase>& cases_of(Profile profile) {
  static const auto lists = [] {
    std::array<std::vector<DirectedCase>, kProfiles> all;
    for (const Profile each : kEveryProfile) all[static_cast<std::size_t>(each)] = list_of(each);
    return all;
  }();
  return lists[static_cast<std::size_t>(profile)];
}

}  // namespace

std::uint64_t directed_cases(Profile profile) {
  return cases_of(profile).size();
}

void build_directed_case(Profile profile, std::uint64_t index, Builder& builder) {
  const DirectedCase& chosen = cases_of(profile)[index];
  const Row& row = row_of(chosen.op);
  switch (chosen.tries) {
    case Tries::theme:
      if (chosen.theme == Theme::ties) return add_ties(row, chosen.types, builder, profile);
      return builder.add_themed(row, chosen.types, chosen.theme);
    case Tries::field:
      return builder.add_with_field(row, chosen.field, chosen.operand);
    case Tries::twice:
      return builder.add_twice(row);
    case Tries::after_calls:
      return builder.add_after_calls(row);
  }
}

}  // namespace lanecheck
