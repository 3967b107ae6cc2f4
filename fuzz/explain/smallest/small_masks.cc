#include "fuzz/explain/smallest/small_masks.h"

#include <algorithm>

#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

// As bits lanes 0 and 3 or lanes 0 to 2, as a count the first 9 or 7 elements.
constexpr std::uint64_t kLow = 9, kLength = 3;

void take_small_mask(Instruction& insn) {
  if (insn.mask_from == MaskFrom::contiguous) insn.low = kLength;
  if (insn.mask_from == MaskFrom::bitwise || insn.op == Op::set_vector_mask) insn.high = 0, insn.low = kLow;
}

/// Is the mask that it brings a small count, too?
bool is_small(const Instruction& insn) {
  if (insn.mask_from == MaskFrom::contiguous) return insn.low < 7;
  const bool has_words = insn.mask_from == MaskFrom::bitwise || insn.op == Op::set_vector_mask;
  return !has_words || (insn.low & 0xffffffffu) < 64;  // the high word is no part of a count
}

/// Are bytes of UB wrong that are no elements of dst, after the first instruction that diverges?
bool leads_outside_of_dst(const Program& program, AskedBackend& asked, const Documented& documented) {
  Finding finding;
  finding.program = program;
  locate(finding, asked, documented);
  return !finding.outside.empty();
}

}  // namespace

bool has_small_masks(const Program& program) {
  return std::ranges::all_of(program.instructions, is_small);
}

std::optional<Program> with_small_masks(const Program& program, AskedBackend& asked,
                                        const Documented& documented) {
  Program small = program;
  for (Instruction& insn : small.instructions) take_small_mask(insn);
  const auto leads_outside = [&] {
    return leads_outside_of_dst(program, asked, documented) || reads_behind_ub(program, asked);
  };
  if (small == program || find_fault(small, documented.readings()) || !leads_outside() ||
      !diverges(asked.ask(small), small, documented, asked.shown()) ||
      leads_outside_of_dst(small, asked, documented))
    return {};
  return small;
}

}  // namespace lanecheck
