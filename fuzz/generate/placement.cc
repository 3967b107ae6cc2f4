#include "fuzz/generate/placement.h"

#include <algorithm>
#include <bit>

#include "fuzz/generate/data_table.h"
#include "fuzz/generate/rounding_data.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kFarBytes = 128 * 1024;

unsigned indexed_slots(const Instruction& insn) {
  return std::bit_ceil(std::max(64u, insn.repeat * lanes_of(insn)));
}

/// Zeros of both signs, at every fifth element.
void put_zeros(std::span<std::byte> into, Element type) {
  for (std::size_t n = 0; (n + 1) * size_of(type) <= into.size(); n += 5) {
    const std::uint64_t bits = nearest(type, n / 5 % 2 == 0 ? -0.0 : 0.0);
    std::memcpy(into.data() + n * size_of(type), &bits, size_of(type));
  }
}

/// Of operand `k`, whose repeats reach over `whole` bytes. A repeat although none is asked for must not leave
/// UB: then it is known as such.
std::uint32_t room_for(const Instruction& insn, unsigned k, std::uint32_t whole) {
  if (row_of(insn.op).operands[k].walk != Walk::indexed && insn.repeat != 0) return whole;
  Instruction once = insn;
  once.repeat = std::max(1u, insn.repeat);
  return std::max(whole, static_cast<std::uint32_t>(extent(once, k, lanes_of(insn))));
}

bool is_second_source(const Row& row, unsigned k) {
  return row.operands[k].role == "src1";
}

}  // namespace

/// Room for what the offsets of `insn` reach.
std::uint64_t OperandPlacement::indexed_bytes(const Instruction& insn) const {
  if (far_offsets) return kFarBytes;
  if (row_of(insn.op).moves_blocks)
    return std::uint64_t{std::bit_ceil(std::max(16u, insn.repeat * kRepeatBlocks))} * kBlockBytes;
  return std::uint64_t{indexed_slots(insn)} * size_of(insn.dst_type);
}

void OperandPlacement::place(ResolvedInstruction& here, unsigned k) {
  Instruction& insn = here.insn;
  const Row& row = row_of(insn.op);
  const Walk walk = row.operands[k].walk;
  Operand& operand = insn.operands[k];
  if (k == 0 && dst_place) {
    operand.allocation = dst_place->allocation;
    operand.offset = dst_place->offset;
    return;
  }
  if (k == 1 && chained && reads_written(insn)) {
    operand = chained->operand;
    return;
  }
  if (same_start && is_second_source(row, k)) {
    operand.allocation = insn.operands[k - 1].allocation;
    operand.offset = insn.operands[k - 1].offset;
    return;
  }
  if (k > 0 && walk == Walk::blocks && may_share_dst(insn, row, k)) {
    const std::uint32_t block = operand.block_stride, repeat = operand.repeat_stride;
    operand = insn.operands[0];
    const bool same_walk = operand.block_stride == block && operand.repeat_stride == repeat;
    const bool in_a_row = operand.block_stride == 1 && operand.repeat_stride == kRepeatBlocks;
    const bool are_apart =  // repeats; those of an accumulation may meet
        insn.repeat <= 1 || repeat > (kRepeatBlocks - 1) * block || accumulates(insn);
    if (same_walk && (in_a_row || (in_place && operand.block_stride > 0 && are_apart))) {
      fill_operand(insn, k, source_fill(row, k));
      return;
    }
    operand = Operand{0, 0, block, repeat};
  }
  if (k == 2 && accumulates(insn) && insn.operands[0].repeat_stride == 0 &&
      insn.operands[0].block_stride != 0 && (wild || row.in_place) && (theme || draws_.one_in(2))) {
    operand = insn.operands[0];
    return;
  }
  const auto whole = static_cast<std::uint32_t>(walk == Walk::indexed ? indexed_bytes(insn)
                                                                      : extent(insn, k, lanes_of(insn)));
  std::uint32_t room = room_for(insn, k, whole);
  const bool exact = here.total != kNoTotal && walk != Walk::indexed && draws_.one_in(2);
  // A dup may write the pattern anew.
  if (wild && walk == Walk::pattern && (theme || draws_.one_in(2))) room = std::max(room, kRepeatBytes);
  const bool is_roomy = room > whole && walk == Walk::pattern;
  // Without a repeat the room holds data, so that a repeat shows what it computes.
  const auto bytes = is_roomy || insn.repeat == 0 ? room
                     : exact                      ? static_cast<std::uint32_t>(extent(here, k))
                                                  : whole;
  const bool reuse = wild && !theme && walk == Walk::blocks && !reusable_.empty() && draws_.one_in(2);
  if (reuse && k > 0) {
    const std::uint16_t home = reusable_[draws_.below(static_cast<unsigned>(reusable_.size()))];
    if (home != insn.operands[0].allocation && program_.allocations[home].bytes >= room) {
      operand.allocation = home;
      return;
    }
  }
  allocate(insn, k, bytes, room);
}

/// Can the first source of `insn` be what an earlier instruction has written, element by element?
bool OperandPlacement::reads_written(const Instruction& insn) const {
  const Row& row = row_of(insn.op);
  if (row.operands[1].walk != Walk::blocks || operand_type(insn, row.operands[1]) != chained->type)
    return false;
  const bool same_walk = insn.operands[1].block_stride == chained->operand.block_stride &&
                         insn.operands[1].repeat_stride == chained->operand.repeat_stride;
  if (insn.mask_from == MaskFrom::count && !same_walk) return false;  // whose operands must be contiguous
  Instruction reader = insn;
  reader.operands[1] = chained->operand;
  const std::uint64_t end = chained->operand.offset + extent(reader, 1, lanes_of(reader));
  return end <= program_.allocations[chained->operand.allocation].bytes;
}

/// May operand `k` be dst itself? Decisive results still show then if the row says so.
bool OperandPlacement::may_share_dst(const Instruction& insn, const Row& row, unsigned k) {
  if (row.whole_blocks || row.operands[0].walk != Walk::blocks) return false;
  if (row.family != Family::elementwise && row.family != Family::comparisons) return false;
  if (!row.writes_dst() || size_of(insn.dst_type) != size_of(insn.src_type)) return false;
  if (!wild && (!row.in_place || row.reads_dst)) return false;
  const bool other_is_dst =
      is_second_source(row, k) && insn.operands[k - 1].allocation == insn.operands[0].allocation;
  return !other_is_dst && (in_place ? *in_place == k : draws_.one_in(8));
}

Fill OperandPlacement::wild_fill(const Row& row, unsigned k) {
  const bool reduces = row.family == Family::reductions || row.sorts;  // one NaN hides all other elements
  if (!theme) {
    if (draws_.one_in(8)) return Fill::limit;
    if (is_second_source(row, k) && draws_.one_in(8)) return Fill::close;
    return reduces && !draws_.one_in(4) ? Fill::finite : Fill::wild;
  }
  switch (*theme) {
    case Theme::close:
      return is_second_source(row, k) ? Fill::close : Fill::wild;
    case Theme::extremes:
      return is_second_source(row, k) ? Fill::extremes : Fill::extremes_by_block;
    case Theme::by_repeat:
      return Fill::extremes_by_repeat;
    case Theme::peaks:
      return Fill::peaks;
    case Theme::rising:
      return row.neutral == Neutral::highest ? Fill::falling : Fill::rising;
    case Theme::wild:
    case Theme::ties:
      break;
  }
  return reduces ? Fill::finite : Fill::wild;
}

Fill OperandPlacement::source_fill(const Row& row, unsigned k) {
  if (wild) return wild_fill(row, k);
  switch (row.data) {
    case SourceData::negative:
      return Fill::negative;
    case SourceData::both:
      return k + 1 == row.operands.size() ? Fill::negative : Fill::positive;
    case SourceData::below:
      return Fill::below;
    case SourceData::above:
      return Fill::above;
    case SourceData::any_bits:
      return Fill::random;
    case SourceData::none:
    case SourceData::positive:
      break;
  }
  return Fill::positive;
}

/// Fills the allocation of operand `k`.
void OperandPlacement::fill_operand(const Instruction& insn, unsigned k, Fill kind) {
  const Row& row = row_of(insn.op);
  const Element type = operand_type(insn, row.operands[k]);
  const Allocation& home = program_.allocations[insn.operands[k].allocation];
  const std::span<std::byte> into{program_.ub.data() + home.offset, home.bytes};
  unsigned phase = draws_.below(64);
  const bool is_wild_source = wild && k > 0 && row.operands[k].walk == Walk::blocks;
  if (is_wild_source && row.rounds && (theme ? *theme == Theme::ties : draws_.one_in(2)))
    return fill_for_cast(into, insn.dst_type, insn.src_type, phase);
  if (is_wild_source && row.has_scalar && theme == Theme::close)
    return fill_near(into, type, insn.scalar.bits, phase);
  if (row.sorts && theme == Theme::close && is_float(type)) {  // scores of both signs
    const std::size_t half = into.size() / 2 / size_of(type) * size_of(type);
    fill_near(into.first(half), type, nearest(type, 3.25), phase);
    fill_near(into.subspan(half), type, nearest(type, -3.25), phase);
    return put_zeros(into, type);
  }
  if (kind == Fill::close)
    phase = close_phase_;
  else
    close_phase_ = phase;
  fill(into, type, kind, phase);
  if (row.operands[k].walk == Walk::pattern) fill_whole_blocks(into);
  if (row.operands[k].role == "control" && phase % 4 == 1)
    fill_whole_repeats(into, lanes_of(insn) / 8, phase);
}

/// The control bits of some repeats are all 0, and those of some are all 1. `bytes`: of a repeat.
void OperandPlacement::fill_whole_repeats(std::span<std::byte> control, std::size_t bytes, unsigned phase) {
  for (std::size_t at = 0; at + bytes <= control.size(); at += bytes) {
    const std::uint64_t pick = scrambled_word(phase * 64 + at / bytes) % 3;
    if (pick < 2) std::ranges::fill(control.subspan(at, bytes), pick == 0 ? std::byte{0} : std::byte{0xff});
  }
}

/// Some data blocks of a user pattern select nothing, and some select all.
void OperandPlacement::fill_whole_blocks(std::span<std::byte> pattern) {
  for (std::size_t at = 0; at < pattern.size(); at += kBlockBytes) {
    const unsigned draw = draws_.below(8);
    if (draw < 2)
      std::ranges::fill(pattern.subspan(at, kBlockBytes), draw == 0 ? std::byte{0} : std::byte{0xff});
  }
}

void OperandPlacement::allocate(Instruction& insn, unsigned k, std::uint32_t bytes, std::uint32_t room) {
  const Row& row = row_of(insn.op);
  const Walk walk = row.operands[k].walk;
  const Element type = operand_type(insn, row.operands[k]);
  Operand& operand = insn.operands[k];
  operand.offset = draws_.one_in(8) && walk != Walk::elements ? kBlockBytes : 0;
  if (walk == Walk::results && draws_.one_in(4))  // a result may start within a block
    operand.offset += static_cast<std::uint32_t>(repeat_bytes(insn, k)) % kBlockBytes;
  const std::size_t number = program_.allocations.size();
  operand.allocation = static_cast<std::uint16_t>(number);
  Allocation& home = program_.allocations.emplace_back();
  home.name = "t";
  home.name += std::to_string(number);
  home.type = type;
  home.offset = static_cast<std::uint32_t>(program_.ub.size());
  home.bytes = in_whole_blocks(operand.offset + bytes);
  const std::uint32_t whole = in_whole_blocks(operand.offset + room);
  program_.ub.resize(program_.ub.size() + std::max(home.bytes, whole) + kBlockBytes);  // and guard bytes
  if (walk == Walk::records && k > 0) return write_queues(insn, k);
  fill_operand(insn, k, fill_of(row, k, type));
  const bool exact = row.tolerance == Tolerance::exact && walk == Walk::blocks;
  if (exact) reusable_.push_back(operand.allocation);
}

/// The data that operand `k`, of element type `type`, holds at first.
Fill OperandPlacement::fill_of(const Row& row, unsigned k, Element type) {
  const Walk walk = row.operands[k].walk;
  const bool is_bits = walk == Walk::bits || walk == Walk::pattern || walk == Walk::sixteen;
  if (is_bits || row.data == SourceData::any_bits) return Fill::random;
  if (row.sorts && type == Element::u32) return Fill::random;              // an index has 32 bits
  if (walk == Walk::elements && type == Element::u32) return Fill::above;  // offsets
  const bool is_dst = k == 0 && row.writes_dst();
  if (is_dst && row.reads_dst && wild && draws_.one_in(2)) return Fill::wild;
  return is_dst ? Fill::old : source_fill(row, k);
}

void OperandPlacement::write_offsets(const Instruction& insn, unsigned indexed) {
  const std::uint32_t size = bytes_per_offset(insn);
  const auto slots = static_cast<std::uint32_t>(indexed_bytes(insn) / size);
  const std::uint32_t step = 2 * draws_.below(slots < 65536 ? slots / 2 : 32768) + 1;
  std::uint32_t slot = draws_.below(65536) % slots;
  const std::uint32_t room =
      program_.allocations[insn.operands[indexed].allocation].bytes - insn.operands[indexed].offset;
  const bool has_equal_ones = indexed != 0 && step % 8 == 5;  // of a scatter, two would write one place
  std::byte* into = program_.ub.data() + start_of(program_, insn.operands[2]);
  for (unsigned n = 0; n < insn.repeat * offsets_per_repeat(insn); ++n) {
    store<std::uint32_t>(into + 4 * n, std::min<std::uint32_t>(slot * size, room - size));
    if (!has_equal_ones || n % 3 != 1) slot = (slot + step) & (slots - 1);
  }
}

/// Descending queues with ties within and between them, and +0 before -0. Close scores are a few steps of
/// their type apart.
void OperandPlacement::write_queues(const Instruction& insn, unsigned k) {
  const bool four = row_of(insn.op).lengths == 1;
  const unsigned length = four ? insn.lengths[0] : insn.lengths[k - 1];
  std::byte* into = program_.ub.data() + start_of(program_, insn.operands[k]);
  for (unsigned queue = 0; queue < (four ? 4 * insn.repeat : 1); ++queue) {
    int top = static_cast<int>(draws_.below(120)) - 60;  // negative scores have an order too
    if (theme == Theme::close) top = 1000 - static_cast<int>(draws_.below(4));
    int last = top + 1;
    for (unsigned n = 0; n < length; ++n, into += 8) {
      const std::uint64_t bits = theme == Theme::close
                                     ? nearest(insn.src_type, 3.25) + static_cast<std::uint64_t>(top)
                                     : nearest(insn.src_type, top == 0 && last == 0 ? -0.0 : top);
      std::memcpy(into, &bits, size_of(insn.src_type));
      store<std::uint32_t>(into + 4, ((k * 8 + queue) * 1000 + n) * 0x9e3779b1U);  // any of 32 bits
      last = top;
      top -= static_cast<int>(draws_.below(3));
    }
  }
}

}  // namespace lanecheck
