// For tests: backends of profile vmc with faults that have no mutant. The oracle runs another program than it
// was given, as an implementation with the fault would.
#pragma once

#include <algorithm>
#include <functional>

#include "fuzz/backend/backend.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/mask_register.h"
#include "spec/text/program_text.h"

namespace lanecheck {

inline constexpr MaskWords kAllSlots = {~std::uint64_t{0}, ~std::uint64_t{0}};

inline Instruction set_mask_to(MaskWords words) {
  return mask_setter(Op::set_mask, words);
}

inline bool is_elementwise(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  return row.mask == MaskUse::gates_writeback &&
         std::ranges::all_of(row.operands, [](const auto& each) { return each.walk == Walk::blocks; });
}

inline bool is_16_bit(const Instruction& insn) {
  return size_of(insn.dst_type) == 2 && size_of(insn.src_type) == 2;
}

/// Gives the mask of repeat `repeat` of `insn`, under the mask that was set.
using MaskOf = std::function<MaskWords(const Instruction& insn, unsigned repeat, MaskWords mask)>;

/// Every repeat of an elementwise instruction as an instruction of its own, under a mask of its own.
inline Program repeat_by_repeat(const Program& given, const MaskOf& mask_of) {
  Program program = given;
  program.instructions.clear();
  MaskWords mask = kAllSlots;
  for (const Instruction& insn : given.instructions) {
    if (insn.op == Op::set_mask) mask = {insn.high, insn.low};
    if (insn.op == Op::reset_mask) mask = kAllSlots;
    if (!is_elementwise(insn)) {
      program.instructions.push_back(insn);
      continue;
    }
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
      program.instructions.push_back(set_mask_to(mask_of(insn, repeat, mask)));
      Instruction one = insn;
      one.repeat = 1;
      for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
        one.operands[k].offset += repeat * insn.operands[k].repeat_stride * kBlockBytes;
      program.instructions.push_back(one);
    }
    program.instructions.push_back(set_mask_to(mask));
  }
  return program;
}

using ProgramChange = std::function<Program(const Program&)>;

/// The oracle, which runs what `change` makes of a program.
inline Backend that_runs(const ProgramChange& change) {
  return function_backend("faulty", "", [=](const Program& given, State& state) -> Outcome {
    const Program program = change(given);
    if (const auto fault = find_fault(program)) return Errored{describe(program, *fault)};
    execute(program, Semantics(default_readings(program.profile)), state);
    return Ran{};
  });
}

/// The program with `change` applied to each instruction by which it stays legal.
inline Program each_changed(const Program& given, const std::function<void(Instruction&)>& change) {
  Program program = given;
  for (Instruction& insn : program.instructions) {
    const Instruction before = insn;
    change(insn);
    if (!(insn == before) && find_fault(program)) insn = before;
  }
  return program;
}

}  // namespace lanecheck
