#include "fuzz/identify/in_place.h"

#include <algorithm>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/gates/masked_off.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/values/value_differences.h"

namespace lanecheck {
namespace {

std::vector<Difference> gates_in_place(const Subject& given, const Ask& ask) {
  constexpr unsigned kLeastRepeats = 3;  // "the last" and "all after the first" are not the same
  Subject subject = given;
  if (row_of(subject.insn.op).has_repeat) subject.insn.repeat = std::max(subject.insn.repeat, kLeastRepeats);
  if (shares_places(subject.insn)) return {};
  const auto measured = measure_gates(subject, ask), documented = measure_gates(subject, ask_oracle());
  if (!measured.map || !documented.map) return {};
  auto differences = gate_differences(subject, *measured.map, *documented.map,
                                      std::vector<bool>(measured.map->gates.size()));
  for (Difference& difference : differences) say_masked_off(subject, ask, difference);
  return differences;
}

std::vector<Difference> in_place_said(const Subject& subject, std::vector<Difference> differences) {
  // Instructions with one source and with two share the code for this case.
  const std::string role = subject.in_place == 1 ? "the first source" : "src1";
  const std::string suffix = ", in place (dst is also " + role + "), and not if they lie apart";
  for (Difference& difference : differences) {
    difference.what = difference.sentence() + suffix;
    difference.where.clear();
    if (!difference.general.empty()) difference.general += suffix;
    if (!difference.key.empty()) difference.key += suffix;
  }
  return differences;
}

}  // namespace

unsigned source_in_place(const Instruction& insn) {
  const Operand& dst = insn.operands[0];
  for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
    if (insn.operands[k].allocation == dst.allocation && insn.operands[k].offset == dst.offset) return k;
  return 0;
}

std::vector<Difference> in_place_differences(const Subject& subject, const Ask& ask) {
  std::vector<Difference> differences = gates_in_place(subject, ask);
  if (differences.empty())
    if (auto law = law_of_trials(subject, {}, false, ask)) differences.push_back(std::move(*law));
  return in_place_said(subject, std::move(differences));
}

std::vector<Difference> in_place_values(const Subject& subject, const Ask& ask) {
  if (!has_value_probes(row_of(subject.insn.op))) return {};
  return in_place_said(subject, value_differences(subject, ask));
}

}  // namespace lanecheck
