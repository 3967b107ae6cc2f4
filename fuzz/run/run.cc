#include "fuzz/run/run.h"

#include <algorithm>

#include "fuzz/generate/draws.h"
#include "fuzz/generate/edge.h"
#include "fuzz/run/case_loop.h"
#include "fuzz/run/case_sorter.h"
#include "fuzz/run/cell_coverage.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostSkipReasons = 64;

/// What a case is judged by.
enum class JudgedBy : std::uint8_t {
  state,             ///< the state in which the program ends
  edge,              ///< the program lies at an edge of legality: whether it is refused
  forbidding_choice  ///< the chosen readings forbid a program that the profile allows: whether it is refused
};

/// One case on its way to the backend and back.
struct Slot {
  std::uint64_t index = 0;
  Kind kind = Kind::boundary;  ///< the kind that the report counts it as
  JudgedBy by = JudgedBy::state;
  State expected;                      ///< if judged by the state
  const LegalityRule* rule = nullptr;  ///< else: the rule in question
  bool outside = false;                ///< else: must the program be refused?
};

class ConformanceRun final : public CaseJudge {
 public:
  ConformanceRun(const RunOptions& options, const Backend& backend, const RunHooks& hooks)
      : options_(options),
        backend_(backend),
        hooks_(hooks),
        semantics_(options.readings),
        departs_(options.readings != default_readings(options.mix.profile)),
        shown_(backend.shown(options.mix.profile)),
        report_(report_header(options, backend)),
        coverage_(options.mix.profile),
        sorter_(options, backend, hooks) {
    semantics_.seams.clips_repeats = departs_;
    report_.judges_refusals = backend.reports_refusals && options.illegal_in_32 > 0;
    if (!report_.judges_refusals) return;
    for (const LegalityRule& rule : legality_rules())
      if (rule.tried() && rule.holds_in(options.mix.profile))
        report_.legality_rules.push_back({std::string(rule.id)});
  }

  Report run() {
    const Backend* const backends[] = {&backend_};
    run_cases(options_, hooks_, backends, *this, report_);
    coverage_.write_into(report_);
    left_out_.write_into(report_);
    report_.skip_reasons.assign(skip_reasons_.begin(), skip_reasons_.end());
    report_.unlisted = sorter_.unlisted();
    report_.findings = sorter_.take_findings();
    if (!sorter_.cut_short().empty())
      report_.stopped.append(report_.stopped.empty() ? "" : "; ").append(cut_short_text(sorter_.cut_short()));
    for (const Finding& finding : report_.findings)
      for (const std::string& broken : finding.rules)
        for (auto* list : {&report_.rules, &report_.legality_rules})
          for (RuleCount& rule : *list)
            if (rule.id == broken) count_broken(rule, finding);
    return std::move(report_);
  }

  std::size_t findings() const override { return sorter_.findings(); }

  bool prepare(std::size_t place, std::uint64_t index, Program& program) override {
    if (slots_.size() <= place) slots_.resize(place + 1);
    Slot& slot = slots_[place];
    slot.index = index;
    slot.by = JudgedBy::state;
    const bool runs = report_.judges_refusals && lies_at_edge(index) ? prepare_at_edge(slot, program)
                                                                     : prepare_legal(slot, program);
    if (!runs) count(slot.kind);
    return runs;
  }

  Verdict judge(std::size_t place, const Program& program, std::span<const AnswerView> answers) override {
    const Slot& slot = slots_[place];
    const AnswerView& answer = answers.front();
    count(slot.kind);
    if (const auto* skipped = std::get_if<Skipped>(&answer.outcome)) {
      if (slot.by == JudgedBy::state) coverage_.count_left_out(program);
      if (skip_reasons_.size() < kMostSkipReasons) skip_reasons_.insert(skipped->why);
      return Verdict::skipped;
    }
    if (slot.by != JudgedBy::state) return judge_refusal(slot, program, answer);
    coverage_.count(program);
    if (std::holds_alternative<Ran>(answer.outcome) &&
        (identical(slot.expected, answer.state, shown_) ||
         compare(program, semantics_, answer.state, shown_).agrees))
      return Verdict::conforms;
    return sorter_.sort(slot.index, program, answer);
  }

 private:
  /// A rule that is broken was exercised, also where its cells do not show it: a set_mask that keeps old bits
  /// breaks VMC-0-reproducible already on the mask that the program starts with.
  static void count_broken(RuleCount& rule, const Finding& finding) {
    ++rule.broken;
    rule.exercised = std::max(rule.exercised, finding.cases);
  }

  /// The boundary rows stay as they are. Of the drawn cases, a share lies at an edge of legality.
  bool lies_at_edge(std::uint64_t index) const {
    if (options_.illegal_in_32 >= 32) return true;
    if (is_boundary_case(options_.mix, index)) return false;
    return Draws(options_.seed ^ 0x1e6a1, index).below(32) < options_.illegal_in_32;
  }

  /// False if the backend does not offer the whole program.
  bool prepare_at_edge(Slot& slot, Program& program) {
    const EdgeCase edge = generate_at_edge(options_.seed, slot.index, options_.mix, program);
    slot.kind = Kind::edge;
    slot.by = JudgedBy::edge;
    slot.rule = edge.rule;
    slot.outside = edge.outside;
    if (backend_.capabilities.everything) return true;
    whole_ = program;
    if (restrict_to(backend_.capabilities, whole_).empty()) return true;
    skip_reasons_.insert(
        "a case at the edge of legality has an instruction that the backend does not offer, and must stay "
        "whole");
    return false;
  }

  /// False if what the backend offers of the program cannot be run.
  bool prepare_legal(Slot& slot, Program& program) {
    slot.kind = generate(options_.seed, slot.index, options_.mix, program);
    if (!backend_.capabilities.everything && !leave_out(program)) {
      skip_reasons_.insert("nothing legal is left without the instructions that the backend does not offer");
      return false;
    }
    if (departs_)
      if (const auto fault = find_fault(program, options_.readings)) {
        slot.kind = Kind::edge;
        slot.by = JudgedBy::forbidding_choice;
        slot.rule = fault->rule;
        slot.outside = true;
        if (!report_.judges_refusals)
          skip_reasons_.insert(
              "the chosen readings forbid the program, and refusals of this backend are not judged");
        return report_.judges_refusals;
      }
    execute(program, semantics_, slot.expected);
    return true;
  }

  /// Removes what the backend does not offer. False if the rest is empty or illegal: without an instruction
  /// that sets the mask or its mode, the instructions after it may be illegal.
  bool leave_out(Program& program) {
    whole_ = program;
    const bool some = left_out_.leave_out(backend_.capabilities, program);
    if (some) coverage_.count_left_out(whole_);
    const bool stays_legal = !some || !find_fault(program);
    return !program.instructions.empty() && stays_legal;
  }

  void count(Kind kind) {
    switch (kind) {
      case Kind::boundary:
        ++report_.boundary;
        return;
      case Kind::decisive:
        ++report_.decisive;
        return;
      case Kind::wild:
        ++report_.wild;
        return;
      case Kind::edge:
        ++report_.edge;
        return;
    }
  }

  /// The program must be refused, or is only just legal. What a legal one computes is judged on other
  /// programs.
  Verdict judge_refusal(const Slot& slot, const Program& program, const AnswerView& answer) {
    for (RuleCount& rule : report_.legality_rules)
      if (rule.id == slot.rule->id) ++rule.exercised;
    const auto fault =
        slot.outside || departs_ ? find_fault(program, options_.readings) : std::optional<Fault>{};
    const bool refused = std::holds_alternative<Refused>(answer.outcome);
    const bool ran = std::holds_alternative<Ran>(answer.outcome);
    if (fault ? refused : ran) return Verdict::conforms;
    if (fault && ran) return sorter_.sort_accepted(slot.index, program, *fault);
    const State unchanged{program.ub};
    return sorter_.sort(slot.index, program, {answer.outcome, unchanged}, refused ? slot.rule : nullptr);
  }

  const RunOptions& options_;
  const Backend& backend_;
  const RunHooks& hooks_;
  Semantics semantics_;
  bool departs_;  ///< The readings are not the profile's defaults, so a generated program may be illegal.
  Shown shown_;
  Report report_;
  CellCoverage coverage_;
  LeftOut left_out_;
  CaseSorter sorter_;
  std::set<std::string> skip_reasons_;
  std::vector<Slot> slots_;
  Program whole_;  ///< a case before the backend's capabilities restrict it
};

}  // namespace

Report run(const RunOptions& options, const Backend& backend, const RunHooks& hooks) {
  const RunHooks timed = with_clock(hooks);
  return ConformanceRun(options, backend, timed).run();
}

}  // namespace lanecheck
