#include "fuzz/explain/broken_rules/broken_rules.h"

#include <algorithm>

#include "fuzz/explain/broken_rules/unproven_rules.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/plain_run.h"
#include "fuzz/identify/mask_register/register_map.h"
#include "fuzz/identify/mask_register/register_probe.h"
#include "oracle/execute/execute.h"
#include "spec/rules/rule.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What the backend leaves after `part`. What it does not show is as documented.
State left_by(const Program& part, AskedBackend& asked, const Documented& documented) {
  State expected;
  execute(part, documented.semantics, expected);
  return as_shown(asked.ask(part).state, expected, asked.shown());
}

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

/// The rules that instruction `insn` violates if it leaves this mask and mode, and all else as documented.
std::vector<std::string> rules_of_left(const Program& program, const Instruction& insn, const State& before,
                                       MaskWords words, Mode mode, const Documented& documented) {
  const Backend oracle =
      function_backend("documented", "", [&](const Program& given, State& state) -> Outcome {
        execute(given, documented.semantics, state);
        return Ran{};
      });
  AskedBackend asked(oracle, documented.profile);
  std::optional<ExecutedStep> step;
  if (row_of(insn.op).operands.empty()) {
    step = ExecutedStep{program, before, before, {}};
    execute_one(program, insn, documented.semantics, step->after);
  } else {
    step = run_step(asked, program, insn, before);
  }
  if (!step) return {};
  set_mask_word(step->after.mask, 0, words.low);
  set_mask_word(step->after.mask, 1, words.high);
  step->after.mode = mode;
  return violated_rules(*step, documented);
}

/// The rules that the instruction of the cause violates by what it leaves in the mask register or as mode:
/// another instruction has shown what that is.
std::vector<std::string> rules_of_register(const Program& program, const MeasuredCause& cause,
                                           AskedBackend& asked, const Documented& documented) {
  const Instruction& insn = program.instructions[cause.instruction];
  const Subject subject{documented.profile, insn};
  const Ask ask = ask_of(asked);
  std::vector<std::string> violated;
  const auto add = [&](const std::vector<std::string>& rules) {
    for (const std::string& rule : rules)
      if (std::ranges::count(violated, rule) == 0) violated.push_back(rule);
  };
  if (!has_register_probes(subject)) {
    const Program part = prefix(program, cause.instruction + 1);
    State before, after;
    execute(prefix(program, cause.instruction), documented.semantics, before);
    Outcome outcome;
    with_mask_read(ask)({{&part, 1}, {&after, 1}, {&outcome, 1}});
    if (std::holds_alternative<Ran>(outcome))
      add(rules_of_left(part, insn, before, {mask_word(after.mask, 1), mask_word(after.mask, 0)}, after.mode,
                        documented));
  } else {
    for (const Observed& seen : observe_register(subject, ask, true)) {
      const auto probe = subject_program(subject, seen.before);
      if (!probe || (seen.actual.words == seen.documented.words && seen.actual.mode == seen.documented.mode))
        continue;
      State before{probe->ub};
      set_mask_word(before.mask, 0, seen.before.words.low);
      set_mask_word(before.mask, 1, seen.before.words.high);
      before.mode = seen.before.mode;
      const Mode documented_mode = seen.documented.mode.value_or(Mode::normal);
      add(rules_of_left(*probe, probe->instructions.back(), before, seen.actual.words,
                        seen.actual.mode.value_or(documented_mode), documented));
    }
  }
  drop_rules_of_other_maps(violated, cause);
  return violated;
}

/// The rule that says what the number of an earlier instruction does, if the law is about this number.
std::vector<std::string> rules_of_number(const Instruction& setter, const Difference& law) {
  if (law.map == MapKind::length && setter.op == Op::set_vector_mask_total) return {"SVM-2-length"};
  if (law.map == MapKind::length && setter.op == Op::set_vector_mask_len) return {"SVM-1-length"};
  return {};
}

/// TIK-4-stride, if the law says what all repeat strides of an operand are: the backend may take a full mask
/// in the same wrong way, so that the relation of the two shows nothing.
std::vector<std::string> rules_of_stride(const Difference& law, Profile profile) {
  const bool of_repeats = law.stride && law.stride->field == &Operand::repeat_stride;
  if (of_repeats && profile == Profile::tik) return {"TIK-4-stride"};
  return {};
}

/// SVM-2-total, if the law says that another number of elements than the count takes part: no relation shows
/// that elements are missing in a reduction.
std::vector<std::string> rules_of_count(const Finding& finding, const Difference& law, Profile profile) {
  const bool of_svm = profile == Profile::a2 || profile == Profile::p310;
  if (law.map == MapKind::length && finding.total && of_svm) return {"SVM-2-total"};
  return {};
}

/// GM-5-count, if the law says which count is returned: that of an earlier instruction shows in no step
/// alone.
std::vector<std::string> rules_of_returned_count(const Difference& law) {
  if (law.gathers == std::vector{GatherMatter::count}) return {"GM-5-count"};
  return {};
}

/// Is the law what the rule speaks of: which slot gates a lane, which word holds it, or what a count leaves
/// over?
bool says_the_same(std::string_view rule, const Difference& law) {
  if (law.map == MapKind::length) return rule.ends_with("-tail");
  return law.map == MapKind::gate && law.says_slots &&
         (rule == "VMC-1-slot-per-element" || rule == "TIK-1-list-order");
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
  return violated_rules({part, before, left_by(part, asked, documented), {}}, documented);
}

std::vector<std::string> rules_in_program(ExecutedStep step, const Program& part, AskedBackend& asked,
                                          const Documented& documented) {
  step.after = left_by(part, asked, documented);
  return violated_rules(step, documented);
}

std::vector<std::string> rules_broken_by(Finding finding, const MeasuredCause& cause, AskedBackend& asked,
                                         const Documented& documented) {
  if (cause.instruction < finding.instruction && cause.is_of_state())
    return rules_of_register(finding.program, cause, asked, documented);
  if (auto rules = rules_of_number(finding.program.instructions[cause.instruction], cause.difference);
      !rules.empty())
    return rules;
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
  if (finding.rules.empty()) finding.rules = rules_of_stride(cause.difference, documented.profile);
  if (finding.rules.empty()) finding.rules = rules_of_count(finding, cause.difference, documented.profile);
  if (finding.rules.empty()) finding.rules = rules_of_returned_count(cause.difference);
  std::stable_partition(finding.rules.begin(), finding.rules.end(),
                        [&](const std::string& id) { return says_the_same(id, cause.difference); });
  return finding.rules;
}

}  // namespace lanecheck
