#include "oracle/compare/compare.h"

#include <algorithm>
#include <cstring>

#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// Where the data blocks start in which the UBs differ.
std::vector<std::uint32_t> differing_blocks(const State& expected, const State& actual) {
  std::vector<std::uint32_t> starts;
  const auto size = static_cast<std::uint32_t>(expected.ub.size());
  for (std::uint32_t from = 0; from < size; from += kBlockBytes)
    if (std::memcmp(&expected.ub[from], &actual.ub[from], std::min(kBlockBytes, size - from)) != 0)
      starts.push_back(from);
  return starts;
}

}  // namespace

bool identical(const State& expected, const State& actual, Shown shown) {
  return expected.ub.size() == actual.ub.size() &&
         std::memcmp(expected.ub.data(), actual.ub.data(), expected.ub.size()) == 0 &&
         !mask_differs(expected, actual, shown);
}

bool mask_differs(const State& expected, const State& actual, Shown shown) {
  return (shown.mask && expected.mask != actual.mask) || (shown.mode && expected.mode != actual.mode);
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
  result.mask_differs = mask_differs(expected, actual, shown);
  const std::vector<std::uint32_t> differing = differing_blocks(expected, actual);
  const AcceptMap accepted = accept_sets_at(differing, program, semantics);
  const auto size = static_cast<std::uint32_t>(expected.ub.size());
  for (const std::uint32_t from : differing)
    for (std::uint32_t at = from; at < std::min(size, from + kBlockBytes); ++at)
      if (expected.ub[at] != actual.ub[at] && !accepted.admits(actual.ub, at)) result.bytes.push_back(at);
  result.agrees = result.bytes.empty() && !result.mask_differs;
  return result;
}

}  // namespace lanecheck
