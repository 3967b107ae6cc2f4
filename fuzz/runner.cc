#include "fuzz/runner.h"

#include <algorithm>
#include <set>

#include "fuzz/case_loop.h"
#include "fuzz/explain.h"
#include "oracle/execute.h"
#include "spec/cell.h"
#include "spec/program_text.h"
#include "spec/rule.h"

namespace lanecheck {
namespace {

constexpr unsigned kUnexplained = 40;         // unexplained cases that are minimized
constexpr std::uint64_t kIntersections = 64;  // cases that may narrow down what explains a bucket

/// Counts the cells that programs reach.
class Coverage {
 public:
  Coverage() : cells_(cell_count(), 0) {}

  /// A program that was judged.
  void count(const Program& program, Report& report) {
    add(program, cells_);
    for (const Instruction& i : program.instructions) report.element_checks += element_slots(i);
  }

  /// A program of which the backend does not offer everything.
  void count_left_out(const Program& program) {
    left_out_.resize(cells_.size());
    add(program, left_out_);
  }

  /// Coverage of the rules and of the axes follows from the cells.
  void tell(Report& report) const {
    for (const Rule& rule : rules()) report.rules.push_back({std::string(rule.id)});
    Axis ops{"instruction", {}}, types{"element type", {}}, masks{"mask", {}}, origins{"mask origin", {}},
        repeats{"repeat times", {}}, strides{"strides", {}};
    const auto all = rules();
    for (std::size_t index = 0; index < cells_.size(); ++index) {
      const std::uint64_t count = cells_[index], left_out = left_out_.empty() ? 0 : left_out_[index];
      if (count + left_out == 0) continue;
      const Cell cell = cell_at(index);
      for (std::size_t n = 0; n < all.size(); ++n)
        if (all[n].applies(cell)) {
          report.rules[n].exercised += count;
          report.rules[n].left_out += left_out;
        }
      if (count == 0) continue;
      ++report.cells_reached;
      add(ops, row_of(cell.op).name, count);
      if (!row_of(cell.op).types.empty()) add(types, name_of(cell.src_type), count);
      add(masks, kMaskClassNames[static_cast<std::size_t>(cell.mask)], count);
      add(origins, kMaskOriginNames[static_cast<std::size_t>(cell.origin)], count);
      add(repeats, kRepeatClassNames[static_cast<std::size_t>(cell.repeat)], count);
      add(strides, kStrideClassNames[static_cast<std::size_t>(cell.stride)], count);
    }
    report.axes = {ops, types, masks, origins, repeats, strides};
  }

 private:
  static void add(const Program& program, std::vector<std::uint64_t>& cells) {
    MaskBits mask;
    for (const Instruction& i : program.instructions) {
      ++cells[index_of(cell_of(i, mask))];
      mask.apply(i);
    }
  }

  static void add(Axis& axis, std::string_view value, std::uint64_t count) {
    for (auto& [name, total] : axis.counts)
      if (name == value) {
        total += count;
        return;
      }
    axis.counts.emplace_back(value, count);
  }

  std::vector<std::uint64_t> cells_;
  std::vector<std::uint64_t> left_out_;  ///< empty: everything is on offer
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
};

class Run {
 public:
  Run(const RunOptions& options, const Backend& backend, const RunHooks& hooks)
      : options_(options),
        backend_(backend),
        hooks_(hooks),
        how_(options.readings),
        explainer_(backend, options.readings, options.pinned) {
    report_.backend = backend.name;
    report_.about = backend.about;
    report_.shows_mask = backend.shows_mask;
    report_.version = "0.1.0";
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
        for (RuleCount& rule : report_.rules) rule.broken += rule.id == broken ? 1 : 0;
      report_.findings.push_back(std::move(bucket.finding));
    }
    report_.skip_reasons.assign(skip_reasons_.begin(), skip_reasons_.end());
    report_.not_offered.assign(not_offered_.begin(), not_offered_.end());
    if (backend_.lives) report_.lives = backend_.lives();
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
    slot.kind = generate(options_.seed, index, options_.mix, program);
    if (!backend_.offers.everything) {
      whole_ = program;
      const auto left_out = restrict_to(backend_.offers, program);
      if (!left_out.empty()) coverage_.count_left_out(whole_);
      report_.instructions_left_out += left_out.size();
      for (const Instruction& i : left_out) not_offered_.insert(mnemonic(i));
      if (program.instructions.empty()) {
        count(slot.kind);
        ++report_.skipped;
        return false;
      }
    }
    execute(program, how_, slot.expected);
    return true;
  }

  void count(Kind kind) {
    ++report_.done;
    ++(kind == Kind::boundary ? report_.boundary : kind == Kind::decisive ? report_.decisive : report_.wild);
  }

  void judge(const Program& program, const Slot& slot, const Outcome& outcome, const State& actual) {
    if (std::holds_alternative<NotRun>(outcome)) return;
    count(slot.kind);
    if (const auto* skipped = std::get_if<Skipped>(&outcome)) {
      ++report_.skipped;
      coverage_.count_left_out(program);
      if (skip_reasons_.size() < 64) skip_reasons_.insert(skipped->why);
      return;
    }
    coverage_.count(program, report_);
    const bool ran = std::holds_alternative<Ran>(outcome);
    if (ran && (identical(slot.expected, actual, backend_.shows_mask) ||
                compare(program, how_, actual, backend_.shows_mask).agrees)) {
      ++report_.conforms;
      return;
    }
    const Verdict verdict = put_in_bucket(slot.index, program, outcome, actual);
    ++(verdict == Verdict::errored     ? report_.errored
       : verdict == Verdict::undecided ? report_.undecided
                                       : report_.diverges);
  }

  Verdict put_in_bucket(std::uint64_t index, const Program& program, const Outcome& outcome,
                        const State& actual) {
    const std::string failure = failure_kind(outcome);
    for (Bucket& bucket : buckets_) {
      if (failure.empty() ? bucket.suspects.empty() ||
                                !explains(*bucket.suspects.front(), program, actual, backend_.shows_mask)
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
    if (enough || buckets_.size() >= options_.most_findings)
      return std::holds_alternative<Errored>(outcome)                 ? Verdict::errored
             : suspects.empty() || suspects.front()->wrong != nullptr ? Verdict::diverges
                                                                      : Verdict::undecided;
    Finding finding = repeats ? explainer_.explain(program, suspects, options_.minimize)
                              : explainer_.not_repeated(program, outcome, actual);
    for (Bucket& bucket : buckets_)
      if (bucket.finding.id == finding.id) {  // several faults at once, or an unexplained one met again
        ++bucket.finding.cases;
        return bucket.finding.verdict;
      }
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
      return each != bucket.suspects.front() && !explains(*each, program, actual, backend_.shows_mask);
    });
  }

  const RunOptions& options_;
  const Backend& backend_;
  const RunHooks& hooks_;
  Semantics how_;
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
  const Explainer explainer(backend, options.readings, options.pinned);
  if (!explainer.diverges(program)) return {};
  Finding finding = explainer.explain(program, explainer.suspects(program), options.minimize);
  finding.cases = 1;
  return finding;
}

std::optional<std::string> skips(const Program& program, const Backend& backend) {
  Program offered = program;
  if (const auto left_out = restrict_to(backend.offers, offered); !left_out.empty())
    return mnemonic(left_out.front()) + " is not on offer";
  State state;
  const Outcome outcome = backend.run(program, state);
  const auto* skipped = std::get_if<Skipped>(&outcome);
  return skipped != nullptr ? std::optional(skipped->why) : std::nullopt;
}

}  // namespace lanecheck
