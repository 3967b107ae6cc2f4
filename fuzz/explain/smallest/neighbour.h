// The nearest program that passes: the minimized program of a finding with one thing changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

struct Neighbour {
  std::string change;  ///< "with bit 1 of low set"
  Program program;
  std::size_t index;        ///< the instruction that diverges in the finding's program
  bool is_of_data = false;  ///< the data are what was changed, or the change speaks of these data alone
};

/// The programs one step away from the finding's, those closest to its cause first: the place of dst, a mask
/// bit, a repeat time, a stride, the element types, a number, an instruction less, the data. Of a cast:
/// another mode before the data, and other element types, which are another conversion, last. Some are
/// illegal.
std::vector<Neighbour> neighbours(const Finding& finding);

/// Stands behind a change that lets the program pass with its own data, and not with others.
inline constexpr std::string_view kWithTheseData = ", with these data";

/// The change after which the backend conforms, with the finding's data and with others, so that the change
/// does not only hide the data that show the fault. If no change does that, one that hides them. Empty if no
/// change of those asked helps.
std::string passing_change(const Finding& finding, const Hypothesis* suspect, AskedBackend& asked,
                           const Documented& documented);

}  // namespace lanecheck
