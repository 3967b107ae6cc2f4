// Mutants of gather_mask (GM).
#include <algorithm>
#include <utility>

#include "oracle/mutants/replace_seam.h"

namespace lanecheck {
namespace {

/// Fixed pattern N keeps the elements after those it should; 7 loses the last.
template <unsigned N>
void pattern_off_by_one(Semantics& s) {
  s.seams.gather_mask.keeps = [](unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes) {
    if (pattern != N) return pattern_keeps(pattern, r, e, lanes);
    return N == 7 ? e + 1 < lanes : pattern_keeps(pattern, r, e + 3, lanes);
  };
}
void pattern_runs_on(Semantics& s) {
  s.seams.gather_mask.keeps = [](unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes) {
    return pattern_keeps(pattern, r, r * lanes + e, lanes);
  };
}
bool gathers(const Instruction& insn) {
  return insn.op == Op::gather_mask || insn.op == Op::gather_mask_user;
}
/// The settings `counter` and `mask` of a gather_mask.
std::array<std::uint32_t*, 2> counter_and_mask(Instruction& insn) {
  const unsigned first = insn.op == Op::gather_mask ? 1 : 0;
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
void clears_past_count(Semantics& s) {
  s.seams.side_effect = [](Machine& m, const Instruction& insn) {
    if (!gathers(insn)) return;
    const auto kept = load<std::uint64_t>(m.at(insn.operands[row_of(insn.op).operands.size() - 1]));
    std::byte* past = m.at(insn.operands[0]) + kept * size_of(insn.dst_type);
    if (past + size_of(insn.dst_type) <= m.ub + m.ub_bytes)
      std::fill_n(past, size_of(insn.dst_type), std::byte{0});
  };
}

constexpr MaskHook kModeStays = [](Register reg, const Instruction& insn, const Readings& r) {
  const Mode mode = reg.mode;
  leave_after(reg, insn, r);
  if (insn.mask_from != MaskFrom::count) reg.mode = mode;
};

constexpr MutantRow kGatherMaskMutants[] = {
    {"pattern-runs-on", "fixed patterns go on from repeat to repeat", {"GM-1-each-repeat"}, pattern_runs_on},
    {"user-pattern-msb",
     "user patterns are read highest bit first",
     {"GM-2-user-bit"},
     [](Semantics& s) { s.seams.gather_mask.bits = BitLayout::highest_first; }},
    {"user-pattern-bytes",
     "user patterns have a byte for each element",
     {"GM-2-user-in-a-row", "GM-2-user-bit"},
     [](Semantics& s) { s.seams.gather_mask.bits = BitLayout::byte_per_element; }},
    {"user-pattern-runs-on",
     "user patterns are one stream of bits, src1_repeat_stride is ignored",
     {"GM-2-user-stride"},
     [](Semantics& s) { s.seams.gather_mask.pattern_runs_on = true; }},
    {"user-pattern-stays",
     "every repeat uses the user pattern of the first",
     {"GM-2-user-stride"},
     [](Semantics& s) { s.seams.gather_mask.pattern_stays = true; }},
    {"normal-by-mask",
     "normal mode takes the mask argument for the elements of a repeat",
     {"GM-3-normal-mask"},
     replace_seam<&Seams::walk, kNormalByMask>},
    {"normal-half-repeats",
     "normal mode takes 128 bytes in a repeat",
     {"GM-3-normal-repeat"},
     replace_seam<&Seams::walk, kHalfRepeats>},
    {"counter-other-configuration",
     "counter mode counts as on the other products",
     {"GM-3-counter-per-repeat", "GM-3-counter-total"},
     replace_seam<&Seams::walk, kOtherConfiguration>},
    {"gather-repeat-times",
     "counter mode of configuration 2 stops after the repeat times that are given",
     {"GM-3-counter-repeats"},
     replace_seam<&Seams::walk, kGatherGivenRepeats>},
    {"gather-block-stride-1",
     "src0_block_stride is ignored",
     {"GM-4-block-stride"},
     replace_seam<&Seams::walk, stride_unseen<true>>},
    {"gather-repeat-stride-8",
     "src0_repeat_stride is ignored",
     {"GM-4-repeat-stride"},
     replace_seam<&Seams::walk, stride_unseen<false>>},
    {"gather-on-blocks",
     "what a repeat keeps starts on a new data block of dst",
     {"GM-5-dense"},
     [](Semantics& s) { s.seams.gather_mask.repeats_on_blocks = true; }},
    {"gather-counts-scanned",
     "the count is of the elements looked at",
     {"GM-5-count"},
     [](Semantics& s) { s.seams.gather_mask.counts_scanned = true; }},
    {"gather-counts-last",
     "the count is of the last repeat alone",
     {"GM-5-count"},
     [](Semantics& s) { s.seams.gather_mask.counts_last = true; }},
    {"gather-clears-past-count",
     "the element of dst after the last kept one becomes 0",
     {"GM-5-past-count"},
     clears_past_count},
    {"gather-keeps-mode",
     "counter mode is still on after gather_mask",
     {"GM-6-mode-after"},
     replace_seam<&Seams::after_compute, kModeStays>},
    {"gather-mask-obeys-mask",
     "elements that the vector mask switches off are not kept",
     {"GM-6-own-pattern"},
     [](Semantics& s) { s.seams.gather_mask.obeys_mask = true; }},
};

template <unsigned... N>
void add_pattern_mutants(std::vector<Mutant>& list, std::integer_sequence<unsigned, N...>) {
  constexpr std::string_view rules[] = {"GM-1-pattern-1", "GM-1-pattern-2", "GM-1-pattern-3",
                                        "GM-1-pattern-4", "GM-1-pattern-5", "GM-1-pattern-6",
                                        "GM-1-pattern-7"};
  (list.push_back({"pattern-" + std::to_string(N + 1) + "-off-by-one",
                   "fixed pattern " + std::to_string(N + 1) +
                       (N == 6 ? " loses the last element" : " keeps the elements after its own"),
                   {rules[N]},
                   pattern_off_by_one<N + 1>}),
   ...);
}

}  // namespace

void add_gather_mask_mutants(std::vector<Mutant>& list) {
  add_pattern_mutants(list, std::make_integer_sequence<unsigned, 7>{});
  add_rows(list, kGatherMaskMutants);
}

}  // namespace lanecheck
