// Asking a backend: what is asked again, what an answer keeps, what asking costs.
#include "fuzz/explain/questions/asked_backend.h"

#include <gtest/gtest.h>

namespace lanecheck {
namespace {

Program program_with(unsigned char first) {
  Program program;
  program.ub.assign(32, std::byte{first});
  return program;
}

/// Leaves UB as it is and counts how often it runs a program.
Backend counting_backend(unsigned& runs) {
  return function_backend("counting", "", [&runs](const Program& program, State& state) -> Outcome {
    ++runs;
    state = {program.ub};
    return Ran{};
  });
}

/// Breaks on every program; costs its process only if the program starts with `deadly`.
Backend breaking_backend(std::byte deadly) {
  return function_backend("breaking", "", [deadly](const Program& program, State&) -> Outcome {
    return Errored{"broken", program.ub[0] == deadly};
  });
}

/// What compares states would else read bytes that are not there.
TEST(AskedBackend, ABackendThatDoesNotRunAProgramLeavesUbAsItWas) {
  const Backend backend = breaking_backend(std::byte{9});
  AskedBackend asked(backend, Profile::vmc);
  EXPECT_EQ(asked.ask(program_with(1)).state.ub, program_with(1).ub);
}

TEST(AskedBackend, RunsTheSameProgramOnceIfItIsAskedTwiceInARow) {
  unsigned runs = 0;
  const Backend backend = counting_backend(runs);
  AskedBackend asked(backend, Profile::vmc);
  asked.ask(program_with(1));
  asked.ask(program_with(1));
  EXPECT_EQ(runs, 1u);
  asked.ask(program_with(2));
  EXPECT_EQ(runs, 2u);
}

TEST(AskedBackend, AnAnswerStaysWhatItIsWhenAnotherProgramIsAsked) {
  unsigned runs = 0;
  const Backend backend = counting_backend(runs);
  AskedBackend asked(backend, Profile::vmc);
  const BackendAnswer first = asked.ask(program_with(1));
  const BackendAnswer second = asked.ask(program_with(2));
  EXPECT_TRUE(first.ran());
  EXPECT_EQ(first.state.ub, program_with(1).ub);
  EXPECT_EQ(second.state.ub, program_with(2).ub);
}

TEST(AskedBackend, NeverSendsAnInstructionThatIsNotOnOffer) {
  unsigned runs = 0;
  Backend backend = counting_backend(runs);
  backend.capabilities = {.everything = false, .rows = {{"add", "f16", "", "", ""}}};
  AskedBackend asked(backend, Profile::vmc);
  const auto ask = [&](Element type) {
    Program program = program_with(1);
    program.instructions.push_back({.op = Op::add, .dst_type = type, .src_type = type});
    return asked.ask(program);
  };
  EXPECT_TRUE(ask(Element::f16).ran());
  EXPECT_TRUE(std::holds_alternative<Skipped>(ask(Element::f32).outcome));
  EXPECT_EQ(runs, 1u);
}

TEST(AskedBackend, CountsTheProcessesThatDiedAndNotTheOtherFailures) {
  const Backend backend = breaking_backend(std::byte{7});
  AskedBackend asked(backend, Profile::vmc);
  asked.ask(program_with(1));
  EXPECT_EQ(asked.restarts(), 0u);
  asked.ask(program_with(7));
  asked.ask(program_with(7));
  EXPECT_EQ(asked.restarts(), 1u) << "the second answer was kept from the first";
  asked.ask(program_with(1));
  asked.ask(program_with(7));
  EXPECT_EQ(asked.restarts(), 1u) << "answers are kept for all programs";
  EXPECT_EQ(asked.questions(), 2u);
}

/// Restarts that earlier purposes cost do not count.
TEST(QuestionBudget, IsOverAfterItsQuestionsItsRestartsOrWhenTheRunEnds) {
  bool stopped = false;
  const Backend backend = breaking_backend(std::byte{7});
  AskedBackend asked(backend, Profile::vmc, [&] { return stopped; });
  for (unsigned n = 0; n < kMostRestarts; ++n) asked.ask_anew(program_with(7));
  QuestionBudget two(asked, 2), any(asked);
  EXPECT_FALSE(two.is_over());
  two.spend();
  EXPECT_FALSE(two.is_over());
  two.spend();
  EXPECT_TRUE(two.is_over());
  for (unsigned n = 0; n < kMostRestarts; ++n) {
    EXPECT_FALSE(any.is_over()) << n;
    asked.ask_anew(program_with(7));
  }
  EXPECT_TRUE(any.is_over());
  QuestionBudget later(asked);
  EXPECT_FALSE(later.is_over());
  stopped = true;
  EXPECT_TRUE(later.is_over());
}

TEST(AskedBackend, ComparesOnlyTheStateThatTheBackendShows) {
  unsigned runs = 0;
  Backend backend = counting_backend(runs);
  backend.shows_mask = false;
  EXPECT_FALSE(AskedBackend(backend, Profile::vmc).shown().mask);
}

TEST(FailureKind, IgnoresCaseAndDecimalNumbers) {
  EXPECT_EQ(failure_kind(Errored{"Signal 11 in step 3"}), failure_kind(Errored{"signal 6 in step 12"}));
  EXPECT_EQ(failure_kind(Errored{"Signal 11"}), "backend-failure-signal");
  EXPECT_EQ(failure_kind(Refused{"no"}), "refuses-legal-program-no");
}

TEST(FailureKind, KeepsTheDigitsOfANameInQuotes) {
  EXPECT_EQ(failure_kind(Errored{"KeyError: 'bf16' (mysim.py:56)"}),
            "backend-failure-keyerror-bf16-mysim-py");
  EXPECT_NE(failure_kind(Errored{"KeyError: 'i16'"}), failure_kind(Errored{"KeyError: 'i64'"}));
}

/// The same failure in another process has other addresses.
TEST(FailureKind, IgnoresHexadecimalNumbers) {
  EXPECT_EQ(failure_kind(Errored{"bad pointer 0x7ffe12ab at 55d0c0ffee00"}),
            "backend-failure-bad-pointer-at");
  EXPECT_EQ(failure_kind(Errored{"bad pointer 0xABCDEF at 55d0deadbee1"}), "backend-failure-bad-pointer-at");
  EXPECT_EQ(failure_kind(Errored{"object at dead00beef01 is bad"}), "backend-failure-object-at-is-bad");
  EXPECT_EQ(failure_kind(Refused{"f16 add"}), failure_kind(Refused{"f32 add"}));
  EXPECT_NE(failure_kind(Refused{"dead face"}), failure_kind(Refused{"bad cafe"})) << "words are no numbers";
}

TEST(FailureKind, IgnoresTheLengthOfADeadline) {
  EXPECT_EQ(failure_kind(Errored{"missed its deadline of 2 s"}), "backend-failure-missed-its-deadline");
  EXPECT_EQ(failure_kind(Errored{"missed its deadline of 1 s: it does not read its input"}),
            "backend-failure-missed-its-deadline-it-does-not-read-its-input");
}

TEST(FailureKind, IsEmptyForAProgramThatRanOrWasSkipped) {
  EXPECT_EQ(failure_kind(Ran{}), "");
  EXPECT_EQ(failure_kind(Skipped{"not offered"}), "");
}

}  // namespace
}  // namespace lanecheck
