// The head of a report: what is run, with which options, on which backend.
#pragma once

#include "fuzz/backend/backend.h"
#include "fuzz/run/options.h"

namespace lanecheck {

Report report_header(const RunOptions& options, const Backend& backend);

}  // namespace lanecheck
