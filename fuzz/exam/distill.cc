#include "fuzz/exam/distill.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// How many programs for each goal the cover may choose from.
constexpr unsigned kChoice = 6;

struct Candidate {
  Program program;
  bool needs_start = false;
  std::vector<std::size_t> tells;  ///< goals
};

class Search {
 public:
  Search(const Goals& goals, const DistillOptions& options)
      : goals_(goals), options_(options), tellers_(goals.list().size()), readings_(goals.list().size()) {}

  /// Tries the cases in their order until each goal has enough programs to choose from. A goal that no
  /// program after a reset tells apart may need the state in which a launch starts.
  void run() {
    const unsigned enough = kChoice + options_.times;
    for (std::uint64_t index = 0; index < options_.most_cases; ++index) {
      // Rare goals get more cases, so that a late case is tried for a few goals only.
      std::vector<std::size_t> wanted =
          goals_with_less_than(index < options_.most_cases / 10 ? enough : options_.times);
      if (wanted.empty()) break;
      try_case(index, wanted);
    }
  }

  std::vector<Candidate> candidates;
  const std::vector<std::string>& readings() const { return readings_; }

 private:
  std::vector<std::size_t> goals_with_less_than(unsigned tellers) const {
    std::vector<std::size_t> list;
    for (std::size_t n = 0; n < tellers_.size(); ++n)
      if (tellers_[n] < tellers && !goals_.list()[n].by_refusal_alone) list.push_back(n);
    return list;
  }

  void try_case(std::uint64_t index, const std::vector<std::size_t>& wanted) {
    generate(options_.seed, index, options_.mix, program_);
    const Program later = after_reset(program_);
    if (!goals_.told_apart(later, wanted).empty() &&
        may_come_later(program_, default_readings(program_.profile)))
      keep(later, false);
    const std::vector<std::size_t> missing = goals_with_less_than(1);
    if (!goals_.told_apart(program_, missing).empty()) keep(program_, true);
    for (const std::size_t n : missing)
      if (goals_.list()[n].mutant != nullptr && readings_[n].empty())
        readings_[n] = goals_.allowed_by(program_, goals_.list()[n]);
  }

  void keep(const Program& as_run, bool needs_start) {
    std::vector<std::size_t> every(tellers_.size());
    std::iota(every.begin(), every.end(), 0);
    Candidate candidate{program_, needs_start, goals_.told_apart(as_run, every)};
    for (const std::size_t n : candidate.tells) ++tellers_[n];
    candidates.push_back(std::move(candidate));
  }

  const Goals& goals_;
  const DistillOptions& options_;
  std::vector<unsigned> tellers_;      ///< by goal: how many candidates tell it apart
  std::vector<std::string> readings_;  ///< by goal: the option that allows what the mutant does
  Program program_;
};

/// The greedy cover: again and again the candidate that tells the most goals apart which still need it. Of
/// two equals the smaller one.
class Cover {
 public:
  Cover(const std::vector<Candidate>& candidates, std::size_t goals, unsigned times)
      : candidates_(candidates), told_(goals), times_(times), taken_(candidates.size()) {}

  void run(std::size_t most) {
    while (chosen_.size() < most) {
      std::size_t best = candidates_.size(), best_gain = 0;
      for (std::size_t n = 0; n < candidates_.size(); ++n)
        if (const std::size_t gain = taken_[n] ? 0 : gain_of(n);
            gain > 0 && is_better(n, gain, best, best_gain)) {
          best = n;
          best_gain = gain;
        }
      if (best_gain == 0) break;
      take(best);
    }
    drop_needless();
  }

  const std::vector<std::size_t>& chosen() const { return chosen_; }
  unsigned told(std::size_t goal) const { return told_[goal]; }

 private:
  std::size_t gain_of(std::size_t n) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(candidates_[n].tells, [&](std::size_t goal) { return told_[goal] < times_; }));
  }

  bool is_better(std::size_t n, std::size_t gain, std::size_t best, std::size_t best_gain) const {
    if (gain != best_gain) return gain > best_gain;
    return candidates_[n].program.ub.size() < candidates_[best].program.ub.size();
  }

  void take(std::size_t n) {
    taken_[n] = true;
    chosen_.push_back(n);
    for (const std::size_t goal : candidates_[n].tells) ++told_[goal];
  }

  /// Later choices may make an earlier one needless.
  void drop_needless() {
    std::erase_if(chosen_, [&](std::size_t n) {
      const auto& tells = candidates_[n].tells;
      if (std::ranges::any_of(tells, [&](std::size_t goal) { return told_[goal] <= times_; })) return false;
      for (const std::size_t goal : tells) --told_[goal];
      return true;
    });
  }

  const std::vector<Candidate>& candidates_;
  std::vector<unsigned> told_;
  unsigned times_;
  std::vector<bool> taken_;
  std::vector<std::size_t> chosen_;
};

}  // namespace

Distilled distill(const Goals& goals, const DistillOptions& options) {
  Search search(goals, options);
  search.run();
  Cover cover(search.candidates, goals.list().size(), options.times);
  cover.run(options.programs);
  Distilled result;
  for (const std::size_t n : cover.chosen())
    result.exam.push_back(
        {.program = search.candidates[n].program, .needs_start = search.candidates[n].needs_start});
  pack(result.exam);
  for (std::size_t n = 0; n < goals.list().size(); ++n)
    result.goals.push_back({cover.told(n), cover.told(n) == 0 ? search.readings()[n] : ""});
  return result;
}

}  // namespace lanecheck
