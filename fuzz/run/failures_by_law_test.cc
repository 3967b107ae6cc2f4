// A backend that follows a wrong stride breaks where that leads outside of UB: the failure names the finding.
// Expected: the strides that the fault takes, and the end of UB.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/questions/locate.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
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

std::vector<Finding> findings_of(const Backend& backend) {
  RunOptions options;
  options.cases = 1500;
  options.illegal_in_32 = 0;
  return run(options, backend).findings;
}

TEST(FailuresByLaw, CountWithTheFindingThatLeadsOutsideOfUb) {
  const std::vector<Finding> findings = findings_of(checked(false));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().id.substr(0, 16), "measured-strides");
  EXPECT_NE(findings.front().what.find(
                "cases of these the backend breaks: IndexError: index 1664 is out of bounds, "
                "where this leads outside of UB"),
            std::string::npos)
      << findings.front().what;
}

/// All repeats of the instruction read before any of them writes.
void execute_reads_first(const Program& program, const Instruction& insn, State& state) {
  const State before = state;
  for (unsigned r = 0; r < insn.repeat; ++r) {
    State alone = before;
    execute_one(program, one_repeat(insn, r), Semantics{}, alone);
    for (std::size_t at = 0; at < alone.ub.size(); ++at)
      if (alone.ub[at] != before.ub[at]) state.ub[at] = alone.ub[at];
  }
}

/// Where the law leads from dst into a source, the order of reads and writes decides what is left.
TEST(FailuresByLaw, CountWhereTheLawLeadsIntoASource) {
  const Backend backend = function_backend("checked", "", [](const Program& given, State& state) -> Outcome {
    state = State{};
    state.ub = given.ub;
    for (Instruction insn : given.instructions) {
      const bool of_zero = row_of(insn.op).operands.size() == 3 && is_elementwise(insn) && insn.repeat > 1 &&
                           insn.operands[0].repeat_stride == 0;
      if (of_zero) insn.operands[0].repeat_stride = 8;
      if (of_zero && start_of(given, insn.operands[0]) + extent(insn, 0, lanes_of(insn)) > given.ub.size())
        return Errored{"IndexError: index 1664 is out of bounds"};
      if (of_zero)
        execute_reads_first(given, insn, state);
      else
        execute_one(given, insn, Semantics{}, state);
    }
    return Ran{};
  });
  const std::vector<Finding> findings = findings_of(backend);
  for (const Finding& each : findings) EXPECT_NE(each.verdict, Verdict::errored) << each.what;
  ASSERT_FALSE(findings.empty());
  EXPECT_TRUE(std::ranges::any_of(findings, [](const Finding& each) {
    return each.what.find("where this leads outside of UB") != std::string::npos;
  }));
}

/// GM: GatherMask ends in normal mode. Here it does not, and a mask of the next instruction becomes a count
/// that no memory holds.
TEST(FailuresByLaw, CountWithAModeThatStays) {
  const Backend wrong = find_backend("wrong:gather-keeps-mode");
  RunOptions options;
  options.mix.profile = Profile::p310;
  options.readings = default_readings(Profile::p310);
  options.cases = 1500;
  options.illegal_in_32 = 0;
  const Backend backend = function_backend("keeps", "", [&](const Program& program, State& state) -> Outcome {
    for (std::size_t n = 1; n < program.instructions.size(); ++n) {
      if (program.instructions[n].mask_from != MaskFrom::bitwise) continue;
      const Program before = prefix(program, n);
      State is, should;
      (void)wrong.run(before, is);
      execute(before, Semantics(default_readings(Profile::p310)), should);
      if (is.mode != should.mode) return Errored{"MemoryError: Unable to allocate 32.0 GiB"};
    }
    return wrong.run(program, state);
  });
  const auto findings = run(options, backend).findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].id, "gather-keeps-mode");
  EXPECT_NE(findings[0].what.find(
                " of these the backend breaks: MemoryError: Unable to allocate 32.0 GiB, where an "
                "instruction runs in another mode because of this"),
            std::string::npos)
      << findings[0].what;
}

TEST(FailuresByLaw, StayAFindingIfTheProgramsBreakForAnotherReason) {
  const std::uint64_t by_law = findings_of(checked(false)).front().cases;
  const std::vector<Finding> findings = findings_of(checked(true));
  ASSERT_EQ(findings.size(), 2u);
  for (const Finding& finding : findings) {
    if (finding.verdict != Verdict::errored) {
      EXPECT_LE(finding.cases, by_law);
      continue;
    }
    EXPECT_GE(finding.cases, 2u);
    EXPECT_TRUE(std::ranges::any_of(finding.program.instructions, [](const Instruction& insn) {
      return insn.op == Op::relu && insn.repeat == 2;
    }));
  }
}

/// No cause of another finding can explain it, so none is measured: that took 9 seconds of a Python
/// simulator.
TEST(FailuresByLaw, ABackendThatBreaksOnEveryProgramIsAskedLittleMore) {
  unsigned asked = 0;
  const auto found = findings_of(function_backend("broken", "", [&](const Program&, State&) -> Outcome {
    ++asked;
    return Errored{"AttributeError: 'Instruction' object has no attribute 'destination'"};
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().cases, 1500u);
  EXPECT_LE(asked, 1500u + 500u);
}

}  // namespace
}  // namespace lanecheck
