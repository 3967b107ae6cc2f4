// gather_mask (GM) and vpadding (VP).
#pragma once

#include <vector>

#include "oracle/execute/elementwise.h"
#include "oracle/execute/packed_bits.h"
#include "spec/mask/footprint.h"

namespace lanecheck::form {

/// The user pattern of one repeat, and which bit of it is the first element's.
struct UserPattern {
  Control bits;
  std::uint64_t first = 0;

  bool keeps(std::uint64_t e) const { return bits.one(static_cast<unsigned>(first + e)); }
};

inline UserPattern user_pattern(const Machine& m, const Instruction& insn, std::uint64_t r) {
  const Gathering& semantics = m.semantics.gathering;
  const bool moves = !semantics.pattern_runs_on && !semantics.pattern_stays;
  const std::uint64_t place =
      static_cast<std::uint64_t>(m.at(insn.operands[2]) - m.ub) + (moves ? r * repeat_step(insn, 2) : 0);
  const std::size_t readable = m.ub_bytes - std::min<std::uint64_t>(place, m.ub_bytes);
  return {{{m.ub + place, readable}, semantics.bits}, semantics.pattern_runs_on ? r * lanes_of(insn) : 0};
}

/// Keeps elements of src0 and packs them into dst, repeat after repeat; leaves their number in `count`.
template <class T>
void gather_mask(Machine& m, const Instruction& insn) {
  const bool user = row_of(insn.op).form == Form::gather_mask_user;
  const Gathering& semantics = m.semantics.gathering;
  constexpr std::uint64_t per = kBlockBytes / sizeof(T);
  const std::uint64_t lanes = lanes_of(insn);
  const std::byte* const end = m.ub + m.ub_bytes;
  std::byte* dst = m.at(insn.operands[0]);
  std::byte* src = m.at(insn.operands[1]);
  const std::uint64_t room = static_cast<std::uint64_t>(end - dst) / sizeof(T);
  const unsigned pattern = setting(insn, "pattern");
  std::vector<T> kept;  // of one repeat, as far as dst has room; one element more is written
  std::uint64_t count = 0, scanned = 0, place = 0;
  for (unsigned r = 0; r < insn.repeat; ++r) {
    const std::uint64_t active =
        m.counts ? m.semantics.counted(m.total, r, static_cast<unsigned>(lanes)) : lanes;
    const UserPattern bits = user ? user_pattern(m, insn, r) : UserPattern{};
    const std::uint64_t most = room - std::min(room, place);
    kept.resize(std::min(active, most) + 1);
    std::uint64_t n = 0;
    for (std::uint64_t e = 0; e < active && n < kept.size(); ++e) {
      const std::byte* from =
          block_at(src, insn.operands[1], r, static_cast<unsigned>(e / per)) + e % per * sizeof(T);
      if (from + sizeof(T) > end) break;
      const bool keeps = user ? bits.keeps(e) : semantics.keeps(pattern, r, e, lanes);
      const bool gated = semantics.obeys_mask && m.mask[e % kMaskSlots] == 0;
      kept[n] = load<T>(from);
      n += keeps && !gated ? 1 : 0;
    }
    n = std::min(n, most);
    if (n > 0) std::memcpy(dst + place * sizeof(T), kept.data(), n * sizeof(T));
    scanned += active;
    place += n;
    count = semantics.counts_last ? n : count + n;
    if (semantics.repeats_on_blocks) place = (place + per - 1) / per * per;
  }
  store(m.at(insn.operands[user ? 3 : 2]), semantics.counts_scanned ? scanned : count);
}

/// Mirrors or repeats elements within each data block. The mask gates the write and never the read.
template <class T>
void padding(Machine& m, const Instruction& insn) {
  const unsigned mode = setting(insn, "mode"), side = setting(insn, "side"), lanes = lanes_of(insn);
  const bool neighbour = m.semantics.readings.pad_source == PadSource::neighbour && mode != 0;
  std::byte* src = m.at(insn.operands[1]);
  const unsigned per = m.semantics.pads_repeats ? lanes : kBlockBytes / sizeof(T);
  each_repeat<T>(m, insn, lanes, [&](unsigned repeat, T* results) {
    Lanes<T> values;
    read_repeat(src, insn.operands[1], repeat, lanes, values.data());
    const std::uint8_t* slots = m.semantics.mask_gates_reads ? m.slots(insn, repeat) : kNoGate.data();
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const unsigned from = m.semantics.pad_from(mode, side, lane % per, per);
      unsigned first = lane / per * per;
      if (neighbour && side == 0 && first >= per) first -= per;
      if (neighbour && side == 1 && first + per < lanes) first += per;
      results[lane] = from >= per || slots[first + from] == 0 ? T{} : values[first + from];
    }
  });
}

}  // namespace lanecheck::form
