#include "oracle/compare.h"

#include <cstring>

#include "oracle/execute.h"
#include "spec/profile.h"

namespace lanecheck {

bool identical(const State& expected, const State& actual, Shown shown) {
  return expected.ub.size() == actual.ub.size() &&
         std::memcmp(expected.ub.data(), actual.ub.data(), expected.ub.size()) == 0 &&
         (!shown.mask || expected.mask == actual.mask) && (!shown.mode || expected.mode == actual.mode);
}

Comparison compare(const Program& program, const Semantics& how, const State& actual, Shown shown) {
  if (!row_of(program.profile).shows_mask) shown = false;
  State expected;
  execute(program, how, expected);
  Comparison result;
  if (identical(expected, actual, shown)) return result;
  result.mask_differs =
      (shown.mask && expected.mask != actual.mask) || (shown.mode && expected.mode != actual.mode);
  std::vector<bool> lenient(expected.ub.size(), false);
  for (const auto& [at, accept] : accept_sets(program, how)) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, actual.ub.data() + at, size_of(accept.type));
    if (!accept.admits(bits)) continue;
    for (unsigned byte = 0; byte < size_of(accept.type); ++byte) lenient[at + byte] = true;
  }
  for (std::uint32_t at = 0; at < expected.ub.size(); ++at)
    if (expected.ub[at] != actual.ub[at] && !lenient[at]) result.bytes.push_back(at);
  result.agrees = result.bytes.empty() && !result.mask_differs;
  return result;
}

}  // namespace lanecheck
