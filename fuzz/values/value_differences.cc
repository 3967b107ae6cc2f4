#include "fuzz/values/value_differences.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <random>

#include "fuzz/probes/digit_code.h"
#include "fuzz/probes/place_map.h"
#include "fuzz/probes/shapes.h"
#include "fuzz/values/compare_law.h"
#include "fuzz/values/judge_program.h"
#include "fuzz/values/masked_specials.h"
#include "fuzz/values/value_conditions.h"
#include "fuzz/values/value_formula.h"
#include "fuzz/values/value_variants.h"
#include "oracle/compare/accept.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

enum class Style : std::uint8_t { small, quarters, wide, close, special };

/// A finite element of the type, from any bits.
std::uint64_t any_finite(Element type, std::mt19937_64& random) {
  for (;;) {
    const std::uint64_t bits = random() >> (64 - 8 * size_of(type));
    if (std::isfinite(value_of(type, bits))) return bits;
  }
}

/// One element of four is infinite, NaN, 0 or subnormal, with either sign. Integers are small.
std::uint64_t draw_special(Element type, std::mt19937_64& random) {
  if (!is_float(type) || random() % 4 != 0) return nearest(type, static_cast<double>(random() % 17) - 8);
  const std::uint64_t infinite = nearest(type, std::numeric_limits<double>::infinity());
  const std::uint64_t kinds[] = {infinite, infinite | infinite >> 1, 0, 1 + random() % 4};
  const std::uint64_t sign = random() % 2 << (8 * size_of(type) - 1);
  return kinds[random() % std::size(kinds)] | sign;
}

std::uint64_t draw(Element type, Style style, std::mt19937_64& random) {
  const double sign = is_signed(type) ? 8 : 0;
  switch (style) {
    case Style::small:
      return nearest(type, static_cast<double>(random() % 17) - sign);
    case Style::quarters:
      return nearest(type, (static_cast<double>(random() % 129) - 8 * sign) / 4);
    case Style::special:
      return draw_special(type, random);
    case Style::wide:
    case Style::close:
      break;
  }
  constexpr double kEnds[] = {-2147483648.0, -32768, -32767, -128,         -127, 127,
                              255,           32767,  65504,  2147483647.0, 0,    1};
  if (random() % 4 == 0) {
    const std::uint64_t bits = nearest(type, kEnds[random() % std::size(kEnds)]);
    if (std::isfinite(value_of(type, bits))) return bits;
  }
  return any_finite(type, random);
}

/// Is operand `k` compared or combined with another source, or with a scalar of its type?
bool is_compared(const Instruction& insn, unsigned k) {
  return k > 1 || (k == 1 && takes_scalar(insn) && scalar_type(insn) == insn.src_type);
}

void fill(Program& program, const Layout& layout, const Subject& subject, Style style) {
  const Row& row = row_of(subject.insn.op);
  std::mt19937_64 random(1 + static_cast<unsigned>(style));
  for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k) {
    const Element type = operand_type(subject.insn, row.operands[k]);
    const Region& region = layout.regions[k];
    for (std::uint32_t n = 0; n < region.bytes / size_of(type); ++n) {
      std::uint64_t bits = draw(type, style, random);
      if (style == Style::close && is_compared(subject.insn, k)) {  // the same bits, or one step beside
        const std::uint64_t other =
            k > 1 ? get_element(program.ub, layout.regions[1], type, n) : subject.insn.scalar.bits;
        const std::uint64_t near = (other + n % 3 - 1) & all_bits(type);
        if (std::isfinite(value_of(type, near))) bits = near;
      }
      put_element(program, region, type, n, bits);
    }
  }
}

/// Scalars that a mistake changes: large, negative, with a fraction, with bits in every byte, 0, and the
/// limits of integers.
std::vector<Scalar> telling_scalars(Element type) {
  if (is_float(type))
    return {scalar_of(type, 4661), scalar_of(type, 2.75), scalar_of(type, -1.3), scalar_of(type, 0)};
  std::vector<Scalar> scalars;
  for (const double each : {0.0, -1e30, 1e30}) scalars.push_back(scalar_from_bits(type, nearest(type, each)));
  for (const std::uint64_t bits : {0x5555'5555'5555'5555ULL, 0x28f3'c6d1'28f3'c6d1ULL})
    for (const std::uint64_t each : {bits, ~bits})
      scalars.push_back(scalar_from_bits(type, each & all_bits(type)));
  return scalars;
}

/// The programs, all under a full mask, in all styles of data, modes and scalars.
std::vector<Program> programs_of(const Subject& given, Layout& layout) {
  std::vector<Program> programs;
  Subject subject = in_a_row(given, 1);
  if (row_of(subject.insn.op).has_repeat) subject.insn.repeat = 6;
  const auto room = lay_out(subject);
  if (!room) return {};
  layout = *room;
  const auto add = [&](const Subject& each, Style style) {
    auto program = probe_program(each, layout, full_mask(each));
    if (!program) return;
    fill(*program, layout, each, style);
    if (!find_fault(*program)) programs.push_back(std::move(*program));
  };
  for (const Style style : {Style::small, Style::quarters, Style::wide, Style::close}) add(subject, style);
  if (is_float(subject.insn.dst_type) || is_float(subject.insn.src_type)) add(subject, Style::special);
  const Round given_mode = subject.insn.round;
  if (const TypePair* types = types_of(subject.insn, subject.profile);
      types && row_of(subject.insn.op).rounds)
    for (const Round mode : modes_of(*types)) {
      subject.insn.round = mode;
      if (mode != given_mode) add(subject, Style::quarters);
    }
  subject.insn.round = given_mode;
  if (row_of(subject.insn.op).compares)
    for (const Compare mode : kEveryCompare) {
      subject.insn.compare = mode;
      for (const Style style : {Style::small, Style::close}) add(subject, style);
      if (is_float(subject.insn.src_type)) add(subject, Style::special);
    }
  if (takes_scalar(subject.insn))
    for (const Scalar& scalar : telling_scalars(scalar_type(subject.insn))) {
      subject.insn.scalar = scalar;
      for (const Style style : {Style::small, Style::wide, Style::close}) add(subject, style);
    }
  return programs;
}

/// "for example 4 instead of 5 from src0 = 1, src1 = 4"
std::string example(const JudgedResult& wrong) {
  const Instruction& insn = wrong.program->instructions.back();
  const Row& row = row_of(insn.op);
  const Element type = operand_type(insn, row.operands[0]);
  std::string text = "for example ";
  text += row.compares
              ? std::to_string(wrong.actual) + " instead of " + std::to_string(wrong.expected) + " in mode " +
                    mode_name(insn.compare)
              : show_element(type, wrong.actual) + " instead of " + show_element(type, wrong.expected);
  const char* before = row.compares ? " for " : " from ";
  const auto add = [&](std::string_view name, const std::string& value) {
    text += before + std::string(name) + " = " + value;
    before = ", ";
  };
  if (has_result_of_each_lane(insn))
    for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k)
      if (row.operands[k].walk == Walk::blocks)
        add(k == 0 ? "old dst" : row.operands[k].role,
            show_element(operand_type(insn, row.operands[k]), source_bits(*wrong.program, k, wrong.number)));
  if (takes_scalar(insn)) add("scalar", show_scalar(scalar_type(insn), insn.scalar));
  return text;
}

struct Answered {
  std::vector<Program> programs;
  Layout layout;
  std::vector<State> actual;
};

/// Does the variant leave what the backend leaves in dst of every program? The bits of a NaN do not matter,
/// and another instruction has its own tolerance.
bool explains(const ValueVariant& variant, const Answered& answered) {
  const Region& dst = answered.layout.regions[0];
  for (std::size_t p = 0; p < answered.programs.size(); ++p) {
    const Program& program = answered.programs[p];
    const Instruction& insn = program.instructions.back();
    const Element type = operand_type(insn, row_of(insn.op).operands[0]);
    State state;
    std::optional<AcceptMap> lenient;
    if (variant.instead)
      lenient = accept_sets(variant.instead(program), Semantics(default_readings(program.profile)), state);
    else
      variant.run(program, state);
    const auto& actual = answered.actual[p].ub;
    if (state.ub == actual) continue;
    for (std::uint32_t n = 0; n < dst.bytes / size_of(type); ++n) {
      const std::uint64_t a = get_element(state.ub, dst, type, n);
      const std::uint64_t b = get_element(actual, dst, type, n);
      if (a == b || (is_nan(type, a) && is_nan(type, b))) continue;
      const std::size_t at = dst.begin + std::size_t{n} * size_of(type);
      if (!lenient || !lenient->any_between(at, at + size_of(type))) return false;
      for (std::size_t byte = at; byte < at + size_of(type); ++byte)
        if (state.ub[byte] != actual[byte] && !lenient->admits(actual, byte)) return false;
    }
  }
  return true;
}

/// How many bits a number has from its first 1 to its last 1.
int significant_bits(Element type, std::uint64_t bits) {
  const double value = std::abs(value_of(type, bits));
  const auto whole = static_cast<std::uint64_t>(value);
  return whole == 0 ? 0 : static_cast<int>(std::bit_width(whole)) - std::countr_zero(whole);
}

/// Do the wrong results, and few of the documented ones, fit into an f32?
bool have_24_bits(Element type, const std::vector<JudgedResult>& all) {
  if (size_of(type) != 4) return false;
  const auto fits = [&](std::uint64_t bits) { return significant_bits(type, bits) <= 24; };
  const auto documented =
      std::ranges::count_if(all, [&](const JudgedResult& each) { return fits(each.expected); });
  return 4 * documented < std::ssize(all) &&
         std::ranges::all_of(all, [&](const JudgedResult& each) { return fits(each.actual); });
}

/// "all of them the least or the greatest value of the type", or one bit that is always the same
std::string relation_of_integers(Element type, const std::vector<JudgedResult>& all) {
  const std::uint64_t least = nearest(type, -1e30), greatest = nearest(type, 1e30);
  if (std::ranges::all_of(all,
                          [&](const JudgedResult& w) { return w.actual == least || w.actual == greatest; }))
    return ", all of them the least or the greatest value of the type";
  if (have_24_bits(type, all)) return ", all of them with at most 24 significant bits, as f32 has";
  std::uint64_t different = 0, ones = 0, zeros = 0;
  for (const JudgedResult& each : all) {
    different |= each.actual ^ each.expected;
    ones |= each.actual;
    zeros |= ~each.actual;
  }
  if (std::popcount(different) != 1 || (ones & zeros & different) != 0) return {};
  return ", all of them in bit " + std::to_string(std::countr_zero(different)) + " alone, which is always " +
         ((ones & different) != 0 ? "1" : "0");
}

/// "all of them one unit in the last place closer to zero"
std::string relation_of(Element type, const std::vector<JudgedResult>& all) {
  if (is_integer(type)) return relation_of_integers(type, all);
  const std::uint64_t sign = std::uint64_t{1} << (8 * size_of(type) - 1);
  const auto step = [&](const JudgedResult& each) {  // of the magnitude
    if (((each.actual ^ each.expected) & sign) != 0) return std::int64_t{0};
    return static_cast<std::int64_t>(each.actual & ~sign) - static_cast<std::int64_t>(each.expected & ~sign);
  };
  if (std::ranges::all_of(all, [&](const JudgedResult& each) { return step(each) == -1; }))
    return ", all of them one unit in the last place closer to zero";
  if (std::ranges::all_of(all, [&](const JudgedResult& each) { return step(each) == 1; }))
    return ", all of them one unit in the last place farther from zero";
  if (std::ranges::all_of(all, [&](const JudgedResult& each) { return std::abs(step(each)) == 1; }))
    return ", all of them by one unit in the last place";
  return {};
}

std::vector<JudgedResult> judge_results(const Answered& answered) {
  std::vector<JudgedResult> results;
  for (std::size_t p = 0; p < answered.programs.size(); ++p)
    judge_program(answered.programs[p], answered.actual[p], results);
  return results;
}

}  // namespace

bool has_value_probes(const Row& row) {
  const bool compares = row.compares && row.compare_mask == CompareMaskUse::none;
  return compares || (has_place_probes(row) && (row.operands.size() > 1 || row.has_scalar)) ||
         (row.mask == MaskUse::neutral_source && row.settings.empty());
}

std::vector<Difference> value_differences(const Subject& subject, const Ask& ask) {
  Answered answered;
  answered.programs = programs_of(subject, answered.layout);
  if (answered.programs.empty()) return {};
  Answers answers = ask_all(ask, answered.programs);
  if (!answers.why_not.empty()) return {};
  answered.actual = std::move(answers.states);
  const std::vector<JudgedResult> results = judge_results(answered);
  std::vector<JudgedResult> wrong;
  std::ranges::copy_if(results, std::back_inserter(wrong), &JudgedResult::is_wrong);
  if (wrong.empty()) return masked_special_differences(subject, ask);
  const std::string name = mnemonic(subject.insn);
  for (const ValueVariant& variant : value_variants(subject))
    if (explains(variant, answered)) return {{"values", name + " " + variant.text, {}}};
  for (const auto law : {formula_that_gives, compare_law})
    if (const auto text = law(results)) return {{"values", name + " " + *text, {}}};
  const Row& row = row_of(subject.insn.op);
  const std::string relation =
      row.compares ? "" : relation_of(operand_type(subject.insn, row.operands[0]), wrong);
  return {{"values",
           std::to_string(wrong.size()) + " of " + std::to_string(results.size()) + " results of " + name +
               " are wrong under a full mask, so the mask is not the cause" + condition_of(results) +
               relation + ", " + example(wrong.front()),
           {}}};
}

}  // namespace lanecheck
