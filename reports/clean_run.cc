#include "reports/clean_run.h"

#include "reports/format.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kFewDrawn = 30;  // fewer programs say too little

/// Was every program run as a whole, and compared, and did it conform?
bool is_clean(const Report& report) {
  const std::uint64_t not_conforming =
      report.diverges + report.undecided + report.skipped + report.errored + report.unlisted;
  return not_conforming == 0 && report.findings.empty() && report.instructions_left_out == 0 &&
         report.given_up.empty() && report.doctor.empty();
}

}  // namespace

std::string clean_run_text(const Report& report) {
  const std::uint64_t drawn = report.decisive + report.wild;
  if (!is_clean(report) || drawn < kFewDrawn) return {};
  // The rule of three: if a fault shows in each program with the chance 3 / n, then none of n programs shows
  // it with a chance below exp(-3), which is 5%.
  return "a fault that shows in 1 of " + grouped(drawn / 3) +
         " or more of the drawn programs would have been seen (95%)";
}

}  // namespace lanecheck
