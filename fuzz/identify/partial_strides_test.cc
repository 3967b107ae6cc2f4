// What identification says if an operand walks wrongly in some repeats or in some data blocks only.
#include <cstring>
#include <functional>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace partial_strides_test {

int block_stride(const Instruction& insn, unsigned k) {
  return static_cast<int>(insn.operands[k].block_stride);
}

int number(unsigned value) {
  return static_cast<int>(value);
}

/// How many data blocks too far operand `k` walks in data block `block` of repeat `repeat`; of `insn` as it
/// is given.
using Shift = std::function<int(const Instruction& insn, unsigned repeat, unsigned block)>;

void move(Operand& operand, std::int64_t bytes) {
  operand.offset = static_cast<std::uint32_t>(operand.offset + bytes);
}

/// The lanes of one data block, of 128.
MaskWords only_block(MaskWords mask, unsigned block, unsigned per) {
  MaskWords lanes{0, 0};
  for (unsigned slot = block * per; slot < (block + 1) * per; ++slot)
    (slot < 64 ? lanes.low : lanes.high) |= std::uint64_t{1} << slot % 64;
  return {mask.high & lanes.high, mask.low & lanes.low};
}

MaskWords words_of(const Mask& mask) {
  MaskWords words{0, 0};
  for (unsigned slot = 0; slot < 128; ++slot)
    if (mask[slot] != 0) (slot < 64 ? words.low : words.high) |= std::uint64_t{1} << slot % 64;
  return words;
}

Instruction setting(MaskWords mask) {
  Instruction set;
  set.op = Op::set_mask;
  set.high = mask.high;
  set.low = mask.low;
  return set;
}

void run(const Batch& batch, std::size_t n, const Program& program) {
  if (find_fault(program))  // it would leave UB
    batch.outcomes[n] = Errored{"crashed", true};
  else
    ask_oracle()({{&program, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
}

/// The oracle, except that each data block of operand `k` lies elsewhere: one instruction for each data
/// block, under a mask of its lanes. For elementwise instructions of 16 and 32 bits.
Ask with_blocks(unsigned k, const Shift& shift) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program split = batch.programs[n];
      const Instruction insn = split.instructions.back();
      const MaskWords mask = words_of(mask_of(split));
      const unsigned per = per_block(insn.dst_type);
      split.instructions.clear();
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
        for (unsigned block = 0; block < kRepeatBlocks; ++block) {
          split.instructions.push_back(setting(only_block(mask, block, per)));
          split.instructions.push_back(one_repeat(insn, repeat));
          for (unsigned each = 0; each < row_of(insn.op).operands.size(); ++each) {
            Operand& operand = split.instructions.back().operands[each];
            const int blocks = block_stride(insn, each) * number(block);
            move(operand, 32 * (blocks + (each == k ? shift(insn, repeat, block) : 0)));
            operand.block_stride = 0;  // the mask chooses the lanes of one data block
          }
        }
      split.instructions.push_back(setting(mask));
      run(batch, n, split);
    }
  };
}

/// The oracle, except that operand `k` lies elsewhere: one instruction for each repeat. `bytes` gets the
/// operand as it is given.
Ask with_repeats(
    unsigned k,
    const std::function<std::int64_t(const Operand& own, unsigned repeat, unsigned count)>& bytes) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program split = batch.programs[n];
      const Instruction insn = split.instructions.back();
      split.instructions.pop_back();
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
        split.instructions.push_back(one_repeat(insn, repeat));
        move(split.instructions.back().operands[k], bytes(insn.operands[k], repeat, insn.repeat));
      }
      run(batch, n, split);
    }
  };
}

TEST(PartialStrides, FromADataBlockOnWithTheStrideOfAnotherOperand) {
  const Ask of_dst = with_blocks(1, [](const Instruction& i, unsigned, unsigned block) {
    return std::max(0, number(block) - 4) * (block_stride(i, 0) - block_stride(i, 1));
  });
  EXPECT_EQ(said("relu.f16", of_dst),
            "from data block 4 on, src of relu.f16 walks with the block stride of dst instead of its own "
            "(seen with repeat "
            "3, each operand with strides of its own)");
}

TEST(PartialStrides, FromADataBlockOnWithAConstant) {
  const Ask of_two = with_blocks(2, [](const Instruction& i, unsigned, unsigned block) {
    return std::max(0, number(block) - 2) * (2 - block_stride(i, 2));
  });
  EXPECT_EQ(said("add.f32", of_two),
            "from data block 2 on, src1 of add.f32 walks with block stride 2, whatever is given");
}

TEST(PartialStrides, FirstDataBlocksWithAConstant) {
  const Ask of_one = with_blocks(1, [](const Instruction& i, unsigned, unsigned block) {
    return block < 4 ? number(block) * (1 - block_stride(i, 1)) : 0;
  });
  EXPECT_EQ(said("abs.f32", of_one),
            "in data blocks 0..3 of each repeat, src of abs.f32 walks with block stride 1, whatever is given "
            "(seen with repeat "
            "3, each operand with strides of its own)");
}

TEST(PartialStrides, UpToADataBlockWithTheStrideOfAnotherOperand) {
  const Ask of_src1 = with_blocks(1, [](const Instruction& i, unsigned, unsigned block) {
    return std::min(4, number(block)) * (block_stride(i, 2) - block_stride(i, 1));
  });
  EXPECT_EQ(said("mul.f16", of_src1),
            "up to data block 4, src0 of mul.f16 walks with the block stride of src1 instead of its own "
            "(seen with repeat 3, "
            "each operand with strides of its own)");
}

TEST(PartialStrides, FromADataBlockOnWithTheStrideOfASource) {
  const Ask of_src = with_blocks(0, [](const Instruction& i, unsigned, unsigned block) {
    return std::max(0, number(block) - 4) * (block_stride(i, 1) - block_stride(i, 0));
  });
  EXPECT_EQ(said("abs.f16", of_src),
            "from data block 4 on, dst of abs.f16 walks with the block stride of src instead of its own "
            "(seen with repeat 3, "
            "each operand with strides of its own)");
}

/// The second half of a repeat starts where it would start with a block stride of 1, or at its first data
/// block.
TEST(PartialStrides, TheSecondHalfWithoutTheBlockStride) {
  const auto half = [](int lost) {
    return with_blocks(1, [lost](const Instruction& i, unsigned, unsigned block) {
      return block < 4 ? 0 : -4 * (block_stride(i, 1) - lost);
    });
  };
  const std::string seen = " (seen with repeat 3, each operand with strides of its own)",
                    start = "in data blocks 4..7 of each repeat, src of relu.f16 starts 4 * ";
  EXPECT_EQ(said("relu.f16", half(1)), start + "(block stride - 1) data blocks earlier" + seen);
  const Ask three =
      with_blocks(1, [](const Instruction&, unsigned, unsigned block) { return block < 4 ? 0 : 3; });
  EXPECT_NE(said("relu.f16", three).find(" starts 3 data blocks later"), std::string::npos)
      << said("relu.f16", three);
  EXPECT_EQ(said("relu.f16", half(0)),
            "lanes 64..127 of relu.f16 read src at lane L - 64 of the same repeat instead of lane L");
}

TEST(PartialStrides, EveryOddRepeatAFixedDistanceAway) {
  const Ask odd =
      with_repeats(1, [](const Operand&, unsigned repeat, unsigned) { return repeat % 2 == 1 ? 96 : 0; });
  EXPECT_EQ(said("relu.f16", odd),
            "src of relu.f16 starts 3 data blocks later in every odd repeat (counted from 0)");
  EXPECT_EQ(said("cgmax.f16", odd),
            "src of cgmax.f16 starts 3 data blocks later in every odd repeat (counted from 0)");
}

TEST(PartialStrides, SomeDataBlocksAFixedDistanceAway) {
  const Ask odd =
      with_blocks(1, [](const Instruction&, unsigned, unsigned block) { return block % 2 == 1 ? 20 : 0; });
  EXPECT_EQ(said("vnot.u16", odd),
            "in data blocks 1, 3 .. 7 of each repeat, src of vnot.u16 starts 20 data blocks later");
}

TEST(PartialStrides, SomeDataBlocksOfLaterRepeats) {
  const Ask last = with_blocks(1, [](const Instruction& i, unsigned repeat, unsigned block) {
    return repeat > 0 ? std::max(0, number(block) - 5) * (3 - block_stride(i, 1)) : 0;
  });
  EXPECT_EQ(said("sqrt.f32", last),
            "from data block 5 on, src of sqrt.f32 walks with block stride 3, whatever is given, in every "
            "repeat after "
            "the first");
}

/// From the second repeat on, the offset in the allocation is lost.
std::int64_t later_lost(const Operand& own, unsigned repeat, unsigned) {
  return repeat > 0 ? -std::int64_t{own.offset} : 0;
}

TEST(PartialStrides, AnOffsetThatIsLostAfterTheFirstRepeat) {
  const std::string lost =
      " starts where its allocation starts: its offset is ignored in every repeat after the first";
  EXPECT_EQ(said("relu.i8", with_repeats(1, later_lost)), "src of relu.i8" + lost);
  EXPECT_EQ(said("cgadd.f16", with_repeats(1, later_lost)), "src of cgadd.f16" + lost);
  EXPECT_EQ(said("cmax.f32", with_repeats(1, later_lost)), "src of cmax.f32" + lost);
  EXPECT_EQ(said("brcb.i32", with_repeats(1, later_lost)), "src of brcb.i32" + lost);
  EXPECT_EQ(said("add.f32", with_repeats(2, later_lost)), "src1 of add.f32" + lost);
  EXPECT_EQ(said("gather.f16", with_repeats(1, later_lost)),
            "offsets of gather.f16 are counted from the start of its allocation instead of the start of src "
            "in every "
            "repeat after the first");
}

TEST(PartialStrides, AnOffsetThatIsLostInTheLastRepeat) {
  const Ask lost = with_repeats(1, [](const Operand& own, unsigned repeat, unsigned count) {
    return repeat + 1 == count ? -std::int64_t{own.offset} : 0;
  });
  EXPECT_EQ(said("muls.f32", lost),
            "src of muls.f32 starts where its allocation starts: its offset is ignored in the last repeat");
}

TEST(PartialStrides, AnOffsetOfDstThatIsLostAfterTheFirstRepeat) {
  EXPECT_EQ(
      said("relu.f32", with_repeats(0, later_lost)),
      "dst of relu.f32 starts where its allocation starts: its offset is ignored in every repeat after the "
      "first");
}

TEST(PartialStrides, AfterSomeRepeatsWithAConstant) {
  const Ask later = with_repeats(1, [](const Operand& own, unsigned repeat, unsigned) {
    return repeat > 3 ? 32 * (std::int64_t{repeat} - 3) * (5 - std::int64_t{own.repeat_stride}) : 0;
  });
  EXPECT_EQ(said("vnot.i16", later),
            "from repeat 4 (counted from 0) on, src of vnot.i16 walks with repeat stride 5, counted from the "
            "repeat "
            "before");
}

/// The control of a select, read modulo `bytes`.
Ask with_control_modulo(unsigned bytes) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction& insn = changed.instructions.back();
      const std::size_t start = start_of(changed, insn.operands[1]),
                        size = static_cast<std::size_t>(insn.repeat * lanes_of(insn) / 8);
      for (std::size_t byte = 0; byte < size; ++byte)
        changed.ub[start + byte] = changed.ub[start + byte % bytes];
      run(batch, n, changed);
      for (std::size_t byte = 0; byte < size; ++byte)
        batch.states[n].ub[start + byte] = batch.programs[n].ub[start + byte];
    }
  };
}

TEST(PartialStrides, AControlThatIsReadModulo) {
  const std::string behind = ": behind them it starts again at the first ones";
  for (const std::string name : {"select.f16", "select.f32"}) {
    const std::string in_block = said(name, with_control_modulo(32)),
                      in_two = said(name, with_control_modulo(64));
    EXPECT_TRUE(in_block.starts_with(name + " reads control modulo one data block" + behind)) << in_block;
    EXPECT_TRUE(in_two.starts_with(name + " reads control modulo 64 bytes" + behind)) << in_two;
  }
}

/// With `only` given as the way in which a number of elements comes.
std::string said_under_count(const std::string& name, Profile profile, bool (*counts)(const Program&)) {
  const Ask walks = [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      if (counts(changed)) changed.instructions.back().operands[1].repeat_stride = 8;
      run(batch, n, changed);
    }
  };
  const auto all = identify(subject_of(name, profile), walks).differences;
  return all.empty() ? "" : all.front();
}

TEST(PartialStrides, AStrideThatIsIgnoredUnderACount) {
  EXPECT_EQ(
      said_under_count("muls.i32", Profile::tik,
                       [](const Program& p) { return p.instructions.back().mask_from == MaskFrom::count; }),
      "src of muls.i32 walks with repeat stride 8, whatever is given, for a count of its own");
  EXPECT_EQ(
      said_under_count("add.f32", Profile::a2,
                       [](const Program& p) { return p.instructions.front().op == Op::set_mask_count; }),
      "src0 of add.f32 walks with repeat stride 8, whatever is given, in counter mode");
}

TEST(PartialStrides, StridesOfDstAndOfItsSourceThatAreIgnoredUnderACount) {
  const auto all = identify(subject_of("muls.i32", Profile::tik), [](const Batch& batch) {
                     for (std::size_t n = 0; n < batch.programs.size(); ++n) {
                       Program changed = batch.programs[n];
                       Instruction& last = changed.instructions.back();
                       if (last.mask_from == MaskFrom::count)
                         for (Operand& operand : last.operands) operand.repeat_stride = 8;
                       run(batch, n, changed);
                     }
                   }).differences;
  const std::string law =
      " of muls.i32 walks with repeat stride 8, whatever is given, for a count of its own";
  EXPECT_EQ(all, (std::vector<std::string>{"dst" + law, "src" + law}));
}

TEST(PartialStrides, AStrideOfAnInstructionThatAlsoReadsDst) {
  const Ask at_most_8 = with([](Instruction& i) {
    if (i.op == Op::axpy) i.operands[0].repeat_stride = std::min(i.operands[0].repeat_stride, 8u);
  });
  EXPECT_EQ(said("axpy.f16", at_most_8), "dst of axpy.f16 walks with repeat stride 8 if more is given");
}

/// With a stride of 0, several lanes of src share one place.
TEST(PartialStrides, AStrideOfZeroOfAReduction) {
  const Ask as_eight = with([](Instruction& i) {
    if (i.operands[1].repeat_stride == 0) i.operands[1].repeat_stride = 8;
  });
  Subject subject = subject_of("cgmax.i32");
  subject.insn.repeat = 2;
  subject.insn.operands[0].repeat_stride = subject.insn.operands[1].block_stride = 1;
  subject.insn.operands[1].repeat_stride = 0;
  const auto all = identify({Profile::vmc, {}, {subject.insn}, {}}, 0, as_eight, false, false).differences;
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front(), "src of cgmax.i32 takes a repeat stride of 0 as 8");
}

/// Lane 3 holds the result of lane 9 in repeat 0, and of lane 20 in repeat 1.
TEST(PartialStrides, OneLaneInTwoRepeatsIsOneLane) {
  const Ask mixes = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::size_t start = start_of(program, insn.operands[0]);
    const auto copy = [&](unsigned repeat, unsigned lane, unsigned from) {
      if (repeat < insn.repeat)
        std::memcpy(&state.ub[start + lane_offset(insn, 0, repeat, lane)],
                    &state.ub[start + lane_offset(insn, 0, 0, from)], 4);
    };
    copy(0, 3, 9);
    copy(1, 3, 20);
  });
  const std::string all = said("relu.f32", mixes);
  EXPECT_TRUE(all.starts_with(
      "lane 3 of relu.f32 is computed from other elements of src, for example lane 3 of repeat 0"))
      << all;
}

}  // namespace partial_strides_test
}  // namespace lanecheck
