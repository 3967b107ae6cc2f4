#include "fuzz/identify/element_laws/blend.h"

#include <limits>

#include "fuzz/identify/element_laws/written_bytes.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "oracle/execute/execute.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Exact: one of both products is a zero, or NaN.
double blended(double old, double result, bool active) {
  return active ? old * 0 + result * 1 : old * 1 + result * 0;
}

/// The result of no element at all.
double neutral_of(Neutral neutral) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (neutral == Neutral::zero) return 0;
  return neutral == Neutral::lowest ? -kInfinity : kInfinity;
}

Instruction under_register(Instruction insn) {
  insn.mask_from = MaskFrom::reg;
  return insn;
}

}  // namespace

void blend(const Program& program, const Instruction& insn, const Instruction& walked,
           const Semantics& semantics, State& state) {
  const Row& row = row_of(insn.op);
  const State before = state;
  execute_one(program, insn, semantics, state);
  const Element type = operand_type(insn, row.operands[0]);
  const bool reduces = row.mask == MaskUse::neutral_source && has_plain_results(row);
  if (!is_float(type) || (!reduces && !has_place_probes(row))) return;
  const std::vector<bool> active = written_bytes(program, insn, semantics, before);
  const bool has_words = before.mode == Mode::normal && insn.mask_from != MaskFrom::count;
  const Instruction bare = has_words ? under_register(walked) : insn;
  State whole = before;
  if (has_words) whole.mask = kFullMask;
  const std::vector<bool> any = written_bytes(program, bare, semantics, whole);
  execute_one(program, bare, semantics, whole);
  const std::size_t size = size_of(type);
  for (std::size_t at = 0; at + size <= state.ub.size(); at += size) {
    if (!any[at]) continue;
    const std::vector<std::byte>& computed = active[at] ? state.ub : whole.ub;
    const double result =
        !active[at] && reduces ? neutral_of(row.neutral) : value_of(type, load_bits(computed, at, size));
    const double old = value_of(type, load_bits(before.ub, at, size));
    const std::uint64_t bits = nearest(type, blended(old, result, active[at]));
    std::memcpy(&state.ub[at], &bits, size);
  }
}

}  // namespace lanecheck
