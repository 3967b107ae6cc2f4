#include "spec/cell.h"

#include <algorithm>
#include <bit>

namespace lanecheck {
namespace {

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

RepeatClass repeat_class(const Instruction& i) {
  const unsigned repeats = repeats_of(i);
  if (repeats >= 254) return RepeatClass::most;
  return repeats >= 3 ? RepeatClass::several : static_cast<RepeatClass>(repeats);
}

StrideClass stride_class(const Instruction& i) {
  const Row& row = row_of(i.op);
  bool canonical = true;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Operand& operand = i.operands[k];
    const Walk walk = row.operands[k].walk;
    const unsigned contiguous =
        walk == Walk::results ? 1 : lanes_of(i) * size_of(operand_type(i, row.operands[k])) / kBlockBytes;
    const bool has_repeat_stride = walk == Walk::blocks || walk == Walk::rows || walk == Walk::results;
    if ((walk == Walk::blocks && operand.block_stride == 0) ||
        (has_repeat_stride && operand.repeat_stride == 0))
      return StrideClass::zero;
    canonical &= walk != Walk::blocks || operand.block_stride == 1;
    canonical &= !has_repeat_stride || operand.repeat_stride == contiguous;
  }
  return canonical ? StrideClass::canonical : StrideClass::other;
}

}  // namespace

void MaskBits::apply(const Instruction& i) {
  if (i.op == Op::set_mask) {
    words[0] = i.low;
    words[1] = i.high;
    origin = MaskOrigin::set;
  } else if (i.op == Op::reset_mask) {
    *this = MaskBits{};
    origin = MaskOrigin::reset;
  }
}

MaskBits bits_of(const Mask& mask, MaskOrigin origin) {
  MaskBits bits;
  bits.words = {};
  bits.origin = origin;
  for (unsigned slot = 0; slot < kMaskSlots; ++slot)
    bits.words[slot / 64] |= std::uint64_t{mask[slot]} << slot % 64;
  return bits;
}

Cell cell_of(const Instruction& i, const MaskBits& mask) {
  const Form form = row_of(i.op).form;
  // What follows the mask's lanes: the lanes of a repeat; for set_mask itself and the sorts the first 128
  // and 32.
  const unsigned lanes = form == Form::set_mask || form == Form::reset_mask || form == Form::set_cmpmask ? 128
                         : form == Form::sort32 || form == Form::merge4 || form == Form::merge2          ? 32
                                                                                                : lanes_of(i);
  return {i.op,        i.dst_type,      i.src_type,     mask_class(mask, lanes),
          mask.origin, repeat_class(i), stride_class(i)};
}

std::size_t cell_count() {
  return instruction_table().size() * kCellsPerRow;
}

std::size_t index_of(const Cell& cell) {
  const Row& row = row_of(cell.op);
  std::size_t pair = 0;
  while (pair < row.types.size() &&
         (row.types[pair].dst != cell.dst_type || row.types[pair].src != cell.src_type))
    ++pair;
  std::size_t index =
      static_cast<std::size_t>(cell.op) * kTypePairsPerRow + std::min(pair, kTypePairsPerRow - 1);
  index = index * 5 + static_cast<std::size_t>(cell.mask);
  index = index * 3 + static_cast<std::size_t>(cell.origin);
  index = index * 5 + static_cast<std::size_t>(cell.repeat);
  return index * 3 + static_cast<std::size_t>(cell.stride);
}

Cell cell_at(std::size_t index) {
  const auto take = [&](std::size_t radix) {
    const std::size_t digit = index % radix;
    index /= radix;
    return digit;
  };
  Cell cell;
  cell.stride = static_cast<StrideClass>(take(3));
  cell.repeat = static_cast<RepeatClass>(take(5));
  cell.origin = static_cast<MaskOrigin>(take(3));
  cell.mask = static_cast<MaskClass>(take(5));
  const std::size_t pair = take(kTypePairsPerRow);
  cell.op = static_cast<Op>(index);
  const Row& row = row_of(cell.op);
  if (pair < row.types.size()) {
    cell.dst_type = row.types[pair].dst;
    cell.src_type = row.types[pair].src;
  }
  return cell;
}

}  // namespace lanecheck
