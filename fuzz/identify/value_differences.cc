#include "fuzz/identify/value_differences.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "fuzz/identify/value_variants.h"
#include "fuzz/probes/digit_code.h"
#include "fuzz/probes/place_map.h"
#include "fuzz/probes/shapes.h"
#include "oracle/compare/accept.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

enum class Style : std::uint8_t { small, quarters, wide, close };

/// A finite element of the type, from any bits.
std::uint64_t any_finite(Element type, std::mt19937_64& random) {
  for (;;) {
    const std::uint64_t bits = random() >> (64 - 8 * size_of(type));
    if (std::isfinite(value_of(type, bits))) return bits;
  }
}

std::uint64_t draw(Element type, Style style, std::mt19937_64& random) {
  const bool is_unsigned = value_of(type, nearest(type, -1)) >= 0;
  const double sign = is_unsigned ? 0 : 8;
  switch (style) {
    case Style::small:
      return nearest(type, static_cast<double>(random() % 17) - sign);
    case Style::quarters:
      return nearest(type, (static_cast<double>(random() % 129) - 8 * sign) / 4);
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

void fill(Program& program, const Layout& layout, const Subject& subject, Style style) {
  const Row& row = row_of(subject.insn.op);
  std::mt19937_64 random(1 + static_cast<unsigned>(style));
  for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k) {
    const Element type = operand_type(subject.insn, row.operands[k]);
    const Region& region = layout.regions[k];
    for (std::uint32_t n = 0; n < region.bytes / size_of(type); ++n) {
      std::uint64_t bits = draw(type, style, random);
      if (style == Style::close && k > 1) {  // the same bits as the first source, or one step beside
        const std::uint64_t near =
            (get_element(program.ub, layout.regions[1], type, n) + n % 3 - 1) & all_bits(type);
        if (std::isfinite(value_of(type, near))) bits = near;
      }
      put_element(program, region, type, n, bits);
    }
  }
}

/// The programs, all under a full mask, in four styles of data; those with a scalar also with a large one.
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
    }
  if (takes_scalar(subject.insn)) {
    const Element type = scalar_type(subject.insn);
    subject.insn.scalar =
        scalar_of(type, size_of(type) == 1 ? 77 : 4661);  // bits in every byte, and 13 of them
    add(subject, Style::small);
    add(subject, Style::wide);
  }
  return programs;
}

std::string example(const Program& program, const Layout& layout, std::uint64_t actual,
                    std::uint64_t expected, std::uint32_t n) {
  const Instruction& insn = program.instructions.back();
  const Row& row = row_of(insn.op);
  if (row.compares) return "for example in mode " + mode_name(insn.compare);
  std::string text = "for example ";
  text += show_element(insn.dst_type, actual) + " instead of " + show_element(insn.dst_type, expected);
  if (row.operands[0].walk != Walk::blocks || lanes_of(insn.dst_type) != lanes_of(insn.src_type)) return text;
  const char* before = " from ";
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    const std::uint32_t first = layout.regions[k].margin / size_of(insn.src_type);
    text += before + std::string(row.operands[k].role) + " = " +
            show_element(insn.src_type, get_element(program.ub, layout.regions[k], insn.src_type, first + n));
    before = ", ";
  }
  return text;
}

struct Answered {
  std::vector<Program> programs;
  Layout layout;
  std::vector<State> actual;
};

/// Does the variant leave what the backend leaves in dst of every program? The bits of a NaN do not matter.
bool explains(const ValueVariant& variant, const Answered& answered) {
  const Region& dst = answered.layout.regions[0];
  for (std::size_t p = 0; p < answered.programs.size(); ++p) {
    const Instruction& insn = answered.programs[p].instructions.back();
    const Element type = operand_type(insn, row_of(insn.op).operands[0]);
    State state;
    variant.run(answered.programs[p], state);
    if (state.ub == answered.actual[p].ub) continue;
    for (std::uint32_t n = 0; n < dst.bytes / size_of(type); ++n) {
      const std::uint64_t a = get_element(state.ub, dst, type, n);
      const std::uint64_t b = get_element(answered.actual[p].ub, dst, type, n);
      if (a != b && !(is_nan(type, a) && is_nan(type, b))) return false;
    }
  }
  return true;
}

/// One wrong result and its documented value.
struct Wrong {
  std::uint64_t actual, expected;
};

/// "all of them the least or the greatest value of the type", or one bit that is always the same
std::string relation_of_integers(Element type, const std::vector<Wrong>& all) {
  const std::uint64_t least = nearest(type, -1e30), greatest = nearest(type, 1e30);
  if (std::ranges::all_of(all, [&](const Wrong& w) { return w.actual == least || w.actual == greatest; }))
    return ", all of them the least or the greatest value of the type";
  std::uint64_t different = 0, ones = 0, zeros = 0;
  for (const Wrong& each : all) {
    different |= each.actual ^ each.expected;
    ones |= each.actual;
    zeros |= ~each.actual;
  }
  if (std::popcount(different) != 1 || (ones & zeros & different) != 0) return {};
  return ", all of them in bit " + std::to_string(std::countr_zero(different)) + " alone, which is always " +
         ((ones & different) != 0 ? "1" : "0");
}

/// "all of them one unit in the last place closer to zero"
std::string relation(Element type, const std::vector<Wrong>& all) {
  if (name_of(type)[0] == 'i' || name_of(type)[0] == 'u') return relation_of_integers(type, all);
  const std::uint64_t sign = std::uint64_t{1} << (8 * size_of(type) - 1);
  const auto step = [&](const Wrong& each) {  // of the magnitude
    if (((each.actual ^ each.expected) & sign) != 0) return std::int64_t{0};
    return static_cast<std::int64_t>(each.actual & ~sign) - static_cast<std::int64_t>(each.expected & ~sign);
  };
  if (std::ranges::all_of(all, [&](const Wrong& each) { return step(each) == -1; }))
    return ", all of them one unit in the last place closer to zero";
  if (std::ranges::all_of(all, [&](const Wrong& each) { return step(each) == 1; }))
    return ", all of them one unit in the last place farther from zero";
  if (std::ranges::all_of(all, [&](const Wrong& each) { return std::abs(step(each)) == 1; }))
    return ", all of them by one unit in the last place";
  return {};
}

}  // namespace

bool has_value_probes(const Row& row) {
  const bool compares = row.compares && row.compare_mask == CompareMaskUse::none;
  return compares || (has_place_probes(row) && row.operands.size() > 1) ||
         (row.mask == MaskUse::neutral_source && row.settings.empty());
}

std::vector<Difference> value_differences(const Subject& subject, const Ask& ask) {
  Answered answered;
  answered.programs = programs_of(subject, answered.layout);
  if (answered.programs.empty()) return {};
  Answers answers = ask_all(ask, answered.programs);
  if (!answers.why_not.empty()) return {};
  answered.actual = std::move(answers.states);
  std::vector<Wrong> wrong;
  std::size_t results = 0;
  std::string first;
  const Region& dst = answered.layout.regions[0];
  const Element type = operand_type(subject.insn, row_of(subject.insn.op).operands[0]);
  for (std::size_t p = 0; p < answered.programs.size(); ++p) {
    const Program& program = answered.programs[p];
    State expected;
    const AcceptMap lenient = accept_sets(program, Semantics(default_readings(program.profile)), expected);
    const std::uint32_t start = dst.margin / size_of(type);
    for (std::uint32_t n = start; n < dst.bytes / size_of(type) - start; ++n) {
      ++results;
      const std::uint64_t is = get_element(answered.actual[p].ub, dst, type, n);
      const std::uint64_t should = get_element(expected.ub, dst, type, n);
      if (is == should) continue;
      bool admitted = true;
      const std::size_t at = dst.begin + std::size_t{n} * size_of(type);
      for (std::size_t byte = at; byte < at + size_of(type); ++byte)
        if (answered.actual[p].ub[byte] != expected.ub[byte])
          admitted &= lenient.admits(answered.actual[p].ub, byte);
      if (admitted) continue;
      if (wrong.empty()) first = example(program, answered.layout, is, should, n - start);
      wrong.push_back({is, should});
    }
  }
  if (wrong.empty()) return {};
  const std::string name = mnemonic(subject.insn);
  for (const ValueVariant& variant : value_variants(subject))
    if (explains(variant, answered)) return {{"values", name + " " + variant.text, {}}};
  return {{"values",
           std::to_string(wrong.size()) + " of " + std::to_string(results) +
               (row_of(subject.insn.op).compares ? " bytes of results of " : " results of ") + name +
               " are wrong under a full mask, so the mask is not the cause" + relation(type, wrong) + ", " +
               first,
           {}}};
}

}  // namespace lanecheck
