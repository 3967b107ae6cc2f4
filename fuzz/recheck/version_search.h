// Which version of a backend is the first that shows a fault? The fault may show in a part of the runs alone.
// This file decides what to ask and what follows; the asking is the caller's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace lanecheck {

/// What one run of one version showed.
enum class Shows : std::uint8_t {
  fault,
  nothing,
  other,  ///< another fault, behind which the fault may hide: no evidence
  no_answer
};

struct SearchLimits {
  double risk = 0.01;         ///< probability that any version is wrongly called good, at most
  unsigned sightings = 10;    ///< in the last version, until its rate is known well enough
  unsigned most_runs = 1000;  ///< of one version
};

struct FoundVersion {
  std::optional<std::size_t> first_bad;  ///< nothing: undecided
  std::string why;                       ///< why it is undecided
  double rate = 0;                       ///< share of the runs of the last version that show the fault
  unsigned runs_for_good = 0;            ///< so many runs without the fault make a version good
  double risk = 0;                       ///< probability that a version was wrongly called good, at most
  std::uint64_t runs = 0;                ///< of all versions
};

/// Looks among versions 0 to `versions - 1`, at least two, old to new. The last one is bad; the first one is
/// good, which is checked. Assumes that a version after a bad one is bad, and that the fault shows as often
/// in each bad version as in the last.
FoundVersion find_first_bad(std::size_t versions, const std::function<Shows(std::size_t version)>& ask,
                            const SearchLimits& limits = {});

/// Probability that a fault shows in none of `runs` further runs if it was seen in `seen` of `of` runs and
/// nothing else is known of its rate (a uniform prior).
double chance_of_silence(std::uint64_t seen, std::uint64_t of, std::uint64_t runs);

}  // namespace lanecheck
