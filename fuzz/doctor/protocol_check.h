// Checks that a program keeps to the backend protocol (fuzz/backend/protocol.md), whatever it simulates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/backend/isolation.h"

namespace lanecheck {

struct ProtocolCheck {
  std::string_view claim;
  std::string wrong;  ///< what the backend does instead; empty if the claim holds
};

/// Each claim is tried in a backend process of its own. If options.stop says true, only the claims that were
/// tried before are returned. Throws InputError if the command is invalid.
std::vector<ProtocolCheck> check_protocol(const std::string& command, const AttachOptions& options);

}  // namespace lanecheck
