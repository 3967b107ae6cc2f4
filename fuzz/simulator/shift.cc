// shl, shr: dst = src shifted by a setting; a shift by the whole width leaves 0, or the sign.
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {

void shift(Machine& machine, const Instruction& insn) {
  const unsigned by = setting(insn, "by");
  using Shifted = Types<std::int16_t, std::uint16_t, std::int32_t, std::uint32_t>;
  with_type_in(Shifted{}, insn.dst_type, [&]<class T>(T) {
    constexpr std::size_t P = kLanes<T>;
    const auto dst = machine.strided<T>(insn, 0), src = machine.strided<T>(insn, 1);
    const auto gate = machine.gate<T, P>();
    for (unsigned r = 0; r < insn.repeat; ++r) {
      auto lanes = src.template read<P>(r);
      for (auto& lane : lanes) {
        const auto wide = static_cast<std::int64_t>(static_cast<T>(lane));
        // What is shifted out on the left is lost: bits, not a number that may overflow.
        lane = insn.op == Op::shl ? static_cast<T>(static_cast<std::uint64_t>(wide) << by)
                                  : static_cast<T>(wide >> by);
      }
      dst.write(r, lanes, gate);
    }
  });
}

}  // namespace lanecheck::simulator
