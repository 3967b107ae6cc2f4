// gather, gatherb, scatter, brcb: elements move, their values do not matter. None of them looks at the mask
// in VMC (4); in Ascend C gather does.
#include "fuzz/simulator/machine.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

/// Calls f(row element, byte offset) for each lane of each repeat. `row` is the operand that lies in rows:
/// the lanes of a repeat are consecutive.
template <class Bits, class F>
void for_each_lane(const Machine& machine, const Instruction& insn, unsigned row, F f) {
  constexpr unsigned P = kLanes<Bits>;
  const std::byte* offsets = machine.start_of(insn.operands[2]);
  std::byte* const lanes = machine.start_of(insn.operands[row]);
  const std::size_t step = std::size_t{insn.operands[row].repeat_stride} * kBlockBytes;
  for (unsigned r = 0; r < insn.repeat; ++r)
    for (unsigned l = 0; l < P; ++l, offsets += sizeof(std::uint32_t))
      f(lanes + r * step + l * sizeof(Bits), load<std::uint32_t>(offsets));
}

/// Ascend C: a lane whose slot is 0 keeps its old dst.
template <class Bits>
void gather_masked(const Machine& machine, const Instruction& insn) {
  constexpr std::size_t P = kLanes<Bits>;
  const std::byte* src = machine.start_of(insn.operands[1]);
  const std::byte* offsets = machine.start_of(insn.operands[2]);
  Strided<Bits> dst = machine.strided<Bits>(insn, 0);
  dst.block_step = kBlockBytes;
  for (unsigned r = 0; r < insn.repeat; ++r) {
    Lanes<Bits, P> lanes;
    for (auto& lane : lanes) {
      lane = load<Bits>(src + load<std::uint32_t>(offsets));
      offsets += sizeof(std::uint32_t);
    }
    dst.write(r, lanes, machine.gate<Bits, P>());
  }
}

}  // namespace

void gather(Machine& machine, const Instruction& insn) {
  with_bits_of(insn.dst_type, [&]<class Bits>(Bits) {
    const std::byte* src = machine.start_of(insn.operands[1]);
    if (machine.choices.select_and_gather_obey_mask) return gather_masked<Bits>(machine, insn);
    for_each_lane<Bits>(machine, insn, 0, [src](std::byte* lane, std::uint32_t offset) {
      store(lane, load<Bits>(src + offset));
    });
  });
}

void gatherb(Machine& machine, const Instruction& insn) {
  const std::byte* offsets = machine.start_of(insn.operands[2]);
  const std::byte* src = machine.start_of(insn.operands[1]);
  for (unsigned r = 0; r < insn.repeat; ++r)
    for (unsigned j = 0; j < kRepeatBlocks; ++j, offsets += sizeof(std::uint32_t)) {
      const std::size_t to =
          std::size_t{kBlockBytes} * (r * insn.operands[0].repeat_stride + j * insn.operands[0].block_stride);
      std::memcpy(machine.start_of(insn.operands[0]) + to, src + load<std::uint32_t>(offsets), kBlockBytes);
    }
}

void scatter(Machine& machine, const Instruction& insn) {
  with_bits_of(insn.dst_type, [&]<class Bits>(Bits) {
    std::byte* dst = machine.start_of(insn.operands[0]);
    for_each_lane<Bits>(machine, insn, 1, [dst](const std::byte* lane, std::uint32_t offset) {
      store(dst + offset, load<Bits>(lane));
    });
  });
}

void brcb(Machine& machine, const Instruction& insn) {
  with_bits_of(insn.dst_type, [&]<class Bits>(Bits) {
    constexpr std::size_t P = kLanes<Bits>;
    const auto dst = machine.strided<Bits>(insn, 0);
    const std::byte* src = machine.start_of(insn.operands[1]);
    for (unsigned r = 0; r < insn.repeat; ++r, src += kRepeatBlocks * sizeof(Bits)) {
      Lanes<Bits, P> lanes;
      for (unsigned j = 0; j < kRepeatBlocks; ++j)
        std::fill_n(&lanes[j * dst.kPerBlock], dst.kPerBlock, load<Bits>(src + j * sizeof(Bits)));
      dst.write(r, lanes);
    }
  });
}

}  // namespace lanecheck::simulator
