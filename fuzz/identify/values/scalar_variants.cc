#include "fuzz/identify/values/scalar_variants.h"

#include <cmath>

#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/probes/place_map.h"
#include "oracle/execute/execute.h"
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

void add_of_float(Element type, std::vector<ValueVariant>& variants) {
  const auto by_value = [&](std::string text, double (*change)(double)) {
    variants.push_back(with_scalar(std::move(text), type, [type, change](std::uint64_t bits) {
      return nearest(type, change(value_of(type, bits)));
    }));
  };
  for (const Element less : {Element::f16, Element::bf16})
    if (type == Element::f32)
      variants.push_back(
          with_scalar("rounds its scalar to " + std::string(name_of(less)), type, [=](std::uint64_t bits) {
            return nearest(type, value_of(less, nearest(less, value_of(type, bits))));
          }));
  by_value("truncates its scalar to an integer", [](double value) { return std::trunc(value); });
  by_value("truncates its scalar to an integer", [](double value) { return std::trunc(value) + 0.0; });
  by_value("rounds its scalar down to an integer", [](double value) { return std::floor(value); });
  by_value("rounds its scalar to the nearest integer", [](double value) { return std::nearbyint(value); });
  by_value("takes its scalar without its sign", [](double value) { return std::abs(value); });
}

/// Integers of 64 bits have more significant bits than f64. What is too great becomes the greatest number, or
/// 2^63 or 2^64 without what does not fit.
void through_f64(Element type, std::vector<ValueVariant>& variants) {
  const std::uint64_t greatest = ~std::uint64_t{0} >> (is_signed(type) ? 1 : 0);
  for (const bool limits : {true, false})
    variants.push_back(with_scalar("rounds its scalar to f64", type, [=](std::uint64_t bits) {
      const bool negative = bits > greatest;
      const auto rounded = static_cast<double>(negative ? 0 - bits : bits);  // the magnitude
      const double end = is_signed(type) ? 0x1p63 : 0x1p64;
      if (rounded >= end && !negative) return limits ? greatest : greatest + 1;
      return negative ? 0 - static_cast<std::uint64_t>(rounded) : static_cast<std::uint64_t>(rounded);
    }));
}

void add_of_integer(Element type, std::vector<ValueVariant>& variants) {
  if (size_of(type) == 8) through_f64(type, variants);
  for (const Element less : {Element::f32, Element::f16}) {
    const std::string text = "rounds its scalar to " + std::string(name_of(less));
    const double greatest = value_of(type, nearest(type, 1e30));
    // What is too great after this becomes the greatest number, the least as on x86, or the greatest that
    // the float type has.
    for (const double too_great : {1e30, -1e30, value_of(less, nearest(less, greatest) - 1)})
      variants.push_back(with_scalar(text, type, [=](std::uint64_t bits) {
        const double value = value_of(less, nearest(less, value_of(type, bits)));
        return nearest(type, value > greatest ? too_great : value);
      }));
  }
  for (unsigned bits = 4; bits < 8 * size_of(type); ++bits) {
    const std::uint64_t kept = (std::uint64_t{1} << bits) - 1;
    const std::string lowest = "uses only the lowest " + std::to_string(bits) + " bits of its scalar";
    variants.push_back(with_scalar(lowest, type, [kept](std::uint64_t given) { return given & kept; }));
    variants.push_back(with_scalar(lowest + ", with their sign", type, [=](std::uint64_t given) {
      const bool negative = (given >> (bits - 1) & 1) != 0;
      return negative ? (given | ~kept) & all_bits(type) : given & kept;
    }));
  }
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

}  // namespace

std::vector<ValueVariant> scalar_variants(const Instruction& insn) {
  std::vector<ValueVariant> variants;
  if (!takes_scalar(insn)) return variants;
  const Element type = scalar_type(insn);
  if (!has_place_probes(row_of(insn.op)))  // of others a formula says it
    variants.push_back(
        with_scalar("takes 0 as its scalar", type, [](std::uint64_t) { return std::uint64_t{0}; }));
  if (type == insn.src_type) add_of_sources(insn, variants);
  if (is_float(type))
    add_of_float(type, variants);
  else
    add_of_integer(type, variants);
  return variants;
}

}  // namespace lanecheck
