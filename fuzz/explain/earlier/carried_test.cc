// What a simulator keeps of one instruction for a later one is named.
#include "fuzz/explain/earlier/carried.h"

#include <gtest/gtest.h>

#include "fuzz/explain/earlier/carried_testing.h"

namespace lanecheck {
namespace carried_test {

TEST(Carried, AScalarThatWasKept) {
  const Finding finding = named(R"(
ub 512
alloc a f16 0 256 = 0 x128
alloc b f16 256 256 = 0 x128
dup.f16 a+0 blk=1 rep=8, scalar=3, repeat=1
dup.f16 b+0 blk=1 rep=8, scalar=5, repeat=1
)",
                                changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
                                  const auto* first = same_before(program, n);
                                  if (first != nullptr && insn.op == Op::dup) insn.scalar = first->scalar;
                                }));
  EXPECT_EQ(finding.what,
            "dup.f16 takes the scalar of the earlier dup.f16 (instruction 1) instead of its own");
  EXPECT_EQ(finding.id, "carried-scalar");
}

/// A comparison tells two scalars apart only if an element lies between them, or is one of them.
TEST(Carried, TheScalarOfAnEarlierComparison) {
  const Backend keeps = changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
    const auto* first = same_before(program, n);
    if (first != nullptr && insn.op == Op::compare_scalar) insn.scalar = first->scalar;
  });
  const auto what = [&](const std::string& first, const std::string& second) {
    return named(R"(
ub 640
alloc a u8 0 32
alloc s f32 32 256
alloc b u8 288 32
alloc t f32 320 256 = 1 x64
compare_scalar.f32 a+0, s+0 blk=1 rep=8, scalar=)" +
                     first + "\ncompare_scalar.f32 b+0, t+0 blk=1 rep=8, scalar=" + second + "\n",
                 keeps)
        .what;
  };
  const std::string takes =
      "compare_scalar.f32 takes the scalar of the earlier compare_scalar.f32 (instruction 1) instead of its "
      "own";
  EXPECT_EQ(what("0, gt, repeat=1", "1, gt, repeat=1"), takes);
  EXPECT_EQ(what("1, eq, repeat=1", "2, eq, repeat=1"), takes);
}

/// The data of the case hides what other scalars would give.
TEST(Carried, AScalarThatShowsWithOtherDataOnly) {
  const Finding finding = named(R"(
ub 512
alloc a i16 0 256 = 0 x128
alloc b i16 256 256 = 2 x128
vmins.i16 a+0 blk=1 rep=8, a+0 blk=1 rep=8, scalar=1, repeat=1
vmins.i16 b+0 blk=1 rep=8, b+0 blk=1 rep=8, scalar=4215, repeat=1
)",
                                changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
                                  const auto* first = same_before(program, n);
                                  if (first != nullptr && insn.op == Op::vmins) insn.scalar = first->scalar;
                                }));
  EXPECT_EQ(finding.what,
            "vmins.i16 takes the scalar of the earlier vmins.i16 (instruction 1) instead of its own");
}

TEST(Carried, AStrideThatWasKept) {
  const Finding finding = named(R"(
ub 2048
alloc a f32 0 256 = 1 x64
alloc b f32 256 256 = 2 x64
alloc d f32 512 256 = 0 x64
alloc e f32 768 768 = 0 x192
abs.f32 d+0 blk=1 rep=8, a+0 blk=1 rep=8, repeat=1
relu.f32 e+0 blk=3 rep=8, b+0 blk=1 rep=8, repeat=1
)",
                                changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
                                  if (n > 0)
                                    insn.operands[0].block_stride =
                                        program.instructions[n - 1].operands[0].block_stride;
                                }));
  EXPECT_EQ(
      finding.what,
      "relu.f32 takes the block stride of dst of the earlier abs.f32 (instruction 1) instead of its own");
  EXPECT_EQ(finding.matter, Matter::address);
}

TEST(Carried, TheNumberOfLanesOfAnInstructionWithFewerLanes) {
  const Finding finding = named(
      R"(
ub 1024
alloc a f32 0 256 = 0 x64
alloc b f16 256 256 = 0 x128
alloc s f16 512 512 = 2 x256
relu.f32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
abs.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)",
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask& mask) {
        if (n == 0 || insn.op != Op::abs) return;
        for (unsigned slot = lanes_of(program.instructions[n - 1]); slot < mask.size(); ++slot)
          mask[slot] = 0;
      }));
  EXPECT_EQ(
      finding.what,
      "abs.f16 works on the 64 lanes of the earlier relu.f32 (instruction 1) only, instead of its own 128");
}

/// The second dup does 2 repeats because the first one is there, not because that has 2.
TEST(Carried, IsNotSaidOfAFieldThatIsTheSameByChance) {
  const Finding finding = named(R"(
ub 1536
alloc a f16 0 512 = 0 x256
alloc b f16 512 512 = 0 x256
dup.f16 a+0 blk=1 rep=8, scalar=3, repeat=2
dup.f16 b+0 blk=1 rep=8, scalar=5, repeat=1
)",
                                changes([](const Program&, std::size_t n, Instruction& insn, Mask&) {
                                  if (n > 0 && insn.op == Op::dup) insn.repeat = 2;
                                }));
  EXPECT_EQ(finding.what.find("takes the repeat times"), std::string::npos) << finding.what;
}

TEST(Carried, ASourceThatIsReadAsItWasBeforeAnEarlierWrite) {
  const Backend stale = function_backend("stale", "", [](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    for (const Instruction& insn : program.instructions) {
      const std::vector<std::byte> now = state.ub;
      if (insn.op == Op::relu) std::copy(program.ub.begin(), program.ub.begin() + 256, state.ub.begin());
      execute_one(program, insn, Semantics{}, state);
      if (insn.op == Op::relu) std::copy(now.begin(), now.begin() + 256, state.ub.begin());
    }
    return Ran{};
  });
  const Finding finding = named(R"(
ub 1024
alloc a f16 0 256 = 1 x128
alloc b f16 256 256 = 0 x128
alloc s f16 512 256 = 2 x128
adds.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=2, repeat=1
relu.f16 b+0 blk=1 rep=8, a+0 blk=1 rep=8, repeat=1
)",
                                stale);
  EXPECT_EQ(finding.what, "relu.f16 reads src as it was before instruction 1 (adds.f16) wrote it");
  EXPECT_EQ(finding.matter, Matter::address);
}

/// What was there before the last set_mask that stands directly before instruction `n`; null if none does.
std::optional<Mask> mask_before_setter(const Program& program, std::size_t n) {
  if (n == 0 || row_of(program.instructions[n - 1].op).mask != MaskUse::is_mask_state) return {};
  State before;
  execute(prefix(program, n - 1), Semantics{}, before);
  return before.mask;
}

/// The instruction is wrong alone too, because alone it stands directly behind a set_mask.
TEST(Carried, TheMaskOfBeforeTheOneThatIsSetDirectlyBefore) {
  for (const std::string name : {"cmax.f16", "cgmin.f16", "relu.f16"}) {
    const bool reduces = name[0] == 'c';
    const Op op = reduces ? (name == "cmax.f16" ? Op::cmax : Op::cgmin) : Op::relu;
    const Finding finding = named(
        "ub 512\nalloc a f16 0 256 = 0 x128\nalloc s f16 256 256 = 3 x33, 9, 4 x31, 1, 4 x62\n"
        "set_mask high=0xfffffffffffffffd low=0xfffffffdffffffff\n" +
            name + " a+0 " + (reduces ? "rep=1" : "blk=1 rep=8") + ", s+0 blk=1 rep=8, repeat=1\n",
        changes([op](const Program& program, std::size_t n, Instruction& insn, Mask& mask) {
          if (insn.op == op) mask = mask_before_setter(program, n).value_or(mask);
        }));
    EXPECT_EQ(finding.what, name + " uses the mask that was there before instruction 1 (set_mask)");
    EXPECT_EQ(finding.id, "carried-mask");
  }
}

/// With a block stride of 0 the results are the same under both masks: they do not show which one was used.
/// Both read the same source, so an old sum looks like a sum under the old mask.
TEST(Carried, AnOldSumIsNoOldMask) {
  const Backend keeps_sum =
      function_backend("keeps", "", [](const Program& program, State& state) -> Outcome {
        execute(prefix(program, 0), Semantics{}, state);
        std::array<std::byte, 4> sum{};
        for (const Instruction& insn : program.instructions) {
          execute_one(program, insn, Semantics{}, state);
          if (insn.op != Op::cadd) continue;
          std::byte* const result = &state.ub[start_of(program, insn.operands[0])];
          if (state.mask == Mask{}) std::ranges::copy(sum, result);
          std::copy_n(result, sum.size(), sum.begin());
        }
        return Ran{};
      });
  const Finding finding = named(R"(
ub 512
alloc d f32 0 64 = 0 x16
alloc s f32 96 256 = 1 x64
cadd.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
set_mask high=0x0 low=0x0
cadd.f32 d+8 rep=1, s+0 blk=1 rep=8, repeat=1
)",
                                keeps_sum);
  EXPECT_NE(finding.id, "carried-mask") << finding.what;
}

TEST(Carried, IsNotSaidOfAnInstructionThatLeavesAnotherMask) {
  const Backend backend =
      function_backend("resets the mask", "", [](const Program& program, State& state) -> Outcome {
        execute(program, Semantics{}, state);
        const bool resets = !program.instructions.empty() && program.instructions.back().op == Op::dup;
        if (resets) state.mask = kFullMask;
        return Ran{};
      });
  const Finding finding = named(
      "ub 32\nalloc a u8 0 32 = 0 x32\nset_mask high=0xffffffffffffffff low=0xfffffffffffffffe\n"
      "dup.u8 a+0 blk=0 rep=8, scalar=3, repeat=1\n",
      backend);
  EXPECT_EQ(finding.what, "dup.u8 leaves all slots of the mask at 1 instead of leaving the mask as it was");
}

/// Here a mask that is not full is ignored too.
TEST(Carried, IsNotSaidOfAReductionThatIgnoresTheMask) {
  const Finding finding = named(
      "ub 512\nalloc a f16 0 256 = 0 x128\nalloc s f16 256 256 = 1 x128\n"
      "set_mask high=0xfffffffffffffffd low=0xfffffffdffffffff\n"
      "cadd.f16 a+0 rep=1, s+0 blk=1 rep=8, repeat=1\n",
      changes([](const Program&, std::size_t, Instruction& insn, Mask& mask) {
        if (insn.op == Op::cadd) mask = kFullMask;
      }));
  EXPECT_EQ(finding.what.find("uses the mask that was there"), std::string::npos) << finding.what;
}

TEST(Carried, TheCounterModeOfACount) {
  for (const std::string mask : {"mask=0x0:0xffff", "mask=48"}) {
    const Finding finding = named(
        "profile tik\nub 4096\nalloc a f32 0 1024 = 0 x256\nalloc s f32 1024 1024 = 2 x256\n"
        "alloc b f32 2048 2048 = 0 x512\n"
        "adds.f32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, count=64, repeat=1\n"
        "adds.f32 b+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, " +
            mask + ", repeat=2\n",
        changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
          if (n == 0 || program.instructions[n - 1].mask_from != MaskFrom::count) return;
          if (insn.mask_from == MaskFrom::bitwise || insn.mask_from == MaskFrom::contiguous)
            insn.mask_from = MaskFrom::count;
          insn.low = std::min<std::uint64_t>(insn.low, 128);
        }));
    EXPECT_EQ(
        finding.what,
        "adds.f32 takes its mask for a count, after the earlier adds.f32 (instruction 1), whose counter "
        "mode stays on");
    EXPECT_EQ(finding.matter, Matter::mask);
  }
}

/// dup has no count of its own in TIK.
TEST(Carried, TheCounterModeOfACountThatTheLaterInstructionCannotHave) {
  const Finding finding = named(
      "profile tik\nub 3072\nalloc a f32 0 1024 = 0 x256\nalloc s f32 1024 1024 = 2 x256\n"
      "alloc b u32 2048 1024 = 0 x256\n"
      "adds.f32 a+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, count=64, repeat=1\n"
      "dup.u32 b+0 blk=1 rep=8, scalar=3, mask=0x0:0x3f, repeat=1\n",
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
        if (n == 0 || program.instructions[n - 1].mask_from != MaskFrom::count) return;
        if (insn.mask_from == MaskFrom::bitwise) insn.mask_from = MaskFrom::count;
        insn.low = std::min<std::uint64_t>(insn.low, 128);
      }));
  EXPECT_EQ(finding.what,
            "dup.u32 takes its mask for a count, after the earlier adds.f32 (instruction 1), whose counter "
            "mode stays on");
}

TEST(Carried, AMaskThatCountsForOneInstruction) {
  const Finding finding = named(
      "ub 768\nalloc a f16 0 256 = 0 x128\nalloc b f16 256 256 = 0 x128\nalloc s f16 512 256 = 1 x128\n"
      "set_mask high=0xfffffffffffffffd low=0xfffffffdffffffff\n"
      "abs.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1\n"
      "relu.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1\n",
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask& mask) {
        if (insn.op == Op::relu && !mask_before_setter(program, n)) mask = kFullMask;
      }));
  EXPECT_EQ(finding.what,
            "relu.f16 runs as under a full mask: the mask that is set counts for the earlier abs.f16 "
            "(instruction 2) only");
}

/// VMC section 4: select does not use the mask, which stays as it is.
TEST(Carried, AMaskThatIsLostBehindAnInstructionThatDoesNotUseIt) {
  const Finding finding = named(
      "ub 1088\nalloc d f16 0 256 = 0 x128\nalloc b f16 256 256 = 0 x128\nalloc s f16 512 256 = 1 x128\n"
      "alloc t f16 768 256 = 2 x128\nalloc c u8 1024 64 = 85 x64\n"
      "set_mask high=0xfffffffffffffffd low=0xfffffffdffffffff\n"
      "select.f16 d+0 blk=1 rep=8, c+0, s+0 blk=1 rep=8, t+0 blk=1 rep=8, repeat=1\n"
      "relu.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1\n",
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask& mask) {
        if (insn.op == Op::relu && n > 0 && program.instructions[n - 1].op == Op::select) mask = kFullMask;
      }));
  EXPECT_EQ(
      finding.what,
      "relu.f16 runs as under a full mask behind the earlier select.f16 (instruction 2), which does not "
      "use the mask");
}

TEST(Carried, TheBitsOfAnEarlierComparisonInPlaceOfControl) {
  const std::string allocations =
      "ub 1344\nalloc r u8 0 32 = 0 x32\nalloc a f16 32 256 = 2 x60, 3 x68\nalloc b f16 288 256 = 3 x128\n"
      "alloc d i16 544 256 = 0 x128\nalloc c u8 800 32 = 85 x32\nalloc x i16 832 256 = 0 x128\n"
      "alloc y i16 1088 256 = 1 x128\n";
  const Backend forwards = changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
    if (n == 0 || insn.op != Op::select) return;
    insn.operands[1].allocation = program.instructions[n - 1].operands[0].allocation;
    insn.operands[1].offset = program.instructions[n - 1].operands[0].offset;
  });
  const std::string select = "select.i16 d+0 blk=1 rep=8, c+0, x+0 blk=1 rep=8, y+0 blk=1 rep=8, repeat=1\n";
  EXPECT_EQ(named(allocations + "compare.f16 r+0, a+0 blk=1 rep=8, b+0 blk=1 rep=8, lt, repeat=1\n" + select,
                  forwards)
                .what,
            "select.i16 takes the bits of the earlier compare.f16 (instruction 1) instead of its own");
  EXPECT_EQ(named(allocations + "set_cmpmask r+0\n" + select, forwards).what,
            "select.i16 takes the bits of the earlier set_cmpmask (instruction 1) instead of its own");
}

TEST(Carried, AMaskThatCountsForTwoInstructions) {
  const Finding finding = named(
      "ub 1024\nalloc a f16 0 256 = 0 x128\nalloc b f16 256 256 = 0 x128\nalloc s f16 512 256 = 1 x128\n"
      "alloc c f16 768 256 = 0 x128\n"
      "set_mask high=0xfffffffffffffffd low=0xfffffffdffffffff\n"
      "abs.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1\n"
      "exp.f16 c+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1\n"
      "relu.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1\n",
      changes([](const Program& program, std::size_t n, Instruction&, Mask& mask) {
        if (n > 2 && program.instructions[n - 3].op == Op::set_mask) mask = kFullMask;
      }));
  EXPECT_EQ(finding.what,
            "relu.f16 runs as under a full mask: the mask that is set counts for instructions 2..3 only");
}

TEST(Carried, AnEarlierInstructionThatMattersInAnUnknownWay) {
  const Finding finding =
      named(R"(
ub 1024
alloc a f16 0 256 = 0 x128
alloc b f16 256 256 = 0 x128
alloc s f16 512 256 = 2 x128
dup.f16 a+0 blk=1 rep=8, scalar=3, repeat=1
abs.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)",
            changes([](const Program& program, std::size_t n, Instruction& insn, Mask& mask) {
              if (insn.op == Op::abs && n > 0 && program.instructions[0].op == Op::dup) mask[7] = 0;
            }));
  EXPECT_EQ(
      finding.what,
      "abs.f16 is right if it runs alone, on the same UB and under the same mask; it is wrong after dup.f16");
  EXPECT_TRUE(finding.cause.empty());
}

/// A cache of control bits whose key is the offset alone.
TEST(Carried, TheControlOfAnotherAllocation) {
  const Finding finding = named(
      R"(
ub 1728
alloc d f16 0 256 = 0 x128
alloc c u8 256 32 = 0 x32
alloc s f16 288 256 = 3 x128
alloc e f16 544 256 = 0 x128
alloc b u8 800 32 = 1 x32
select_number.f16 d+0 blk=1 rep=8, c+0, s+0 blk=1 rep=8, scalar=1, repeat=1
select_number.f16 e+0 blk=1 rep=8, b+0, s+0 blk=1 rep=8, scalar=1, repeat=1
)",
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
        const Instruction* const before = same_before(program, n);
        if (insn.op == Op::select_number && before != nullptr &&
            before->operands[1].offset == insn.operands[1].offset)
          insn.operands[1] = before->operands[1];
      }));
  EXPECT_EQ(finding.what,
            "select_number.f16 takes the control of the earlier select_number.f16 (instruction 1) instead of "
            "its own, if both operands start at the same offset of their allocations");
  EXPECT_EQ(finding.matter, Matter::address);
}

}  // namespace carried_test
}  // namespace lanecheck
