#include <algorithm>

#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/trials/single_repeats.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::uint32_t kMaxRepeatStride = 255;  // of the profiles that have a limit

/// The product of a repeat's number and the repeat stride is kept in a field of `bits` bits.
Distance in_few_bits(unsigned bits) {
  return [bits](const Instruction& insn, unsigned k, unsigned r) {
    return step_with(insn, k, (r * insn.operands[k].repeat_stride) & ((1U << bits) - 1));
  };
}

/// One instruction for each repeat; the distances of `operands` are kept in a field of `bits` bits.
std::vector<Instruction> with_few_bits(const Instruction& insn, const std::vector<unsigned>& operands,
                                       unsigned bits) {
  std::vector<Instruction> repeats = one_for_each_repeat(insn, operands[0], in_few_bits(bits));
  for (unsigned r = 0; r < repeats.size(); ++r)
    for (const unsigned k : operands)
      repeats[r].operands[k].offset = insn.operands[k].offset + in_few_bits(bits)(insn, k, r);
  return repeats;
}

/// Repeat times and strides whose product is greater than a field of `bits` bits holds.
std::vector<std::pair<std::uint32_t, std::uint32_t>> more_than_fits(unsigned bits) {
  const std::uint32_t size = 1U << bits;
  if (size - 3 <= kMaxRepeatStride)
    return {{9, size / 8 + 3}, {5, size / 2 - 1}, {4, size / 3 + 2},
            {3, size - 3},     {2, size + 1},     {2, size - 1}};
  return {{size / 255 + 2, 255}, {size / 200 + 3, 200}, {size / 131 + 2, 131}};
}

/// Does the backend leave what such a field gives, where the product is greater than it holds?
bool shows_few_bits(const Subject& subject, const std::vector<unsigned>& operands, unsigned bits,
                    const Ask& ask) {
  unsigned shown = 0, seed = 40;
  for (const auto& [repeat, stride] : more_than_fits(bits)) {
    Subject fresh = subject;
    fresh.insn.repeat = repeat;
    for (const unsigned k : operands) fresh.insn.operands[k].repeat_stride = stride;
    const auto trial = run_trial(fresh, full_mask(fresh), ++seed, ask);
    if (!trial) continue;
    if (left_by(*trial, with_few_bits(trial->placed(), operands, bits)) != trial->actual) return false;
    shown += trial->is_right() ? 0 : 1;
  }
  return shown >= 2;
}

}  // namespace

std::optional<Difference> distance_in_few_bits(const ShapeTrial& first, const Ask& ask) {
  const Instruction& insn = first.placed();
  if (!has_repeats_apart(insn)) return {};
  std::vector<std::vector<unsigned>> choices;  // each operand alone, then all
  std::vector<unsigned> all;
  for (unsigned k = 0; k < operands_of(insn); ++k) {
    if (!has_stride(insn, k, &Operand::repeat_stride)) continue;
    choices.push_back({k});
    all.push_back(k);
  }
  if (all.size() > 1) choices.push_back(all);
  for (const std::vector<unsigned>& operands : choices) {
    std::uint32_t farthest = 0;
    for (const unsigned k : operands)
      farthest = std::max(farthest, (repeats_of(insn) - 1) * insn.operands[k].repeat_stride);
    for (unsigned bits = 3; farthest >> bits != 0; ++bits) {
      if (left_by(first, with_few_bits(insn, operands, bits)) != first.actual) continue;
      if (!shows_few_bits(first.subject, operands, bits, ask)) continue;
      const bool one = operands.size() == 1;
      const std::string lowest = " only the lowest " + std::to_string(bits) + " bits of r * ",
                        of = one ? role_of(insn, operands[0]) + " uses"
                                 : "all operands of " + mnemonic(insn) + " use",
                        in = " in repeat r (counted from 0)";
      Difference law{one ? map_of_role(row_of(insn.op).operands[operands[0]].role) : MapKind::dst,
                     of + lowest + (one ? "its repeat stride" : "their repeat strides") + in,
                     {}};
      law.key = "strides: uses" + lowest + "its repeat stride" + in;  // the operands may share the code
      law.of_all_shapes = true;
      law.of_any_operand = one;
      return law;
    }
  }
  return {};
}

}  // namespace lanecheck
