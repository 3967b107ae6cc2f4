#include "fuzz/recheck/version_search.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace lanecheck {
namespace {

enum class Version : std::uint8_t { unknown, good, bad, unusable };

class Search {
 public:
  Search(std::size_t versions, const std::function<Shows(std::size_t)>& ask, const SearchLimits& limits)
      : ask_(ask), limits_(limits), known_(versions, Version::unknown) {}

  FoundVersion take() {
    const std::size_t last = known_.size() - 1;
    if (!measure(last)) return std::move(result_);
    const Version first = judged(0);
    if (first == Version::bad) return undecided("the first version shows the fault already");
    if (first == Version::unusable) return undecided("the first version gives too few answers");
    std::size_t good = 0, bad = last;
    while (bad - good > 1) {
      const auto middle = usable_between(good, bad);
      if (!middle)
        return undecided("the versions between the last good one and the first bad one give too few answers");
      (known_[*middle] == Version::bad ? bad : good) = *middle;
    }
    if (result_.risk > limits_.risk) return undecided("too many versions give too few answers");
    result_.first_bad = bad;
    return std::move(result_);
  }

 private:
  FoundVersion undecided(std::string why) {
    result_.why = std::move(why);
    return std::move(result_);
  }

  Shows ask(std::size_t version) {
    ++result_.runs;
    return ask_(version);
  }

  /// Learns the rate of the last version, and how many silent runs make a version good. False if it cannot.
  bool measure(std::size_t last) {
    std::uint64_t seen = 0, of = 0;
    for (unsigned n = 0; n < limits_.most_runs && seen < limits_.sightings; ++n) {
      const Shows shown = ask(last);
      if (shown == Shows::no_answer) break;
      if (shown == Shows::other) continue;
      ++of;
      if (shown == Shows::fault) ++seen;
    }
    known_[last] = Version::bad;
    if (seen == 0) {
      result_.why = "the last version did not show the fault";
      return false;
    }
    result_.rate = static_cast<double>(seen) / static_cast<double>(of);
    // The first version, and one in each step, may be called good wrongly.
    const double share = limits_.risk / static_cast<double>(1 + std::bit_width(known_.size() - 1));
    do {
      ++result_.runs_for_good;
      chance_ = chance_of_silence(seen, of, result_.runs_for_good);
    } while (chance_ >= share && result_.runs_for_good < limits_.most_runs);
    if (chance_ < share) return true;
    result_.why = "the fault shows too seldom: more runs of a version would be needed than are allowed";
    return false;
  }

  Version judged(std::size_t version) {
    if (known_[version] != Version::unknown) return known_[version];
    unsigned silent = 0;
    for (unsigned n = 0; n < limits_.most_runs && silent < result_.runs_for_good; ++n) {
      const Shows shown = ask(version);
      if (shown == Shows::fault) return known_[version] = Version::bad;
      if (shown == Shows::no_answer) break;
      if (shown == Shows::nothing) ++silent;
    }
    if (silent < result_.runs_for_good) return known_[version] = Version::unusable;
    result_.risk += chance_;
    return known_[version] = Version::good;
  }

  /// A version that is good or bad, as near to the middle as possible.
  std::optional<std::size_t> usable_between(std::size_t good, std::size_t bad) {
    std::vector<std::size_t> inside;
    for (std::size_t each = good + 1; each < bad; ++each) inside.push_back(each);
    const std::size_t middle = good + (bad - good) / 2;
    const auto distance = [&](std::size_t each) { return each < middle ? middle - each : each - middle; };
    std::ranges::stable_sort(inside, {}, distance);
    for (const std::size_t each : inside)
      if (judged(each) != Version::unusable) return each;
    return {};
  }

  const std::function<Shows(std::size_t)>& ask_;
  SearchLimits limits_;
  std::vector<Version> known_;
  double chance_ = 1;  ///< that a bad version is called good
  FoundVersion result_;
};

}  // namespace

double chance_of_silence(std::uint64_t seen, std::uint64_t of, std::uint64_t runs) {
  double chance = 1;
  for (std::uint64_t n = 0; n < runs; ++n)
    chance *= static_cast<double>(1 + of - seen + n) / static_cast<double>(2 + of + n);
  return chance;
}

FoundVersion find_first_bad(std::size_t versions, const std::function<Shows(std::size_t)>& ask,
                            const SearchLimits& limits) {
  return Search(versions, ask, limits).take();
}

}  // namespace lanecheck
