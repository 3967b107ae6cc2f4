// What an instruction is: lanes, results and types of its row, with values from the documents.
#include "spec/program/instruction.h"

#include <gtest/gtest.h>

#include <set>

namespace lanecheck {
namespace {

using enum Element;

Instruction instruction(Op op, Element dst, Element src) {
  Instruction insn;
  insn.op = op;
  insn.dst_type = dst;
  insn.src_type = src;
  return insn;
}

TEST(Lanes, VMC_1_prefix_ARepeatHas64Of32BitsAnd128Of16BitsAnd256Of8Bits) {
  for (const Element type : {f32, i32}) EXPECT_EQ(lanes_of(instruction(Op::dup, type, type)), 64u);
  for (const Element type : {f16, i16}) EXPECT_EQ(lanes_of(instruction(Op::dup, type, type)), 128u);
  for (const Element type : {i8, u8}) EXPECT_EQ(lanes_of(instruction(Op::dup, type, type)), 256u);
}

TEST(Lanes, SVM_1_64bit_ARepeatHas32OfThem) {
  EXPECT_EQ(lanes_of(i64), 32u);
  EXPECT_EQ(lanes_of(u64), 32u);
}

TEST(Lanes, VMC_3_1_cast_half_float_ACastHas64LanesEitherWay) {
  EXPECT_EQ(lanes_of(instruction(Op::cast, f32, f16)), 64u);
  EXPECT_EQ(lanes_of(instruction(Op::cast, f16, f32)), 64u);
  EXPECT_EQ(lanes_of(instruction(Op::cast, i64, i32)), 32u);
  EXPECT_EQ(lanes_of(instruction(Op::cast, u8, f16)), 128u);
}

TEST(Lanes, VMC_4_packed_result_ACompareCountsByItsSource) {
  EXPECT_EQ(lanes_of(instruction(Op::compare, u8, f16)), 128u);
  EXPECT_EQ(lanes_of(instruction(Op::compare_scalar, u8, f32)), 64u);
}

TEST(Lanes, TheMergesCountTheirRecords) {
  Instruction four = instruction(Op::mergesort4, f32, f32);
  four.lengths = {5, 0};
  EXPECT_EQ(lanes_of(four), 20u);
  Instruction two = instruction(Op::mergesort_2seq, f32, f32);
  two.lengths = {5, 7};
  EXPECT_EQ(lanes_of(two), 12u);
  EXPECT_EQ(lanes_of(instruction(Op::sort32, f16, f16)), 32u);
}

TEST(Results, VMC_3_2_ARepeatGivesOneABlockOneAndAPairOne) {
  EXPECT_EQ(results_per_repeat(instruction(Op::cadd, f16, f16)), 1u);
  EXPECT_EQ(results_per_repeat(instruction(Op::cmax, f32, f32)), 1u);
  EXPECT_EQ(results_per_repeat(instruction(Op::cgadd, f16, f16)), 8u);
  EXPECT_EQ(results_per_repeat(instruction(Op::cgmin, i32, i32)), 8u);
  EXPECT_EQ(results_per_repeat(instruction(Op::cpadd, f16, f16)), 64u);
  EXPECT_EQ(results_per_repeat(instruction(Op::cpadd, f32, f32)), 32u);
}

TEST(Repeats, AnInstructionWithoutRepeatTimesHasOne) {
  Instruction merge = instruction(Op::mergesort_2seq, f32, f32);
  merge.repeat = 9;
  EXPECT_EQ(repeats_of(merge), 1u);
  Instruction add = instruction(Op::add, f32, f32);
  add.repeat = 9;
  EXPECT_EQ(repeats_of(add), 9u);
}

TEST(Types, VP_T_PaddingHas16And32BitTypes) {
  for (const Element type : kElements)
    EXPECT_EQ(types_of(instruction(Op::vpadding, type, type), Profile::p310) != nullptr,
              size_of(type) == 2 || size_of(type) == 4 ? type != bf16 : false)
        << name_of(type);
}

TEST(Types, OfAnInstructionThatAProfileDoesNotOfferAreNone) {
  EXPECT_EQ(types_of(instruction(Op::vpadding, f16, f16), Profile::vmc), nullptr);
  EXPECT_EQ(types_of(instruction(Op::add, f16, f32), Profile::vmc), nullptr);
}

TEST(Types, RoundModesOfACastBelongToItsPair) {
  const auto offers = [](Element dst, Element src, Round round) {
    const TypePair* pair = types_of(instruction(Op::cast, dst, src), Profile::a2);
    return pair != nullptr && (pair->modes >> static_cast<unsigned>(round) & 1) != 0;
  };
  EXPECT_TRUE(offers(f16, f32, Round::odd));
  EXPECT_FALSE(offers(f32, f16, Round::rint)) << "exact: there is nothing to round";
  EXPECT_TRUE(offers(f32, f16, Round::none));
  EXPECT_FALSE(offers(i16, f16, Round::odd));
}

TEST(Table, RowsLieAtTheirOpAndAreFoundByTheirName) {
  std::set<std::string_view> names;
  for (const Row& row : instruction_table()) {
    EXPECT_EQ(&row_of(row.op), &row);
    EXPECT_EQ(find_row(row.name), &row);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
  EXPECT_EQ(find_row("addd"), nullptr);
}

TEST(Settings, AreReadByName) {
  Instruction gather = instruction(Op::gather_mask, f16, f16);
  const auto& columns = row_of(gather.op).settings;
  for (unsigned n = 0; n < columns.size(); ++n) gather.settings[n] = 10 + n;
  for (unsigned n = 0; n < columns.size(); ++n) EXPECT_EQ(setting(gather, columns[n].name), 10 + n);
}

TEST(Settings, GM_src1_pattern_From1To7) {
  const auto& column = row_of(Op::gather_mask).settings[0];
  EXPECT_EQ(column.name, "pattern");
  EXPECT_EQ(column.least, 1u);
  EXPECT_EQ(column.most, 7u);
}

TEST(Settings, VP_padMode_From0To2) {
  const auto& column = row_of(Op::vpadding).settings[0];
  EXPECT_EQ(column.name, "mode");
  EXPECT_EQ(column.least, 0u);
  EXPECT_EQ(column.most, 2u);
}

TEST(Table, TheMaskIsConsumedAsTheDocumentSays) {
  EXPECT_EQ(row_of(Op::muladddst).mask, MaskUse::gates_writeback);  // VMC 3.1
  EXPECT_EQ(row_of(Op::cpadd).mask, MaskUse::neutral_source);       // VMC 3.2
  EXPECT_EQ(row_of(Op::cpadd).neutral, Neutral::zero);
  EXPECT_EQ(row_of(Op::cgmax).neutral, Neutral::lowest);  // VMC 3.3
  EXPECT_EQ(row_of(Op::cgmin).neutral, Neutral::highest);
  EXPECT_EQ(row_of(Op::brcb).mask, MaskUse::ignores);                 // VMC 4
  EXPECT_EQ(row_of(Op::set_cmpmask).standing, Standing::deprecated);  // VMC 5
}

}  // namespace
}  // namespace lanecheck
