// Mutants of gather_mask (GM), vpadding (VP) and of how TIK walks its operands.
#include "oracle/execute/machine.h"
#include "oracle/mutants/walk_mutant.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

using Load = void (*)(Register, const Instruction&, const Readings&);

template <Load How>
void leaving(Semantics& s, Op) {
  s.seams.after_compute = How;
}
template <PadFrom How>
void padding_from(Semantics& s, Op) {
  s.seams.pad_from = How;
}
constexpr Load kModeStays = [](Register reg, const Instruction& insn, const Readings& r) {
  const Mode mode = reg.mode;
  leave_after(reg, insn, r);
  if (insn.mask_from != MaskFrom::count) reg.mode = mode;
};

// --- gather_mask ---

/// Fixed pattern N keeps the elements after those it should; 7 loses the last.
template <unsigned N>
void pattern_off_by_one(Semantics& s, Op) {
  s.seams.gather_mask.keeps = [](unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes) {
    if (pattern != N) return pattern_keeps(pattern, r, e, lanes);
    return N == 7 ? e + 1 < lanes : pattern_keeps(pattern, r, e + 3, lanes);
  };
}
void pattern_runs_on(Semantics& s, Op) {
  s.seams.gather_mask.keeps = [](unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes) {
    return pattern_keeps(pattern, r, r * lanes + e, lanes);
  };
}
bool gathers(const Instruction& insn) {
  return row_of(insn.op).form == Form::gather_mask || row_of(insn.op).form == Form::gather_mask_user;
}
/// The settings `counter` and `mask` of a gather_mask.
std::array<std::uint32_t*, 2> counter_and_mask(Instruction& insn) {
  const unsigned first = row_of(insn.op).form == Form::gather_mask ? 1 : 0;
  return {&insn.settings[first], &insn.settings[first + 1]};
}
constexpr Walker kNormalByMask = [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  Instruction believed = insn;
  if (gathers(insn) && setting(insn, "mask") != 0) *counter_and_mask(believed)[0] = 1;
  return documented_walk(believed, mode, mask, r);
};
constexpr Walker kHalfRepeats = [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  ResolvedInstruction here = documented_walk(insn, mode, mask, r);
  if (!gathers(insn) || setting(insn, "counter") != 0) return here;
  const auto [counter, limit] = counter_and_mask(here.insn);
  *limit = lanes_of(insn) / 2;
  *counter = 1;
  return here;
};
constexpr Walker kOtherConfiguration = [](const Instruction& insn, Mode mode, const Mask& mask,
                                          const Readings& r) {
  Readings other = r;
  other.gather_counter =
      r.gather_counter == GatherCounter::total ? GatherCounter::per_repeat : GatherCounter::total;
  return documented_walk(insn, mode, mask, other);
};
constexpr Walker kGatherGivenRepeats = [](const Instruction& insn, Mode mode, const Mask& mask,
                                          const Readings& r) {
  ResolvedInstruction here = documented_walk(insn, mode, mask, r);
  if (gathers(insn)) here.insn.repeat = insn.repeat;
  return here;
};
template <bool Block>
ResolvedInstruction stride_unseen(const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
  ResolvedInstruction here = documented_walk(insn, mode, mask, r);
  if (gathers(insn))
    (Block ? here.insn.operands[1].block_stride : here.insn.operands[1].repeat_stride) = Block ? 1 : 8;
  return here;
}
void clears_past_count(Semantics& s, Op) {
  s.seams.side_effect = [](Machine& m, const Instruction& insn) {
    if (!gathers(insn)) return;
    const auto kept = load<std::uint64_t>(m.at(insn.operands[row_of(insn.op).operands.size() - 1]));
    std::byte* past = m.at(insn.operands[0]) + kept * size_of(insn.dst_type);
    if (past + size_of(insn.dst_type) <= m.ub + m.ub_bytes)
      std::fill_n(past, size_of(insn.dst_type), std::byte{0});
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
  s.seams.pads_repeats = true;
}
void mask_gates_reads(Semantics& s, Op) {
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

// --- TIK ---

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

template <unsigned... N>
void add_pattern_forms(std::vector<Mutant>& forms, std::integer_sequence<unsigned, N...>) {
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

void add_gather_forms(std::vector<Mutant>& forms) {
  const std::vector<Mutant> more = {
      {"pattern-runs-on",
       "fixed patterns go on from repeat to repeat",
       {"GM-1-each-repeat"},
       pattern_runs_on},
      {"user-pattern-msb",
       "user patterns are read highest bit first",
       {"GM-2-user-bit"},
       [](Semantics& s, Op) { s.seams.gather_mask.bits = BitLayout::highest_first; }},
      {"user-pattern-bytes",
       "user patterns have a byte for each element",
       {"GM-2-user-in-a-row", "GM-2-user-bit"},
       [](Semantics& s, Op) { s.seams.gather_mask.bits = BitLayout::byte_per_element; }},
      {"user-pattern-runs-on",
       "user patterns are one stream of bits, src1_repeat_stride is ignored",
       {"GM-2-user-stride"},
       [](Semantics& s, Op) { s.seams.gather_mask.pattern_runs_on = true; }},
      {"user-pattern-stays",
       "every repeat uses the user pattern of the first",
       {"GM-2-user-stride"},
       [](Semantics& s, Op) { s.seams.gather_mask.pattern_stays = true; }},
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
       [](Semantics& s, Op) { s.seams.gather_mask.repeats_on_blocks = true; }},
      {"gather-counts-scanned",
       "the count is of the elements looked at",
       {"GM-5-count"},
       [](Semantics& s, Op) { s.seams.gather_mask.counts_scanned = true; }},
      {"gather-counts-last",
       "the count is of the last repeat alone",
       {"GM-5-count"},
       [](Semantics& s, Op) { s.seams.gather_mask.counts_last = true; }},
      {"gather-clears-past-count",
       "the element of dst after the last kept one becomes 0",
       {"GM-5-past-count"},
       clears_past_count},
      {"gather-keeps-mode", "counter mode is still on afterwards", {"GM-6-mode-after"}, leaving<kModeStays>},
      {"gather-obeys-mask",
       "elements that the vector mask switches off are not kept",
       {"GM-6-own-pattern"},
       [](Semantics& s, Op) { s.seams.gather_mask.obeys_mask = true; }},
  };
  forms.insert(forms.end(), more.begin(), more.end());
}

void add_padding_forms(std::vector<Mutant>& forms) {
  const std::vector<Mutant> more = {
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

void add_tik_forms(std::vector<Mutant>& forms) {
  const std::vector<Mutant> more = {
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

void add_call_forms(std::vector<Mutant>& forms) {
  add_pattern_forms(forms, std::make_integer_sequence<unsigned, 7>{});
  add_gather_forms(forms);
  add_padding_forms(forms);
  add_tik_forms(forms);
}

}  // namespace lanecheck
