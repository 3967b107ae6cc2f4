#include "spec/rules/cell.h"

#include <bit>

#include "spec/rules/cell_kinds.h"

namespace lanecheck {
namespace {

using cell_kinds::among;

constexpr bool is_gather_mask(Op op) {
  return op == Op::gather_mask || op == Op::gather_mask_user;
}

/// Some aligned group of `count` slots (a power of two up to 32) among the first `lanes` has no active one.
bool some_group_is_empty(const MaskBits& mask, unsigned lanes, unsigned count) {
  std::uint64_t first_of_group = 0;
  for (unsigned bit = 0; bit < 64; bit += count) first_of_group |= std::uint64_t{1} << bit;
  for (unsigned from = 0; from < lanes; from += 64) {
    std::uint64_t any = mask.words[from / 64];
    for (unsigned shift = 1; shift < count; shift *= 2) any |= any >> shift;
    const std::uint64_t inside =
        lanes - from < 64 ? (std::uint64_t{1} << (lanes - from)) - 1 : ~std::uint64_t{0};
    if ((~any & first_of_group & inside) != 0) return true;
  }
  return false;
}

MaskClass mask_class(const MaskBits& mask, unsigned lanes) {
  unsigned active = 0;
  for (unsigned from = 0; from < lanes; from += 64) {
    const std::uint64_t inside =
        lanes - from < 64 ? (std::uint64_t{1} << (lanes - from)) - 1 : ~std::uint64_t{0};
    active += static_cast<unsigned>(std::popcount(mask.words[from / 64] & inside));
  }
  if (active == lanes) return MaskClass::full;
  if (active == 0) return MaskClass::none;
  if (some_group_is_empty(mask, lanes, lanes / kRepeatBlocks)) return MaskClass::block_empty;
  return some_group_is_empty(mask, lanes, 2) ? MaskClass::pair_empty : MaskClass::some_off;
}

RepeatClass repeat_class(const Instruction& insn) {
  const unsigned repeats = repeats_of(insn);
  if (repeats >= 254) return RepeatClass::most;
  return repeats >= 3 ? RepeatClass::several : static_cast<RepeatClass>(repeats);
}

StrideClass stride_class(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  bool canonical = true;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    const Walk walk = row.operands[k].walk;
    const unsigned contiguous =
        walk == Walk::results ? 1
                              : lanes_of(insn) * size_of(operand_type(insn, row.operands[k])) / kBlockBytes;
    const bool has_repeat_stride = walk == Walk::blocks || walk == Walk::rows || walk == Walk::results;
    if ((walk == Walk::blocks && operand.block_stride == 0) ||
        (has_repeat_stride && operand.repeat_stride == 0))
      return StrideClass::zero;
    canonical &= walk != Walk::blocks || operand.block_stride == 1;
    canonical &= !has_repeat_stride || operand.repeat_stride == contiguous;
  }
  return canonical ? StrideClass::canonical : StrideClass::other;
}

/// How many slots of the mask decide about `insn`: the lanes of a repeat. For the instructions that set the
/// mask it is the first 128, for the sorts the first 32.
unsigned lanes_of_mask(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (!row.typed() || row.mask == MaskUse::is_mask_state || insn.op == Op::set_cmpmask) return 128;
  if (among(insn.op, {Op::sort32, Op::mergesort4, Op::mergesort_2seq})) return 32;
  return is_gather_mask(insn.op) ? lanes_of(insn.src_type) : lanes_of(insn);
}

/// The class of a mask in counter mode, of `total` elements.
MaskClass counter_class(std::uint64_t total, unsigned lanes) {
  if (total == 0) return MaskClass::none;
  return total % lanes != 0 ? MaskClass::some_off : MaskClass::full;
}

}  // namespace

unsigned variant_of(const Instruction& insn) {
  if (insn.op == Op::cast) return static_cast<unsigned>(insn.round);
  if (among(insn.op, {Op::compare, Op::compare_scalar, Op::compare_cmpmask}))
    return static_cast<unsigned>(insn.compare);
  if (is_gather_mask(insn.op))
    return (setting(insn, "pattern") & 7) + 8 * (setting(insn, "counter") & 1) +
           (setting(insn, "mask") != 0 ? 16 : 0);
  if (among(insn.op, {Op::cmax_index, Op::cmin_index})) return setting(insn, "order") & 3;
  if (insn.op == Op::vpadding) return 2 * (setting(insn, "mode") & 3) + (setting(insn, "side") & 1);
  return 0;
}

Cell cell_of(const ResolvedInstruction& here, const MaskBits& mask) {
  const Instruction& insn = here.insn;
  const Row& row = row_of(insn.op);
  const unsigned lanes = lanes_of_mask(insn);
  Cell cell;
  cell.op = insn.op;
  cell.dst_type = insn.dst_type;
  cell.src_type = insn.src_type;
  cell.origin = mask.origin;
  cell.mode = mask.mode;
  const bool counts = mask.mode == Mode::counter && takes_mask(row) && lanes > 0;
  cell.tail = counts && here.total % lanes != 0;
  cell.mask = counts ? counter_class(here.total, lanes) : mask_class(mask, lanes);
  cell.repeat = repeat_class(insn);
  cell.stride = stride_class(insn);
  cell.from = insn.mask_from;
  cell.variant = static_cast<std::uint8_t>(variant_of(here.insn));
  if (is_gather_mask(insn.op))
    cell.variant = static_cast<std::uint8_t>(cell.variant | (here.total != kNoTotal ? 8 : 0));
  cell.in_place = row.operands.size() > 1 && row.operands[0].walk == Walk::blocks &&
                  row.operands[1].walk == Walk::blocks && insn.operands[0] == insn.operands[1];
  cell.scalar_repeat = insn.scalar_repeat;
  return cell;
}

namespace {

/// Calls f(field, bits) for each field of a cell.
template <class CellRef, class F>
void for_each_field(CellRef& cell, F f) {
  f(cell.op, 7);
  f(cell.dst_type, 4);
  f(cell.src_type, 4);
  f(cell.mask, 3);
  f(cell.origin, 2);
  f(cell.repeat, 3);
  f(cell.stride, 2);
  f(cell.from, 2);
  f(cell.mode, 1);
  f(cell.variant, 5);
  f(cell.tail, 1);
  f(cell.in_place, 1);
  f(cell.scalar_repeat, 1);
}

}  // namespace

std::uint64_t key_of(const Cell& cell) {
  std::uint64_t key = 0;
  for_each_field(
      cell, [&](const auto& field, unsigned bits) { key = key << bits | static_cast<std::uint64_t>(field); });
  return key;
}

Cell cell_at(std::uint64_t key) {
  Cell cell;
  unsigned left = 36;
  for_each_field(cell, [&](auto& field, unsigned bits) {
    left -= bits;
    field =
        static_cast<std::remove_reference_t<decltype(field)>>(key >> left & ((std::uint64_t{1} << bits) - 1));
  });
  return cell;
}

}  // namespace lanecheck
