#include "fuzz/run/symptom.h"

#include <algorithm>

#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The first instruction that writes into the allocation of byte `at`; "outside" if none does.
std::string first_to_write(const Program& program, std::uint32_t at) {
  for (const Instruction& insn : program.instructions) {
    if (row_of(insn.op).operands.empty()) continue;
    const Allocation& dst = program.allocations[insn.operands[0].allocation];
    if (at >= dst.offset && at < dst.offset + dst.bytes) return mnemonic(insn);
  }
  return "outside";
}

}  // namespace

const Instruction* only_instruction(const Program& program) {
  const Instruction* only = nullptr;
  for (const Instruction& each : program.instructions) {
    if (row_of(each.op).operands.empty()) continue;
    if (only != nullptr) return nullptr;
    only = &each;
  }
  return only;
}

const Instruction* instruction_seen(const Finding& finding, const Program& program,
                                    const std::function<bool()>& differs) {
  const Instruction* const only = only_instruction(program);
  if (only == nullptr || finding.instruction >= finding.program.instructions.size()) return only;
  const bool sets_mask = row_of(finding.program.instructions[finding.instruction].op).operands.empty();
  return sets_mask && (!obeys_mask(program.profile, only->op) || !differs()) ? nullptr : only;
}

Symptom symptom_of(const Program& program, const State& actual, const Documented& documented, Shown shown) {
  State expected;
  execute(program, documented.semantics, expected);
  const std::vector<std::uint32_t> wrong =
      compare(program, documented.semantics, expected, actual, shown).bytes;
  if (wrong.empty()) return {.instruction = "mask"};
  Symptom symptom{.instruction = first_to_write(program, wrong.front())};
  for (const std::uint32_t at : wrong) {
    const bool stays = expected.ub[at] == program.ub[at], stayed = actual.ub[at] == program.ub[at];
    symptom.changed |= stays;
    symptom.stayed |= !stays && stayed;
    symptom.others |= !stays && !stayed;
  }
  return symptom;
}

bool fits(const Symptom& symptom, const std::vector<Symptom>& known) {
  const auto some = [&](bool Symptom::*way) {
    return !(symptom.*way) || std::ranges::any_of(known, [&](const Symptom& each) { return each.*way; });
  };
  return std::ranges::any_of(known,
                             [&](const Symptom& each) { return each.instruction == symptom.instruction; }) &&
         some(&Symptom::changed) && some(&Symptom::stayed) && some(&Symptom::others);
}

}  // namespace lanecheck
