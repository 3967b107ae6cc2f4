// Backends by name. The built-in ones are a row in a table each. "example" is the default; "wrong:<id>" is
// the oracle with one mutant, an implementation that is wrong on purpose; "oracle" is the oracle itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/backend/backend.h"
#include "fuzz/backend/isolation.h"
#include "oracle/execute/semantics.h"
#include "spec/legality/legality_rule.h"

namespace lanecheck {

/// A built-in backend, or an attached one: "cmd: COMMAND" (a process) or "plugin:PATH" (a shared library).
/// Throws std::invalid_argument that lists what exists; BackendFailure when an attached one does not start.
Backend find_backend(std::string_view name, const AttachOptions& options = {});

/// The oracle, but it does not refuse programs that break this one rule ("wrong:accepts-<id>").
Backend accepting_backend(const LegalityRule& rule);

/// The oracle with other semantics, as a backend.
Backend oracle_backend(std::string name, const Semantics& semantics);
/// The same with semantics for each profile.
Backend oracle_backend(std::string name, const std::function<Semantics(Profile)>& semantics);

}  // namespace lanecheck
