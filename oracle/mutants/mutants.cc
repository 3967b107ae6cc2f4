#include "oracle/mutants/mutant.h"

#include <algorithm>

#include "oracle/execute/machine.h"
#include "oracle/mutants/mutant_list.h"
#include "spec/mask/footprint.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

using Draws = void (*)(Mask&, std::uint64_t high, std::uint64_t low);
using Slots = const std::uint8_t* (*)(const Mask&, const Instruction&, unsigned repeat, Mask& scratch);

template <Draws How>
void setting(Semantics& s, Op) {
  s.seams.set_mask = How;
}

template <Slots How>
void gating(Semantics& s, Op) {
  s.seams.gates = How;
}

/// Fills `scratch` with slot(lane) for each lane.
template <class Slot>
const std::uint8_t* remap(Mask& scratch, Slot slot) {
  for (unsigned lane = 0; lane < kMaskSlots; ++lane) scratch[lane] = slot(lane);
  return scratch.data();
}

std::uint64_t reversed(std::uint64_t word) {
  std::uint64_t result = 0;
  for (unsigned bit = 0; bit < 64; ++bit) result |= (word >> bit & 1) << (63 - bit);
  return result;
}

// --- how set_mask, reset_mask and the start go wrong (VMC 1, 2) ---

constexpr Draws kSwapped = [](Mask& m, std::uint64_t high, std::uint64_t low) { set_mask(m, low, high); };
constexpr Draws kReversed = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, reversed(high), reversed(low));
};
constexpr Draws kBigEndian = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, __builtin_bswap64(high), __builtin_bswap64(low));
};
constexpr Draws kLow32 = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, high & 0xffffffff, low & 0xffffffff);
};
constexpr Draws kSigned = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, high & ~(std::uint64_t{1} << 63), low & ~(std::uint64_t{1} << 63));
};
constexpr Draws kOnlyLow = [](Mask& m, std::uint64_t, std::uint64_t low) { set_mask(m, low, low); };
constexpr Draws kOnlyHigh = [](Mask& m, std::uint64_t high, std::uint64_t) { set_mask(m, high, high); };
constexpr Draws kClearsUpper = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  m.fill(0);
  set_mask(m, high, low);
};
constexpr Draws kRepeatsUpper = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, high, low);
  std::copy_n(m.begin(), 128, m.begin() + 128);
};
constexpr Draws kOrs = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  const Mask old = m;
  set_mask(m, high, low);
  for (unsigned slot = 0; slot < 128; ++slot) m[slot] |= old[slot];
};
constexpr Draws kAnds = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  const Mask old = m;
  set_mask(m, high, low);
  for (unsigned slot = 0; slot < 128; ++slot) m[slot] &= old[slot];
};
constexpr Draws kZeroHighStays = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  const Mask old = m;
  set_mask(m, high, low);
  if (high == 0) std::copy_n(old.begin() + 64, 64, m.begin() + 64);
};

template <unsigned First>
void starts_with(Semantics& s, Op) {
  s.initial_mask.fill(0);
  std::fill_n(s.initial_mask.begin(), First, std::uint8_t{1});
}

template <unsigned First>
void resets_only(Semantics& s, Op) {
  s.seams.reset_mask = [](Register reg) { std::fill_n(reg.mask.begin(), First, std::uint8_t{1}); };
}

void keeps_mask_in_ub(Semantics& s, Op) {
  s.seams.side_effect = [](Machine& m, const Instruction& insn) {
    if (row_of(insn.op).mask != MaskUse::is_mask_state) return;
    for (unsigned slot = 0; slot < 128; ++slot) {
      auto& byte = m.ub[slot / 8];
      const auto bit = static_cast<std::byte>(1u << slot % 8);
      byte = m.mask[slot] != 0 ? byte | bit : byte & ~bit;
    }
  };
}

void cmpmask_is_the_mask(Semantics& s, Op) {
  s.seams.side_effect = [](Machine& m, const Instruction& insn) {
    if (insn.op != Op::set_cmpmask) return;
    const std::byte* from = m.at(insn.operands[0]);
    set_mask(m.mask, load<std::uint64_t>(from + 8), load<std::uint64_t>(from));
  };
}

void select_leaves_its_own(Semantics& s, Op) {
  s.seams.side_effect = [](Machine& m, const Instruction& insn) {
    if (insn.op == Op::select) set_mask(m.mask, 0, 0xffffffff);
  };
}

// --- how the mask is looked up wrongly (VMC 1, 3.1) ---

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

void cast_counts_narrow(Semantics& s, Op) {
  s.seams.cast_lanes = [](const Instruction& insn) {
    return std::max(lanes_of(insn.dst_type), lanes_of(insn.src_type));
  };
}

/// One reduction looks up the first block's slots for every block.
template <Op Which>
const std::uint8_t* first_block(const Mask& m, const Instruction& insn, unsigned, Mask& scratch) {
  if (insn.op != Which) return m.data();
  return remap(scratch, [&](unsigned lane) { return m[lane % per_block(insn.src_type)]; });
}

/// One reduction takes a result without active lanes for one with all lanes active.
template <Op Which>
const std::uint8_t* empty_is_full(const Mask& m, const Instruction& insn, unsigned, Mask& scratch) {
  if (insn.op != Which) return m.data();
  const unsigned group = lanes_of(insn) / results_per_repeat(insn);
  return remap(scratch, [&](unsigned lane) {
    const auto* from = m.begin() + lane / group * group;
    return std::all_of(from, from + group, [](auto slot) { return slot == 0; }) ? std::uint8_t{1} : m[lane];
  });
}

// --- how one instruction uses the mask wrongly (VMC 3, 4) ---

template <MaskUse Use>
void uses(Semantics& s, Op op) {
  s.use[static_cast<std::size_t>(op)] = Use;
}
void zero_sentinel(Semantics& s, Op op) {
  s.neutral[static_cast<std::size_t>(op)] = Neutral::zero;
}
void writes_empty(Semantics& s, Op op) {
  s.empty[static_cast<std::size_t>(op)] = EmptyResult::writes;
}
void zeroes_dst(Semantics& s, Op) {
  s.seams.masked_off_becomes_zero = true;
}

std::string_view elementwise_rule(const Row& row) {
  switch (row.form) {
    case Form::unary:
      return "VMC-3.1-unary";
    case Form::binary:
    case Form::multiply_add:
      return "VMC-3.1-binary";
    case Form::dup:
      return "VMC-3.1-dup";
    case Form::cast:
      return "VMC-3.1-cast";
    default:
      return "VMC-3.1-unary-scalar";
  }
}

/// The rules that speak of one reduction, and how they are broken.
struct ReductionRules {
  Op op;
  std::string_view masked_off, empty;
  Slots empty_is_full;
  Slots first_block;  ///< null for those that do not go by block
};
constexpr ReductionRules kReductions[] = {
    {Op::cadd, "VMC-3.2-cadd-zero", "VMC-3.2-cadd-empty", empty_is_full<Op::cadd>, nullptr},
    {Op::cgadd, "VMC-3.2-cgadd-zero", "VMC-3.2-cgadd-empty", empty_is_full<Op::cgadd>,
     first_block<Op::cgadd>},
    {Op::cpadd, "VMC-3.2-cpadd-zero", "VMC-3.2-cpadd-empty", empty_is_full<Op::cpadd>, nullptr},
    {Op::cmax, "VMC-3.3-cmax-sentinel", "VMC-3.3-cmax-empty", empty_is_full<Op::cmax>, nullptr},
    {Op::cgmax, "VMC-3.3-cgmax-sentinel", "VMC-3.3-cgmax-empty", empty_is_full<Op::cgmax>,
     first_block<Op::cgmax>},
    {Op::cmin, "VMC-3.3-cmin-sentinel", "VMC-3.3-cmin-empty", empty_is_full<Op::cmin>, nullptr},
    {Op::cgmin, "VMC-3.3-cgmin-sentinel", "VMC-3.3-cgmin-empty", empty_is_full<Op::cgmin>,
     first_block<Op::cgmin>},
};

template <std::size_t N>
void reduction_gates(Semantics& s, Op) {
  s.seams.gates = kReductions[N].empty_is_full;
}
template <std::size_t N>
void reduction_blocks(Semantics& s, Op) {
  s.seams.gates = kReductions[N].first_block;
}

template <std::size_t... N>
void add_reductions(std::vector<Mutant>& forms, std::index_sequence<N...>) {
  const auto add_one = [&](const ReductionRules& r, auto gates, auto blocks) {
    const std::string name(row_of(r.op).name);
    const bool additive = row_of(r.op).neutral == Neutral::zero;
    std::vector<std::string_view> broken = {r.masked_off};
    if (additive)
      broken.insert(broken.end(), {"VMC-3.2-not-preserved", "VMC-6-pattern-b", "VMC-7-contributes-zero"});
    forms.push_back({name + "-keeps-dst", name + " gates its writeback instead of its source", broken,
                     uses<MaskUse::gates_writeback>, r.op});
    forms.push_back({name + "-ignores-mask",
                     name + " takes in masked-off elements",
                     {r.masked_off},
                     uses<MaskUse::ignores>,
                     r.op});
    forms.push_back({name + "-empty-means-full",
                     name + " treats a result without active lanes as fully active",
                     {r.empty},
                     gates,
                     r.op});
    if (r.op != Op::cpadd)
      forms.push_back({name + "-writes-empty",
                       name + " writes the neutral element where no lane is active",
                       {r.empty},
                       writes_empty,
                       r.op});
    if (!additive)
      forms.push_back({name + "-sentinel-zero",
                       name + " lets a masked-off element act like 0",
                       {r.masked_off},
                       zero_sentinel,
                       r.op});
    if (r.first_block != nullptr)
      forms.push_back({name + "-first-block",
                       name + " uses the slots of the first data block for every block",
                       {r.masked_off, r.empty},
                       blocks,
                       r.op});
  };
  (add_one(kReductions[N], reduction_gates<N>, reduction_blocks<N>), ...);
}

std::string_view ignoring_rule(Op op) {
  switch (op) {
    case Op::select:
      return "VMC-4-select";
    case Op::compare:
      return "VMC-4-compare";
    case Op::compare_scalar:
      return "VMC-4-compare_scalar";
    case Op::gather:
      return "VMC-4-gather";
    case Op::scatter:
      return "VMC-4-scatter";
    case Op::sort32:
      return "VMC-4-sort32";
    case Op::mergesort4:
      return "VMC-4-mergesort4";
    case Op::mergesort_2seq:
      return "VMC-4-mergesort_2seq";
    default:
      return "VMC-4-brcb";
  }
}

void add_for_each_row(std::vector<Mutant>& forms) {
  for (const Row& row : instruction_table()) {
    if (!row.in(Profile::vmc).offered) continue;
    const std::string name(row.name);
    if (row.mask == MaskUse::gates_writeback)
      forms.push_back(
          {name + "-ignores-mask",
           name + " writes masked-off lanes",
           {elementwise_rule(row), "VMC-3.1-keeps-masked-off", "VMC-6-pattern-a", "VMC-7-keeps-dst"},
           uses<MaskUse::ignores>,
           row.op});
    if (row.mask == MaskUse::ignores && row.standing != Standing::deprecated) {
      std::vector<std::string_view> broken = {ignoring_rule(row.op)};
      if (row.op == Op::select) broken.push_back("VMC-4-own-control");
      forms.push_back({name + "-obeys-mask", name + " keeps dst where the mask is 0", broken,
                       uses<MaskUse::gates_writeback>, row.op});
    }
  }
}

std::vector<Mutant> all_forms() {
  std::vector<Mutant> forms = {
      {"start-all-off",
       "a program starts with every slot at 0",
       {"VMC-1-default-mask", "VMC-7-default-ones"},
       starts_with<0>},
      {"start-64",
       "a program starts with slots 0 to 63 at 1 only",
       {"VMC-1-default-mask", "VMC-7-default-ones"},
       starts_with<64>},
      {"start-128",
       "a program starts with slots 0 to 127 at 1 only",
       {"VMC-1-default-mask", "VMC-7-default-ones"},
       starts_with<128>},
      {"set-mask-swapped",
       "set_mask takes the low word first",
       {"VMC-2-argument-order", "VMC-2-low-word", "VMC-2-high-word"},
       setting<kSwapped>},
      {"set-mask-reversed",
       "set_mask puts bit 0 into the highest slot",
       {"VMC-2-lowest-bit-first", "VMC-2-highest-bit-last"},
       setting<kReversed>},
      {"set-mask-big-endian",
       "set_mask reads the bytes of a word from the other end",
       {"VMC-2-lowest-bit-first"},
       setting<kBigEndian>},
      {"set-mask-32-bits",
       "set_mask keeps the low 32 bits of each word",
       {"VMC-2-unsigned-words"},
       setting<kLow32>},
      {"set-mask-signed",
       "set_mask loses bit 63 of each word, the sign of an int64",
       {"VMC-2-unsigned-words", "VMC-2-highest-bit-last"},
       setting<kSigned>},
      {"set-mask-only-low",
       "set_mask puts the low word into both halves",
       {"VMC-2-high-word"},
       setting<kOnlyLow>},
      {"set-mask-only-high",
       "set_mask puts the high word into both halves",
       {"VMC-2-low-word"},
       setting<kOnlyHigh>},
      {"set-mask-clears-upper",
       "set_mask clears slots 128 to 255",
       {"VMC-2-upper-half-stays", "VMC-7-set-mask-range"},
       setting<kClearsUpper>},
      {"set-mask-fills-upper",
       "set_mask repeats slots 0 to 127 in 128 to 255",
       {"VMC-2-upper-half-stays", "VMC-1-upper-slots"},
       setting<kRepeatsUpper>},
      {"set-mask-ors", "set_mask only switches slots on", {"VMC-0-reproducible"}, setting<kOrs>},
      {"set-mask-ands", "set_mask only switches slots off", {"VMC-0-reproducible"}, setting<kAnds>},
      {"set-mask-zero-high-stays",
       "set_mask(0, low) leaves slots 64 to 127 as they were",
       {"VMC-2-low-prefix"},
       setting<kZeroHighStays>},
      {"set-mask-in-ub", "the mask lives in the first 16 bytes of UB", {"VMC-2-no-data"}, keeps_mask_in_ub},
      {"reset-low-only",
       "reset_mask resets slots 0 to 63 only",
       {"VMC-2-reset", "VMC-7-reset-full"},
       resets_only<64>},
      {"reset-nothing",
       "reset_mask does nothing",
       {"VMC-2-reset", "VMC-7-reset-full", "VMC-0-reproducible"},
       resets_only<0>},
      {"mask-advances",
       "the mask advances by one repeat's lanes per repeat",
       {"VMC-1-no-advance", "VMC-1-every-repeat"},
       gating<kAdvances>},
      {"mask-first-repeat",
       "repeats after the first ignore the mask",
       {"VMC-1-every-repeat"},
       gating<kFirstRepeat>},
      {"mask-even-blocks", "odd data blocks ignore the mask", {"VMC-0-one-pattern"}, gating<kEvenBlocks>},
      {"mask-by-byte",
       "element e is gated by the slot of its first byte",
       {"VMC-1-slot-per-element"},
       gating<kByByte>},
      {"mask-inverted",
       "a slot of 1 masks off",
       {"VMC-3.1-writes-active", "VMC-3.1-keeps-masked-off"},
       gating<kInverted>},
      {"mask-all-or-nothing",
       "any masked-off lane stops the whole repeat",
       {"VMC-3.1-writes-active"},
       gating<kAllOrNothing>},
      {"mask-zeroes-dst",
       "a masked-off lane becomes 0",
       {"VMC-3.1-keeps-masked-off", "VMC-7-keeps-dst"},
       zeroes_dst},
      {"mask-32bit-high-word",
       "32-bit repeats use slots 64 to 127",
       {"VMC-1-prefix-32bit"},
       gating<shifted<64, 0, 64>>},
      {"mask-16bit-low-word",
       "16-bit repeats use slots 0 to 63 twice",
       {"VMC-1-prefix-16bit"},
       gating<shifted<128, 64, -64>>},
      {"mask-16bit-tail-on",
       "lanes 64 to 127 of a 16-bit repeat are always on",
       {"VMC-1-prefix-16bit"},
       gating<kTailOn>},
      {"mask-8bit-128-slots",
       "8-bit repeats use slots 0 to 127 twice",
       {"VMC-1-prefix-8bit", "VMC-1-upper-slots"},
       gating<shifted<256, 128, -128>>},
      {"cast-counts-narrow",
       "cast counts lanes by the narrower type",
       {"VMC-3.1-cast-wider", "VMC-3.1-cast-half-float"},
       cast_counts_narrow},
      {"cast-slots-narrow",
       "cast looks up slots at the narrower type's positions",
       {"VMC-3.1-cast-half-float", "VMC-3.1-cast-wider"},
       gating<kCastByNarrow>},
      {"select-control-msb",
       "select reads control bits from the highest down",
       {"VMC-4-packed-control"},
       [](Semantics& s, Op) { s.seams.control = BitLayout::highest_first; }},
      {"select-control-bytes",
       "select wants a control byte per element",
       {"VMC-4-packed-control"},
       [](Semantics& s, Op) { s.seams.control = BitLayout::byte_per_element; }},
      {"select-leaves-mask",
       "select leaves a mask of 32 lanes behind",
       {"VMC-4-mask-stays"},
       select_leaves_its_own},
      {"compare-msb",
       "compare packs bits from the highest down",
       {"VMC-4-packed-result"},
       [](Semantics& s, Op) { s.seams.result_bits = BitLayout::highest_first; }},
      {"compare-bytes",
       "compare writes a byte per element",
       {"VMC-4-packed-result"},
       [](Semantics& s, Op) { s.seams.result_bits = BitLayout::byte_per_element; }},
      {"cmpmask-sets-mask", "set_cmpmask loads the vector mask", {"VMC-5-set-cmpmask"}, cmpmask_is_the_mask},
  };
  add_reductions(forms, std::make_index_sequence<std::size(kReductions)>{});
  add_for_each_row(forms);
  add_mask_forms(forms);
  add_call_forms(forms);
  return forms;
}

}  // namespace

std::span<const Mutant> mutants() {
  static const std::vector<Mutant> forms = all_forms();
  return forms;
}

bool Mutant::exists_in(Profile profile) const {
  return std::ranges::any_of(breaks, [&](std::string_view broken) {
    const Rule* rule = find_rule(broken);
    return rule != nullptr && speaks_for(*rule, profile);
  });
}

const Mutant* find_mutant(std::string_view id) {
  const auto found = std::ranges::find(mutants(), id, &Mutant::id);
  return found == mutants().end() ? nullptr : &*found;
}

}  // namespace lanecheck
