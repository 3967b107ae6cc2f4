// vpadding (VP): mirrors or repeats elements within each data block.
#include "oracle/execute/kernel.h"
#include "oracle/execute/repeat.h"

namespace lanecheck {
namespace {

/// The mask gates the write and never the read.
template <class T>
void pad(Machine& m, const Instruction& insn) {
  const unsigned mode = setting(insn, "mode"), side = setting(insn, "side"), lanes = lanes_of(insn);
  const bool neighbour = m.semantics.readings.pad_source == PadSource::neighbour && mode != 0;
  std::byte* src = m.at(insn.operands[1]);
  const unsigned per = m.semantics.seams.pads_repeats ? lanes : kBlockBytes / sizeof(T);
  each_repeat<T>(m, insn, lanes, [&](unsigned repeat, T* results) {
    Lanes<T> values;
    read_repeat(src, insn.operands[1], repeat, lanes, values.data());
    const std::uint8_t* slots = m.semantics.seams.mask_gates_reads ? m.slots(insn, repeat) : kNoGate.data();
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const unsigned from = m.semantics.seams.pad_from(mode, side, lane % per, per);
      unsigned first = lane / per * per;
      if (neighbour && side == 0 && first >= per) first -= per;
      if (neighbour && side == 1 && first + per < lanes) first += per;
      results[lane] = from >= per || slots[first + from] == 0 ? T{} : values[first + from];
    }
  });
}

void vpadding(Machine& m, const Instruction& insn) {
  with_bits(insn, insn.dst_type, [&]<class T>(T) { pad<T>(m, insn); });
}

constexpr KernelRow kPaddingKernels[] = {{Op::vpadding, vpadding}};

}  // namespace

std::span<const KernelRow> padding_kernels() {
  return kPaddingKernels;
}

}  // namespace lanecheck
