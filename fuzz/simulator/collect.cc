// gather_mask: the elements that a pattern keeps, one after the other (GM).
#include <algorithm>
#include <bit>

#include "fuzz/simulator/machine.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

/// Fixed patterns as the document prints them, for eight elements, the first one in bit 0.
constexpr std::uint8_t kPatterns[] = {0, 0x55, 0xaa, 0x11, 0x22, 0x44, 0x88, 0xff};

/// One call: how many elements a repeat has, how many repeats there are, and how many elements in all.
struct Collected {
  std::uint64_t per_repeat, repeats, total;
};

Collected collected_by(const Machine& machine, const Instruction& insn) {
  const std::uint64_t lanes = kRepeatBytes / size_of(insn.src_type), mask = setting(insn, "mask");
  if (setting(insn, "counter") == 0) return {lanes, insn.repeat, lanes * insn.repeat};
  if (!machine.choices.gathers_in_all) return {mask, insn.repeat, mask * insn.repeat};
  return {lanes, mask / lanes + (mask % lanes > 0 ? 1 : 0), mask};
}

}  // namespace

void collect(Machine& machine, const Instruction& insn) {
  const bool user = insn.op == Op::gather_mask_user;
  const Collected extent = collected_by(machine, insn);
  const unsigned fixed = kPatterns[setting(insn, "pattern") & 7];
  with_bits_of(insn.dst_type, [&]<class Bits>(Bits) {
    constexpr std::uint64_t kPerBlock = kBlockBytes / sizeof(Bits);
    const std::byte* const src = machine.start_of(insn.operands[1]);
    std::byte* const dst = machine.start_of(insn.operands[0]);
    std::uint64_t kept = 0, done = 0;
    for (std::uint64_t r = 0; r < extent.repeats; ++r) {
      const std::byte* row = src + r * insn.operands[1].repeat_stride * kBlockBytes;
      const std::byte* pattern =
          user ? machine.start_of(insn.operands[2]) + r * insn.operands[2].repeat_stride * kBlockBytes
               : nullptr;
      const std::uint64_t here = std::min(extent.per_repeat, extent.total - done);
      for (std::uint64_t first = 0; first < here; first += 8) {  // a byte of the pattern
        unsigned bits = user ? std::to_integer<unsigned>(pattern[first / 8]) : fixed;
        if (here - first < 8) bits &= (1u << (here - first)) - 1;
        for (; bits != 0; bits &= bits - 1) {
          const std::uint64_t e = first + static_cast<unsigned>(std::countr_zero(bits));
          const std::byte* from = row + e / kPerBlock * insn.operands[1].block_stride * kBlockBytes;
          store(dst + kept++ * sizeof(Bits), load<Bits>(from + e % kPerBlock * sizeof(Bits)));
        }
      }
      done += here;
    }
    store(machine.start_of(insn.operands[user ? 3 : 2]), kept);
  });
}

}  // namespace lanecheck::simulator
