// Suspects: what reproduces a backend's output, and what asking the backend again leaves of it.
#include "fuzz/explain/questions/suspects.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/hypotheses/unconfirmed_reading.h"
#include "fuzz/explain/smallest/neighbour.h"
#include "fuzz/generate/generate.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// A backend that runs every program under these semantics.
Backend backend_of(const Semantics& semantics) {
  return function_backend("made by hand", "", [semantics](const Program& program, State& state) -> Outcome {
    execute(program, semantics, state);
    return Ran{};
  });
}

const Hypothesis* hypothesis(const Documented& documented, std::string_view id) {
  const auto found = std::ranges::find(documented.hypotheses, id, &Hypothesis::id);
  EXPECT_NE(found, documented.hypotheses.end()) << id;
  return &*found;
}

bool contains(const Suspects& some, const Hypothesis* each) {
  return std::ranges::count(some, each) > 0;
}

class OnVmc : public testing::Test {
 protected:
  const Documented documented_{Profile::vmc, Readings{}, {}};
  const Hypothesis* const mutant_ = hypothesis(documented_, "cadd-keeps-dst");
  const Hypothesis* const other_mutant_ = hypothesis(documented_, "add-ignores-mask");
  const Hypothesis* const reading_ = hypothesis(documented_, "empty_reduction=writes_neutral");

  /// The first drawn program on which the backend diverges.
  Program diverging_program(AskedBackend& asked) const {
    Mix mix;
    mix.with_boundaries = false;
    Program program;
    for (std::uint64_t index = 0; index < 20'000; ++index) {
      generate(4, index, mix, program);
      if (diverges(asked.ask(program), program, documented_, asked.shown())) return program;
    }
    ADD_FAILURE() << "the backend never diverges";
    return program;
  }
};

/// A masked-off element acts like 0, and all active ones are negative subnormal numbers: flushing them gives
/// the same 0. Under a full mask the backend flushes nothing.
TEST_F(OnVmc, AReadingIsNoExcuseForAResultThatDependsOnTheMask) {
  const Hypothesis* const flushed = hypothesis(documented_, "subnormals=flushed");
  const Hypothesis* const as_zero = hypothesis(documented_, "cmax-sentinel-zero");
  const Program program = parse_program(R"(ub 288
alloc d f32 0 32 = 0 x8
alloc s f32 32 256 = -1e-40 x64
set_mask high=0xffffffffffffffff low=0xffffffffffffffbf
cmax.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)",
                                        "test");
  for (const Hypothesis* backend_is : {as_zero, flushed}) {
    const Backend backend = backend_of(backend_is->semantics);
    AskedBackend asked(backend, Profile::vmc);
    ASSERT_TRUE(explains(*flushed, program, asked.ask(program).state, asked.shown()));
    EXPECT_EQ(is_refuted_under_full_masks(*flushed, program, asked, documented_), backend_is == as_zero);
  }
}

/// Subnormal numbers become 0 in one mode of one cast: no other wild program agrees with the reading. The
/// finding shows a program on which the reading is no excuse.
TEST_F(OnVmc, WildDataRefuteAReadingThatOrdinaryProgramsDoNotShow) {
  const Hypothesis* const flushed = hypothesis(documented_, "subnormals=flushed");
  const Backend truncates =
      function_backend("truncates", "", [](const Program& given, State& state) -> Outcome {
        Program program = given;
        for (Instruction& each : program.instructions)
          if (each.op == Op::cast && each.dst_type == Element::f16 && each.round == Round::odd)
            each.round = Round::trunc;
        execute(program, Semantics(default_readings(program.profile)), state);
        return Ran{};
      });
  const Program program = parse_program(R"(ub 384
alloc d f16 0 128 = 0 x64
alloc s f32 128 256 = 1e-45 x64
cast.f16.f32 d+0 blk=1 rep=4, s+0 blk=1 rep=8, round=odd, repeat=1
)",
                                        "test");
  AskedBackend asked(truncates, Profile::vmc);
  const Suspects some = suspects(asked.ask(program), program, documented_, asked.shown());
  ASSERT_TRUE(contains(some, flushed));
  const Refined refined = refine(some, asked, documented_);
  EXPECT_FALSE(contains(refined.suspects, flushed));
  EXPECT_NE(refined.refuted_reading, nullptr);
  const Finding finding = explain(program, refined, asked, documented_, true);
  EXPECT_EQ(finding.what, "cast.f16.f32 rounds in mode odd as in mode trunc");
  EXPECT_FALSE(reading_explains(asked.ask(finding.program), finding.program, documented_, asked.shown()));
  EXPECT_EQ(finding.passes, "with round=none" + std::string(kWithTheseData));

  const Backend flushes = backend_of(flushed->semantics);
  AskedBackend other(flushes, Profile::vmc);
  EXPECT_TRUE(contains(refine(some, other, documented_).suspects, flushed));
}

/// A mask of its own switches counter mode off. ResetMask does nothing wrong: the program diverges without
/// it.
TEST(OnA310p, AMistakeOfAnInstructionThatIsNotNeededIsNoCause) {
  const Backend backend = function_backend("switches", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    program.instructions.clear();
    for (const Instruction& insn : given.instructions) {
      if (insn.mask_from == MaskFrom::bitwise) program.instructions.emplace_back().op = Op::set_mask_norm;
      program.instructions.push_back(insn);
    }
    execute(program, Semantics(default_readings(given.profile)), state);
    return Ran{};
  });
  const Program program = parse_program(
      "profile ascendc-310p\nub 1024\nalloc d f16 0 32 = 0 x16\nalloc s f16 32 32 = 0 x16\n"
      "alloc t f16 64 32 = 1 x16\nset_mask_count\nreset_mask\n"
      "add.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, t+0 blk=1 rep=8, mask=0x0:0xf, repeat=1\n",
      "test");
  const Documented documented(Profile::p310, Readings{}, {});
  AskedBackend asked(backend, Profile::p310);
  const Hypothesis* const reset = hypothesis(documented, "reset-ends-counter");
  ASSERT_TRUE(contains(suspects(asked.ask(program), program, documented, asked.shown()), reset));
  const Finding finding = explain(program, {{reset}, nullptr, {program}}, asked, documented, true);
  EXPECT_EQ(finding.what, "add.f16 switches to normal mode instead of leaving counter mode on");
  EXPECT_EQ(finding.program.instructions.size(), 2u);
  EXPECT_EQ(std::ranges::count(finding.rules, "SVM-3-reset-mode"), 0);
}

TEST_F(OnVmc, AMutantIsAmongTheSuspectsOfTheBackendThatHasIt) {
  const Backend backend = backend_of(mutant_->semantics);
  AskedBackend asked(backend, Profile::vmc);
  const Program program = diverging_program(asked);
  const BackendAnswer answer = asked.ask(program);
  const Suspects some = suspects(answer, program, documented_, asked.shown());
  EXPECT_TRUE(contains(some, mutant_));
  EXPECT_TRUE(reproduces({mutant_}, answer, program, asked.shown()));
  EXPECT_FALSE(reading_explains(answer, program, documented_, asked.shown()));
}

TEST_F(OnVmc, AReadingThatReproducesTheOutputComesFirst) {
  const Backend backend = backend_of(reading_->semantics);
  AskedBackend asked(backend, Profile::vmc);
  const Program program = diverging_program(asked);
  const BackendAnswer answer = asked.ask(program);
  const Suspects some = suspects(answer, program, documented_, asked.shown());
  EXPECT_TRUE(contains(some, reading_));
  ASSERT_FALSE(some.empty());
  EXPECT_FALSE(some.front()->is_wrong()) << some.front()->id;
  EXPECT_EQ(refine(some, asked, documented_).suspects, Suspects{reading_});
  EXPECT_TRUE(reading_explains(answer, program, documented_, asked.shown()));
}

TEST_F(OnVmc, RefiningKeepsTheMutantThatTheBackendHasAndDropsAnother) {
  const Backend backend = backend_of(mutant_->semantics);
  AskedBackend asked(backend, Profile::vmc);
  EXPECT_EQ(refine({other_mutant_, mutant_}, asked, documented_).suspects, Suspects{mutant_});
}

TEST_F(OnVmc, RefiningLeavesNoMutantOfABackendThatConforms) {
  const Backend backend = backend_of(documented_.semantics);
  AskedBackend asked(backend, Profile::vmc);
  EXPECT_TRUE(refine({mutant_, other_mutant_}, asked, documented_).suspects.empty());
}

/// The active lanes hold their results already, so that a mask taken the wrong way round gives the same. A
/// recording cannot be asked with other data: the mutant comes first that needs no such chance.
TEST_F(OnVmc, OfARecordingTheMutantComesFirstThatIsRightNowhereByChance) {
  const std::vector<Program> recorded = {parse_program(R"(ub 832
alloc d i32 0 256 = 5 x8, 0 x56
alloc s i32 288 256 = 2 x64
alloc t i32 576 256 = 3 x64
set_mask high=0x0 low=0xff
add.i32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, t+0 blk=1 rep=8, repeat=1
)",
                                                       "test")};
  Backend backend = backend_of(other_mutant_->semantics);
  backend.recorded = recorded;
  AskedBackend asked(backend, Profile::vmc);
  const Suspects both = {hypothesis(documented_, "mask-inverted"), other_mutant_};
  const State actual = asked.ask(recorded.front()).state;
  for (const Hypothesis* each : both)
    ASSERT_TRUE(explains(*each, recorded.front(), actual, asked.shown())) << each->id;
  const Suspects left = refine(both, asked, documented_).suspects;
  ASSERT_FALSE(left.empty());
  EXPECT_EQ(left.front(), other_mutant_) << left.front()->id;
}

TEST_F(OnVmc, AReadingThatTheBackendDoesNotFollowElsewhereIsRefuted) {
  const Backend backend = backend_of(documented_.semantics);
  AskedBackend asked(backend, Profile::vmc);
  const Refined refined = refine({reading_}, asked, documented_);
  EXPECT_TRUE(refined.suspects.empty());
  EXPECT_EQ(refined.refuted_reading, reading_);
}

TEST_F(OnVmc, AReadingStaysIfTheBackendFollowsAnotherOneToo) {
  Readings both = reading_->semantics.readings;
  both.cast_mask = hypothesis(documented_, "cast_mask=ignores_mask")->semantics.readings.cast_mask;
  const Backend backend = backend_of(Semantics(both));
  AskedBackend asked(backend, Profile::vmc);
  EXPECT_EQ(refine({reading_}, asked, documented_).suspects, Suspects{reading_});
}

TEST_F(OnVmc, ASkipIsNoEvidence) {
  const Backend backend =
      function_backend("skips", "", [](const Program&, State&) -> Outcome { return Skipped{"no"}; });
  AskedBackend asked(backend, Profile::vmc);
  EXPECT_EQ(refine({mutant_, other_mutant_}, asked, documented_).suspects,
            (Suspects{mutant_, other_mutant_}));
}

TEST_F(OnVmc, TheSuspectThatReproducesMoreAnswersStays) {
  const Hypothesis* const ignores = hypothesis(documented_, "cadd-ignores-mask");
  const Backend backend = backend_of(ignores->semantics);
  AskedBackend asked(backend, Profile::vmc);
  EXPECT_EQ(refine({mutant_, ignores}, asked, documented_).suspects, Suspects{ignores});
}

TEST_F(OnVmc, RefiningEndsWhenTheBackendHasDiedTooOften) {
  const Backend backend = function_backend("dies", "", [](const Program&, State&) -> Outcome {
    return Errored{"crash", true};
  });
  AskedBackend asked(backend, Profile::vmc);
  refine({mutant_, other_mutant_}, asked, documented_);
  EXPECT_EQ(asked.restarts(), kMostRestarts);
}

TEST_F(OnVmc, OnlyAProgramThatRanSaysSomething) {
  const Program program{Profile::vmc, {}, {}, std::vector<std::byte>(32)};
  const auto said = [&](const BackendAnswer& answer, Shown shown) {
    return says(answer, program, documented_, shown);
  };
  EXPECT_EQ(said({Refused{"no"}, {}}, true), Says::nothing);
  EXPECT_EQ(said({Errored{"boom"}, {}}, true), Says::nothing);
  EXPECT_EQ(said({Skipped{"not offered"}, {}}, true), Says::nothing);
  EXPECT_EQ(said({Ran{}, State{program.ub}}, true), Says::conforms);
  EXPECT_EQ(said({Ran{}, State{program.ub, Mask{}}}, true), Says::diverges) << "an empty mask";
  EXPECT_EQ(said({Ran{}, State{program.ub, Mask{}}}, Shown{false, false}), Says::conforms);
}

/// A backend whose fault is gone when it is asked again.
TEST_F(OnVmc, AnAnswerThatConformsHasNoSuspects) {
  const Backend right = backend_of(documented_.semantics);
  AskedBackend asked(right, Profile::vmc);
  Mix mix;
  Program program;
  for (std::uint64_t index = 0; index < 100; ++index) {
    generate(4, index, mix, program);
    EXPECT_TRUE(suspects(asked.ask(program), program, documented_, asked.shown()).empty()) << index;
  }
}

}  // namespace
}  // namespace lanecheck
