// The cell of a step: its classes, worked out by hand, and its key.
#include "spec/rules/cell.h"

#include <gtest/gtest.h>

#include <random>

#include "spec/program/profile.h"

namespace lanecheck {
namespace {

using enum Element;

constexpr unsigned kKeyBits = 36;

Instruction instruction(Op op, Element dst, Element src) {
  Instruction insn;
  insn.op = op;
  insn.dst_type = dst;
  insn.src_type = src;
  return insn;
}
Instruction instruction(Op op, Element type) {
  return instruction(op, type, type);
}

Cell cell_under(const Instruction& insn, std::uint64_t high, std::uint64_t low, Mode mode = Mode::normal) {
  MaskBits mask;
  mask.set_words({high, low});
  mask.mode = mode;
  return cell_of(resolve(insn, mask, default_readings(Profile::a2)), mask);
}
MaskClass class_under(const Instruction& insn, std::uint64_t high, std::uint64_t low) {
  return cell_under(insn, high, low).mask;
}

// Keys.

TEST(CellKey, EveryBitOfAKeyReadsBack) {
  for (unsigned bit = 0; bit < kKeyBits; ++bit)
    EXPECT_EQ(key_of(cell_at(std::uint64_t{1} << bit)), std::uint64_t{1} << bit) << bit;
}

TEST(CellKey, AMillionKeysReadBack) {
  std::mt19937_64 random(1);
  for (unsigned n = 0; n < 1'000'000; ++n) {
    const std::uint64_t key = random() >> (64 - kKeyBits);
    ASSERT_EQ(key_of(cell_at(key)), key);
  }
}

TEST(CellKey, HoldsEveryInstructionAndType) {
  for (const Row& row : instruction_table())
    for (const Element dst : kElements)
      for (const Element src : kElements) {
        Cell cell;
        cell.op = row.op;
        cell.dst_type = dst;
        cell.src_type = src;
        const Cell back = cell_at(key_of(cell));
        EXPECT_TRUE(back.op == row.op && back.dst_type == dst && back.src_type == src) << row.name;
      }
}

TEST(CellKey, HoldsTheGreatestValueOfEachField) {
  Cell cell;
  cell.mask = MaskClass::some_off;
  cell.origin = MaskOrigin::operand;
  cell.repeat = RepeatClass::most;
  cell.stride = StrideClass::other;
  cell.from = MaskFrom::count;
  cell.mode = Mode::counter;
  cell.variant = 31;
  cell.tail = cell.in_place = cell.scalar_repeat = true;
  const Cell back = cell_at(key_of(cell));
  EXPECT_EQ(back.mask, cell.mask);
  EXPECT_EQ(back.origin, cell.origin);
  EXPECT_EQ(back.repeat, cell.repeat);
  EXPECT_EQ(back.stride, cell.stride);
  EXPECT_EQ(back.from, cell.from);
  EXPECT_EQ(back.mode, cell.mode);
  EXPECT_EQ(back.variant, cell.variant);
  EXPECT_TRUE(back.tail && back.in_place && back.scalar_repeat);
}

// Classes.

TEST(CellClasses, OfTheMaskOfFloatsWhich64SlotsGovern) {
  const Instruction add = instruction(Op::add, f32);  // blocks of 8 lanes
  EXPECT_EQ(class_under(add, 0, kOnes), MaskClass::full) << "the high word governs nothing";
  EXPECT_EQ(class_under(add, kOnes, 0), MaskClass::none);
  EXPECT_EQ(class_under(add, 0, kOnes << 8), MaskClass::block_empty);
  EXPECT_EQ(class_under(add, 0, kOnes << 7), MaskClass::pair_empty)
      << "lane 7 keeps block 0 from being empty";
  EXPECT_EQ(class_under(add, 0, kOnes << 1), MaskClass::some_off);
}

TEST(CellClasses, OfTheMaskOfHalvesWhich128SlotsGovern) {
  const Instruction add = instruction(Op::add, f16);  // blocks of 16 lanes
  EXPECT_EQ(class_under(add, kOnes, kOnes), MaskClass::full);
  EXPECT_EQ(class_under(add, kOnes >> 16, kOnes), MaskClass::block_empty);
  EXPECT_EQ(class_under(add, kOnes >> 15, kOnes), MaskClass::pair_empty);
  EXPECT_EQ(class_under(add, 0, 1), MaskClass::block_empty);
  EXPECT_EQ(class_under(add, 0, 0), MaskClass::none);
}

TEST(CellClasses, OfTheMaskOfACastByItsWiderType) {
  EXPECT_EQ(class_under(instruction(Op::cast, f16, f32), 0, kOnes), MaskClass::full);
  EXPECT_EQ(class_under(instruction(Op::cast, i64, i32), 0, 0xffffffff), MaskClass::full);
}

TEST(CellClasses, OfTheMaskOfBytesWhich256SlotsGovern) {
  EXPECT_EQ(class_under(instruction(Op::dup, u8), 0, 0), MaskClass::block_empty)
      << "slots 128 to 255 stay on";
}

TEST(CellClasses, CounterModeIsFullUnlessTheLastRepeatIsNot) {
  const Instruction add = instruction(Op::add, f16);
  const auto counted = [&](std::uint64_t count) { return cell_under(add, 0, count, Mode::counter); };
  EXPECT_EQ(counted(0).mask, MaskClass::none);
  EXPECT_EQ(counted(0).repeat, RepeatClass::zero);
  EXPECT_EQ(counted(128).mask, MaskClass::full);
  EXPECT_FALSE(counted(128).tail);
  EXPECT_EQ(counted(300).mask, MaskClass::some_off);
  EXPECT_TRUE(counted(300).tail);
  EXPECT_EQ(counted(300).repeat, RepeatClass::several);
}

TEST(CellClasses, OfRepeatTimes) {
  const std::pair<std::uint32_t, RepeatClass> classes[] = {
      {0, RepeatClass::zero},    {1, RepeatClass::one},       {2, RepeatClass::two},
      {3, RepeatClass::several}, {253, RepeatClass::several}, {254, RepeatClass::most},
      {255, RepeatClass::most}};
  for (const auto& [repeat, expected] : classes) {
    Instruction add = instruction(Op::add, f32);
    add.repeat = repeat;
    EXPECT_EQ(cell_under(add, 0, 1).repeat, expected) << repeat;
  }
}

TEST(CellClasses, OfStrides) {
  Instruction add = instruction(Op::add, f32);
  EXPECT_EQ(cell_under(add, 0, 1).stride, StrideClass::canonical);
  add.operands[2].repeat_stride = 9;
  EXPECT_EQ(cell_under(add, 0, 1).stride, StrideClass::other);
  add.operands[1].block_stride = 0;
  EXPECT_EQ(cell_under(add, 0, 1).stride, StrideClass::zero);
  Instruction cadd = instruction(Op::cadd, f32);
  EXPECT_EQ(cell_under(cadd, 0, 1).stride, StrideClass::other) << "8 results apart";
  cadd.operands[0].repeat_stride = 1;
  EXPECT_EQ(cell_under(cadd, 0, 1).stride, StrideClass::canonical);
}

TEST(CellClasses, InPlaceIfTheFirstSourceIsWhereDstIs) {
  Instruction add = instruction(Op::add, f32);
  EXPECT_TRUE(cell_under(add, 0, 1).in_place);
  add.operands[1].offset = 256;
  EXPECT_FALSE(cell_under(add, 0, 1).in_place);
}

}  // namespace
}  // namespace lanecheck
