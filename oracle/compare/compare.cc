#include "oracle/compare/compare.h"

#include <algorithm>
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
  State expected;
  execute(program, semantics, expected);
  return compare(program, semantics, expected, actual, shown);
}

Comparison compare(const Program& program, const Semantics& semantics, const State& expected,
                   const State& actual, Shown shown) {
  if (!row_of(program.profile).shows_mask) shown = false;
  Comparison result;
  if (identical(expected, actual, shown)) return result;
  result.mask_differs =
      (shown.mask && expected.mask != actual.mask) || (shown.mode && expected.mode != actual.mode);
  State again;
  const AcceptMap accepted = accept_sets(program, semantics, again);
  constexpr std::uint32_t kAtOnce = 64;  // most of UB is equal
  const auto size = static_cast<std::uint32_t>(expected.ub.size());
  for (std::uint32_t from = 0; from < size; from += kAtOnce) {
    const std::uint32_t to = std::min(size, from + kAtOnce);
    if (std::memcmp(&expected.ub[from], &actual.ub[from], to - from) == 0) continue;
    for (std::uint32_t at = from; at < to; ++at)
      if (expected.ub[at] != actual.ub[at] && !accepted.admits(actual.ub, at)) result.bytes.push_back(at);
  }
  result.agrees = result.bytes.empty() && !result.mask_differs;
  return result;
}

}  // namespace lanecheck
