// Where the operands of a generated program live, and what stands there.
#pragma once

#include <vector>

#include "fuzz/generate/data.h"
#include "fuzz/generate/draws.h"
#include "spec/mask/mask_register.h"
#include "spec/program/program.h"

namespace lanecheck {

class OperandPlacement {
 public:
  OperandPlacement(Draws& draws, Program& program) : draws_(draws), program_(program) {}

  bool wild = false;

  /// Finds a home for operand `k`: its own allocation, or an earlier place where that is decisive or wild.
  /// The strides and repeat times of what `here` walks over are settled.
  void place(ResolvedInstruction& here, unsigned k);
  /// Offsets that visit places of the indexed operand in a shuffled order, each at most once.
  void write_offsets(const Instruction& insn, unsigned indexed);

 private:
  bool may_share_dst(const Instruction& insn, const Row& row, unsigned k);
  Fill source_fill(const Row& row, unsigned k);
  Fill fill_of(const Row& row, unsigned k, Element type);
  void refill(const Operand& operand, Element type, Fill kind);
  /// `room`: how far whole repeats reach.
  void allocate(Instruction& insn, unsigned k, std::uint32_t bytes, std::uint32_t room);
  void write_queues(const Instruction& insn, unsigned k);

  Draws& draws_;
  Program& program_;
  std::vector<std::uint16_t> reusable_;  // allocations whose contents are exact, for wild programs
};

}  // namespace lanecheck
