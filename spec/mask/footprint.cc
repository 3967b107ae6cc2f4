#include "spec/mask/footprint.h"

#include <algorithm>

namespace lanecheck {

constexpr unsigned kRecordBytes = 8;  // a (score, index) record of sort32 and the merges

constexpr unsigned kIndexBytes = 4;  // ONLY_INDEX of the extremes is a u32 for every type

namespace {

/// Elements that gather_mask keeps of the first `lanes` of a repeat; of a user pattern, as many as it may
/// keep.
std::uint64_t kept_of(const Instruction& i, unsigned lanes) {
  if (row_of(i.op).form == Form::gather_mask_user) return lanes;
  const unsigned pattern = setting(i, "pattern");
  const unsigned period = pattern <= 2 ? 2 : pattern <= 6 ? 4 : 1;
  const unsigned first = pattern <= 2 ? pattern - 1 : pattern <= 6 ? pattern - 3 : 0;
  return lanes > first ? (lanes - first + period - 1) / period : 0;
}

/// Bytes from the start of a repeat to the end of its first `lanes` lanes.
std::uint64_t reach(const Instruction& i, unsigned k, unsigned lanes) {
  const OperandColumn& column = row_of(i.op).operands[k];
  if (column.walk != Walk::blocks) return repeat_bytes(i, k, lanes);
  const Element type = operand_type(i, column);
  const unsigned last = lanes - 1;
  return std::uint64_t{last / per_block(type)} * i.operands[k].block_stride * kBlockBytes +
         (last % per_block(type) + 1) * size_of(type);
}

}  // namespace

std::uint64_t repeat_bytes(const Instruction& i, unsigned k, unsigned lanes) {
  const OperandColumn& column = row_of(i.op).operands[k];
  const std::uint64_t size = size_of(operand_type(i, column));
  switch (column.walk) {
    case Walk::blocks:
      return kRepeatBytes;
    case Walk::rows:
      return lanes * size;
    case Walk::results:
      if (row_of(i.op).form == Form::reduce_extreme && setting(i, "order") == 3) return kIndexBytes;
      return results_per_repeat(i) * size;
    case Walk::bits:
      return (lanes + 7) / 8;
    case Walk::elements:
      return (column.per_repeat != 0 ? column.per_repeat : lanes) * size;
    case Walk::records:  // mergesort_2seq has a queue in each source; elsewhere all records are in a row
      return kRecordBytes * (row_of(i.op).form == Form::merge2 && k > 0 ? i.lengths[k - 1] : lanes);
    case Walk::sixteen:
      return 16;
    case Walk::pattern: {  // whole words: of 16 bits for 16-bit elements, of 32 bits for 32-bit ones (GM)
      const unsigned word = size_of(i.src_type);
      return (lanes + 8 * word - 1) / (8 * word) * word;
    }
    case Walk::packed:
      return kept_of(i, lanes) * size;
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
  const Walk walk = row_of(i.op).operands[k].walk;
  const unsigned repeats = repeats_of(i);
  if (walk == Walk::returned) return repeat_bytes(i, k);
  if (repeats == 0 || lanes == 0 || walk == Walk::indexed) return 0;
  return (repeats - 1) * repeat_step(i, k) + reach(i, k, lanes);
}

unsigned lanes_in(const Effective& here, unsigned r) {
  const unsigned lanes = lanes_of(here.insn);
  if (here.total == kNoTotal) return lanes;
  const std::uint64_t done = std::uint64_t{r} * lanes;
  return here.total <= done ? 0 : static_cast<unsigned>(std::min<std::uint64_t>(lanes, here.total - done));
}

std::uint64_t extent(const Effective& here, unsigned k) {
  const Instruction& i = here.insn;
  const unsigned lanes = lanes_of(i), repeats = repeats_of(i);
  if (here.total == kNoTotal || repeats == 0) return extent(i, k, lanes);
  const OperandColumn& column = row_of(i.op).operands[k];
  unsigned tail = lanes_in(here, repeats - 1);
  const unsigned per = per_block(operand_type(i, column));
  if (row_of(i.op).form == Form::padding && k > 0) tail = (tail + per - 1) / per * per;
  if (tail == lanes || column.walk == Walk::indexed || column.walk == Walk::returned)
    return extent(i, k, lanes);
  Instruction before = i;
  before.repeat = repeats - 1;
  return std::max(extent(before, k, lanes), (repeats - 1) * repeat_step(i, k) + reach(i, k, tail));
}

}  // namespace lanecheck
