// What is said of active lanes that are wrong only if other lanes are off.
#include <algorithm>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The oracle, which executes what `change` makes of an instruction whose mask has a lane off.
template <class Change>
Ask if_a_lane_is_off(Change change) {
  return with_program([change](Program& program) {
    Instruction& last = program.instructions.back();
    const Mask mask = mask_of(program);
    const bool any_off = std::ranges::any_of(std::span(mask).first(std::min(lanes_of(last), 128U)),
                                             [](auto slot) { return slot == 0; });
    if (any_off) change(last);
  });
}

TEST(UnderGaps, SourcesAreExchanged) {
  const Ask exchanged = if_a_lane_is_off([](Instruction& insn) {
    if (insn.op == Op::sub) std::swap(insn.operands[1], insn.operands[2]);
  });
  for (const std::string name : {"sub.f32", "sub.i16"})
    EXPECT_EQ(said(name, exchanged),
              name + " computes src1 - src0 instead of src0 - src1, under a mask that is not full");
}

TEST(UnderGaps, TheScalarIsAddedTwice) {
  const Ask twice = if_a_lane_is_off([](Instruction& insn) {
    if (insn.op == Op::adds)
      insn.scalar = scalar_of(insn.dst_type, 2 * value_of(insn.dst_type, insn.scalar.bits));
  });
  EXPECT_EQ(said("adds.f32", twice),
            "adds.f32 computes src + scalar + scalar instead of src + scalar, under a mask that is not full");
}

/// No law gives these results. What is said of the mask must still be true.
TEST(UnderGaps, ResultsThatAreWrongUnderAFullMaskAlone) {
  const auto scrambled = [](bool if_full_alone) {
    return then([=](const Program& program, State& state) {
      const Instruction& insn = program.instructions.back();
      const Mask mask = mask_of(program);
      const bool full = std::all_of(mask.begin(), mask.begin() + 64, [](auto slot) { return slot != 0; });
      if (insn.op != Op::add || (if_full_alone && !full)) return;
      for (unsigned r = 0; r < insn.repeat; ++r)
        for (unsigned lane = 0; lane < 64; ++lane) {
          std::byte& low = state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)];
          const unsigned byte = std::to_integer<unsigned>(low);
          if (mask[lane] != 0 && byte % 7 == 3) low = std::byte(byte * 5 + 1);
        }
    });
  };
  const std::string alone = said("add.i32", scrambled(true)), always = said("add.i32", scrambled(false));
  EXPECT_NE(alone.find(" are wrong under a full mask, and none under a mask that is not full"),
            std::string::npos)
      << alone;
  EXPECT_NE(always.find(" are wrong under a full mask, so the mask is not the cause"), std::string::npos)
      << always;
}

}  // namespace
}  // namespace lanecheck
