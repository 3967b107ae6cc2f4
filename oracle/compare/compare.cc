#include "oracle/compare/compare.h"

#include <algorithm>
#include <cstring>
#include <span>

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

/// The bytes of some data blocks that differ and are not allowed.
std::vector<std::uint32_t> wrong_bytes(std::span<const std::uint32_t> blocks, const Program& program,
                                       const Semantics& semantics, const State& expected,
                                       const State& actual) {
  std::vector<std::uint32_t> wrong;
  const AcceptMap accepted = accept_sets_at(blocks, program, semantics);
  const auto size = static_cast<std::uint32_t>(expected.ub.size());
  for (const std::uint32_t from : blocks)
    for (std::uint32_t at = from; at < std::min(size, from + kBlockBytes); ++at)
      if (expected.ub[at] != actual.ub[at] && !accepted.admits(actual.ub, at)) wrong.push_back(at);
  return wrong;
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

bool agrees(const Program& program, const Semantics& semantics, const State& actual, Shown shown) {
  State expected;
  execute(program, semantics, expected);
  return agrees(program, semantics, expected, actual, shown);
}

/// Accept sets of one data block cost less than those of all. A state that differs mostly does so in the
/// first.
bool agrees(const Program& program, const Semantics& semantics, const State& expected, const State& actual,
            Shown shown) {
  if (!row_of(program.profile).shows_mask) shown = false;
  if (identical(expected, actual, shown)) return true;
  if (mask_differs(expected, actual, shown)) return false;
  const auto blocks = differing_blocks(expected, actual);
  for (const auto some : {std::span(blocks).first(1), std::span(blocks).subspan(1)})
    if (!some.empty() && !wrong_bytes(some, program, semantics, expected, actual).empty()) return false;
  return true;
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
  result.bytes = wrong_bytes(differing_blocks(expected, actual), program, semantics, expected, actual);
  result.agrees = result.bytes.empty() && !result.mask_differs;
  return result;
}

}  // namespace lanecheck
