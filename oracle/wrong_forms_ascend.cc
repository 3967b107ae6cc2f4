// Wrong forms of the rules of SVM, GM, VP and TIK. One mistake breaks a rule of each document that asks for
// the same: the rules of the profile at hand name it.
#include "oracle/machine.h"
#include "oracle/wrong_form_list.h"
#include "spec/footprint.h"

namespace lanecheck {
namespace {

using Load = void (*)(Register, const Instruction&, const Readings&);
using Walker = Effective (*)(const Instruction&, Mode, const Mask&, const Readings&);
using Counted = unsigned (*)(std::uint64_t total, std::uint64_t repeat, unsigned lanes);
using SetBy = void (*)(Register, const Instruction&);
using Slots = const std::uint8_t* (*)(const Mask&, const Instruction&, unsigned repeat, Mask& scratch);

template <Load How>
void loading(Semantics& s, Op) {
  s.load = How;
}
template <Load How>
void leaving(Semantics& s, Op) {
  s.leave = How;
}
template <Walker How>
void walking(Semantics& s, Op) {
  s.walk = How;
}
template <Counted How>
void counting(Semantics& s, Op) {
  s.counted = How;
}
template <SetBy How>
void setting_by(Semantics& s, Op) {
  s.set_by = How;
}
template <Slots How>
void gating(Semantics& s, Op) {
  s.gates = How;
}
template <PadFrom How>
void padding_from(Semantics& s, Op) {
  s.pad_from = How;
}

// --- how a mask operand is loaded wrongly ---

/// Contiguous operands of `i` as if their length were another.
template <class Length>
void load_length(Register reg, Instruction i, const Readings& readings, Length length) {
  if (i.mask_from == MaskFrom::contiguous) i.low = length(i.low, lanes_of(i));
  load_operand(reg, i, readings);
}

constexpr Load kOneLess = [](Register reg, const Instruction& i, const Readings& r) {
  load_length(reg, i, r, [](std::uint64_t n, unsigned) { return n - 1; });
};
constexpr Load kLast = [](Register reg, const Instruction& i, const Readings& r) {
  load_operand(reg, i, r);
  if (i.mask_from != MaskFrom::contiguous) return;
  for (unsigned lane = 0; lane < std::min(lanes_of(i), 128u); ++lane)
    reg.mask[lane] = lane + i.low >= lanes_of(i);
};
constexpr Load kAtMost64 = [](Register reg, const Instruction& i, const Readings& r) {
  load_length(reg, i, r, [](std::uint64_t n, unsigned) { return std::min<std::uint64_t>(n, 64); });
};
constexpr Load kInBytes = [](Register reg, const Instruction& i, const Readings& r) {
  load_length(reg, i, r,
              [&](std::uint64_t n, unsigned) { return (n + size_of(i.dst_type) - 1) / size_of(i.dst_type); });
};

template <class Change>
void load_words(Register reg, const Instruction& i, const Readings& readings, Change change) {
  load_operand(reg, i, readings);
  if (i.mask_from == MaskFrom::bitwise && reg.mode == Mode::normal) reg.set_words(change(i.high, i.low));
}

std::uint64_t reversed(std::uint64_t word) {
  std::uint64_t result = 0;
  for (unsigned bit = 0; bit < 64; ++bit) result |= (word >> bit & 1) << (63 - bit);
  return result;
}

constexpr Load kSwapped = [](Register reg, const Instruction& i, const Readings& r) {
  load_words(reg, i, r, [](std::uint64_t high, std::uint64_t low) { return MaskWords{low, high}; });
};
constexpr Load kReversed = [](Register reg, const Instruction& i, const Readings& r) {
  load_words(reg, i, r, [](std::uint64_t high, std::uint64_t low) {
    return MaskWords{reversed(high), reversed(low)};
  });
};
constexpr Load kInverted = [](Register reg, const Instruction& i, const Readings& r) {
  load_words(reg, i, r, [](std::uint64_t high, std::uint64_t low) { return MaskWords{~high, ~low}; });
};
constexpr Load kIgnored = [](Register reg, const Instruction& i, const Readings& r) {
  if (i.mask_from == MaskFrom::count) load_operand(reg, i, r);
};
constexpr Load kCountAsLength = [](Register reg, const Instruction& i, const Readings& r) {
  if (i.mask_from != MaskFrom::count) return load_operand(reg, i, r);
  reg.set_words(contiguous_words(i.low, lanes_of(i)));
};

// --- how counter mode is walked wrongly ---

Effective documented(const Instruction& i, Mode mode, const Mask& mask, const Readings& readings) {
  return effective(i, mode, static_cast<std::uint32_t>(mask_word(mask, 0)), readings);
}
bool counts(const Instruction& i, Mode mode) {
  return mode == Mode::counter && takes_mask(row_of(i.op));
}

constexpr Walker kCounterAsBits = [](const Instruction& i, Mode, const Mask& mask, const Readings& r) {
  return documented(i, Mode::normal, mask, r);
};
constexpr Walker kGivenRepeats = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  Effective here = documented(i, mode, mask, r);
  if (counts(i, mode)) here.insn.repeat = i.repeat;
  return here;
};
constexpr Walker kHighWord = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  return effective(i, mode, static_cast<std::uint32_t>(mask_word(mask, counts(i, mode) ? 1 : 0)), r);
};
constexpr Walker kCountOneLess = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  Effective here = documented(i, mode, mask, r);
  if (counts(i, mode) && here.total > 0) --here.total;
  return here;
};
constexpr Walker kAlways128 = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  Effective here = documented(i, mode, mask, r);
  if (counts(i, mode)) here.insn.repeat = static_cast<std::uint32_t>((here.total + 127) / 128);
  return here;
};
constexpr Walker kCounterContiguous = [](const Instruction& i, Mode mode, const Mask& mask,
                                         const Readings& r) {
  Effective here = documented(i, mode, mask, r);
  if (!counts(i, mode)) return here;
  for (unsigned k = 0; k < row_of(i.op).operands.size(); ++k)
    if (row_of(i.op).operands[k].walk == Walk::blocks) {
      const unsigned size = size_of(operand_type(i, row_of(i.op).operands[k]));
      here.insn.operands[k].block_stride = 1;
      here.insn.operands[k].repeat_stride = lanes_of(i) * size / kBlockBytes;
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
  s.walk = kGivenRepeats;
  s.counted = kFirstOfEach;
}

// --- how the mask and its mode are kept wrongly ---

constexpr Load kOperandReset = [](Register reg, const Instruction& i, const Readings& r) {
  leave_after(reg, i, r);
  if (i.mask_from == MaskFrom::contiguous || i.mask_from == MaskFrom::bitwise) reg.all_ones();
};
constexpr Load kUsedOnce = [](Register reg, const Instruction& i, const Readings& r) {
  leave_after(reg, i, r);
  if (i.mask_from == MaskFrom::reg && takes_mask(row_of(i.op))) reg.all_ones();
};
constexpr Load kStaysCounter = [](Register reg, const Instruction& i, const Readings& r) {
  leave_after(reg, i, r);
  if (i.mask_from == MaskFrom::count) reg.mode = Mode::counter;
};
constexpr Load kStaysCount = [](Register reg, const Instruction& i, const Readings& r) {
  leave_after(reg, i, r);
  if (i.mask_from == MaskFrom::count) reg.set_words({0, i.low});
};
constexpr Load kModeStays = [](Register reg, const Instruction& i, const Readings& r) {
  const Mode mode = reg.mode;
  leave_after(reg, i, r);
  if (i.mask_from != MaskFrom::count) reg.mode = mode;
};

constexpr SetBy kNoNorm = [](Register reg, const Instruction& i) {
  if (i.op != Op::set_mask_norm) set_by(reg, i);
};
constexpr SetBy kNoCount = [](Register reg, const Instruction& i) {
  if (i.op != Op::set_mask_count) set_by(reg, i);
};
constexpr SetBy kModeResets = [](Register reg, const Instruction& i) {
  set_by(reg, i);
  if (row_of(i.op).form == Form::set_mode) reg.all_ones();
};
constexpr SetBy kLengthChooses = [](Register reg, const Instruction& i) {
  set_by(reg, i);
  if (row_of(i.op).form == Form::set_length)
    reg.mode = i.op == Op::set_vector_mask_len ? Mode::normal : Mode::counter;
};
constexpr SetBy kLengthOneLess = [](Register reg, const Instruction& i) {
  Instruction less = i;
  if (i.op == Op::set_vector_mask_len) --less.settings[0];
  set_by(reg, less);
};
constexpr SetBy kLengthInBytes = [](Register reg, const Instruction& i) {
  Instruction shorter = i;
  if (i.op == Op::set_vector_mask_len) shorter.settings[0] = (i.settings[0] + 1) / 2;
  set_by(reg, shorter);
};
constexpr SetBy kTotalAsBits = [](Register reg, const Instruction& i) {
  if (i.op != Op::set_vector_mask_total) return set_by(reg, i);
  reg.set_words(contiguous_words(i.settings[0], 128));
};
void words_swapped(Semantics& s, Op) {
  s.set_mask = [](Mask& mask, std::uint64_t high, std::uint64_t low) { set_mask(mask, low, high); };
}
void words_reversed(Semantics& s, Op) {
  s.set_mask = [](Mask& mask, std::uint64_t high, std::uint64_t low) {
    set_mask(mask, reversed(high), reversed(low));
  };
}
void reset_does_nothing(Semantics& s, Op) {
  s.reset_mask = [](Register) {};
}
void reset_ends_counter(Semantics& s, Op) {
  s.reset_mask = [](Register reg) {
    reg.all_ones();
    reg.mode = Mode::normal;
  };
}
void mask_lives_in_ub(Semantics& s, Op) {
  s.after = [](Machine& m, const Instruction& i) {
    if (row_of(i.op).mask == MaskUse::is_mask_state)
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
constexpr Slots kRegisterUnseen = [](const Mask& m, const Instruction& i, unsigned, Mask&) {
  return i.mask_from == MaskFrom::reg ? kFullMask.data() : m.data();
};
template <unsigned Lanes>
const std::uint8_t* upper_lanes_follow_lower(const Mask& m, const Instruction& i, unsigned, Mask& scratch) {
  if (lanes_of(i) != Lanes) return m.data();
  return remap(scratch, [&](unsigned lane) { return m[lane % (Lanes / 2)]; });
}
void reductions_ignore_mask(Semantics& s, Op) {
  for (const Row& row : instruction_table())
    if (row.mask == MaskUse::neutral_source) s.use[static_cast<std::size_t>(row.op)] = MaskUse::ignores;
}
void zeroes_dst(Semantics& s, Op) {
  s.masked_off_becomes_zero = true;
}

// --- gather_mask ---

/// Fixed pattern N keeps the elements after those it should; 7 loses the last.
template <unsigned N>
void pattern_off_by_one(Semantics& s, Op) {
  s.gathering.keeps = [](unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes) {
    if (pattern != N) return pattern_keeps(pattern, r, e, lanes);
    return N == 7 ? e + 1 < lanes : pattern_keeps(pattern, r, e + 3, lanes);
  };
}
void pattern_runs_on(Semantics& s, Op) {
  s.gathering.keeps = [](unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes) {
    return pattern_keeps(pattern, r, r * lanes + e, lanes);
  };
}
bool gathers(const Instruction& i) {
  return row_of(i.op).form == Form::gather_mask || row_of(i.op).form == Form::gather_mask_user;
}
/// The settings `counter` and `mask` of a gather_mask.
std::array<std::uint32_t*, 2> counter_and_mask(Instruction& i) {
  const unsigned first = row_of(i.op).form == Form::gather_mask ? 1 : 0;
  return {&i.settings[first], &i.settings[first + 1]};
}
constexpr Walker kNormalByMask = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  Instruction believed = i;
  if (gathers(i) && setting(i, "mask") != 0) *counter_and_mask(believed)[0] = 1;
  return documented(believed, mode, mask, r);
};
constexpr Walker kHalfRepeats = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  Effective here = documented(i, mode, mask, r);
  if (!gathers(i) || setting(i, "counter") != 0) return here;
  const auto [counter, limit] = counter_and_mask(here.insn);
  *limit = lanes_of(i) / 2;
  *counter = 1;
  return here;
};
constexpr Walker kOtherConfiguration = [](const Instruction& i, Mode mode, const Mask& mask,
                                          const Readings& r) {
  Readings other = r;
  other.gather_counter =
      r.gather_counter == GatherCounter::total ? GatherCounter::per_repeat : GatherCounter::total;
  return documented(i, mode, mask, other);
};
constexpr Walker kGatherGivenRepeats = [](const Instruction& i, Mode mode, const Mask& mask,
                                          const Readings& r) {
  Effective here = documented(i, mode, mask, r);
  if (gathers(i)) here.insn.repeat = i.repeat;
  return here;
};
template <bool Block>
Effective stride_unseen(const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  Effective here = documented(i, mode, mask, r);
  if (gathers(i))
    (Block ? here.insn.operands[1].block_stride : here.insn.operands[1].repeat_stride) = Block ? 1 : 8;
  return here;
}
void clears_past_count(Semantics& s, Op) {
  s.after = [](Machine& m, const Instruction& i) {
    if (!gathers(i)) return;
    const auto kept = load<std::uint64_t>(m.at(i.operands[row_of(i.op).operands.size() - 1]));
    std::byte* past = m.at(i.operands[0]) + kept * size_of(i.dst_type);
    if (past + size_of(i.dst_type) <= m.ub + m.ub_bytes) std::fill_n(past, size_of(i.dst_type), std::byte{0});
  };
}

// --- vpadding ---

template <unsigned Mode, unsigned Side>
unsigned unmirrored(unsigned mode, unsigned side, unsigned lane, unsigned per) {
  if (mode != Mode || side != Side) return pad_from(mode, side, lane, per);
  if (mode == 0) return side == 0 ? 1 : per - 2;
  return mode == 1 ? lane : pad_from(1, side, lane, per);
}
constexpr PadFrom kEdgeForZero = [](unsigned mode, unsigned side, unsigned lane, unsigned per) {
  const unsigned from = pad_from(mode, side, lane, per);
  return from == per ? (side == 0 ? 0 : per - 1) : from;
};
void pads_repeats(Semantics& s, Op) {
  s.pads_repeats = true;
}
void mask_gates_reads(Semantics& s, Op) {
  s.mask_gates_reads = true;
}
constexpr Walker kPadContiguous = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  Effective here = documented(i, mode, mask, r);
  if (i.op != Op::vpadding) return here;
  for (unsigned k = 0; k < 2; ++k) {
    here.insn.operands[k].block_stride = 1;
    here.insn.operands[k].repeat_stride = kRepeatBlocks;
  }
  return here;
};

// --- TIK ---

template <class Change>
Effective changed(const Instruction& i, Mode mode, const Mask& mask, const Readings& r, Change change) {
  Effective here = documented(i, mode, mask, r);
  if (row_of(i.op).mask == MaskUse::gates_writeback) change(here.insn);
  return here;
}
constexpr Walker kZeroRunsOnce = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  return changed(i, mode, mask, r, [](Instruction& x) { x.repeat = std::max(x.repeat, 1u); });
};
constexpr Walker kOneRepeatLess = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  return changed(i, mode, mask, r, [](Instruction& x) { x.repeat -= x.repeat > 1 ? 1 : 0; });
};
constexpr Walker kRepeatsInARow = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  return changed(i, mode, mask, r, [](Instruction& x) {
    for (Operand& operand : x.operands) operand.repeat_stride = kRepeatBlocks;
  });
};
constexpr Walker kBlockStride2 = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  return changed(i, mode, mask, r, [](Instruction& x) { x.operands[0].block_stride = 2; });
};
bool in_place(const Instruction& i) {
  return row_of(i.op).operands.size() > 1 && i.operands[0] == i.operands[1];
}
constexpr Walker kNotInPlace = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  return changed(i, mode, mask, r, [](Instruction& x) { x.repeat = in_place(x) ? 0 : x.repeat; });
};
constexpr Walker kInPlaceOnce = [](const Instruction& i, Mode mode, const Mask& mask, const Readings& r) {
  return changed(i, mode, mask, r,
                 [](Instruction& x) { x.repeat = in_place(x) ? std::min(x.repeat, 1u) : x.repeat; });
};

void add_mask_forms(std::vector<WrongForm>& forms) {
  const std::vector<WrongForm> more = {
      {"contiguous-one-less",
       "a contiguous mask of n takes n - 1 elements in",
       {"SVM-1-contiguous", "VP-2-contiguous", "TIK-1-contiguous"},
       loading<kOneLess>},
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
       "bit 0 of a mask operand is the last element",
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
       "SetVectorMask puts bit 0 into the last element",
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

template <unsigned... N>
void add_pattern_forms(std::vector<WrongForm>& forms, std::integer_sequence<unsigned, N...>) {
  constexpr std::string_view rules[] = {"GM-1-pattern-1", "GM-1-pattern-2", "GM-1-pattern-3",
                                        "GM-1-pattern-4", "GM-1-pattern-5", "GM-1-pattern-6",
                                        "GM-1-pattern-7"};
  (forms.push_back({"pattern-" + std::to_string(N + 1) + "-off-by-one",
                    "fixed pattern " + std::to_string(N + 1) +
                        (N == 6 ? " loses the last element" : " keeps the elements after its own"),
                    {rules[N]},
                    pattern_off_by_one<N + 1>}),
   ...);
}

void add_gather_forms(std::vector<WrongForm>& forms) {
  const std::vector<WrongForm> more = {
      {"pattern-runs-on",
       "fixed patterns go on from repeat to repeat",
       {"GM-1-each-repeat"},
       pattern_runs_on},
      {"user-pattern-msb",
       "user patterns are read highest bit first",
       {"GM-2-user-bit"},
       [](Semantics& s, Op) { s.gathering.bits = BitLayout::highest_first; }},
      {"user-pattern-bytes",
       "user patterns have a byte for each element",
       {"GM-2-user-in-a-row", "GM-2-user-bit"},
       [](Semantics& s, Op) { s.gathering.bits = BitLayout::byte_per_element; }},
      {"user-pattern-runs-on",
       "user patterns are one stream of bits, src1_repeat_stride is ignored",
       {"GM-2-user-stride"},
       [](Semantics& s, Op) { s.gathering.pattern_runs_on = true; }},
      {"user-pattern-stays",
       "every repeat uses the user pattern of the first",
       {"GM-2-user-stride"},
       [](Semantics& s, Op) { s.gathering.pattern_stays = true; }},
      {"normal-by-mask",
       "normal mode takes the mask argument for the elements of a repeat",
       {"GM-3-normal-mask"},
       walking<kNormalByMask>},
      {"normal-half-repeats",
       "normal mode takes 128 bytes in a repeat",
       {"GM-3-normal-repeat"},
       walking<kHalfRepeats>},
      {"counter-other-configuration",
       "counter mode counts as on the other products",
       {"GM-3-counter-per-repeat", "GM-3-counter-total"},
       walking<kOtherConfiguration>},
      {"gather-repeat-times",
       "counter mode of configuration 2 runs repeat times",
       {"GM-3-counter-repeats"},
       walking<kGatherGivenRepeats>},
      {"gather-block-stride-1",
       "src0_block_stride is ignored",
       {"GM-4-block-stride"},
       walking<stride_unseen<true>>},
      {"gather-repeat-stride-8",
       "src0_repeat_stride is ignored",
       {"GM-4-repeat-stride"},
       walking<stride_unseen<false>>},
      {"gather-on-blocks",
       "what a repeat keeps starts on a new data block of dst",
       {"GM-5-dense"},
       [](Semantics& s, Op) { s.gathering.repeats_on_blocks = true; }},
      {"gather-counts-scanned",
       "the count is of the elements looked at",
       {"GM-5-count"},
       [](Semantics& s, Op) { s.gathering.counts_scanned = true; }},
      {"gather-counts-last",
       "the count is of the last repeat alone",
       {"GM-5-count"},
       [](Semantics& s, Op) { s.gathering.counts_last = true; }},
      {"gather-clears-past-count",
       "the element of dst after the last kept one becomes 0",
       {"GM-5-past-count"},
       clears_past_count},
      {"gather-keeps-mode", "counter mode is still on afterwards", {"GM-6-mode-after"}, leaving<kModeStays>},
      {"gather-obeys-mask",
       "elements that the vector mask switches off are not kept",
       {"GM-6-own-pattern"},
       [](Semantics& s, Op) { s.gathering.obeys_mask = true; }},
  };
  forms.insert(forms.end(), more.begin(), more.end());
}

void add_padding_forms(std::vector<WrongForm>& forms) {
  const std::vector<WrongForm> more = {
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
      {"pad-contiguous", "padding ignores its strides", {"VP-4-strides"}, walking<kPadContiguous>},
  };
  forms.insert(forms.end(), more.begin(), more.end());
}

void add_tik_forms(std::vector<WrongForm>& forms) {
  const std::vector<WrongForm> more = {
      {"zero-repeats-run-once", "repeat times of 0 run once", {"TIK-3-scalar-zero"}, walking<kZeroRunsOnce>},
      {"one-repeat-less",
       "the last repeat is not done",
       {"TIK-3-repeats", "TIK-2-counter"},
       walking<kOneRepeatLess>},
      {"repeats-in-a-row", "repeat strides are ignored", {"TIK-4-stride"}, walking<kRepeatsInARow>},
      {"dst-block-stride-2",
       "data blocks of dst lie two blocks apart",
       {"TIK-4-block-row"},
       walking<kBlockStride2>},
      {"not-in-place",
       "an instruction in place writes nothing",
       {"TIK-5-in-place", "TIK-5-in-place-repeats"},
       walking<kNotInPlace>},
      {"in-place-once",
       "an instruction in place does its first repeat only",
       {"TIK-5-in-place-repeats"},
       walking<kInPlaceOnce>},
  };
  forms.insert(forms.end(), more.begin(), more.end());
}

}  // namespace

void add_ascend_forms(std::vector<WrongForm>& forms) {
  add_mask_forms(forms);
  add_pattern_forms(forms, std::make_integer_sequence<unsigned, 7>{});
  add_gather_forms(forms);
  add_padding_forms(forms);
  add_tik_forms(forms);
}

}  // namespace lanecheck
