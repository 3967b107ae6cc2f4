// For tests: are files valid JSON reports? `valid_report FILE...` prints what is wrong and exits with 1.
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "reports/schema_testing.h"

int main(int argc, char** argv) {
  bool valid = true;
  for (int n = 1; n < argc; ++n) {
    std::ifstream file(argv[n]);
    const auto report = nlohmann::json::parse(file, nullptr, false);
    const std::string faults = lanecheck::schema_faults("reports/report.schema.json", report);
    if (!faults.empty()) std::cout << argv[n] << " is not a valid report:\n" << faults;
    valid &= faults.empty();
  }
  return valid ? 0 : 1;
}
