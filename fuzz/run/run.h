// A conformance run: generate cases, ask the oracle and the backend, compare, explain and minimize what
// differs.
#pragma once

#include "fuzz/backend/backend.h"
#include "fuzz/run/judge.h"
#include "fuzz/run/options.h"

namespace lanecheck {

Report run(const RunOptions& options, const Backend& backend, const RunHooks& hooks = {});

}  // namespace lanecheck
