// Instructions that set the vector mask, its mode or the compare mask (VMC 2, SVM). What they do to the
// register is written in spec/mask/mask_register.h.
#include <cstring>

#include "oracle/execute/kernel.h"

namespace lanecheck {
namespace {

void set_mask_words(Machine& m, const Instruction& insn) {
  const MaskWords words = words_set_by(insn, m.mode, m.reg().high_word(), m.semantics.readings);
  m.semantics.seams.set_mask(m.mask, words.high, words.low);
}

void reset(Machine& m, const Instruction&) {
  m.semantics.seams.reset_mask(m.reg());
}

/// SetVectorMask with a length, SetMaskNorm, SetMaskCount.
void set_length_or_mode(Machine& m, const Instruction& insn) {
  m.semantics.seams.set_by(m.reg(), insn, m.semantics.readings);
}

/// Deprecated in VMC (5), where nothing reads the compare mask.
void set_cmpmask(Machine& m, const Instruction& insn) {
  std::memcpy(m.cmpmask.data(), m.at(insn.operands[0]), m.cmpmask.size());
}

void get_cmpmask(Machine& m, const Instruction& insn) {
  std::memcpy(m.at(insn.operands[0]), m.cmpmask.data(), m.cmpmask.size());
}

constexpr KernelRow kMaskCallKernels[] = {
    {Op::set_mask, set_mask_words},
    {Op::set_vector_mask, set_mask_words},
    {Op::reset_mask, reset},
    {Op::set_vector_mask_len, set_length_or_mode},
    {Op::set_vector_mask_total, set_length_or_mode},
    {Op::set_mask_norm, set_length_or_mode},
    {Op::set_mask_count, set_length_or_mode},
    {Op::set_cmpmask, set_cmpmask},
    {Op::get_cmpmask, get_cmpmask},
};

}  // namespace

std::span<const KernelRow> mask_call_kernels() {
  return kMaskCallKernels;
}

}  // namespace lanecheck
