#include "fuzz/generate/directed_cases.h"

#include <algorithm>
#include <array>
#include <vector>

#include "fuzz/generate/boundary.h"
#include "fuzz/generate/builder.h"

namespace lanecheck {
namespace {

/// What a directed case tries.
enum class Tries : std::uint8_t {
  themes,
  scalars,
  settings,
  queues,
  strides,
  far_offsets,
  repeats,
  in_place,
  mask_edges,
  counts,
  own_masks,
  twice,
  after_calls,
  before_masked
};

struct DirectedCase {
  Op op;
  Tries tries = Tries::themes;
  TypePair types = {};                 ///< of the first four
  std::span<const Theme> themes = {};  ///< of Tries::themes
  /// The operand of Tries::strides, the repeat times of Tries::repeats, the first types of
  /// Tries::before_masked.
  std::uint32_t number = 0;
};

constexpr std::uint32_t kTypesBeforeMasked = 16;  // in one program

constexpr std::array kTies = {Theme::ties};
constexpr std::array kEnds = {Theme::extremes};
constexpr std::array kWild = {Theme::wild};

/// The themes that an instruction is tried on in one program.
std::span<const Theme> themes_of(const Row& row) {
  static constexpr std::array reductions = {Theme::by_repeat, Theme::extremes, Theme::by_repeat, Theme::wild};
  static constexpr std::array two_values = {Theme::extremes, Theme::close, Theme::wild};
  static constexpr std::array one_value = {Theme::extremes, Theme::wild};
  static constexpr std::array sorts = {Theme::wild, Theme::close};
  static constexpr std::array extremes = {Theme::by_repeat, Theme::extremes, Theme::by_repeat, Theme::wild,
                                          Theme::peaks};
  if (row.neutral == Neutral::lowest || row.neutral == Neutral::highest) return extremes;
  if (row.family == Family::reductions) return reductions;
  if (row.sorts) return sorts;
  if (row.moves_bits || row.family == Family::moves) return kWild;
  const bool two = row.has_scalar || (!row.operands.empty() && row.operands.back().role == "src1");
  return two ? std::span<const Theme>(two_values) : one_value;
}

/// The types of `row`, each once with all its modes.
std::vector<TypePair> types_of(const Row& row, Profile profile) {
  std::vector<TypePair> list;
  for (const TypePair& pair : row.in(profile).pairs) {
    const auto same = std::ranges::find_if(
        list, [&](const TypePair& each) { return each.dst == pair.dst && each.src == pair.src; });
    if (same == list.end())
      list.push_back(pair);
    else
      same->modes |= pair.modes;
  }
  return list;
}

/// With each of its modes alone.
void add_scalars(const Row& row, const TypePair& types, std::vector<DirectedCase>& list) {
  Instruction insn;
  insn.op = row.op;
  insn.dst_type = types.dst;
  insn.src_type = types.src;
  if (!takes_scalar(insn)) return;
  if (!row.compares) return list.push_back({.op = row.op, .tries = Tries::scalars, .types = types});
  for (unsigned mode = 0; mode < std::size(kCompareNames); ++mode) {
    if (types.modes != 0 && (types.modes >> mode & 1) == 0) continue;
    const auto modes = static_cast<std::uint8_t>(1u << mode);
    list.push_back({.op = row.op, .tries = Tries::scalars, .types = {types.dst, types.src, modes}});
  }
}

void add_values(const Row& row, const TypePair& types, std::vector<DirectedCase>& list) {
  const auto add = [&](std::span<const Theme> themes) {
    list.push_back({.op = row.op, .types = types, .themes = themes});
  };
  if (row.rounds) {
    for (unsigned n = 0; n < 3; ++n) add(kTies);
    add(kEnds);
  } else {
    add(themes_of(row));
  }
  add_scalars(row, types, list);
  if (setting_index(row, "by") || row.compacts)
    list.push_back({.op = row.op, .tries = Tries::settings, .types = types});
  if (row.lengths > 0) list.push_back({.op = row.op, .tries = Tries::queues, .types = types});
}

void add_fields(const Row& row, Profile profile, std::vector<DirectedCase>& list) {
  const auto add = [&](Tries tries, std::uint32_t number = 0) {
    list.push_back({.op = row.op, .tries = tries, .number = number});
  };
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Walk walk = row.operands[k].walk;
    if (walk == Walk::blocks || walk == Walk::results || walk == Walk::rows || walk == Walk::pattern)
      add(Tries::strides, k);
  }
  if (indexed_operand(row)) add(Tries::far_offsets);
  if (row.has_repeat) add(Tries::repeats, 255);
  if (row.has_repeat && takes_few_repeats(row)) add(Tries::repeats, 254);
  add(Tries::mask_edges);
  const bool in_place = row.writes_dst() && row.operands.size() > 1 && !row.rounds && !row.whole_blocks &&
                        row.operands[0].walk == Walk::blocks && row.operands.back().walk == Walk::blocks;
  if (in_place) add(Tries::in_place);
  const std::uint8_t forms = mask_forms(row, profile);
  if (takes_count(row, profile)) add(Tries::counts);
  if (has_form(forms, MaskFrom::contiguous)) add(Tries::own_masks);
  add(Tries::twice);
  if (takes_register(row, profile)) add(Tries::after_calls);
  if (row_of(profile).mask_operands != MaskOperands::never) return;
  const std::size_t types = types_of(row, profile).size();
  for (std::uint32_t n = 0; n < types; n += kTypesBeforeMasked) add(Tries::before_masked, n);
}

/// Does a directed case try masks and what sets them, rather than values and walks?
bool tries_masks(const DirectedCase& each) {
  return each.tries >= Tries::mask_edges;
}

/// In a scrambled order, and those that try masks first, every second one.
std::vector<DirectedCase> list_of(Profile profile) {
  std::vector<DirectedCase> list;
  for (const Row& row : instruction_table()) {
    if (!computes(row, profile)) continue;
    for (const TypePair& types : types_of(row, profile)) add_values(row, types, list);
    add_fields(row, profile, list);
  }
  const auto others = std::stable_partition(list.begin(), list.end(), tries_masks);
  const auto masks = static_cast<std::uint64_t>(others - list.begin()), rest = list.size() - masks;
  std::vector<DirectedCase> ordered;
  for (std::uint64_t n = 0; n < std::max(masks, rest); ++n) {
    if (n < masks) ordered.push_back(list[scrambled(n, masks)]);
    if (n < rest) ordered.push_back(list[masks + scrambled(n, rest)]);
  }
  return ordered;
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
    case Tries::themes:
      return builder.add_themed(row, chosen.types, chosen.themes);
    case Tries::scalars:
      return builder.add_scalars(row, chosen.types);
    case Tries::settings:
      return builder.add_settings(row, chosen.types);
    case Tries::queues:
      return builder.add_queues(row, chosen.types);
    case Tries::strides:
      return builder.add_strides(row, chosen.number);
    case Tries::far_offsets:
      return builder.add_far_offsets(row);
    case Tries::repeats:
      return builder.add_repeats(row, chosen.number);
    case Tries::mask_edges:
      builder.add_mask_edges(row);
      return builder.add_far_blocks(row);  // more cases would come late
    case Tries::in_place:
      return builder.add_in_place(row);
    case Tries::counts:
      return builder.add_counts(row);
    case Tries::own_masks:
      builder.add_lengths(row);
      return builder.add_own_masks(row);
    case Tries::twice:
      builder.add_chain(row);
      return builder.add_twice(row);
    case Tries::after_calls:
      for (unsigned n = 0; n < 3; ++n) builder.add_after_calls(row);
      return builder.add_around_reset(row);
    case Tries::before_masked: {
      const std::vector<TypePair> types = types_of(row, profile);
      const std::span<const TypePair> rest = std::span(types).subspan(chosen.number);
      return builder.add_before_masked(row,
                                       rest.first(std::min<std::size_t>(rest.size(), kTypesBeforeMasked)));
    }
  }
}

}  // namespace lanecheck
