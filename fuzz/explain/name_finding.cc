#include "fuzz/explain/name_finding.h"

#include <algorithm>

#include "fuzz/explain/executed_step.h"
#include "fuzz/explain/locate.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

std::string known_difference(const Hypothesis& believed) {
  return std::string("; so profile ")
      .append(row_of(*believed.elsewhere).name)
      .append(" says, a known difference between the documents (")
      .append(believed.id)
      .append(")");
}

void add_rules(Finding& finding, const Mutant& mutant, Profile profile) {
  for (const auto broken : mutant.breaks)
    if (const Rule* rule = find_rule(broken); rule != nullptr && speaks_for(*rule, profile))
      finding.rules.emplace_back(broken);
}

void name_by_reading(Finding& finding, const Suspects& suspects, Profile profile) {
  const Hypothesis& reading = *suspects.front();
  finding.id = reading.id;
  finding.what = reading.option->meaning;
  if (reading.elsewhere != nullptr) {
    finding.what.append(known_difference(reading));
    return;
  }
  if (!reading.pinned) {
    finding.verdict = Verdict::undecided;
    finding.matter = Matter::reading;
    return;
  }
  finding.what.append("; the run pins the reading ").append(reading.reading->id).append(" to another option");
  const auto mutant = std::ranges::find_if(suspects, [](const auto* each) { return each->wrong != nullptr; });
  if (mutant != suspects.end()) add_rules(finding, *(*mutant)->wrong, profile);
}

void name_by_mutant(Finding& finding, const Suspects& suspects, Profile profile) {
  const Mutant& mutant = *suspects.front()->wrong;
  finding.id = mutant.id;
  finding.what = mutant.what;
  add_rules(finding, mutant, profile);
  const auto elsewhere =
      std::ranges::find_if(suspects, [](const auto* each) { return each->elsewhere != nullptr; });
  if (elsewhere != suspects.end()) finding.what.append(known_difference(**elsewhere));
}

/// The rules that the diverging instruction violates. Those of the section that lists the instruction come
/// first.
std::vector<std::string> violated_rules(const Finding& finding, const Backend& backend,
                                        const Documented& documented) {
  const Instruction& insn = finding.program.instructions[finding.instruction];
  State before;
  execute(prefix(finding.program, finding.instruction), documented.semantics, before);
  MaskBits mask = bits_of(before.mask, before.mode, MaskOrigin::set);
  mask.load(insn, documented.readings());
  const Cell cell = cell_of(resolve(insn, mask, documented.readings()), mask);
  std::vector<std::string> violated;
  const auto step = run_step(backend, finding.program, insn, before);
  if (!step) return violated;
  for (const bool own : {true, false})
    for (const Rule& rule : rules(documented.profile))
      if ((rule.source.section == row_of(insn.op).section) == own && rule.standing != Standing::contested &&
          rule.applies(cell) && !rule.holds(step->view()))
        violated.emplace_back(rule.id);
  return violated;
}

std::string sentence_without_suspect(const Finding& finding, bool lanes_differ) {
  if (!finding.rules.empty())
    return "no single known mistake reproduces the output; the rules named are those that the step violates";
  if (lanes_differ) return "computes another result in active lanes; no mask rule is broken";
  if (finding.outside.empty()) return "leaves another mask or mode";
  return "leaves other bytes in UB outside the elements of dst";
}

void name_by_rules(Finding& finding, const Backend& backend, const Documented& documented) {
  finding.id = "unexplained";
  if (finding.program.instructions.empty()) {
    finding.what = "leaves another state than the default after no instruction";
    if (documented.profile == Profile::vmc) finding.rules = {"VMC-1-default-mask"};
    return;
  }
  finding.id.append("-").append(row_of(finding.program.instructions[finding.instruction].op).name);
  finding.rules = violated_rules(finding, backend, documented);
  const bool lanes_differ =
      std::ranges::any_of(finding.lanes, [](const LaneRow& lane) { return !lane.agrees; });
  finding.matter = finding.rules.empty() && lanes_differ ? Matter::arithmetic : Matter::mask;
  finding.what = sentence_without_suspect(finding, lanes_differ);
}

}  // namespace

void name_finding(Finding& finding, const Suspects& suspects, const Backend& backend,
                  const Documented& documented) {
  if (suspects.empty()) return name_by_rules(finding, backend, documented);
  if (suspects.front()->reading != nullptr) return name_by_reading(finding, suspects, documented.profile);
  name_by_mutant(finding, suspects, documented.profile);
}

}  // namespace lanecheck
