// A conformance run: generate cases, ask the oracle and the backend, compare, explain and minimize what
// differs.
#pragma once

#include <span>

#include "fuzz/backend/backend.h"
#include "fuzz/run/judge.h"
#include "fuzz/run/options.h"

namespace lanecheck {

/// `jobs` are further instances of the backend, each for a thread that runs cases; `backend` is then asked
/// only in order to explain findings. Without `jobs` one thread does all on `backend`. The report is the
/// same, for a backend that does the same whenever it is asked.
Report run(const RunOptions& options, const Backend& backend, const RunHooks& hooks = {},
           std::span<const Backend> jobs = {});

}  // namespace lanecheck
