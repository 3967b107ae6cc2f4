// Reports for people: a progress line, a summary table, a finding with its lane map.
#pragma once

#include <iosfwd>

#include "reports/report.h"

namespace lanecheck {

struct Style {
  bool colour = false;   ///< ANSI colours
  unsigned width = 100;  ///< columns
};

/// The style for `descriptor` (1 or 2): colour and width if it is a terminal; NO_COLOR switches colour off.
Style style_of(int descriptor);

/// "40% | 400,123 cases | 151,000 cases/s | 1 finding | 6 s left"; without a newline.
std::string progress_line(std::uint64_t done, std::uint64_t planned, double seconds, std::size_t findings);

/// The findings (a line each), the verdicts, what was not judged, and the conclusion. `verbose`: before them
/// the table of rules (exercised, broken) and the diversity of the cases.
void print_summary(std::ostream& out, const Report& report, const Style& style, bool verbose = false);

/// One line for each finding: its id, its number of cases, where the first one is, what the backend does,
/// and the rules that it breaks: cases that came after the first one may have added some.
void print_findings(std::ostream& out, const Report& report, const Style& style);

/// Rule, claim, source, the program, the lane map, and the deviating elements as numbers and in bits.
void print_finding(std::ostream& out, const Finding& finding, const Style& style);

/// The elements, the bytes outside dst and the mask slots that differ, with old, expected and actual value.
void print_differences(std::ostream& out, const Finding& finding);

/// The data of each allocation, abbreviated: its first few runs of equal elements.
void print_data(std::ostream& out, const Program& program);

/// One line for each repeat (repeats that look the same share one), one character for each element. '#'
/// active and right, '.' masked off and kept, 'X' wrong value in an active lane, '!' a masked-off lane that
/// was written (or a written one that was kept), in colour where `style` says.
void print_lane_map(std::ostream& out, const std::vector<LaneRow>& lanes, const Style& style);

}  // namespace lanecheck
