// For tests: is a JSON value valid against a JSON Schema of this repository?
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lanecheck {

/// `schema_file`: path in the repository.
bool is_valid(const std::string& schema_file, const nlohmann::json& json);

}  // namespace lanecheck
