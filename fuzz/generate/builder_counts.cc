// Builder: counts of elements, short ones and ones that need many bits.
#include <algorithm>
#include <array>
#include <span>

#include "fuzz/generate/boundary.h"
#include "fuzz/generate/builder.h"

namespace lanecheck {
namespace {

std::uint64_t lanes_for(const Row& row, const TypePair& types) {
  Instruction insn;
  insn.op = row.op;
  insn.dst_type = types.dst;
  insn.src_type = types.src;
  return lanes_of(insn);
}

}  // namespace

bool takes_count(const Row& row, Profile profile) {
  if (!takes_mask(row)) return false;
  const std::uint8_t forms = mask_forms(row, profile);
  if (has_form(forms, MaskFrom::count)) return true;
  return row_of(profile).has_modes && has_form(forms, MaskFrom::reg) && !row.compares &&
         !row.brings_own_mask();
}

/// The greatest (least) active element then stands in the last active lane.
void Builder::rise_if_extreme(const Row& row) {
  if (row.neutral != Neutral::lowest && row.neutral != Neutral::highest) return;
  placement_.wild = true;
  placement_.theme = Theme::rising;
}

void Builder::add_counts(const Row& row) {
  constexpr Strides kApart = {Stride{2, 17}, {3, 25}, {2, 16}, {2, 18}};
  const bool has_long = add_long_count(row);
  rise_if_extreme(row);
  for (const bool is_long : {false, true}) {
    if (is_long && row.family != Family::elementwise) continue;
    const TypePair& types = draw_types(row);
    const std::uint64_t lanes = lanes_for(row, types);
    const std::array<std::uint64_t, 8> few = {1,         lanes - 1,     lanes,         lanes + 1,
                                              2 * lanes, 2 * lanes + 1, 3 * lanes - 1, 5};
    const std::array<std::uint64_t, 5> many = {9 * lanes + 1, 65 * lanes, 129 * lanes + 3, 257 * lanes - 1,
                                               kTwo16 + lanes + 1};
    bool apart = false;
    for (const std::uint64_t total :
         is_long ? std::span<const std::uint64_t>(many).subspan(has_long ? many.size() - 1 : 0)
                 : std::span<const std::uint64_t>(few)) {
      wanted_.total = total;
      const Strides& one_place = kOnTheSpot[has_long ? 0 : draws_.below(kOnTheSpot.size())];
      const Strides& strides = is_long ? one_place : apart ? kApart : kContiguousStrides;
      add(row, types, draws_.below(3), strides, 0);
      apart = !apart;
    }
  }
  if (profile().repeat_by_scalar) {
    wanted_ = {.total = 5, .no_repeats = true};
    add(row, draw_types(row), 1, kContiguousStrides, 0);
  }
  wanted_ = {};
  placement_.theme.reset();
}

/// A count of the instruction's own for more than 65,535 elements, where dst is each source, or for more than
/// 255 repeats. True if it was added: UB then has no room for more of that kind.
bool Builder::add_long_count(const Row& row) {
  const bool has_own = has_form(mask_forms(row, program_.profile), MaskFrom::count);
  const bool fits = !row.rounds && !row.reads_dst && row.tolerance == Tolerance::exact &&
                    std::ranges::all_of(row.operands, [](const OperandColumn& operand) {
                      return operand.walk == Walk::blocks;
                    });
  if (!has_own || !profile().count_is_contiguous || !fits || row.family != Family::elementwise) return false;
  const unsigned pick = draws_.below(3);
  if (pick == 0) return false;
  const auto& pairs = row.in(program_.profile).pairs;
  const auto half = std::ranges::find_if(
      pairs, [](const TypePair& pair) { return size_of(pair.dst) == 2 && size_of(pair.src) == 2; });
  const bool longest = half != pairs.end() && (pick == 1 || row.operands.size() > 2);
  if (!longest && row.operands.size() > 2) return false;
  const TypePair& types = longest ? *half : draw_types(row);
  const std::uint64_t lanes = lanes_for(row, types);
  placement_.wild = true;
  placement_.theme = Theme::wild;
  if (longest) placement_.in_place = 1;
  placement_.same_start = longest;
  wanted_ = {.total = (longest ? kTwo16 : 256 * lanes) + lanes + 1, .is_own = true};
  add(row, types, 1, kContiguousStrides, 0);
  wanted_ = {};
  placement_.in_place.reset();
  placement_.same_start = false;
  placement_.theme.reset();
  placement_.wild = false;
  return true;
}

}  // namespace lanecheck
