// A comparison of reports as text, Markdown and JSON.
#pragma once

#include <string>

#include "reports/compared/compare_reports.h"

namespace lanecheck {

std::string comparison_text(const ReportComparison& comparison);

/// For a job page: names that came from a backend stay text.
std::string comparison_markdown(const ReportComparison& comparison);

/// Described by reports/compared/comparison.schema.json.
std::string comparison_json(const ReportComparison& comparison);

}  // namespace lanecheck
