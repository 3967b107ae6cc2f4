// Elements that brcb, gather or scatter do not leave as they are.
#include <gtest/gtest.h>

#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

/// As a loop over elements of 16 bits, and a half that gets lost on the way.
TEST(MovedValues, HalvesOfElements) {
  const auto makes = [](Op op, std::uint32_t (*of)(std::uint32_t)) {
    return then([=](const Program& program, State& state) {
      const Instruction& insn = program.instructions.back();
      if (insn.op != op || size_of(insn.dst_type) != 4) return;
      for (std::size_t at = 0; at < state.ub.size(); at += 4)
        if (const auto moved = load<std::uint32_t>(&state.ub[at]);
            moved != load<std::uint32_t>(&program.ub[at]))
          store(&state.ub[at], of(moved));
    });
  };
  EXPECT_EQ(said("brcb.u32", makes(Op::brcb, [](std::uint32_t x) { return (x & 0xffff) * 0x10001; })),
            "brcb.u32 writes the low 16 bits of each element twice");
  EXPECT_EQ(said("gather.f32", makes(Op::gather, [](std::uint32_t x) { return x >> 16 << 16; })),
            "gather.f32 writes the high 16 bits of each element, with zeros below them");
}

TEST(MovedValues, OnTheOracleNothingIsSaid) {
  for (const char* name : {"brcb.u16", "brcb.u32", "gather.f32", "scatter.i16"})
    EXPECT_EQ(said(name, ask_oracle()), "") << name;
}

}  // namespace
}  // namespace lanecheck
