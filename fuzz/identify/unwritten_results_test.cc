// What is said of reductions that leave results unwritten because of their value, or pair other lanes.
#include <limits>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The oracle, except that results of `op` for which `is_left` holds keep what dst held.
template <class IsLeft>
Ask without_results(Op op, IsLeft is_left) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != op) return;
    const unsigned size = size_of(insn.dst_type);
    const std::size_t start = start_of(program, insn.operands[0]);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned n = 0; n < results_per_repeat(insn); ++n) {
        const std::size_t at = start + r * repeat_step(insn, 0) + n * size;
        std::uint64_t bits = 0;
        std::copy_n(&state.ub[at], size, reinterpret_cast<std::byte*>(&bits));
        if (is_left(value_of(insn.dst_type, bits))) std::copy_n(&program.ub[at], size, &state.ub[at]);
      }
  });
}

TEST(UnwrittenResults, SumsOfZero) {
  EXPECT_EQ(said("cgadd.f32", without_results(Op::cgadd, [](double sum) { return sum == 0; })),
            "results of cgadd.f32 are not written if they are 0, also under a full mask");
}

/// The sum was compared with 0 before it was cut to the type: 64 times the least value is 0 only then.
TEST(UnwrittenResults, SumsOfZeroThatHaveNotWrapped) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cadd) return;
    for (unsigned r = 0; r < insn.repeat; ++r) {
      double sum = 0;
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        std::uint32_t bits = 0;
        std::copy_n(&program.ub[start_of(program, insn.operands[1]) + lane_offset(insn, 1, r, lane)], 4,
                    reinterpret_cast<std::byte*>(&bits));
        sum += value_of(insn.src_type, bits);
      }
      const std::size_t at = start_of(program, insn.operands[0]) + r * repeat_step(insn, 0);
      if (sum == 0) std::copy_n(&program.ub[at], 4, &state.ub[at]);
    }
  });
  EXPECT_EQ(said("cadd.i32", ask),
            "results of cadd.i32 are not written if they are 0 and have not wrapped, also under a full mask");
}

TEST(UnwrittenResults, NegativeSums) {
  EXPECT_EQ(said("cadd.i32", without_results(Op::cadd, [](double sum) { return sum < 0; })),
            "results of cadd.i32 are not written if they are less than 0, also under a full mask");
}

/// A simulator that starts from this value may take it for "no lane is on".
TEST(UnwrittenResults, TheLeastOrTheGreatestValue) {
  const auto is_least = [](double result) { return result == -std::numeric_limits<double>::infinity(); };
  EXPECT_EQ(said("cmax.f16", without_results(Op::cmax, is_least)),
            "results of cmax.f16 are not written if they are -inf, the least value of the type, also under a "
            "full mask");
  EXPECT_EQ(said("cgmin.i16", without_results(Op::cgmin, [](double result) { return result == 32767; })),
            "results of cgmin.i16 are not written if they are 32767, the greatest value of the type, also "
            "under a full mask");
}

/// "No lane is on" is asked of all 128 slots, also of those that are no lanes.
TEST(UnwrittenResults, SlotsBehindTheLanesMakeAResultWritten) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    const auto is_on = [&](std::size_t from) {
      return std::ranges::count(std::span(mask).subspan(from, 64), std::uint8_t{1}) > 0;
    };
    for (unsigned r = 0; insn.op == Op::cadd && r < insn.repeat && !is_on(0) && is_on(64); ++r)
      std::fill_n(&state.ub[start_of(program, insn.operands[0]) + r * repeat_step(insn, 0)],
                  size_of(insn.dst_type), std::byte{0});
  });
  EXPECT_EQ(
      said("cadd.f32", ask),
      "results of cadd.f32 are written (0) if all of their lanes are off and one of slots 64..127 is 1, "
      "which are no lanes of the type");
}

/// cpadd adds lane k of a data block and the lane half a data block behind it.
TEST(PairsOfLanes, HalfADataBlockApart) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      const Instruction& insn = given.instructions.back();
      Program changed = given;
      const unsigned size = size_of(insn.src_type), per = per_block(insn.src_type);
      const std::size_t start = start_of(given, insn.operands[1]);
      for (unsigned r = 0; insn.op == Op::cpadd && r < insn.repeat; ++r)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          const unsigned k = lane % per, other = lane - k + k / 2 + k % 2 * per / 2;
          std::copy_n(&given.ub[start + lane_offset(insn, 1, r, other)], size,
                      &changed.ub[start + lane_offset(insn, 1, r, lane)]);
        }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  const std::string begin =
      " is computed from other lanes than those of its pair: lane k of each data block "
      "counts in its result k mod ";
  EXPECT_EQ(said("cpadd.f32", ask), "each result of cpadd.f32" + begin + "4 instead of k / 2");
  EXPECT_EQ(said("cpadd.i16", ask), "each result of cpadd.i16" + begin + "8 instead of k / 2");
}

/// The oracle, except that elements of dst for which `is_left` holds keep what dst held.
template <class IsLeft>
Ask without_elements(Op op, IsLeft is_left) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != op) return;
    const unsigned size = size_of(insn.dst_type);
    for (std::size_t at = start_of(program, insn.operands[0]); at + size <= state.ub.size(); at += size) {
      std::uint64_t bits = 0;
      std::copy_n(&state.ub[at], size, reinterpret_cast<std::byte*>(&bits));
      if (is_left(value_of(insn.dst_type, bits))) std::copy_n(&program.ub[at], size, &state.ub[at]);
    }
  });
}

TEST(UnwrittenElements, OfAScatterThatAre0) {
  EXPECT_EQ(said("scatter.f16", without_elements(Op::scatter, [](double value) { return value == 0; })),
            "scatter.f16 does not write elements that are 0");
}

TEST(UnwrittenElements, OfAGatherThatAreNegative) {
  EXPECT_EQ(said("gather.i16", without_elements(Op::gather, [](double value) { return value < 0; })),
            "gather.i16 does not write elements that are less than 0");
}

}  // namespace
}  // namespace lanecheck
