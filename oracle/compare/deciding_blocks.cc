#include "oracle/compare/deciding_blocks.h"

#include <algorithm>

namespace lanecheck {

unsigned first_source(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  return row.reads_dst || row.operands[0].role != "dst" ? 0 : 1;
}

/// What the first instruction reads is exact, except that its repeats may read what earlier ones wrote.
DecidingBlocks::DecidingBlocks(const Program& program, std::vector<std::uint8_t> differing)
    : decides_(std::move(differing)) {
  bool is_first = true;
  for (const Instruction& insn : program.instructions) {
    const std::size_t operands = row_of(insn.op).operands.size();
    if (operands == 0) continue;
    if (!is_first || accumulates(insn))
      for (std::size_t k = first_source(insn); k < operands; ++k) {
        const Allocation& home = program.allocations[insn.operands[k].allocation];
        add(home.offset, home.bytes);
      }
    is_first = false;
  }
}

bool DecidingBlocks::have(std::size_t at, std::size_t bytes) const {
  if (decides_.empty()) return true;
  const std::size_t end = std::min((at + bytes - 1) / kBlockBytes + 1, decides_.size());
  for (std::size_t block = at / kBlockBytes; block < end; ++block)
    if (decides_[block] != 0) return true;
  return false;
}

void DecidingBlocks::add(std::size_t at, std::size_t bytes) {
  const std::size_t end = std::min((at + bytes + kBlockBytes - 1) / kBlockBytes, decides_.size());
  for (std::size_t block = at / kBlockBytes; block < end; ++block) decides_[block] = 1;
}

}  // namespace lanecheck
