// A program is data: the initial bytes of the Unified Buffer (UB), then instructions. Nothing else decides
// the outcome. Every program starts from the documented default state, so any subsequence of the
// instructions is a program too (a legal one if no instruction depends on the mode of the mask).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spec/program/instruction.h"

namespace lanecheck {

inline constexpr std::uint32_t kMaxUbBytes =
    192 * 1024;  ///< UB of Atlas A2 (asc-devkit, Vector architecture)
inline constexpr std::uint32_t kMaxRepeat = 255;
inline constexpr std::uint32_t kMaxStride = 65535;
inline constexpr std::size_t kMaxInstructions = 4096;

/// A named piece of UB. Allocations do not overlap.
struct Allocation {
  std::string name;
  Element type = Element::u8;  ///< how to show the bytes; operands may view them as any type
  std::uint32_t offset = 0;    ///< bytes from the start of UB
  std::uint32_t bytes = 0;

  bool operator==(const Allocation&) const = default;
};

struct Program {
  Profile profile = Profile::vmc;  ///< the contract under which it is written (spec/program/profile.h)
  std::vector<Allocation> allocations;
  std::vector<Instruction> instructions;
  std::vector<std::byte> ub;  ///< the whole of UB before the first instruction; its size is UB's size

  bool operator==(const Program&) const = default;
};

/// Byte offset in UB where an operand starts.
inline std::uint32_t start_of(const Program& program, const Operand& operand) {
  return program.allocations[operand.allocation].offset + operand.offset;
}

/// Element slots of one instruction: repeats times lanes, masked off or not. The unit of all rates.
inline std::uint64_t element_slots(const Instruction& insn) {
  return row_of(insn.op).operands.empty() ? 0 : std::uint64_t{repeats_of(insn)} * lanes_of(insn);
}

}  // namespace lanecheck
