// A backend that follows a wrong stride breaks where that leads outside of UB: the failure names the finding.
// Expected: the strides that the fault takes, and the end of UB.
#include <gtest/gtest.h>

#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/run.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The oracle that takes a block stride of src1 of 0 as 1, and checks where that leads. `odd`: it also breaks
/// on other programs, in the same words.
Backend checked(bool odd) {
  return function_backend("checked", "", [odd](const Program& given, State& state) -> Outcome {
    Program program = given;
    const Errored out_of_bounds{"IndexError: index 1664 is out of bounds"};
    for (Instruction& insn : program.instructions) {
      if (odd && insn.op == Op::relu && insn.repeat == 2) return out_of_bounds;
      if (row_of(insn.op).operands.size() != 3 || !is_elementwise(insn)) continue;
      if (insn.operands[2].block_stride == 0) insn.operands[2].block_stride = 1;
      if (start_of(program, insn.operands[2]) + extent(insn, 2, lanes_of(insn)) > program.ub.size())
        return out_of_bounds;
    }
    execute(program, Semantics(default_readings(given.profile)), state);
    return Ran{};
  });
}

/// What is said of the failures, and how many of them there are.
std::pair<std::string, std::uint64_t> failure_of(const Backend& backend) {
  RunOptions options;
  options.cases = 1500;
  options.illegal_in_32 = 0;
  std::pair<std::string, std::uint64_t> said;
  for (const Finding& finding : run(options, backend).findings)
    if (finding.verdict == Verdict::errored) said = {finding.what, finding.cases};
  return said;
}

TEST(FailuresByLaw, NameTheFindingThatLeadsOutsideOfUbInAllOfThem) {
  const auto [what, cases] = failure_of(checked(false));
  EXPECT_GE(cases, 2u);
  EXPECT_NE(what.find("; in all of these programs, what measured-strides-"), std::string::npos) << what;
  EXPECT_TRUE(what.ends_with(" says leads outside of UB")) << what;
}

TEST(FailuresByLaw, NameNoneIfOneProgramBreaksForAnotherReason) {
  const auto [what, cases] = failure_of(checked(true));
  EXPECT_GE(cases, 2u);
  EXPECT_EQ(what.find("leads outside of UB"), std::string::npos) << what;
}

}  // namespace
}  // namespace lanecheck
