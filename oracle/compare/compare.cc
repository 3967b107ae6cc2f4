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

namespace {

/// For each data block of UB: 1 if the states differ in it, else 0.
std::vector<std::uint8_t> differing_blocks(const State& expected, const State& actual) {
  const std::size_t size = expected.ub.size();
  std::vector<std::uint8_t> differs(in_whole_blocks(size) / kBlockBytes);
  for (std::size_t at = 0; at < size; at += kBlockBytes) {
    const std::size_t bytes = std::min<std::size_t>(kBlockBytes, size - at);
    differs[at / kBlockBytes] = std::memcmp(&expected.ub[at], &actual.ub[at], bytes) != 0;
  }
  return differs;
}

}  // namespace

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
  const std::vector<std::uint8_t> differs = differing_blocks(expected, actual);
  const bool is_legal = !semantics.seams.clips_repeats;  // else operands may leave their allocations
  State again;
  const AcceptMap accepted =
      accept_sets(program, semantics, again, is_legal ? differs : std::vector<std::uint8_t>{});
  const auto size = static_cast<std::uint32_t>(expected.ub.size());
  for (std::uint32_t block = 0; block < differs.size(); ++block) {
    if (differs[block] == 0) continue;
    const std::uint32_t from = block * kBlockBytes;
    for (std::uint32_t at = from; at < std::min(size, from + kBlockBytes); ++at)
      if (expected.ub[at] != actual.ub[at] && !accepted.admits(actual.ub, at)) result.bytes.push_back(at);
  }
  result.agrees = result.bytes.empty() && !result.mask_differs;
  return result;
}

}  // namespace lanecheck
