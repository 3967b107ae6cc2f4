#include "fuzz/step.h"

#include <algorithm>
#include <limits>

namespace lanecheck {
namespace {

std::uint64_t neutral_bits(Element type, Neutral neutral) {
  return with_type(type, [&](auto zero) -> std::uint64_t {
    using T = decltype(zero);
    using Limits = std::numeric_limits<T>;
    if (neutral == Neutral::zero) return 0;
    if constexpr (is_float_v<T>)
      return bits_of(neutral == Neutral::lowest ? -Limits::infinity() : Limits::infinity());
    else
      return bits_of(neutral == Neutral::lowest ? Limits::min() : Limits::max());
  });
}

/// Replaces the masked-off source elements of a reduction by the neutral element; false when one is also
/// active.
bool neutralise(const Program& program, const Instruction& i, const State& before,
                std::vector<std::byte>& ub) {
  const Element type = i.src_type;
  const unsigned size = size_of(type), per = per_block(type), lanes = lanes_of(i);
  const std::uint64_t neutral = neutral_bits(type, row_of(i.op).neutral);
  std::vector<std::uint8_t> verdict(ub.size(), 2);
  for (unsigned repeat = 0; repeat < i.repeat; ++repeat)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::size_t at = start_of(program, i.operands[1]) +
                             kBlockBytes * (std::size_t{repeat} * i.operands[1].repeat_stride +
                                            std::size_t{lane / per} * i.operands[1].block_stride) +
                             lane % per * size;
      const std::uint8_t active = before.mask[lane];
      if (verdict[at] != 2 && verdict[at] != active) return false;
      verdict[at] = active;
      if (active == 0) std::memcpy(ub.data() + at, &neutral, size);
    }
  return true;
}

}  // namespace

std::optional<RanStep> run_step(const Backend& backend, const Program& program, const Instruction& i,
                                const State& before) {
  RanStep step{{program.allocations, {}, before.ub}, before, {}, {}};
  if (before.mask != kFullMask) {
    Instruction set;
    set.op = Op::set_mask;
    set.low = mask_word(before.mask, 0);
    set.high = mask_word(before.mask, 1);
    if (std::count(before.mask.begin() + 128, before.mask.end(), 1) != 128) return {};
    step.program.instructions.push_back(set);
  }
  step.program.instructions.push_back(i);
  Program full{program.allocations, {i}, before.ub};
  if (row_of(i.op).mask == MaskUse::neutral_source && !neutralise(program, i, before, full.ub)) return {};
  if (!std::holds_alternative<Ran>(backend.run(step.program, step.after))) return {};
  if (!std::holds_alternative<Ran>(backend.run(full, step.unmasked))) return {};
  return step;
}

}  // namespace lanecheck
