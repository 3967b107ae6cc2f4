// Runs as a whole: honest verdicts, the same bytes twice, an early end.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/run/find_backend.h"
#include "fuzz/run/report_testing.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

TEST(Run, GivesTheSameReportForTheSameSeed) {
  RunOptions options;
  options.cases = 1500;
  options.mix.with_boundaries = false;
  const Backend backend = find_backend("wrong:cgmax-first-block");
  EXPECT_EQ(canonical(run(options, backend)), canonical(run(options, backend)));
}

TEST(Run, ReportsADocumentedAlternativeAsAReadingNotAsAFailure) {
  RunOptions options;
  options.cases = 3000;
  options.mix.with_boundaries = false;
  Readings other;
  other.empty_reduction = EmptyReduction::writes_neutral;
  const Report report = run(options, oracle_backend("writes empty sums", Semantics(other)));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "empty_reduction=writes_neutral");
  EXPECT_EQ(report.findings[0].verdict, Verdict::undecided);
  EXPECT_EQ(report.diverges, 0u);
  EXPECT_EQ(exit_code(report), 0);
}

TEST(Run, APinnedReadingTurnsTheAlternativeIntoAFailure) {
  RunOptions options;
  options.cases = 3000;
  options.mix.with_boundaries = false;
  options.pinned = {"empty_reduction"};
  Readings other;
  other.empty_reduction = EmptyReduction::writes_neutral;
  const Report report = run(options, oracle_backend("writes empty sums", Semantics(other)));
  EXPECT_GT(report.diverges, 0u);
  EXPECT_EQ(exit_code(report), 1);
}

/// VMC 3.3 says that an empty maximum or minimum is not written, and section 6 B speaks of additive
/// reductions alone. VMC 3.2 zeroes the masked-off elements of cpadd without an exception, and 3.3 lets them
/// act like an infinity, of which an integer 0 is no reading.
TEST(Run, WhatVmcSaysWithoutContradictionIsNoReading) {
  RunOptions options;
  options.cases = 3000;
  options.mix.with_boundaries = false;
  for (const std::string name : {"cmax-writes-empty", "cgmax-writes-empty", "cmin-writes-empty",
                                 "cgmin-writes-empty", "cmax-sentinel-zero", "cgmin-sentinel-zero"}) {
    const Report report = run(options, find_backend("wrong:" + name));
    EXPECT_EQ(exit_code(report), 1) << name;
    EXPECT_EQ(report.undecided, 0u) << name;
  }
  Readings keeps;
  keeps.empty_pair = EmptyPair::keeps_dst;
  EXPECT_EQ(exit_code(run(options, oracle_backend("keeps empty pairs", Semantics(keeps)))), 1);
}

/// Where the documents are silent, a backend that follows one option throughout has no failure.
TEST(Run, ABackendThatFollowsAnOpenReadingHasNoFailure) {
  struct Followed {
    Profile profile;
    std::string setting;
  };
  const Followed all[] = {
      {Profile::a2, "mask_after_operand=unchanged"},   {Profile::a2, "mask_after_operand=all_ones"},
      {Profile::p310, "mask_after_operand=unchanged"}, {Profile::a2, "mode_argument=chooses"},
      {Profile::vmc, "cast_half_overflow=infinity"},   {Profile::vmc, "cast_half_overflow=greatest"},
      {Profile::vmc, "control_bits=highest_first"},    {Profile::a2, "pattern_bits=highest_first"},
      {Profile::a2, "gather_counter=total"},           {Profile::p310, "gather_counter=per_repeat"},
      {Profile::a2, "empty_extreme=writes_neutral"},
  };
  for (const auto& [profile, setting] : all) {
    RunOptions options;
    options.mix.profile = profile;
    options.readings = default_readings(profile);
    options.cases = 2000;
    options.illegal_in_32 = 0;
    Readings followed = options.readings;
    pin(followed, setting);
    // Not oracle_backend(), which refuses what is legal by the defaults alone.
    const Backend backend = function_backend("follows " + setting, "",
                                             [followed](const Program& program, State& state) -> Outcome {
                                               execute(program, Semantics(followed), state);
                                               return Ran{};
                                             });
    const Report report = run(options, backend);
    EXPECT_EQ(report.diverges, 0u) << setting;
    EXPECT_GT(report.undecided, 0u) << setting;
    EXPECT_EQ(exit_code(report), 0) << setting;
    for (const Finding& finding : report.findings) EXPECT_EQ(finding.id, setting);
  }
}

TEST(Run, ABackendThatBreaksNeverConforms) {
  RunOptions options;
  options.cases = 50;
  const Backend broken =
      function_backend("broken", "", [](const Program&, State&) -> Outcome { return Errored{"boom"}; });
  const Report report = run(options, broken);
  EXPECT_EQ(report.errored, 50u);
  EXPECT_EQ(report.conforms, 0u);
  EXPECT_EQ(exit_code(report), 3);
}

TEST(Run, SkippedProgramsAreCountedAndNeverPassed) {
  RunOptions options;
  options.cases = 50;
  const Backend shy = function_backend(
      "shy", "", [](const Program&, State&) -> Outcome { return Skipped{"no instructions"}; });
  const Report report = run(options, shy);
  EXPECT_EQ(report.skipped, 50u);
  EXPECT_EQ(report.conforms, 0u);
  EXPECT_NE(exit_code(report), 0) << "nothing was judged";
}

TEST(Run, ARefusedLegalProgramDiverges) {
  RunOptions options;
  options.cases = 5;
  const Backend strict =
      function_backend("strict", "", [](const Program&, State&) -> Outcome { return Refused{"no"}; });
  const Report report = run(options, strict);
  EXPECT_EQ(report.diverges, 5u);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "refuses-legal-program-no");
}

TEST(Run, NamesAWrongResultInActiveLanesAsArithmetic) {
  RunOptions options;
  options.cases = 8000;
  options.mix.with_boundaries = false;
  const Backend off_by_one =
      function_backend("off by one", "", [example = find_backend("example")](const Program& p, State& s) {
        Outcome outcome = example.run(p, s);
        for (const Instruction& insn : p.instructions)
          if (insn.op == Op::adds && insn.dst_type == Element::i32 && insn.repeat > 0 &&
              p.instructions.size() == 1)
            s.ub[start_of(p, insn.operands[0])] ^=
                std::byte{1};  // lane 0, which is active in the default mask
        return outcome;
      });
  const Report report = run(options, off_by_one);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].matter, Matter::arithmetic);
  EXPECT_TRUE(report.findings[0].rules.empty());
  EXPECT_EQ(exit_code(report), 1);
}

/// Four repeats that write to one place run in the order 1, 3, 4, 2. So neither the first nor the last result
/// stays.
Program second_repeat_last(const Program& program) {
  Program odd = program;
  odd.instructions.clear();
  for (const Instruction& insn : program.instructions) {
    const Form form = row_of(insn.op).form;
    if ((form != Form::scalar && form != Form::unary) || insn.repeat != 4 ||
        insn.operands[0].repeat_stride != 0) {
      odd.instructions.push_back(insn);
      continue;
    }
    for (const std::uint32_t repeat : {0u, 2u, 3u, 1u}) {
      odd.instructions.push_back(insn);
      odd.instructions.back().repeat = 1;
      odd.instructions.back().operands[1].offset += repeat * insn.operands[1].repeat_stride * kBlockBytes;
    }
  }
  return odd;
}

TEST(Run, AFailureThatNoReadingExplainsDivergesEvenIfASmallerProgramWouldFitAReading) {
  RunOptions options;
  options.cases = 20'000;
  options.mix.with_boundaries = false;
  const Backend odd = function_backend("second repeat last", "",
                                       [oracle = find_backend("oracle")](const Program& p, State& s) {
                                         return oracle.run(second_repeat_last(p), s);
                                       });
  const Report report = run(options, odd);
  EXPECT_GT(report.diverges, 0u);
  EXPECT_EQ(exit_code(report), 1);
}

/// exp ignores the mask, and the backend skips programs with more than four repeats.
Backend shy_wrong_exp() {
  return function_backend(
      "shy", "", [wrong = find_backend("wrong:exp-ignores-mask")](const Program& p, State& s) -> Outcome {
        for (const Instruction& insn : p.instructions)
          if (insn.repeat > 4) return Skipped{"more than four repeats"};
        return wrong.run(p, s);
      });
}

TEST(Run, ASkipIsNoEvidenceAgainstAnExplanation) {
  RunOptions options;
  options.cases = 6000;
  options.mix.with_boundaries = false;
  const Report report = run(options, shy_wrong_exp());
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "exp-ignores-mask");
}

TEST(Run, ARecordedAnswerAloneNamesTheRule) {
  RunOptions options;
  options.cases = 300;
  options.mix.with_boundaries = false;
  std::vector<Program> seen;
  const Backend once = function_backend(
      "once", "",
      [&, wrong = find_backend("wrong:cadd-ignores-mask")](const Program& p, State& s) -> Outcome {
        if (std::ranges::count(seen, p) > 0) return Skipped{"was asked before"};
        seen.push_back(p);
        return seen.size() > 4 * options.cases ? Outcome(Skipped{"no more"}) : wrong.run(p, s);
      });
  for (const Finding& finding : run(options, once).findings) {
    EXPECT_NE(finding.id, "not-repeatable");
    EXPECT_EQ(std::ranges::count(finding.rules, "VMC-3.2-cadd-zero"), 1) << finding.id;
  }
}

TEST(Run, ABackendThatFollowsAReadingNowAndThenDiverges) {
  RunOptions options;
  options.cases = 3000;
  options.mix.with_boundaries = false;
  Readings other;
  other.empty_pair = EmptyPair::keeps_dst;
  const Backend torn = function_backend(
      "torn", "",
      [one = find_backend("oracle"), two = oracle_backend("two", Semantics(other))](
          const Program& p, State& s) { return (p.instructions.size() % 2 == 0 ? one : two).run(p, s); });
  const Report report = run(options, torn);
  EXPECT_GT(report.diverges, 0u);
  EXPECT_EQ(exit_code(report), 1);
}

TEST(Run, AReadingDoesNotExcuseABackendThatFollowsItOnOneInstructionOnly) {
  RunOptions options;
  options.cases = 20'000;
  options.mix.with_boundaries = false;
  Readings saturates;
  saturates.integer_overflow = IntegerOverflow::saturates;
  const Backend clamps_sums =
      function_backend("clamps sums", "",
                       [plain = find_backend("oracle"),
                        clamps = oracle_backend("clamps", Semantics(saturates))](const Program& p, State& s) {
                         const bool sums = std::ranges::count(p.instructions, Op::cadd, &Instruction::op) > 0;
                         return (sums ? clamps : plain).run(p, s);
                       });
  const Report report = run(options, clamps_sums);
  EXPECT_GT(report.diverges, 0u);
  EXPECT_EQ(exit_code(report), 1);
}

TEST(Run, SeveralReadingsAtOnceAreEachNamed) {
  RunOptions options;
  options.cases = 8000;
  options.mix.with_boundaries = false;
  Readings other;
  other.sort_ties = SortTies::reversed;
  other.integer_overflow = IntegerOverflow::saturates;
  other.half_overflow = HalfOverflow::saturate;
  const Report report = run(options, oracle_backend("three", Semantics(other)));
  for (const char* id : {"sort_ties=reversed", "integer_overflow=saturates", "half_overflow=saturate"})
    EXPECT_EQ(std::ranges::count(report.findings, id, &Finding::id), 1) << id;
  EXPECT_EQ(report.diverges, 0u);
}

TEST(Run, DivergencesBesideFailuresExitAsDivergences) {
  RunOptions options;
  options.cases = 3000;
  options.mix.with_boundaries = false;
  unsigned asked = 0;
  const Backend both = function_backend(
      "both", "", [&, wrong = find_backend("wrong:add-ignores-mask")](const Program& p, State& s) -> Outcome {
        return ++asked == 1 ? Outcome(Errored{"boom"}) : wrong.run(p, s);
      });
  const Report report = run(options, both);
  EXPECT_EQ(report.errored, 1u);
  EXPECT_EQ(exit_code(report), 1);
}

TEST(Run, ARuleThatIsBrokenWasExercised) {
  RunOptions options;
  options.cases = 20;
  options.mix.with_boundaries = false;
  const Report report = run(options, find_backend("wrong:set-mask-ors"));
  for (const RuleCount& rule : report.rules) EXPECT_TRUE(rule.broken == 0 || rule.exercised > 0) << rule.id;
}

TEST(Run, EndsSoonIfItIsStoppedWhileItMinimizes) {
  RunOptions options;
  options.cases = 3000;
  options.mix.with_boundaries = false;
  bool stopped = false;
  unsigned asked_since = 0;
  const Backend wrong =
      function_backend("wrong", "", [&, w = find_backend("wrong:mask-advances")](const Program& p, State& s) {
        asked_since += stopped ? 1 : 0;
        return w.run(p, s);
      });
  RunHooks hooks;
  unsigned looked = 0;
  hooks.stop = [&] { return stopped = ++looked > 700; };  // some way into the first finding
  const Report report = run(options, wrong, hooks);
  EXPECT_TRUE(report.interrupted);
  EXPECT_LT(asked_since, 50u);
}

TEST(Run, StopsAtACaseBoundaryAndSaysThatItWasInterrupted) {
  RunOptions options;
  options.cases = 1000;
  unsigned asked = 0;
  RunHooks hooks;
  hooks.stop = [&] { return ++asked > 10; };
  const Report report = run(options, find_backend("example"), hooks);
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(report.done, 10u);
}

TEST(Run, AnyPartOfAProgramThatAnOfferLeavesIsLegal) {
  Program program;
  for (std::uint64_t index = 137'088; index < 140'000; ++index) {
    generate(5, index, Mix{}, program);
    Capabilities capabilities{false, {}};
    for (const Row& row : instruction_table())
      if ((index * 0x9e3779b97f4a7c15u >> (static_cast<unsigned>(row.op) % 60) & 1) != 0)
        capabilities.rows.push_back({std::string(row.name), "", "", "", ""});
    restrict_to(capabilities, program);
    const auto fault = find_fault(program);
    ASSERT_FALSE(fault) << describe(program, *fault);
  }
}

}  // namespace
}  // namespace lanecheck
