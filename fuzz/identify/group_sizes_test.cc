// What identification says of reductions that take more or fewer neighbouring lanes for one result.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace group_sizes_test {

/// The oracle, except that each result is reduced from `size` lanes. `by_own`: repeats of dst lie as far
/// apart as so many results are wide.
Ask groups_of(unsigned size, bool by_own) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Element type = insn.dst_type;
    const unsigned bytes = size_of(type), lanes = lanes_of(insn);
    const Mask mask = mask_of(program);
    const Neutral neutral = row_of(insn.op).neutral;
    const auto number = [&](std::size_t at) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &program.ub[at], bytes);
      return value_of(type, bits);
    };
    state.ub = program.ub;
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
      for (unsigned group = 0; group < lanes / size; ++group) {
        bool any = insn.op == Op::cpadd;
        double result = neutral == Neutral::zero ? 0 : neutral == Neutral::lowest ? -1e300 : 1e300;
        for (unsigned lane = group * size; lane < (group + 1) * size; ++lane) {
          if (mask[lane] == 0) continue;
          any = true;
          const double value =
              number(start_of(program, insn.operands[1]) + lane_offset(insn, 1, repeat, lane));
          if (neutral == Neutral::zero) result += value;
          if (neutral == Neutral::lowest) result = std::max(result, value);
          if (neutral == Neutral::highest) result = std::min(result, value);
        }
        const std::size_t step = by_own ? std::size_t{insn.operands[0].repeat_stride} * (lanes / size) * bytes
                                        : repeat_step(insn, 0);
        const std::uint64_t bits = nearest(type, result);
        if (any)
          std::memcpy(&state.ub[start_of(program, insn.operands[0]) + repeat * step + group * bytes], &bits,
                      bytes);
      }
  });
}

/// The oracle, except that each result is the sum of the next `size` active lanes of its repeat.
Ask sums_of_active(unsigned size) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
      std::vector<std::int32_t> active;
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if (mask[lane] != 0)
          active.push_back(load<std::int32_t>(
              &program.ub[start_of(program, insn.operands[1]) + lane_offset(insn, 1, repeat, lane)]));
      active.resize(lanes_of(insn));
      for (unsigned n = 0; n < lanes_of(insn) / size; ++n) {
        const auto first = active.begin() + static_cast<std::ptrdiff_t>(n) * size;
        const std::int32_t sum = std::accumulate(first, first + size, 0);
        store(&state.ub[start_of(program, insn.operands[0]) + repeat * repeat_step(insn, 0) +
                        std::size_t{n} * 4],
              sum);
      }
    }
  });
}

TEST(GroupSizes, ActiveLanesAreMovedTogether) {
  EXPECT_EQ(said("cpadd.i32", sums_of_active(2)),
            "cpadd.i32 moves the elements of its active lanes together before it reduces them: each result "
            "is of the "
            "next 2 active lanes of the repeat");
}

TEST(GroupSizes, TheFaultOfTheOwnSizeIsNone) {
  EXPECT_EQ(said("cgmax.i16", groups_of(16, false)), "");
  EXPECT_EQ(said("cgmin.i32", groups_of(8, false)), "");
}

TEST(GroupSizes, ADataBlockIsEightElementsWhateverTheType) {
  for (const bool by_own : {true, false}) {
    EXPECT_EQ(said("cgmax.i16", groups_of(8, by_own)),
              "a data block of cgmax.i16 is 8 elements instead of 16: it gives 16 results of a repeat");
    EXPECT_EQ(said("cgmin.f16", groups_of(8, by_own)),
              "a data block of cgmin.f16 is 8 elements instead of 16: it gives 16 results of a repeat");
  }
}

TEST(GroupSizes, ADataBlockOfMoreElements) {
  EXPECT_EQ(said("cgmax.f32", groups_of(16, true)),
            "a data block of cgmax.f32 is 16 elements instead of 8: it gives 4 results of a repeat");
  EXPECT_EQ(said("cgadd.f32", groups_of(4, true)),
            "a data block of cgadd.f32 is 4 elements instead of 8: it gives 16 results of a repeat");
  EXPECT_EQ(said("cgmin.i16", groups_of(32, false)),
            "a data block of cgmin.i16 is 32 elements instead of 16: it gives 4 results of a repeat");
}

TEST(GroupSizes, TwoResultsOfARepeatThatMustGiveOne) {
  EXPECT_EQ(
      said("cadd.f16", groups_of(64, true)),
      "cadd.f16 takes 64 neighbouring elements for a result instead of 128: it gives 2 results of a repeat");
}

TEST(GroupSizes, PairsOfFour) {
  EXPECT_EQ(
      said("cpadd.f16", groups_of(4, true)),
      "cpadd.f16 takes 4 neighbouring elements for a result instead of 2: it gives 32 results of a repeat");
}

}  // namespace group_sizes_test
}  // namespace lanecheck
