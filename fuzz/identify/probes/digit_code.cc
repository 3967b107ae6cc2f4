#include "fuzz/identify/probes/digit_code.h"

#include <algorithm>
#include <cmath>

#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {

std::uint64_t digit_bits(const Instruction& insn, unsigned digit) {
  const double value = digit + 1;
  if (insn.op == Op::shr) {  // a shift to the right by few bits leaves the digit
    const unsigned free = 8 * size_of(insn.src_type) - 6;
    return nearest(insn.src_type, value) << std::min<std::uint32_t>(insn.settings[0], free);
  }
  return nearest(insn.src_type, insn.op == Op::exp ? value / 4 : value);
}

std::uint64_t partner_bits(const Instruction& insn) {
  const Element type = insn.src_type;
  const bool keeps_ones = insn.op == Op::vand;
  if (keeps_ones) return all_bits(type);
  if (insn.op == Op::vmin) return nearest(type, 100);
  return nearest(type, insn.op == Op::vmax || insn.op == Op::vor ? 0 : 1);
}

std::uint64_t old_dst_bits(const Instruction& insn, unsigned byte) {
  if (insn.op == Op::fusedmuladd) return nearest(insn.dst_type, 1);
  // Not 0: a lane that becomes 0 then differs from one that keeps its old dst.
  if (row_of(insn.op).reads_dst) return nearest(insn.dst_type, 32);
  std::uint64_t bits = 0;
  for (unsigned n = 0; n < size_of(insn.dst_type); ++n) bits = bits << 8 | byte;
  return bits;
}

std::optional<unsigned> DigitTable::digit_of(Element type, std::uint64_t bits) const {
  for (unsigned digit = 0; digit < kDigits; ++digit)
    if (results[digit] == bits) return digit;
  if (exact) return {};
  const double value = value_of(type, bits);
  for (unsigned digit = 0; digit < kDigits; ++digit) {
    const double result = value_of(type, results[digit]);
    double gap = std::abs(result) + 1;
    for (unsigned other = 0; other < kDigits; ++other)
      if (other != digit) gap = std::min(gap, std::abs(value_of(type, results[other]) - result));
    if (std::abs(value - result) < gap / 4) return digit;
  }
  return {};
}

std::optional<DigitTable> digit_table(const Subject& subject, unsigned k) {
  const Subject plain = in_a_row(subject, 1);
  const auto layout = lay_out(plain);
  if (!layout) return {};
  const auto program = probe_program(plain, *layout, full_mask(plain));
  if (!program) return {};
  const Row& row = row_of(plain.insn.op);
  for (const unsigned sentinel : {0xb5u, 0x35u, 0x6bu}) {
    DigitTable table;
    table.exact = row.tolerance == Tolerance::exact;
    table.old = old_dst_bits(plain.insn, sentinel);
    Program probe = *program;
    fill_region(probe, layout->regions[0], plain.insn.dst_type, table.old);
    for (unsigned other = 1; other < row.operands.size(); ++other)
      fill_region(probe, layout->regions[other], plain.insn.src_type, partner_bits(plain.insn));
    const std::uint32_t from = layout->regions[k].margin / size_of(plain.insn.src_type);
    for (unsigned digit = 0; digit < kDigits; ++digit)
      put_element(probe, layout->regions[k], plain.insn.src_type, from + digit,
                  digit_bits(plain.insn, digit));
    const Answers answers = ask_all(ask_oracle(), {&probe, 1});
    if (!answers.why_not.empty()) return {};
    for (unsigned digit = 0; digit < kDigits; ++digit)
      table.results[digit] = get_element(answers.states[0].ub, layout->regions[0], plain.insn.dst_type,
                                         layout->regions[0].margin / size_of(plain.insn.dst_type) + digit);
    auto sorted = table.results;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) return {};
    if (!std::ranges::binary_search(sorted, table.old)) return table;
  }
  return {};
}

}  // namespace lanecheck
