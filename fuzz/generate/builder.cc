#include "fuzz/generate/builder.h"

#include <algorithm>
#include <cstring>

#include "fuzz/generate/data.h"
#include "fuzz/generate/mask_draws.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::uint32_t kFewRepeats = 16;     // of instructions whose operands are large
constexpr std::uint32_t kFewMerges = 8;       // of four queues each
constexpr std::uint32_t kWalkOnTheSpot = 40;  // more repeats than this do not walk through UB
constexpr std::array<std::uint32_t, 8> kLongRepeats = {63, 64, 65, 127, 128, 129, 254, 255};
constexpr std::size_t kNearlyFull = 112 * 1024;  // of 192 KiB
constexpr std::size_t kRoomForLong = 48 * 1024;

bool uses_compare_mask(Op op) {
  return op == Op::get_cmpmask || op == Op::select_cmpmask || op == Op::compare_cmpmask;
}

/// Would many repeats of `row` fill UB?
bool takes_few_repeats(const Row& row) {
  return row.sorts || indexed_operand(row) || row.compacts;
}

bool merges_four(const Row& row) {
  return row.lengths == 1;
}

/// An element type with this many lanes.
Element type_of_lanes(unsigned lanes) {
  if (lanes >= 128) return Element::f16;
  return lanes == 64 ? Element::f32 : Element::i64;
}

void put(Instruction& insn, std::string_view name, std::uint32_t value) {
  const auto columns = row_of(insn.op).settings;
  for (unsigned n = 0; n < columns.size(); ++n)
    if (columns[n].name == name) insn.settings[n] = value;
}

bool has_setting(const Row& row, std::string_view name) {
  return std::ranges::find(row.settings, name, &SettingColumn::name) != row.settings.end();
}

}  // namespace

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

void Builder::set_mask(MaskWords mask) {
  Instruction insn;
  insn.op = Op::set_mask;
  insn.high = mask.high;
  insn.low = mask.low;
  push(insn);
}

void Builder::set_total(std::uint64_t total) {
  Instruction insn;
  insn.op = Op::set_vector_mask_total;
  insn.settings[0] = static_cast<std::uint32_t>(total);
  push(insn);
}

void Builder::push_length(Element type, std::uint32_t length) {
  Instruction insn;
  insn.op = Op::set_vector_mask_len;
  insn.dst_type = insn.src_type = type;
  insn.settings[0] = length;
  push(insn);
}

void Builder::push_words(Element type, MaskWords words) {
  Instruction insn;
  insn.op = Op::set_vector_mask;
  insn.dst_type = insn.src_type = type;
  insn.high = words.high;
  insn.low = words.low;
  push(insn);
}

void Builder::add_mask_state() {
  switch (draws_.below(8)) {
    case 0:
      return push_bare(Op::set_mask_norm);
    case 1:
      push_bare(Op::set_mask_count);
      if (!draws_.one_in(4)) set_total(draw_total(draws_, 64));
      return;
    case 2:
      return push_bare(Op::reset_mask);
    case 3:
      return set_total(draw_total(draws_, 64));
    default:
      return set_vector_mask(draws_.below(16));
  }
}

/// SetVectorMask for operands of a drawn width: a length, or words.
void Builder::set_vector_mask(unsigned choice) {
  constexpr std::array widths = {Element::f16, Element::f32, Element::i64};
  const Element type = draws_.pick(widths);
  const unsigned lanes = lanes_of(type);
  const bool counter = mask_.mode == Mode::counter;
  if (choice % 2 == 0) {
    if (counter) return push_words(type, {0, draw_total(draws_, lanes)});
    return push_length(type, draw_length(draws_, lanes, choice / 2));
  }
  if (counter) push_bare(Op::set_mask_norm);
  push_words(type, draw_words(draws_, lanes, choice));
}

/// Puts into the register what an instruction of `lanes` lanes can use, in the mode that is on.
void Builder::set_vector_mask_for(unsigned lanes, unsigned choice) {
  if (mask_.mode == Mode::counter) return set_total(draw_total(draws_, lanes));
  const Element type = type_of_lanes(lanes);
  if (draws_.one_in(2)) return push_length(type, draw_length(draws_, lanes, choice / 4 + draws_.below(3)));
  push_words(type, draw_words(draws_, lanes, draws_.below(16)));
}

void Builder::add(const Row& row, const TypePair& types, std::uint32_t repeat, const Strides& strides,
                  unsigned choice) {
  if (uses_compare_mask(row.op) && !draws_.one_in(4)) add_compare_mask(strides);
  Instruction insn;
  insn.op = row.op;
  insn.dst_type = types.dst;
  insn.src_type = types.src;
  insn.repeat = row.has_repeat ? repeat : 1;
  draw_modes(insn, types);
  draw_lengths(insn);
  if (merges_four(row)) insn.repeat = std::min(insn.repeat, kFewMerges);
  if (takes_few_repeats(row)) insn.repeat = std::min(insn.repeat, kFewRepeats);
  draw_settings(insn);
  if (profile().mask_operands != MaskOperands::never) choose_mask(insn, choice);
  if (takes_scalar(insn)) insn.scalar = draw_scalar(insn);
  mask_.load(insn, readings_);
  ResolvedInstruction here = resolve(insn, mask_, readings_);
  Strides fitting = strides;
  if (here.insn.repeat > kWalkOnTheSpot)
    for (Stride& stride : fitting) stride = {1, stride.repeat & 1};
  for (unsigned k = 0; k < row.operands.size(); ++k) set_strides(here.insn, k, fitting);
  for (unsigned k = 0; k < row.operands.size(); ++k) placement_.place(here, k);
  if (const auto indexed = indexed_operand(row)) placement_.write_offsets(here.insn, *indexed);
  insn.operands = here.insn.operands;
  push(insn);
}

void Builder::add_compare_mask(const Strides& strides) {
  const Row& row = row_of(Op::set_cmpmask);
  add(row, row.in(program_.profile).pairs[0], 1, strides, 0);
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
  for (unsigned q = 0; q < row.lengths; ++q) insn.lengths[q] = draws_.below(20) + (merges_four(row) ? 1 : 0);
}

void Builder::draw_settings(Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (row.compacts) return draw_gather_mask_settings(insn);
  if (has_setting(row, "by")) {
    const unsigned width = 8 * size_of(insn.dst_type);
    const std::array<std::uint32_t, 4> edges = {1, 0, width - 1, width};
    std::uint32_t by = 1;  // decisive
    if (placement_.wild) by = draws_.one_in(2) ? draws_.pick(edges) : draws_.below(width + 1);
    put(insn, "by", by);
  }
  if (has_setting(row, "order")) put(insn, "order", draws_.below(4));
  if (has_setting(row, "mode")) {
    put(insn, "mode", draws_.below(3));
    put(insn, "side", draws_.below(2));
  }
}

void Builder::draw_gather_mask_settings(Instruction& insn) {
  const bool counter = draws_.one_in(2);
  put(insn, "pattern", 1 + draws_.below(7));  // drawn for user patterns as well, which have no such setting
  put(insn, "counter", counter ? 1 : 0);
  if (!counter) return put(insn, "mask", draws_.one_in(2) ? 0 : draws_.below(256));
  const std::uint64_t total = draw_total(draws_, lanes_of(insn.src_type));
  put(insn, "mask", static_cast<std::uint32_t>(total / (draws_.one_in(2) ? 1 : 3) + 1));
  insn.repeat = std::min(insn.repeat, 4u);
}

Scalar Builder::draw_scalar(const Instruction& insn) {
  const Element type = scalar_type(insn);
  const Row& row = row_of(insn.op);
  if (!placement_.wild) return scalar_of(type, type == Element::u8 ? std::max(0, row.scalar) : row.scalar);
  if (is_float(type) && draws_.one_in(2))
    return scalar_of(type, (static_cast<double>(draws_.below(64)) - 32) / 10);
  std::uint64_t bits = 0;
  std::array<std::byte, kBlockBytes> data;
  fill(data, type, Fill::wild, draws_.below(64));
  std::memcpy(&bits, data.data(), size_of(type));
  return scalar_from_bits(type, bits);  // by its bits: a NaN has no decimal form
}

void Builder::add_drawn(const Row& row) {
  const auto& pairs = row.in(program_.profile).pairs;
  const TypePair& types = pairs[draws_.below(static_cast<unsigned>(pairs.size()))];
  std::uint32_t repeat = draw_repeat();
  Strides strides = draws_.one_in(2) ? kContiguousStrides : draw_strides(row);
  if (draws_.below(256) == 0 && program_.ub.size() < kRoomForLong) {
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
}

std::uint32_t Builder::draw_repeat() {
  const unsigned pick = draws_.below(64);
  if (pick < 14) return 1;
  if (pick < 28) return 2;
  if (pick < 31) return 0;
  return 3 + draws_.below(8);
}

Strides Builder::draw_strides(const Row& row) {
  constexpr std::array<std::uint32_t, 8> block = {1, 1, 1, 1, 2, 3, 0, 4};
  constexpr std::array<std::uint32_t, 8> repeat = {kContiguous, kContiguous, kContiguous, 0, 1, 9, 16, 12};
  Strides strides;
  for (Stride& stride : strides) stride = {draws_.pick(block), draws_.pick(repeat)};
  // Repeats of dst may overlap, but then they hide each other's results. So this happens only now and then.
  Stride& dst = strides[0];
  if (dst.block == 0 && !draws_.one_in(4)) dst.block = 1;
  if (dst.repeat < kRepeatBlocks && !draws_.one_in(4)) dst.repeat = kContiguous;
  if (draws_.one_in(16)) dst = strides[2] = {1, 0};  // where the instruction may accumulate through src1
  if (!takes_few_repeats(row) && draws_.one_in(16) && program_.ub.size() < kRoomForLong)
    draw_wide_stride(strides);
  return strides;
}

/// Gives one operand a stride from the whole field of the call, 0 to 255. One alone fits into UB.
void Builder::draw_wide_stride(Strides& strides) {
  constexpr std::array<std::uint32_t, 8> edges = {5, 7, 15, 16, 31, 127, 128, 255};
  Stride& stride = strides[draws_.below(3)];
  const std::uint32_t blocks = draws_.one_in(2) ? draws_.pick(edges) : draws_.below(256);
  stride = draws_.one_in(2) ? Stride{blocks, kRepeatBlocks} : Stride{1, blocks};
}

/// Gives `insn` a mask operand that its profile takes, or brings the register into a state that it can use.
void Builder::choose_mask(Instruction& insn, unsigned choice) {
  const Row& row = row_of(insn.op);
  const std::uint8_t forms = mask_forms(row, program_.profile);
  const unsigned lanes = lanes_of(insn);
  if (profile().repeat_by_scalar) insn.scalar_repeat = insn.repeat == 0 || draws_.one_in(8);
  if (has_form(forms, MaskFrom::count) && choice % 4 == 3) {
    insn.mask_from = MaskFrom::count;
    const bool walks_far = !profile().count_is_contiguous && program_.ub.size() < kRoomForLong;
    const bool is_long = walks_far && row.family == Family::elementwise && draws_.one_in(32);
    insn.low = is_long ? draw_long_total(draws_, lanes) : draw_total(draws_, lanes);
    insn.repeat = std::max(1u, draws_.below(8));  // ignored
    return;
  }
  const bool open = row.compares || row.brings_own_mask();
  if (mask_.mode == Mode::counter && open) push_bare(Op::set_mask_norm);
  constexpr std::uint8_t kRegisterAlone = 1u << static_cast<unsigned>(MaskFrom::reg);
  if (has_form(forms, MaskFrom::reg) && (choice % 4 == 0 || forms == kRegisterAlone))
    return prepare_register(row, lanes, choice);
  if (mask_.mode == Mode::counter) {
    insn.mask_from = MaskFrom::bitwise;
    insn.low = draw_total(draws_, lanes);
    return;
  }
  if (choice % 4 == 1) {
    insn.mask_from = MaskFrom::contiguous;
    insn.low = draw_length(draws_, lanes, choice / 4 + draws_.below(3));
    return;
  }
  insn.mask_from = MaskFrom::bitwise;
  const MaskWords words = draw_words(draws_, lanes, draws_.below(16));
  insn.high = words.high;
  insn.low = words.low;
}

/// Sets the register for an instruction of `row` where it must be set, and now and then where it need not.
void Builder::prepare_register(const Row& row, unsigned lanes, unsigned choice) {
  if (!takes_mask(row)) return;
  const bool too_long = mask_.words[0] > 8 * lanes || mask_.words[1] != 0;
  if (mask_.mode == Mode::counter && too_long) return set_total(draw_total(draws_, lanes));
  const auto is_empty = [&] { return !may_meet_empty_register(program_.profile) && !mask_.any_of(lanes); };
  const bool walks_far = row.family == Family::elementwise && program_.ub.size() < kRoomForLong;
  if (mask_.mode == Mode::counter && walks_far && draws_.one_in(32))
    return set_total(draw_long_total(draws_, lanes));
  if (draws_.one_in(2) || is_empty()) set_vector_mask_for(lanes, choice);
}

void Builder::set_strides(Instruction& insn, unsigned k, const Strides& strides) const {
  const OperandColumn& column = row_of(insn.op).operands[k];
  const bool is_dst = k == 0;
  auto [block, repeat] = strides[std::min(k, 2u)];
  if (column.walk != Walk::blocks || profile().block_stride_fixed) block = 1;
  if (is_dst) block = std::max(profile().least_dst_block_stride, block);
  if (insn.mask_from == MaskFrom::count && profile().count_is_contiguous) {
    block = 1;
    repeat = kContiguous;
  }
  if (column.walk == Walk::pattern) repeat %= 3;
  repeat = fitting_repeat_stride(insn, k, {block, repeat});
  if (is_dst && row_of(insn.op).reads_dst) {  // its repeats stay apart
    block = std::clamp(block, 1u, 4u);
    repeat = std::max(repeat, kRepeatBlocks * block);
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
      if (stride.repeat == kContiguous) return 1;
      return std::min(stride.repeat, 3u);
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
