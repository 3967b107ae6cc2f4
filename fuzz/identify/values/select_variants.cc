#include "fuzz/identify/values/select_variants.h"

#include <algorithm>
#include <cstring>

#include "fuzz/identify/probes/move_map.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

State documented(const Program& program) {
  State state;
  execute(program, Semantics(default_readings(program.profile)), state);
  return state;
}

/// The program with each bit of its control inverted: it takes the other source everywhere.
Program with_other_control(const Program& program) {
  Program other = program;
  const Instruction& insn = program.instructions.back();
  const auto k = control_operand(row_of(insn.op));
  const Allocation& control = program.allocations[insn.operands[k.value()].allocation];
  for (std::uint32_t n = 0; n < control.bytes; ++n) other.ub[control.offset + n] ^= std::byte{0xff};
  return other;
}

/// Both sources are multiplied, one by 1 and the other one by 0, and added. The product by 0 is a zero or
/// NaN, so that nothing is rounded.
void blend(const Program& program, State& state) {
  state = documented(program);
  const State other = documented(with_other_control(program));
  const Instruction& insn = program.instructions.back();
  const Element type = insn.dst_type;
  const std::size_t size = size_of(type), start = start_of(program, insn.operands[0]);
  for (std::size_t n = 0; n < std::size_t{insn.repeat} * lanes_of(insn); ++n) {
    const std::size_t at = start + n * size;
    const double sum =
        value_of(type, bits_at(state, at, type)) + value_of(type, bits_at(other, at, type)) * 0;
    const std::uint64_t bits = nearest(type, sum);
    std::memcpy(&state.ub[at], &bits, size);
  }
}

}  // namespace

std::vector<ValueVariant> select_variants(const Subject& subject) {
  if (!selects_by_operand(row_of(subject.insn.op)) || !is_float(subject.insn.dst_type)) return {};
  return {
      {"multiplies src0 and its other source by the bit and by 1 - bit, and adds them: a source that it does "
       "not take makes the result NaN if it is infinite or NaN",
       blend}};
}

}  // namespace lanecheck
