#include "oracle/compare/compare.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

constexpr std::uint32_t kPiece = 4 * kBlockBytes;
constexpr std::size_t kFewBytes = 256;  // if so many differ, they are looked at together

/// Offsets of the bytes in which the UBs differ, ascending. Most pieces are the same and cost one comparison.
std::vector<std::uint32_t> differing_bytes(const State& expected, const State& actual) {
  std::vector<std::uint32_t> bytes;
  const auto size = static_cast<std::uint32_t>(expected.ub.size());
  for (std::uint32_t from = 0; from < size; from += kPiece) {
    const std::uint32_t end = std::min(size, from + kPiece);
    if (std::memcmp(&expected.ub[from], &actual.ub[from], end - from) == 0) continue;
    for (std::uint32_t at = from; at < end; ++at)
      if (expected.ub[at] != actual.ub[at]) bytes.push_back(at);
  }
  return bytes;
}

/// Those of some bytes that differ which are not allowed.
std::vector<std::uint32_t> wrong_bytes(std::span<const std::uint32_t> bytes, const Program& program,
                                       const Semantics& semantics, const State& actual) {
  std::vector<std::uint32_t> wrong;
  const AcceptMap accepted = accept_sets_at(bytes, program, semantics);
  for (const std::uint32_t at : bytes)
    if (!accepted.admits(actual.ub, at)) wrong.push_back(at);
  return wrong;
}

}  // namespace

bool identical(const State& expected, const State& actual, Shown shown) {
  return expected.ub.size() == actual.ub.size() &&
         std::memcmp(expected.ub.data(), actual.ub.data(), expected.ub.size()) == 0 &&
         !mask_differs(expected, actual, shown);
}

bool identical_but_for_nans(const Program& program, const State& one, State other, Shown shown) {
  if (one.ub.size() != other.ub.size()) return false;
  for (const Allocation& each : program.allocations) {
    if (is_integer(each.type)) continue;
    const std::size_t size = size_of(each.type);
    const std::size_t end = std::min<std::size_t>(each.offset + each.bytes, one.ub.size());
    for (std::size_t at = each.offset; at + size <= end; at += size)
      if (same_value(each.type, bits_at(one, at, each.type), bits_at(other, at, each.type)))
        std::memcpy(&other.ub[at], &one.ub[at], size);
  }
  return identical(one, other, shown);
}

State as_shown(State actual, const State& expected, Shown shown) {
  if (!shown.mask) actual.mask = expected.mask;
  if (!shown.mode) actual.mode = expected.mode;
  return actual;
}

bool mask_differs(const State& expected, const State& actual, Shown shown) {
  return (shown.mask && expected.mask != actual.mask) || (shown.mode && expected.mode != actual.mode);
}

bool agrees(const Program& program, const Semantics& semantics, const State& actual, Shown shown) {
  State expected;
  execute(program, semantics, expected);
  return agrees(program, semantics, expected, actual, shown);
}

/// Accept sets of one byte cost less than those of many. A state that is wrong mostly is so in the first that
/// differs.
bool agrees(const Program& program, const Semantics& semantics, const State& expected, const State& actual,
            Shown shown) {
  if (!row_of(program.profile).shows_mask) shown = false;
  if (identical(expected, actual, shown)) return true;
  if (mask_differs(expected, actual, shown)) return false;
  const auto bytes = differing_bytes(expected, actual);
  const std::size_t first = bytes.size() > kFewBytes ? 1 : bytes.size();
  for (const auto some : {std::span(bytes).first(first), std::span(bytes).subspan(first)})
    if (!some.empty() && !wrong_bytes(some, program, semantics, actual).empty()) return false;
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
  result.bytes = wrong_bytes(differing_bytes(expected, actual), program, semantics, actual);
  result.agrees = result.bytes.empty() && !result.mask_differs;
  return result;
}

}  // namespace lanecheck
