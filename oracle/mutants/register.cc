// Mutants of how the register and its mode are set, kept and reset (SVM).
#include "oracle/mutants/replace_seam.h"

namespace lanecheck {
namespace {

constexpr MaskHook kOperandReset = [](Register reg, const Instruction& insn, const Readings& r) {
  leave_after(reg, insn, r);
  if (insn.mask_from == MaskFrom::contiguous || insn.mask_from == MaskFrom::bitwise) reg.all_ones();
};
constexpr MaskHook kUsedOnce = [](Register reg, const Instruction& insn, const Readings& r) {
  leave_after(reg, insn, r);
  if (insn.mask_from == MaskFrom::reg && takes_mask(row_of(insn.op))) reg.all_ones();
};
constexpr MaskHook kStaysCounter = [](Register reg, const Instruction& insn, const Readings& r) {
  leave_after(reg, insn, r);
  if (insn.mask_from == MaskFrom::count) reg.mode = Mode::counter;
};
constexpr MaskHook kStaysCount = [](Register reg, const Instruction& insn, const Readings& r) {
  leave_after(reg, insn, r);
  if (insn.mask_from == MaskFrom::count) reg.set_words({0, insn.low});
};

constexpr MaskHook kNoNorm = [](Register reg, const Instruction& insn, const Readings& r) {
  if (insn.op != Op::set_mask_norm) set_by(reg, insn, r);
};
constexpr MaskHook kNoCount = [](Register reg, const Instruction& insn, const Readings& r) {
  if (insn.op != Op::set_mask_count) set_by(reg, insn, r);
};
constexpr MaskHook kModeResets = [](Register reg, const Instruction& insn, const Readings& r) {
  set_by(reg, insn, r);
  if (insn.op == Op::set_mask_norm || insn.op == Op::set_mask_count) reg.all_ones();
};
constexpr MaskHook kLengthChooses = [](Register reg, const Instruction& insn, const Readings& r) {
  set_by(reg, insn, r);
  if (insn.op == Op::set_vector_mask_len) reg.mode = Mode::normal;
  if (insn.op == Op::set_vector_mask_total) reg.mode = Mode::counter;
};
constexpr MaskHook kLengthOneLess = [](Register reg, const Instruction& insn, const Readings& r) {
  Instruction less = insn;
  if (insn.op == Op::set_vector_mask_len) --less.settings[0];
  set_by(reg, less, r);
};
constexpr MaskHook kLengthInBytes = [](Register reg, const Instruction& insn, const Readings& r) {
  Instruction shorter = insn;
  if (insn.op == Op::set_vector_mask_len) shorter.settings[0] = (insn.settings[0] + 1) / 2;
  set_by(reg, shorter, r);
};
constexpr MaskHook kTotalAsBits = [](Register reg, const Instruction& insn, const Readings& r) {
  if (insn.op != Op::set_vector_mask_total) return set_by(reg, insn, r);
  reg.set_words(contiguous_words(insn.settings[0], 128, r.full_length));
};
void reset_does_nothing(Semantics& s) {
  s.seams.reset_mask = [](Register) {};
}
void reset_ends_counter(Semantics& s) {
  s.seams.reset_mask = [](Register reg) {
    reg.all_ones();
    reg.mode = Mode::normal;
  };
}
void mask_lives_in_ub(Semantics& s) {
  s.seams.side_effect = [](Machine& m, const Instruction& insn) {
    if (row_of(insn.op).mask == MaskUse::is_mask_state)
      store(m.ub, ~load<std::uint64_t>(m.ub) ^ mask_word(m.mask, 0));
  };
}

constexpr MutantRow kRegisterMutants[] = {
    {"operand-reset-after",
     "the register is all ones after an instruction with its own mask",
     {"SVM-4-operand-stays"},
     replace_seam<&Seams::after_compute, kOperandReset>},
    {"mask-used-once",
     "SetVectorMask holds for one instruction",
     {"SVM-3-stays"},
     replace_seam<&Seams::after_compute, kUsedOnce>},
    {"first-n-stays-counter",
     "the form for the first n elements leaves counter mode on",
     {"SVM-4-first-n-after"},
     replace_seam<&Seams::after_compute, kStaysCounter>},
    {"first-n-leaves-count",
     "the form for the first n elements leaves its count in the register",
     {"SVM-4-first-n-after"},
     replace_seam<&Seams::after_compute, kStaysCount>},
    {"norm-ignored", "SetMaskNorm does nothing", {"SVM-4-norm"}, replace_seam<&Seams::set_by, kNoNorm>},
    {"count-ignored", "SetMaskCount does nothing", {"SVM-4-count"}, replace_seam<&Seams::set_by, kNoCount>},
    {"mode-resets-mask",
     "SetMaskNorm and SetMaskCount reset the mask",
     {"SVM-4-mode-alone"},
     replace_seam<&Seams::set_by, kModeResets>},
    {"length-chooses-mode",
     "SetVectorMask with a length chooses the mode as well",
     {"SVM-4-mask-alone"},
     replace_seam<&Seams::set_by, kLengthChooses>},
    {"length-one-less",
     "SetVectorMask(n) switches n - 1 elements on",
     {"SVM-1-length"},
     replace_seam<&Seams::set_by, kLengthOneLess>},
    {"length-in-halves",
     "SetVectorMask(n) switches half of the elements on",
     {"SVM-1-length"},
     replace_seam<&Seams::set_by, kLengthInBytes>},
    {"total-as-bits",
     "SetVectorMask with a total sets that many bits",
     {"SVM-2-length"},
     replace_seam<&Seams::set_by, kTotalAsBits>},
    {"vector-mask-swapped",
     "SetVectorMask takes the low word first",
     {"SVM-1-high-word", "SVM-1-low-word", "SVM-2-low-word"},
     replace_seam<&Seams::set_mask, set_swapped>},
    {"vector-mask-reversed",
     "SetVectorMask puts bit 0 of each word into the last of its 64 elements",
     {"SVM-1-low-word", "SVM-1-high-word"},
     replace_seam<&Seams::set_mask, set_reversed>},
    {"reset-does-nothing", "ResetMask does nothing", {"SVM-3-reset"}, reset_does_nothing},
    {"reset-ends-counter", "ResetMask switches to normal mode", {"SVM-3-reset-mode"}, reset_ends_counter},
    {"vector-mask-in-ub", "the mask lives in the first bytes of UB", {"SVM-4-no-data"}, mask_lives_in_ub},
};

}  // namespace

void add_register_mutants(std::vector<Mutant>& list) {
  add_rows(list, kRegisterMutants);
}

}  // namespace lanecheck
