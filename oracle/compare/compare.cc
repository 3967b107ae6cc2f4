#include "oracle/compare/compare.h"

#include <cstring>

#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {
bool identical(const State& expected, const State& actual, Shown shown) {
  return expected.ub.size() == actual.ub.size() &&
         std::memcmp(expected.ub.data(), actual.ub.data(), expected.ub.size()) == 0 &&
         (!shown.mask || expected.mask == actual.mask) && (!shown.mode || expected.mode == actual.mode);
}

Comparison compare(const Program& program, const Semantics& semantics, const State& actual, Shown shown) {
  if (!row_of(program.profile).shows_mask) shown = false;
  State expected;
  const AcceptMap accepted = accept_sets(program, semantics, expected);
  Comparison result;
  if (identical(expected, actual, shown)) return result;
  result.mask_differs =
      (shown.mask && expected.mask != actual.mask) || (shown.mode && expected.mode != actual.mode);
  for (std::uint32_t at = 0; at < expected.ub.size(); ++at)
    if (expected.ub[at] != actual.ub[at] && !accepted.admits(actual.ub, at)) result.bytes.push_back(at);
  result.agrees = result.bytes.empty() && !result.mask_differs;
  return result;
}

}  // namespace lanecheck
