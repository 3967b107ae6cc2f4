// What is said of backends whose addresses have too few bits.
#include "fuzz/identify/identify_testing.h"

namespace lanecheck {
namespace {

/// The oracle on a UB of which byte n is kept where byte n modulo `bytes` is. It takes the operands that
/// `is_far` names as if they were not so far behind.
template <class IsFar>
Ask with_addresses_modulo(std::uint32_t bytes, IsFar is_far) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      Instruction& insn = changed.instructions.back();
      for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
        const Allocation& home = changed.allocations[insn.operands[k].allocation];
        const std::uint32_t start = home.offset + insn.operands[k].offset;
        if (start < bytes || !is_far(k)) continue;
        insn.operands[k].allocation = static_cast<std::uint16_t>(changed.allocations.size());
        insn.operands[k].offset = 0;
        changed.allocations.push_back({"near", home.type, start % bytes, 64 * kBlockBytes});
      }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

TEST(FarOperands, AddressesOf16Bits) {
  const Ask ask = with_addresses_modulo(65536, [](unsigned) { return true; });
  EXPECT_EQ(said("add.f32", ask), "add.f32 takes byte 65536 + n of UB as byte n");
  EXPECT_EQ(said("cadd.f16", ask), "cadd.f16 takes byte 65536 + n of UB as byte n");
  EXPECT_EQ(said("gather.u16", ask), "gather.u16 takes byte 65536 + n of UB as byte n");
  EXPECT_EQ(said("scatter.u32", ask), "scatter.u32 takes byte 65536 + n of UB as byte n");
  EXPECT_EQ(said("exp.f16", ask), "exp.f16 takes byte 65536 + n of UB as byte n");
}

TEST(FarOperands, TheAddressOfOneOperandAlone) {
  const Ask ask = with_addresses_modulo(32768, [](unsigned k) { return k == 1; });
  EXPECT_EQ(said("vmax.i16", ask), "vmax.i16 takes byte 32768 + n of UB as byte n in src0");
}

TEST(FarOperands, WrongBehindAByteOfUB) {
  const Ask ask = then([](const Program& program, State& state) {
    const Operand& dst = program.instructions.back().operands[0];
    if (start_of(program, dst) >= 131072) state.ub = program.ub;
  });
  EXPECT_EQ(said("adds.i32", ask),
            "adds.i32 is wrong if dst lies at byte 131072 of UB, and right before this byte");
}

TEST(FarRepeats, OffsetsOf16Bits) {
  const Ask ask = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned) {
    for (unsigned k = 0; k < row_of(one.op).operands.size(); ++k)
      one.operands[k].offset =
          whole.operands[k].offset + (one.operands[k].offset - whole.operands[k].offset) % 65536;
  });
  EXPECT_EQ(
      said("mul.f32", ask),
      "mul.f32 starts a repeat n bytes behind the first one where it should start 65536 + n bytes behind it");
}

}  // namespace
}  // namespace lanecheck
