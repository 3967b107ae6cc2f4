#include "fuzz/identify/values/wrong_results.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "fuzz/identify/values/value_data.h"
#include "fuzz/identify/values/value_variants.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {

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

namespace {

/// How many bits a number has from its first 1 to its last 1.
int significant_bits(Element type, std::uint64_t bits) {
  const double value = std::abs(value_of(type, bits));
  const auto whole = static_cast<std::uint64_t>(value);
  return whole == 0 ? 0 : static_cast<int>(std::bit_width(whole)) - std::countr_zero(whole);
}

/// "all of them the least or the greatest value of the type", or one bit that is always the same
std::string relation_of_integers(Element type, const std::vector<JudgedResult>& all) {
  const std::uint64_t least = nearest(type, -1e30), greatest = nearest(type, 1e30);
  if (std::ranges::all_of(all,
                          [&](const JudgedResult& w) { return w.actual == least || w.actual == greatest; }))
    return ", all of them the least or the greatest value of the type";
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

/// Sums and products: what the type does not hold wraps by the documents.
bool may_overflow(Op op) {
  constexpr Op kAll[] = {Op::add,       Op::sub,  Op::mul,  Op::adds,  Op::muls,
                         Op::muladddst, Op::axpy, Op::cadd, Op::cgadd, Op::cpadd};
  return std::ranges::find(kAll, op) != std::end(kAll);
}

}  // namespace

bool have_24_bits(const Instruction& insn, Element type, const std::vector<JudgedResult>& all) {
  if (size_of(type) != 4) return false;
  constexpr std::uint32_t kMostLost = 1 << 20;  // by a sum of rounded numbers, which may wrap
  const std::uint64_t least = nearest(type, -1e30), greatest = nearest(type, 1e30);  // where f32 goes beyond
  const auto fits = [&](std::uint64_t bits) {
    return bits == least || bits == greatest || significant_bits(type, bits) <= 24;
  };
  const auto documented =
      std::ranges::count_if(all, [&](const JudgedResult& each) { return fits(each.expected); });
  const auto is_near = [&](const JudgedResult& each) {
    const auto more = static_cast<std::uint32_t>(each.actual - each.expected);
    return std::min(more, 0 - more) <= kMostLost;
  };
  const auto overflows = [&](const JudgedResult& each) {
    return may_overflow(insn.op) && (each.actual == least || each.actual == greatest);
  };
  return 4 * documented < std::ssize(all) && std::ranges::all_of(all, [&](const JudgedResult& each) {
           return fits(each.actual) && (is_near(each) || overflows(each));
         });
}

std::string relation_of(Element type, const std::vector<JudgedResult>& all) {
  if (all.size() > 3 &&
      std::ranges::all_of(all, [&](const JudgedResult& each) { return each.actual == all[0].actual; }))
    return ", all of them " + show_element(type, all[0].actual);
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

}  // namespace lanecheck
