#include "spec/mask/footprint.h"

#include <algorithm>
#include <bit>

namespace lanecheck {

constexpr unsigned kRecordBytes = 8;  // a (score, index) record of sort32 and the merges

constexpr unsigned kIndexBytes = 4;  // ONLY_INDEX of the extremes is a u32 for every type

namespace {

/// Of each `period` elements, a fixed pattern keeps the one at `first`.
struct FixedPattern {
  unsigned period, first;
};

FixedPattern fixed_pattern(unsigned pattern) {
  if (pattern <= 2) return {2, pattern - 1};
  if (pattern <= 6) return {4, pattern - 3};
  return {1, 0};
}

/// Elements that gather_mask keeps of the first `lanes` of a repeat; of a user pattern, as many as it may
/// keep.
std::uint64_t kept_of(const Instruction& insn, unsigned lanes) {
  if (!setting_index(row_of(insn.op), "pattern")) return lanes;  // a user pattern
  const auto [period, first] = fixed_pattern(setting(insn, "pattern"));
  return lanes > first ? (lanes - first + period - 1) / period : 0;
}

/// Bytes from the start of a repeat to the end of its first `lanes` lanes.
std::uint64_t reach(const Instruction& insn, unsigned k, unsigned lanes) {
  const OperandColumn& column = row_of(insn.op).operands[k];
  if (column.walk != Walk::blocks) return repeat_bytes(insn, k, lanes);
  const Element type = operand_type(insn, column);
  const unsigned last = lanes - 1;
  return std::uint64_t{last / per_block(type)} * insn.operands[k].block_stride * kBlockBytes +
         (last % per_block(type) + 1) * size_of(type);
}

/// The bytes of UB that operand `k` walks over.
std::vector<bool> bytes_of(const Program& program, const Instruction& insn, unsigned k) {
  std::vector<bool> bytes(program.ub.size());
  for_each_piece(insn, k, [&](std::uint64_t offset, std::uint64_t count) {
    const std::uint64_t from = start_of(program, insn.operands[k]) + offset;
    for (std::uint64_t byte = from; byte < std::min<std::uint64_t>(from + count, bytes.size()); ++byte)
      bytes[byte] = true;
  });
  return bytes;
}

}  // namespace

std::uint64_t repeat_bytes(const Instruction& insn, unsigned k, unsigned lanes) {
  const OperandColumn& column = row_of(insn.op).operands[k];
  const std::uint64_t size = size_of(operand_type(insn, column));
  switch (column.walk) {
    case Walk::blocks:
      return kRepeatBytes;
    case Walk::rows:
      return lanes * size;
    case Walk::results:
      if (row_of(insn.op).results == ResultRule::indexed && setting(insn, "order") == 3) return kIndexBytes;
      return results_per_repeat(insn) * size;
    case Walk::bits:
      return (lanes + 7) / 8;
    case Walk::elements:
      return (column.per_repeat != 0 ? column.per_repeat : lanes) * size;
    case Walk::records:  // mergesort_2seq has a queue in each source; elsewhere all records are in a row
      return kRecordBytes * (row_of(insn.op).lengths == 2 && k > 0 ? insn.lengths[k - 1] : lanes);
    case Walk::sixteen:
      return 16;
    case Walk::pattern: {  // whole words: of 16 bits for 16-bit elements, of 32 bits for 32-bit ones (GM)
      const unsigned word = size_of(insn.src_type);
      return (lanes + 8 * word - 1) / (8 * word) * word;
    }
    case Walk::packed:
      return kept_of(insn, lanes) * size;
    case Walk::returned:
      return size;
    case Walk::indexed:
      break;
  }
  return 0;
}

std::uint64_t repeat_step(const Instruction& insn, unsigned k) {
  const Walk walk = row_of(insn.op).operands[k].walk;
  if (walk == Walk::sixteen || walk == Walk::returned) return 0;
  if (walk == Walk::blocks || walk == Walk::rows || walk == Walk::pattern)
    return std::uint64_t{insn.operands[k].repeat_stride} * kBlockBytes;
  if (walk == Walk::results) return insn.operands[k].repeat_stride * repeat_bytes(insn, k);
  return repeat_bytes(insn, k);
}

LaneWalk::LaneWalk(const Instruction& insn, unsigned k) : repeat_step(lanecheck::repeat_step(insn, k)) {
  const OperandColumn& column = row_of(insn.op).operands[k];
  const Element type = operand_type(insn, column);
  block_step = (column.walk == Walk::rows ? 1u : insn.operands[k].block_stride) * std::uint64_t{kBlockBytes};
  block_bits = static_cast<unsigned>(std::countr_zero(per_block(type)));
  size = size_of(type);
}

bool is_contiguous(const Instruction& insn, unsigned k) {
  const unsigned size = size_of(operand_type(insn, row_of(insn.op).operands[k]));
  return insn.operands[k].block_stride == 1 &&
         insn.operands[k].repeat_stride == lanes_of(insn) * size / kBlockBytes;
}

std::uint64_t extent(const Instruction& insn, unsigned k, unsigned lanes) {
  const Walk walk = row_of(insn.op).operands[k].walk;
  const unsigned repeats = repeats_of(insn);
  if (walk == Walk::returned) return repeat_bytes(insn, k);
  if (repeats == 0 || lanes == 0 || walk == Walk::indexed) return 0;
  return (repeats - 1) * repeat_step(insn, k) + reach(insn, k, lanes);
}

unsigned lanes_in(const ResolvedInstruction& here, unsigned r) {
  const unsigned lanes = lanes_of(here.insn);
  if (here.total == kNoTotal) return lanes;
  const std::uint64_t done = std::uint64_t{r} * lanes;
  return here.total <= done ? 0 : static_cast<unsigned>(std::min<std::uint64_t>(lanes, here.total - done));
}

bool is_inside_ub(const Program& program, const Instruction& insn) {
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
    if (start_of(program, insn.operands[k]) + extent(insn, k, lanes_of(insn)) > program.ub.size())
      return false;
  return true;
}

std::uint64_t extent(const ResolvedInstruction& here, unsigned k) {
  const Instruction& insn = here.insn;
  const unsigned lanes = lanes_of(insn), repeats = repeats_of(insn);
  if (here.total == kNoTotal || repeats == 0) return extent(insn, k, lanes);
  const OperandColumn& column = row_of(insn.op).operands[k];
  unsigned tail = lanes_in(here, repeats - 1);
  const unsigned per = per_block(operand_type(insn, column));
  if (row_of(insn.op).whole_blocks && k > 0) tail = (tail + per - 1) / per * per;
  if (tail == lanes || column.walk == Walk::indexed || column.walk == Walk::returned)
    return extent(insn, k, lanes);
  Instruction before = insn;
  before.repeat = repeats - 1;
  return std::max(extent(before, k, lanes), (repeats - 1) * repeat_step(insn, k) + reach(insn, k, tail));
}

std::optional<std::vector<unsigned>> sources_that_share_dst(const Program& program, const Instruction& insn) {
  const Row& row = row_of(insn.op);
  std::vector<unsigned> found;
  if (!row.writes_dst()) return found;
  const std::vector<bool> dst = bytes_of(program, insn, 0);
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (row.operands[k].walk == Walk::indexed) return {};
    const std::vector<bool> source = bytes_of(program, insn, k);
    bool shares = false;
    for (std::size_t byte = 0; byte < dst.size(); ++byte) shares |= dst[byte] && source[byte];
    if (shares) found.push_back(k);
  }
  return found;
}

}  // namespace lanecheck
