// For tests of identification: subjects, and the oracle with a fault as a backend.
#pragma once

#include <gtest/gtest.h>

#include "fuzz/identify/identify.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {

inline Subject subject_of(const std::string& name, Profile profile = Profile::vmc) {
  Instruction insn;
  EXPECT_TRUE(parse_mnemonic(name, insn)) << name;
  return default_subject(profile, row_of(insn.op), *types_of(insn, profile));
}

/// The oracle, after `change` has changed each instruction.
template <class Change>
Ask with(Change change) {
  return [change](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      for (Instruction& insn : changed.instructions) change(insn);
      if (find_fault(changed))  // it would leave UB
        batch.outcomes[n] = Errored{"crashed", true};
      else
        ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

/// The oracle, after `change` has changed each program.
template <class Change>
Ask with_program(Change change) {
  return [change](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      change(changed);
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

inline bool sets_mask(const Instruction& insn) {
  return insn.op == Op::set_mask || insn.op == Op::set_vector_mask;
}

/// The mask that the last instruction of `program` meets.
inline Mask mask_of(const Program& program) {
  Mask mask = kFullMask;
  for (const Instruction& each : program.instructions)
    if (sets_mask(each) || each.mask_from == MaskFrom::bitwise) set_mask(mask, each.high, each.low);
  return mask;
}

/// The first sentence about `name` of profile ascendc-a2 on a backend with a fault; "" if none is said.
inline std::string first_said(const std::string& name, const Ask& ask) {
  const auto said = identify(subject_of(name, Profile::a2), ask).differences;
  return said.empty() ? "" : said.front();
}

/// The same of an instruction that sets the mask.
inline std::string said_of_mask_instruction(const std::string& name, const Ask& ask) {
  Instruction insn;
  EXPECT_TRUE(parse_mnemonic(name, insn)) << name;
  const auto found = identify(Program{Profile::a2, {}, {insn}, {}}, 0, ask, false, true);
  return found.differences.empty() ? "" : found.differences.front();
}

/// What is said of `name` on a backend with a fault: one sentence after the other.
inline std::string said(const std::string& name, const Ask& ask) {
  std::string all;
  for (const std::string& sentence : identify(subject_of(name), ask).differences)
    all += (all.empty() ? "" : "\n") + sentence;
  return all;
}

/// The oracle on a program whose last instruction is executed repeat by repeat, each as an instruction of its
/// own that `change(one, whole, repeat)` has changed.
template <class Change>
Ask with_single_repeats(Change change) {
  return with_program([change](Program& program) {
    const Instruction whole = program.instructions.back();
    program.instructions.pop_back();
    for (unsigned r = 0; r < whole.repeat; ++r) {
      program.instructions.push_back(one_repeat(whole, r));
      change(program.instructions.back(), whole, r);
    }
  });
}

/// The oracle, after which `change(program, state)` has changed the state.
template <class Change>
Ask then(Change change) {
  return [change](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) change(batch.programs[n], batch.states[n]);
  };
}

}  // namespace lanecheck
