// One instruction run by one backend, with the relation that rules judge it by (spec/rules/rule.h).
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "fuzz/explain/questions/asked_backend.h"
#include "oracle/execute/semantics.h"
#include "spec/rules/rule.h"

namespace lanecheck {

/// The states around one executed instruction. `before` is given; `after` and `unmasked` come from the
/// backend.
struct ExecutedStep {
  /// The program of the step: one instruction on the bytes of `before`, after a set_mask if the mask is not
  /// full.
  Program program;
  State before, after, unmasked;

  Step view() const { return {program, program.instructions.back(), before, after, unmasked}; }
};

/// `insn` with every lane on, by a full register or, if it must bring its own mask, by a mask operand.
Instruction under_full_mask(Profile profile, Instruction insn);

/// Does the relation between the step and the backend's own unmasked run hold that the semantics ask for?
/// Nothing if the instruction has no such relation.
std::optional<bool> relation_holds(const Step& step, const Semantics& semantics);

/// `insn` under the mask that `state` has in the register: taken from there, or if it must bring its own
/// mask, as its two words.
Instruction under_register(Profile profile, Instruction insn, const State& state);

/// A program of `insn` alone on `before`, after the instructions that make the mask and the mode of `before`.
/// If no instruction can set this mask and `insn` has one of its own, it is alone. Nothing if no instructions
/// can, if the compare mask matters, or if the program is illegal.
std::optional<Program> alone(const Program& program, const Instruction& insn, const State& before);

/// Puts these bits behind the UB of a program, and set_cmpmask, which loads them from there, behind its
/// instructions.
void load_compare_mask(Program& program, const std::array<std::byte, 16>& cmpmask);

/// As `alone` for an instruction that reads the compare mask: set_cmpmask loads that of `before` from behind
/// its UB.
std::optional<Program> alone_with_compare_mask(const Program& program, const Instruction& insn,
                                               const State& before);

/// Is this UB what the documents say of the program? A NaN may have other bits. The program may hold results
/// of earlier instructions as they are documented.
bool leaves_ub(const Program& program, const State& actual, const Semantics& semantics, Shown shown);

/// Lets the backend run instruction `insn` of `program` on `before`: once as it is, and once under a full
/// mask. For a reduction the second run has a source whose masked-off elements are neutral. Where dst is only
/// written, the second run starts with its bytes inverted, so that a dst that is never written shows. Nothing
/// if the backend does not run it, if a source element is both active and masked off (a stride of 0), or if
/// set_mask cannot make the mask of `before`. A mask or mode that the backend does not show is that of the
/// documents, and breaks no rule.
std::optional<ExecutedStep> run_step(AskedBackend& asked, const Program& program, const Instruction& insn,
                                     const State& before);

}  // namespace lanecheck
