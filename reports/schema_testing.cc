#include "reports/schema_testing.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace lanecheck {

bool is_valid(const std::string& schema_file, const nlohmann::json& json) {
  std::ifstream file(LANECHECK_SOURCE_DIR "/" + schema_file);
  const auto text = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  return valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(json), nullptr);
}

}  // namespace lanecheck
