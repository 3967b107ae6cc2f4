// cmax_index, cmin_index: the extreme of a repeat and the lane that holds it, smallest lane first.
#include <optional>

#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/instruction_list.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {

void extreme_and_index(Machine& machine, const Instruction& insn) {
  const bool greatest = insn.op == Op::cmax_index;
  with_type_in(Floats{}, insn.dst_type, [&]<class T>(T) {
    constexpr std::size_t P = kLanes<T>;
    const auto src = machine.strided<T>(insn, 1);
    std::byte* dst = machine.start_of(insn.operands[0]);
    for (unsigned r = 0; r < insn.repeat; ++r, dst += bytes_to_next_repeat(insn, 0)) {
      const auto lanes = src.template read<P>(r);
      std::optional<std::uint32_t> best;
      for (std::uint32_t l = 0; l < P; ++l) {
        if (machine.state.mask[l] == 0) continue;
        const float value = widen<T>(lanes[l]), so_far = best ? widen<T>(lanes[*best]) : value;
        if (!best || (greatest ? value > so_far : value < so_far)) best = l;
      }
      if (!best) continue;
      const auto value = lanes[*best];
      const auto index = static_cast<BitsOf<T>>(*best);
      switch (setting(insn, "order")) {
        case 0:
          store(dst, value);
          store(dst + sizeof value, index);
          break;
        case 1:
          store(dst, index);
          store(dst + sizeof index, value);
          break;
        case 2:
          store(dst, value);
          break;
        case 3:
          store(dst, *best);
          break;
        default:
          unknown(insn);
      }
    }
  });
}

}  // namespace lanecheck::simulator
