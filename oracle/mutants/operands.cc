// Mutants of how a mask operand goes into the register (SVM, VP, TIK). One mistake breaks a rule of each
// document that asks for the same; the rules of the profile at hand name it.
#include <algorithm>

#include "oracle/mutants/replace_seam.h"

namespace lanecheck {
namespace {

/// Contiguous operands of `insn` as if their length were another.
template <class Length>
void load_length(Register reg, Instruction insn, const Readings& readings, Length length) {
  if (insn.mask_from == MaskFrom::contiguous) insn.low = length(insn.low, lanes_of(insn));
  load_operand(reg, insn, readings);
}

constexpr MaskHook kOneLess = [](Register reg, const Instruction& insn, const Readings& r) {
  load_length(reg, insn, r, [](std::uint64_t n, unsigned) { return n - 1; });
};
constexpr MaskHook kOneMore = [](Register reg, const Instruction& insn, const Readings& r) {
  load_length(reg, insn, r, [](std::uint64_t n, unsigned) { return n + 1; });
};
constexpr MaskHook kLast = [](Register reg, const Instruction& insn, const Readings& r) {
  load_operand(reg, insn, r);
  if (insn.mask_from != MaskFrom::contiguous) return;
  for (unsigned lane = 0; lane < std::min(lanes_of(insn), 128u); ++lane)
    reg.mask[lane] = lane + insn.low >= lanes_of(insn);
};
constexpr MaskHook kAtMost64 = [](Register reg, const Instruction& insn, const Readings& r) {
  load_length(reg, insn, r, [](std::uint64_t n, unsigned) { return std::min<std::uint64_t>(n, 64); });
};
constexpr MaskHook kInBytes = [](Register reg, const Instruction& insn, const Readings& r) {
  load_length(reg, insn, r, [&](std::uint64_t n, unsigned) {
    return (n + size_of(insn.dst_type) - 1) / size_of(insn.dst_type);
  });
};

template <class Change>
void load_words(Register reg, const Instruction& insn, const Readings& readings, Change change) {
  load_operand(reg, insn, readings);
  if (insn.mask_from == MaskFrom::bitwise && reg.mode == Mode::normal)
    reg.set_words(change(insn.high, insn.low));
}

/// In counter mode as well: the count is then the high word, which is 0.
constexpr MaskHook kSwapped = [](Register reg, const Instruction& insn, const Readings& r) {
  load_operand(reg, insn, r);
  if (insn.mask_from == MaskFrom::bitwise) reg.set_words({insn.low, insn.high});
};
constexpr MaskHook kReversed = [](Register reg, const Instruction& insn, const Readings& r) {
  load_words(reg, insn, r, [](std::uint64_t high, std::uint64_t low) {
    return MaskWords{reversed(high), reversed(low)};
  });
};
constexpr MaskHook kInvertedOperand = [](Register reg, const Instruction& insn, const Readings& r) {
  load_words(reg, insn, r, [](std::uint64_t high, std::uint64_t low) { return MaskWords{~high, ~low}; });
};
constexpr MaskHook kIgnored = [](Register reg, const Instruction& insn, const Readings& r) {
  if (insn.mask_from == MaskFrom::count) load_operand(reg, insn, r);
};
constexpr MaskHook kCountAsLength = [](Register reg, const Instruction& insn, const Readings& r) {
  if (insn.mask_from != MaskFrom::count) return load_operand(reg, insn, r);
  reg.set_words(contiguous_words(insn.low, lanes_of(insn), r.full_length));
};

constexpr MutantRow kOperandMutants[] = {
    {"contiguous-one-less",
     "a contiguous mask of n takes n - 1 elements in",
     {"SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
     replace_seam<&Seams::before_compute, kOneLess>},
    {"contiguous-one-more",
     "a contiguous mask of n takes n + 1 elements in",
     {"SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
     replace_seam<&Seams::before_compute, kOneMore>},
    {"contiguous-last",
     "a contiguous mask of n takes the last n elements of a repeat in",
     {"SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
     replace_seam<&Seams::before_compute, kLast>},
    {"contiguous-at-most-64",
     "a contiguous mask above 64 counts as 64",
     {"SVM-1-16bit", "SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
     replace_seam<&Seams::before_compute, kAtMost64>},
    {"contiguous-in-bytes",
     "a contiguous mask counts bytes",
     {"SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
     replace_seam<&Seams::before_compute, kInBytes>},
    {"operand-swapped",
     "the two words of a bitwise mask operand are exchanged: high is for slots 0..63, low for 64..127",
     {"SVM-1-bitwise", "TIK-1-list-order", "TIK-1-32bit", "VP-2-bitwise"},
     replace_seam<&Seams::before_compute, kSwapped>},
    {"operand-reversed",
     "bit 0 of each word of a mask operand is the last of its 64 elements",
     {"SVM-1-bitwise", "TIK-1-bits", "VP-2-bitwise"},
     replace_seam<&Seams::before_compute, kReversed>},
    {"operand-inverted",
     "a bit of 1 in a mask operand masks off",
     {"SVM-1-bitwise", "TIK-1-bits", "VP-2-bitwise"},
     replace_seam<&Seams::before_compute, kInvertedOperand>},
    {"operand-ignored",
     "a mask operand is ignored, the register is used",
     {"SVM-3-its-own", "VP-2-contiguous", "VP-2-bitwise", "TIK-1-contiguous", "TIK-1-bits"},
     replace_seam<&Seams::before_compute, kIgnored>},
    {"count-as-length",
     "a count of elements is taken as the contiguous mask of one repeat",
     {"SVM-2-total", "VP-3-count-write", "TIK-2-counter"},
     replace_seam<&Seams::before_compute, kCountAsLength>},
};

}  // namespace

void add_operand_mutants(std::vector<Mutant>& list) {
  add_rows(list, kOperandMutants);
}

}  // namespace lanecheck
