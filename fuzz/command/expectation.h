// Checks what a case file expects. The file, the oracle and a backend each say what a program leaves; if they
// differ, one of them is wrong.
#pragma once

#include <optional>

#include "corpus/case.h"
#include "fuzz/backend/backend.h"
#include "reports/report.h"

namespace lanecheck {

/// A finding if the oracle does not compute what the file expects under the readings of the file. It says on
/// whose side `backend` is. In the finding, "expected" is what the file says and "actual" what the oracle
/// computes. Nothing if the file expects nothing.
std::optional<Finding> falsified_expectation(const Case& c, const Backend& backend);

}  // namespace lanecheck
