#include "fuzz/identify/value_variants.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

void with_instruction(std::vector<ValueVariant>& variants, std::string text,
                      const std::function<void(Instruction&)>& change) {
  variants.push_back({std::move(text), [change](const Program& program, State& state) {
                        Program changed = program;
                        change(changed.instructions.back());
                        execute(changed, Semantics(default_readings(program.profile)), state);
                      }});
}

/// The integer type of the same size with the other sign; nothing for floats.
std::optional<Element> other_sign(Element type) {
  std::string name(name_of(type));
  if (name[0] != 'i' && name[0] != 'u') return {};
  name[0] = name[0] == 'i' ? 'u' : 'i';
  return element_named(name);
}

/// "computes as vmax.i8 does"
void with_other_sign(const Subject& subject, std::vector<ValueVariant>& variants) {
  const auto type = other_sign(subject.insn.dst_type);
  if (!type || subject.insn.dst_type != subject.insn.src_type) return;
  Instruction changed = subject.insn;
  changed.dst_type = changed.src_type = *type;
  if (types_of(changed, subject.profile) == nullptr) return;
  const bool is_unsigned = name_of(*type)[0] == 'u';
  with_instruction(variants,
                   "computes as " + mnemonic(changed) + " does: it takes its elements as " +
                       (is_unsigned ? "unsigned" : "signed") + " numbers",
                   [type](Instruction& insn) {
                     insn.dst_type = insn.src_type = *type;
                     insn.scalar = scalar_from_bits(*type, insn.scalar.bits);
                   });
}

void with_other_comparisons(const Subject& subject, std::vector<ValueVariant>& variants) {
  if (!row_of(subject.insn.op).compares) return;
  for (const Compare mode : kEveryCompare)
    for (const Compare other : kEveryCompare)
      if (mode != other)
        with_instruction(variants, "compares in mode " + mode_name(mode) + " as in mode " + mode_name(other),
                         [=](Instruction& insn) {
                           if (insn.compare == mode) insn.compare = other;
                         });
}

/// A muladddst or axpy of f32, operands in a row, without a rounding of the product.
void without_rounded_product(const Subject& subject, std::vector<ValueVariant>& variants) {
  const Instruction& given = subject.insn;
  if (!row_of(given.op).reads_dst || given.op == Op::fusedmuladd || given.dst_type != Element::f32 ||
      given.src_type != Element::f32)
    return;
  const auto add = [&](const char* text, float (*combine)(float, float, float)) {
    variants.push_back({text, [combine](const Program& program, State& state) {
                          state.ub = program.ub;
                          const Instruction& insn = program.instructions.back();
                          const auto at = [&](unsigned k, std::uint32_t n) {
                            float value = 0;
                            std::memcpy(&value, &program.ub[start_of(program, insn.operands[k]) + 4 * n], 4);
                            return value;
                          };
                          const auto scalar = static_cast<float>(value_of(Element::f32, insn.scalar.bits));
                          for (std::uint32_t n = 0; n < insn.repeat * lanes_of(insn); ++n) {
                            const float factor = takes_scalar(insn) ? scalar : at(2, n);
                            const float result = combine(at(1, n), factor, at(0, n));
                            std::memcpy(&state.ub[start_of(program, insn.operands[0]) + 4 * n], &result, 4);
                          }
                        }});
  };
  add("rounds once instead of twice (it is fused)",
      [](float a, float b, float c) { return std::fma(a, b, c); });
  add("computes in f64, with one rounding to f32 instead of two",
      [](float a, float b, float c) { return static_cast<float>(double{a} * b + c); });
}

/// The bits of the exponent of a float type.
std::uint64_t exponent_of(Element type) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return nearest(type, kInfinity);
}

/// Sets the subnormal elements of all operands that lie in allocations of float types to 0, with their sign.
void flush(const Program& program, unsigned first, unsigned end, std::vector<std::byte>& ub) {
  const Instruction& insn = program.instructions.back();
  const auto& columns = row_of(insn.op).operands;
  for (unsigned k = first; k < std::min<std::size_t>(end, columns.size()); ++k) {
    const Element type = operand_type(insn, columns[k]);
    if (!is_float(type)) continue;
    const Allocation& home = program.allocations[insn.operands[k].allocation];
    for (std::uint32_t n = home.offset; n + size_of(type) <= home.offset + home.bytes; n += size_of(type)) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &ub[n], size_of(type));
      if ((bits & exponent_of(type)) != 0) continue;
      bits &= std::uint64_t{1} << (8 * size_of(type) - 1);
      std::memcpy(&ub[n], &bits, size_of(type));
    }
  }
}

/// Subnormal numbers count as 0: where they are read, where they are written, or both.
void without_subnormals(const Subject& subject, std::vector<ValueVariant>& variants) {
  const Instruction& insn = subject.insn;
  if (!is_float(insn.src_type) && !is_float(insn.dst_type)) return;
  const auto add = [&](const char* text, bool reads, bool writes) {
    variants.push_back(
        {text, [=](const Program& program, State& state) {
           Program changed = program;
           const bool reads_dst = row_of(insn.op).reads_dst;
           if (reads) flush(program, reads_dst ? 0 : 1, kMaxOperands, changed.ub);
           execute(changed, Semantics(default_readings(program.profile)), state);
           if (writes) flush(program, 0, 1, state.ub);
           for (unsigned k = 1; reads && k < row_of(insn.op).operands.size(); ++k) {
             const Allocation& home = program.allocations[program.instructions.back().operands[k].allocation];
             std::copy_n(program.ub.begin() + home.offset, home.bytes, state.ub.begin() + home.offset);
           }
         }});
  };
  add("reads subnormal numbers as 0", true, false);
  add("writes 0 instead of subnormal numbers", false, true);
  add("reads subnormal numbers as 0, and writes 0 instead of them", true, true);
}

}  // namespace

std::vector<ValueVariant> value_variants(const Subject& subject) {
  std::vector<ValueVariant> variants;
  const Readings& base = default_readings(subject.profile);
  for (const Reading& reading : readings()) {
    if (reading.decides != Decides::lane_arithmetic && reading.decides != Decides::execution) continue;
    for (unsigned option = 0; option < reading.options.size(); ++option) {
      if (option == reading.get(base)) continue;
      Readings chosen = base;
      reading.set(chosen, option);
      variants.push_back(
          {"computes as under reading " + std::string(reading.id) + "=" +
               std::string(reading.options[option].name) + " (" +
               std::string(reading.options[option].meaning) + ")",
           [chosen](const Program& program, State& state) { execute(program, Semantics(chosen), state); }});
    }
  }
  with_other_sign(subject, variants);
  with_other_comparisons(subject, variants);
  without_rounded_product(subject, variants);
  without_subnormals(subject, variants);
  const Row& row = row_of(subject.insn.op);
  const TypePair* types = types_of(subject.insn, subject.profile);
  if (row.rounds && types != nullptr)
    for (const Round mode : modes_of(*types))
      for (const Round other : modes_of(*types))
        if (mode != other)
          with_instruction(variants, "rounds in mode " + mode_name(mode) + " as in mode " + mode_name(other),
                           [=](Instruction& insn) {
                             if (insn.round == mode) insn.round = other;
                           });
  if (takes_scalar(subject.insn)) {
    const Element type = scalar_type(subject.insn);
    for (const Element less : {Element::f16, Element::bf16})
      if (type == Element::f32)
        with_instruction(
            variants, "rounds its scalar to " + std::string(name_of(less)), [=](Instruction& insn) {
              const double value = value_of(type, insn.scalar.bits);
              insn.scalar = scalar_from_bits(type, nearest(type, value_of(less, nearest(less, value))));
            });
    for (const unsigned bits : {8u, 16u}) {
      if (bits >= 8 * size_of(type)) continue;
      const std::string lowest = "uses only the lowest " + std::to_string(bits) + " bits of its scalar";
      with_instruction(variants, lowest, [=](Instruction& insn) {
        insn.scalar = scalar_from_bits(type, insn.scalar.bits & ((1ULL << bits) - 1));
      });
      with_instruction(variants, lowest + ", with their sign", [=](Instruction& insn) {
        const std::uint64_t all = all_bits(type);
        const std::uint64_t low = insn.scalar.bits & ((1ULL << bits) - 1);
        const bool negative = (low >> (bits - 1) & 1) != 0;
        insn.scalar = scalar_from_bits(type, negative ? low | (all << bits & all) : low);
      });
    }
  }
  return variants;
}

}  // namespace lanecheck
