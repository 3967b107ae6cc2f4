// Backends by name. Each built-in backend is a row in a table: "example" is the default, "oracle" is the
// oracle itself. "wrong:ID" is the oracle with one mutant, that is, an implementation that is wrong on
// purpose; "wrong:ID+ID" is the oracle with several.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fuzz/backend/backend.h"
#include "fuzz/backend/isolation.h"
#include "oracle/execute/semantics.h"
#include "spec/legality/legality_rule.h"

namespace lanecheck {

/// A built-in backend, or an attached one: "cmd: COMMAND" (a process) or "plugin:PATH" (a shared library).
/// Throws InputError, which lists the names that exist, or BackendFailure if an attached backend does not
/// start.
Backend find_backend(std::string_view name, const AttachOptions& options = {});

/// The oracle, except that it runs programs that break this one legality rule ("wrong:accepts-ID").
Backend accepting_backend(const LegalityRule& rule);

/// The oracle with other semantics, as a backend.
Backend oracle_backend(std::string name, const Semantics& semantics);
/// The oracle as a backend, with the semantics that `under` returns for each profile.
Backend oracle_backend(std::string name, const std::function<Semantics(Profile)>& under);

}  // namespace lanecheck
