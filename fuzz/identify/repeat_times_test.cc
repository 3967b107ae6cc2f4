// The number of repeats that an instruction performs is said as a rule for all repeat times.
#include "fuzz/identify/identify_testing.h"

namespace lanecheck {
namespace {

/// SVM-2-strides: not the repeat times are cut off, but how far a repeat lies from the first one.
TEST(RepeatTimes, AreNotBlamedForADistanceThatIsCutOff) {
  const Ask wraps = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned repeat) {
    for (unsigned k = 0; whole.op == Op::mul && k < 3; ++k) {
      const std::uint32_t start = one.operands[k].offset - repeat * whole.operands[k].repeat_stride * 32u;
      one.operands[k].offset = start + repeat * whole.operands[k].repeat_stride % 256 * 32;
    }
  });
  Subject subject = subject_of("mul.i16", Profile::a2);
  subject.insn.repeat = 40;
  const auto said = identify(subject, wraps).differences;
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said[0].find("performs at most"), std::string::npos) << said[0];
}

/// The stride is added one repeat late: the number of repeats that are seen in dst is one less.
TEST(RepeatTimes, ARepeatThatLiesWhereTheOneBeforeItShould) {
  const Ask late = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned repeat) {
    if (repeat > 0) one.operands[0].offset -= static_cast<std::uint32_t>(repeat_step(whole, 0));
  });
  for (const std::string name : {"abs.f32", "add.i16"})
    EXPECT_EQ(said(name, late),
              "each repeat of dst of " + name + " but the first lies where the repeat before it should lie");
}

/// A profile without repeat times of 0 cannot execute what is left.
TEST(RepeatTimes, NoneInAProfileThatAlwaysHasOne) {
  const Ask none = [](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n)
      if (batch.programs[n].instructions.back().repeat > 127) batch.states[n].ub = batch.programs[n].ub;
  };
  const auto found = identify(in_a_row(subject_of("adds.f16", Profile::tik), 128), none).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], "adds.f16 performs no repeat if its repeat times are more than 127, in normal mode");
}

/// What is said of `name`, given with `repeat`, on a backend that performs `performed(repeat times)` repeats.
std::string said_of_times(const std::string& name, std::uint32_t repeat,
                          std::uint32_t (*performed)(std::uint32_t), Profile profile = Profile::vmc) {
  Subject subject = in_a_row(subject_of(name, profile), repeat);
  const Op op = subject.insn.op;
  const Ask ask = with([=](Instruction& insn) {
    if (insn.op == op) insn.repeat = performed(insn.repeat);
  });
  const auto found = identify(Program{profile, {}, {subject.insn}, {}}, 0, ask, false, false);
  return found.differences.empty() ? "" : found.differences[0];
}

TEST(RepeatTimes, KeptInFewBits) {
  EXPECT_EQ(said_of_times("add.f32", 128, [](std::uint32_t n) { return n & 127; }),
            "add.f32 uses only the lowest 7 bits of its repeat times");
  EXPECT_EQ(said_of_times("cgmax.f16", 70, [](std::uint32_t n) { return n & 63; }),
            "cgmax.f16 uses only the lowest 6 bits of its repeat times");
}

/// Offsets leave no room for 255 repeats.
TEST(RepeatTimes, OfInstructionsWithOffsets) {
  EXPECT_EQ(said_of_times("scatter.u32", 130, [](std::uint32_t n) { return n & 127; }),
            "scatter.u32 uses only the lowest 7 bits of its repeat times");
  EXPECT_EQ(said_of_times("gather.f16", 129, [](std::uint32_t n) { return n & 127; }),
            "gather.f16 uses only the lowest 7 bits of its repeat times");
  EXPECT_EQ(said_of_times("gather.u32", 255, [](std::uint32_t n) { return n > 127 ? 0 : n; }),
            "gather.u32 performs no repeat if its repeat times are more than 127");
}

TEST(RepeatTimes, AtMostSome) {
  EXPECT_EQ(said_of_times("relu.i8", 100, [](std::uint32_t n) { return std::min(n, 64U); }),
            "relu.i8 performs at most 64 repeats");
  EXPECT_EQ(said_of_times("select.f16", 40, [](std::uint32_t n) { return n > 31 ? 0 : n; }),
            "select.f16 performs no repeat if its repeat times are more than 31");
}

TEST(RepeatTimes, OfAShiftToTheRight) {
  EXPECT_EQ(said_of_times(
                "shr.u16", 128, [](std::uint32_t n) { return n > 127 ? 0 : n; }, Profile::a2),
            "shr.u16 performs no repeat if its repeat times are more than 127, in normal mode");
}

TEST(RepeatTimes, None) {
  EXPECT_EQ(said_of_times("adds.f32", 3, [](std::uint32_t) { return 0U; }),
            "adds.f32 writes nothing, whatever its repeat times are");
}

TEST(RepeatTimes, OneValueAlone) {
  EXPECT_EQ(said_of_times("mul.f16", 255, [](std::uint32_t n) { return n == 255 ? 0 : n; }),
            "repeat times of 255 of mul.f16 are performed as 0");
  EXPECT_EQ(said_of_times("cmin.i32", 0, [](std::uint32_t n) { return std::max(n, 1U); }),
            "cmin.i32 performs a repeat although its repeat times are 0");
}

/// With 3 repeats a repeat times rounded down looks like a last repeat that is left out.
TEST(RepeatTimes, Rounded) {
  EXPECT_EQ(said_of_times("abs.f16", 3, [](std::uint32_t n) { return n / 2 * 2; }),
            "abs.f16 rounds its repeat times down to an even number");
  EXPECT_EQ(said_of_times("cast.f32.f16", 3, [](std::uint32_t n) { return n == 1 ? 1 : n / 2 * 2; }),
            "cast.f32.f16 rounds its repeat times down to an even number, except if they are 1");
  EXPECT_EQ(said_of_times("sub.i16", 6, [](std::uint32_t n) { return (n + 3) / 4 * 4; }),
            "sub.i16 rounds its repeat times up to a multiple of 4");
  EXPECT_EQ(said_of_times("compare.f16", 3, [](std::uint32_t n) { return (n + 1) / 2 * 2; }),
            "compare.f16 rounds its repeat times up to an even number");
}

TEST(RepeatTimes, OneLess) {
  EXPECT_EQ(said_of_times("vor.i16", 4, [](std::uint32_t n) { return n > 1 ? n - 1 : n; }),
            "the last repeat of vor.i16 is left out, except if it is the only one");
}

}  // namespace
}  // namespace lanecheck
