// Gives the operands of a generated program their places in UB, and fills these with data.
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

  /// Finds a place for operand `k`: an allocation of its own, or an earlier place if the program stays
  /// decisive or is wild. The strides and repeat times of `here` must be final.
  void place(ResolvedInstruction& here, unsigned k);
  /// Offsets that visit places of the indexed operand in a shuffled order, each at most once.
  void write_offsets(const Instruction& insn, unsigned indexed);

 private:
  bool may_share_dst(const Instruction& insn, const Row& row, unsigned k);
  Fill source_fill(const Row& row, unsigned k);
  Fill fill_of(const Row& row, unsigned k, Element type);
  void refill(const Operand& operand, Element type, Fill kind);
  /// `room` is how far whole repeats reach.
  void allocate(Instruction& insn, unsigned k, std::uint32_t bytes, std::uint32_t room);
  void write_queues(const Instruction& insn, unsigned k);

  Draws& draws_;
  Program& program_;
  std::vector<std::uint16_t> reusable_;  // allocations whose contents are exact, for wild programs
};

}  // namespace lanecheck
