#include "fuzz/runner.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "fuzz/explain.h"
#include "oracle/execute.h"
#include "spec/cell.h"
#include "spec/rule.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kProgressEvery = 4096;
constexpr unsigned kUnexplained = 40;         // unexplained cases that are minimized
constexpr std::uint64_t kIntersections = 64;  // cases that may narrow down what explains a bucket

/// Counts the cells that programs reach.
class Coverage {
 public:
  Coverage() : cells_(cell_count(), 0) {}

  void count(const Program& program, Report& report) {
    MaskBits mask;
    for (const Instruction& i : program.instructions) {
      ++cells_[index_of(cell_of(i, mask))];
      report.element_checks += element_slots(i);
      mask.apply(i);
    }
  }

  /// Coverage of the rules and of the axes follows from the cells.
  void tell(Report& report) const {
    for (const Rule& rule : rules()) report.rules.push_back({std::string(rule.id)});
    Axis ops{"instruction", {}}, types{"element type", {}}, masks{"mask", {}}, origins{"mask origin", {}},
        repeats{"repeat times", {}}, strides{"strides", {}};
    const auto all = rules();
    for (std::size_t index = 0; index < cells_.size(); ++index) {
      const std::uint64_t count = cells_[index];
      if (count == 0) continue;
      ++report.cells_reached;
      const Cell cell = cell_at(index);
      for (std::size_t n = 0; n < all.size(); ++n)
        if (all[n].applies(cell)) report.rules[n].exercised += count;
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
  static void add(Axis& axis, std::string_view value, std::uint64_t count) {
    for (auto& [name, total] : axis.counts)
      if (name == value) {
        total += count;
        return;
      }
    axis.counts.emplace_back(value, count);
  }

  std::vector<std::uint64_t> cells_;
};

/// A finding in the making: cases with one explanation.
struct Bucket {
  std::vector<const Hypothesis*> suspects;  ///< empty: unexplained
  Finding finding;
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
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    for (std::uint64_t n = 0; n < options_.cases; ++n) {
      if (n % kProgressEvery == 0 && n > 0) {
        if (hooks_.on_progress) hooks_.on_progress(n, elapsed(), buckets_.size());
        if (options_.seconds > 0 && elapsed() >= options_.seconds) break;
      }
      if (hooks_.stop && hooks_.stop()) {
        report_.interrupted = true;
        break;
      }
      one(options_.first + n);
    }
    report_.seconds = elapsed();
    coverage_.tell(report_);
    for (Bucket& bucket : buckets_) {
      for (const std::string& broken : bucket.finding.rules)
        for (RuleCount& rule : report_.rules) rule.broken += rule.id == broken ? 1 : 0;
      report_.findings.push_back(std::move(bucket.finding));
    }
    report_.skip_reasons.assign(skip_reasons_.begin(), skip_reasons_.end());
    return std::move(report_);
  }

 private:
  void one(std::uint64_t index) {
    switch (generate(options_.seed, index, options_.mix, program_)) {
      case Kind::boundary:
        ++report_.boundary;
        break;
      case Kind::decisive:
        ++report_.decisive;
        break;
      case Kind::wild:
        ++report_.wild;
        break;
    }
    ++report_.done;
    coverage_.count(program_, report_);
    execute(program_, how_, expected_);
    const Outcome outcome = backend_.run(program_, actual_);
    if (const auto* skipped = std::get_if<Skipped>(&outcome)) {
      ++report_.skipped;
      if (skip_reasons_.size() < 64) skip_reasons_.insert(skipped->why);
      return;
    }
    const bool ran = std::holds_alternative<Ran>(outcome);
    if (ran && (identical(expected_, actual_, backend_.shows_mask) ||
                compare(program_, how_, actual_, backend_.shows_mask).agrees)) {
      ++report_.conforms;
      return;
    }
    const Verdict verdict = put_in_bucket(index, ran, std::holds_alternative<Errored>(outcome));
    ++(verdict == Verdict::errored     ? report_.errored
       : verdict == Verdict::undecided ? report_.undecided
                                       : report_.diverges);
  }

  Verdict put_in_bucket(std::uint64_t index, bool ran, bool broke) {
    for (Bucket& bucket : buckets_) {
      if (bucket.suspects.empty() || !ran ||
          !explains(*bucket.suspects.front(), program_, actual_, backend_.shows_mask))
        continue;
      if (++bucket.finding.cases <= kIntersections) narrow(bucket);
      return bucket.finding.verdict;
    }
    auto suspects = ran ? explainer_.refine(explainer_.suspects(program_)) : std::vector<const Hypothesis*>{};
    // Programs with several faults at once are many in a broken backend; a few, minimized, say it all.
    const bool enough = suspects.empty() && ++unexplained_ > kUnexplained;
    if (enough || buckets_.size() >= options_.most_findings)
      return broke                                                    ? Verdict::errored
             : suspects.empty() || suspects.front()->wrong != nullptr ? Verdict::diverges
                                                                      : Verdict::undecided;
    Finding finding = explainer_.explain(program_, suspects, options_.minimize);
    for (Bucket& bucket : buckets_)
      if (bucket.finding.id == finding.id) {  // several faults at once, or an unexplained one met again
        ++bucket.finding.cases;
        return bucket.finding.verdict;
      }
    if (suspects.empty() && ran) suspects = explainer_.suspects(finding.program);
    finding.cases = 1;
    finding.first_case = index;
    if (hooks_.on_finding) hooks_.on_finding(finding);
    buckets_.push_back({std::move(suspects), std::move(finding)});
    return buckets_.back().finding.verdict;
  }

  /// A further case of a bucket rules out explanations that do not fit it.
  void narrow(Bucket& bucket) {
    std::erase_if(bucket.suspects, [&](const Hypothesis* each) {
      return each != bucket.suspects.front() && !explains(*each, program_, actual_, backend_.shows_mask);
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
  unsigned unexplained_ = 0;
  Program program_;
  State expected_, actual_;
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

}  // namespace lanecheck
