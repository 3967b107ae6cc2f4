#include "fuzz/run/run.h"

#include <algorithm>
#include <map>
#include <set>

#include "fuzz/explain/explain.h"
#include "fuzz/generate/draws.h"
#include "fuzz/generate/edge.h"
#include "fuzz/run/case_loop.h"
#include "fuzz/run/cell_counts.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/rules/cell.h"
#include "spec/rules/rule.h"
#include "spec/text/program_text.h"
#include "version.h"

namespace lanecheck {
namespace {

constexpr unsigned kUnexplained = 40;         // unexplained cases that are minimized
constexpr std::uint64_t kIntersections = 64;  // cases that may narrow down what explains a bucket

/// Counts the cells that programs reach.
class Coverage {
 public:
  explicit Coverage(Profile profile) : profile_(profile), readings_(default_readings(profile)) {}

  /// A program that was judged.
  void count(const Program& program, Report& report) {
    cells_.add(program, readings_);
    for (const Instruction& insn : program.instructions) report.element_checks += element_slots(insn);
  }

  /// A program of which the backend does not offer everything.
  void count_left_out(const Program& program) { left_out_.add(program, readings_); }

  /// Coverage of the rules and of the axes follows from the cells.
  void tell(Report& report) const {
    for (const Rule& rule : rules(profile_)) report.rules.push_back({std::string(rule.id)});
    Axis ops{"instruction", {}}, types{"element type", {}}, masks{"mask", {}}, origins{"mask origin", {}},
        repeats{"repeat times", {}}, strides{"strides", {}}, forms{"mask operand", {}},
        modes{"mask mode", {}};
    const auto all = rules(profile_);
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> cells;  // in one order everywhere
    cells_.for_each([&](std::uint64_t key, std::uint64_t count) { cells[key].first = count; });
    left_out_.for_each([&](std::uint64_t key, std::uint64_t count) { cells[key].second = count; });
    for (const auto& [key, counts] : cells) {
      const auto [count, left_out] = counts;
      const Cell cell = cell_at(key);
      for (std::size_t n = 0; n < all.size(); ++n)
        if (all[n].applies(cell)) {
          report.rules[n].exercised += count;
          report.rules[n].left_out += left_out;
        }
      if (count == 0) continue;
      ++report.cells_reached;
      add(ops, row_of(cell.op).name, count);
      if (row_of(cell.op).typed()) add(types, name_of(cell.src_type), count);
      add(masks, kMaskClassNames[static_cast<std::size_t>(cell.mask)], count);
      add(origins, kMaskOriginNames[static_cast<std::size_t>(cell.origin)], count);
      add(repeats, kRepeatClassNames[static_cast<std::size_t>(cell.repeat)], count);
      add(forms, kMaskFromNames[static_cast<std::size_t>(cell.from)], count);
      add(modes, kModeNames[static_cast<std::size_t>(cell.mode)], count);
      add(strides, kStrideClassNames[static_cast<std::size_t>(cell.stride)], count);
    }
    report.axes = {ops, types, masks, origins, repeats, strides};
    if (profile_ != Profile::vmc) report.axes.insert(report.axes.end(), {forms, modes});
  }

 private:
  static void add(Axis& axis, std::string_view value, std::uint64_t count) {
    for (auto& [name, total] : axis.counts)
      if (name == value) {
        total += count;
        return;
      }
    axis.counts.emplace_back(value, count);
  }

  Profile profile_;
  Readings readings_;
  CellCounts cells_;
  CellCounts left_out_;
};

/// A finding in the making: cases with one explanation.
struct Bucket {
  std::vector<const Hypothesis*> suspects;  ///< empty: unexplained
  std::string failure;                      ///< failure_kind of cases that did not run
  Finding finding;
};

/// One case on its way to the backend and back.
struct Slot {
  std::uint64_t index = 0;
  Kind kind = Kind::boundary;
  State expected;
  EdgeCase border{};  ///< of Kind::border
};

class Run {
 public:
  Run(const RunOptions& options, const Backend& backend, const RunHooks& hooks)
      : options_(options),
        backend_(backend),
        hooks_(hooks),
        how_(options.readings),
        departs_(options.readings != default_readings(options.mix.profile)),
        shown_(backend.shown(options.mix.profile)),
        explainer_(backend, options.mix.profile, options.readings, options.pinned, hooks.stop),
        coverage_(options.mix.profile) {
    how_.seams.clips_repeats = departs_;
    report_.profile = options.mix.profile;
    report_.judges_refusals = backend.reports_refusals && options.illegal_in_32 > 0;
    if (report_.judges_refusals)
      for (const LegalityRule& rule : legality_rules())
        if (rule.tried && rule.holds_in(options.mix.profile)) report_.laws.push_back({std::string(rule.id)});
    report_.backend = backend.name;
    report_.about = backend.about;
    report_.shows_mask = backend.shows_mask;
    report_.version = LANECHECK_VERSION;
    report_.seed = options.seed;
    report_.first = options.first;
    report_.planned = options.cases;
    report_.readings = options.readings;
    for (const std::string& id : options.pinned)
      if (const Reading* reading = find_reading(id))
        report_.pinned.emplace_back(id, reading->options[reading->get(options.readings)].name);
  }

  Report all() {
    for_all_cases(
        options_, hooks_, backend_.batch, report_, [this] { return buckets_.size(); },
        [this](std::uint64_t first, std::uint64_t count) { some(first, count); });
    coverage_.tell(report_);
    for (Bucket& bucket : buckets_) {
      for (const std::string& broken : bucket.finding.rules)
        for (auto* list : {&report_.rules, &report_.laws})
          for (RuleCount& rule : *list) rule.broken += rule.id == broken ? 1 : 0;
      report_.findings.push_back(std::move(bucket.finding));
    }
    report_.skip_reasons.assign(skip_reasons_.begin(), skip_reasons_.end());
    report_.not_offered.assign(not_offered_.begin(), not_offered_.end());
    if (backend_.processes) report_.processes = backend_.processes();
    return std::move(report_);
  }

 private:
  /// Generates `count` cases, runs them together, judges one after the other.
  void some(std::uint64_t first, std::uint64_t count) {
    if (slots_.size() < count) {
      slots_.resize(count);
      programs_.resize(count);
      actual_.resize(count);
      outcomes_.resize(count);
    }
    if (hooks_.before_batch) hooks_.before_batch(first, count);
    std::size_t sent = 0;
    for (std::uint64_t index = first; index < first + count; ++index)
      if (prepare(index, programs_[sent], slots_[sent])) ++sent;
    run_all(backend_, {std::span(programs_).first(sent), std::span(actual_).first(sent),
                       std::span(outcomes_).first(sent)});
    for (std::size_t n = 0; n < sent; ++n) judge(programs_[n], slots_[n], outcomes_[n], actual_[n]);
    if (backend_.given_up) report_.given_up = backend_.given_up();
  }

  /// False when nothing of the program is on offer.
  bool prepare(std::uint64_t index, Program& program, Slot& slot) {
    slot.index = index;
    if (report_.judges_refusals && is_border(index)) {
      slot.kind = Kind::edge;
      slot.border = generate_at_edge(options_.seed, index, options_.mix, program);
      if (backend_.capabilities.everything) return true;
      whole_ = program;
      if (restrict_to(backend_.capabilities, whole_).empty()) return true;
      count(slot.kind);
      ++report_.skipped;
      return false;
    }
    slot.kind = generate(options_.seed, index, options_.mix, program);
    if (!backend_.capabilities.everything) {
      whole_ = program;
      const auto left_out = restrict_to(backend_.capabilities, program);
      if (!left_out.empty()) coverage_.count_left_out(whole_);
      report_.instructions_left_out += left_out.size();
      for (const Instruction& insn : left_out) not_offered_.insert(mnemonic(insn));
      // Without an instruction that sets the mask or its mode, what is left may be no legal program.
      const bool stays_legal =
          left_out.empty() || options_.mix.profile == Profile::vmc || !find_fault(program);
      if (program.instructions.empty() || !stays_legal) {
        count(slot.kind);
        ++report_.skipped;
        return false;
      }
    }
    if (departs_)
      if (const auto fault = find_fault(program, options_.readings)) {  // a pinned reading forbids it
        slot.border = {fault->rule, true};
        slot.kind = Kind::edge;
        if (report_.judges_refusals) return true;
        count(slot.kind);
        ++report_.skipped;
        return false;
      }
    execute(program, how_, slot.expected);
    return true;
  }

  void count(Kind kind) {
    ++report_.done;
    ++(kind == Kind::boundary   ? report_.boundary
       : kind == Kind::decisive ? report_.decisive
       : kind == Kind::wild     ? report_.wild
                                : report_.border);
  }

  /// The boundary tables come first, as they are; of what is drawn, a share is at the border.
  bool is_border(std::uint64_t index) const {
    if (options_.illegal_in_32 >= 32) return true;
    if (options_.mix.boundaries_first && index < boundary_cases(options_.mix.profile)) return false;
    return Draws(options_.seed ^ 0x1e6a1, index).below(32) < options_.illegal_in_32;
  }

  /// A program that must be refused, or is legal by a hair.
  void judge_border(const Program& program, const Slot& slot, const Outcome& outcome) {
    for (RuleCount& law : report_.laws)
      if (law.id == slot.border.rule->id) ++law.exercised;
    const auto fault =
        slot.border.outside || departs_ ? find_fault(program, options_.readings) : std::optional<Fault>{};
    const bool refused = std::holds_alternative<Refused>(outcome), ran = std::holds_alternative<Ran>(outcome);
    if (fault ? refused : ran) {  // what a legal one computes is judged on other programs
      ++report_.conforms;
      return;
    }
    if (fault && ran) {
      ++(accepted(slot.index, program, *fault) == Verdict::undecided ? report_.undecided : report_.diverges);
      return;
    }
    const Verdict verdict =
        put_in_bucket(slot.index, program, outcome, State{program.ub}, refused ? slot.border.rule : nullptr);
    ++(verdict == Verdict::errored ? report_.errored : report_.diverges);
  }

  Verdict accepted(std::uint64_t index, const Program& program, const Fault& fault) {
    const std::string id = "accepts-illegal-" + std::string(fault.rule->id);
    for (Bucket& bucket : buckets_)
      if (bucket.failure == id) {
        ++bucket.finding.cases;
        return bucket.finding.verdict;
      }
    Finding finding = explainer_.accepted(program, fault, options_.minimize);
    for (Bucket& bucket : buckets_)
      if (bucket.finding.id == finding.id) {  // one reading speaks of several rules
        ++bucket.finding.cases;
        return bucket.finding.verdict;
      }
    finding.cases = 1;
    finding.first_case = index;
    if (hooks_.on_finding) hooks_.on_finding(finding);
    buckets_.push_back({{}, id, std::move(finding)});
    return buckets_.back().finding.verdict;
  }

  void judge(const Program& program, const Slot& slot, const Outcome& outcome, const State& actual) {
    if (std::holds_alternative<NotRun>(outcome)) return;
    count(slot.kind);
    if (const auto* skipped = std::get_if<Skipped>(&outcome)) {
      ++report_.skipped;
      if (slot.kind != Kind::edge) coverage_.count_left_out(program);
      if (skip_reasons_.size() < 64) skip_reasons_.insert(skipped->why);
      return;
    }
    if (slot.kind == Kind::edge) return judge_border(program, slot, outcome);
    coverage_.count(program, report_);
    const bool ran = std::holds_alternative<Ran>(outcome);
    if (ran && (identical(slot.expected, actual, shown_) || compare(program, how_, actual, shown_).agrees)) {
      ++report_.conforms;
      return;
    }
    const Verdict verdict = put_in_bucket(slot.index, program, outcome, actual);
    ++(verdict == Verdict::errored     ? report_.errored
       : verdict == Verdict::undecided ? report_.undecided
                                       : report_.diverges);
  }

  /// `border`: the rule of legality at whose border a legal program was refused.
  Verdict put_in_bucket(std::uint64_t index, const Program& program, const Outcome& outcome,
                        const State& actual, const LegalityRule* border = nullptr) {
    const std::string failure = failure_kind(outcome);
    for (Bucket& bucket : buckets_) {
      if (failure.empty() ? !bucket.failure.empty() || bucket.suspects.empty() ||
                                !explains(*bucket.suspects.front(), program, actual, shown_)
                          : bucket.failure != failure)
        continue;
      if (++bucket.finding.cases <= kIntersections && failure.empty()) narrow(bucket, program, actual);
      return bucket.finding.verdict;
    }
    const bool repeats = explainer_.diverges(program);
    auto suspects = failure.empty() && repeats ? explainer_.refine(explainer_.suspects(program))
                                               : std::vector<const Hypothesis*>{};
    // Programs with several faults at once are many in a broken backend; a few, minimized, say it all.
    const bool enough = suspects.empty() && ++unexplained_ > kUnexplained;
    if (enough || buckets_.size() >= options_.most_findings) {
      ++report_.unlisted;
      return std::holds_alternative<Errored>(outcome)           ? Verdict::errored
             : suspects.empty() || suspects.front()->is_wrong() ? Verdict::diverges
                                                                : Verdict::undecided;
    }
    Finding finding = repeats ? explainer_.explain(program, suspects, options_.minimize)
                              : explainer_.not_repeated(program, outcome, actual);
    for (Bucket& bucket : buckets_)
      if (bucket.finding.id == finding.id) {  // several faults at once, or an unexplained one met again
        ++bucket.finding.cases;
        return bucket.finding.verdict;
      }
    if (border != nullptr) finding.rules.emplace_back(border->id);
    if (suspects.empty() && failure.empty() && repeats) suspects = explainer_.suspects(finding.program);
    finding.cases = 1;
    finding.first_case = index;
    if (hooks_.on_finding) hooks_.on_finding(finding);
    buckets_.push_back({std::move(suspects), failure, std::move(finding)});
    return buckets_.back().finding.verdict;
  }

  /// A further case of a bucket rules out explanations that do not fit it.
  void narrow(Bucket& bucket, const Program& program, const State& actual) {
    std::erase_if(bucket.suspects, [&](const Hypothesis* each) {
      return each != bucket.suspects.front() && !explains(*each, program, actual, shown_);
    });
  }

  const RunOptions& options_;
  const Backend& backend_;
  const RunHooks& hooks_;
  Semantics how_;
  bool departs_;  ///< from the profile's readings: what is generated as legal may not be
  Shown shown_;
  Explainer explainer_;
  Report report_;
  Coverage coverage_;
  std::vector<Bucket> buckets_;
  std::set<std::string> skip_reasons_;
  std::set<std::string> not_offered_;
  unsigned unexplained_ = 0;
  std::vector<Slot> slots_;
  std::vector<Program> programs_;
  std::vector<State> actual_;
  std::vector<Outcome> outcomes_;
  Program whole_;
};

}  // namespace

Report run(const RunOptions& options, const Backend& backend, const RunHooks& hooks) {
  return Run(options, backend, hooks).all();
}

std::optional<Finding> judge(const Program& program, const RunOptions& options, const Backend& backend) {
  RunOptions own = options;
  if (program.profile != options.mix.profile) own.readings = default_readings(program.profile);
  const Explainer explainer(backend, program.profile, own.readings, options.pinned);
  if (const auto fault = find_fault(program, own.readings)) {
    if (!backend.reports_refusals || !std::holds_alternative<Ran>(explainer.ask(program))) return {};
    Finding finding = explainer.accepted(program, *fault, options.minimize);
    finding.cases = 1;
    return finding;
  }
  if (!explainer.diverges(program)) return {};
  Finding finding =
      explainer.explain(program, explainer.refine(explainer.suspects(program)), options.minimize);
  finding.cases = 1;
  return finding;
}

std::optional<std::string> skips(const Program& program, const Backend& backend) {
  if (const auto profile = row_of(program.profile).name; std::ranges::count(backend.profiles, profile) == 0)
    return std::string("profile ").append(profile).append(" is not on offer");
  if (!backend.reports_refusals && find_fault(program)) return "it does not report refusals";
  Program offered = program;
  if (const auto left_out = restrict_to(backend.capabilities, offered); !left_out.empty())
    return mnemonic(left_out.front()) + " is not on offer";
  State state;
  const Outcome outcome = backend.run(program, state);
  const auto* skipped = std::get_if<Skipped>(&outcome);
  return skipped != nullptr ? std::optional(skipped->why) : std::nullopt;
}

}  // namespace lanecheck
