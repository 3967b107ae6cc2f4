// Mutants of how masks are brought along, counted, kept and looked up (SVM, VP, TIK). One mistake breaks
// a rule of each document that asks for the same: the rules of the profile at hand name it.
#include "oracle/execute/machine.h"
#include "oracle/mutants/walk_mutant.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

using Load = void (*)(Register, const Instruction&, const Readings&);
using Counted = unsigned (*)(std::uint64_t total, std::uint64_t repeat, unsigned lanes);
using SetBy = void (*)(Register, const Instruction&);
using Slots = const std::uint8_t* (*)(const Mask&, const Instruction&, unsigned repeat, Mask& scratch);

template <Load How>
void loading(Semantics& s, Op) {
  s.seams.before_compute = How;
}
template <Load How>
void leaving(Semantics& s, Op) {
  s.seams.after_compute = How;
}
template <Counted How>
void counting(Semantics& s, Op) {
  s.seams.counted = How;
}
template <SetBy How>
void setting_by(Semantics& s, Op) {
  s.seams.set_by = How;
}
template <Slots How>
void gating(Semantics& s, Op) {
  s.seams.gates = How;
}

// --- how a mask operand is loaded wrongly ---

/// Contiguous operands of `insn` as if their length were another.
template <class Length>
void load_length(Register reg, Instruction insn, const Readings& readings, Length length) {
  if (insn.mask_from == MaskFrom::contiguous) insn.low = length(insn.low, lanes_of(insn));
  load_operand(reg, insn, readings);
}

constexpr Load kOneLess = [](Register reg, const Instruction& insn, const Readings& r) {
  load_length(reg, insn, r, [](std::uint64_t n, unsigned) { return n - 1; });
};
constexpr Load kOneMore = [](Register reg, const Instruction& insn, const Readings& r) {
  load_length(reg, insn, r, [](std::uint64_t n, unsigned) { return n + 1; });
};
constexpr Load kLast = [](Register reg, const Instruction& insn, const Readings& r) {
  load_operand(reg, insn, r);
  if (insn.mask_from != MaskFrom::contiguous) return;
  for (unsigned lane = 0; lane < std::min(lanes_of(insn), 128u); ++lane)
    reg.mask[lane] = lane + insn.low >= lanes_of(insn);
};
constexpr Load kAtMost64 = [](Register reg, const Instruction& insn, const Readings& r) {
  load_length(reg, insn, r, [](std::uint64_t n, unsigned) { return std::min<std::uint64_t>(n, 64); });
};
constexpr Load kInBytes = [](Register reg, const Instruction& insn, const Readings& r) {
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

std::uint64_t reversed(std::uint64_t word) {
  std::uint64_t result = 0;
  for (unsigned bit = 0; bit < 64; ++bit) result |= (word >> bit & 1) << (63 - bit);
  return result;
}

constexpr Load kSwapped = [](Register reg, const Instruction& insn, const Readings& r) {
  load_words(reg, insn, r, [](std::uint64_t high, std::uint64_t low) { return MaskWords{low, high}; });
};
constexpr Load kReversed = [](Register reg, const Instruction& insn, const Readings& r) {
  load_words(reg, insn, r, [](std::uint64_t high, std::uint64_t low) {
    return MaskWords{reversed(high), reversed(low)};
  });
};
constexpr Load kInverted = [](Register reg, const Instruction& insn, const Readings& r) {
  load_words(reg, insn, r, [](std::uint64_t high, std::uint64_t low) { return MaskWords{~high, ~low}; });
};
constexpr Load kIgnored = [](Register reg, const Instruction& insn, const Readings& r) {
  if (insn.mask_from == MaskFrom::count) load_operand(reg, insn, r);
};
constexpr Load kCountAsLength = [](Register reg, const Instruction& insn, const Readings& r) {
  if (insn.mask_from != MaskFrom::count) return load_operand(reg, insn, r);
  reg.set_words(contiguous_words(insn.low, lanes_of(insn)));
};

// --- how counter mode is walked wrongly ---

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

void count_per_repeat(Semantics& s, Op) {
  s.seams.walk = kGivenRepeats;
  s.seams.counted = kFirstOfEach;
}

// --- how the mask and its mode are kept wrongly ---

constexpr Load kOperandReset = [](Register reg, const Instruction& insn, const Readings& r) {
  leave_after(reg, insn, r);
  if (insn.mask_from == MaskFrom::contiguous || insn.mask_from == MaskFrom::bitwise) reg.all_ones();
};
constexpr Load kUsedOnce = [](Register reg, const Instruction& insn, const Readings& r) {
  leave_after(reg, insn, r);
  if (insn.mask_from == MaskFrom::reg && takes_mask(row_of(insn.op))) reg.all_ones();
};
constexpr Load kStaysCounter = [](Register reg, const Instruction& insn, const Readings& r) {
  leave_after(reg, insn, r);
  if (insn.mask_from == MaskFrom::count) reg.mode = Mode::counter;
};
constexpr Load kStaysCount = [](Register reg, const Instruction& insn, const Readings& r) {
  leave_after(reg, insn, r);
  if (insn.mask_from == MaskFrom::count) reg.set_words({0, insn.low});
};

constexpr SetBy kNoNorm = [](Register reg, const Instruction& insn) {
  if (insn.op != Op::set_mask_norm) set_by(reg, insn);
};
constexpr SetBy kNoCount = [](Register reg, const Instruction& insn) {
  if (insn.op != Op::set_mask_count) set_by(reg, insn);
};
constexpr SetBy kModeResets = [](Register reg, const Instruction& insn) {
  set_by(reg, insn);
  if (row_of(insn.op).form == Form::set_mode) reg.all_ones();
};
constexpr SetBy kLengthChooses = [](Register reg, const Instruction& insn) {
  set_by(reg, insn);
  if (row_of(insn.op).form == Form::set_length)
    reg.mode = insn.op == Op::set_vector_mask_len ? Mode::normal : Mode::counter;
};
constexpr SetBy kLengthOneLess = [](Register reg, const Instruction& insn) {
  Instruction less = insn;
  if (insn.op == Op::set_vector_mask_len) --less.settings[0];
  set_by(reg, less);
};
constexpr SetBy kLengthInBytes = [](Register reg, const Instruction& insn) {
  Instruction shorter = insn;
  if (insn.op == Op::set_vector_mask_len) shorter.settings[0] = (insn.settings[0] + 1) / 2;
  set_by(reg, shorter);
};
constexpr SetBy kTotalAsBits = [](Register reg, const Instruction& insn) {
  if (insn.op != Op::set_vector_mask_total) return set_by(reg, insn);
  reg.set_words(contiguous_words(insn.settings[0], 128));
};
void words_swapped(Semantics& s, Op) {
  s.seams.set_mask = [](Mask& mask, std::uint64_t high, std::uint64_t low) { set_mask(mask, low, high); };
}
void words_reversed(Semantics& s, Op) {
  s.seams.set_mask = [](Mask& mask, std::uint64_t high, std::uint64_t low) {
    set_mask(mask, reversed(high), reversed(low));
  };
}
void reset_does_nothing(Semantics& s, Op) {
  s.seams.reset_mask = [](Register) {};
}
void reset_ends_counter(Semantics& s, Op) {
  s.seams.reset_mask = [](Register reg) {
    reg.all_ones();
    reg.mode = Mode::normal;
  };
}
void mask_lives_in_ub(Semantics& s, Op) {
  s.seams.side_effect = [](Machine& m, const Instruction& insn) {
    if (row_of(insn.op).mask == MaskUse::is_mask_state)
      store(m.ub, ~load<std::uint64_t>(m.ub) ^ mask_word(m.mask, 0));
  };
}

// --- how the mask is looked up wrongly ---

template <class Slot>
const std::uint8_t* remap(Mask& scratch, Slot slot) {
  for (unsigned lane = 0; lane < kMaskSlots; ++lane) scratch[lane] = slot(lane);
  return scratch.data();
}
constexpr Slots kFirstRepeat = [](const Mask& m, const Instruction&, unsigned repeat, Mask&) {
  return repeat == 0 ? m.data() : kFullMask.data();
};
constexpr Slots kRegisterUnseen = [](const Mask& m, const Instruction& insn, unsigned, Mask&) {
  return insn.mask_from == MaskFrom::reg ? kFullMask.data() : m.data();
};
template <unsigned Lanes>
const std::uint8_t* upper_lanes_follow_lower(const Mask& m, const Instruction& insn, unsigned,
                                             Mask& scratch) {
  if (lanes_of(insn) != Lanes) return m.data();
  return remap(scratch, [&](unsigned lane) { return m[lane % (Lanes / 2)]; });
}
void reductions_ignore_mask(Semantics& s, Op) {
  for (const Row& row : instruction_table())
    if (row.mask == MaskUse::neutral_source) s.use[static_cast<std::size_t>(row.op)] = MaskUse::ignores;
}
void zeroes_dst(Semantics& s, Op) {
  s.seams.masked_off_becomes_zero = true;
}

}  // namespace

void add_mask_forms(std::vector<Mutant>& forms) {
  const std::vector<Mutant> more = {
      {"contiguous-one-less",
       "a contiguous mask of n takes n - 1 elements in",
       {"SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
       loading<kOneLess>},
      {"contiguous-one-more",
       "a contiguous mask of n takes n + 1 elements in",
       {"SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
       loading<kOneMore>},
      {"contiguous-last",
       "a contiguous mask of n takes the last n elements of a repeat in",
       {"SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
       loading<kLast>},
      {"contiguous-at-most-64",
       "a contiguous mask above 64 counts as 64",
       {"SVM-1-16bit", "SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
       loading<kAtMost64>},
      {"contiguous-in-bytes",
       "a contiguous mask counts bytes",
       {"SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
       loading<kInBytes>},
      {"operand-swapped",
       "a bitwise mask operand is taken low word first",
       {"SVM-1-bitwise", "TIK-1-list-order", "TIK-1-32bit", "VP-2-bitwise"},
       loading<kSwapped>},
      {"operand-reversed",
       "bit 0 of each word of a mask operand is the last of its 64 elements",
       {"SVM-1-bitwise", "TIK-1-bits", "VP-2-bitwise"},
       loading<kReversed>},
      {"operand-inverted",
       "a bit of 1 in a mask operand masks off",
       {"SVM-1-bitwise", "TIK-1-bits", "VP-2-bitwise"},
       loading<kInverted>},
      {"operand-ignored",
       "a mask operand is ignored, the register is used",
       {"SVM-3-its-own", "VP-2-contiguous", "VP-2-bitwise", "TIK-1-contiguous", "TIK-1-bits"},
       loading<kIgnored>},
      {"count-as-length",
       "a count of elements is taken as the contiguous mask of one repeat",
       {"SVM-2-total", "VP-3-count-write", "TIK-2-counter"},
       loading<kCountAsLength>},
      {"counter-as-bits", "counter mode reads the mask as bits", {"SVM-2-total"}, walking<kCounterAsBits>},
      {"counter-repeat-times",
       "counter mode runs repeat times",
       {"SVM-2-repeats", "TIK-2-counter-repeats"},
       walking<kGivenRepeats>},
      {"counter-per-repeat",
       "counter mode takes the first n elements of every repeat",
       {"SVM-2-total", "SVM-2-repeats", "TIK-2-counter", "TIK-2-counter-repeats"},
       count_per_repeat},
      {"counter-high-word", "counter mode counts by the high word", {"SVM-2-low-word"}, walking<kHighWord>},
      {"counter-one-less",
       "counter mode processes one element less",
       {"SVM-2-total", "VP-3-count-write", "TIK-2-counter"},
       walking<kCountOneLess>},
      {"counter-drops-last-repeat",
       "counter mode leaves out the last repeat where there are several",
       {"SVM-2-repeats", "TIK-2-counter-repeats", "TIK-2-counter"},
       walking<kDropsLastRepeat>},
      {"counter-128-lanes",
       "counter mode infers repeats of 128 elements whatever the type",
       {"SVM-2-repeats", "SVM-1-32bit", "SVM-1-64bit", "TIK-2-counter"},
       walking<kAlways128>},
      {"counter-contiguous",
       "counter mode takes operands as contiguous",
       {"SVM-2-strides"},
       walking<kCounterContiguous>},
      {"counter-rounds-up",
       "counter mode fills the last repeat",
       {"SVM-2-tail", "SVM-2-reductions", "VP-3-count-write", "TIK-2-counter-tail"},
       counting<kWholeRepeats>},
      {"counter-drops-tail",
       "counter mode leaves out a last repeat that is not full",
       {"SVM-2-tail", "VP-3-count-write", "TIK-2-counter-tail"},
       counting<kNoTail>},
      {"operand-reset-after",
       "the register is all ones after an instruction with its own mask",
       {"SVM-4-operand-stays"},
       leaving<kOperandReset>},
      {"mask-used-once", "SetVectorMask holds for one instruction", {"SVM-3-stays"}, leaving<kUsedOnce>},
      {"first-n-stays-counter",
       "the form for the first n elements leaves counter mode on",
       {"SVM-4-first-n-after"},
       leaving<kStaysCounter>},
      {"first-n-leaves-count",
       "the form for the first n elements leaves its count in the register",
       {"SVM-4-first-n-after"},
       leaving<kStaysCount>},
      {"norm-ignored", "SetMaskNorm does nothing", {"SVM-4-norm"}, setting_by<kNoNorm>},
      {"count-ignored", "SetMaskCount does nothing", {"SVM-4-count"}, setting_by<kNoCount>},
      {"mode-resets-mask",
       "SetMaskNorm and SetMaskCount reset the mask",
       {"SVM-4-mode-alone"},
       setting_by<kModeResets>},
      {"length-chooses-mode",
       "SetVectorMask with a length chooses the mode as well",
       {"SVM-4-mask-alone"},
       setting_by<kLengthChooses>},
      {"length-one-less",
       "SetVectorMask(n) switches n - 1 elements on",
       {"SVM-1-length"},
       setting_by<kLengthOneLess>},
      {"length-in-halves",
       "SetVectorMask(n) switches half of the elements on",
       {"SVM-1-length"},
       setting_by<kLengthInBytes>},
      {"total-as-bits",
       "SetVectorMask with a total sets that many bits",
       {"SVM-2-length"},
       setting_by<kTotalAsBits>},
      {"vector-mask-swapped",
       "SetVectorMask takes the low word first",
       {"SVM-1-high-word", "SVM-1-low-word", "SVM-2-low-word"},
       words_swapped},
      {"vector-mask-reversed",
       "SetVectorMask puts bit 0 of each word into the last of its 64 elements",
       {"SVM-1-low-word", "SVM-1-high-word"},
       words_reversed},
      {"reset-does-nothing", "ResetMask does nothing", {"SVM-3-reset"}, reset_does_nothing},
      {"reset-ends-counter", "ResetMask switches to normal mode", {"SVM-3-reset-mode"}, reset_ends_counter},
      {"vector-mask-in-ub", "the mask lives in the first bytes of UB", {"SVM-4-no-data"}, mask_lives_in_ub},
      {"only-first-repeat",
       "repeats after the first ignore the mask",
       {"SVM-1-every-repeat", "VP-2-bitwise", "TIK-3-repeats"},
       gating<kFirstRepeat>},
      {"register-unseen",
       "an instruction without a mask of its own ignores the register",
       {"SVM-3-from-outside", "VP-2-outside"},
       gating<kRegisterUnseen>},
      {"lanes-16bit-wrap",
       "elements 64 to 127 of a 16-bit repeat follow those below",
       {"SVM-1-16bit"},
       gating<upper_lanes_follow_lower<128>>},
      {"lanes-32bit-wrap",
       "elements 32 to 63 of a 32-bit repeat follow those below",
       {"SVM-1-32bit", "TIK-1-32bit"},
       gating<upper_lanes_follow_lower<64>>},
      {"lanes-64bit-wrap",
       "elements 16 to 31 of a 64-bit repeat follow those below",
       {"SVM-1-64bit"},
       gating<upper_lanes_follow_lower<32>>},
      {"off-becomes-zero",
       "an element that does not take part becomes 0",
       {"SVM-1-keeps-dst", "VP-2-mask-write", "TIK-1-keeps-dst"},
       zeroes_dst},
      {"reductions-take-all",
       "reductions take in elements that do not take part",
       {"SVM-1-reductions", "SVM-2-reductions"},
       reductions_ignore_mask},
  };
  forms.insert(forms.end(), more.begin(), more.end());
}

}  // namespace lanecheck
