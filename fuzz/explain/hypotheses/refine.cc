#include <algorithm>
#include <map>
#include <set>

#include "fuzz/explain/hypotheses/followed_readings.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/staging.h"
#include "fuzz/explain/questions/suspects.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/generate/generate.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kProbeSeed = 0x6c616e65;
constexpr std::uint64_t kMostDrawn = 12'000;
constexpr std::uint64_t kPatience = 500;    // drawn programs in a row on which the suspects agree
constexpr unsigned kMostTellingApart = 48;  // questions on which the suspects differ
constexpr unsigned kMostConfirming = 4;     // questions on which they agree; probes may refute them later

bool is_reading(const Hypothesis* each) {
  return !each->is_wrong();
}

/// With decisive data, the greater (less) one of an element and the scalar is the element: they do not tell
/// whether lanes receive the result.
bool is_of_extreme_with_scalar(const Hypothesis* each) {
  return each->wrong != nullptr && (each->wrong->only_in == Op::vmaxs || each->wrong->only_in == Op::vmins);
}

/// One suspect and the answers so far.
struct Candidate {
  const Hypothesis* hypothesis;
  bool dropped = false;
  std::vector<bool> reproduced{};  ///< by answer
  State believed{};                ///< what it predicts for the program at hand
  bool predicts_divergence = false;
  bool is_of_interest = true;             ///< a question is one for which it predicts a divergence
  bool was_asked = false;                 ///< it predicted a divergence for a question
  unsigned predicted = 0, came_true = 0;  ///< divergences that it predicted, and those with its very bytes
  std::size_t hidden = 0;  ///< wrong elements that it would show with decisive data, but the record does not

  /// A mutant is refuted if the backend often diverges where it says, but in another way. A reading is not:
  /// a backend may follow several readings at once. Now and then a second mistake may show.
  bool is_refuted() const { return !is_reading(hypothesis) && 4 * came_true < 3 * predicted; }
  std::ptrdiff_t score() const { return std::ranges::count(reproduced, true); }
};

/// Does the answer come from the reading with a mutant or up to three other readings beside it?
bool reading_and_others(const Hypothesis& reading, const Program& probe, const State& actual,
                        const Documented& documented, Shown shown) {
  const Readings& base = reading.semantics.readings;
  return !reading_sets(probe, actual, base, documented, shown, 3).empty() ||
         std::ranges::any_of(documented.hypotheses, [&](const Hypothesis& other) {
           return other.wrong != nullptr && agrees(probe, other.wrong->semantics(base), actual, shown);
         });
}

/// The elements of dst of the last instruction that are wrong in `actual`.
std::set<std::size_t> wrong_elements(const Program& program, const State& actual,
                                     const Documented& documented, Shown shown) {
  const Instruction& insn = program.instructions.back();
  std::set<std::size_t> wrong;
  for (const std::uint32_t byte : compare(program, documented.semantics, actual, shown).bytes)
    wrong.insert((byte - start_of(program, insn.operands[0])) / size_of(insn.dst_type));
  return wrong;
}

/// A recording cannot be asked with other data. How many elements would `suspect` get wrong with decisive
/// data that are right in the recording? By chance, only a few are right that an implementation gets wrong.
std::size_t hidden_by_data(const Hypothesis& suspect, const Program& probe, const State& actual,
                           const Documented& documented, Shown shown) {
  const std::size_t last = probe.instructions.size() - 1;
  const auto computes = [](const Instruction& insn) { return !row_of(insn.op).operands.empty(); };
  if (std::ranges::count_if(probe.instructions, computes) != 1 || !computes(probe.instructions[last]))
    return 0;
  Variation decisive = variation_of(probe, last);
  set_data(decisive, 0, Stagings::kDataPhase);
  State believed;
  execute(decisive.program, suspect.semantics, believed);
  const auto recorded = wrong_elements(probe, actual, documented, shown);
  const auto predicted = wrong_elements(decisive.program, believed, documented, shown);
  return static_cast<std::size_t>(
      std::ranges::count_if(predicted, [&](std::size_t element) { return !recorded.contains(element); }));
}

class Refinement {
 public:
  Refinement(const Suspects& some, AskedBackend& asked, const Documented& documented,
             const std::function<bool(const Program&)>& shows_others)
      : asked_(asked), documented_(documented), shows_others_(shows_others) {
    for (const Hypothesis* each : some) candidates_.push_back({.hypothesis = each});
    mix_.profile = documented.profile;
    mix_.with_boundaries = false;
    mix_.wild_in_sixteen = std::ranges::any_of(some, is_of_extreme_with_scalar) ? 8 : 0;
  }

  /// Only wild data may show a reading, or tell two options of it apart: subnormal numbers, infinities, NaN,
  /// many significant bits. Then such programs are asked too.
  void ask_on() {
    const QuestionBudget budget(asked_);
    ask_generated(budget);
    const auto is_unasked = [&](const Candidate& each) {
      return is_reading(each.hypothesis) && !each.dropped && (!each.was_asked || has_other_option(each));
    };
    if (!asked_.backend().recorded.empty() || std::ranges::none_of(candidates_, is_unasked)) return;
    for (Candidate& each : candidates_) each.is_of_interest = is_unasked(each);
    telling_apart_ = agreeing_ = 0;
    agreeing_in_.clear();
    mix_.wild_in_sixteen = 16;
    shows_many_readings_ = true;
    ask_generated(budget);
  }

  std::vector<Program> take_confirming() { return std::move(confirming_); }

  Suspects left(bool readings) const {
    std::vector<const Candidate*> best;
    for (const Candidate& each : candidates_)
      if (!each.dropped && !each.is_refuted() && is_reading(each.hypothesis) == readings && !is_beaten(each))
        best.push_back(&each);
    std::ranges::stable_sort(best, {}, &Candidate::hidden);
    std::ranges::stable_sort(best, std::ranges::greater{},
                             [](const Candidate* each) { return each->score(); });
    Suspects some;
    for (const Candidate* each : best) some.push_back(each->hypothesis);
    return some;
  }

 private:
  void ask_generated(const QuestionBudget& budget) {
    std::uint64_t last_useful = 0;
    const bool generates = asked_.backend().recorded.empty();
    const std::uint64_t most = generates ? kMostDrawn : asked_.backend().recorded.size();
    for (std::uint64_t index = 0; index < most; ++index) {
      if (generates && index - last_useful >= kPatience) return;
      if (alive() == 0 || telling_apart_ >= kMostTellingApart || budget.is_over()) return;
      if (alive() == 1 && agreeing_ >= kMostConfirming) return;  // nothing is left to be told apart
      if (!(generates ? draw(index) : take_recorded(index))) continue;
      if (!may_be_touched()) continue;
      bool differ = predict();
      if (!touched() || (!differ && agreeing_ >= kMostConfirming)) continue;
      if (shows_others_ && shows_others_(probe_)) continue;
      if (generates) differ = shorten();
      if ((!differ && agreeing_ >= kMostConfirming) || is_forbidden()) continue;
      if (!differ && has_confirmed_enough_in_this_instruction()) continue;
      last_useful = index;
      ++(differ ? telling_apart_ : agreeing_);
      learn_from(asked_.ask(probe_));
    }
  }

  /// The last question about a reading is about another instruction, if the reading shows there: a backend
  /// that follows it in one instruction, and not in another, is inconsistent.
  bool has_confirmed_enough_in_this_instruction() {
    const bool of_reading = std::ranges::any_of(candidates_, [](const Candidate& each) {
      return is_reading(each.hypothesis) && !each.dropped && each.is_of_interest;
    });
    return of_reading && !probe_.instructions.empty() &&
           ++agreeing_in_[probe_.instructions.back().op] >= kMostConfirming;
  }

  /// Is another option of the same reading suspected, too?
  bool has_other_option(const Candidate& one) const {
    return std::ranges::any_of(candidates_, [&](const Candidate& other) {
      return &other != &one && !other.dropped && other.hypothesis->reading == one.hypothesis->reading;
    });
  }

  /// Generates the next question. False if the backend cannot be asked it.
  bool draw(std::uint64_t index) {
    generate(kProbeSeed, index, mix_, probe_);
    const bool reduced = !restrict_to(asked_.backend().capabilities, probe_).empty();
    return !reduced || !find_fault(probe_);
  }

  /// A recording answers its own programs only. False if there is nothing to learn from this one.
  bool take_recorded(std::uint64_t index) {
    probe_ = asked_.backend().recorded[index];
    return !find_fault(probe_, documented_.readings());
  }

  /// Does a reading that is suspected or followed forbid the question? Its answer says nothing about it then.
  bool is_forbidden() const {
    return proves_nothing(probe_, documented_) ||
           std::ranges::any_of(candidates_, [&](const Candidate& each) {
             return is_reading(each.hypothesis) && !each.dropped &&
                    find_fault(probe_, each.hypothesis->semantics.readings);
           });
  }

  std::ptrdiff_t alive() const { return std::ranges::count(candidates_, false, &Candidate::dropped); }

  /// Has the question an instruction that a suspect gets wrong?
  bool may_be_touched() const {
    return std::ranges::any_of(candidates_, [&](const Candidate& each) {
      return each.is_of_interest && !each.dropped && may_touch(*each.hypothesis, probe_);
    });
  }

  bool touched() const {
    return std::ranges::any_of(candidates_, [](const Candidate& each) {
      return each.is_of_interest && !each.dropped && each.predicts_divergence;
    });
  }

  /// Cuts the program off after the first instruction on which a suspect predicts a divergence and no other
  /// known fault shows, because later ones may show other differences. True if the suspects predict different
  /// states there.
  bool shorten() {
    const Program whole = probe_;
    for (std::size_t count = 1; count < whole.instructions.size(); ++count) {
      probe_ = prefix(whole, count);
      if (shows_others_ && shows_others_(probe_)) continue;
      const bool differ = predict();
      if (touched()) return differ;
    }
    probe_ = whole;
    return predict();
  }

  /// Runs the oracle under each suspect. True if they predict different states.
  bool predict() {
    State expected;
    execute(probe_, documented_.semantics, expected);
    const Candidate* first = nullptr;
    bool differ = false;
    for (Candidate& each : candidates_) {
      if (each.dropped) continue;
      if (may_touch(*each.hypothesis, probe_))
        execute(probe_, each.hypothesis->semantics, each.believed);
      else
        each.believed = expected;
      each.predicts_divergence = !identical(expected, each.believed, asked_.shown()) &&
                                 !agrees(probe_, documented_.semantics, each.believed, asked_.shown());
      if (first == nullptr) first = &each;
      differ |= !identical(first->believed, each.believed, asked_.shown());
    }
    return differ;
  }

  void learn_from(const BackendAnswer& answer) {
    const Shown shown = asked_.shown();
    const Says said = says(answer, probe_, documented_, shown);
    if (said == Says::nothing) return;
    bool confirms = false;
    for (Candidate& each : candidates_) {
      if (each.dropped) continue;
      each.was_asked |= each.predicts_divergence;
      if (said == Says::conforms) {
        each.dropped = each.predicts_divergence;
        each.reproduced.push_back(true);
        continue;
      }
      const bool fits = explains(*each.hypothesis, probe_, answer.state, shown);
      each.reproduced.push_back(fits);
      each.predicted += each.predicts_divergence ? 1 : 0;
      each.came_true += each.predicts_divergence && fits ? 1 : 0;
      confirms |= each.predicts_divergence && fits;
      if (fits && each.predicts_divergence && !asked_.backend().recorded.empty())
        each.hidden += hidden_by_data(*each.hypothesis, probe_, answer.state, documented_, shown);
      if (!fits && !shows_many_readings_ && each.predicts_divergence && is_reading(each.hypothesis))
        each.dropped = !reading_and_others(*each.hypothesis, probe_, answer.state, documented_, shown);
    }
    if (confirms) confirming_.push_back(probe_);
  }

  /// Does another suspect reproduce all that this one reproduces, and more?
  bool is_beaten(const Candidate& one) const {
    return std::ranges::any_of(candidates_, [&](const Candidate& other) {
      if (other.dropped || other.score() <= one.score()) return false;
      for (std::size_t n = 0; n < one.reproduced.size(); ++n)
        if (one.reproduced[n] && !other.reproduced[n]) return false;
      return true;
    });
  }

  AskedBackend& asked_;
  const Documented& documented_;
  const std::function<bool(const Program&)>& shows_others_;
  std::vector<Candidate> candidates_;
  Mix mix_;
  Program probe_;
  unsigned telling_apart_ = 0, agreeing_ = 0;  ///< questions so far
  std::map<Op, unsigned> agreeing_in_{};       ///< questions that agree, by their last instruction
  /// Wild data show many readings at once. Then only a backend that conforms refutes one.
  bool shows_many_readings_ = false;
  std::vector<Program> confirming_;
};

}  // namespace

Refined refine(Suspects some, AskedBackend& asked, const Documented& documented,
               const std::function<bool(const Program&)>& shows_others) {
  if (some.empty()) return {};
  Refinement refinement(some, asked, documented, shows_others);
  refinement.ask_on();
  if (Suspects readings = refinement.left(true); !readings.empty())
    return {std::move(readings), nullptr, refinement.take_confirming()};
  return {refinement.left(false), is_reading(some.front()) ? some.front() : nullptr,
          refinement.take_confirming()};
}

}  // namespace lanecheck
