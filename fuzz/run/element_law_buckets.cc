// The bucket of a backend that reads or writes other elements, or takes other scalars, in many instructions.
#include <algorithm>

#include "fuzz/explain/broken_rules/broken_rules.h"
#include "fuzz/explain/broken_rules/unproven_rules.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/smallest/minimize.h"
#include "fuzz/run/case_sorter.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

std::string key_of(const ElementLaw& law) {
  return "values: elements: " + law.text;
}

}  // namespace

/// Does a known mistake or a reading leave all that the law was measured with?
bool CaseSorter::is_known(const MeasuredElementLaw& law) {
  return std::ranges::any_of(documented_.hypotheses, [&](const Hypothesis& known) {
    return std::ranges::all_of(law.programs, [&](const Program& each) {
      const BackendAnswer answer = asked_.ask(each);
      return !diverges(answer, each, documented_, asked_.shown()) ||
             reproduces({&known}, answer, each, asked_.shown());
    });
  });
}

/// Measures the laws that give what the smallest program of a finding leaves. The one that most instructions
/// follow is kept.
void CaseSorter::measure_element_laws(const Program& program, const State& actual) {
  if (asked_.ends() || !asked_.backend().recorded.empty()) return;
  static const std::vector<ElementLaw> kLaws = element_laws();
  std::optional<MeasuredElementLaw> best;
  for (const ElementLaw& each : kLaws) {
    const std::string& text = each.text;
    const bool may_give = std::ranges::any_of(program.instructions,
                                              [&](const Instruction& insn) { return concerns(each, insn); });
    if (!may_give || element_laws_asked_.contains(text) ||
        !gives(each, {}, program, documented_.semantics, actual, asked_.shown()))
      continue;
    element_laws_asked_.insert(text);
    auto law =
        measure_element_law(each, documented_.profile, documented_.semantics, ask_of(asked_), asked_.shown());
    if (law && (!best || law->followers.size() > best->followers.size()) && !is_known(*law))
      best = std::move(law);
  }
  if (best) element_laws_.push_back(*std::move(best));
}

Finding CaseSorter::element_law_finding(const MeasuredElementLaw& law, const Program& program) {
  Finding finding;
  finding.id = id_of_key(key_of(law.law));
  finding.writes_masked_off = law.law.blends;
  finding.matter = finding.writes_masked_off ? Matter::mask
                   : law.law.executed        ? Matter::address
                                             : Matter::arithmetic;
  finding.what = law.sentence;
  finding.program = program;
  const auto still = [&](const Program& candidate) {
    const BackendAnswer answer = asked_.ask(candidate);
    return diverges(answer, candidate, documented_, asked_.shown()) &&
           law.gives(candidate, documented_.semantics, answer.state, asked_.shown());
  };
  if (options_.minimize) {
    Minimized smallest = minimize(program, legal_under(documented_.readings()), still, kMostTries,
                                  [&] { return asked_.ends(); });
    finding.program = std::move(smallest.program);
    finding.tries = smallest.tries;
  }
  locate(finding, asked_, documented_);
  if (finding.matter == Matter::mask) finding.rules = rules_of_mask(law);
  return finding;
}

/// The rules that the first program breaks which the law was measured with, and which has lanes off.
std::vector<std::string> CaseSorter::rules_of_mask(const MeasuredElementLaw& law) {
  for (const Program& each : law.programs) {
    Finding finding;
    finding.program = each;
    locate(finding, asked_, documented_);
    if (finding.instruction >= each.instructions.size() || has_every_lane_on(finding)) continue;
    const Instruction& insn = each.instructions[finding.instruction];
    State before;
    execute(prefix(each, finding.instruction), documented_.semantics, before);
    const auto step = run_step(asked_, each, insn, before);
    if (!step) continue;
    finding.rules = violated_rules(*step, documented_);
    drop_unproven_rules(finding, nullptr, asked_, documented_);
    std::erase_if(finding.rules, [](const std::string& id) {  // which slot gates a lane is right
      return id == "VMC-1-slot-per-element" || id == "VMC-0-one-pattern" || id.starts_with("VMC-1-prefix-");
    });
    if (!finding.rules.empty()) return finding.rules;
  }
  return {};
}

/// The law, of those measured, that gives what the backend leaves.
const MeasuredElementLaw* CaseSorter::element_law_of(const Program& program, const State& actual) const {
  const auto law = std::ranges::find_if(element_laws_, [&](const MeasuredElementLaw& each) {
    return each.gives(program, documented_.semantics, actual, asked_.shown());
  });
  return law == element_laws_.end() ? nullptr : &*law;
}

/// The bucket of a law of elements that gives what the smallest program of a new finding leaves. It
/// may be new.
Bucket* CaseSorter::bucket_of_element_law(const Bucket& bucket, std::uint64_t index) {
  const Finding& finding = bucket.finding;
  if (!bucket.suspects.empty() || !bucket.failure.empty() || finding.repeats != Repeats::stable)
    return nullptr;
  const BackendAnswer answer = asked_.ask(finding.program);
  if (!diverges(answer, finding.program, documented_, asked_.shown())) return nullptr;
  const MeasuredElementLaw* law = element_law_of(finding.program, answer.state);
  if (law == nullptr) {
    measure_element_laws(finding.program, answer.state);
    law = element_law_of(finding.program, answer.state);
  }
  if (law == nullptr) return nullptr;
  const std::string id = id_of_key(key_of(law->law));
  if (Bucket* known = buckets_.find_id(id)) return known;
  add({{}, {}, element_law_finding(*law, finding.program)}, index);
  Bucket* const added = buckets_.find_id(id);
  added->finding.cases = 0;  // the caller counts the case
  return added;
}

/// The bucket of a known law of elements that gives the output.
Bucket* CaseSorter::bucket_of_element_law(const FailedCase& failed) {
  const BackendAnswer& answer = failed.answers.front();
  if (element_laws_.empty() || !answer.ran()) return nullptr;
  const MeasuredElementLaw* const law = element_law_of(failed.program, answer.state);
  return law == nullptr ? nullptr : buckets_.find_id(id_of_key(key_of(law->law)));
}

}  // namespace lanecheck
