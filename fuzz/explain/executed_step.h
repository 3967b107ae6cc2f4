// One instruction run by one backend, with the relation that rules judge it by (spec/rules/rule.h).
#pragma once

#include <optional>

#include "fuzz/backend/backend.h"
#include "spec/rules/rule.h"

namespace lanecheck {

/// The states around one step. `before` is given; `after` and `unmasked` come from the backend.
struct ExecutedStep {
  Program
      program;  ///< one instruction on the bytes of `before`, preceded by set_mask where the mask is not full
  State before, after, unmasked;

  Step view() const { return {program, program.instructions.back(), before, after, unmasked}; }
};

/// Runs instruction `insn` of `program` on `before` by `backend`, as it stands and under a full mask; for a
/// reduction the latter on a source whose masked-off elements are neutral. Nothing when the backend does not
/// run it, or when a source element is at once on and off (a stride of 0), or when set_mask cannot make the
/// mask of `before`.
std::optional<ExecutedStep> run_step(const Backend& backend, const Program& program, const Instruction& insn,
                                     const State& before);

}  // namespace lanecheck
