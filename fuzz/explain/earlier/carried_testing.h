// For tests of what is carried: a backend that keeps something of earlier instructions.
#pragma once

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {

/// A backend that executes each instruction as `change` makes it of itself and the earlier ones. It has
/// memory behind UB, which a kept stride may reach.
inline Backend changes(const std::function<void(const Program&, std::size_t, Instruction&, Mask&)>& change) {
  return function_backend("keeps", "", [change](const Program& program, State& state) -> Outcome {
    constexpr std::size_t kBehind = 64 * 1024;
    Program roomy = program;
    roomy.ub.resize(program.ub.size() + kBehind, std::byte{0x5a});
    execute(prefix(roomy, 0), Semantics{}, state);
    for (std::size_t n = 0; n < program.instructions.size(); ++n) {
      Instruction insn = program.instructions[n];
      Mask mask = state.mask;
      change(program, n, insn, mask);
      std::swap(mask, state.mask);
      execute_one(roomy, insn, Semantics{}, state);
      if (row_of(insn.op).mask != MaskUse::is_mask_state) state.mask = mask;
    }
    state.ub.resize(program.ub.size());
    return Ran{};
  });
}

/// The last instruction of the same kind before instruction `n`; null if it is the first one.
inline const Instruction* same_before(const Program& program, std::size_t n) {
  for (std::size_t at = n; at-- > 0;)
    if (program.instructions[at].op == program.instructions[n].op) return &program.instructions[at];
  return nullptr;
}

}  // namespace lanecheck
