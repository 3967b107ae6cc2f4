// What identification says of reductions that name a wrong element.
#include <gtest/gtest.h>

#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace index_law_test {

/// The oracle, after which the index of each repeat of cmax_index.f32 is `index(values, active lanes,
/// repeat)`.
template <class Index>
Ask with_index(Index index, bool of_order_0 = false) {
  return then([index, of_order_0](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cmax_index) return;
    MaskWords mask{insn.high, insn.low};
    for (const Instruction& each : program.instructions)
      if (each.op == Op::set_vector_mask) mask = {each.high, each.low};
    for (unsigned r = 0; r < insn.repeat; ++r) {
      std::vector<double> values;
      std::vector<unsigned> on;
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        float value = 0;
        std::memcpy(&value, &program.ub[start_of(program, insn.operands[1]) + lane_offset(insn, 1, r, lane)],
                    4);
        values.push_back(value);
        if (has_slot(mask, lane)) on.push_back(lane);
      }
      const unsigned order = setting(insn, "order");
      if (on.empty() || order == 2 || (order != 0 && of_order_0)) continue;
      const std::uint32_t lane = index(values, on, r);
      const std::size_t at = start_of(program, insn.operands[0]) + r * repeat_step(insn, 0);
      std::memcpy(&state.ub[at + (order == 0 ? 4 : 0)], &lane, 4);
    }
  });
}

using Values = std::vector<double>;
using Lanes = std::vector<unsigned>;

unsigned first_greatest(const Values& values, const Lanes& on) {
  return *std::ranges::max_element(on, {}, [&](unsigned lane) { return values[lane]; });
}

unsigned last_greatest(const Values& values, const Lanes& on) {
  unsigned best = on[0];
  for (const unsigned lane : on)
    if (values[lane] >= values[best]) best = lane;
  return best;
}

/// The two orders that write an index often have code of their own.
TEST(IndexLaw, TheOrderIsNamedIfTheIndicesOfOthersAreRight) {
  const Ask ask = with_index(
      [](const Values& values, const Lanes& on, unsigned) { return last_greatest(values, on); }, true);
  EXPECT_EQ(
      first_said("cmax_index.f32", ask),
      "cmax_index.f32 gives the index of the last of several equal elements, for order 0 (the value, then "
      "the index)");
}

TEST(IndexLaw, TheLastOfEqualElementsIsNamed) {
  const Ask ask =
      with_index([](const Values& values, const Lanes& on, unsigned) { return last_greatest(values, on); });
  EXPECT_EQ(first_said("cmax_index.f32", ask),
            "cmax_index.f32 gives the index of the last of several equal elements");
}

TEST(IndexLaw, InLaterRepeatsOnly) {
  const Ask ask = with_index([](const Values& values, const Lanes& on, unsigned repeat) {
    return repeat == 0 ? first_greatest(values, on) : last_greatest(values, on);
  });
  EXPECT_EQ(
      first_said("cmax_index.f32", ask),
      "cmax_index.f32 gives the index of the last of several equal elements in every repeat after the first");
}

TEST(IndexLaw, OnlyActiveElementsAreCounted) {
  const Ask ask = with_index([](const Values& values, const Lanes& on, unsigned) {
    return static_cast<unsigned>(std::ranges::find(on, first_greatest(values, on)) - on.begin());
  });
  const auto found = identify(subject_of("cmax_index.f32", Profile::a2), ask).parts;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].what, "cmax_index.f32 counts only active elements for the index");
  EXPECT_EQ(found[0].matter, Matter::mask);
}

TEST(IndexLaw, AnIndexThatIsAFloatingPointNumber) {
  const Ask ask = with_index([](const Values& values, const Lanes& on, unsigned) {
    const auto lane = static_cast<float>(first_greatest(values, on));
    std::uint32_t bits = 0;
    std::memcpy(&bits, &lane, sizeof bits);
    return bits;
  });
  EXPECT_EQ(first_said("cmax_index.f32", ask), "cmax_index.f32 gives the index as a floating-point number");
}

/// The oracle, except that results of 4 bytes lie half as far apart as they should, in this order.
Ask half_as_far(Op op, unsigned order) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != op || setting(insn, "order") != order) return;
    const auto documented = state.ub;
    const std::size_t start = start_of(program, insn.operands[0]), step = repeat_step(insn, 0);
    std::memcpy(&state.ub[start], &program.ub[start], insn.repeat * step);
    for (unsigned r = 0; r < insn.repeat; ++r)
      std::memcpy(&state.ub[start + r * step / 2], &documented[start + r * step], 4);
  });
}

TEST(IndexLaw, IndicesOfFourBytesThatLieTwoBytesApart) {
  constexpr unsigned kIndexAlone = 3;
  Subject subject = subject_of("cmin_index.f16", Profile::a2);
  subject.insn.settings[0] = kIndexAlone;
  const auto said = identify(subject, half_as_far(Op::cmin_index, kIndexAlone)).differences;
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0],
            "cmin_index.f16 counts its dst repeat stride in elements and not in indices of 4 bytes, for "
            "order 3 (the "
            "index alone)");
}

TEST(IndexLaw, PairsThatLieOneElementApart) {
  constexpr unsigned kIndexFirst = 1;
  Subject subject = subject_of("cmax_index.f16", Profile::a2);
  subject.insn.settings[0] = kIndexFirst;
  const auto said = identify(subject, half_as_far(Op::cmax_index, kIndexFirst)).differences;
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0],
            "cmax_index.f16 counts its dst repeat stride in elements and not in pairs of value and index, "
            "for order 1 (the index, then the value)");
}

TEST(IndexLaw, AnIndexOfTwoBytesInPlaceOfFour) {
  constexpr unsigned kIndexAlone = 3;
  Subject subject = subject_of("cmin_index.f16", Profile::a2);
  subject.insn.settings[0] = kIndexAlone;
  const Ask keeps = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cmin_index || setting(insn, "order") != kIndexAlone) return;
    for (unsigned r = 0; r < insn.repeat; ++r) {
      const std::size_t at = start_of(program, insn.operands[0]) + r * repeat_step(insn, 0) + 2;
      std::memcpy(&state.ub[at], &program.ub[at], 2);
    }
  });
  const auto said = identify(subject, keeps).differences;
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0],
            "cmin_index.f16 writes only as many bytes of the index as an element has, for order 3 (the index "
            "alone)");
}

TEST(IndexLaw, ARightBackendHasNoLaw) {
  EXPECT_EQ(first_said("cmax_index.f32", ask_oracle()), "");
}

TEST(IndexLaw, OrdersThatChangePlaces) {
  const Ask ask = with([](Instruction& insn) {
    if (insn.op == Op::cmax_index && insn.settings[0] < 2) insn.settings[0] = 1 - insn.settings[0];
  });
  EXPECT_EQ(first_said("cmax_index.f16", ask),
            "cmax_index.f16 gives the index, then the value, for order 0 (the value, then the index)");
}

TEST(IndexLaw, ThePlacesOfAReductionWithAnIndexAreMeasured) {
  const Ask block_stride = with([](Instruction& insn) {
    if (insn.op == Op::cmin_index) insn.operands[1].block_stride = 1;
  });
  EXPECT_EQ(first_said("cmin_index.f32", block_stride),
            "src of cmin_index.f32 walks with block stride 1, whatever is given");
  const Ask packed = with([](Instruction& insn) {
    if (insn.op == Op::cmin_index) insn.operands[0].repeat_stride = 1;
  });
  EXPECT_EQ(
      first_said("cmin_index.f16", packed),
      "the results of the repeats of cmin_index.f16 are written in a row, whatever the repeat stride of "
      "dst is");
}

}  // namespace index_law_test
}  // namespace lanecheck
