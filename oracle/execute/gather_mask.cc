// gather_mask (GM): keeps the elements that a pattern names and packs them into dst.
#include <vector>

#include "oracle/execute/kernel.h"
#include "oracle/execute/packed_bits.h"
#include "oracle/execute/repeat.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The user pattern of one repeat.
struct UserPattern {
  Control bits;
  std::uint64_t first = 0;  ///< the bit of the first element

  bool keeps(std::uint64_t e) const { return bits.one(static_cast<unsigned>(first + e)); }
};

UserPattern user_pattern(const Machine& m, const Instruction& insn, std::uint64_t r) {
  const GatherMaskSeams& seams = m.semantics.seams.gather_mask;
  const bool moves = !seams.pattern_runs_on && !seams.pattern_stays;
  const std::uint64_t place =
      static_cast<std::uint64_t>(m.at(insn.operands[2]) - m.ub) + (moves ? r * repeat_step(insn, 2) : 0);
  const std::size_t readable = m.ub_bytes - std::min<std::uint64_t>(place, m.ub_bytes);
  return {{{m.ub + place, readable}, seams.bits}, seams.pattern_runs_on ? r * lanes_of(insn) : 0};
}

/// Keeps elements of src0 and packs them into dst, repeat after repeat; leaves their number in `count`.
template <class T>
void keep_elements(Machine& m, const Instruction& insn) {
  const bool user = insn.op == Op::gather_mask_user;
  const GatherMaskSeams& seams = m.semantics.seams.gather_mask;
  constexpr std::uint64_t per = kBlockBytes / sizeof(T);
  const std::uint64_t lanes = lanes_of(insn);
  const std::byte* const end = m.ub + m.ub_bytes;
  std::byte* dst = m.at(insn.operands[0]);
  std::byte* src = m.at(insn.operands[1]);
  const std::uint64_t room = static_cast<std::uint64_t>(end - dst) / sizeof(T);
  const unsigned pattern = user ? 0 : setting(insn, "pattern");
  std::vector<T> kept;  // of one repeat, as far as dst has room; one element more is written
  std::uint64_t count = 0, scanned = 0, place = 0;
  for (unsigned r = 0; r < insn.repeat; ++r) {
    const std::uint64_t active =
        m.counts ? m.semantics.seams.counted(m.total, r, static_cast<unsigned>(lanes)) : lanes;
    const UserPattern bits = user ? user_pattern(m, insn, r) : UserPattern{};
    const std::uint64_t most = room - std::min(room, place);
    kept.resize(std::min(active, most) + 1);
    std::uint64_t n = 0;
    for (std::uint64_t e = 0; e < active && n < kept.size(); ++e) {
      const std::byte* from =
          block_at(src, insn.operands[1], r, static_cast<unsigned>(e / per)) + e % per * sizeof(T);
      if (from + sizeof(T) > end) break;
      const bool keeps = user ? bits.keeps(e) : seams.keeps(pattern, r, e, lanes);
      const bool gated = seams.obeys_mask && m.mask[e % kMaskSlots] == 0;
      kept[n] = load<T>(from);
      n += keeps && !gated ? 1 : 0;
    }
    n = std::min(n, most);
    if (n > 0) std::memcpy(dst + place * sizeof(T), kept.data(), n * sizeof(T));
    scanned += active;
    place += n;
    count = seams.counts_last ? n : count + n;
    if (seams.repeats_on_blocks) place = (place + per - 1) / per * per;
  }
  store(m.at(insn.operands[user ? 3 : 2]), seams.counts_scanned ? scanned : count);
}

void gather_mask(Machine& m, const Instruction& insn) {
  with_bits(insn, insn.dst_type, [&]<class T>(T) { keep_elements<T>(m, insn); });
}

constexpr KernelRow kGatherMaskKernels[] = {
    {Op::gather_mask, gather_mask},
    {Op::gather_mask_user, gather_mask},
};

}  // namespace

std::span<const KernelRow> gather_mask_kernels() {
  return kGatherMaskKernels;
}

}  // namespace lanecheck
