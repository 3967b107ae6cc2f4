#include "fuzz/identify/values/value_variants.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/identify/values/cast_variants.h"
#include "fuzz/identify/values/element_variants.h"
#include "fuzz/identify/values/half_rounding.h"
#include "fuzz/identify/values/integer_variants.h"
#include "fuzz/identify/values/scalar_variants.h"
#include "fuzz/identify/values/select_variants.h"
#include "fuzz/identify/values/shift_variants.h"
#include "fuzz/identify/values/sum_variants.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// "computes as shr.u16 does". Of a maximum, a formula says it of types that have no other sign in the table,
/// too.
void with_other_sign(const Subject& subject, std::vector<ValueVariant>& variants) {
  const auto type = other_sign(subject.insn.dst_type);
  if (!type || subject.insn.dst_type != subject.insn.src_type || chooses_elements(subject.insn.op)) return;
  Instruction changed = subject.insn;
  changed.dst_type = changed.src_type = *type;
  if (types_of(changed, subject.profile) == nullptr) return;
  variants.push_back(with_instruction("computes as " + mnemonic(changed) +
                                          " does: it takes its elements as " +
                                          (is_signed(*type) ? "signed" : "unsigned") + " numbers",
                                      [type](Instruction& insn) {
                                        insn.dst_type = insn.src_type = *type;
                                        insn.scalar = scalar_from_bits(*type, insn.scalar.bits);
                                      }));
}

/// a < b is b > a.
Compare with_exchanged_operands(Compare mode) {
  switch (mode) {
    case Compare::lt:
      return Compare::gt;
    case Compare::gt:
      return Compare::lt;
    case Compare::le:
      return Compare::ge;
    case Compare::ge:
      return Compare::le;
    case Compare::eq:
    case Compare::ne:
      break;
  }
  return mode;
}

void with_other_comparisons(const Subject& subject, std::vector<ValueVariant>& variants) {
  if (!row_of(subject.insn.op).compares) return;
  for (const Compare mode : kEveryCompare)
    for (const Compare other : kEveryCompare)
      if (mode != other)
        variants.push_back(
            with_instruction("compares in mode " + mode_name(mode) + " as in mode " + mode_name(other),
                             [=](Instruction& insn) {
                               if (insn.compare == mode) insn.compare = other;
                             }));
  variants.push_back(with_instruction("compares its two operands in exchanged order", [](Instruction& insn) {
    insn.compare = with_exchanged_operands(insn.compare);
  }));
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

/// The documents' other choices, of what the lanes compute.
void with_other_readings(const Subject& subject, std::vector<ValueVariant>& variants) {
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
}

/// The key of a maximum in place of a minimum, or the other way round: that is one mistake of an instruction
/// with two sources and of that with a scalar, or of a reduction and of that of data blocks.
std::string key_of_other(Op own, Op other) {
  struct Pair {
    Op least, greatest;
    const char* of;
  };
  for (const auto& [least, greatest, of] : {Pair{Op::vmin, Op::vmax, "of lanes"},
                                            {Op::vmins, Op::vmaxs, "of lanes"},
                                            {Op::cmin, Op::cmax, "of reductions"},
                                            {Op::cgmin, Op::cgmax, "of reductions"}}) {
    if (own == least && other == greatest) return std::string("the maximum instead of the minimum ") + of;
    if (own == greatest && other == least) return std::string("the minimum instead of the maximum ") + of;
  }
  return {};
}

/// Are the operands of both alike? An instruction may also read its dst: a case that falls through to the
/// next one.
bool has_same_operands(const Row& one, const Row& other) {
  return one.form == other.form ||
         (one.has_scalar == other.has_scalar && !one.rounds && !other.rounds &&
          std::ranges::equal(
              one.operands, other.operands, [](const OperandColumn& a, const OperandColumn& b) {
                return a.role == b.role && a.walk == b.walk && a.walk == Walk::blocks && a.type == b.type;
              }));
}

/// "computes as sub.f16 does": an instruction with the same operands.
void with_other_instruction(const Subject& subject, std::vector<ValueVariant>& variants) {
  for (const Row& row : instruction_table()) {
    Instruction changed = subject.insn;
    changed.op = row.op;
    if (row.op == subject.insn.op || !has_same_operands(row, row_of(subject.insn.op)) ||
        types_of(changed, subject.profile) == nullptr)
      continue;
    if (row.compare_mask != CompareMaskUse::none) continue;  // probes leave it open: any result would do
    const bool is_fused = subject.insn.op == Op::muladddst && row.op == Op::fusedmuladd;
    variants.push_back({is_fused ? "computes old dst * src0 + src1 instead of src0 * src1 + old dst"
                                 : "computes as " + mnemonic(changed) + " does",  // a formula says the same
                        {},
                        [op = row.op](Program program) {
                          program.instructions.back().op = op;
                          return program;
                        },
                        key_of_other(subject.insn.op, row.op)});
  }
}

void append(std::vector<ValueVariant>& variants, std::vector<ValueVariant> more) {
  for (ValueVariant& each : more) variants.push_back(std::move(each));
}

}  // namespace

ValueVariant with_instruction(std::string text, std::function<void(Instruction&)> change) {
  return {std::move(text), [change = std::move(change)](const Program& program, State& state) {
            Program changed = program;
            change(changed.instructions.back());
            execute(changed, Semantics(default_readings(program.profile)), state);
          }};
}

std::vector<ValueVariant> value_variants(const Subject& subject) {
  std::vector<ValueVariant> variants;
  with_other_readings(subject, variants);
  with_other_sign(subject, variants);
  append(variants, cast_variants(subject));
  with_other_instruction(subject, variants);
  with_other_comparisons(subject, variants);
  append(variants, shift_variants(subject));
  without_rounded_product(subject, variants);
  append(variants, element_variants(subject));
  append(variants, scalar_variants(subject.insn));
  append(variants, select_variants(subject));
  append(variants, sum_variants(subject));
  append(variants, integer_variants(subject));
  append(variants, half_rounding(subject));
  return variants;
}

}  // namespace lanecheck
