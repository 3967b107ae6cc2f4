// The relations of the rules, on steps made by hand: each holds, and one changed byte breaks it.
#include "spec/rules/relation.h"

#include <gtest/gtest.h>

namespace lanecheck {
namespace {

using enum Element;
using namespace relation;

/// One instruction of i32 whose dst is the first allocation. Every word of UB starts as 7; what the run under
/// a full mask left there is 100 + the word's number.
class StepOf {
 public:
  explicit StepOf(Op op, std::uint64_t mask_low, std::uint32_t words) {
    program_.allocations = {{"d", i32, 0, 4 * words}, {"s", i32, 4 * words, 256}};
    program_.ub.resize(4 * words + 256 + 32);
    insn_.op = op;
    insn_.dst_type = insn_.src_type = i32;
    insn_.operands[1].allocation = 1;
    for (std::size_t at = 0; at < program_.ub.size(); at += 4) store(&program_.ub[at], 7);
    before_.ub = after_.ub = unmasked_.ub = program_.ub;
    set_mask(before_.mask, 0, mask_low);
    after_.mask = before_.mask;
  }

  void unmasked_writes(std::uint32_t word) { put(unmasked_, word, 100 + word); }
  void writes(std::uint32_t word) { put(after_, word, 100 + word); }
  void spoils(std::uint32_t word) { put(after_, word, 0xffffffff); }
  Instruction& insn() { return insn_; }
  State& after() { return after_; }
  Step step() const { return {program_, insn_, before_, after_, unmasked_}; }

 private:
  static void put(State& state, std::uint32_t word, std::uint32_t value) {
    store(&state.ub[4 * word], value);
  }

  Program program_;
  Instruction insn_;
  State before_, after_, unmasked_;
};

/// abs of 64 words under a mask that has words 0 and 5 on, done right.
StepOf gated() {
  StepOf abs(Op::abs, 0b100001, 64);
  for (std::uint32_t word = 0; word < 64; ++word) abs.unmasked_writes(word);
  abs.writes(0);
  abs.writes(5);
  return abs;
}

TEST(Relation, AStepThatGatesItsWritebackHasAllItsRelations) {
  const StepOf good = gated();
  EXPECT_TRUE(keeps_masked_off(good.step()));
  EXPECT_TRUE(writes_active(good.step()));
  EXPECT_TRUE(gates_writeback_alone(good.step()));
  EXPECT_FALSE(ignores_mask(good.step()));
  EXPECT_TRUE(leaves_mask(good.step()));
}

TEST(Relation, AMaskedOffElementThatChangesBreaksKeepsMaskedOffAlone) {
  StepOf bad = gated();
  bad.spoils(1);
  EXPECT_FALSE(keeps_masked_off(bad.step()));
  EXPECT_TRUE(writes_active(bad.step()));
}

TEST(Relation, AnActiveElementThatIsWrongBreaksWritesActiveAlone) {
  StepOf bad = gated();
  bad.spoils(5);
  EXPECT_TRUE(keeps_masked_off(bad.step()));
  EXPECT_FALSE(writes_active(bad.step()));
}

TEST(Relation, AByteOutsideDstBreaksStaysInFootprintAlone) {
  StepOf bad = gated();
  bad.spoils(64);
  EXPECT_TRUE(gates_writeback(bad.step()));
  EXPECT_FALSE(stays_in_footprint(bad.step()));
}

TEST(Relation, AnInstructionThatIgnoresTheMaskLeavesWhatTheUnmaskedRunLeft) {
  StepOf all(Op::abs, 1, 64);
  for (std::uint32_t word = 0; word < 64; ++word) {
    all.unmasked_writes(word);
    all.writes(word);
  }
  EXPECT_TRUE(ignores_mask(all.step()));
  EXPECT_FALSE(keeps_masked_off(all.step()));
}

/// cgadd writes eight results; blocks 0 and 2 have an active lane.
StepOf reduced() {
  StepOf cgadd(Op::cgadd, 0x80'0001, 8);
  cgadd.insn().operands[0].repeat_stride = 1;
  for (std::uint32_t word = 0; word < 8; ++word) cgadd.unmasked_writes(word);
  cgadd.writes(0);
  cgadd.writes(2);
  return cgadd;
}

TEST(Relation, AReductionJudgesItsResultsByWhetherTheyHaveAnActiveLane) {
  const StepOf good = reduced();
  EXPECT_TRUE(neutralises_masked_off(good.step()));
  EXPECT_TRUE(keeps_empty_results(good.step()));
  EXPECT_FALSE(writes_empty_results(good.step()));
  EXPECT_TRUE(stays_in_footprint(good.step()));

  StepOf wrong = reduced();
  wrong.spoils(2);
  EXPECT_FALSE(neutralises_masked_off(wrong.step()));
  EXPECT_TRUE(keeps_empty_results(wrong.step()));

  StepOf writes_empty = reduced();
  for (std::uint32_t word = 0; word < 8; ++word) writes_empty.writes(word);
  EXPECT_TRUE(writes_empty_results(writes_empty.step()));
  EXPECT_FALSE(keeps_empty_results(writes_empty.step()));
}

TEST(Relation, TheWholeRepeatIsOneResultOfCaddAndAPairOneOfCpadd) {
  StepOf cadd(Op::cadd, kOnes << 63, 1);
  cadd.unmasked_writes(0);
  EXPECT_TRUE(keeps_empty_results(cadd.step())) << "lane 63 is active: nothing to say of empty results";
  EXPECT_FALSE(neutralises_masked_off(cadd.step()));
  cadd.writes(0);
  EXPECT_TRUE(neutralises_masked_off(cadd.step()));

  StepOf cpadd(Op::cpadd, 0b1000, 32);
  for (std::uint32_t word = 0; word < 32; ++word) cpadd.unmasked_writes(word);
  cpadd.writes(1);  // lanes 2 and 3
  EXPECT_TRUE(neutralises_masked_off(cpadd.step()));
  EXPECT_TRUE(keeps_empty_results(cpadd.step()));
}

TEST(Relation, WordsArriveInTheirSlots) {
  StepOf set(Op::set_mask, kOnes, 8);
  set.insn().high = 2;
  set.insn().low = 8;
  set_mask(set.after().mask, 2, 8);
  EXPECT_TRUE(both_words_arrive(set.step()));
  EXPECT_TRUE(upper_half_stays(set.step()));
  EXPECT_FALSE(register_is_full(set.step()));
  set_mask(set.after().mask, 8, 2);
  EXPECT_FALSE(low_word_arrives(set.step()));
  EXPECT_FALSE(high_word_arrives(set.step()));
  set.after().mask[200] = 0;
  EXPECT_FALSE(upper_half_stays(set.step()));
}

TEST(Relation, ALaneLiesAtItsBlockAndRepeatStrides) {
  const StepOf abs = gated();
  Operand operand;
  operand.allocation = 1;  // starts at byte 256
  operand.offset = 32;
  operand.block_stride = 2;
  operand.repeat_stride = 20;
  EXPECT_EQ(lane_at(abs.step(), operand, 4, 0, 0), 288u);
  EXPECT_EQ(lane_at(abs.step(), operand, 4, 0, 9), 288u + 64 + 4);
  EXPECT_EQ(lane_at(abs.step(), operand, 2, 3, 17), 288u + 3 * 640 + 64 + 2);
}

TEST(Relation, APlaceMayBeWrittenTwiceIfBlocksOrRepeatsMeet) {
  Instruction insn;
  insn.op = Op::abs;
  EXPECT_FALSE(writes_a_place_twice(insn));
  insn.repeat = 2;
  EXPECT_FALSE(writes_a_place_twice(insn)) << "8 blocks, 8 apart";
  insn.operands[0].repeat_stride = 7;
  EXPECT_TRUE(writes_a_place_twice(insn));
  insn.repeat = 1;
  EXPECT_FALSE(writes_a_place_twice(insn));
  insn.operands[0].block_stride = 0;
  EXPECT_TRUE(writes_a_place_twice(insn));
}

}  // namespace
}  // namespace lanecheck
