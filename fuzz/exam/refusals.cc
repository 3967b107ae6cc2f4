#include "fuzz/exam/refusals.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

/// So many programs are made on each side of a rule; the smallest of them are taken.
constexpr std::uint64_t kOfEachSide = 6;
/// So many more on each side of each rule are tried for a pair of options that none of these tells apart.
constexpr std::uint64_t kMore = 60;

/// Does one option of the pair forbid the program, and the other allow it?
bool divides(const Goals& goals, const Goal& pair, const Program& program) {
  const auto forbids = [&](std::size_t meaning) {
    return find_fault(program, goals.meanings()[meaning].semantics.readings).has_value();
  };
  return forbids(pair.one) != forbids(pair.other);
}

/// The option that allows the program: "zero_mask=no_op". "" if none does.
std::string option_that_allows(const Goals& goals, const Program& program) {
  const auto& meanings = goals.meanings();
  const auto found = std::ranges::find_if(
      meanings, [&](const Meaning& meaning) { return !find_fault(program, meaning.semantics.readings); });
  return found == meanings.end() ? "" : found->id;
}

void sort_by_size(std::vector<Program>& programs) {
  std::ranges::stable_sort(programs, {}, [](const Program& program) {
    return std::tuple(program.instructions.size(), program.ub.size());
  });
}

class RefusalSearch {
 public:
  RefusalSearch(const Goals& goals, const RefusalOptions& options) : goals_(goals), options_(options) {}

  Refusals run() {
    for (const LegalityRule& rule : legality_rules())
      if (rule.holds_in(options_.mix.profile)) add_rule(rule);
    sort_by_size(dividing_);
    for (std::size_t n = 0; n < goals_.list().size(); ++n)
      if (goals_.list()[n].by_refusal_alone) add_pair(goals_.list()[n], n);
    return std::move(found_);
  }

 private:
  bool has_room() const { return found_.programs.size() < options_.room; }

  void add_rule(const LegalityRule& rule) {
    RuleResult result{.rule = &rule};
    std::vector<Program> forbidden;
    for (Program& program : at_edge({&rule, true})) {
      std::string option = option_that_allows(goals_, program);
      (option.empty() ? forbidden : dividing_).push_back(std::move(program));
      if (!option.empty()) result.reading = std::move(option);
    }
    if (!forbidden.empty()) result.reading.clear();
    for (Program& program : at_edge({&rule, false}))
      if (is_divided(program)) dividing_.push_back(std::move(program));
    sort_by_size(forbidden);
    take(forbidden, result);
    found_.rules.push_back(std::move(result));
  }

  void add_pair(const Goal& pair, std::size_t goal) {
    PairResult result{.goal = goal};
    std::vector<Program> programs;
    for (const Program& program : dividing_)
      if (divides(goals_, pair, program)) programs.push_back(program);
    for (std::uint64_t index = kOfEachSide; index < kMore && programs.size() < options_.times; ++index)
      add_dividing(pair, index, programs);
    take(programs, result);
    found_.pairs.push_back(result);
  }

  /// Moves as many programs into the exam as there should be and as there is room for.
  template <class Result>
  void take(std::vector<Program>& programs, Result& result) {
    for (std::size_t n = 0; n < programs.size() && n < options_.times; ++n) {
      if (!has_room()) {
        result.left_out = true;
        return;
      }
      found_.programs.push_back(std::move(programs[n]));
      ++result.programs;
    }
  }

  /// Tries program `index` on both sides of every rule.
  void add_dividing(const Goal& pair, std::uint64_t index, std::vector<Program>& programs) const {
    Program program;
    for (const LegalityRule* rule : rules_with_edge(options_.mix.profile))
      for (const bool outside : {true, false})
        if (generate_at({rule, outside}, options_.seed, index, options_.mix, options_.before, program) &&
            divides(goals_, pair, program))
          programs.push_back(program);
  }

  bool is_divided(const Program& program) const {
    return std::ranges::any_of(goals_.list(), [&](const Goal& goal) {
      return goal.by_refusal_alone && divides(goals_, goal, program);
    });
  }

  /// Programs on one side of a rule; none if nothing is known of its edge.
  std::vector<Program> at_edge(const EdgeCase& edge) const {
    std::vector<Program> programs;
    Program program;
    for (std::uint64_t index = 0; edge.rule->tried() && index < kOfEachSide; ++index) {
      if (!generate_at(edge, options_.seed, index, options_.mix, options_.before, program)) break;
      programs.push_back(program);
    }
    return programs;
  }

  const Goals& goals_;
  const RefusalOptions& options_;
  std::vector<Program> dividing_;  ///< programs that some option forbids and another allows
  Refusals found_;
};

}  // namespace

Refusals find_refusals(const Goals& goals, const RefusalOptions& options) {
  return RefusalSearch(goals, options).run();
}

}  // namespace lanecheck
