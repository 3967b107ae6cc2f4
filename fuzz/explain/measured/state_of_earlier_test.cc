// A mask or mode that an earlier instruction leaves wrong, on backends that do not show it.
#include "fuzz/explain/measured/state_of_earlier.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// Right, except for what `leaves` makes of the state after each instruction. Nobody sees its mask and mode.
Backend that_hides(
    const std::function<void(const Program&, const Instruction&, const State& before, State&)>& leaves) {
  Backend backend = function_backend("hides", "", [=](const Program& program, State& state) -> Outcome {
    const Semantics semantics(default_readings(program.profile));
    execute(prefix(program, 0), semantics, state);
    for (const Instruction& insn : program.instructions) {
      const State before = state;
      execute_one(program, insn, semantics, state);
      leaves(program, insn, before, state);
    }
    return Ran{};
  });
  backend.shows_mask = backend.shows_mode = false;
  return backend;
}

using Rules = std::vector<std::string>;

constexpr std::string_view kAddUnderAMask = R"(profile ascendc-310p
ub 768
alloc d f16 0 256 = 0 x128
alloc a f16 256 256 = 1 x128
alloc b f16 512 256 = 1 x128
)";

TEST(StateOfEarlier, ASetMaskNormThatFillsTheRegisterBreaksSvm4ModeAlone) {
  const Finding finding =
      named(std::string(kAddUnderAMask) + R"(
set_vector_mask.f16 high=0xffffffffffffffff low=0xfffffffffffffffd
set_mask_norm
add.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1
)",
            that_hides([](const Program&, const Instruction& insn, const State&, State& state) {
              if (insn.op == Op::set_mask_norm) state.mask = kFullMask;
            }));
  EXPECT_EQ(finding.what,
            "after set_mask_norm, all slots of the mask register are 1 instead of what they were before");
  EXPECT_EQ(finding.rules, Rules{"SVM-4-mode-alone"});
  EXPECT_EQ(finding.instructions, std::vector<std::string>{"set_mask_norm"});
}

TEST(StateOfEarlier, AResetOfTheLowSlotsAloneBreaksSvm3Reset) {
  const Finding finding =
      named(std::string(kAddUnderAMask) + R"(
set_vector_mask_len.f16 len=1
reset_mask
add.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1
)",
            that_hides([](const Program&, const Instruction& insn, const State& before, State& state) {
              if (insn.op == Op::reset_mask)
                std::copy(before.mask.begin() + 64, before.mask.end(), state.mask.begin() + 64);
            }));
  EXPECT_EQ(finding.what, "reset_mask leaves slots 64..127 as they were");
  EXPECT_EQ(finding.rules, Rules{"SVM-3-reset"});
}

/// In counter mode the instruction cannot be tried alone under the same mask.
TEST(StateOfEarlier, ASetMaskCountThatClearsTheRegisterIsNamedInCounterModeToo) {
  const Finding finding =
      named(std::string(kAddUnderAMask) + R"(
set_vector_mask.f16 high=0x0 low=0x5f
set_mask_count
add.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1
)",
            that_hides([](const Program&, const Instruction& insn, const State&, State& state) {
              if (insn.op == Op::set_mask_count) std::fill_n(state.mask.begin(), 128, std::uint8_t{0});
            }));
  EXPECT_EQ(finding.what,
            "after set_mask_count, all slots of the mask register are 0 instead of what they were before");
  EXPECT_EQ(finding.rules, Rules{"SVM-4-mode-alone"});
}

/// The form for the first n elements has operands: its rules see a whole step.
TEST(StateOfEarlier, ACountThatLeavesTheRegisterAsItWasBreaksSvm4FirstNAfter) {
  const Finding finding =
      named(std::string(kAddUnderAMask) + R"(
set_vector_mask.f16 high=0xffffffffffffffff low=0xfffffffffffffffe
add.f16 a+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, count=3, repeat=1
add.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1
)",
            that_hides([](const Program&, const Instruction& insn, const State& before, State& state) {
              if (insn.mask_from == MaskFrom::count) state.mask = before.mask;
            }));
  EXPECT_EQ(finding.what,
            "after add.f16 with a count of its own, all slots of the mask register are what they were before "
            "instead of 1");
  EXPECT_EQ(finding.rules, Rules{"SVM-4-first-n-after"});
}

TEST(StateOfEarlier, AComparisonThatLeavesItsBitsInTheRegisterBreaksVmc4MaskStays) {
  const Finding finding =
      named(R"(ub 1088
alloc c u8 0 32 = 0 x32
alloc a f16 32 256 = 1 x64, 2 x64
alloc b f16 288 256 = 1 x128
alloc d f16 544 256 = 0 x128
compare.f16 c+0, a+0 blk=1 rep=8, b+0 blk=1 rep=8, eq, repeat=1
adds.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, scalar=3, repeat=1
)",
            that_hides([](const Program& program, const Instruction& insn, const State&, State& state) {
              if (insn.op != Op::compare || insn.repeat == 0) return;
              const unsigned lanes = lanes_of(insn);
              // The packed bits of the last repeat.
              const std::size_t from = start_of(program, insn.operands[0]) + (insn.repeat - 1) * lanes / 8;
              for (unsigned slot = 0; slot < lanes; ++slot)
                state.mask[slot] =
                    std::to_integer<std::uint8_t>(state.ub[from + slot / 8] >> slot % 8 & std::byte{1});
            }));
  EXPECT_EQ(finding.what,
            "compare.f16 puts the bits of the results of its last repeat into slots 0..N-1 of the mask "
            "register, for N lanes");
  EXPECT_EQ(finding.rules, Rules{"VMC-4-mask-stays"});
  EXPECT_EQ(finding.instructions, std::vector<std::string>{"compare.f16"});
}

TEST(StateOfEarlier, AGatherMaskThatStaysInCounterModeBreaksGm6ModeAfter) {
  const Finding finding =
      named(R"(profile ascendc-310p
ub 2304
alloc k f16 0 256 = 0 x128
alloc s f16 256 256 = 1 x128
alloc n u64 512 32 = 0 x4
alloc d f16 544 512 = 0 x256
alloc a f16 1056 512 = 1 x256
alloc b f16 1568 512 = 1 x256
set_mask_count
gather_mask.f16 k+0, s+0 blk=1 rep=8, n+0, pattern=1, counter=0, mask=0, repeat=1
add.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, mask=0x0:0xff, repeat=1
)",
            that_hides([](const Program&, const Instruction& insn, const State& before, State& state) {
              if (insn.op == Op::gather_mask) state.mode = before.mode;
            }));
  EXPECT_EQ(finding.what, "gather_mask.f16 leaves counter mode on instead of switching to normal mode");
  EXPECT_EQ(finding.rules, Rules{"GM-6-mode-after"});
}

/// The mask of the earlier reduction is still in the register: what the lanes show alone is an active lane
/// that is not written.
TEST(StateOfEarlier, ACastThatIgnoresItsOwnMaskBreaksSvm3ItsOwn) {
  Backend ignores = function_backend("ignores", "", [](const Program& program, State& state) -> Outcome {
    const Semantics semantics(default_readings(program.profile));
    execute(prefix(program, 0), semantics, state);
    for (Instruction insn : program.instructions) {
      if (insn.op == Op::cast && insn.mask_from != MaskFrom::count) insn.mask_from = MaskFrom::reg;
      execute_one(program, insn, semantics, state);
    }
    return Ran{};
  });
  ignores.shows_mask = ignores.shows_mode = false;
  const Finding finding = named(R"(profile ascendc-a2
ub 800
alloc m f32 0 32 = 0 x8
alloc a f32 32 256 = 0 x64
alloc d f32 288 256 = 0 x64
alloc s f16 544 256 = 1 x128
cmin.f32 m+0 rep=1, a+0 blk=1 rep=8, mask=0x0:0x7fffffffffffffff, repeat=1
cast.f32.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=4, round=none, mask=64, repeat=1
)",
                                ignores);
  EXPECT_EQ(finding.what,
            "lanes 0..63 of cast.f32.f16 are gated by the mask register instead of by its own mask");
  EXPECT_TRUE(std::ranges::count(finding.rules, "SVM-3-its-own") == 1);
}

TEST(StateOfEarlier, ACountOfWhich8BitsAreKeptBreaksSvm2Length) {
  const Finding finding =
      named(std::string(kAddUnderAMask) + R"(
set_vector_mask_total len=256
add.f16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1
)",
            that_hides([](const Program&, const Instruction& insn, const State&, State& state) {
              if (insn.op != Op::set_vector_mask_total) return;
              for (unsigned slot = 8; slot < 32; ++slot) state.mask[slot] = 0;
            }));
  EXPECT_EQ(finding.what, "set_vector_mask_total uses only the lowest 8 bits of the count n (n mod 256)");
  EXPECT_EQ(finding.rules, Rules{"SVM-2-length"});
}

}  // namespace
}  // namespace lanecheck
