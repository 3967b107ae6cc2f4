// Measures a reduction: which slot enables each element, what a masked-off element acts like, and which
// results are written if some of their lanes are off.
#pragma once

#include "fuzz/identify/probes/maps.h"
#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// What a reduction that takes an extreme gives under a full mask if all elements are equal.
struct EqualElements {
  std::optional<std::uint64_t> start;     ///< the value that wins against all elements less extreme than it
  std::uint64_t element = 0, result = 0;  ///< an example, if they differ

  bool only_if_full = false;  ///< they do not differ under masks with few lanes off

  bool right() const { return element == result; }
};
/// Not measured for sums.
Measured<EqualElements> measure_equal_elements(const Subject& subject, const Ask& ask);

/// How often each lane counts in each result under a full mask.
struct Contributions {
  unsigned lanes = 0, results = 0;
  std::vector<unsigned> times;  ///< lane times `results` + result
  bool by_repeat = false;     ///< the lanes count otherwise in other repeats: nothing is known of lanes alone
  bool accumulates = false;   ///< each result contains those of all repeats before it
  bool only_if_full = false;  ///< under masks with few lanes off all other lanes count as documented

  unsigned at(unsigned lane, unsigned result) const { return times[lane * results + result]; }
  /// Does some lane count in more than one result?
  bool in_several_results() const {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      unsigned count = 0;
      for (unsigned result = 0; result < results; ++result) count += at(lane, result) > 0 ? 1 : 0;
      if (count > 1) return true;
    }
    return false;
  }
};

struct ReductionMap {
  /// What masked-off elements act like, if that shows in a result. Nothing is documented: they never win, and
  /// add 0 to a sum.
  std::optional<std::uint64_t> neutral;
  GateMap elements;  ///< of one repeat: which slot makes an element count
  /// The gates of all elements that were asked, if they are not the same in all repeats; else empty.
  std::vector<ElementGate> by_repeat;
  unsigned repeats = 0;              ///< of the programs that `by_repeat` is from
  std::vector<MaskWords> masks;      ///< the masks of the results
  std::vector<std::string> results;  ///< for each mask and result of repeat 0: 'w' written, 'k' kept
  std::vector<std::vector<std::string>> results_in;  ///< the same for each repeat, repeat 0 first
  std::optional<std::uint64_t>
      written;  ///< what all results hold whose lanes are all off, if it is one value
};

/// Has it no settings, or only the one of a reduction that says whether it gives the index too? Such a
/// reduction is measured by its value alone (with_value_alone).
bool has_plain_results(const Row& row);
bool has_reduction_probes(const Row& row);
/// Is a result the greatest or the least of its elements? Else it is their sum.
bool is_extreme(const Row& row);
/// What a result becomes that has one element more.
double reduced_with(const Row& row, double result, double element);
/// What a sum, a maximum or a minimum shows that goes on from repeat to repeat, behind its name.
inline constexpr std::string_view kNotAnew =
    " does not start anew in each repeat: each result also contains those of all repeats before it";
/// The key of that cause, which all reductions may share.
inline constexpr std::string_view kNotAnewKey = "contribution: does not start anew in each repeat";
/// " keeps the greater one of each result and " + other, or " adds to each result " + other.
std::string combines_with(const Row& row, const std::string& other);

/// The subject with order 2 (only the value), if it has this setting.
Subject with_value_alone(Subject subject);
Measured<ReductionMap> measure_reduction(const Subject& subject, const Ask& ask);

/// Nothing is said of a repeat that writes no result.
Measured<Contributions> measure_contributions(const Subject& subject, const Ask& ask);

/// Are the results under a full mask as documented? If not, the probes of measure_reduction() mean nothing.
bool places_under_full_mask(const Subject& subject, const Ask& ask);

/// Is a lane of group `group` on?
bool any_on(const Subject& subject, const MaskWords& mask, unsigned group);

}  // namespace lanecheck
