// Laws that hold under a condition, of some repeats, or of results that are combined.
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/identify/trials/conditional_law.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

struct OperandStrides {
  std::uint32_t block, repeat;
};

/// What is said of `name` with these strides and repeat times.
std::string said_with(const std::string& name, std::uint32_t repeat,
                      const std::vector<OperandStrides>& strides, const Ask& ask) {
  Subject subject = in_a_row(subject_of(name), repeat);
  for (std::size_t k = 0; k < strides.size(); ++k) {
    subject.insn.operands[k].block_stride = strides[k].block;
    subject.insn.operands[k].repeat_stride = strides[k].repeat;
  }
  const auto found = identify(Program{Profile::vmc, {}, {subject.insn}, {}}, 0, ask, false, false);
  return found.differences.empty() ? "" : found.differences[0];
}

TEST(ConditionalLaw, AStrideThatIsIgnoredForOneValueOfAnother) {
  const Ask of_cmin = with([](Instruction& i) {
    if (i.op == Op::cmin && i.operands[1].repeat_stride == 8) i.operands[1].block_stride = 1;
  });
  EXPECT_EQ(said_with("cmin.f16", 2, {{1, 1}, {3, 8}}, of_cmin),
            "src of cmin.f16 walks with block stride 1 if the repeat stride of src is 8");
  const Ask of_add = with([](Instruction& i) {
    if (i.op == Op::add && i.repeat == 1) i.operands[2].block_stride = i.operands[0].block_stride;
  });
  EXPECT_EQ(said_with("add.i32", 1, {{2, 8}, {1, 8}, {3, 8}}, of_add),
            "src1 of add.i32 walks with the block stride of dst instead of its own if repeat times are 1");
}

/// The repeats of a half source lie in a row with repeat stride 4, if the instruction has 64 lanes.
TEST(ConditionalLaw, AMixedSourceWithRepeatStride8DoesNotLieInARow) {
  const Ask ask = with([](Instruction& i) {
    if (i.op == Op::axpy && i.dst_type != i.src_type && i.operands[1].repeat_stride == 8)
      i.operands[1].repeat_stride = 4;
  });
  EXPECT_EQ(
      said_with("axpy.f32.f16", 2, {{1, 8}, {1, 8}}, ask),
      "src of axpy.f32.f16 walks with repeat stride 4 instead of 8 (seen with the strides of this case)");
  Instruction insn = in_a_row(subject_of("axpy.f32.f16"), 2).insn;
  EXPECT_EQ(insn.operands[1].repeat_stride, 4u);
  EXPECT_TRUE(lies_in_a_row(insn, 1));
  insn.operands[1].repeat_stride = 8;
  EXPECT_FALSE(lies_in_a_row(insn, 1));
}

TEST(ConditionalLaw, AShortCutForEqualStridesForgetsThemAll) {
  const Ask ask = with([](Instruction& i) {
    const auto stride = i.operands[0].block_stride;
    if (i.op != Op::add || i.operands[1].block_stride != stride || i.operands[2].block_stride != stride)
      return;
    for (unsigned k = 0; k < 3; ++k) i.operands[k].block_stride = 1;
  });
  EXPECT_EQ(
      said_with("add.i32", 2, {{3, 24}, {3, 24}, {3, 24}}, ask),
      "all operands of add.i32 walk with block stride 1 if the block strides of all operands are equal");
}

TEST(ConditionalLaw, AShortCutForDataInARowForgetsASource) {
  const Ask ask = with([](Instruction& i) {
    if (i.op == Op::vmin && lies_in_a_row(i, 0) && lies_in_a_row(i, 1))
      i.operands[2].block_stride = 1, i.operands[2].repeat_stride = 8;
  });
  EXPECT_EQ(said_with("vmin.f16", 3, {{1, 8}, {1, 8}, {2, 17}}, ask),
            "src1 of vmin.f16 lies in a row if dst and src0 lie in a row");
}

/// A copy of whole repeats, if the mask is full and the sources have no gaps: the strides of dst are
/// forgotten.
TEST(ConditionalLaw, AShortCutForSourcesInARowForgetsDst) {
  const auto with_short_cut = [](bool asks_mask) {
    return with_program([asks_mask](Program& program) {
      Instruction& insn = program.instructions.back();
      const Mask mask = mask_of(program);
      if (insn.op != Op::adds && insn.op != Op::mul) return;
      if (asks_mask &&
          std::find(mask.begin(), mask.begin() + lanes_of(insn), 0) != mask.begin() + lanes_of(insn))
        return;
      for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
        if (!lies_in_a_row(insn, k)) return;
      insn.operands[0].block_stride = 1;
      insn.operands[0].repeat_stride = 8;
    });
  };
  const std::string walks = " walks with repeat stride 8, whatever is given, if ";
  EXPECT_EQ(said("adds.i16", with_short_cut(true)),
            "dst of adds.i16" + walks + "the mask is full and src lies in a row");
  EXPECT_EQ(said("mul.f32", with_short_cut(true)),
            "dst of mul.f32" + walks + "the mask is full and src0 and src1 lie in a row");
  EXPECT_EQ(said("mul.f32", with_short_cut(false)), "dst of mul.f32" + walks + "src0 and src1 lie in a row");
}

/// The oracle, except that src of repeat r of adds lies steps(r) times further: by the repeat stride of dst
/// less its own.
template <class Steps>
Ask with_src_moved(Steps steps) {
  return with_program([steps](Program& split) {
    const Instruction insn = split.instructions.back();
    if (insn.op != Op::adds) return;
    const std::uint64_t step = repeat_step(insn, 0) - repeat_step(insn, 1);
    split.instructions.pop_back();
    for (unsigned r = 0; r < insn.repeat; ++r) {
      split.instructions.push_back(one_repeat(insn, r));
      split.instructions.back().operands[1].offset += static_cast<std::uint32_t>(steps(r) * step);
    }
  });
}

/// Repeats that are executed two by two, with the step of dst from pair to pair.
TEST(ConditionalLaw, PairsOfRepeatsThatLieAsFarApartAsThoseOfDst) {
  const Ask pairs = with_src_moved([](unsigned r) { return r - r % 2; });
  EXPECT_EQ(
      said("adds.i32", pairs),
      "src of adds.i32 walks with the repeat stride of dst instead of its own from each group of 2 repeats "
      "to the next one, and with its own inside a group");
}

/// Of three repeats only the last one is wrong, and more of more.
TEST(ConditionalLaw, TheLastOfThreeRepeatsIsNotSaidToBeTheLastOne) {
  const Ask later = with_src_moved([](unsigned r) { return r < 2 ? 0u : r % 3 == 2 ? 2u : 1u; });
  const std::string text = said("adds.i32", later);
  EXPECT_NE(text, "");
  EXPECT_EQ(text.find("in the last repeat"), std::string::npos) << text;
}

/// VMC section 3: each operand has strides of its own. The short cut looks at dst alone.
TEST(ConditionalLaw, AShortCutForDstInARowForgetsBothSources) {
  const Ask ask = with([](Instruction& i) {
    if (i.op != Op::add || !lies_in_a_row(i, 0)) return;
    for (const unsigned k : {1u, 2u}) i.operands[k].block_stride = 1, i.operands[k].repeat_stride = 8;
  });
  EXPECT_EQ(said_with("add.i32", 2, {{1, 8}, {2, 19}, {3, 25}}, ask),
            "src0 and src1 of add.i32 lie in a row if dst lies in a row");
}

/// VMC section 3: the block stride of dst is its own. The short cut asks for the mask and for all sources.
TEST(ConditionalLaw, AShortCutForBlocksOfSourcesInARowForgetsTheBlockStrideOfDst) {
  const Ask ask = with_program([](Program& program) {
    Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    if (insn.op != Op::abs && insn.op != Op::mul && insn.op != Op::add) return;
    if (insn.op != Op::add && std::count(mask.begin(), mask.begin() + lanes_of(insn), 0) > 0) return;
    for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
      if (insn.operands[k].block_stride != 1) return;
    insn.operands[0].block_stride = 1;
  });
  EXPECT_EQ(said_with("abs.f16", 2, {{2, 16}, {1, 9}}, ask),
            "dst of abs.f16 walks with block stride 1 if the mask is full and the block stride of src is 1");
  EXPECT_EQ(said_with("mul.f16", 2, {{2, 16}, {1, 8}, {1, 9}}, ask),
            "dst of mul.f16 walks with block stride 1 if the mask is full and the block strides of src0 and "
            "src1 are 1");
  EXPECT_EQ(said_with("add.f16", 1, {{2, 8}, {1, 8}, {1, 8}}, ask),
            "dst of add.f16 walks with block stride 1 if the block strides of src0 and src1 are 1");
}

/// The short cut does not ask whether src has gaps between its data blocks.
TEST(ConditionalLaw, AShortCutForRepeatStridesForgetsTheBlockStrideOfDst) {
  const Ask ask = with_program([](Program& program) {
    Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    if (insn.op != Op::vmaxs || std::count(mask.begin(), mask.begin() + lanes_of(insn), 0) > 0) return;
    if (insn.operands[0].repeat_stride == 8 && insn.operands[1].repeat_stride == 8)
      insn.operands[0].block_stride = 1;
  });
  const std::string text = said_with("vmaxs.f16", 1, {{255, 8}, {1, 8}}, ask);
  EXPECT_EQ(text.find("lies in a row"), std::string::npos) << text;
  EXPECT_NE(text.find("the mask is full and the repeat stride of src is 8"), std::string::npos) << text;
}

TEST(ConditionalLaw, TwoOperandsExchangeTheirStrides) {
  const Ask repeat = with([](Instruction& i) {
    if (i.op == Op::adds) std::swap(i.operands[0].repeat_stride, i.operands[1].repeat_stride);
  });
  EXPECT_EQ(said_with("adds.f16", 3, {{1, 9}, {1, 12}}, repeat),
            "adds.f16 exchanges the repeat strides of dst and src");
  const Ask both = with([](Instruction& i) {
    if (i.op != Op::sub) return;
    std::swap(i.operands[1].repeat_stride, i.operands[2].repeat_stride);
    std::swap(i.operands[1].block_stride, i.operands[2].block_stride);
  });
  EXPECT_EQ(said_with("sub.f16", 3, {{1, 9}, {2, 12}, {1, 8}}, both),
            "sub.f16 exchanges the strides of src0 and src1");
}

/// A fast path for a source that is repeated takes it for the second one.
TEST(ConditionalLaw, SourcesAreExchangedUnderACondition) {
  const Ask exchanged = with([](Instruction& i) {
    if (i.op == Op::sub && i.operands[1].block_stride == 0 && i.operands[2].block_stride != 0)
      std::swap(i.operands[1], i.operands[2]);
  });
  EXPECT_EQ(said_with("sub.f32", 2, {{1, 8}, {0, 8}, {1, 8}}, exchanged),
            "sub.f32 takes src0 for src1 and src1 for src0 if the block stride of src0 is 0 and the block "
            "stride of src0 is not the block stride of src1");
}

/// The oracle, with `change` made to the last instruction of each program under a full mask.
Ask under_full_mask(void (*change)(Instruction& insn)) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      Instruction& insn = changed.instructions.back();
      const Mask mask = mask_of(changed);
      if (std::all_of(mask.begin(), mask.begin() + lanes_of(insn), [](auto s) { return s; })) change(insn);
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

TEST(ConditionalLaw, AStrideThatIsIgnoredUnderAFullMask) {
  const Ask of_cgadd = under_full_mask([](Instruction& insn) {
    if (insn.op == Op::cgadd) insn.operands[1].block_stride = 1;
  });
  EXPECT_EQ(said_with("cgadd.f32", 2, {{1, 1}, {3, 24}}, of_cgadd),
            "src of cgadd.f32 walks with block stride 1 if the mask is full");
  const Ask of_mul = under_full_mask([](Instruction& insn) {
    if (insn.op == Op::mul && insn.repeat > 1) insn.operands[0].repeat_stride = 8;
  });
  EXPECT_EQ(said_with("mul.f16", 3, {{1, 10}, {1, 8}, {1, 8}}, of_mul),
            "dst of mul.f16 walks with repeat stride 8, whatever is given, if the mask is full");
}

TEST(ConditionalLaw, AStrideThatIsIgnoredUnderAFullMaskWhereDstLiesInARow) {
  const Ask ask = under_full_mask([](Instruction& insn) {
    if (insn.op == Op::vmins && insn.operands[0].block_stride == 1) insn.operands[1].block_stride = 1;
  });
  EXPECT_EQ(
      said_with("vmins.i32", 1, {{1, 8}, {5, 8}}, ask),
      "src of vmins.i32 walks with block stride 1 if the mask is full and the block stride of dst is 1");
}

/// The oracle, with one instruction for each repeat; `bytes` is where dst lies behind its start.
Ask with_dst_at(std::uint32_t (*bytes)(const Instruction& insn, unsigned repeat)) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program split = batch.programs[n];
      const Instruction insn = split.instructions.back();
      split.instructions.pop_back();
      for (unsigned r = 0; r < insn.repeat; ++r) {
        Instruction one = insn;
        one.repeat = 1;
        for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
          one.operands[k].offset +=
              k == 0 ? bytes(insn, r) : static_cast<std::uint32_t>(r * repeat_step(insn, k));
        split.instructions.push_back(one);
      }
      if (find_fault(split))
        batch.outcomes[n] = Errored{"crashed", true};
      else
        ask_oracle()({{&split, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

TEST(ConditionalLaw, RepeatsLeftOverByFours) {
  const Ask ask = with_dst_at([](const Instruction& i, unsigned r) {
    const bool left_over = i.repeat > 4 && r >= i.repeat / 4 * 4;
    return 32 * r * i.operands[left_over ? 1 : 0].repeat_stride;
  });
  EXPECT_EQ(said_with("relu.i8", 6, {{1, 8}, {1, 24}}, ask),
            "in the repeats that are left over after whole groups of 4, dst of relu.i8 walks with the repeat "
            "stride of src instead of its own, counted from the start if repeat times are more than 4");
}

TEST(ConditionalLaw, DistancesOfRepeatsInTooFewBits) {
  const Ask ask = with_dst_at(
      [](const Instruction& i, unsigned r) { return 32 * ((r * i.operands[0].repeat_stride) % 128); });
  EXPECT_EQ(
      said_with("relu.f16", 5, {{1, 60}, {1, 8}}, ask),
      "dst of relu.f16 uses only the lowest 7 bits of r * its repeat stride in repeat r (counted from 0)");
}

/// The distance in bytes is kept in 16 bits.
TEST(ConditionalLaw, DistancesOfManyRepeatsInTooFewBits) {
  const Ask ask = with_dst_at(
      [](const Instruction& i, unsigned r) { return 32 * ((r * i.operands[0].repeat_stride) % 2048); });
  EXPECT_EQ(
      said_with("relu.f16", 10, {{1, 250}, {1, 8}}, ask),
      "dst of relu.f16 uses only the lowest 11 bits of r * its repeat stride in repeat r (counted from 0)");
}

/// The oracle, in which source `k` of an elementwise instruction is read at distances kept in 16 bits.
Ask with_cut_source(unsigned k) {
  return then([k](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (sets_mask(insn) || row_of(insn.op).operands.size() <= k) return;
    const Mask mask = mask_of(program);
    Program moved = program;
    const Operand& operand = insn.operands[k];
    const std::uint32_t start = start_of(program, operand);
    for (unsigned r = 0; r < insn.repeat; ++r)  // what is cut is as if it lay where it should
      for (unsigned block = 0; block < 8; ++block) {
        const std::uint32_t distance = 32 * (r * operand.repeat_stride + block * operand.block_stride);
        if (distance >= 1 << 16)
          std::memcpy(&moved.ub[start + distance], &program.ub[start + distance % (1 << 16)], 32);
      }
    State other;
    execute(moved, Semantics(default_readings(program.profile)), other);
    const Element type = insn.dst_type;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
        if (mask[lane] != 0) std::memcpy(&state.ub[at], &other.ub[at], size_of(type));
      }
  });
}

TEST(ConditionalLaw, DistancesOfBlocksInTooFewBits) {
  EXPECT_EQ(
      said_with("relu.f16", 10, {{1, 8}, {1, 250}}, with_cut_source(1)),
      "src of relu.f16 uses only the lowest 16 bits of the distance of each data block from its start, in "
      "bytes");
}

TEST(ConditionalLaw, DistancesOfAllOperandsInTooFewBits) {
  const Ask ask = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned r) {
    for (unsigned k = 0; k < row_of(one.op).operands.size(); ++k)
      one.operands[k].offset = whole.operands[k].offset + 32 * (r * whole.operands[k].repeat_stride % 256);
  });
  EXPECT_EQ(said_with("add.f16", 5, {{1, 90}, {1, 70}, {1, 100}}, ask),
            "all operands of add.f16 use only the lowest 8 bits of r * their repeat strides in repeat r "
            "(counted from "
            "0)");
}

TEST(ConditionalLaw, AStrideInTooFewBitsIsNoDistanceInTooFewBits) {
  const Ask ask = with([](Instruction& i) {
    if (i.op == Op::add) i.operands[1].repeat_stride %= 128;
  });
  EXPECT_EQ(said_with("add.i32", 2, {{1, 8}, {1, 160}, {1, 8}}, ask),
            "src0 of add.i32 uses only the lowest 7 bits of its repeat stride");
}

TEST(ConditionalLaw, AResultThatContainsTheRepeatBeforeIt) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::size_t step = repeat_step(insn, 0);
    if (insn.op != Op::cmax || step < 4) return;
    for (unsigned r = 2; r < insn.repeat; ++r) {
      std::int32_t before = 0, now = 0;
      std::byte* const at = &state.ub[start_of(program, insn.operands[0]) + r * step];
      std::memcpy(&before, at - step, 4);
      std::memcpy(&now, at, 4);
      now = std::max(before, now);
      std::memcpy(at, &now, 4);
    }
  });
  EXPECT_EQ(said_with("cmax.i32", 5, {{1, 1}, {1, 8}}, ask),
            "cmax.i32 keeps the greater one of each result and what it wrote for the repeat before it, from "
            "repeat 2 "
            "(counted "
            "from 0) on");
}

TEST(ConditionalLaw, ResultsThatAreAddedUp) {
  const Ask ask = [](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Instruction insn = batch.programs[n].instructions.back();
      if (insn.op != Op::cadd || insn.operands[0].repeat_stride != 0 || insn.repeat == 0) continue;
      const auto at = start_of(batch.programs[n], insn.operands[0]);
      std::int32_t sum = 0;
      for (unsigned r = 0; r < insn.repeat; ++r) {
        Program one = batch.programs[n];
        one.instructions.back().repeat = 1;
        one.instructions.back().operands[1].offset += static_cast<std::uint32_t>(r * repeat_step(insn, 1));
        State state;
        Outcome outcome;
        ask_oracle()({{&one, 1}, {&state, 1}, {&outcome, 1}});
        std::int32_t result = 0;
        std::memcpy(&result, &state.ub[at], 4);
        sum += result;
      }
      std::memcpy(&batch.states[n].ub[at], &sum, 4);
    }
  };
  EXPECT_EQ(said_with("cadd.i32", 2, {{1, 0}, {1, 8}}, ask),
            "cadd.i32 adds up the results of repeats that write the same element of dst");
}

}  // namespace
}  // namespace lanecheck
