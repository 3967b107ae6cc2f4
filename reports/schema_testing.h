// For tests: is a JSON value valid against a JSON Schema of this repository?
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace lanecheck {

/// What is wrong with `json`, a line for each fault; "" if it is valid. `schema_file`: path in the
/// repository.
inline std::string schema_faults(const std::string& schema_file, const nlohmann::json& json) {
  std::ifstream file(LANECHECK_SOURCE_DIR "/" + schema_file);
  const auto text = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  valijson::ValidationResults results;
  if (valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(json), &results))
    return {};
  std::string faults;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& part : error.context) faults += part;
    faults += ": " + error.description + '\n';
  }
  return faults.empty() ? "invalid\n" : faults;
}

inline bool is_valid(const std::string& schema_file, const nlohmann::json& json) {
  return schema_faults(schema_file, json).empty();
}

}  // namespace lanecheck
