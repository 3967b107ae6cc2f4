// gather_mask (GM) and vpadding (VP).
#pragma once

#include "oracle/ignoring.h"
#include "spec/footprint.h"

namespace lanecheck::form {

/// Does the user pattern keep element `e` of repeat `r`? A pattern past UB keeps nothing.
inline bool user_keeps(const Machine& m, const Instruction& i, std::uint64_t r, std::uint64_t e) {
  const Gathering& how = m.how.gathering;
  const std::byte* bits = m.at(i.operands[2]);
  std::uint64_t bit = e;
  if (how.pattern_runs_on)
    bit += r * lanes_of(i);
  else if (!how.pattern_stays)
    bits += r * repeat_step(i, 2);
  const std::uint64_t byte =
      static_cast<std::uint64_t>(bits - m.ub) + (how.bits == BitLayout::byte_per_element ? bit : bit / 8);
  return byte < m.ub_bytes && get_bit(bits, static_cast<unsigned>(bit), how.bits);
}

/// Keeps elements of src0 and packs them into dst, repeat after repeat; leaves their number in `count`.
template <class T>
void gather_mask(Machine& m, const Instruction& i) {
  const bool user = row_of(i.op).form == Form::gather_mask_user;
  const Gathering& how = m.how.gathering;
  constexpr std::uint64_t per = kBlockBytes / sizeof(T);
  const std::uint64_t lanes = lanes_of(i);
  const std::byte* const end = m.ub + m.ub_bytes;
  std::byte* dst = m.at(i.operands[0]);
  std::byte* src = m.at(i.operands[1]);
  const unsigned pattern = setting(i, "pattern");
  std::uint64_t kept = 0, scanned = 0, place = 0;
  for (unsigned r = 0; r < i.repeat; ++r) {
    const std::uint64_t active = m.counts ? m.how.counted(m.total, r, static_cast<unsigned>(lanes)) : lanes;
    if (how.counts_last) kept = 0;
    for (std::uint64_t e = 0; e < active; ++e, ++scanned) {
      const std::byte* from =
          block_at(src, i.operands[1], r, static_cast<unsigned>(e / per)) + e % per * sizeof(T);
      const bool keeps = user ? user_keeps(m, i, r, e) : how.keeps(pattern, r, e, lanes);
      const bool inside = from + sizeof(T) <= end && dst + (place + 1) * sizeof(T) <= end;
      if (!keeps || !inside || (how.obeys_mask && m.mask[e % kMaskSlots] == 0)) continue;
      store(dst + place * sizeof(T), load<T>(from));
      ++kept;
      ++place;
    }
    if (how.repeats_on_blocks) place = (place + per - 1) / per * per;
  }
  store(m.at(i.operands[user ? 3 : 2]), how.counts_scanned ? scanned : kept);
}

/// Mirrors or repeats elements within each data block. The mask gates the write and never the read.
template <class T>
void padding(Machine& m, const Instruction& i) {
  const unsigned mode = setting(i, "mode"), side = setting(i, "side"), lanes = lanes_of(i);
  const bool neighbour = m.how.readings.pad_source == PadSource::neighbour && mode != 0;
  std::byte* src = m.at(i.operands[1]);
  const unsigned per = m.how.pads_repeats ? lanes : kBlockBytes / sizeof(T);
  each_repeat<T>(m, i, lanes, [&](unsigned repeat, T* results) {
    Lanes<T> values;
    read_repeat(src, i.operands[1], repeat, lanes, values.data());
    const std::uint8_t* slots = m.how.mask_gates_reads ? m.slots(i, repeat) : kNoGate.data();
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const unsigned from = m.how.pad_from(mode, side, lane % per, per);
      unsigned first = lane / per * per;
      if (neighbour && side == 0 && first >= per) first -= per;
      if (neighbour && side == 1 && first + per < lanes) first += per;
      results[lane] = from >= per || slots[first + from] == 0 ? T{} : values[first + from];
    }
  });
}

}  // namespace lanecheck::form
