// Mutants of vpadding (VP).
#include "oracle/mutants/replace_seam.h"

namespace lanecheck {
namespace {

template <PadFrom With>
void padding_from(Semantics& s) {
  s.seams.pad_from = With;
}
template <unsigned Mode, unsigned Side>
unsigned unmirrored(unsigned mode, unsigned side, unsigned lane, unsigned per) {
  if (mode != Mode || side != Side) return pad_from(mode, side, lane, per);
  if (mode == 0) return side == 0 ? 1 : per - 2;
  return mode == 1 ? lane : pad_from(1, side, lane, per);
}
constexpr PadFrom kCopies = [](unsigned mode, unsigned side, unsigned lane, unsigned per) {
  return mode == 1 ? lane : pad_from(mode, side, lane, per);
};
constexpr PadFrom kEdgeForZero = [](unsigned mode, unsigned side, unsigned lane, unsigned per) {
  const unsigned from = pad_from(mode, side, lane, per);
  return from == per ? (side == 0 ? 0 : per - 1) : from;
};
void pads_repeats(Semantics& s) {
  s.seams.pads_repeats = true;
}
void mask_gates_reads(Semantics& s) {
  s.seams.mask_gates_reads = true;
}
constexpr Walker kPadContiguous = [](const Instruction& insn, Mode mode, const Mask& mask,
                                     const Readings& r) {
  ResolvedInstruction here = documented_walk(insn, mode, mask, r);
  if (insn.op != Op::vpadding) return here;
  for (unsigned k = 0; k < 2; ++k) {
    here.insn.operands[k].block_stride = 1;
    here.insn.operands[k].repeat_stride = kRepeatBlocks;
  }
  return here;
};

constexpr MutantRow kPaddingMutants[] = {
    {"pad-0-left-second",
     "padMode 0 on the left takes the second element",
     {"VP-1-mode-0-left"},
     padding_from<unmirrored<0, 0>>},
    {"pad-0-right-second",
     "padMode 0 on the right takes the last element but one",
     {"VP-1-mode-0-right"},
     padding_from<unmirrored<0, 1>>},
    {"pad-1-left-copies",
     "padMode 1 on the left copies without mirroring",
     {"VP-1-mode-1-left"},
     padding_from<unmirrored<1, 0>>},
    {"pad-1-right-copies",
     "padMode 1 on the right copies without mirroring",
     {"VP-1-mode-1-right"},
     padding_from<unmirrored<1, 1>>},
    {"pad-1-copies",
     "padMode 1 copies without mirroring, on both sides",
     {"VP-1-mode-1-left", "VP-1-mode-1-right"},
     padding_from<kCopies>},
    {"pad-2-left-keeps-edge",
     "padMode 2 on the left keeps the first element",
     {"VP-1-mode-2-left", "VP-1-zero"},
     padding_from<unmirrored<2, 0>>},
    {"pad-2-right-keeps-edge",
     "padMode 2 on the right keeps the last element",
     {"VP-1-mode-2-right", "VP-1-zero"},
     padding_from<unmirrored<2, 1>>},
    {"pad-2-edge-for-zero",
     "padMode 2 puts the discarded element where 0 belongs",
     {"VP-1-zero"},
     padding_from<kEdgeForZero>},
    {"pads-repeats", "a repeat is padded as a whole", {"VP-1-by-block"}, pads_repeats},
    {"pad-mask-gates-reads",
     "an element that is off is read as 0",
     {"VP-2-mask-read", "VP-3-count-read"},
     mask_gates_reads},
    {"pad-contiguous",
     "padding ignores its strides",
     {"VP-4-strides"},
     replace_seam<&Seams::walk, kPadContiguous>},
};

}  // namespace

void add_padding_mutants(std::vector<Mutant>& list) {
  add_rows(list, kPaddingMutants);
}

}  // namespace lanecheck
