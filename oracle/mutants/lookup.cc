// Mutants of how an instruction looks up the slots of its lanes (VMC 1, 3.1; SVM, VP, TIK).
#include <algorithm>

#include "oracle/mutants/replace_seam.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

constexpr Slots kAdvances = [](const Mask& m, const Instruction& insn, unsigned repeat, Mask& scratch) {
  return remap(scratch, [&](unsigned lane) { return m[(repeat * lanes_of(insn) + lane) % kMaskSlots]; });
};
constexpr Slots kFirstRepeat = [](const Mask& m, const Instruction&, unsigned repeat, Mask&) {
  return repeat == 0 ? m.data() : kFullMask.data();
};
constexpr Slots kEvenBlocks = [](const Mask& m, const Instruction& insn, unsigned, Mask& scratch) {
  const unsigned per = std::max(1u, lanes_of(insn) / kRepeatBlocks);
  return remap(scratch, [&](unsigned lane) { return lane / per % 2 == 0 ? m[lane] : std::uint8_t{1}; });
};
constexpr Slots kByByte = [](const Mask& m, const Instruction& insn, unsigned, Mask& scratch) {
  return remap(scratch, [&](unsigned lane) { return m[lane * size_of(insn.dst_type) % kMaskSlots]; });
};
constexpr Slots kInverted = [](const Mask& m, const Instruction&, unsigned, Mask& scratch) {
  return remap(scratch, [&](unsigned lane) { return static_cast<std::uint8_t>(1 - m[lane]); });
};
constexpr Slots kAllOrNothing = [](const Mask& m, const Instruction& insn, unsigned, Mask& scratch) {
  const bool full =
      std::all_of(m.begin(), m.begin() + std::min(lanes_of(insn), kMaskSlots), [](auto s) { return s != 0; });
  return remap(scratch, [&](unsigned) { return static_cast<std::uint8_t>(full); });
};

/// Lanes from `From` on, in repeats of `Lanes` lanes, are looked up at lane + Shift.
template <unsigned Lanes, unsigned From, int Shift>
const std::uint8_t* shifted(const Mask& m, const Instruction& insn, unsigned, Mask& scratch) {
  if (lanes_of(insn) != Lanes) return m.data();
  return remap(scratch, [&](unsigned lane) {
    return m[lane >= From ? static_cast<unsigned>(static_cast<int>(lane) + Shift) % kMaskSlots : lane];
  });
}

constexpr Slots kTailOn = [](const Mask& m, const Instruction& insn, unsigned, Mask& scratch) {
  if (lanes_of(insn) != 128) return m.data();
  return remap(scratch, [&](unsigned lane) { return lane < 64 ? m[lane] : std::uint8_t{1}; });
};

constexpr Slots kCastByNarrow = [](const Mask& m, const Instruction& insn, unsigned, Mask& scratch) {
  if (insn.op != Op::cast) return m.data();
  const unsigned ratio = std::max(size_of(insn.dst_type), size_of(insn.src_type)) /
                         std::min(size_of(insn.dst_type), size_of(insn.src_type));
  return remap(scratch, [&](unsigned lane) { return m[lane * ratio % kMaskSlots]; });
};

void cast_counts_narrow(Semantics& s) {
  s.seams.cast_lanes = [](const Instruction& insn) {
    return std::max(lanes_of(insn.dst_type), lanes_of(insn.src_type));
  };
}

constexpr Slots kRegisterUnseen = [](const Mask& m, const Instruction& insn, unsigned, Mask&) {
  return insn.mask_from == MaskFrom::reg ? kFullMask.data() : m.data();
};
template <unsigned Lanes>
const std::uint8_t* upper_lanes_follow_lower(const Mask& m, const Instruction& insn, unsigned,
                                             Mask& scratch) {
  if (lanes_of(insn) != Lanes) return m.data();
  return remap(scratch, [&](unsigned lane) { return m[lane % (Lanes / 2)]; });
}
void reductions_ignore_mask(Semantics& s) {
  for (const Row& row : instruction_table())
    if (row.mask == MaskUse::neutral_source) s.use[static_cast<std::size_t>(row.op)] = MaskUse::ignores;
}

constexpr MutantRow kLookupMutants[] = {
    {"mask-advances",
     "the mask advances by one repeat's lanes per repeat",
     {"VMC-1-no-advance", "VMC-1-every-repeat"},
     replace_seam<&Seams::gates, kAdvances>},
    {"mask-first-repeat",
     "repeats after the first ignore the mask",
     {"VMC-1-every-repeat", "SVM-1-every-repeat", "VP-2-bitwise", "TIK-1-bits"},
     replace_seam<&Seams::gates, kFirstRepeat>},
    {"mask-even-blocks",
     "odd data blocks ignore the mask",
     {"VMC-0-one-pattern"},
     replace_seam<&Seams::gates, kEvenBlocks>},
    {"mask-by-byte",
     "element e is gated by the slot of its first byte",
     {"VMC-1-slot-per-element"},
     replace_seam<&Seams::gates, kByByte>},
    {"mask-inverted",
     "a slot of 1 masks off",
     {"VMC-3.1-writes-active", "VMC-3.1-keeps-masked-off"},
     replace_seam<&Seams::gates, kInverted>},
    {"mask-all-or-nothing",
     "any masked-off lane stops the whole repeat",
     {"VMC-3.1-writes-active"},
     replace_seam<&Seams::gates, kAllOrNothing>},
    {"mask-zeroes-dst",
     "a masked-off lane becomes 0",
     {"VMC-3.1-keeps-masked-off", "VMC-7-keeps-dst", "SVM-1-keeps-dst", "VP-2-mask-write", "TIK-1-keeps-dst"},
     zero_masked_off},
    {"mask-32bit-high-word",
     "32-bit repeats use slots 64 to 127",
     {"VMC-1-prefix-32bit"},
     replace_seam<&Seams::gates, shifted<64, 0, 64>>},
    {"mask-16bit-low-word",
     "16-bit repeats use slots 0 to 63 twice",
     {"VMC-1-prefix-16bit"},
     replace_seam<&Seams::gates, shifted<128, 64, -64>>},
    {"mask-16bit-tail-on",
     "lanes 64 to 127 of a 16-bit repeat are always on",
     {"VMC-1-prefix-16bit"},
     replace_seam<&Seams::gates, kTailOn>},
    {"mask-8bit-128-slots",
     "8-bit repeats use slots 0 to 127 twice",
     {"VMC-1-prefix-8bit", "VMC-1-upper-slots"},
     replace_seam<&Seams::gates, shifted<256, 128, -128>>},
    {"cast-counts-narrow",
     "cast counts lanes by the narrower type",
     {"VMC-3.1-cast-wider", "VMC-3.1-cast-half-float"},
     cast_counts_narrow},
    {"cast-slots-narrow",
     "cast looks up slots at the narrower type's positions",
     {"VMC-3.1-cast-half-float", "VMC-3.1-cast-wider"},
     replace_seam<&Seams::gates, kCastByNarrow>},
};

constexpr MutantRow kLaneMutants[] = {
    {"register-unseen",
     "an instruction without a mask of its own ignores the register",
     {"SVM-3-from-outside", "VP-2-outside"},
     replace_seam<&Seams::gates, kRegisterUnseen>},
    {"lanes-16bit-wrap",
     "elements 64 to 127 of a 16-bit repeat follow those below",
     {"SVM-1-16bit"},
     replace_seam<&Seams::gates, upper_lanes_follow_lower<128>>},
    {"lanes-32bit-wrap",
     "elements 32 to 63 of a 32-bit repeat follow those below",
     {"SVM-1-32bit", "TIK-1-32bit"},
     replace_seam<&Seams::gates, upper_lanes_follow_lower<64>>},
    {"lanes-64bit-wrap",
     "elements 16 to 31 of a 64-bit repeat follow those below",
     {"SVM-1-64bit"},
     replace_seam<&Seams::gates, upper_lanes_follow_lower<32>>},
    {"reductions-take-all",
     "reductions take in elements that do not take part",
     {"SVM-1-reductions", "SVM-2-reductions"},
     reductions_ignore_mask},
};

}  // namespace

void add_lookup_mutants(std::vector<Mutant>& list) {
  add_rows(list, kLookupMutants);
}

void add_lane_mutants(std::vector<Mutant>& list) {
  add_rows(list, kLaneMutants);
}

}  // namespace lanecheck
