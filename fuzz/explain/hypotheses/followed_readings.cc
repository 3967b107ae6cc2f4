#include "fuzz/explain/hypotheses/followed_readings.h"

#include <algorithm>

#include "fuzz/explain/questions/locate.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostAtOnce = 8;  // readings that one instruction may show for the first time
constexpr unsigned kAllSets = 2;     // so many readings are tried in all sets, more only beside good ones
constexpr std::size_t kBest = 8;     // sets that leave the fewest bytes wrong
constexpr unsigned kMostCompared = 3000;  // sets that are compared with one answer
constexpr std::size_t kMostTried = 6;     // sets that the backend is asked about for one program

/// May the reading be followed beside those of `base`? One that only decides legality changes no answer.
bool may_join(const Hypothesis& each, const Readings& base, const Documented& documented) {
  return !each.is_wrong() && each.reading->decides != Decides::legality &&
         each.reading->get(base) == each.reading->get(documented.readings());
}

/// A search for the sets that give one answer, by size.
class SetSearch {
 public:
  SetSearch(const Program& program, const State& actual, const Readings& base, const Documented& documented,
            Shown shown)
      : program_(program), actual_(actual), base_(base), documented_(documented), shown_(shown) {}

  std::vector<ReadingSet> of_at_most(unsigned most) {
    std::vector<ReadingSet> found;
    std::vector<Partial> sets = {{}};
    for (unsigned size = 1; size <= most && found.empty() && !sets.empty(); ++size) {
      std::vector<Partial> larger;
      for (const Partial& partial : sets) extend(partial.set, found, larger);
      std::ranges::stable_sort(larger, {}, &Partial::wrong);
      if (size > kAllSets && larger.size() > kBest) larger.resize(kBest);
      sets = std::move(larger);
    }
    return found;
  }

 private:
  /// A set that does not give the whole answer yet.
  struct Partial {
    ReadingSet set{};
    std::size_t wrong = 0;  ///< bytes that it leaves wrong
  };

  /// May this reading join the set?
  bool fits(const Hypothesis& each, const ReadingSet& set) const {
    return may_join(each, base_, documented_) &&
           std::ranges::count(set, each.reading, &Hypothesis::reading) == 0;
  }

  /// Adds one more reading to `set`. A reading without an effect is not extended further.
  void extend(const ReadingSet& set, std::vector<ReadingSet>& found, std::vector<Partial>& larger) {
    State before, after;
    execute(program_, Semantics(with(base_, set)), before);
    for (const Hypothesis& each : documented_.hypotheses) {
      if (!fits(each, set)) continue;
      ReadingSet one_more = set;
      one_more.push_back(&each);
      std::ranges::sort(one_more);
      if (std::ranges::count(seen_, one_more) > 0) continue;
      if (seen_.size() >= kMostCompared) return;
      seen_.push_back(one_more);
      const Semantics semantics(with(base_, one_more));
      execute(program_, semantics, after);
      if (agrees(program_, semantics, actual_, shown_))
        found.push_back(std::move(one_more));
      else if (!identical(before, after, shown_))
        larger.push_back({std::move(one_more), compare(program_, semantics, actual_, shown_).bytes.size()});
    }
  }

  const Program& program_;
  const State& actual_;
  const Readings& base_;
  const Documented& documented_;
  Shown shown_;
  std::vector<ReadingSet> seen_;
};

}  // namespace

Readings with(Readings base, const ReadingSet& set) {
  for (const Hypothesis* each : set) each->reading->set(base, each->reading->get(each->semantics.readings));
  return base;
}

std::vector<ReadingSet> reading_sets(const Program& program, const State& actual, const Readings& base,
                                     const Documented& documented, Shown shown, unsigned most) {
  return SetSearch(program, actual, base, documented, shown).of_at_most(most);
}

void FollowedReadings::add(const Hypothesis& reading) {
  semantics_ = Semantics(with(semantics_.readings, {&reading}));
  tried_.clear();
}

std::optional<Program> FollowedReadings::shown_by_forbidding(const Program& program) {
  for (const Hypothesis& each : documented_.hypotheses) {
    if (!may_join(each, semantics_.readings, documented_) || std::ranges::count(tried_, &each) > 0) continue;
    const Readings all = with(semantics_.readings, {&each});
    if (!find_fault(program, all)) continue;
    tried_.push_back(&each);
    confirming_.clear();
    if (!confirms(each, all, {})) continue;
    if (auto shown = shown_alone(each)) return shown;
  }
  return {};
}

ReadingSet FollowedReadings::find_together(const Program& program) {
  confirming_.clear();
  ReadingSet together;
  Readings now = semantics_.readings;
  const auto departs = [&](const Program& part) {
    const BackendAnswer answer = asked_.ask(part);
    return answer.ran() && !agrees(part, Semantics(now), answer.state, asked_.shown());
  };
  for (std::size_t step = 0; step <= program.instructions.size(); ++step) {
    const auto count = first_divergence(program, departs);
    if (!count) return together;
    const Program part = prefix(program, *count);
    auto sets = reading_sets(part, asked_.ask(part).state, now, documented_, asked_.shown(), kMostAtOnce);
    if (sets.size() > kMostTried) sets.resize(kMostTried);
    const auto confirmed =
        std::ranges::find_if(sets, [&](const ReadingSet& set) { return confirms_each(set, now, sets); });
    if (confirmed == sets.end()) return {};
    together.insert(together.end(), confirmed->begin(), confirmed->end());
    now = with(now, *confirmed);
  }
  return {};
}

std::optional<Program> FollowedReadings::shown_alone(const Hypothesis& reading) {
  for (const Program& each : confirming_) {
    const BackendAnswer answer = asked_.ask(each);
    if (diverges(answer, each, documented_, asked_.shown()) &&
        explains(reading, each, answer.state, asked_.shown()))
      return each;
  }
  return {};
}

namespace {

/// Other options of the reading that belong to one of the sets.
Suspects rivals_of(const Hypothesis& reading, const std::vector<ReadingSet>& sets) {
  Suspects rivals;
  for (const ReadingSet& set : sets)
    for (const Hypothesis* each : set)
      if (each != &reading && each->reading == reading.reading && std::ranges::count(rivals, each) == 0)
        rivals.push_back(each);
  return rivals;
}

}  // namespace

/// `sets`: all that give what the program at hand shows.
bool FollowedReadings::confirms_each(const ReadingSet& set, const Readings& base,
                                     const std::vector<ReadingSet>& sets) {
  const Readings all = with(base, set);
  return std::ranges::all_of(
      set, [&](const Hypothesis* each) { return confirms(*each, all, rivals_of(*each, sets)); });
}

/// Asks about programs on which it matters whether the backend follows `reading` beside all others, and no
/// rival that gives more of the answers.
bool FollowedReadings::confirms(const Hypothesis& reading, const Readings& all, const Suspects& rivals) {
  Readings others = all;
  reading.reading->set(others, reading.reading->get(documented_.readings()));
  Documented without(documented_.profile, others, {});
  const auto in_there = [&](const Hypothesis& one) {
    return std::ranges::find_if(
        without.hypotheses, [&](const Hypothesis& each) { return each.id == one.id && !each.is_wrong(); });
  };
  const auto same = in_there(reading);
  if (same == without.hypotheses.end()) return false;
  Suspects suspects = {&*same};
  for (const Hypothesis* rival : rivals)
    if (const auto at = in_there(*rival); at != without.hypotheses.end()) suspects.push_back(&*at);
  Refined refined = refine(suspects, asked_, without);
  confirming_.insert(confirming_.end(), refined.confirming.begin(), refined.confirming.end());
  return std::ranges::count(refined.suspects, &*same) > 0;
}

}  // namespace lanecheck
