// For tests: is a JSON value valid against a JSON Schema of this repository?
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lanecheck {

/// What is wrong with `json`, a line for each fault; "" if it is valid. `schema_file`: path in the
/// repository.
std::string schema_faults(const std::string& schema_file, const nlohmann::json& json);

inline bool is_valid(const std::string& schema_file, const nlohmann::json& json) {
  return schema_faults(schema_file, json).empty();
}

}  // namespace lanecheck
