// Worked examples of instructions that consume the mask, derived by hand from the documents: VMC by its
// sections; "asc-devkit" names its pages on elementwise instructions and reductions.
#include <numeric>

#include "corpus/example_testing.h"

namespace lanecheck {
namespace {

using enum Element;
using Floats32 = std::vector<float>;
using Integers = std::vector<std::int32_t>;

template <class T>
std::vector<T> iota(std::size_t n, T first) {
  std::vector<T> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

// Mask state (VMC 1, 2).

class MaskState : public WorkedExample {};
LANECHECK_ON_BOTH_EXECUTORS(MaskState);

TEST_P(MaskState, StartsFull) {
  ExampleProgram program(GetParam());
  EXPECT_EQ(program.run().mask, kFullMask);
}

TEST_P(MaskState, SetMaskPutsLowFirstAndLeavesTheUpperHalf) {
  ExampleProgram program(GetParam());
  program.set_mask(1ull << 63, 0b101);
  const Mask& mask = program.run().mask;
  for (unsigned slot = 0; slot < kMaskSlots; ++slot)
    EXPECT_EQ(mask[slot], slot == 0 || slot == 2 || slot >= 127) << slot;
}

TEST_P(MaskState, ResetMaskFillsAllSlots) {
  ExampleProgram program(GetParam());
  program.set_mask(0, 0);
  program.add(Op::reset_mask, u8, {});
  EXPECT_EQ(program.run().mask, kFullMask);
}

// Elementwise (VMC 3.1).

class Elementwise : public WorkedExample {};
LANECHECK_ON_BOTH_EXECUTORS(Elementwise);

TEST_P(Elementwise, MaskedOffLanesKeepDst) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<float>(count_of<float>(64, 7));
  const Operand src = program.place<float>(count_of<float>(64, 1));
  program.set_mask(0, 1ull << 3 | 1ull << 63);
  program.add(Op::adds, f32, {dst, src}).scalar.bits = bits_of(2.0f);
  program.run();
  Floats32 expected = count_of<float>(64, 7);
  expected[3] = expected[63] = 3;
  EXPECT_EQ(program.read<float>(dst, 64), expected);
}

TEST_P(Elementwise, DocumentedExampleEightTwoEnablesLanes3And65) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<Half>(count_of<Half>(128, 0));
  program.set_mask(2, 8);
  program.add(Op::dup, f16, {dst}).scalar.bits = bits_of(rounded_to<Half>(1.0f));
  program.run();
  Floats32 expected(128, 0.0f);
  expected[3] = expected[65] = 1;
  EXPECT_EQ(program.read<Half>(dst, 128), expected);
}

TEST_P(Elementwise, EveryRepeatReusesTheSamePrefix) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<std::int32_t>(Integers(128, -1));
  program.set_mask(~0ull, 1);
  Instruction& dup = program.add(Op::dup, i32, {dst});
  dup.scalar.bits = 5;
  dup.repeat = 2;
  program.run();
  Integers expected(128, -1);
  expected[0] = expected[64] = 5;
  EXPECT_EQ(program.read<std::int32_t>(dst, 128), expected);
}

TEST_P(Elementwise, BytesUseAll256SlotsOfWhichTheUpperHalfStaysOpen) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<std::uint8_t>(std::vector<std::uint8_t>(256, 9));
  program.set_mask(0, 0);
  program.add(Op::dup, u8, {dst}).scalar.bits = 1;
  program.run();
  const auto bytes = program.read<std::uint8_t>(dst, 256);
  for (unsigned e = 0; e < 256; ++e) EXPECT_EQ(bytes[e], e < 128 ? 9 : 1) << e;
}

TEST_P(Elementwise, RepeatZeroDoesNothing) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<float>(count_of<float>(64, 7));
  program.add(Op::dup, f32, {dst}).repeat = 0;
  program.run();
  EXPECT_EQ(program.read<float>(dst, 64), count_of<float>(64, 7));
}

TEST_P(Elementwise, SourceBlockStrideZeroRereadsTheFirstBlock) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<std::int32_t>(Integers(64, 0));
  Operand src = program.place<std::int32_t>(iota<std::int32_t>(8, 1));
  src.block_stride = 0;
  program.add(Op::abs, i32, {dst, src});
  program.run();
  const auto result = program.read<std::int32_t>(dst, 64);
  for (unsigned e = 0; e < 64; ++e) EXPECT_EQ(result[e], static_cast<int>(e % 8 + 1));
}

TEST_P(Elementwise, AddAccumulatesOverRepeatsIntoOneDst) {
  ExampleProgram program(GetParam());
  Operand sum = program.place<float>(count_of<float>(64, 0));
  const Operand src = program.place<float>(count_of<float>(256, 2));
  sum.repeat_stride = 0;
  program.add(Op::add, f32, {sum, src, sum}).repeat = 4;
  program.run();
  EXPECT_EQ(program.read<float>(sum, 64), count_of<float>(64, 8));
}

TEST_P(Elementwise, DstBlockStrideZeroKeepsTheLastActiveWrite) {
  ExampleProgram program(GetParam());
  Operand dst = program.place<std::int32_t>(Integers(8, -1));
  const Operand src = program.place<std::int32_t>(iota<std::int32_t>(64, 0));
  dst.block_stride = 0;
  program.set_mask(0, 0x0000'0000'0000'ff01);  // all of block 1, lane 0 of block 0
  program.add(Op::abs, i32, {dst, src});
  program.run();
  EXPECT_EQ(program.read<std::int32_t>(dst, 8), iota<std::int32_t>(8, 8));
}

TEST_P(Elementwise, IntegersWrap) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<std::int16_t>(std::vector<std::int16_t>(128, 0));
  const Operand src = program.place<std::int16_t>(std::vector<std::int16_t>(128, 32760));
  program.add(Op::adds, i16, {dst, src}).scalar.bits = 10;
  program.run();
  EXPECT_EQ(program.read<std::int16_t>(dst, 1).front(), -32766);  // asc-devkit, elementwise
}

TEST_P(Elementwise, AbsOfTheLeastIntegerWraps) {
  ExampleProgram program(GetParam());
  const Operand data = program.place<std::int32_t>(Integers(64, INT32_MIN));
  program.add(Op::abs, i32, {data, data});
  program.run();
  EXPECT_EQ(program.read<std::int32_t>(data, 1).front(), INT32_MIN);
}

TEST_P(Elementwise, MulAddDstRoundsTheProductFirst) {
  ExampleProgram program(GetParam());
  // (1 + 2^-10)^2 = 1 + 2^-9 + 2^-20; the last term is lost before the sum sees it.
  const Operand dst = program.place<Half>(count_of<Half>(128, -1.001953125f));
  const Operand src = program.place<Half>(count_of<Half>(128, 1.0009765625f));
  program.add(Op::muladddst, f16, {dst, src, src});
  program.run();
  EXPECT_EQ(program.read<Half>(dst, 1).front(), 0.0f);
}

TEST_P(Elementwise, MulAddDstOfIntegersWraps) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<std::int32_t>(Integers(64, 7));
  const Operand src0 = program.place<std::int32_t>(Integers(64, 65537));
  const Operand src1 = program.place<std::int32_t>(Integers(64, 65536));
  program.set_mask(0, 1);
  program.add(Op::muladddst, i32, {dst, src0, src1});
  program.run();
  // 65537 * 65536 + 7 = 2^32 + 65536 + 7
  EXPECT_EQ(program.read<std::int32_t>(dst, 2), (Integers{65543, 7}));
}

TEST_P(Elementwise, MixedAxpyComputesInFloatOn64Lanes) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<float>(count_of<float>(64, 0.5f));
  Operand src = program.place<Half>(count_of<Half>(64, 1.0009765625f));
  src.repeat_stride = 4;
  program.set_mask(~0ull, 1ull << 63);
  program.add(Op::axpy, f32, f16, {dst, src}).scalar.bits = bits_of(rounded_to<Half>(1.0009765625f));
  program.run();
  Floats32 expected = count_of<float>(64, 0.5f);
  expected[63] = 1.501953125f + 0x1p-20f;
  EXPECT_EQ(program.read<float>(dst, 64), expected);
}

TEST_P(Elementwise, LreluScalesOnlyNegatives) {
  ExampleProgram program(GetParam());
  const Operand data = program.place_padded<float>({-2, 3}, 64);
  program.add(Op::lrelu, f32, {data, data}).scalar.bits = bits_of(0.5f);
  program.run();
  EXPECT_EQ(program.read<float>(data, 2), (Floats32{-1, 3}));
}

TEST_P(Elementwise, ExpMatchesTheDocumentedSamples) {
  ExampleProgram program(GetParam());
  const Operand data = program.place_padded<Half>({1, 2}, 128);
  program.add(Op::exp, f16, {data, data});
  program.run();
  EXPECT_EQ(program.read<Half>(data, 2), (Floats32{2.71875f, 7.390625f}));  // printed as 2.719, 7.391
}

// Reductions (VMC 3.2, 3.3).

class Reductions : public WorkedExample {};
LANECHECK_ON_BOTH_EXECUTORS(Reductions);

TEST_P(Reductions, SumOfARepeatIsATreeInTheElementType) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<Half>({0});
  const Operand src = program.place_padded<Half>({2048, 1, 1, 1}, 128);
  program.add(Op::cadd, f16, {dst, src});
  program.run();
  EXPECT_EQ(program.read<Half>(dst, 1).front(), 2050.0f);  // asc-devkit, ReduceRepeat
}

TEST_P(Reductions, SumsOfBlocks) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<Half>(count_of<Half>(16, -1));
  Floats32 values;
  for (unsigned block = 1; block <= 8; ++block) values.insert(values.end(), 16, static_cast<float>(block));
  const Operand src = program.place<Half>(values);
  program.add(Op::cgadd, f16, {dst, src});
  program.run();
  EXPECT_EQ(program.read<Half>(dst, 9), (Floats32{16, 32, 48, 64, 80, 96, 112, 128, -1}));
}

TEST_P(Reductions, SumsOfPairs) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<Half>(count_of<Half>(64, 9));
  const Operand src = program.place_padded<Half>({1, 1, 1, -1, 2, 2, -1, 2, 3, 3, 3, -1, 4, 4, -2, 4}, 128);
  program.add(Op::cpadd, f16, {dst, src});
  program.run();
  EXPECT_EQ(program.read<Half>(dst, 9), (Floats32{2, 0, 4, 1, 6, 2, 8, 2, 0}));
}

TEST_P(Reductions, MaskedOffElementsOfAPairReadAsZeroAndTheSumIsWritten) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<float>(count_of<float>(32, 9));
  const Operand src = program.place<float>(iota<float>(64, 1));
  program.set_mask(0, 0b0110);
  program.add(Op::cpadd, f32, {dst, src});
  program.run();
  Floats32 expected(32, 0.0f);
  expected[0] = 2;
  expected[1] = 3;
  EXPECT_EQ(program.read<float>(dst, 32), expected);
}

TEST_P(Reductions, WithEveryLaneOffTheScalarIsNotOverwritten) {
  for (const Op op : {Op::cadd, Op::cmax, Op::cmin, Op::cgadd, Op::cgmax, Op::cgmin}) {
    ExampleProgram program(GetParam());
    const Operand dst = program.place<std::int32_t>(Integers(8, 77));
    const Operand src = program.place<std::int32_t>(Integers(64, 1));
    program.set_mask(~0ull, 0);  // the upper word is outside the active prefix of i32
    program.add(op, i32, {dst, src});
    program.run();
    EXPECT_EQ(program.read<std::int32_t>(dst, 8), Integers(8, 77)) << row_of(op).name;
  }
}

TEST_P(Reductions, OnlyBlocksWithAnActiveLaneAreWritten) {
  ExampleProgram program(GetParam());
  const Operand dst = program.place<std::int32_t>(Integers(8, 77));
  const Operand src = program.place<std::int32_t>(Integers(64, 1));
  program.set_mask(0, 0x80'00'00'00'00'03'00'ff);
  program.add(Op::cgadd, i32, {dst, src});
  program.run();
  EXPECT_EQ(program.read<std::int32_t>(dst, 8), (Integers{8, 77, 2, 77, 77, 77, 77, 1}));
}

TEST_P(Reductions, MaxAndMinSkipMaskedOffElements) {
  ExampleProgram program(GetParam());
  const Operand greatest = program.place<std::int16_t>({0});
  const Operand least = program.place<std::int16_t>({0});
  const Operand src = program.place<std::int16_t>(iota<std::int16_t>(128, -200));
  program.set_mask(0b1, 1ull << 5);  // lanes 64 and 5
  program.add(Op::cmax, i16, {greatest, src});
  program.add(Op::cmin, i16, {least, src});
  program.run();
  EXPECT_EQ(program.read<std::int16_t>(greatest, 1).front(), -136);
  EXPECT_EQ(program.read<std::int16_t>(least, 1).front(), -195);
}

TEST_P(Reductions, DstRepeatStrideCountsResultsOfOneRepeat) {
  ExampleProgram program(GetParam());
  Operand whole = program.place<float>(count_of<float>(8, 0));
  Operand blocks = program.place<float>(count_of<float>(24, 0));
  const Operand src = program.place<float>(count_of<float>(128, 1));
  whole.repeat_stride = 3;
  blocks.repeat_stride = 2;
  program.add(Op::cadd, f32, {whole, src}).repeat = 2;
  program.add(Op::cgadd, f32, {blocks, src}).repeat = 2;
  program.run();
  EXPECT_EQ(program.read<float>(whole, 5), (Floats32{64, 0, 0, 64, 0}));
  Floats32 expected(24, 8.0f);
  std::fill_n(expected.begin() + 8, 8, 0.0f);
  EXPECT_EQ(program.read<float>(blocks, 24), expected);
}

}  // namespace
}  // namespace lanecheck
