// The JSON report: one document per run, described by reports/report.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/report.h"

namespace lanecheck {

inline constexpr std::string_view kReportSchema = "lanecheck-report-3";

/// The canonical part: the same bytes for the same seed, cases, backend and readings. `timing` stands apart.
nlohmann::ordered_json report_json(const Report& report);

/// One finding, with its case as judged under `readings`.
nlohmann::ordered_json finding_json(const Finding& finding, const Readings& readings);

/// The report as pretty text.
std::string report_text(const Report& report);

/// Pretty text; bytes that are not UTF-8 (a backend may send any) are replaced.
std::string dump(const nlohmann::ordered_json& json);

}  // namespace lanecheck
