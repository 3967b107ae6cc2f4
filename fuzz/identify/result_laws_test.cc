// What is said of reductions whose results are made of more, or of other lanes, than documented.
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace result_laws_test {

/// The results of the last instruction of a program: what dst held, and what the backend leaves.
struct Dst {
  const Program& program;
  State& state;
  const Instruction& insn = program.instructions.back();

  std::size_t at(unsigned repeat, unsigned group) const {
    return start_of(program, insn.operands[0]) + repeat * repeat_step(insn, 0) +
           group * size_of(insn.dst_type);
  }
  double old(unsigned repeat, unsigned group) const {
    State before;
    before.ub = program.ub;
    return value_of(insn.dst_type, bits_at(before, at(repeat, group), insn.dst_type));
  }
  double get(unsigned repeat, unsigned group) const {
    return value_of(insn.dst_type, bits_at(state, at(repeat, group), insn.dst_type));
  }
  void put(unsigned repeat, unsigned group, double value) const {
    const std::uint64_t bits = nearest(insn.dst_type, value);
    std::memcpy(&state.ub[at(repeat, group)], &bits, size_of(insn.dst_type));
  }
  bool any_on(unsigned group) const {
    const unsigned size = lanes_of(insn) / results_per_repeat(insn);
    const Mask mask = mask_of(program);
    for (unsigned n = 0; n < size; ++n)
      if (mask[group * size + n] != 0) return true;
    return false;
  }
  double source(unsigned repeat, unsigned lane) const {
    State before;
    before.ub = program.ub;
    const bool on = lane < lanes_of(insn) && mask_of(program)[lane] != 0;
    const std::size_t from = start_of(program, insn.operands[1]) + lane_offset(insn, 1, repeat, lane);
    return on ? value_of(insn.src_type, bits_at(before, from, insn.src_type)) : 0;
  }
};

/// The oracle, after which `change` has changed the results of `op`.
template <class Change>
Ask with_results(Op op, Change change) {
  return then([=](const Program& program, State& state) {
    if (program.instructions.back().op == op) change(Dst{program, state});
  });
}

TEST(ResultLaws, TheOldDstTakesPart) {
  const Ask ask = with_results(Op::cmax, [](const Dst& dst) {
    for (unsigned r = 0; r < dst.insn.repeat; ++r)
      if (dst.any_on(0)) dst.put(r, 0, std::max(dst.get(r, 0), dst.old(r, 0)));
  });
  for (const std::string name : {"cmax.f16", "cmax.i32"})
    EXPECT_EQ(said(name, ask), name + " keeps the greater one of its result and what dst holds");
}

/// The old dst of the probes is less than their results, which looks as if nothing was written.
TEST(ResultLaws, TheOldDstTakesPartInAMinimum) {
  const Ask ask = with_results(Op::cmin, [](const Dst& dst) {
    for (unsigned r = 0; r < dst.insn.repeat; ++r)
      if (dst.any_on(0)) dst.put(r, 0, std::min(dst.get(r, 0), dst.old(r, 0)));
  });
  for (const std::string name : {"cmin.f32", "cmin.f16"})
    EXPECT_EQ(first_said(name, ask), name + " keeps the lesser one of its result and what dst holds");
}

TEST(ResultLaws, ASumGoesOnIfTheFirstLaneIsOff) {
  const Ask ask = with_results(Op::cadd, [](const Dst& dst) {
    for (unsigned r = 1; r < dst.insn.repeat; ++r)
      if (dst.any_on(0) && mask_of(dst.program)[0] == 0) dst.put(r, 0, dst.get(r, 0) + dst.get(r - 1, 0));
  });
  for (const std::string name : {"cadd.f32", "cadd.i16"})
    EXPECT_EQ(said(name, ask),
              name + " adds to each result what it wrote for the repeat before it if the first lane is off");
}

TEST(ResultLaws, EvenAndOddRepeatsHaveAMaximumOfTheirOwn) {
  const Ask ask = with_results(Op::cmax, [](const Dst& dst) {
    for (unsigned r = 2; r < dst.insn.repeat; ++r)
      if (dst.any_on(0)) dst.put(r, 0, std::max(dst.get(r, 0), dst.get(r - 2, 0)));
  });
  for (const std::string name : {"cmax.f16", "cmax.f32"})
    EXPECT_EQ(
        said(name, ask),
        name +
            " keeps the greater one of each result and what it wrote for the repeat that lies 2 before it");
}

TEST(ResultLaws, PairsThatStartOneLaneLater) {
  const Ask ask = with_results(Op::cpadd, [](const Dst& dst) {
    for (unsigned r = 1; r < dst.insn.repeat; ++r)
      for (unsigned g = 0; g < results_per_repeat(dst.insn); ++g)
        dst.put(r, g, dst.source(r, 2 * g + 1) + dst.source(r, 2 * g + 2));
  });
  EXPECT_EQ(
      said("cpadd.i32", ask),
      "cpadd.i32 computes result g of a repeat of lanes 2 * g + 1 and 2 * g + 2 in every repeat after the "
      "first");
}

TEST(ResultLaws, AMinimumThatGoesOnInTheNextBlock) {
  const Ask ask = with_results(Op::cgmin, [](const Dst& dst) {
    for (unsigned r = 0; r < dst.insn.repeat; ++r) {
      double least = 0;
      bool any = false;
      for (unsigned g = 0; g < results_per_repeat(dst.insn); ++g) {
        if (!dst.any_on(g)) continue;
        least = any ? std::min(least, dst.get(r, g)) : dst.get(r, g);
        any = true;
        dst.put(r, g, least);
      }
    }
  });
  EXPECT_EQ(said("cgmin.i32", ask),
            "cgmin.i32: each result of a repeat also contains those before it in the repeat (it is a running "
            "minimum)");
}

TEST(ResultLaws, AnEmptyBlockReceivesTheResultBeforeIt) {
  const Ask ask = with_results(Op::cgmin, [](const Dst& dst) {
    for (unsigned r = 0; r < dst.insn.repeat; ++r)
      for (unsigned g = 1; g < results_per_repeat(dst.insn); ++g)
        if (!dst.any_on(g)) dst.put(r, g, dst.get(r, g - 1));
  });
  const auto found = identify(subject_of("cgmin.f32", Profile::a2), ask).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0],
            "cgmin.f32: a result whose lanes are all off receives the result before it in its repeat");
}

TEST(ResultLaws, AnEmptyBlockBecomes0BesideAnActiveOne) {
  const Ask ask = with_results(Op::cgmax, [](const Dst& dst) {
    for (unsigned r = 0; r < dst.insn.repeat; ++r)
      for (unsigned g = 0; g < results_per_repeat(dst.insn); ++g)
        if (!dst.any_on(g) && dst.any_on(g ^ 1)) dst.put(r, g, 0);
  });
  EXPECT_EQ(
      said("cgmax.i16", ask),
      "cgmax.i16: a result whose lanes are all off becomes 0 if the other one of its pair (g xor 1) has an "
      "active lane");
}

TEST(ResultLaws, BothBlocksOfAPairGiveBothResults) {
  const Ask ask = with_results(Op::cgadd, [](const Dst& dst) {
    for (unsigned r = 0; r < dst.insn.repeat; ++r)
      for (unsigned g = 0; g < results_per_repeat(dst.insn); ++g) {
        double sum = 0;
        const unsigned size = lanes_of(dst.insn) / results_per_repeat(dst.insn);
        for (unsigned n = 0; n < 2 * size; ++n) sum += dst.source(r, (g & ~1U) * size + n);
        if (dst.any_on(g)) dst.put(r, g, sum);
      }
  });
  EXPECT_EQ(said("cgadd.i32", ask),
            "cgadd.i32 computes both results of a pair (g and g xor 1) of the lanes of both");
}

/// The slots of a data block of elements of 16 bits, for elements of 32 bits.
TEST(ResultLaws, ADataBlockTakesTheSlotsOfAnotherWidth) {
  const Ask ask = with_program([](Program& program) {
    Instruction& insn = program.instructions.back();
    if (insn.op != Op::cgmax || size_of(insn.src_type) != 4) return;
    const Mask mask = mask_of(program);
    Instruction set = mask_instruction(Op::set_vector_mask);
    for (unsigned lane = 0; lane < 64; ++lane)
      if (mask[lane / 8 * 16 + lane % 8] != 0) set.low |= std::uint64_t{1} << lane;
    insn.mask_from = MaskFrom::reg;
    program.instructions.insert(program.instructions.end() - 1, set);
  });
  EXPECT_EQ(first_said("cgmax.f32", ask),
            "cgmax.f32: the slots of data block b begin at slot 16 * b, as for 16-bit elements");
}

}  // namespace result_laws_test
}  // namespace lanecheck
