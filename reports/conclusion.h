// What a run says of the backend in one sentence: the last line in the terminal, the headline of a page.
#pragma once

#include <string>
#include <string_view>

#include "reports/report.h"

namespace lanecheck {

struct Conclusion {
  std::string text;
  bool finds_fault = false;  ///< something is wrong with the backend
  /// One of "conforms", "diverges", "failed" (the backend broke) and "incomplete" (the run was interrupted,
  /// nothing was judged, or a case file could not be read).
  std::string_view state;
};

Conclusion conclusion_of(const Report& report);

}  // namespace lanecheck
