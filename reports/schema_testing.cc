#include "reports/schema_testing.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace lanecheck {

std::string schema_faults(const std::string& schema_file, const nlohmann::json& json) {
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

}  // namespace lanecheck
