#include "reports/rate.h"

#include <algorithm>
#include <cmath>

#include "reports/format.h"

namespace lanecheck {
namespace {

/// With one decimal where whole percents would hide too much.
std::string percent(double rate) {
  const double value = 100 * rate;
  const bool is_near_end = value < 9.95 || value > 90.05;
  return fixed(value, is_near_end && value > 0 && value < 100 ? 1 : 0) + "%";
}

}  // namespace

std::pair<double, double> rate_interval(unsigned hits, unsigned tries) {
  if (tries == 0) return {0, 1};
  constexpr double kZ = 1.959963984540054;  // the normal distribution has 95% within so many deviations
  const double n = tries, share = hits / n, z2 = kZ * kZ;
  const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kZ / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  const double low = hits == 0 ? 0 : std::max(0.0, middle - half);
  const double high = hits == tries ? 1 : std::min(1.0, middle + half);
  return {low, high};
}

std::string rate_text(unsigned hits, unsigned tries) {
  const auto [low, high] = rate_interval(hits, tries);
  return std::to_string(hits) + " of " + counted(tries, "ask") + " (with 95% confidence, the rate is " +
         percent(low) + " to " + percent(high) + ")";
}

}  // namespace lanecheck
