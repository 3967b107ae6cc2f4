// For tests of numbers of elements: the oracle with other numbers as a backend.
#pragma once

#include "fuzz/identify/given_number.h"
#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {

/// The first sentence about numbers of this kind in the shapes of an instruction of profile ascendc-a2; empty
/// if nothing is said.
inline std::string said_of_numbers(const std::string& name, MaskGiven given, const Ask& ask) {
  const auto differences = number_differences(shapes_of(subject_of(name, Profile::a2)), given, ask);
  return differences.empty() ? "" : differences.front().sentence();
}

/// Runs `changed` on the memory of the program.
inline State state_after(const Program& changed) {
  State state;
  execute(changed, Semantics(default_readings(changed.profile)), state);
  return state;
}

/// Each contiguous mask, count, and register in counter mode gets the number change(number, instruction).
template <class Change>
void change_numbers(Program& program, Change change) {
  bool counts = false;
  for (Instruction& insn : program.instructions) {
    if (insn.op == Op::set_mask_norm || insn.op == Op::set_mask_count) counts = insn.op == Op::set_mask_count;
    const bool words = insn.mask_from == MaskFrom::bitwise || insn.op == Op::set_vector_mask;
    if (insn.mask_from == MaskFrom::contiguous || insn.mask_from == MaskFrom::count || (counts && words))
      insn.low = change(insn.low, insn);
    if (insn.op == Op::set_vector_mask_len)
      insn.settings[0] = static_cast<std::uint32_t>(change(insn.settings[0], insn));
  }
}

/// The oracle with other numbers.
template <class Change>
Ask with_number(Change change) {
  return [change](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      change_numbers(changed, change);
      execute(changed, Semantics(default_readings(changed.profile)), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
}

/// The oracle, except that in counter mode the repeat times limit the repeats.
inline Ask at_most_repeat_times() {
  return [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction& last = changed.instructions.back();
      const std::uint64_t most = std::uint64_t{last.repeat} * lanes_of(last);
      if (changed.instructions[0].op == Op::set_mask_count)
        for (Instruction& insn : changed.instructions)
          if (insn.op == Op::set_vector_mask) insn.low = std::min(insn.low, most);
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

}  // namespace lanecheck
