// Worked examples for the instructions that ignore the mask (VMC 4) and set_cmpmask (VMC 5). Every program
// here runs with all slots 0.
#include <limits>

#include "corpus/example_testing.h"

namespace lanecheck {
namespace {

using enum Element;
using Floats32 = std::vector<float>;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint32_t>;

class Unmasked : public WorkedExample, protected ExampleProgram {
 protected:
  Unmasked() : ExampleProgram(GetParam()) { set_mask(0, 0); }
  void TearDown() override {
    const Mask& mask = run().mask;
    EXPECT_TRUE(std::all_of(mask.begin(), mask.begin() + 128, [](auto slot) { return slot == 0; }));
    EXPECT_TRUE(std::all_of(mask.begin() + 128, mask.end(), [](auto slot) { return slot == 1; }));
  }
};
LANECHECK_ON_BOTH_EXECUTORS(Unmasked);

TEST_P(Unmasked, CompareWritesTheFirstElementToTheLowestBit) {
  const Operand dst = place<std::uint8_t>(Bytes(32, 0xaa));
  const Operand src0 = place_padded<float>({0, 1, 2, 3, 4, 5, 6, 7}, 64);
  const Operand src1 = place<float>(Floats32(64, 3.5f));
  add(Op::compare, u8, f32, {dst, src0, src1}).compare = Compare::gt;
  run();
  Bytes expected(32, 0xaa);
  std::fill_n(expected.begin(), 8, 0);  // 64 results are 8 bytes
  expected[0] = 0xf0;                   // 0 0 0 0 1 1 1 1
  EXPECT_EQ(read<std::uint8_t>(dst, 32), expected);
}

TEST_P(Unmasked, CompareOfHalvesWrites16BytesForEachRepeatConsecutively) {
  Operand dst = place<std::uint8_t>(Bytes(64, 0xaa));
  dst.block_stride = dst.repeat_stride = 9;  // without effect
  const Operand src0 = place_padded<Half>({1}, 256);
  const Operand src1 = place_padded<Half>(Floats32(129, 1), 256);
  Instruction& compare = add(Op::compare, u8, f16, {dst, src0, src1});
  compare.compare = Compare::lt;
  compare.repeat = 2;
  run();
  Bytes expected(64, 0xaa);
  expected[0] = 0xfe;
  std::fill_n(expected.begin() + 1, 15, 0xff);
  expected[16] = 1;
  std::fill_n(expected.begin() + 17, 15, 0);
  EXPECT_EQ(read<std::uint8_t>(dst, 64), expected);
}

TEST_P(Unmasked, OnlyNotEqualHoldsForNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Operand src = place<float>(Floats32(64, nan));
  for (const Compare predicate :
       {Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge}) {
    const Operand dst = place<std::uint8_t>(Bytes(32, 0x55));
    add(Op::compare, u8, f32, {dst, src, src}).compare = predicate;
    run();
    EXPECT_EQ(read<std::uint8_t>(dst, 8), Bytes(8, predicate == Compare::ne ? 0xff : 0));
  }
}

TEST_P(Unmasked, CompareScalarComparesWithTheScalar) {
  const Operand dst = place<std::uint8_t>(Bytes(32, 0xaa));
  const Operand src = place_padded<std::int32_t>({-5, 5, 6, -5}, 64);
  Instruction& compare = add(Op::compare_scalar, u8, i32, {dst, src});
  compare.compare = Compare::eq;
  compare.scalar.bits = bits_of(std::int32_t{-5});
  run();
  EXPECT_EQ(read<std::uint8_t>(dst, 9), (Bytes{0b1001, 0, 0, 0, 0, 0, 0, 0, 0xaa}));
}

TEST_P(Unmasked, SelectTakesSrc0WhereTheControlBitIsSetAnd8BytesForEachRepeatOfFloats) {
  const Operand dst = place<float>(Floats32(128, 9));
  const Operand control = place<std::uint8_t>({1, 0, 0, 0, 0, 0, 0, 0x80, 2, 0, 0, 0, 0, 0, 0, 0});
  const Operand src0 = place<float>(Floats32(128, 1));
  const Operand src1 = place<float>(Floats32(128, -1));
  add(Op::select, f32, {dst, control, src0, src1}).repeat = 2;
  run();
  Floats32 expected(128, -1.0f);
  expected[0] = expected[63] = expected[64 + 1] = 1;
  EXPECT_EQ(read<float>(dst, 128), expected);
}

TEST_P(Unmasked, SelectWithANumberTakesItWhereTheControlBitIsNotSet) {
  const Operand dst = place<std::int16_t>(std::vector<std::int16_t>(128, 9));
  const Operand control = place<std::uint8_t>({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80});
  const Operand src0 = place<std::int16_t>(std::vector<std::int16_t>(128, 1));
  add(Op::select_number, i16, {dst, control, src0}).scalar.bits = bits_of(std::int16_t{-7});
  run();
  std::vector<std::int16_t> expected(128, -7);
  expected[0] = expected[127] = 1;
  EXPECT_EQ(read<std::int16_t>(dst, 128), expected);
}

TEST_P(Unmasked, GatherReadsAtByteOffsets) {
  const Operand dst = place<std::int32_t>(std::vector<std::int32_t>(64, 9));
  std::vector<std::int32_t> values;
  Words offsets;
  for (unsigned l = 0; l < 64; ++l) {
    values.push_back(static_cast<int>(100 + l));
    offsets.push_back(4 * (63 - l));
  }
  const Operand src = place<std::int32_t>(values);
  add(Op::gather, i32, {dst, src, place<std::uint32_t>(offsets)});
  run();
  std::reverse(values.begin(), values.end());
  EXPECT_EQ(read<std::int32_t>(dst, 64), values);
}

TEST_P(Unmasked, GatherWritesRepeatsAtTheRepeatStrideOfDst) {
  Operand dst = place<Half>(Floats32(384, 9));
  dst.repeat_stride = 16;
  const Operand src = place<Half>({5});
  const Operand offsets = place<std::uint32_t>(Words(256, 0));
  add(Op::gather, f16, {dst, src, offsets}).repeat = 2;
  run();
  Floats32 expected(384, 5.0f);
  std::fill_n(expected.begin() + 128, 128, 9.0f);
  EXPECT_EQ(read<Half>(dst, 384), expected);
}

TEST_P(Unmasked, ScatterWritesAtByteOffsetsAndTheLastOfEqualOffsetsStays) {
  const Operand dst = place<float>(Floats32(8, 9));
  Floats32 values;
  for (unsigned l = 0; l < 64; ++l) values.push_back(static_cast<float>(l));
  const Operand src = place<float>(values);
  Words offsets(64, 4);
  offsets[7] = 28;
  add(Op::scatter, f32, {dst, src, place<std::uint32_t>(offsets)});
  run();
  EXPECT_EQ(read<float>(dst, 8), (Floats32{9, 63, 9, 9, 9, 9, 9, 7}));
}

TEST_P(Unmasked, BrcbFillsEveryOtherBlockAtBlockStride2) {
  Operand dst = place<std::uint32_t>(Words(128, 9));
  dst.block_stride = 2;
  add(Op::brcb, u32, {dst, place<std::uint32_t>({1, 2, 3, 4, 5, 6, 7, 8})});
  run();
  const Words result = read<std::uint32_t>(dst, 128);
  for (unsigned e = 0; e < 128; ++e) EXPECT_EQ(result[e], e / 8 % 2 == 0 ? e / 16 + 1 : 9) << e;
}

Words records(const Words& words, std::size_t part) {
  Words result;
  for (std::size_t n = part; n < words.size(); n += 2) result.push_back(words[n]);
  return result;
}

TEST_P(Unmasked, Sort32IsDescendingAndStable) {
  Floats32 scores(32, 1.0f);
  scores[4] = 3;
  scores[9] = scores[2] = 2;
  scores[0] = -1;
  Words index;
  for (unsigned k = 0; k < 32; ++k) index.push_back(100 + k);
  const Operand dst = place<std::uint32_t>(Words(64, 0));
  add(Op::sort32, f32, {dst, place<float>(scores), place<std::uint32_t>(index)});
  run();
  const Words places = records(read<std::uint32_t>(dst, 64), 1);
  EXPECT_EQ(Words(places.begin(), places.begin() + 6), (Words{104, 102, 109, 101, 103, 105}));
  EXPECT_EQ(places.back(), 100u);
  EXPECT_EQ(read<float>(dst, 5), (Floats32{3, read<float>(dst, 2)[1], 2, read<float>(dst, 4)[3], 2}));
}

TEST_P(Unmasked, RecordsOfHalvesHaveTheScoreInTheLowerTwoBytes) {
  const Operand dst = place<std::uint32_t>(Words(64, 0xffffffff));
  Words index(32, 7);
  index[31] = 8;
  Floats32 scores(32, 0.0f);
  scores[31] = 1;
  add(Op::sort32, f16, {dst, place<Half>(scores), place<std::uint32_t>(index)});
  run();
  EXPECT_EQ(read<std::uint32_t>(dst, 4), (Words{0x3c00, 8, 0, 7}));
}

std::uint32_t score(float value) {
  return static_cast<std::uint32_t>(bits_of(value));
}

TEST_P(Unmasked, MergeOfFourTakesTheGreatestHeadAndTheLowerQueueAmongEquals) {
  const Operand dst = place<std::uint32_t>(Words(16, 0));
  const Operand src = place<std::uint32_t>({score(5), 1, score(1), 2,     // queue 0
                                            score(5), 3, score(4), 4,     // queue 1
                                            score(6), 5, score(-1), 6,    // queue 2
                                            score(1), 7, score(-2), 8});  // queue 3
  add(Op::mergesort4, f32, {dst, src}).lengths = {2, 0};
  run();
  EXPECT_EQ(records(read<std::uint32_t>(dst, 16), 1), (Words{5, 1, 3, 4, 2, 7, 6, 8}));
}

TEST_P(Unmasked, MergeOfTwoTakesQueuesOfDifferentLengths) {
  const Operand dst = place<std::uint32_t>(Words(8, 0));
  const Operand src0 = place<std::uint32_t>({score(2), 1});
  const Operand src1 = place<std::uint32_t>({score(3), 2, score(2), 3, score(1), 4});
  add(Op::mergesort_2seq, f32, {dst, src0, src1}).lengths = {1, 3};
  run();
  EXPECT_EQ(read<std::uint32_t>(dst, 8), (Words{score(3), 2, score(2), 1, score(2), 3, score(1), 4}));
}

TEST_P(Unmasked, SetCmpmaskChangesNeitherUbNorTheMask) {
  const Operand src = place<std::uint8_t>(Bytes(32, 0xff));
  const State before = run();
  add(Op::set_cmpmask, u8, {src});
  const State after = run();
  EXPECT_EQ(after.ub, before.ub);
  EXPECT_EQ(after.mask, before.mask);
}

}  // namespace
}  // namespace lanecheck
