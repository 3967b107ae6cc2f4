// What identification says of reductions whose results are right and stand at wrong places.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The place in dst, in elements, of result `group` of a repeat, before which the repeat writes `rank` ones;
/// nothing if it is not written.
using PlaceOf = std::function<unsigned(unsigned repeat, unsigned group, unsigned rank)>;

/// The oracle, after which each written result of the last instruction is moved to another place.
Ask with_results_at(const PlaceOf& place) {
  return then([place](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    const unsigned size = size_of(insn.dst_type), groups = results_per_repeat(insn);
    const std::uint32_t from = start_of(program, insn.operands[0]);
    const State right = state;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned g = 0; g < groups; ++g) {
        const std::size_t at = from + r * repeat_step(insn, 0) + g * size;
        std::memcpy(&state.ub[at], &program.ub[at], size);
      }
    for (unsigned r = 0; r < insn.repeat; ++r) {
      unsigned rank = 0;
      for (unsigned g = 0; g < groups; ++g) {
        const unsigned lanes = lanes_of(insn) / groups;
        const bool on = std::any_of(mask.begin() + g * lanes, mask.begin() + (g + 1) * lanes,
                                    [](auto slot) { return slot; });
        if (!on) continue;
        const std::size_t start = from + r * repeat_step(insn, 0);
        std::memcpy(&state.ub[start + place(r, g, rank++) * size], &right.ub[start + g * size], size);
      }
    }
  });
}

TEST(IdentifyResultPlaces, TheHelperAloneIsRight) {
  EXPECT_EQ(said("cgmax.f16", with_results_at([](unsigned, unsigned g, unsigned) { return g; })), "");
}

TEST(IdentifyResultPlaces, EmptyBlocksTakeNoPlace) {
  const Ask packs = with_results_at([](unsigned, unsigned, unsigned rank) { return rank; });
  EXPECT_EQ(
      said("cgmax.f16", packs),
      "results without active lanes take no place in dst of cgmax.f16: the later results of their repeat "
      "move up");
  EXPECT_EQ(
      said("cgmin.i32", packs),
      "results without active lanes take no place in dst of cgmin.i32: the later results of their repeat "
      "move up");
}

TEST(IdentifyResultPlaces, InReverse) {
  EXPECT_EQ(said("cgadd.f32", with_results_at([](unsigned, unsigned g, unsigned) { return 7 - g; })),
            "the results of each repeat of cgadd.f32 are written in reverse order");
}

TEST(IdentifyResultPlaces, OnePlaceFurther) {
  EXPECT_EQ(
      said("cgmin.f16", with_results_at([](unsigned, unsigned g, unsigned) { return (g + 1) % 8; })),
      "the result of each group of lanes of cgmin.f16 is written one place later, the last one of a repeat "
      "first");
  EXPECT_EQ(said("cgmax.f32", with_results_at([](unsigned, unsigned g, unsigned) { return g ^ 1U; })),
            "neighbouring results of cgmax.f32 change places");
}

TEST(IdentifyResultPlaces, NothingIsSaidOfPlacesThatHangOnTheRepeat) {
  const std::string text = said(
      "cgmax.f16", with_results_at([](unsigned r, unsigned g, unsigned rank) { return r == 1 ? rank : g; }));
  EXPECT_EQ(text.find("take no place"), std::string::npos) << text;
  EXPECT_EQ(text.find("gated"), std::string::npos) << text;
  EXPECT_NE(text, "");
}

TEST(ReductionPlaces, AnInvertedMaskIsNoPlace) {
  const Ask inverted = with([](Instruction& i) {
    if (sets_mask(i)) i.high = ~i.high, i.low = ~i.low;
  });
  for (const std::string name : {"cpadd.f32", "cmax.f16", "cadd.i32"})
    EXPECT_EQ(said(name, inverted).find(" starts "), std::string::npos) << said(name, inverted);
}

/// The oracle, after which each pair of cpadd with one active element has its old dst again.
TEST(ReductionResults, APairWithOneActiveElementKeepsItsOldDst) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cpadd) return;
    const Mask mask = mask_of(program);
    const unsigned size = size_of(insn.dst_type), pairs = lanes_of(insn) / 2;
    const std::uint32_t start = start_of(program, insn.operands[0]);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned pair = 0; pair < pairs; ++pair) {
        const std::size_t at = start + r * repeat_step(insn, 0) + std::size_t{pair} * size;
        if (mask[2 * pair] != mask[2 * pair + 1]) std::copy_n(&program.ub[at], size, &state.ub[at]);
      }
  });
  EXPECT_EQ(said("cpadd.f32", ask),
            "results of cpadd.f32 keep their old dst if some of their lanes are off and others are on");
}

/// The position is said so that it is true of every type.
TEST(IdentifyResultPlaces, TheLastResultIsNotWritten) {
  const Ask keeps = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const unsigned size = size_of(insn.dst_type), last = results_per_repeat(insn) - 1;
    for (unsigned r = 0; r < insn.repeat; ++r) {
      const std::size_t at = start_of(program, insn.operands[0]) + r * repeat_step(insn, 0) + last * size;
      std::memcpy(&state.ub[at], &program.ub[at], size);
    }
  });
  for (const std::string name : {"cpadd.f16", "cpadd.i32", "cgadd.f32"})
    EXPECT_EQ(said(name, keeps), "the last result of a repeat of " + name + " is not written");
}

/// The address of a later repeat is made without the block stride of src.
TEST(IdentifyResultPlaces, LaterRepeatsOfSrcWithAnotherBlockStride) {
  const Ask later = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned repeat) {
    if (one.op == Op::cmax && repeat > 0 && !row_of(whole.op).operands.empty())
      one.operands[1].block_stride = 1;
  });
  for (const std::string name : {"cmax.f16", "cmax.i32"})
    EXPECT_EQ(said(name, later),
              "from repeat 1 (counted from 0) on, src of " + name + " walks with block stride 1");
}

}  // namespace
}  // namespace lanecheck
