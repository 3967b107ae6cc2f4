// Mutants of counter mode: how many repeats and elements an instruction walks over (SVM, VP, TIK).
#include <algorithm>

#include "oracle/mutants/replace_seam.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

bool counts(const Instruction& insn, Mode mode) {
  return mode == Mode::counter && takes_mask(row_of(insn.op));
}

constexpr Walker kCounterAsBits = [](const Instruction& insn, Mode, const Mask& mask, const Readings& r) {
  return documented_walk(insn, Mode::normal, mask, r);
};
constexpr Walker kGivenRepeats = [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  ResolvedInstruction here = documented_walk(insn, mode, mask, r);
  if (counts(insn, mode)) here.insn.repeat = insn.repeat;
  return here;
};
constexpr Walker kHighWord = [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  return resolve(insn, mode, static_cast<std::uint32_t>(mask_word(mask, counts(insn, mode) ? 1 : 0)), r);
};
constexpr Walker kCountOneLess = [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  ResolvedInstruction here = documented_walk(insn, mode, mask, r);
  if (counts(insn, mode) && here.total > 0) --here.total;
  return here;
};
constexpr Walker kDropsLastRepeat = [](const Instruction& insn, Mode mode, const Mask& mask,
                                       const Readings& r) {
  ResolvedInstruction here = documented_walk(insn, mode, mask, r);
  if (!counts(insn, mode) || here.insn.repeat < 2) return here;
  here.total = --here.insn.repeat * std::uint64_t{lanes_of(insn)};
  return here;
};
constexpr Walker kAlways128 = [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  ResolvedInstruction here = documented_walk(insn, mode, mask, r);
  if (counts(insn, mode)) here.insn.repeat = static_cast<std::uint32_t>((here.total + 127) / 128);
  return here;
};
constexpr Walker kCounterContiguous = [](const Instruction& insn, Mode mode, const Mask& mask,
                                         const Readings& r) {
  ResolvedInstruction here = documented_walk(insn, mode, mask, r);
  if (!counts(insn, mode)) return here;
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
    if (row_of(insn.op).operands[k].walk == Walk::blocks) {
      const unsigned size = size_of(operand_type(insn, row_of(insn.op).operands[k]));
      here.insn.operands[k].block_stride = 1;
      here.insn.operands[k].repeat_stride = lanes_of(insn) * size / kBlockBytes;
    }
  return here;
};

constexpr Counted kFirstOfEach = [](std::uint64_t total, std::uint64_t, unsigned lanes) {
  return static_cast<unsigned>(std::min<std::uint64_t>(total, lanes));
};
constexpr Counted kWholeRepeats = [](std::uint64_t, std::uint64_t, unsigned lanes) { return lanes; };
constexpr Counted kNoTail = [](std::uint64_t total, std::uint64_t repeat, unsigned lanes) {
  return total < (repeat + 1) * lanes ? 0 : lanes;
};

void count_per_repeat(Semantics& s) {
  s.seams.walk = kGivenRepeats;
  s.seams.counted = kFirstOfEach;
}

constexpr MutantRow kCounterMutants[] = {
    {"counter-as-bits",
     "counter mode reads the mask as bits",
     {"SVM-2-total"},
     replace_seam<&Seams::walk, kCounterAsBits>},
    {"counter-repeat-times",
     "counter mode runs no more than its repeat times",
     {"SVM-2-repeats", "TIK-2-counter-repeats"},
     replace_seam<&Seams::walk, kGivenRepeats>},
    {"counter-per-repeat",
     "counter mode takes the first n elements of every repeat",
     {"SVM-2-total", "SVM-2-repeats", "TIK-2-counter", "TIK-2-counter-repeats"},
     count_per_repeat},
    {"counter-high-word",
     "counter mode counts by the high word",
     {"SVM-2-low-word"},
     replace_seam<&Seams::walk, kHighWord>},
    {"counter-one-less",
     "counter mode processes one element less",
     {"SVM-2-total", "VP-3-count-write", "TIK-2-counter"},
     replace_seam<&Seams::walk, kCountOneLess>},
    {"counter-drops-last-repeat",
     "counter mode leaves out the last repeat where there are several",
     {"SVM-2-repeats", "TIK-2-counter-repeats", "TIK-2-counter"},
     replace_seam<&Seams::walk, kDropsLastRepeat>},
    {"counter-128-lanes",
     "counter mode infers repeats of 128 elements whatever the type",
     {"SVM-2-repeats", "SVM-1-32bit", "SVM-1-64bit", "TIK-2-counter"},
     replace_seam<&Seams::walk, kAlways128>},
    {"counter-contiguous",
     "counter mode takes operands as contiguous",
     {"SVM-2-strides"},
     replace_seam<&Seams::walk, kCounterContiguous>},
    {"counter-rounds-up",
     "counter mode fills the last repeat",
     {"SVM-2-tail", "SVM-2-reductions", "VP-3-count-write", "TIK-2-counter-tail"},
     replace_seam<&Seams::counted, kWholeRepeats>},
    {"counter-drops-tail",
     "counter mode leaves out a last repeat that is not full",
     {"SVM-2-tail", "VP-3-count-write", "TIK-2-counter-tail"},
     replace_seam<&Seams::counted, kNoTail>},
};

}  // namespace

void add_counter_mutants(std::vector<Mutant>& list) {
  add_rows(list, kCounterMutants);
}

}  // namespace lanecheck
