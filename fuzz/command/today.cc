#include "fuzz/command/today.h"

#include <chrono>

#include "reports/known/known_failures.h"

namespace lanecheck {

std::string date_or_today(const std::string& given, const std::string& option) {
  if (!given.empty()) return checked_date(given, option);
  const std::chrono::year_month_day now(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  const auto two = [](unsigned n) { return std::string(n < 10 ? "-0" : "-") + std::to_string(n); };
  return std::to_string(static_cast<int>(now.year())) + two(static_cast<unsigned>(now.month())) +
         two(static_cast<unsigned>(now.day()));
}

}  // namespace lanecheck
