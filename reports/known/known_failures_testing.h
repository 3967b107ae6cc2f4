// For tests: reports and entries that are built by hand.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reports/known/known_failures.h"

namespace lanecheck {

inline SavedFinding a_finding(std::string id, FindingState state = FindingState::diverges) {
  SavedFinding finding;
  finding.id = std::move(id);
  finding.state = state;
  finding.what = "does something";
  finding.rules = {"R-1"};
  finding.instructions = {"add.f16"};
  finding.cases = 30;
  return finding;
}

/// A whole report that exercised the rules and ran add and sub.
inline SavedReport a_report(std::vector<SavedFinding> findings = {}) {
  SavedReport report;
  report.file = "report.json";
  report.backend = "sim";
  report.profile = "vmc";
  report.planned = report.done = 1000;
  report.exercised = {{"R-1", 50}, {"R-2", 50}, {"R-never", 0}};
  report.instructions = {{"add", 100}, {"sub", 100}};
  report.findings = std::move(findings);
  std::ranges::sort(report.findings, {}, &SavedFinding::id);
  return report;
}

inline KnownFailure an_entry(std::string id, FindingState expect = FindingState::diverges) {
  KnownFailure entry;
  entry.id = std::move(id);
  entry.expect = expect;
  entry.reason = "a reason";
  entry.rules = {"R-1"};
  entry.instructions = {"add.f16"};
  entry.seen = 30;
  entry.of = 1000;
  return entry;
}

}  // namespace lanecheck
