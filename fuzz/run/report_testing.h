// For tests: the canonical part of a report. Every test that writes a report writes it here, so that each is
// validated against its schema.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reports/json_report.h"
#include "reports/schema_testing.h"

namespace lanecheck {

/// The whole report as JSON, which is valid.
inline nlohmann::ordered_json valid_json(const Report& report) {
  auto json = report_json(report);
  EXPECT_EQ(schema_faults("reports/report.schema.json", nlohmann::json::parse(dump(json))), "")
      << report.backend << ", " << report.about;
  return json;
}

/// Without the time, the version and the processes of the backend.
inline std::string canonical(const Report& report) {
  auto json = valid_json(report);
  for (const char* part : {"timing", "version", "processes"}) json.erase(part);
  return dump(json);
}

}  // namespace lanecheck
