#include "spec/footprint.h"

namespace lanecheck {

constexpr unsigned kRecordBytes = 8;  // a (score, index) record of sort32 and the merges

constexpr unsigned kIndexBytes = 4;  // ONLY_INDEX of the extremes is a u32 for every type

namespace {

/// Elements that one repeat of gather_mask keeps; of a user pattern, as many as it may keep.
std::uint64_t kept_per_repeat(const Instruction& i) {
  if (row_of(i.op).form == Form::gather_mask_user) return lanes_of(i);
  const std::uint64_t lanes = lanes_of(i);
  const unsigned pattern = setting(i, "pattern");
  const unsigned period = pattern <= 2 ? 2 : pattern <= 6 ? 4 : 1;
  const unsigned first = pattern <= 2 ? pattern - 1 : pattern <= 6 ? pattern - 3 : 0;
  return lanes > first ? (lanes - first + period - 1) / period : 0;
}

}  // namespace

std::uint64_t repeat_bytes(const Instruction& i, unsigned k) {
  const OperandColumn& column = row_of(i.op).operands[k];
  const std::uint64_t size = size_of(operand_type(i, column));
  switch (column.walk) {
    case Walk::blocks:
    case Walk::rows:
      return kRepeatBytes;
    case Walk::results:
      if (row_of(i.op).form == Form::reduce_extreme && setting(i, "order") == 3) return kIndexBytes;
      return results_per_repeat(i) * size;
    case Walk::bits:
      return lanes_of(i) / 8;
    case Walk::elements:
      return (column.per_repeat != 0 ? column.per_repeat : lanes_of(i)) * size;
    case Walk::records:  // mergesort_2seq has a queue in each source; elsewhere all records are in a row
      return kRecordBytes * (row_of(i.op).form == Form::merge2 && k > 0 ? i.lengths[k - 1] : lanes_of(i));
    case Walk::sixteen:
      return 16;
    case Walk::pattern: {  // whole words: of 16 bits for 16-bit elements, of 32 bits for 32-bit ones (GM)
      const unsigned word = size_of(i.src_type);
      return (lanes_of(i) + 8 * word - 1) / (8 * word) * word;
    }
    case Walk::packed:
      return kept_per_repeat(i) * size;
    case Walk::returned:
      return size;
    case Walk::indexed:
      break;
  }
  return 0;
}

std::uint64_t repeat_step(const Instruction& i, unsigned k) {
  const Walk walk = row_of(i.op).operands[k].walk;
  if (walk == Walk::sixteen || walk == Walk::returned) return 0;
  if (walk == Walk::blocks || walk == Walk::rows || walk == Walk::pattern)
    return std::uint64_t{i.operands[k].repeat_stride} * kBlockBytes;
  if (walk == Walk::results) return i.operands[k].repeat_stride * repeat_bytes(i, k);
  return repeat_bytes(i, k);
}

bool is_contiguous(const Instruction& i, unsigned k) {
  const unsigned size = size_of(operand_type(i, row_of(i.op).operands[k]));
  return i.operands[k].block_stride == 1 && i.operands[k].repeat_stride == lanes_of(i) * size / kBlockBytes;
}

std::uint64_t extent(const Instruction& i, unsigned k, unsigned lanes) {
  const unsigned repeats = repeats_of(i);
  if (repeats == 0 || lanes == 0) return 0;
  const OperandColumn& column = row_of(i.op).operands[k];
  if (column.walk == Walk::indexed) return 0;
  const std::uint64_t last_repeat = (repeats - 1) * repeat_step(i, k);
  if (column.walk != Walk::blocks) return last_repeat + repeat_bytes(i, k);
  const Element type = operand_type(i, column);
  const unsigned last_lane = lanes - 1;
  return last_repeat + std::uint64_t{last_lane / per_block(type)} * i.operands[k].block_stride * kBlockBytes +
         (last_lane % per_block(type) + 1) * size_of(type);
}

}  // namespace lanecheck
