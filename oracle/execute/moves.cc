// Instructions that move elements to or from places that offsets name, and brcb, which broadcasts (VMC 4).
// They ignore the mask, so their write gate is all ones. They ask for it because a mutant may obey the mask
// here.
#include "oracle/execute/kernel.h"
#include "oracle/execute/repeat.h"

namespace lanecheck {
namespace {

/// gatherb: 32 bytes for each offset, eight offsets for a repeat.
void gather_blocks(Machine& m, const Instruction& insn) {
  const std::byte* offsets = m.at(insn.operands[2]);
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    for (unsigned block = 0; block < kRepeatBlocks; ++block) {
      const auto offset = load<std::uint32_t>(offsets + 4 * (std::size_t{repeat} * kRepeatBlocks + block));
      if (const std::byte* from = m.indexed(insn.operands[1], offset, kBlockBytes))
        std::memcpy(block_at(m.at(insn.operands[0]), insn.operands[0], repeat, block), from, kBlockBytes);
    }
  }
}

template <class T>
void gather_elements(Machine& m, const Instruction& insn) {
  std::byte* dst = m.at(insn.operands[0]);
  const std::byte* offsets = m.at(insn.operands[2]);
  const unsigned lanes = lanes_of(insn);
  Operand row = insn.operands[0];
  row.block_stride = 1;
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    Lanes<T> results;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const auto offset = load<std::uint32_t>(offsets + 4 * (std::size_t{repeat} * lanes + lane));
      const std::byte* from = m.indexed(insn.operands[1], offset, sizeof(T));
      results[lane] = from != nullptr ? load<T>(from) : T{};
    }
    write_repeat(dst, row, repeat, lanes, results.data(), m.write_gate(insn, repeat), false);
  }
}

template <class T>
void scatter_elements(Machine& m, const Instruction& insn) {
  std::byte* src = m.at(insn.operands[1]);
  const std::byte* offsets = m.at(insn.operands[2]);
  const unsigned lanes = lanes_of(insn);
  Operand row = insn.operands[1];
  row.block_stride = 1;
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    Lanes<T> values;
    read_repeat(src, row, repeat, lanes, values.data());
    const std::uint8_t* gate = m.write_gate(insn, repeat);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const auto offset = load<std::uint32_t>(offsets + 4 * (std::size_t{repeat} * lanes + lane));
      std::byte* to = m.indexed(insn.operands[0], offset, sizeof(T));
      if (gate[lane] != 0 && to != nullptr) store(to, values[lane]);
    }
  }
}

/// brcb: each element of src fills a data block of dst.
template <class T>
void broadcast_blocks(Machine& m, const Instruction& insn) {
  std::byte* dst = m.at(insn.operands[0]);
  const std::byte* src = m.at(insn.operands[1]);
  constexpr unsigned per = kBlockBytes / sizeof(T);
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    Lanes<T> results;
    for (unsigned lane = 0; lane < results.size(); ++lane)
      results[lane] = load<T>(src + (repeat * kRepeatBlocks + lane / per) * sizeof(T));
    write_repeat(dst, insn.operands[0], repeat, lanes_of(insn), results.data(), m.write_gate(insn, repeat),
                 false);
  }
}

void gather(Machine& m, const Instruction& insn) {
  with_type(insn.src_type, [&]<class T>(T) { gather_elements<T>(m, insn); });
}
void scatter(Machine& m, const Instruction& insn) {
  with_type(insn.src_type, [&]<class T>(T) { scatter_elements<T>(m, insn); });
}
void brcb(Machine& m, const Instruction& insn) {
  with_type(insn.src_type, [&]<class T>(T) { broadcast_blocks<T>(m, insn); });
}

constexpr KernelRow kMoveKernels[] = {
    {Op::gather, gather},
    {Op::gatherb, gather_blocks},
    {Op::scatter, scatter},
    {Op::brcb, brcb},
};

}  // namespace

std::span<const KernelRow> move_kernels() {
  return kMoveKernels;
}

}  // namespace lanecheck
