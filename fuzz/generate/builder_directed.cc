// Builder: what directed cases add.
#include <algorithm>
#include <vector>

#include "fuzz/generate/builder.h"
#include "fuzz/generate/data_table.h"
#include "fuzz/generate/mask_draws.h"
#include "fuzz/generate/stride_draws.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

// No call has two draws among its arguments: compilers evaluate them in different orders.

constexpr std::uint32_t kThemedRepeats = 16;  // as many as there are extreme values
constexpr std::uint32_t kFarBlocks = 2048;    // data blocks that make 64 KiB

/// Its lanes are those of the instruction.
Element wider(const TypePair& types) {
  return size_of(types.dst) > size_of(types.src) ? types.dst : types.src;
}

std::uint32_t repeats_of(Theme theme) {
  if (theme == Theme::peaks) return 128;  // the peak stands in each lane once
  return theme == Theme::by_repeat ? kThemedRepeats : kRepeatBlocks;
}

/// `types` once for each of its modes; as they are if the instruction has none. The first mode comes last: a
/// cast without a mode of its own then follows casts that have one.
std::vector<TypePair> by_mode(const Row& row, const TypePair& types) {
  constexpr std::uint8_t kEveryComparison = 0x3f;
  const std::uint8_t modes = row.compares && types.modes == 0 ? kEveryComparison : types.modes;
  if (modes == 0) return {types};
  std::vector<TypePair> list;
  for (unsigned mode = 0; mode < 8; ++mode)
    if ((modes >> mode & 1) != 0)
      list.push_back({types.dst, types.src, static_cast<std::uint8_t>(1u << mode)});
  std::rotate(list.begin(), list.begin() + 1, list.end());
  return list;
}

Strides with(unsigned k, Stride stride) {
  Strides strides = kContiguousStrides;
  strides[k] = stride;
  return strides;
}

}  // namespace

/// The mask that a reduction meets where the register alone decides; peaks need all lanes.
void Builder::meet_mask_for(const Row& row, Theme theme) {
  if (theme == Theme::peaks) return leave_full_mask();
  if (row.family != Family::reductions) return;
  meet_partial_mask();
  if (profile().mask_operands == MaskOperands::never && theme == Theme::wild)
    set_mask(draw_mask_with_empty_blocks(draws_));
}

void Builder::add_themed(const Row& row, const TypePair& types, std::span<const Theme> themes) {
  placement_.wild = true;
  for (const Theme theme : themes)
    for (const TypePair& one : by_mode(row, types)) {
      placement_.theme = theme;
      meet_mask_for(row, theme);
      add(row, one, repeats_of(theme), kContiguousStrides, draws_.below(16));
      keeps_register_ = false;
    }
  placement_.theme.reset();
}

void Builder::add_scalars(const Row& row, const TypePair& types) {
  placement_.wild = true;
  Instruction insn;
  insn.op = row.op;
  insn.dst_type = types.dst;
  insn.src_type = types.src;
  const Element type = scalar_type(insn);
  const std::uint64_t nan = infinity_of(type) | std::uint64_t{1} << (mantissa_bits(type) - 1);
  const std::size_t count = is_float(type) ? kExtremes + 1 : kExtremes;
  for (std::size_t n = 0; n < count; ++n) {
    wanted_.scalar = scalar_from_bits(type, n < kExtremes ? extreme(type, n) : nan);
    placement_.theme = n % 4 == 3 ? Theme::extremes : Theme::close;
    add(row, types, 2, kContiguousStrides, draws_.below(16));
  }
  meet_partial_mask();  // short cuts for these numbers must obey it
  for (const double number : {0.0, 1.0}) {
    wanted_.scalar = scalar_of(type, number);
    add(row, types, 2, kContiguousStrides, draws_.below(16));
  }
  wanted_ = {};
  placement_.theme.reset();
}

void Builder::add_settings(const Row& row, const TypePair& types) {
  const auto try_wanted = [&] { add(row, types, 2, kContiguousStrides, draws_.below(16)); };
  if (setting_index(row, "by")) {
    placement_.wild = true;
    placement_.theme = Theme::wild;
    for (std::uint32_t by = 0; by <= 8 * size_of(types.dst); ++by) {
      wanted_.shift = by;
      try_wanted();
    }
    placement_.theme.reset();
  }
  if (row.compacts) {
    const std::uint32_t lanes = lanes_of(types.src);
    if (row.op == Op::gather_mask && size_of(types.src) == 2) {  // greater ones do not fit into UB
      wanted_.pattern = 3;                                       // keeps a quarter
      wanted_.kept = kTwo16 + lanes + 1;
      add(row, types, 1, kContiguousStrides, 0);
      wanted_ = {};
    }
    for (const std::uint32_t total : {0u, 0u, 1u, lanes - 1, lanes, lanes + 1, 2 * lanes}) {
      wanted_.pattern = wanted_.pattern.value_or(0) + 1;  // from 1 to 7
      wanted_.kept = 0;
      try_wanted();
      wanted_.kept = total;
      if (total > 0) try_wanted();
    }
  }
  wanted_ = {};
}

void Builder::add_strides(const Row& row, unsigned k) {
  constexpr std::array<std::uint32_t, 8> wide = {9, 10, 15, 16, 31, 32, 48, 63};
  if (row.data == SourceData::both) {  // decisive data shows one source of vmax alone
    placement_.wild = true;
    placement_.theme = Theme::wild;
  }
  const auto try_stride = [&](Stride stride, std::uint32_t repeat) {
    leave_full_mask();
    add(row, draw_types(row), repeat, with(k, stride), 0);
    keeps_register_ = false;
  };
  const std::uint32_t far = 137 + draws_.below(119);  // 16 repeats are enough
  try_stride({1, far}, kFarBlocks / far + 2);         // while UB is empty
  for (const std::uint32_t repeat_stride : {0u, 1u, 2u}) try_stride({1, repeat_stride}, 3);
  try_stride({1, 255}, 2);
  if (row.operands[k].walk == Walk::blocks && !profile().block_stride_fixed) {
    try_stride({0, kRepeatBlocks}, 2);
    try_stride({2, draws_.below(kRepeatBlocks)}, 3);
    try_stride({3 + 2 * draws_.below(2), 9 + draws_.below(32)}, 4);
    try_stride({draws_.pick(wide), 9 + draws_.below(32)}, 3);
    try_stride({255, kRepeatBlocks}, 1);
  }
  if (has_wide_repeat_stride(row, profile())) try_stride({1, 256 + draws_.below(300)}, 2);
  const std::uint32_t stride = std::max(128u, draw_wide_repeat_stride(draws_, row, profile()));
  try_stride({1, stride}, 3);
  placement_.theme.reset();
}

void Builder::add_far_offsets(const Row& row) {
  placement_.far_offsets = true;
  add(row, draw_types(row), 2, kContiguousStrides, 0);
  placement_.far_offsets = false;
}

void Builder::add_repeats(const Row& row, std::uint32_t most) {
  const bool takes_few = takes_few_repeats(row);
  const std::array<std::uint32_t, 6> some = {
      most, 0, 254, 128 + draws_.below(2), 63 + draws_.below(3), 17 + draws_.below(24)};  // most: UB is empty
  is_long_ = true;
  for (const std::uint32_t repeat : some) {
    if (takes_few && repeat != most) continue;
    meet_partial_mask();
    // Offsets of the last types' elements fit into UB.
    const TypePair& types = takes_few ? row.in(program_.profile).pairs.back() : draw_types(row);
    const unsigned own_mask = 2 + 4 * draws_.below(4);
    add(row, types, repeat, draws_.pick(kOnTheSpot), own_mask);
  }
  is_long_ = false;
  if (takes_few) add(row, draw_types(row), 0, kContiguousStrides, 0);
}

void Builder::add_mask_edges(const Row& row) {
  const auto& pairs = row.in(program_.profile).pairs;
  if (row.accumulates) {
    placement_.wild = true;
    placement_.theme = Theme::wild;
    Strides strides = kContiguousStrides;
    strides[0] = strides[2] = {1, 0};
    add(row, pairs.front(), 4, strides, 0);  // f16
    placement_.theme.reset();
    placement_.wild = false;
  }
  const TypePair& types = draw_types(row);
  leave_without_block(lanes_of(wider(types)));
  add(row, types, 2, kContiguousStrides, 0);
  leave_empty_register();
  add(row, types, 2, kContiguousStrides, 0);
  keeps_register_ = false;
}

void Builder::add_far_blocks(const Row& row) {
  if (!has_wide_block_stride(profile())) return;
  placement_.wild = true;
  placement_.theme = Theme::wild;
  leave_full_mask();
  for (unsigned k = 0; k < row.operands.size(); ++k)  // three of them fill UB
    if (row.operands[k].walk == Walk::blocks) {
      const Strides far = with(k, {256 + draws_.below(8), kRepeatBlocks});
      add(row, draw_types(row), 1, far, 0);
    }
  keeps_register_ = false;
  placement_.theme.reset();
}

void Builder::add_in_place(const Row& row) {
  placement_.wild = true;
  placement_.theme = Theme::wild;
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (row.operands[k].walk != Walk::blocks) continue;
    placement_.in_place = k;
    for (const TypePair& types : row.in(program_.profile).pairs)
      add(row, types, 2, kContiguousStrides, draws_.below(16));
    if (profile().block_stride_fixed) continue;
    Strides apart;
    apart.fill({2, 17});
    const unsigned no_count = 2 + 4 * draws_.below(4);
    add(row, draw_types(row), 2, apart, no_count);
  }
  placement_.in_place.reset();
  if (row.operands.size() > 2 && row.operands[1].walk == Walk::blocks && row.operands[2].role == "src1") {
    placement_.same_start = true;
    const unsigned no_count = 2 + 4 * draws_.below(4);
    add(row, draw_types(row), 3, with(1, {2, 17}), no_count);
    placement_.same_start = false;
  }
  placement_.theme.reset();
}

void Builder::add_lengths(const Row& row) {
  constexpr std::array<std::uint32_t, 8> lengths = {1, 31, 32, 63, 64, 65, 127, 128};
  const auto lanes = [](const TypePair& types) { return lanes_of(wider(types)); };
  const TypePair& narrow = *std::ranges::max_element(row.in(program_.profile).pairs, {}, lanes);
  rise_if_extreme(row);
  for (const std::uint32_t length : lengths) {
    wanted_.length = length;
    add(row, length < 64 ? draw_types(row) : narrow, 2, kContiguousStrides, 1);
  }
  wanted_ = {};
  placement_.theme.reset();
}

void Builder::add_queues(const Row& row, const TypePair& types) {
  using Lengths = std::array<std::uint32_t, 2>;
  constexpr std::array two = {Lengths{1, 1},   Lengths{0, 3},  Lengths{3, 0},  Lengths{1, 18},
                              Lengths{18, 1},  Lengths{6, 6},  Lengths{19, 3}, Lengths{4, 40},
                              Lengths{300, 2}, Lengths{2, 257}};
  constexpr std::array four = {Lengths{1}, Lengths{3}, Lengths{17}, Lengths{34}, Lengths{259}};
  placement_.wild = true;
  for (const Lengths& lengths : row.lengths == 1 ? std::span<const Lengths>(four) : two)
    for (const bool close : {false, true}) {
      wanted_.queues = lengths;
      placement_.theme = close ? Theme::close : Theme::wild;
      add(row, types, 1 + draws_.below(4), kContiguousStrides, 0);
    }
  wanted_ = {};
  placement_.theme.reset();
}

void Builder::add_own_masks(const Row& row) {
  if (!profile().has_modes) return;  // no instruction meets what another leaves
  const Row& after = takes_register(row, program_.profile) ? row : row_of(Op::adds);
  const unsigned first = draws_.below(4);
  for (unsigned n = 0; n < 4; ++n) {
    const TypePair& types = draw_types(after);
    add(row, &row == &after ? types : draw_types(row), 2, kContiguousStrides, (first + n) % 4);
    make_register_usable(lanes_of(wider(types)));
    keeps_register_ = true;
    add(after, types, 2, kContiguousStrides, 0);
    keeps_register_ = false;
  }
}

void Builder::add_twice(const Row& row) {
  const TypePair& types = draw_types(row);
  placement_.wild = true;
  placement_.theme = Theme::wild;
  for (unsigned n = 0; n < 2; ++n) {
    if (profile().mask_operands == MaskOperands::never) set_mask(draw_mask(draws_));
    const bool is_written_again = n == 1 && control_in_ub(row).has_value();  // not in counter mode
    if (is_written_again && mask_.mode == Mode::counter) push_bare(Op::set_mask_norm);
    const unsigned mask = is_written_again ? 2 + 4 * draws_.below(4) : draws_.below(16);
    const Strides strides = draws_.one_in(2) ? kContiguousStrides : draw_strides(draws_);
    add(row, types, 1 + draws_.below(3), strides, mask);
  }
  add_again();
  placement_.theme.reset();
}

void Builder::add_before_masked(const Row& row, std::span<const TypePair> types) {
  const Row& after = row_of(Op::adds);
  for (const TypePair& each : types) {
    meet_partial_mask();
    add(row, each, 1, kContiguousStrides, 0);
    add(after, after.in(program_.profile).pairs.front(), 1, kContiguousStrides, 0);
  }
}

/// The next instruction reads what `insn` has written, if it can: exact elements in data blocks.
void Builder::chain_to(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (!row.writes_dst() || row.operands[0].walk != Walk::blocks || row.tolerance != Tolerance::exact) return;
  placement_.chained = {insn.operands[0], insn.dst_type};
}

void Builder::add_chain(const Row& row) {
  placement_.wild = true;
  placement_.theme = Theme::wild;
  const TypePair& types = draw_types(row);
  meet_partial_mask();
  add(row, types, 2, kContiguousStrides, 2 + 4 * draws_.below(4));
  const Row& reader = row_of(Op::adds);
  const auto& pairs = reader.in(program_.profile).pairs;
  const auto same = std::ranges::find(pairs, types.dst, &TypePair::src);
  if (same != pairs.end()) {
    chain_to(program_.instructions.back());
    leave_full_mask();
    add(reader, *same, 2, kContiguousStrides, 2 + 4 * draws_.below(4));
    keeps_register_ = false;
    placement_.chained.reset();
  }
  placement_.theme.reset();
}

void Builder::add_after_calls(const Row& row) {
  const TypePair& types = draw_types(row);
  const unsigned calls = 2 + draws_.below(4);
  for (unsigned n = 0; n < calls; ++n) add_call();
  make_register_usable(lanes_of(wider(types)));
  keeps_register_ = true;
  add(row, types, 2, kContiguousStrides, 0);
  keeps_register_ = false;
}

void Builder::add_around_reset(const Row& row) {
  const TypePair& types = draw_types(row);
  if (mask_.mode == Mode::counter) push_bare(Op::set_mask_norm);
  leave_without_block(lanes_of(wider(types)));
  add(row, types, 2, kContiguousStrides, 0);
  push_bare(Op::reset_mask);
  add(row, types, 2, kContiguousStrides, 0);
  keeps_register_ = false;
}

}  // namespace lanecheck
