// A wrong stride is called that of another operand only if it follows the other operand.
#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

TEST(StrideOwner, OfAnotherOperandIfItFollows) {
  EXPECT_EQ(
      said("add.i8", with([](Instruction& i) { i.operands[1].block_stride = i.operands[2].block_stride; })),
      "src0 of add.i8 walks with the block stride of src1 instead of its own");
  EXPECT_EQ(said("sqrt.f32",
                 with([](Instruction& i) { i.operands[1].repeat_stride = i.operands[0].repeat_stride; })),
            "src of sqrt.f32 walks with the repeat stride of dst instead of its own");
}

TEST(StrideOwner, OfNoOperandIfItIsAConstant) {
  EXPECT_EQ(said("add.i8", with([](Instruction& i) { i.operands[1].block_stride = 1; })),
            "src0 of add.i8 walks with block stride 1, whatever is given");
  EXPECT_EQ(said("compare_scalar.f32", with([](Instruction& i) { i.operands[1].block_stride = 1; })),
            "src of compare_scalar.f32 walks with block stride 1, whatever is given");
}

TEST(StrideOwner, SaysWhatIsMadeOfEveryStride) {
  const auto of_src0 = [](std::uint32_t (*taken)(std::uint32_t)) {
    return said("add.i8", with([taken](Instruction& i) {
                  for (unsigned k = 0; k < row_of(i.op).operands.size(); ++k)
                    if (k == 1) i.operands[k].block_stride = taken(i.operands[k].block_stride);
                }));
  };
  EXPECT_EQ(of_src0([](std::uint32_t stride) { return stride == 0 ? 1u : stride; }),
            "src0 of add.i8 takes a block stride of 0 as 1");
  EXPECT_EQ(of_src0([](std::uint32_t stride) { return stride & 7; }),
            "src0 of add.i8 uses only the lowest 3 bits of its block stride");
  EXPECT_EQ(of_src0([](std::uint32_t stride) { return stride > 8 ? stride & 7 : stride; }),
            "src0 of add.i8 uses only the lowest 3 bits of its block stride, if it is more than 8");
  EXPECT_EQ(of_src0([](std::uint32_t stride) { return std::min(stride, 2u); }),
            "src0 of add.i8 walks with block stride 2 if more is given");
  EXPECT_EQ(of_src0([](std::uint32_t stride) { return std::max(stride, 3u); }),
            "src0 of add.i8 walks with block stride 3 if less is given");
  const Ask small = with([](Instruction& i) {
    if (i.op == Op::cadd) i.operands[1].repeat_stride = std::max(i.operands[1].repeat_stride, 8u);
  });
  Subject sum = subject_of("cadd.f16");
  sum.insn.operands[1].repeat_stride = 1;
  sum.insn.repeat = 2;
  const auto said_of_sum =
      identify(Program{sum.profile, {}, {sum.insn}, {}}, 0, small, false, false).differences;
  ASSERT_FALSE(said_of_sum.empty());
  EXPECT_EQ(said_of_sum[0], "src of cadd.f16 walks with repeat stride 8 if less is given");
}

/// Only a stride of 0 is taken for that of src0, as if it were not given.
TEST(StrideOwner, OfAnotherOperandIfItIs0) {
  const Ask faulty = with([](Instruction& i) {
    if (i.op == Op::sub && i.operands[2].repeat_stride == 0)
      i.operands[2].repeat_stride = i.operands[1].repeat_stride;
  });
  Subject subject = subject_of("sub.i16");
  subject.insn.operands[2].repeat_stride = 0;
  subject.insn.repeat = 2;
  const auto found =
      identify(Program{subject.profile, {}, {subject.insn}, {}}, 0, faulty, false, false).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], "src1 of sub.i16 takes a repeat stride of 0 as that of src0");
}

/// It runs no program with a stride above 100: whether it takes such a stride as given is not known.
TEST(StrideOwner, SaysNothingOfStridesThatTheBackendDoesNotRun) {
  const Ask faulty = with([](Instruction& i) {
    for (unsigned k = 0; k < row_of(i.op).operands.size(); ++k)
      if (i.operands[k].block_stride == 0) i.operands[k].block_stride = 1;
  });
  const Ask refuses = [&](const Batch& batch) {
    faulty(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n)
      for (const Operand& each : batch.programs[n].instructions.back().operands)
        if (each.block_stride > 100) batch.outcomes[n] = Refused{"too far"};
  };
  EXPECT_EQ(said("add.i8", refuses),
            "src0 of add.i8 walks with block stride 1 instead of 0 (seen with repeat 3, sources with strides "
            "of 0)");
}

TEST(StrideOwner, ALostOffsetIsNoDistance) {
  EXPECT_EQ(said("mul.f32", with([](Instruction& i) { i.operands[2].offset = 0; })),
            "src1 of mul.f32 starts where its allocation starts: its offset is ignored");
}

/// Its first element is read where the region of the probe begins: that is a place like all others.
TEST(StrideOwner, ALostOffsetOfACompare) {
  EXPECT_EQ(said("compare_scalar.f32", with([](Instruction& i) {
                   if (i.op == Op::compare_scalar) i.operands[1].offset = 0;
                 }))
                .find("always 0"),
            std::string::npos);
}

/// Two repeats of axpy must not write one place, so that no stride below 8 can be asked. An addition tells.
TEST(StrideOwner, SmallStridesThatOnlyAnAdditionMayHave) {
  const auto in_a_row_if = [](bool (*holds)(const Operand&)) {
    return with([=](Instruction& i) {
      if (!row_of(i.op).operands.empty() && row_of(i.op).operands[0].walk == Walk::blocks &&
          holds(i.operands[0]))
        i.operands[0].repeat_stride = 8;
    });
  };
  EXPECT_EQ(said("axpy.f16", in_a_row_if([](const Operand& dst) { return dst.block_stride == 1; })),
            "dst of axpy.f16 walks with repeat stride 8, whatever is given, if its block stride is 1");
}

TEST(StrideOwner, AStrideThatCountsHalvesOfDataBlocks) {
  EXPECT_EQ(said("relu.f16", with([](Instruction& i) {
                   if (i.op == Op::relu) i.operands[1].repeat_stride /= 2;
                 })),
            "src of relu.f16 walks with half of the repeat stride that is given (even ones were asked)");
}

/// An odd number of halves is no number of data blocks, so odd strides tell nothing.
TEST(StrideOwner, AStrideThatCountsUnitsOf16Bytes) {
  const Ask ask = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned r) {
    if (whole.op == Op::axpy && whole.dst_type != whole.src_type)
      one.operands[1].offset =
          whole.operands[1].offset + r * whole.operands[1].repeat_stride * kBlockBytes / 2;
  });
  EXPECT_EQ(said("axpy.f32.f16", ask),
            "src of axpy.f32.f16 walks with half of the repeat stride that is given (even ones were asked)");
}

TEST(StrideOwner, TwiceTheStrideThatIsGiven) {
  EXPECT_EQ(said("relu.f16", with([](Instruction& i) {
                   if (i.op == Op::relu) i.operands[1].repeat_stride *= 2;
                 })),
            "src of relu.f16 walks with twice the repeat stride that is given");
}

/// What is written far from its place is not found.
TEST(StrideOwner, TwiceTheStrideOfDst) {
  EXPECT_EQ(said("dup.u32", with([](Instruction& i) {
                   if (i.op == Op::dup) i.operands[0].repeat_stride *= 2;
                 })),
            "dst of dup.u32 walks with twice the repeat stride that is given");
}

/// A law of the repeat stride that depends on the block stride of the same operand.
TEST(StrideOwner, ARepeatStrideByTheBlockStride) {
  const auto said_if = [](const std::string& name, unsigned k, void (*change)(Operand&)) {
    return said(name, with([=](Instruction& i) {
                  if (row_of(i.op).operands.size() > k) change(i.operands[k]);
                }));
  };
  EXPECT_EQ(
      said_if("brcb.f16", 0,
              [](Operand& dst) {
                if (dst.block_stride > 1) dst.repeat_stride = 8 * dst.block_stride;
              }),
      "dst of brcb.f16 walks with a repeat stride that is 8 times its block stride, whatever is given, if "
      "its block stride is more than 1");
  EXPECT_EQ(said_if("relu.f32", 1, [](Operand& src) { src.repeat_stride = 4 * src.block_stride; }),
            "src of relu.f32 walks with a repeat stride that is 4 times its block stride, whatever is given");
  EXPECT_EQ(said_if("relu.f32", 0,
                    [](Operand& dst) {
                      if (dst.block_stride == 1) dst.repeat_stride = 8;
                    }),
            "dst of relu.f32 walks with repeat stride 8, whatever is given, if its block stride is 1");
}

/// The probes find dst at block strides 1 and 2 alone: what a larger one does is not said.
TEST(StrideOwner, ARepeatStrideOfDstTimesTheBlockStrideIsNotTwiceTheStride) {
  Subject subject = in_a_row(subject_of("exp.f16"), 2);
  subject.insn.operands[0].block_stride = 2;
  subject.insn.operands[0].repeat_stride = 17;
  const Ask ask = with([](Instruction& i) {
    if (i.op == Op::exp) i.operands[0].repeat_stride *= i.operands[0].block_stride;
  });
  const auto found = identify(Program{Profile::vmc, {}, {subject.insn}, {}}, 0, ask, false, true).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0],
            "dst of exp.f16 walks with repeat stride 38 instead of 19 (seen with repeat 3, each operand with "
            "strides of its own)");
}

/// A field of 8 bits that is taken for a signed one: 255 is -1. Read outside UB, nothing is changed.
TEST(StrideOwner, AStrideThatIsASignedByte) {
  const Ask is_signed = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::int64_t stride = insn.operands[1].repeat_stride;
    if (insn.op != Op::vnot || stride < 128) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::int64_t from = start_of(program, insn.operands[1]) +
                                  static_cast<std::int64_t>(lane_offset(insn, 1, 0, lane)) +
                                  std::int64_t{r} * (stride - 256) * kBlockBytes;
        if (mask[lane] == 0 || from < 0) continue;
        const auto element = load<std::uint16_t>(&program.ub[static_cast<std::size_t>(from)]);
        store(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)],
              static_cast<std::uint16_t>(~element));
      }
  });
  Instruction insn = in_a_row(subject_of("vnot.u16"), 2).insn;
  insn.operands[1].repeat_stride = 250;
  const auto found = identify(Program{Profile::vmc, {}, {insn}, {}}, 0, is_signed, false, true).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], "src of vnot.u16 takes its repeat stride for a signed byte: more than 127 is negative");
}

/// The oracle, except that the results of repeat r start `bytes(instruction, r)` bytes behind the start of
/// dst.
template <class Bytes>
Ask with_results_at(Bytes bytes) {
  return with_single_repeats([bytes](Instruction& one, const Instruction& whole, unsigned r) {
    one.operands[0].offset = whole.operands[0].offset + bytes(whole, r);
  });
}

TEST(StrideOwner, ResultsWhoseRepeatStrideCountsElements) {
  const Ask in_elements = with_results_at([](const Instruction& insn, unsigned r) {
    return r * insn.operands[0].repeat_stride * static_cast<std::uint32_t>(size_of(insn.dst_type));
  });
  const std::string counts = " counts its dst repeat stride in elements instead of units of ";
  EXPECT_EQ(said("cpadd.f16", in_elements), "cpadd.f16" + counts + "128 bytes");
  EXPECT_EQ(said("cpadd.i32", in_elements), "cpadd.i32" + counts + "128 bytes");
  EXPECT_EQ(said("cgadd.f16", in_elements), "cgadd.f16" + counts + "16 bytes");
}

/// With repeat stride 2 the results lie in a row: with others they do not.
TEST(StrideOwner, ResultsWhoseRepeatStrideCountsHalfOfItsUnit) {
  const Ask in_halves = with_results_at(
      [](const Instruction& insn, unsigned r) { return r * insn.operands[0].repeat_stride * 16; });
  EXPECT_EQ(said("cgadd.i32", in_halves),
            "cgadd.i32 counts its dst repeat stride in units of 16 bytes instead of 32 (1/2 as much)");
  EXPECT_EQ(said("cgmax.f16", in_halves), "");
}

/// With repeat stride 2, as the first probes have it, both look like a stride in elements.
TEST(StrideOwner, ResultsAtADistanceOfTheirOwn) {
  const Ask four_apart = with_results_at([](const Instruction&, unsigned r) { return 4 * r; });
  EXPECT_EQ(said("cpadd.f16", four_apart),
            "the results of consecutive repeats of cpadd.f16 lie 4 bytes apart instead of 256 (with a repeat "
            "stride of 2)");
}

}  // namespace
}  // namespace lanecheck
