// Mutants of how TIK walks over operands.
#include <algorithm>

#include "oracle/mutants/replace_seam.h"

namespace lanecheck {
namespace {

template <class Change>
ResolvedInstruction changed(const Instruction& insn, Mode mode, const Mask& mask, const Readings& r,
                            Change change) {
  ResolvedInstruction here = documented_walk(insn, mode, mask, r);
  if (row_of(insn.op).mask == MaskUse::gates_writeback) change(here.insn);
  return here;
}
constexpr Walker kZeroRunsOnce = [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  return changed(insn, mode, mask, r, [](Instruction& x) { x.repeat = std::max(x.repeat, 1u); });
};
constexpr Walker kOneRepeatLess = [](const Instruction& insn, Mode mode, const Mask& mask,
                                     const Readings& r) {
  return changed(insn, mode, mask, r, [](Instruction& x) { x.repeat -= x.repeat > 1 ? 1 : 0; });
};
constexpr Walker kRepeatsInARow = [](const Instruction& insn, Mode mode, const Mask& mask,
                                     const Readings& r) {
  return changed(insn, mode, mask, r, [](Instruction& x) {
    for (Operand& operand : x.operands) operand.repeat_stride = kRepeatBlocks;
  });
};
constexpr Walker kBlockStride2 = [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  return changed(insn, mode, mask, r, [](Instruction& x) { x.operands[0].block_stride = 2; });
};
bool in_place(const Instruction& insn) {
  return row_of(insn.op).operands.size() > 1 && insn.operands[0] == insn.operands[1];
}
constexpr Walker kNotInPlace = [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  return changed(insn, mode, mask, r, [](Instruction& x) { x.repeat = in_place(x) ? 0 : x.repeat; });
};
constexpr Walker kInPlaceOnce = [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  return changed(insn, mode, mask, r,
                 [](Instruction& x) { x.repeat = in_place(x) ? std::min(x.repeat, 1u) : x.repeat; });
};

constexpr MutantRow kTikMutants[] = {
    {"zero-repeats-run-once",
     "repeat times of 0 run once",
     {"TIK-3-scalar-zero"},
     replace_seam<&Seams::walk, kZeroRunsOnce>},
    {"one-repeat-less",
     "the last repeat is not done",
     {"TIK-3-repeats", "TIK-2-counter"},
     replace_seam<&Seams::walk, kOneRepeatLess>},
    {"repeats-in-a-row",
     "repeat strides are ignored",
     {"TIK-4-stride"},
     replace_seam<&Seams::walk, kRepeatsInARow>},
    {"dst-block-stride-2",
     "data blocks of dst lie two blocks apart",
     {"TIK-4-block-row"},
     replace_seam<&Seams::walk, kBlockStride2>},
    {"not-in-place",
     "an instruction in place writes nothing",
     {"TIK-5-in-place", "TIK-5-in-place-repeats"},
     replace_seam<&Seams::walk, kNotInPlace>},
    {"in-place-once",
     "an instruction in place does its first repeat only",
     {"TIK-5-in-place-repeats"},
     replace_seam<&Seams::walk, kInPlaceOnce>},
};

}  // namespace

void add_tik_mutants(std::vector<Mutant>& list) {
  add_rows(list, kTikMutants);
}

}  // namespace lanecheck
