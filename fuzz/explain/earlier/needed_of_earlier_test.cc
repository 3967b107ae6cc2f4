// What an earlier instruction must be like, so that a later one takes its mask or its bits. Expected: what
// each simulator here keeps.
#include "fuzz/explain/earlier/needed_of_earlier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "fuzz/explain/earlier/carried_testing.h"

namespace lanecheck {
namespace needed_of_earlier_test {

/// Keeps the mask of the first instruction of each number of lanes, or of the first one of all, until
/// `forgets`.
Backend keeps_masks(bool by_lanes, const std::function<bool(const Instruction&)>& forgets) {
  return changes([=](const Program& program, std::size_t n, Instruction& insn, Mask& mask) {
    if (row_of(insn.op).operands.empty()) return;
    std::map<unsigned, Mask> kept;
    for (std::size_t at = 0; at <= n; ++at) {
      const Instruction& each = program.instructions[at];
      if (forgets(each)) kept.clear();
      if (row_of(each.op).operands.empty()) continue;
      State before;
      execute(prefix(program, at), Semantics{}, before);
      kept.emplace(by_lanes ? lanes_of(each) : 0, before.mask);
    }
    mask = kept.at(by_lanes ? lanes_of(insn) : 0);
  });
}

constexpr const char* kReset = R"(
ub 1024
alloc a f32 0 256 = 0 x64
alloc b f32 256 256 = 0 x64
alloc s f32 512 256 = 1 x64
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
adds.f32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, repeat=1
reset_mask
adds.f32 b+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, repeat=1
)";

TEST(NeededOfEarlier, AnInstructionThatUsedTheMaskBeforeItWasReset) {
  const auto at_set_mask = [](const Instruction& insn) { return insn.op == Op::set_mask; };
  const std::string text =
      "adds.f32 uses the mask that was there before instruction 3 (reset_mask), not without instruction 2 "
      "(adds.f32)";
  EXPECT_EQ(named(kReset, keeps_masks(true, at_set_mask)).what,
            text + ", if both have the same number of lanes");
  EXPECT_EQ(named(kReset, keeps_masks(false, at_set_mask)).what, text);
}

/// Keeps the gates of instructions that ran, of as many lanes or of all, until a mask is set. reset_mask sets
/// the register alone.
Backend keeps_gates(bool by_lanes) {
  return function_backend("keeps", "", [by_lanes](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    const Semantics semantics(default_readings(program.profile));
    std::map<unsigned, Mask> kept;
    for (const Instruction& insn : program.instructions) {
      const bool sets = row_of(insn.op).mask == MaskUse::is_mask_state;
      if (insn.mask_from != MaskFrom::reg || (sets && insn.op != Op::reset_mask)) kept.clear();
      State right = state;
      execute_one(program, insn, semantics, right);
      if (!sets && insn.mask_from == MaskFrom::reg)
        state.mask = kept.emplace(by_lanes ? lanes_of(insn) : 0, state.mask).first->second;
      execute_one(program, insn, semantics, state);
      if (!sets) kept.emplace(by_lanes ? lanes_of(insn) : 0, right.mask);
      state.mask = right.mask;
      state.mode = right.mode;
    }
    return Ran{};
  });
}

constexpr const char* kOwnMaskThenReset = R"(
profile ascendc-a2
ub 1024
alloc a f16 0 256 = 0 x128
alloc b f16 256 256 = 0 x128
alloc s f16 512 256 = 1 x128
adds.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, mask=0xffffffffffffffff:0xfffffffffffffffd, repeat=1
reset_mask
adds.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, repeat=1
)";

TEST(NeededOfEarlier, AnInstructionThatBroughtTheMaskBeforeItWasReset) {
  const std::string text = "adds.f16 uses the mask that was there before instruction 2 (reset_mask)",
                    rest = ", not if set_vector_mask sets that mask in place of instruction 1 (adds.f16)";
  EXPECT_EQ(named(kOwnMaskThenReset, keeps_gates(true)).what,
            text + ", if instruction 1 (adds.f16) has the same number of lanes" + rest);
  EXPECT_EQ(named(kOwnMaskThenReset, keeps_gates(false)).what, text + rest);
}

/// A program of one instruction cannot bring the compare mask that select_cmpmask reads.
TEST(NeededOfEarlier, AnInstructionThatReadsTheCompareMask) {
  constexpr const char* kSelects = R"(
profile ascendc-a2
ub 1568
alloc a f16 0 256 = 0 x128
alloc b f16 256 256 = 0 x128
alloc x f16 512 256 = 2 x128
alloc y f16 768 256 = 1 x128
alloc c u8 1024 32 = 0 x32
set_vector_mask.f16 high=0xffffffffffffffff low=0xfffffffeffffffff
select_cmpmask.f16 a+0 blk=1 rep=8, x+0 blk=1 rep=8, y+0 blk=1 rep=8, repeat=1
reset_mask
set_cmpmask c+0
select_cmpmask.f16 b+0 blk=1 rep=8, x+0 blk=1 rep=8, y+0 blk=1 rep=8, repeat=1
)";
  EXPECT_EQ(named(kSelects, keeps_gates(true)).what,
            "select_cmpmask.f16 uses the mask that was there before instruction 3 (reset_mask), not without "
            "instruction 2 (select_cmpmask.f16), if both have the same number of lanes");
}

TEST(NeededOfEarlier, NoneIfResetMaskItselfDoesNothing) {
  const Backend resets_nothing = changes([](const Program& program, std::size_t n, Instruction&, Mask& mask) {
    Program part = prefix(program, n);
    std::erase_if(part.instructions, [](const Instruction& insn) { return insn.op == Op::reset_mask; });
    State before;
    execute(part, Semantics{}, before);
    mask = before.mask;
  });
  EXPECT_EQ(named(kReset, resets_nothing).what.find("not without"), std::string::npos);
}

constexpr const char* kTwoMasks = R"(
profile ascendc-a2
ub 1024
alloc a f16 0 256 = 0 x128
alloc b f16 256 256 = 0 x128
alloc s f16 512 256 = 1 x128
adds.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, mask=0xffffffffffffffff:0xffffffffffffffff, repeat=1
adds.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, mask=0xffffffffffffffff:0xfffffffffffffffd, repeat=1
)";

/// Keeps the first own mask, of instructions of as many lanes or of all, until the register is set. The
/// register itself is right.
Backend keeps_own_masks(bool by_lanes) {
  return function_backend("keeps", "", [by_lanes](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    const Semantics semantics(default_readings(program.profile));
    std::map<unsigned, MaskWords> kept;
    for (Instruction insn : program.instructions) {
      if (row_of(insn.op).mask == MaskUse::is_mask_state) kept.clear();
      State right = state;
      execute_one(program, insn, semantics, right);
      if (insn.mask_from == MaskFrom::bitwise) {
        const MaskWords used =
            kept.emplace(by_lanes ? lanes_of(insn) : 0, MaskWords{insn.high, insn.low}).first->second;
        insn.high = used.high;
        insn.low = used.low;
      }
      execute_one(program, insn, semantics, state);
      state.mask = right.mask;
      state.mode = right.mode;
    }
    return Ran{};
  });
}

TEST(NeededOfEarlier, AsManyLanesAndNoMaskSetBetweenThem) {
  const std::string text =
      "adds.f16 uses the mask that the earlier adds.f16 (instruction 1) used instead of its own";
  EXPECT_EQ(named(kTwoMasks, keeps_own_masks(true)).what,
            text + ", if both have the same number of lanes, not if set_vector_mask.f16 comes between them");
  EXPECT_EQ(named(kTwoMasks, keeps_own_masks(false)).what,
            text + ", not if set_vector_mask.f16 comes between them");
}

/// Keeps the block stride of each operand of the first instruction with as many lanes.
Backend keeps_block_strides() {
  return changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
    for (std::size_t k = 0; k < row_of(insn.op).operands.size(); ++k)
      for (std::size_t at = n; at-- > 0;) {
        const Instruction& each = program.instructions[at];
        if (k < row_of(each.op).operands.size() && lanes_of(each) == lanes_of(insn))
          insn.operands[k].block_stride = each.operands[k].block_stride;
      }
  });
}

/// The stride of the earlier instruction is the own one plus 1, which its variation must not meet.
TEST(NeededOfEarlier, AsManyLanesForAStrideThatIsKept) {
  EXPECT_EQ(
      named(R"(
ub 1792
alloc a i32 0 256 = 0 x64
alloc b i32 256 256 = 0 x64
alloc c i32 512 256 = 0 x64
alloc d i32 768 256 = 0 x64
alloc e i32 1024 256 = 1 x64
alloc f i32 1280 480 = -5 x16, -1 x104
mul.i32 a+0 blk=1 rep=8, b+0 blk=1 rep=8, c+0 blk=1 rep=8, repeat=1
mul.i32 d+0 blk=1 rep=8, e+0 blk=1 rep=8, f+0 blk=2 rep=8, repeat=1
)",
            keeps_block_strides())
          .what,
      "mul.i32 takes the block stride of src1 of the earlier mul.i32 (instruction 1) instead of its own, "
      "if both have the same number of lanes, also if another mul.i32 comes between them");
}

constexpr const char* kTwoStrides = R"(
profile tik
ub 2048
alloc a f16 0 512 = 0 x256
alloc s f16 512 1024 = 1 x128, 2 x128, 3 x256
alloc b f16 1536 512 = 0 x256
muls.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=16, scalar=2, mask=128, repeat=2
muls.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=2, )";

/// TIK-2-counter: the path for counts does not load its own repeat stride, or the path for masks does not.
TEST(NeededOfEarlier, AStrideThatIsKeptForCountsAloneOrForMasksAlone) {
  const auto keeps = [](bool for_counts) {
    return function_backend("keeps", "", [=](const Program& program, State& state) -> Outcome {
      Program changed = program;
      for (std::size_t n = 1; n < program.instructions.size(); ++n)
        if ((program.instructions[n].mask_from == MaskFrom::count) == for_counts)
          changed.instructions[n].operands[1].repeat_stride =
              program.instructions[n - 1].operands[1].repeat_stride;
      execute(changed, Semantics(default_readings(program.profile)), state);
      return Ran{};
    });
  };
  const std::string takes =
      "muls.f16 takes the repeat stride of src of the earlier muls.f16 (instruction 1) instead of its own";
  EXPECT_EQ(named(std::string(kTwoStrides) + "count=256, repeat=1\n", keeps(true)).what,
            takes + ", with a count of its own");
  EXPECT_EQ(named(std::string(kTwoStrides) + "mask=128, repeat=2\n", keeps(false)).what,
            takes + ", not with a count of its own");
}

/// In counter mode the operands are as short as the counts, and UB ends behind them.
TEST(NeededOfEarlier, AStrideThatIsKeptUnderACount) {
  const Backend keeps = function_backend("keeps", "", [](const Program& program, State& state) -> Outcome {
    Program changed = program;
    const auto first = std::ranges::find(program.instructions, Op::mul, &Instruction::op);
    for (Instruction& insn : changed.instructions)
      if (insn.op == Op::mul) insn.operands[2].block_stride = first->operands[2].block_stride;
    execute(changed, Semantics(default_readings(program.profile)), state);
    return Ran{};
  });
  EXPECT_EQ(named(R"(
profile ascendc-a2
ub 704
alloc a i32 0 32 = 0 x8
alloc b i32 32 32 = 0 x8
alloc c i32 64 32 = 0 x8
alloc d i32 96 64 = 0 x16
alloc e i32 160 64 = 1 x16
alloc f i32 224 96 = -5 x16, -1 x8
set_mask_count
set_vector_mask_total len=1
mul.i32 a+0 blk=1 rep=8, b+0 blk=1 rep=8, c+0 blk=1 rep=8, repeat=1
set_vector_mask_total len=9
mul.i32 d+0 blk=1 rep=8, e+0 blk=1 rep=8, f+0 blk=2 rep=8, repeat=1
)",
                  keeps)
                .what,
            "mul.i32 takes the block stride of src1 of the earlier mul.i32 (instruction 3) instead of its "
            "own, also "
            "if another mul.i32 comes between them");
}

/// Where UB ends behind the source, the stride that is kept leads out of it.
TEST(NeededOfEarlier, AStrideThatLeadsOutOfUb) {
  EXPECT_EQ(
      named(R"(
ub 8000
alloc a i32 0 256 = 0 x64
alloc b i32 256 6976 = 0 x1744
alloc d i32 7232 256 = 1 x64
alloc e i32 7488 256 = 0 x64
alloc f i32 7744 256 = 0 x64
add.i32 a+0 blk=1 rep=8, b+0 blk=31 rep=8, d+0 blk=1 rep=8, repeat=1
add.i32 d+0 blk=1 rep=8, e+0 blk=1 rep=8, f+0 blk=1 rep=8, repeat=1
)",
            keeps_block_strides())
          .what,
      "add.i32 takes the block stride of src0 of the earlier add.i32 (instruction 1) instead of its own, "
      "if both have the same number of lanes, also if another add.i32 comes between them");
}

/// Keeps the offsets of the first gather, or of the first one whose offsets start there in their allocation.
Backend keeps_offsets(bool by_start) {
  return changes([=](const Program& program, std::size_t n, Instruction& insn, Mask&) {
    if (insn.op != Op::gather) return;
    for (std::size_t at = 0; at < n; ++at) {
      const Operand& earlier = program.instructions[at].operands[2];
      if (program.instructions[at].op != Op::gather ||
          (by_start && earlier.offset != insn.operands[2].offset))
        continue;
      insn.operands[2] = earlier;
      return;
    }
  });
}

TEST(NeededOfEarlier, OffsetsThatStartAtTheSamePlaceOfAnotherAllocation) {
  constexpr const char* kGathers = R"(
ub 2048
alloc a u32 0 256 = 0 x64
alloc o u32 256 256 = 0 x64
alloc b u32 512 256 = 0 x64
alloc p u32 768 256 = 4 x64
alloc s u32 1024 256 = 1, 2, 3 x62
gather.u32 a+0 rep=8, s+0, o+0, repeat=1
gather.u32 b+0 rep=8, s+0, p+0, repeat=1
)";
  const std::string text =
      "gather.u32 takes the offsets of the earlier gather.u32 (instruction 1) instead of its own";
  EXPECT_EQ(named(kGathers, keeps_offsets(false)).what, text);
  EXPECT_EQ(named(kGathers, keeps_offsets(true)).what,
            text + ", if both operands start at the same offset of their allocations");
}

}  // namespace needed_of_earlier_test
}  // namespace lanecheck
