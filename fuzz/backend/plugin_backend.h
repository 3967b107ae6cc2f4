// Backends that are shared libraries with the C interface of fuzz/backend/lanecheck_plugin.h.
#pragma once

#include <string>

#include "fuzz/backend/isolation.h"
#include "fuzz/backend/lanecheck_plugin.h"

namespace lanecheck {

/// Loads the library at `path`, in a worker process unless options.in_process. Throws BackendFailure.
Backend plugin_backend(const std::string& path, const AttachOptions& options);
/// Functions of this program that follow the same interface; they run in this process. Throws BackendFailure.
Backend plugin_backend(const lanecheck_plugin_info& plugin);

}  // namespace lanecheck
