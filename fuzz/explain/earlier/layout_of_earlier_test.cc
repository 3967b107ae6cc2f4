// Sources that are read where elements of another size would lie (VMC section 1: 256 bytes per repeat).
#include "fuzz/explain/earlier/layout_of_earlier.h"

#include <gtest/gtest.h>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace layout_of_earlier_test {

/// A table of the places of the lanes, whose key is the block stride alone, or nothing: behind an addition of
/// f32, cast.f32.f16 reads lane l at data block l / 8, byte 4 * (l mod 8). Computed here by hand.
Backend keeps_a_table(bool by_stride) {
  return function_backend("table", "", [by_stride](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    const Instruction* wide = nullptr;  // the first one with sources of 4 bytes
    for (const Instruction& insn : program.instructions) {
      const State before = state;
      execute_one(program, insn, Semantics{}, state);
      if (wide == nullptr && insn.op == Op::add && insn.src_type == Element::f32) wide = &insn;
      const bool is_cast =
          insn.op == Op::cast && insn.dst_type == Element::f32 && insn.src_type == Element::f16;
      if (!is_cast || wide == nullptr) continue;
      const std::uint32_t stride = insn.operands[1].block_stride;
      if (by_stride && wide->operands[1].block_stride != stride) continue;
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
        for (unsigned lane = 0; lane < 64; ++lane) {
          if (before.mask[lane] == 0) continue;
          const std::size_t from = start_of(program, insn.operands[1]) + repeat * repeat_step(insn, 1) +
                                   lane / 8 * stride * 32 + lane % 8 * 4,
                            to = start_of(program, insn.operands[0]) + lane_offset(insn, 0, repeat, lane);
          if (from + 2 > before.ub.size()) continue;
          const double value = value_of(Element::f16, load<std::uint16_t>(&before.ub[from]));
          store(&state.ub[to], static_cast<float>(value));
        }
    }
    return Ran{};
  });
}

constexpr const char* kAddAndCast = R"(
ub 2048
alloc a f32 0 256 = 0 x64
alloc s f32 256 256 = 1 x64
alloc t f32 512 256 = 2 x64
alloc b f32 768 256 = 0 x64
alloc h f16 1024 512 = 1, 2, 3, 4, 5, 6, 7, 8, 9 x248
add.f32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, t+0 blk=1 rep=8, repeat=1
cast.f32.f16 b+0 blk=1 rep=8, h+0 blk=1 rep=4, round=none, repeat=1
)";

TEST(LayoutOfEarlier, ACastReadsElementsOfFourBytes) {
  const std::string text =
      "cast.f32.f16 reads its sources as if their elements had 4 bytes instead of 2, as those of the earlier "
      "add.f32 (instruction 1) have";
  EXPECT_EQ(named(kAddAndCast, keeps_a_table(true)).what, text + ", if both have the same block stride");
  EXPECT_EQ(named(kAddAndCast, keeps_a_table(false)).what, text);
}

}  // namespace layout_of_earlier_test
}  // namespace lanecheck
