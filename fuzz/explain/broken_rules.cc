#include "fuzz/explain/broken_rules.h"

#include <algorithm>

#include "fuzz/explain/locate.h"
#include "fuzz/explain/plain_run.h"
#include "fuzz/explain/unproven_rules.h"
#include "fuzz/identify/mask_register/register_map.h"
#include "fuzz/identify/mask_register/register_probe.h"
#include "oracle/execute/execute.h"
#include "spec/rules/rule.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The rules that probes of the cause violate. In the finding's own program lanes may share places, so that
/// no rule can tell which of them is wrong; the operands of probes lie apart.
std::vector<std::string> rules_of_probes(const MeasuredCause& cause, const Instruction& insn,
                                         AskedBackend& asked, const Documented& documented) {
  constexpr std::size_t kMostJudged = 8;
  for (std::size_t n = 0; n < std::min(kMostJudged, cause.diverging.size()); ++n) {
    const Program& probe = cause.diverging[n];
    if (probe.instructions.empty() || mnemonic(probe.instructions.back()) != mnemonic(insn)) continue;
    State before;
    execute(prefix(probe, probe.instructions.size() - 1), documented.semantics, before);
    const auto step = run_step(asked, probe, probe.instructions.back(), before);
    if (!step) continue;
    auto rules = violated_rules(*step, documented);
    drop_rules_of_other_maps(rules, cause);
    if (!rules.empty()) return rules;
  }
  return {};
}

Mask with_words(Mask mask, MaskWords words) {
  for (unsigned slot = 0; slot < 128; ++slot)
    mask[slot] = ((slot < 64 ? words.low : words.high) >> slot % 64 & 1) != 0;
  return mask;
}

/// The rules that the instruction of the cause violates by what it leaves in the mask register or as mode:
/// another instruction has shown what that is.
std::vector<std::string> rules_of_register(const Program& program, const MeasuredCause& cause,
                                           AskedBackend& asked, const Documented& documented) {
  const Instruction& insn = program.instructions[cause.instruction];
  const Subject subject{documented.profile, insn};
  const Ask ask = [&](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      BackendAnswer answer = asked.ask(batch.programs[n]);
      batch.outcomes[n] = std::move(answer.outcome);
      batch.states[n] = std::move(answer.state);
    }
  };
  if (!has_register_probes(subject)) {
    ExecutedStep step{prefix(program, cause.instruction + 1), {}, {}, {}};
    execute(prefix(program, cause.instruction), documented.semantics, step.before);
    Outcome outcome;
    with_mask_read(ask)({{&step.program, 1}, {&step.after, 1}, {&outcome, 1}});
    auto rules =
        std::holds_alternative<Ran>(outcome) ? violated_rules(step, documented) : std::vector<std::string>{};
    drop_rules_of_other_maps(rules, cause);
    return rules;
  }
  std::vector<std::string> violated;
  for (const Observed& seen : observe_register(subject, ask, true)) {
    const bool same_mode = seen.actual.mode == seen.documented.mode;
    const auto probe = subject_program(subject, seen.before);
    if (!probe || (seen.actual.words == seen.documented.words && same_mode)) continue;
    ExecutedStep step{*probe, {probe->ub}, {}, {}};
    step.before.mask = with_words(kFullMask, seen.before.words);
    step.before.mode = seen.before.mode;
    step.after = step.before;
    execute_one(*probe, probe->instructions.back(), documented.semantics, step.after);
    step.after.mask = with_words(step.after.mask, seen.actual.words);
    if (!same_mode && seen.actual.mode) step.after.mode = *seen.actual.mode;
    for (const std::string& rule : violated_rules(step, documented))
      if (std::ranges::count(violated, rule) == 0) violated.push_back(rule);
  }
  drop_rules_of_other_maps(violated, cause);
  return violated;
}

}  // namespace

std::vector<std::string> violated_rules(const ExecutedStep& step, const Documented& documented) {
  const Instruction& insn = step.program.instructions.back();
  MaskBits mask = bits_of(step.before.mask, step.before.mode, MaskOrigin::set);
  mask.load(insn, documented.readings());
  const Cell cell = cell_of(resolve(insn, mask, documented.readings()), mask);
  std::vector<std::string> violated;
  for (const bool contested : {false, true})
    for (const bool own : {true, false})
      for (const Rule& rule : rules(documented.profile))
        if ((rule.source.section == row_of(insn.op).section) == own &&
            (rule.standing == Standing::contested) == contested && rule.applies(cell) &&
            !rule.holds(step.view()))
          violated.emplace_back(rule.id);
  return violated;
}

std::vector<std::string> violated_rules(const std::optional<ExecutedStep>& step, const Program& part,
                                        const State& before, AskedBackend& asked,
                                        const Documented& documented) {
  const auto of_step = step ? violated_rules(*step, documented) : std::vector<std::string>{};
  if (!of_step.empty() || family_of(part.instructions.back(), documented) != "mask") return of_step;
  State expected;
  execute(part, documented.semantics, expected);
  return violated_rules({part, before, as_shown(asked.ask(part).state, expected, asked.shown()), {}},
                        documented);
}

std::vector<std::string> rules_broken_by(Finding finding, const MeasuredCause& cause, AskedBackend& asked,
                                         const Documented& documented) {
  if (cause.instruction < finding.instruction && cause.is_of_state())
    return rules_of_register(finding.program, cause, asked, documented);
  const Instruction& insn = finding.program.instructions[finding.instruction];
  State before;
  execute(prefix(finding.program, finding.instruction), documented.semantics, before);
  finding.cause = cause.key;
  finding.what = cause.sentence;
  finding.rules = violated_rules(run_step(asked, finding.program, insn, before),
                                 prefix(finding.program, finding.instruction + 1), before, asked, documented);
  drop_rules_of_several_repeats(finding, before, asked);
  drop_rules_of_other_maps(finding.rules, cause);
  if (finding.rules.empty()) finding.rules = rules_of_probes(cause, insn, asked, documented);
  drop_unproven_rules(finding, &cause, asked, documented);
  if (cause.difference.map == MapKind::gate && cause.difference.says_slots)
    std::stable_partition(finding.rules.begin(), finding.rules.end(), [](const std::string& id) {
      return id == "VMC-1-slot-per-element";  // what is said is which slot gates
    });
  return finding.rules;
}

}  // namespace lanecheck
