// For tests of sort32 and the merges: their records.
#pragma once

#include <array>
#include <cstring>
#include <vector>

#include "spec/program/element.h"
#include "spec/program/program.h"
#include "spec/text/number.h"

namespace lanecheck {

/// As it lies in UB, and the value of its score.
struct RecordBytes {
  double score;
  std::array<std::byte, 8> bytes;
};

/// `type`: of the score, which stands first.
inline RecordBytes record_of(const std::array<std::byte, 8>& bytes, Element type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), size_of(type));
  return {value_of(type, bits), bytes};
}

/// The 32 records of a repeat of sort32, in the order of the sources.
inline std::vector<RecordBytes> sources_of_sort32(const Program& program, std::size_t repeat) {
  const Instruction& insn = program.instructions.back();
  const std::size_t size = size_of(insn.src_type);
  std::vector<RecordBytes> records;
  for (std::size_t n = 32 * repeat; n < 32 * repeat + 32; ++n) {
    std::array<std::byte, 8> bytes{};
    std::memcpy(bytes.data(), &program.ub[start_of(program, insn.operands[1]) + size * n], size);
    std::memcpy(&bytes[4], &program.ub[start_of(program, insn.operands[2]) + 4 * n], 4);
    records.push_back(record_of(bytes, insn.src_type));
  }
  return records;
}

}  // namespace lanecheck
