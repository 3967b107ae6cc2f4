// The mask that an earlier instruction used, in place of one's own.
#include "fuzz/explain/earlier/mask_of_earlier.h"

#include <gtest/gtest.h>

#include "fuzz/explain/earlier/carried_testing.h"

namespace lanecheck {
namespace {

constexpr std::string_view kTwoSums = R"(
ub 576
alloc d f32 0 32 = 5 x8
alloc e f32 32 32 = 5 x8
alloc s f32 64 256 = 1 x64
cadd.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
set_mask high=0x0 low=0xffff
cadd.f32 e+0 rep=1, s+0 blk=1 rep=8, repeat=1
)";

TEST(Carried, TheMaskOfTheFirstReduction) {
  const Finding finding =
      named(kTwoSums, changes([](const Program& program, std::size_t n, Instruction& insn, Mask& mask) {
              if (insn.op != Op::cadd) return;
              State before;
              Program part = program;
              std::size_t first = 0;
              while (part.instructions[first].op != Op::cadd) ++first;
              part.instructions.resize(std::min(first, n));
              execute(part, Semantics{}, before);
              mask = before.mask;
            }));
  EXPECT_EQ(finding.what,
            "cadd.f32 uses the mask that the earlier cadd.f32 (instruction 1) used instead of its own");
  EXPECT_EQ(finding.matter, Matter::mask);
}

/// A backend that keeps the gate by the low word of the mask: another high word alone is not seen.
Backend kept_by_low_word() {
  return changes([](const Program& program, std::size_t n, Instruction& insn, Mask& mask) {
    if (row_of(insn.op).mask == MaskUse::is_mask_state) return;
    for (std::size_t at = 0; at < n; ++at) {
      if (row_of(program.instructions[at].op).mask == MaskUse::is_mask_state) continue;
      State before;
      execute(Program{program.profile,
                      program.allocations,
                      {program.instructions.begin(),
                       program.instructions.begin() + static_cast<std::ptrdiff_t>(at)},
                      program.ub},
              Semantics{}, before);
      if (mask_word(before.mask, 0) != mask_word(mask, 0)) continue;
      mask = before.mask;
      return;
    }
  });
}

TEST(Carried, AMaskThatIsKeptWhileItsLowWordStaysTheSame) {
  const Finding finding = named(
      R"(
ub 1024
alloc a f16 0 256 = 0 x128
alloc b f16 256 256 = 0 x128
alloc s f16 512 256 = 2 x128
abs.f16 a+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
set_mask high=0xfffffffffffffffe low=0xffffffffffffffff
relu.f16 b+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)",
      kept_by_low_word());
  EXPECT_EQ(finding.what,
            "relu.f16 uses the mask that the earlier abs.f16 (instruction 1) used instead of its own, if the "
            "low words of the two are the same");
  EXPECT_TRUE(finding.id.starts_with("carried-")) << finding.id;
}

/// The earlier instruction has 64 lanes, so its own mask cannot have a high word.
TEST(Carried, AMaskThatIsKeptByItsLowWordAfterAnInstructionWithFewerLanes) {
  Backend backend = changes([](const Program& program, std::size_t n, Instruction& insn, Mask& mask) {
    for (std::size_t at = 0; at < n; ++at) {
      const Instruction& earlier = program.instructions[at];
      if (insn.mask_from != MaskFrom::bitwise || earlier.mask_from != MaskFrom::bitwise ||
          earlier.low != insn.low)
        continue;
      set_mask(mask, earlier.high, insn.low);
      insn.mask_from = MaskFrom::reg;
      return;
    }
  });
  backend.shows_mask = false;
  const Finding finding = named(
      R"(
profile ascendc-a2
ub 640
alloc a f32 0 32 = 0 x8
alloc r f32 32 256 = 1 x64
alloc d f16 288 32 = 0 x16
alloc s f16 320 256 = 1 x128
cmax.f32 a+0 rep=1, r+0 blk=1 rep=8, mask=0x0:0xffffffffffffffff, repeat=1
cadd.f16 d+0 rep=1, s+0 blk=1 rep=8, mask=0xffffffffffffffff:0xffffffffffffffff, repeat=1
)",
      backend);
  EXPECT_EQ(
      finding.what,
      "cadd.f16 uses the mask that the earlier cmax.f32 (instruction 1) used instead of its own, if the low "
      "words of the two are the same");
}

/// The earlier instruction leaves NaN, whose sign a backend may choose.
TEST(Carried, AMaskThatIsKeptBehindAnInstructionThatLeavesNan) {
  const Backend kept = kept_by_low_word();
  const Backend backend = function_backend("signs", "", [kept](const Program& program, State& state) {
    const Outcome outcome = kept.run(program, state);
    if (program.instructions.front().op != Op::div) return outcome;
    for (std::size_t at = 0; at < 256; at += 4)
      if (load<std::uint32_t>(&state.ub[at]) == 0x7fc00000) store<std::uint32_t>(&state.ub[at], 0xffc00000);
    return outcome;
  });
  const Finding finding = named(
      R"(
ub 1280
alloc n f32 0 256 = 0 x64
alloc z f32 256 256 = 0 x64
alloc d i16 512 256 = 0 x128
alloc s i16 768 256 = 1 x128
div.f32 n+0 blk=1 rep=8, z+0 blk=1 rep=8, z+0 blk=1 rep=8, repeat=1
set_mask high=0x0 low=0xffffffffffffffff
vmaxs.i16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=-2, repeat=1
)",
      backend);
  EXPECT_EQ(
      finding.what,
      "vmaxs.i16 uses the mask that the earlier div.f32 (instruction 1) used instead of its own, if the low "
      "words of the two are the same");
}

/// Here nothing old comes back: the first sum makes the mask full, and a program starts with a full one.
TEST(Carried, IsNotSaidOfAMaskThatIsFullByAnotherWay) {
  const Finding finding =
      named(kTwoSums, changes([](const Program&, std::size_t n, Instruction& insn, Mask& mask) {
              if (insn.op == Op::cadd && n > 0) mask = kFullMask;
            }));
  EXPECT_EQ(finding.what.find("uses the mask that was there"), std::string::npos) << finding.what;
}

/// SVM-1-length: the first n slots are 1 and the others 0. A backend that sets the first n slots alone leaves
/// what was there before, as far as a program shows it in which the other word is the same.
TEST(Carried, AContiguousMaskThatIsAddedToTheMaskOfBefore) {
  Backend backend = function_backend("or", "", [](const Program& program, State& state) -> Outcome {
    const Semantics documented(default_readings(program.profile));
    execute(prefix(program, 0), documented, state);
    for (const Instruction& insn : program.instructions) {
      const Mask before = state.mask;
      execute_one(program, insn, documented, state);
      if (insn.op != Op::set_vector_mask_len) continue;
      for (unsigned slot = 0; slot < kMaskSlots; ++slot) state.mask[slot] |= before[slot];
    }
    return Ran{};
  });
  backend.shows_mask = backend.shows_mode = false;
  const Finding finding = named(
      R"(
profile ascendc-310p
ub 512
alloc d f16 0 256 = 0 x128
alloc s f16 256 256 = 1 x128
set_vector_mask_len.f16 len=1
add.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)",
      backend);
  EXPECT_EQ(finding.what, "a contiguous mask for the register is combined with the mask set before by or");
}

/// The instruction is right alone: the rules are those that its lanes break in the program.
TEST(MaskOfEarlier, BreaksTheRulesOfTheLanesThatAreWrong) {
  const Finding finding = named(
      "ub 1024\nalloc a i8 0 256 = 0 x256\nalloc b i8 256 256 = 0 x256\nalloc s i8 512 256 = 1 x256\n"
      "relu.i8 a+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1\n"
      "set_mask high=0xffffffffffffffff low=0xfffffffffffffffe\n"
      "abs.i8 b+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1\n",
      changes([](const Program& program, std::size_t, Instruction& insn, Mask& mask) {
        if (insn.op == Op::abs && program.instructions[0].op == Op::relu) mask = kFullMask;
      }));
  EXPECT_TRUE(finding.id.starts_with("carried-")) << finding.id;
  ASSERT_FALSE(finding.rules.empty());
  EXPECT_EQ(finding.rules.front(), "VMC-3.1-keeps-masked-off");
  for (const char* const kept : {"VMC-1-upper-slots", "VMC-1-prefix-8bit", "VMC-1-slot-per-element"})
    EXPECT_EQ(std::ranges::count(finding.rules, kept), 0) << kept;
}

/// TIK-1-contiguous: a contiguous mask of n switches on the first n elements and no others.
TEST(Carried, TheHighWordThatAContiguousMaskDoesNotSet) {
  const Finding finding = named(
      R"(
profile tik
ub 512
alloc a f16 0 256 = 0 x128
alloc b f16 256 256 = 0 x128
dup.f16 a+0 blk=1 rep=8, scalar=1, mask=0xffffffffffffffff:0xffffffffffffffff, repeat=1
dup.f16 b+0 blk=1 rep=8, scalar=1, mask=64, repeat=1
)",
      changes([](const Program& program, std::size_t n, Instruction& insn, Mask&) {
        if (insn.mask_from != MaskFrom::contiguous || insn.low > 64 || lanes_of(insn) <= 64) return;
        const Instruction* list = nullptr;
        for (std::size_t at = 0; at < n; ++at)
          if (program.instructions[at].mask_from == MaskFrom::bitwise) list = &program.instructions[at];
        if (list == nullptr) return;
        insn.mask_from = MaskFrom::bitwise;
        insn.high = list->high;
        insn.low = insn.low == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << insn.low) - 1;
      }));
  EXPECT_EQ(
      finding.what,
      "dup.f16, under a contiguous mask of 64 elements or less, leaves the high word of the mask as the "
      "earlier dup.f16 (instruction 1) has set it: lanes 64..127 go by that word");
  EXPECT_EQ(finding.rules.front(), "TIK-1-contiguous");
}

}  // namespace
}  // namespace lanecheck
