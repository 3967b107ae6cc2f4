#include "fuzz/identify/values/scalar_variants.h"

#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/values/scalar_changes.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// The instruction with the scalar that `change` makes of its own.
template <class Change>
ValueVariant with_scalar(std::string text, Element type, Change change) {
  return with_instruction(std::move(text), [type, change](Instruction& insn) {
    insn.scalar = scalar_from_bits(type, change(insn.scalar.bits));
  });
}

/// The scalar is the first element of a repeat of a source; operands lie in a row.
void add_of_sources(const Instruction& given, std::vector<ValueVariant>& variants) {
  const auto operands = row_of(given.op).operands;
  for (unsigned k = 1; k < operands.size(); ++k) {
    if (operands[k].walk != Walk::blocks || operand_type(given, operands[k]) != given.src_type) continue;
    const auto run = [k](const Program& program, State& state) {
      state.ub = program.ub;
      Program split = program;
      const Instruction insn = split.instructions.back();
      split.instructions.pop_back();
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
        Instruction one = one_repeat(insn, repeat);
        const Element type = insn.src_type;
        one.scalar = scalar_from_bits(type, bits_at(state, start_of(program, one.operands[k]), type));
        split.instructions.push_back(one);
      }
      execute(split, Semantics(default_readings(program.profile)), state);
    };
    variants.push_back(
        {"takes lane 0 of the repeat of " + std::string(operands[k].role) + " as its scalar", run});
  }
}

}  // namespace

std::vector<ValueVariant> scalar_variants(const Instruction& insn) {
  std::vector<ValueVariant> variants;
  if (!takes_scalar(insn)) return variants;
  const Element type = scalar_type(insn);
  if (!has_place_probes(row_of(insn.op)))  // of others a formula says it
    variants.push_back(
        with_scalar("takes 0 as its scalar", type, [](std::uint64_t) { return std::uint64_t{0}; }));
  if (type == insn.src_type) add_of_sources(insn, variants);
  for (auto& [text, change] : scalar_changes(type))
    variants.push_back(with_scalar(std::move(text), type, change));
  return variants;
}

}  // namespace lanecheck
