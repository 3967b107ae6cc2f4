#include "fuzz/identify/values/cast_variants.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Writes each result of a cast, operands in a row: `result` of the bits of its source.
void for_each_result(const Program& program, State& state, auto&& result) {
  const Instruction& insn = program.instructions.back();
  const std::size_t size = size_of(insn.dst_type), from = size_of(insn.src_type);
  for (std::size_t n = 0; n < std::size_t{insn.repeat} * lanes_of(insn); ++n) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &program.ub[start_of(program, insn.operands[1]) + n * from], from);
    bits = result(bits);
    std::memcpy(&state.ub[start_of(program, insn.operands[0]) + n * size], &bits, size);
  }
}

/// "takes its elements as signed numbers": a cast whose source has the other sign. The table may have no such
/// cast, then the number of the other sign is given as the element of dst that is nearest to it.
void with_other_source(const Subject& subject, std::vector<ValueVariant>& variants) {
  const Instruction& given = subject.insn;
  const auto type = other_sign(given.src_type);
  if (!type || !row_of(given.op).rounds) return;
  Instruction changed = given;
  changed.src_type = *type;
  const std::string text =
      std::string("takes its elements as ") + (is_signed(*type) ? "signed" : "unsigned") + " numbers";
  if (types_of(changed, subject.profile) != nullptr) {
    variants.push_back(with_instruction(text, [type](Instruction& insn) { insn.src_type = *type; }));
    return;
  }
  const bool extends = is_integer(given.dst_type) && size_of(given.dst_type) > size_of(given.src_type);
  variants.push_back({text + (extends && !is_signed(*type) ? " (zero-extended)" : ""),
                      [type](const Program& program, State& state) {
                        state.ub = program.ub;
                        const Instruction& insn = program.instructions.back();
                        const double scalar =
                            takes_scalar(insn) ? value_of(scalar_type(insn), insn.scalar.bits) : 1;
                        for_each_result(program, state, [&](std::uint64_t source) {
                          return nearest(insn.dst_type, value_of(*type, source) * scalar);
                        });
                      }});
}

/// The product of a cast with a scalar is computed in the type of the result: a dequantization.
void with_rounded_integers(const Subject& subject, std::vector<ValueVariant>& variants) {
  const Instruction& given = subject.insn;
  if (!row_of(given.op).rounds || !takes_scalar(given) || !is_integer(given.src_type)) return;
  variants.push_back({"rounds its element to " + std::string(name_of(given.dst_type)) +
                          " before it multiplies by the scalar",
                      [](const Program& program, State& state) {
                        execute(program, Semantics(default_readings(program.profile)), state);
                        const Instruction& insn = program.instructions.back();
                        const double scalar = value_of(scalar_type(insn), insn.scalar.bits);
                        for_each_result(program, state, [&](std::uint64_t source) {
                          const double rounded = value_of(
                              insn.dst_type, nearest(insn.dst_type, value_of(insn.src_type, source)));
                          return nearest(insn.dst_type, rounded * scalar);
                        });
                      }});
}

double rounded_sum(Element type, double a, double b) {
  return value_of(type, nearest(type, a + b));
}

/// The documented results, except in one mode: there `result(instruction, bits of the source, documented
/// bits)`.
template <class Result>
ValueVariant in_mode(Round mode, std::string text, std::string key, Result result) {
  const auto run = [mode, result](const Program& program, State& state) {
    execute(program, Semantics(default_readings(program.profile)), state);
    const Instruction& insn = program.instructions.back();
    if (insn.round != mode) return;
    const State documented = state;
    std::size_t at = start_of(program, insn.operands[0]);
    for_each_result(program, state, [&](std::uint64_t source) {
      const std::uint64_t bits = bits_at(documented, at, insn.dst_type);
      at += size_of(insn.dst_type);
      return result(insn, source, bits);
    });
  };
  return {std::move(text), run, {}, std::move(key)};
}

/// Mode round by `rounded(element, type of the source)`.
ValueVariant rounding_by(std::string text, std::string key, double (*rounded)(double, Element)) {
  return in_mode(Round::round, std::move(text), std::move(key),
                 [rounded](const Instruction& insn, std::uint64_t source, std::uint64_t documented) {
                   const double x = value_of(insn.src_type, source);
                   return std::isfinite(x) ? nearest(insn.dst_type, rounded(x, insn.src_type)) : documented;
                 });
}

/// Mode odd makes the last bit 1 of what is between two elements of dst; here of exact results too.
void with_odd_results(const Subject& subject, std::vector<ValueVariant>& variants) {
  const TypePair* types = types_of(subject.insn, subject.profile);
  if (types == nullptr || !row_of(subject.insn.op).rounds || !is_float(subject.insn.dst_type)) return;
  if ((types->modes >> static_cast<unsigned>(Round::odd) & 1) == 0) return;
  for (const bool zeros : {false, true})
    variants.push_back(in_mode(
        Round::odd,
        std::string("makes the last bit of each result 1 in mode odd, also where the result is exact") +
            (zeros ? "" : " and not 0"),
        {}, [zeros](const Instruction& insn, std::uint64_t, std::uint64_t documented) {
          const double value = value_of(insn.dst_type, documented);
          return std::isfinite(value) && (zeros || value != 0) ? documented | 1 : documented;
        }));
  // A last bit of the unit below a power of two is lost in the power of two.
  for (const bool exact : {false, true})
    for (const bool keeps_powers : {false, true})
      variants.push_back(in_mode(
          Round::odd,
          std::string("rounds to the nearest element first and makes its last bit 1 in mode odd") +
              (exact ? ", also where the result is exact" : ""),
          {}, [exact, keeps_powers](const Instruction& insn, std::uint64_t source, std::uint64_t documented) {
            const double x = value_of(insn.src_type, source);
            const std::uint64_t near = nearest(insn.dst_type, x);
            const double value = value_of(insn.dst_type, near);
            if (!std::isfinite(x) || !std::isfinite(value)) return documented;
            int exponent = 0;
            const bool is_power = std::abs(std::frexp(value, &exponent)) == 0.5;
            if (keeps_powers && is_power && std::abs(value) > std::abs(x)) return near;
            return value != x || (exact && value != 0) ? near | 1 : near;
          }));
}

/// Mode round by an addition of 0.5 in the type of the source, which may round the sum. A result of 0 may
/// have the sign of the sum, or that of the element. A type without a sign does not show what becomes of
/// numbers below zero.
void with_added_half(const Subject& subject, std::vector<ValueVariant>& variants) {
  const Element source = subject.insn.src_type;
  if (!row_of(subject.insn.op).rounds || !is_float(source) || takes_scalar(subject.insn)) return;
  const std::string type(name_of(source));
  const std::string floor =
      "rounds in mode round by floor(x + 0.5), where halves below zero go up, and the sum is "
      "rounded to " +
      type;
  const std::string trunc =
      "rounds in mode round by trunc(x + 0.5 with the sign of x), where the sum is rounded to " + type;
  const std::string key = "rounds halves up (towards +infinity) in mode round, instead of away from zero";
  const ValueVariant by_trunc =
      rounding_by(trunc, "rounds in mode round by trunc of a rounded sum",
                  [](double x, Element of) { return std::trunc(rounded_sum(of, x, std::copysign(0.5, x))); });
  const bool shows_sign = is_float(subject.insn.dst_type) || is_signed(subject.insn.dst_type);
  if (!shows_sign) variants.push_back(by_trunc);
  variants.push_back(
      rounding_by(floor, key, [](double x, Element of) { return std::floor(rounded_sum(of, x, 0.5)); }));
  variants.push_back(rounding_by(floor, key, [](double x, Element of) {
    return std::copysign(std::floor(rounded_sum(of, x, 0.5)), x);
  }));
  if (shows_sign) variants.push_back(by_trunc);
}

/// A mode that rounds to the nearest by a conversion of x + 0.5 to an integer, which cuts off towards zero.
void with_cut_sum(const Subject& subject, std::vector<ValueVariant>& variants) {
  if (!row_of(subject.insn.op).rounds || !is_float(subject.insn.src_type) || takes_scalar(subject.insn))
    return;
  for (const Round mode : {Round::round, Round::rint, Round::none})
    for (const bool rounds_sum : {false, true})
      variants.push_back(in_mode(
          mode, "rounds in mode " + mode_name(mode) + " by trunc(x + 0.5), which is too great below -0.5",
          "rounds by trunc of a sum, whatever the sign is",
          [rounds_sum](const Instruction& insn, std::uint64_t source, std::uint64_t documented) {
            const double x = value_of(insn.src_type, source);
            const double sum = rounds_sum ? rounded_sum(insn.src_type, x, 0.5) : x + 0.5;
            return std::isfinite(x) ? nearest(insn.dst_type, std::trunc(sum)) : documented;
          }));
}

/// Mode ceil by trunc(x) + 1, or mode floor by trunc(x) - 1.
void with_step_from_trunc(const Subject& subject, std::vector<ValueVariant>& variants) {
  if (!row_of(subject.insn.op).rounds || takes_scalar(subject.insn)) return;
  const auto add = [&](Round mode, double step) {
    variants.push_back(
        in_mode(mode,
                "rounds in mode " + mode_name(mode) + " by trunc(x) " + (step > 0 ? "+" : "-") +
                    " 1, also of whole numbers",
                {}, [step](const Instruction& insn, std::uint64_t source, std::uint64_t documented) {
                  const double x = value_of(insn.src_type, source);
                  return std::isfinite(x) ? nearest(insn.dst_type, std::trunc(x) + step) : documented;
                }));
  };
  add(Round::ceil, 1);
  add(Round::floor, -1);
}

/// The modes of a cast: of those that agree for its types, the first one is named.
std::vector<Round> modes_to_name(const TypePair& types) {
  constexpr Round kOrder[] = {Round::rint,  Round::trunc, Round::floor, Round::ceil,
                              Round::round, Round::odd,   Round::none};
  const auto offered = modes_of(types);
  std::vector<Round> modes;
  for (const Round each : kOrder)
    if (std::ranges::find(offered, each) != offered.end()) modes.push_back(each);
  return modes;
}

/// One mode as another, all modes that round to the nearest as another, or all modes as one.
void with_other_rounding(const Subject& subject, std::vector<ValueVariant>& variants) {
  const TypePair* types = types_of(subject.insn, subject.profile);
  if (!row_of(subject.insn.op).rounds || types == nullptr) return;
  for (const Round other : modes_to_name(*types)) {
    for (const Round mode : modes_to_name(*types))
      if (mode != other)
        variants.push_back(with_instruction(
            "rounds in mode " + mode_name(mode) + " as in mode " + mode_name(other), [=](Instruction& insn) {
              if (insn.round == mode) insn.round = other;
            }));
    variants.push_back(with_instruction("rounds in modes none and rint as in mode " + mode_name(other),
                                        [=](Instruction& insn) {
                                          if (insn.round == Round::none || insn.round == Round::rint)
                                            insn.round = other;
                                        }));
    if (other == Round::round && is_float(subject.insn.dst_type))
      variants.back().key = "rounds halves away from zero, instead of to the even neighbour";
    variants.push_back(
        with_instruction("ignores its mode: it rounds in every mode as in mode " + mode_name(other),
                         [=](Instruction& insn) { insn.round = other; }));
  }
}

}  // namespace

std::optional<Element> other_sign(Element type) {
  if (!is_integer(type)) return {};
  const std::string name(name_of(type));
  return element_named((is_signed(type) ? "u" : "i") + name.substr(1));
}

std::vector<ValueVariant> cast_variants(const Subject& subject) {
  std::vector<ValueVariant> variants;
  with_other_source(subject, variants);
  with_rounded_integers(subject, variants);
  with_other_rounding(subject, variants);
  with_added_half(subject, variants);
  with_cut_sum(subject, variants);
  with_odd_results(subject, variants);
  with_step_from_trunc(subject, variants);
  return variants;
}

}  // namespace lanecheck
