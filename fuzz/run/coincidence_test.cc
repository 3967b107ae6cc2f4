// Coincidence is no explanation: a mutant that gives the same output on one program only is not named.
#include <gtest/gtest.h>

#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

Backend backend_of(const Semantics& semantics) {
  return function_backend("made by hand", "", [semantics](const Program& program, State& state) -> Outcome {
    execute(program, semantics, state);
    return Ran{};
  });
}

/// The findings of 3,000 drawn cases of `family` under `profile`.
std::vector<Finding> findings_of(Profile profile, Family family, const Backend& backend) {
  RunOptions options;
  options.mix.profile = profile;
  options.mix.family = family;
  options.mix.with_boundaries = false;
  options.readings = default_readings(profile);
  options.illegal_in_32 = 0;
  options.cases = 3'000;
  return run(options, backend).findings;
}

// On data that is equal by chance, the wrong side looks like "the last element but one".
TEST(Coincidence, PaddingOnTheWrongSideIsMeasuredAndNotCalledTheLastElementButOne) {  // VP-1
  Semantics semantics(default_readings(Profile::p310));
  static const auto documented = semantics.seams.pad_from;
  semantics.seams.pad_from = [](unsigned mode, unsigned side, unsigned lane, unsigned per) {
    return documented(mode, 1 - side, lane, per);
  };
  for (const Finding& finding : findings_of(Profile::p310, Family::padding, backend_of(semantics))) {
    EXPECT_TRUE(finding.id.starts_with("measured-src-")) << finding.id << ": " << finding.what;
    EXPECT_EQ(finding.what.find("but one"), std::string::npos) << finding.what;
    EXPECT_EQ(finding.verdict, Verdict::diverges) << finding.id;
  }
}

// SVM section 1: the first word is the high one, and in counter mode the low one holds the count.
TEST(Coincidence, SwappedWordsOfAMaskOperandAreNamedInCounterModeToo) {  // SVM-1-bitwise
  const Semantics documented(default_readings(Profile::a2));
  const Backend backend =
      function_backend("made by hand", "", [&documented](const Program& program, State& state) -> Outcome {
        Program swapped = program;
        for (Instruction& insn : swapped.instructions)
          if (insn.mask_from == MaskFrom::bitwise) std::swap(insn.high, insn.low);
        execute(swapped, documented, state);
        return Ran{};
      });
  const std::vector<Finding> findings = findings_of(Profile::a2, Family::any, backend);
  for (const Finding& finding : findings) EXPECT_EQ(finding.id, "operand-swapped") << finding.what;
}

TEST(Coincidence,
     TheOtherConfigurationOfGatherMaskIsAReading) {  // GM-3-counter-per-repeat, GM-3-counter-total
  for (const Profile profile : {Profile::a2, Profile::p310}) {
    Readings other = default_readings(profile);
    const bool per_repeat = other.gather_counter == GatherCounter::per_repeat;
    other.gather_counter = per_repeat ? GatherCounter::total : GatherCounter::per_repeat;
    const std::vector<Finding> findings =
        findings_of(profile, Family::gather_mask, backend_of(Semantics(other)));
    ASSERT_EQ(findings.size(), 1u) << row_of(profile).name;
    EXPECT_EQ(findings[0].id, per_repeat ? "gather_counter=total" : "gather_counter=per_repeat");
    EXPECT_EQ(findings[0].verdict, Verdict::undecided);
  }
}

}  // namespace
}  // namespace lanecheck
