#include "fuzz/backend/allowance.h"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace lanecheck {

std::optional<ProcessorTime> processor_time(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return {};
  const auto name_end = text.rfind(')');  // the name may hold blanks and brackets
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  std::string state, skipped;
  double user = 0, system = 0;
  fields >> state;
  for (int n = 0; n < 10; ++n) fields >> skipped;
  if (!(fields >> user >> system)) return {};
  return ProcessorTime{state == "R", (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK))};
}

}  // namespace lanecheck
