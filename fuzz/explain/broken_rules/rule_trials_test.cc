// A finding names only rules whose sentence the backend's output contradicts. The faults are mutants that the
// profile does not list.
#include "fuzz/explain/broken_rules/rule_trials.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

Backend mutant(std::string_view id) {
  return function_backend("mutant", "", [=](const Program& program, State& state) -> Outcome {
    execute(program, find_mutant(id)->semantics(default_readings(program.profile)), state);
    return Ran{};
  });
}

using Ids = std::vector<std::string>;
Ids sorted_rules(std::string_view program, const Backend& backend) {
  Ids rules = named(program, backend).rules;
  std::ranges::sort(rules);
  return rules;
}

constexpr std::string_view kVmins = R"(profile ascendc-a2
ub 576
alloc d i16 0 256
alloc s i16 288 256 = 1 x128
vmins.i16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, mask=0xffffffffffffffff:0xfffffffffffffffd, repeat=1
)";
constexpr std::string_view kTwoRepeats = R"(ub 1088
alloc d f16 0 512
alloc s f16 544 512 = 1 x256
muls.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, mask=128, repeat=2
)";

TEST(RuleTrials, AMaskThatIsIgnoredBreaksNoRuleOfTypesRepeatsOrAddresses) {
  EXPECT_EQ(sorted_rules(R"(profile tik
ub 576
alloc d u32 0 512
dup.u32 d+0 blk=1 rep=8, scalar=2, mask=0x0:0x7fffffffffffffff, repeat=2
)",
                         mutant("dup-ignores-mask")),
            (Ids{"TIK-1-bits", "TIK-1-keeps-dst"}));
  EXPECT_EQ(sorted_rules(kVmins, mutant("vmins-ignores-mask")), (Ids{"SVM-1-bitwise", "SVM-1-keeps-dst"}));
}

/// It stays if an instruction of another size is right: here a repeat of 16-bit elements has 64 of them.
TEST(RuleTrials, ARuleOfOneElementSizeIsBrokenIfAnotherSizeIsRight) {
  const Ids rules =
      sorted_rules(kVmins, function_backend("halves", "", [](const Program& given, State& state) {
                     Program halved = given;
                     for (Instruction& each : halved.instructions)
                       if (each.op == Op::vmins && lanes_of(each) == 128) each.high = 0;
                     execute(halved, Semantics(default_readings(given.profile)), state);
                     return Outcome{Ran{}};
                   }));
  EXPECT_EQ(std::ranges::count(rules, "SVM-1-16bit"), 1);
  EXPECT_EQ(std::ranges::count(rules, "SVM-3-its-own"), 0);
}

/// A full mask takes all in: the number of elements is right, and the mask is ignored.
TEST(RuleTrials, ARuleOfOneElementSizeIsNotBrokenByAMaskThatIsIgnored) {
  const Ids rules =
      sorted_rules(kVmins, function_backend("wraps", "", [](const Program& given, State& state) {
                     Semantics semantics(default_readings(given.profile));
                     if (!given.instructions.empty() && lanes_of(given.instructions.back()) == 128)
                       semantics = find_mutant("vmins-ignores-mask")->semantics(semantics.readings);
                     execute(given, semantics, state);
                     return Outcome{Ran{}};
                   }));
  EXPECT_EQ(std::ranges::count(rules, "SVM-1-16bit"), 0);
  EXPECT_EQ(std::ranges::count(rules, "SVM-1-bitwise"), 1);
}

TEST(RuleTrials, ARepeatThatIsLeftOutBreaksTheRulesOfRepeats) {
  EXPECT_EQ(sorted_rules("profile ascendc-310p\n" + std::string(kTwoRepeats), mutant("one-repeat-less")),
            (Ids{"SVM-1-contiguous"}));
}

TEST(RuleTrials, PaddingThatIsNotWrittenBreaksNoRuleOfItsValuesOrItsReading) {
  const Ids rules = sorted_rules(R"(profile ascendc-310p
ub 1088
alloc d f16 0 512
alloc s f16 544 512 = 1 x256
vpadding.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, mode=0, side=1, mask=0xffffffffffffffff:0xfffffffffffffffd, repeat=2
)",
                                 mutant("one-repeat-less"));
  EXPECT_EQ(rules, (Ids{"VP-2-bitwise"}));
}

/// In counter mode every repeat takes as many elements as are left for the last one.
Backend takes_the_tail_everywhere() {
  return function_backend("tails", "", [](const Program& given, State& state) -> Outcome {
    execute(given, Semantics(default_readings(given.profile)), state);
    if (given.instructions.empty()) return Ran{};
    const Instruction& insn = given.instructions.back();
    const unsigned lanes = lanes_of(insn);
    if (insn.mask_from != MaskFrom::count || insn.low % lanes == 0) return Ran{};
    for (unsigned n = 0; n < insn.low; ++n) {
      const std::size_t at = start_of(given, insn.operands[0]) + lane_offset(insn, 0, n / lanes, n % lanes);
      if (n % lanes >= insn.low % lanes) std::copy_n(&given.ub[at], size_of(insn.dst_type), &state.ub[at]);
    }
    return Ran{};
  });
}

/// The last repeat takes its first elements, and what is written of padding holds what was read.
TEST(RuleTrials, ElementsThatOtherRepeatsLackBreakNoRuleOfTheLastOneAndOfWhatIsRead) {
  const Ids dup = sorted_rules(R"(profile ascendc-310p
ub 512
alloc d i32 0 480 = 0 x120
dup.i32 d+0 blk=1 rep=8, scalar=3, count=120, repeat=1
)",
                               takes_the_tail_everywhere());
  EXPECT_EQ(dup, Ids{"SVM-2-total"});
  const Ids padding = sorted_rules(R"(profile ascendc-310p
ub 1024
alloc d i16 0 512 = 0 x256
alloc s i16 512 512 = 3 x256
vpadding.i16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, mode=0, side=0, count=130, repeat=1
)",
                                   takes_the_tail_everywhere());
  EXPECT_EQ(std::ranges::count(padding, "VP-3-count-read"), 0);
  EXPECT_EQ(std::ranges::count(padding, "VP-3-count-write"), 1);
}

/// What stands in UB is right.
TEST(RuleTrials, AnotherMaskThatIsLeftBreaksNoRuleOfWhatIsWritten) {
  const Ids rules = sorted_rules(R"(profile ascendc-a2
ub 864
alloc d i16 0 256
alloc s i16 288 256
alloc t i16 576 256
vand.i16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, t+0 blk=1 rep=8, mask=128, repeat=1
)",
                                 mutant("start-all-off"));
  EXPECT_EQ(std::ranges::count(rules, "SVM-1-contiguous"), 0);
  EXPECT_EQ(std::ranges::count(rules, "SVM-3-its-own"), 0);
}

/// The register's mask, given as the instruction's own, is obeyed: so the place of the mask is what matters.
TEST(RuleTrials, ARuleOfWhereTheMaskComesFromIsBrokenIfAnotherPlaceIsRight) {
  constexpr std::string_view kFromRegister = R"(profile ascendc-a2
ub 576
alloc d i16 0 256
alloc s i16 288 256 = 1 x128
set_vector_mask.i16 high=0xffffffffffffffff low=0xfffffffffffffffd
vmins.i16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, repeat=1
)";
  const Ids unseen = sorted_rules(kFromRegister, mutant("register-unseen"));
  EXPECT_EQ(std::ranges::count(unseen, "SVM-3-from-outside"), 1);
  const Ids ignored = sorted_rules(kFromRegister, mutant("vmins-ignores-mask"));
  EXPECT_EQ(ignored, (Ids{"SVM-1-bitwise", "SVM-1-keeps-dst"}));
}

/// A fixed pattern that keeps other elements breaks its own rule alone, whatever else the call is given.
TEST(RuleTrials, AWrongPatternBreaksNoRuleOfTheMaskArgumentTheModeOrTheStrides) {
  const Backend pattern_4_for_5 = function_backend("typo", "", [](const Program& given, State& state) {
    Program program = given;
    for (Instruction& each : program.instructions)
      if (each.op == Op::gather_mask && each.settings[0] == 5) each.settings[0] = 4;
    execute(program, Semantics(default_readings(given.profile)), state);
    return Outcome{Ran{}};
  });
  const auto gathers = [](const std::string& profile, const std::string& how) {
    std::string numbers = "1";
    for (unsigned n = 2; n <= 384; ++n) numbers += ", " + std::to_string(n);
    return "profile " + profile + "\nub 2560\nalloc d u32 0 512\nalloc s u32 544 1536 = " + numbers +
           "\nalloc c u64 2112 32\ngather_mask.u32 d+0, s+0 " + how + "\n";
  };
  for (const auto& [profile, how] :
       {std::pair<std::string, std::string>{"ascendc-a2",
                                            "blk=1 rep=8, c+0, pattern=5, counter=0, mask=1, repeat=1"},
        {"ascendc-a2", "blk=1 rep=8, c+0, pattern=5, counter=1, mask=30, repeat=1"},
        {"ascendc-a2", "blk=2 rep=16, c+0, pattern=5, counter=0, mask=0, repeat=2"},
        {"ascendc-310p", "blk=1 rep=8, c+0, pattern=5, counter=1, mask=30, repeat=2"}})
    EXPECT_EQ(sorted_rules(gathers(profile, how), pattern_4_for_5), (Ids{"GM-1-pattern-5"})) << how;
  const auto breaks = [&](const std::string& how, const std::string& fault, std::string_view rule) {
    return std::ranges::count(sorted_rules(gathers("ascendc-a2", how), mutant(fault)), rule) == 1;
  };
  EXPECT_TRUE(breaks("blk=1 rep=8, c+0, pattern=5, counter=0, mask=1, repeat=1", "normal-by-mask",
                     "GM-3-normal-mask"));
  EXPECT_TRUE(breaks("blk=2 rep=8, c+0, pattern=5, counter=0, mask=0, repeat=1", "gather-block-stride-1",
                     "GM-4-block-stride"));
}

}  // namespace
}  // namespace lanecheck
