// Mutants of set_mask, reset_mask and the mask at the start of a program (VMC 1, 2).
#include <algorithm>

#include "oracle/mutants/replace_seam.h"

namespace lanecheck {
namespace {

constexpr SetMask kBigEndian = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, __builtin_bswap64(high), __builtin_bswap64(low));
};
constexpr SetMask kLow32 = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, high & 0xffffffff, low & 0xffffffff);
};
constexpr SetMask kSigned = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, high & ~(std::uint64_t{1} << 63), low & ~(std::uint64_t{1} << 63));
};
constexpr SetMask kOnlyLow = [](Mask& m, std::uint64_t, std::uint64_t low) { set_mask(m, low, low); };
constexpr SetMask kOnlyHigh = [](Mask& m, std::uint64_t high, std::uint64_t) { set_mask(m, high, high); };
constexpr SetMask kClearsUpper = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  m.fill(0);
  set_mask(m, high, low);
};
constexpr SetMask kRepeatsUpper = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  set_mask(m, high, low);
  std::copy_n(m.begin(), 128, m.begin() + 128);
};
constexpr SetMask kOrs = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  const Mask old = m;
  set_mask(m, high, low);
  for (unsigned slot = 0; slot < 128; ++slot) m[slot] |= old[slot];
};
constexpr SetMask kAnds = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  const Mask old = m;
  set_mask(m, high, low);
  for (unsigned slot = 0; slot < 128; ++slot) m[slot] &= old[slot];
};
constexpr SetMask kZeroHighStays = [](Mask& m, std::uint64_t high, std::uint64_t low) {
  const Mask old = m;
  set_mask(m, high, low);
  if (high == 0) std::copy_n(old.begin() + 64, 64, m.begin() + 64);
};

template <unsigned First>
void starts_with(Semantics& s) {
  s.initial_mask.fill(0);
  std::fill_n(s.initial_mask.begin(), First, std::uint8_t{1});
}

template <unsigned First>
void resets_only(Semantics& s) {
  s.seams.reset_mask = [](Register reg) { std::fill_n(reg.mask.begin(), First, std::uint8_t{1}); };
}

void keeps_mask_in_ub(Semantics& s) {
  s.seams.side_effect = [](Machine& m, const Instruction& insn) {
    if (row_of(insn.op).mask != MaskUse::is_mask_state) return;
    for (unsigned slot = 0; slot < 128; ++slot) {
      auto& byte = m.ub[slot / 8];
      const auto bit = static_cast<std::byte>(1u << slot % 8);
      byte = m.mask[slot] != 0 ? byte | bit : byte & ~bit;
    }
  };
}

constexpr MutantRow kSetMaskMutants[] = {
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
     replace_seam<&Seams::set_mask, set_swapped>},
    {"set-mask-reversed",
     "set_mask puts bit 0 into the highest slot",
     {"VMC-2-lowest-bit-first", "VMC-2-highest-bit-last"},
     replace_seam<&Seams::set_mask, set_reversed>},
    {"set-mask-big-endian",
     "set_mask reads the bytes of a word from the other end",
     {"VMC-2-lowest-bit-first"},
     replace_seam<&Seams::set_mask, kBigEndian>},
    {"set-mask-32-bits",
     "set_mask keeps the low 32 bits of each word",
     {"VMC-2-unsigned-words"},
     replace_seam<&Seams::set_mask, kLow32>},
    {"set-mask-signed",
     "set_mask loses bit 63 of each word, the sign of an int64",
     {"VMC-2-unsigned-words", "VMC-2-highest-bit-last"},
     replace_seam<&Seams::set_mask, kSigned>},
    {"set-mask-only-low",
     "set_mask puts the low word into both halves",
     {"VMC-2-high-word"},
     replace_seam<&Seams::set_mask, kOnlyLow>},
    {"set-mask-only-high",
     "set_mask puts the high word into both halves",
     {"VMC-2-low-word"},
     replace_seam<&Seams::set_mask, kOnlyHigh>},
    {"set-mask-clears-upper",
     "set_mask clears slots 128 to 255",
     {"VMC-2-upper-half-stays", "VMC-7-set-mask-range"},
     replace_seam<&Seams::set_mask, kClearsUpper>},
    {"set-mask-fills-upper",
     "set_mask repeats slots 0 to 127 in 128 to 255",
     {"VMC-2-upper-half-stays", "VMC-1-upper-slots"},
     replace_seam<&Seams::set_mask, kRepeatsUpper>},
    {"set-mask-ors",
     "set_mask switches no slot off, so that a full mask stays full",
     {"VMC-0-reproducible"},
     replace_seam<&Seams::set_mask, kOrs>},
    {"set-mask-ands",
     "set_mask only switches slots off",
     {"VMC-0-reproducible"},
     replace_seam<&Seams::set_mask, kAnds>},
    {"set-mask-zero-high-stays",
     "set_mask(0, low) leaves slots 64 to 127 as they were",
     {"VMC-2-low-prefix"},
     replace_seam<&Seams::set_mask, kZeroHighStays>},
    {"set-mask-in-ub", "the mask lives in the first 16 bytes of UB", {"VMC-2-no-data"}, keeps_mask_in_ub},
    {"reset-low-only",
     "reset_mask resets slots 0 to 63 only",
     {"VMC-2-reset", "VMC-7-reset-full"},
     resets_only<64>},
    {"reset-nothing",
     "reset_mask does nothing",
     {"VMC-2-reset", "VMC-7-reset-full", "VMC-0-reproducible"},
     resets_only<0>},
};

}  // namespace

void add_set_mask_mutants(std::vector<Mutant>& list) {
  add_rows(list, kSetMaskMutants);
}

}  // namespace lanecheck
