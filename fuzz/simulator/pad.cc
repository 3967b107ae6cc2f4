// vpadding: each data block becomes its own padding (VP). The mask gates the writeback alone.
#include "fuzz/simulator/machine.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {

void pad(Machine& machine, const Instruction& insn) {
  const unsigned mode = setting(insn, "mode");
  const bool right = setting(insn, "side") == 1;
  with_bits_of(insn.dst_type, [&]<class Bits>(Bits) {
    constexpr std::size_t P = kLanes<Bits>, L = kBlockBytes / sizeof(Bits);
    const auto dst = machine.strided<Bits>(insn, 0), src = machine.strided<Bits>(insn, 1);
    for (unsigned r = 0; r < insn.repeat; ++r) {
      Lanes<Bits, P> lanes = src.template read<P>(r);
      for (auto block = lanes.begin(); block != lanes.end(); block += L) {
        const Bits first = block[0], last = block[L - 1];
        if (mode == 0) std::fill_n(block, L, right ? last : first);
        if (mode != 0) std::reverse(block, block + L);
        if (mode == 2 && right) std::copy(block + 1, block + L, block);  // drops the last element,
        if (mode == 2 && !right) std::copy_backward(block, block + L - 1, block + L);  // or the first,
        if (mode == 2) block[right ? L - 1 : 0] = 0;                                   // and x is 0
      }
      dst.write(r, lanes, machine.gate<Bits, P>());
    }
  });
}

}  // namespace lanecheck::simulator
