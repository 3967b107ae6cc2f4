#include "fuzz/generate/builder.h"

#include <algorithm>
#include <cstring>

#include "fuzz/generate/data.h"
#include "fuzz/generate/mask_draws.h"
#include "fuzz/generate/stride_draws.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::uint32_t kFewRepeats = 16;     // of instructions whose operands are large
constexpr std::uint32_t kFewMerges = 12;      // of four queues each
constexpr std::uint32_t kWidestWalk = 2560;   // data blocks from the first repeat of an operand to the last
constexpr std::uint32_t kWalkOnTheSpot = 40;  // more repeats than this do not walk through UB
constexpr std::array<std::uint32_t, 8> kLongRepeats = {63, 64, 65, 127, 128, 129, 254, 255};
constexpr std::size_t kNearlyFull = 112 * 1024;  // of 192 KiB

bool uses_compare_mask(Op op) {
  return op == Op::get_cmpmask || op == Op::select_cmpmask || op == Op::compare_cmpmask;
}

bool leaves_compare_mask(Op op) {
  return op == Op::compare_cmpmask || op == Op::select_bits;
}

bool merges_four(const Row& row) {
  return row.lengths == 1;
}

void put(Instruction& insn, std::string_view name, std::uint32_t value) {
  if (const auto index = setting_index(row_of(insn.op), name)) insn.settings[*index] = value;
}

/// The strides with which the operands of `insn` fit into UB.
Strides fitted(Strides strides, const Instruction& insn) {
  const std::uint32_t blocks =
      lanes_of(insn) / per_block(insn.src_type);  // many in a gather_mask that counts
  for (Stride& stride : strides) {
    if (insn.repeat > kWalkOnTheSpot) stride = {1, stride.repeat & 1};
    if (blocks > kRepeatBlocks) stride.block = std::min(stride.block, kWidestWalk / blocks);
    if (stride.repeat != kContiguous && insn.repeat > 0)
      stride.repeat = std::min(stride.repeat, kWidestWalk / insn.repeat);
  }
  return strides;
}

}  // namespace

bool takes_register(const Row& row, Profile profile) {
  return row.mask != MaskUse::ignores && !row.brings_own_mask() &&
         row_of(profile).mask_operands != MaskOperands::always;
}

bool takes_few_repeats(const Row& row) {
  return row.sorts || indexed_operand(row) || row.compacts;
}

Builder::Builder(Draws& draws, Program& program, Profile profile)
    : draws_(draws), program_(program), readings_(default_readings(profile)), placement_(draws, program) {
  program_.profile = profile;
  program_.allocations.clear();
  program_.instructions.clear();
  program_.ub.clear();
}

void Builder::push(const Instruction& insn) {
  mask_.apply(insn, readings_);
  program_.instructions.push_back(insn);
}

void Builder::push_bare(Op op) {
  Instruction insn;
  insn.op = op;
  push(insn);
}

void Builder::add(const Row& row, const TypePair& types, std::uint32_t repeat, const Strides& strides,
                  unsigned choice) {
  const bool shows_comparison = !program_.instructions.empty() && row.op == Op::get_cmpmask &&
                                leaves_compare_mask(program_.instructions.back().op);
  if (uses_compare_mask(row.op) && !shows_comparison && !draws_.one_in(4)) add_compare_mask(strides);
  Instruction insn;
  insn.op = row.op;
  insn.dst_type = types.dst;
  insn.src_type = types.src;
  insn.repeat = row.has_repeat ? repeat : 1;
  draw_modes(insn, types);
  draw_lengths(insn);
  insn.repeat = std::min(insn.repeat, most_repeats(row, types));
  draw_settings(insn);
  if (profile().mask_operands != MaskOperands::never) choose_mask(insn, choice);
  if (takes_scalar(insn)) insn.scalar = wanted_.scalar ? *wanted_.scalar : draw_scalar(insn);
  const bool may_chain = placement_.wild && !placement_.theme && !program_.instructions.empty();
  if (may_chain && draws_.one_in(4)) chain_to(program_.instructions.back());
  mask_.load(insn, readings_);
  ResolvedInstruction here = resolve(insn, mask_, readings_);
  const Strides fitting = fitted(strides, here.insn);
  for (unsigned k = 0; k < row.operands.size(); ++k) set_strides(here.insn, k, fitting);
  for (unsigned k = 0; k < row.operands.size(); ++k) placement_.place(here, k);
  if (const auto indexed = indexed_operand(row)) placement_.write_offsets(here.insn, *indexed);
  insn.operands = here.insn.operands;
  if (may_chain) placement_.chained.reset();
  push(insn);
  // The bits of the compare mask behind the lanes of a repeat show in nothing else.
  if (leaves_compare_mask(row.op) && draws_.one_in(row.op == Op::compare_cmpmask ? 2 : 4)) {
    const Row& get = row_of(Op::get_cmpmask);
    add(get, get.in(program_.profile).pairs[0], 1, strides, 0);
  }
}

/// Now and then the operand is written before the bits are used: a backend may read them too late.
void Builder::add_compare_mask(const Strides& strides) {
  const Row& row = row_of(Op::set_cmpmask);
  add(row, row.in(program_.profile).pairs[0], 1, strides, 0);
  const Row& writes = row_of(Op::compare);
  const bool is_free = !keeps_register_ && !wanted_.total && mask_.mode == Mode::normal;
  if (!is_free || !writes.in(program_.profile).offered || !draws_.one_in(4)) return;
  placement_.dst_place = program_.instructions.back().operands[0];
  add(writes, writes.in(program_.profile).pairs[0], 1, kContiguousStrides, draws_.below(16));
  placement_.dst_place.reset();
}

void Builder::draw_modes(Instruction& insn, const TypePair& types) {
  const auto offers = [&](unsigned mode) { return (types.modes >> mode & 1) != 0; };
  const Row& row = row_of(insn.op);
  if (row.compares) {
    unsigned mode = draws_.below(std::size(kCompareNames));
    while (types.modes != 0 && !offers(mode)) mode = draws_.below(std::size(kCompareNames));
    insn.compare = static_cast<Compare>(mode);
  }
  if (row.rounds) {
    unsigned mode = draws_.below(std::size(kRoundNames));
    while (!offers(mode)) mode = draws_.below(std::size(kRoundNames));
    insn.round = static_cast<Round>(mode);
  }
}

void Builder::draw_lengths(Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (wanted_.queues) {
    insn.lengths = *wanted_.queues;
    return;
  }
  const unsigned most = is_long_ ? 3 : 20;
  for (unsigned q = 0; q < row.lengths; ++q)
    insn.lengths[q] = draws_.below(most) + (merges_four(row) ? 1 : 0);
}

void Builder::draw_settings(Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (row.compacts) return draw_gather_mask_settings(insn);
  if (setting_index(row, "by")) {
    const unsigned width = 8 * size_of(insn.dst_type);
    const std::array<std::uint32_t, 4> edges = {1, 0, width - 1, width};
    std::uint32_t by = 1;  // decisive
    if (placement_.wild) by = draws_.one_in(2) ? draws_.pick(edges) : draws_.below(width + 1);
    if (wanted_.shift) by = *wanted_.shift;
    put(insn, "by", by);
  }
  if (setting_index(row, "order")) put(insn, "order", draws_.below(4));
  if (setting_index(row, "mode")) {
    put(insn, "mode", draws_.below(3));
    put(insn, "side", draws_.below(2));
  }
}

void Builder::draw_gather_mask_settings(Instruction& insn) {
  if (wanted_.kept) {
    put(insn, "pattern", *wanted_.pattern);
    put(insn, "counter", *wanted_.kept > 0 ? 1 : 0);
    return put(insn, "mask", *wanted_.kept);
  }
  const bool counter = !keeps_register_ && !is_long_ && draws_.one_in(2);
  put(insn, "pattern", 1 + draws_.below(7));  // drawn for user patterns as well, which have no such setting
  put(insn, "counter", counter ? 1 : 0);
  if (!counter) return put(insn, "mask", keeps_register_ || draws_.one_in(2) ? 0 : draws_.below(256));
  const std::uint64_t total = draw_total(draws_, lanes_of(insn.src_type));
  put(insn, "mask", static_cast<std::uint32_t>(total / (draws_.one_in(2) ? 1 : 3) + 1));
  insn.repeat = std::min(insn.repeat, 4u);
}

Scalar Builder::draw_scalar(const Instruction& insn) {
  const Element type = scalar_type(insn);
  const Row& row = row_of(insn.op);
  if (!placement_.wild) return scalar_of(type, type == Element::u8 ? std::max(0, row.scalar) : row.scalar);
  if (placement_.theme == Theme::ties) return scalar_of(type, 1);
  if (is_float(type) && placement_.theme != Theme::extremes && draws_.one_in(2))
    return scalar_of(type, (static_cast<double>(draws_.below(64)) - 32) / 10);
  std::uint64_t bits = 0;
  std::array<std::byte, kBlockBytes> data;
  fill(data, type, placement_.theme == Theme::extremes ? Fill::limit : Fill::wild, draws_.below(64));
  std::memcpy(&bits, data.data(), size_of(type));
  return scalar_from_bits(type, bits);  // by its bits: a NaN has no decimal form
}

/// As many repeats as fit into UB beside what is there.
std::uint32_t Builder::most_repeats(const Row& row, const TypePair& types) const {
  const bool is_wide_index = indexed_operand(row) && !row.moves_blocks && size_of(types.dst) < 4;
  if (is_long_ && program_.ub.empty() && !is_wide_index) return kMaxRepeat;
  if (merges_four(row)) return kFewMerges;
  return takes_few_repeats(row) ? kFewRepeats : kMaxRepeat;
}

const TypePair& Builder::draw_types(const Row& row) {
  const auto& pairs = row.in(program_.profile).pairs;
  return pairs[draws_.below(static_cast<unsigned>(pairs.size()))];
}

void Builder::add_drawn(const Row& row) {
  const TypePair& types = draw_types(row);
  std::uint32_t repeat = draw_repeat(draws_);
  Strides strides = draws_.one_in(2) ? kContiguousStrides : draw_strides(draws_);
  const bool has_room = has_room_for_long();
  if (has_room && draws_.one_in(20)) {
    draw_wide_stride(draws_, row, profile(), strides);
    if (repeat != 0) repeat = takes_few_repeats(row) ? 2 : 1 + draws_.below(3);
  }
  is_long_ = has_room && draws_.below(256) == 0;
  if (is_long_) {
    // Long instructions stay in a small UB: they walk on the spot.
    repeat = draws_.one_in(2) ? draws_.pick(kLongRepeats)
                              : kWalkOnTheSpot + 1 + draws_.below(255 - kWalkOnTheSpot);
    for (Stride& stride : strides) stride = {1, draws_.below(2)};
  }
  if (program_.ub.size() > kNearlyFull) {
    repeat = std::min(repeat, 1u);
    strides = kContiguousStrides;
  }
  add(row, types, repeat, strides, draws_.below(16));
  is_long_ = false;
}

void Builder::set_strides(Instruction& insn, unsigned k, const Strides& strides) const {
  const OperandColumn& column = row_of(insn.op).operands[k];
  const bool is_dst = column.role == "dst";
  auto [block, repeat] = strides[k];
  if (column.walk != Walk::blocks || profile().block_stride_fixed) block = 1;
  if (is_dst) block = std::max(profile().least_dst_block_stride, block);
  if (insn.mask_from == MaskFrom::count && profile().count_is_contiguous) {
    block = 1;
    repeat = kContiguous;
  }
  if (column.walk == Walk::pattern) repeat %= 3;
  repeat = fitting_repeat_stride(insn, k, {block, repeat});
  if (is_dst && row_of(insn.op).reads_dst) {  // its blocks stay apart, and where they must, its repeats
    block = std::max(block, 1u);
    if (!profile().read_dst_may_meet) {
      block = std::min(block, 16u);
      repeat = std::max(repeat, kRepeatBlocks * block);
    }
  }
  insn.operands[k].block_stride = block;
  insn.operands[k].repeat_stride = repeat;
}

/// The repeat stride of operand `k` in the units of its walk, for a drawn `stride`.
std::uint32_t Builder::fitting_repeat_stride(const Instruction& insn, unsigned k,
                                             const Stride& stride) const {
  const OperandColumn& column = row_of(insn.op).operands[k];
  switch (column.walk) {
    case Walk::pattern:
      return stride.repeat;
    case Walk::results:
      return stride.repeat == kContiguous ? 1 : stride.repeat;
    case Walk::blocks:
    case Walk::rows: {
      const unsigned blocks = lanes_of(insn) * size_of(operand_type(insn, column)) / kBlockBytes;
      return stride.repeat == kContiguous ? blocks * std::max(1u, stride.block) : stride.repeat;
    }
    case Walk::bits:
    case Walk::elements:
    case Walk::indexed:
    case Walk::records:
    case Walk::sixteen:
    case Walk::packed:
    case Walk::returned:
      break;
  }
  return kRepeatBlocks;
}

}  // namespace lanecheck
