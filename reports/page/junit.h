// A report as JUnit XML, as Jenkins, GitLab and GitHub's test reporters read it.
#pragma once

#include <string>

#include "reports/page/view.h"

namespace lanecheck::page {

inline constexpr std::size_t kMostFailureBytes = 60 * 1024;  ///< of the text of one failure, in the file

/// A test suite for each document, a test case for each rule. What matters stands in the text of <failure>:
/// some readers show nothing else.
std::string junit_xml(const ReportView& report);

}  // namespace lanecheck::page
