#include "fuzz/exam/distill.h"

#include <algorithm>
#include <numeric>

#include "fuzz/exam/easyasc_source.h"
#include "fuzz/generate/boundary.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// How many programs for each goal the cover may choose from.
constexpr unsigned kChoice = 6;

/// After so many cases, further programs are only looked for if a goal has too few. They may be long then.
constexpr std::uint64_t kCasesForChoice = 1000;
constexpr unsigned kLongest = 16;

struct Candidate {
  Program program;
  bool needs_start = false;
  std::vector<std::size_t> tells;  ///< goals
};

/// Does the machine lack it?
bool lacks(const DistillOptions& options, const Instruction& insn) {
  if (options.for_easyasc && !easyasc_lacks(insn).empty()) return true;
  return !options.only.empty() && computes(row_of(insn.op), options.mix.profile) &&
         std::ranges::count(options.only, insn.op) == 0;
}

/// Leaves out the instructions that the machine lacks; false if the rest is no legal program.
bool leave_out(const DistillOptions& options, Program& program) {
  const auto left_out =
      std::erase_if(program.instructions, [&](const Instruction& insn) { return lacks(options, insn); });
  return left_out == 0 ||
         (!program.instructions.empty() && !find_fault(program, default_readings(program.profile)));
}

class Search {
 public:
  Search(const Goals& goals, const DistillOptions& options)
      : goals_(goals),
        options_(options),
        tellers_(goals.list().size()),
        later_(tellers_),
        notes_(tellers_.size()) {}

  /// Tries the cases in their order until each goal has enough programs to choose from. A goal that no
  /// program after a reset tells apart may need the state in which a launch starts.
  void run() {
    const unsigned enough = kChoice + options_.times;
    for (std::uint64_t index = 0; index < options_.most_cases; ++index) {
      // A late case is tried for rare goals only.
      const bool late = index >= kCasesForChoice;
      const std::vector<std::size_t> wanted = goals_with_less_than(late ? options_.times : enough, tellers_);
      if (wanted.empty()) break;
      if (draw(index)) try_case(wanted);
    }
  }

  std::vector<Candidate> candidates;
  /// Of a goal that `told` programs of the exam tell apart: why there are no more of them.
  GoalResult result_of(std::size_t goal, unsigned told) const {
    GoalResult result = notes_[goal];
    result.programs = told;
    result.left_out = tellers_[goal] > told && told < options_.times;
    return result;
  }

 private:
  std::vector<std::size_t> goals_with_less_than(unsigned most, const std::vector<unsigned>& counts) const {
    std::vector<std::size_t> list;
    for (std::size_t n = 0; n < counts.size(); ++n)
      if (counts[n] < most && !goals_.list()[n].by_refusal_alone) list.push_back(n);
    return list;
  }

  /// Case `index` without the instructions that the machine lacks; false if that is no legal program.
  bool draw(std::uint64_t index) {
    Mix mix = options_.mix;
    if (index >= kCasesForChoice) mix.most_instructions = kLongest;
    generate(options_.seed, index, mix, program_);
    return leave_out(options_, program_);
  }

  void try_case(const std::vector<std::size_t>& wanted) {
    const Program later = as_later_program(program_);
    // `pack` may put it first as well, where no reset runs.
    if (!goals_.told_apart(program_, goals_.told_apart(later, wanted, kGap)).empty() &&
        may_come_later(program_, default_readings(program_.profile)))
      keep(&later);
    std::vector<std::size_t> missing = goals_with_less_than(1, later_);
    std::erase_if(missing, [&](std::size_t n) { return tellers_[n] >= options_.times; });
    for (const std::size_t n : missing) note_why(n);
    if (!goals_.told_apart(program_, missing).empty()) keep(nullptr);
  }

  void note_why(std::size_t n) {
    const Goal& goal = goals_.list()[n];
    GoalResult& note = notes_[n];
    if (goal.mutant == nullptr)
      note.is_allowed = note.is_allowed || goals_.one_allows_other(program_, goal);
    else if (note.reading.empty())
      note.reading = goals_.allowed_by(program_, goal);
  }

  /// A candidate claims only what it tells apart wherever it may lie. `later`: the program as it runs if it
  /// is not the first of a launch; null: it must be the first.
  void keep(const Program* later) {
    std::vector<std::size_t> tells(tellers_.size());
    std::iota(tells.begin(), tells.end(), 0);
    if (later != nullptr) tells = goals_.told_apart(*later, tells, kGap);
    const bool needs_start = later == nullptr;
    Candidate candidate{program_, needs_start, goals_.told_apart(program_, tells)};
    for (const std::size_t n : candidate.tells) {
      ++tellers_[n];
      later_[n] += needs_start ? 0 : 1;
    }
    candidates.push_back(std::move(candidate));
  }

  const Goals& goals_;
  const DistillOptions& options_;
  std::vector<unsigned> tellers_;  ///< by goal: how many candidates tell it apart
  std::vector<unsigned> later_;    ///< by goal: how many of them need not be the first of a launch
  std::vector<GoalResult> notes_;  ///< by goal: why no candidate tells it apart
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

/// Adds the programs that a machine must or may refuse, as far as there is room.
void add_refusals(const Goals& goals, const DistillOptions& options, Distilled& result) {
  Refusals refusals =
      find_refusals(goals, {.seed = options.seed,
                            .mix = options.mix,
                            .times = options.times,
                            .room = options.programs - result.exam.size(),
                            .before = [&](Program& program) { return leave_out(options, program); }});
  for (Program& program : refusals.programs)
    result.exam.push_back({.program = std::move(program), .alone = true});
  result.rules = std::move(refusals.rules);
  for (const PairResult& pair : refusals.pairs) {
    result.goals[pair.goal].programs = pair.programs;
    result.goals[pair.goal].left_out = pair.left_out;
  }
}

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
  for (std::size_t n = 0; n < goals.list().size(); ++n)
    result.goals.push_back(search.result_of(n, cover.told(n)));
  if (options.refusals) add_refusals(goals, options, result);
  pack(result.exam);
  return result;
}

}  // namespace lanecheck
