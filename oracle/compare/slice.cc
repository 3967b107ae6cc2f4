#include "oracle/compare/slice.h"

#include <algorithm>

namespace lanecheck {
namespace {

Slice slice_of(const Program& program, bool everything) {
  return {std::vector<std::uint8_t>(program.instructions.size(), everything ? 1 : 0),
          std::vector<std::uint8_t>(program.ub.size() / kBlockBytes + 1,
                                    everything ? Slice::kWholeBlock : std::uint8_t{0})};
}

/// The data blocks of each allocation, with the bytes behind it, up to the next allocation: gather_mask may
/// leave any data there.
class Homes {
 public:
  explicit Homes(const Program& program) : first_(program.allocations.size()), last_(first_) {
    std::vector<std::size_t> order(first_.size());
    for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
    std::ranges::sort(order, {}, [&](std::size_t n) { return program.allocations[n].offset; });
    std::size_t end = program.ub.size() / kBlockBytes + 1;
    for (auto n = order.rbegin(); n != order.rend(); ++n) {
      first_[*n] = program.allocations[*n].offset / kBlockBytes;
      last_[*n] = end;
      end = first_[*n];
    }
  }

  std::span<std::uint8_t> blocks_of(Slice& slice, const Operand& operand) const {
    const std::size_t first = first_[operand.allocation];
    return std::span(slice.blocks).subspan(first, last_[operand.allocation] - first);
  }

 private:
  std::vector<std::size_t> first_, last_;
};

bool has_some(std::span<const std::uint8_t> blocks) {
  return std::ranges::any_of(blocks, [](std::uint8_t words) { return words != 0; });
}

/// The compare mask leads from one instruction to another, past UB.
bool brings_compare_mask(Op op) {
  return op == Op::set_cmpmask || op == Op::compare_cmpmask || op == Op::select_bits;
}

}  // namespace

bool is_written(const OperandColumn& column) {
  return column.role == "dst" || column.walk == Walk::returned;
}

Slice whole_slice(const Program& program) {
  return slice_of(program, true);
}

Slice slice_behind(const Program& program, std::span<const std::uint32_t> bytes) {
  Slice slice = slice_of(program, false);
  for (const std::uint32_t at : bytes) slice.add_word_of(at);
  const Homes homes(program);
  for (std::size_t n = program.instructions.size(); n-- > 0;) {
    const Instruction& insn = program.instructions[n];
    const Row& row = row_of(insn.op);
    bool writes = brings_compare_mask(insn.op);
    for (unsigned k = 0; k < row.operands.size(); ++k)
      writes |= is_written(row.operands[k]) && has_some(homes.blocks_of(slice, insn.operands[k]));
    if (!writes) continue;
    slice.instructions[n] = 1;
    for (unsigned k = 0; k < row.operands.size(); ++k)
      if (!is_written(row.operands[k]) || row.reads_dst)
        std::ranges::fill(homes.blocks_of(slice, insn.operands[k]), Slice::kWholeBlock);
  }
  return slice;
}

}  // namespace lanecheck
