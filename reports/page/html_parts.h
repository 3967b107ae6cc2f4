// The parts that the HTML page is put together from. For the files of this room only.
#pragma once

#include <string>
#include <string_view>

#include "reports/format.h"
#include "reports/page/view.h"

namespace lanecheck::page {

/// How many lanes of the finding have this fate, in all repeats.
std::uint64_t count_of(const FindingView& finding, Lane lane);

/// The fill patterns of the cells of all lane maps. They stand in the page once.
std::string lane_patterns_html();
/// The map, its legend and its table.
std::string lane_map_html(const FindingView& finding);

/// Where the results differ, over the cases of the finding; empty if no place is known.
std::string heat_html(const FindingView& finding);

/// One line for the list of findings.
std::string index_row_html(const FindingView& finding, bool has_article);
/// A finding in full.
std::string finding_html(const ReportView& report, const FindingView& finding);

/// All rules of the run, by document.
std::string rules_html(const ReportView& report);

/// The beginning of a page, up to its body.
std::string head_html(const std::string& title);

/// The mask certificate; empty if the run made none.
std::string certificate_html(const ReportView& report);

/// The earlier runs, and what is fixed; empty if there is no history.
std::string trend_html(const ReportView& report);

/// Opens a part that scrolls sideways by keyboard too.
inline std::string scroll_open(std::string_view label) {
  return "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"" + std::string(label) + "\">";
}

/// The title of a finding that names no broken rule.
std::string finding_title(const FindingView& finding);
/// What the finding is about, in a word. A backend that answered, but is not always wrong, did not fail.
std::string_view subject_of(const FindingView& finding);

}  // namespace lanecheck::page
