#include "fuzz/identify/values/scalar_variants.h"

#include <cmath>
#include <cstring>

#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/values/scalar_changes.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The instruction with the scalar that `change` makes of its own.
template <class Change>
ValueVariant with_scalar(std::string text, Element type, Change change) {
  return with_instruction(std::move(text), [type, change](Instruction& insn) {
    insn.scalar = scalar_from_bits(type, change(insn.scalar.bits));
  });
}

/// The scalar is the first element of a repeat of a source; operands lie in a row.
void add_of_sources(const Instruction& given, std::vector<ValueVariant>& variants) {
  const auto operands = row_of(given.op).operands;
  for (unsigned k = 1; k < operands.size(); ++k) {
    if (operands[k].walk != Walk::blocks || operand_type(given, operands[k]) != given.src_type) continue;
    const auto run = [k](const Program& program, State& state) {
      state.ub = program.ub;
      Program split = program;
      const Instruction insn = split.instructions.back();
      split.instructions.pop_back();
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
        Instruction one = one_repeat(insn, repeat);
        const Element type = insn.src_type;
        one.scalar = scalar_from_bits(type, bits_at(state, start_of(program, one.operands[k]), type));
        split.instructions.push_back(one);
      }
      execute(split, Semantics(default_readings(program.profile)), state);
    };
    variants.push_back(
        {"takes lane 0 of the repeat of " + std::string(operands[k].role) + " as its scalar", run});
  }
}

/// A dup of 8-bit elements that writes two lanes at once.
ValueVariant in_pairs_of_lanes() {
  return {
      "writes pairs of lanes as 16-bit elements: odd lanes get the upper byte of the scalar extended to 16 "
      "bits",
      [](const Program& program, State& state) {
        execute(program, Semantics(default_readings(program.profile)), state);
        const Instruction& insn = program.instructions.back();
        const bool is_negative = is_signed(insn.dst_type) && value_of(insn.dst_type, insn.scalar.bits) < 0;
        const std::size_t start = start_of(program, insn.operands[0]);
        for (std::size_t n = 1; n < std::size_t{insn.repeat} * lanes_of(insn); n += 2)
          state.ub[start + n] = is_negative ? std::byte{0xff} : std::byte{0};
      },
      {},
      "writes pairs of lanes as 16-bit elements"};
}

/// What an instruction computes of an element and its scalar; null if it computes nothing that is rounded.
double (*operation_of(Op op))(double x, double scalar) {
  switch (op) {
    case Op::adds:
      return [](double x, double scalar) { return x + scalar; };
    case Op::muls:
      return [](double x, double scalar) { return x * scalar; };
    case Op::lrelu:
      return [](double x, double scalar) { return x < 0 ? x * scalar : x; };
    default:
      return nullptr;
  }
}

/// The scalar as the program gives it, which its type may not hold. Everything is computed in 64 bits.
void add_unrounded(const Instruction& given, std::vector<ValueVariant>& variants) {
  const auto operation = operation_of(given.op);
  const Element type = given.src_type;
  if (operation == nullptr || !is_float(type) || value_of(type, given.scalar.bits) == given.scalar.value)
    return;
  variants.push_back({"does not round its scalar to the element type",
                      [operation, type](const Program& program, State& state) {
                        execute(program, Semantics(default_readings(program.profile)), state);
                        const State before{program.ub};
                        const Instruction& insn = program.instructions.back();
                        const std::size_t dst = start_of(program, insn.operands[0]),
                                          src = start_of(program, insn.operands[1]);
                        for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
                          for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
                            const std::size_t from = src + lane_offset(insn, 1, repeat, lane);
                            const double x = value_of(type, bits_at(before, from, type));
                            if (!std::isfinite(x)) continue;
                            const std::uint64_t bits = nearest(type, operation(x, insn.scalar.value));
                            std::memcpy(&state.ub[dst + lane_offset(insn, 0, repeat, lane)], &bits,
                                        size_of(type));
                          }
                      }});
}

}  // namespace

std::vector<ValueVariant> scalar_variants(const Instruction& insn) {
  std::vector<ValueVariant> variants;
  if (!takes_scalar(insn)) return variants;
  const Element type = scalar_type(insn);
  if (!has_place_probes(row_of(insn.op)))  // of others a formula says it
    variants.push_back(
        with_scalar("takes 0 as its scalar", type, [](std::uint64_t) { return std::uint64_t{0}; }));
  add_unrounded(insn, variants);
  if (type == insn.src_type) add_of_sources(insn, variants);
  if (row_of(insn.op).operands.size() == 1 && size_of(insn.dst_type) == 1)
    variants.push_back(in_pairs_of_lanes());
  for (auto& [text, change] : scalar_changes(type))
    variants.push_back(with_scalar(std::move(text), type, change));
  return variants;
}

}  // namespace lanecheck
