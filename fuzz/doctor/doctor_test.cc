// The doctor names the one mistake of each wrong adapter (wrong_adapter.py), and finds none in a right one.
#include "fuzz/doctor/doctor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>

#include "fuzz/backend/example_backend.h"
#include "fuzz/backend/process_backend.h"
#include "fuzz/doctor/causes.h"
#include "fuzz/doctor/mistaken_adapter.h"
#include "fuzz/doctor/protocol_check.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"

namespace lanecheck {

void PrintTo(const AdapterMistake& mistake, std::ostream* out) {
  *out << mistake.id;
}

namespace {

Backend adapter(std::string_view mistake, std::string_view profiles) {
  std::string command = LANECHECK_PYTHON " " LANECHECK_SOURCE_DIR "/fuzz/doctor/wrong_adapter.py ";
  AttachOptions patient;
  patient.deadline = 60;
  return process_backend(command.append(mistake).append(" ").append(profiles), patient);
}

Diagnosis examine_adapter(std::string_view mistake, std::string_view profiles = {}) {
  return examine(adapter(mistake, profiles));
}

std::string shown(const Diagnosis& diagnosis) {
  std::ostringstream out;
  print_diagnosis(out, diagnosis);
  return out.str();
}

void expect_named(const AdapterMistake& mistake, std::string_view profile) {
  SCOPED_TRACE(std::string(mistake.id).append(" in ").append(profile));
  const Diagnosis diagnosis = examine_adapter(mistake.id, profile);
  EXPECT_FALSE(diagnosis.healthy());
  ASSERT_EQ(diagnosis.causes.size(), 1u) << shown(diagnosis);
  ASSERT_EQ(diagnosis.causes[0].mistakes.size(), 1u) << shown(diagnosis);
  EXPECT_EQ(diagnosis.causes[0].mistakes[0]->id, mistake.id) << shown(diagnosis);
  EXPECT_TRUE(diagnosis.unexplained.empty()) << shown(diagnosis);
  EXPECT_NE(shown(diagnosis).find(mistake.fix), std::string::npos);
}

class EveryMistake : public testing::TestWithParam<AdapterMistake> {};

TEST_P(EveryMistake, IsNamedAndNothingElseIs) {
  const Profile first = GetParam().profiles.contains(Profile::vmc) ? Profile::vmc : Profile::a2;
  expect_named(GetParam(), row_of(first).name);
}

/// Does some question that `backend` is asked show the mistake?
bool shows(const AdapterMistake& mistake, const Backend& backend, Profile profile) {
  std::vector<Program> before;
  for (const Question& question : questions(backend.capabilities, std::array{profile})) {
    const auto foretold = mistake.foretell({question.programs, before});
    if (foretold && !same_states(question.programs, *foretold, right_answers(question.programs), true))
      return true;
    before.insert(before.end(), question.programs.begin(), question.programs.end());
  }
  return false;
}

class EveryProfile : public testing::TestWithParam<Profile> {};

TEST_P(EveryProfile, NamesTheMistakesThatShowInIt) {
  const std::string_view name = row_of(GetParam()).name;
  const Backend right = adapter("none", name);
  unsigned named = 0;
  for (const AdapterMistake& mistake : mistakes()) {
    if (!mistake.profiles.contains(GetParam()) || !shows(mistake, right, GetParam())) continue;
    expect_named(mistake, name);
    ++named;
  }
  EXPECT_GT(named, 40u);
}

TEST_P(EveryProfile, FindsARightAdapterHealthy) {
  const Diagnosis plain = examine_adapter("none", row_of(GetParam()).name);
  EXPECT_TRUE(plain.healthy()) << shown(plain);
  const Diagnosis built_in = examine(example_backend(), {GetParam()});
  EXPECT_TRUE(built_in.healthy()) << shown(built_in);
}

INSTANTIATE_TEST_SUITE_P(Doctor, EveryProfile, testing::Values(Profile::a2, Profile::p310, Profile::tik),
                         [](const auto& each) {
                           std::string name(row_of(each.param).name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Doctor, FindsTheNumPyBackendOfTheOtherProfilesHealthy) {
  const Diagnosis diagnosis = examine(process_backend(
      LANECHECK_PYTHON " " LANECHECK_SOURCE_DIR "/fuzz/unforeseen/api_simulator.py", AttachOptions{}));
  EXPECT_TRUE(diagnosis.healthy()) << shown(diagnosis);
}

TEST(Doctor, AsksFurtherProfilesOnlyWhatSetsThemApart) {
  const auto programs = [](std::span<const Profile> profiles) {
    std::size_t count = 0;
    for (const Question& question : questions(Capabilities{}, profiles)) count += question.programs.size();
    return count;
  };
  const std::size_t one = programs(std::array{Profile::vmc});
  EXPECT_LT(programs(kEveryProfile), 2 * one);
  const Diagnosis diagnosis = examine_adapter("count-as-repeats", "vmc tik");
  ASSERT_EQ(diagnosis.causes.size(), 1u) << shown(diagnosis);
  EXPECT_EQ(diagnosis.causes[0].seen_in, std::vector<std::string>{"tik:count"});
  EXPECT_NE(shown(diagnosis).find("profile tik, only the questions about masks"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Doctor, EveryMistake, testing::ValuesIn(mistakes().begin(), mistakes().end()),
                         [](const auto& each) {
                           std::string name(each.param.id);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// A mistake that is not in the list must not be taken for one of the list.
TEST(Doctor, AnUnknownMistakeGetsNoName) {
  for (const char* mistake :
       {"strides-of-src1", "strides-halved", "block-stride-is-repeat-stride", "blocks-from-1",
        "dst-offset-twice", "lanes-off-are-0", "mask-used-once", "words-of-16-bits", "third-lanes-unmasked",
        "low-32-bits", "dst-in-a-row-if-mask-full"}) {
    const Diagnosis diagnosis = examine_adapter(mistake);
    EXPECT_TRUE(diagnosis.causes.empty()) << mistake << "\n" << shown(diagnosis);
    EXPECT_FALSE(diagnosis.unexplained.empty()) << mistake << "\n" << shown(diagnosis);
  }
}

TEST(Doctor, APlainProgramIsLegalAndChangesItsDst) {
  const auto plain = plain_programs(Capabilities{}, kEveryProfile);
  EXPECT_GT(plain.size(), 100u);
  for (const PlainProgram& each : plain) {
    const auto fault = find_fault(each.program);
    EXPECT_FALSE(fault) << each.mnemonic << ": " << describe(each.program, *fault);
    const std::vector<Program> one = {each.program};
    if (row_of(each.program.instructions[0].op).writes_dst()) {
      EXPECT_NE(right_answers(one)[0].ub, each.program.ub) << each.mnemonic;
    }
  }
}

/// The oracle, except that instructions of one kind do something else.
Backend oracle_except(Op op, std::function<Outcome(const Program&, State&)> does) {
  return function_backend("odd", "", [op, does](const Program& program, State& state) -> Outcome {
    if (std::ranges::count(program.instructions, op, &Instruction::op) > 0) return does(program, state);
    execute(program, Semantics{}, state);
    return Ran{};
  });
}

TEST(Doctor, NamesAnInstructionThatFails) {
  const Diagnosis diagnosis = examine(oracle_except(
      Op::mul, [](const Program&, State&) { return Errored{"ZeroDivisionError: division by zero"}; }));
  EXPECT_FALSE(diagnosis.healthy());
  EXPECT_NE(shown(diagnosis).find("mul.f16, mul."), std::string::npos) << shown(diagnosis);
  EXPECT_NE(shown(diagnosis).find(" raise ZeroDivisionError: division by zero"), std::string::npos);
}

/// A mode that stays makes a count of the next mask, and no memory holds so many elements.
TEST(Doctor, AnInstructionThatFailsBehindALeakIsNoMistakeOfItsOwn) {
  const auto leak = std::ranges::find(mistakes(), "mode-leaks", &AdapterMistake::id);
  ASSERT_NE(leak, mistakes().end());
  Diagnosis diagnosis;
  diagnosis.instructions.faults = {{InstructionFault::Kind::fails, "raises MemoryError", {"shl.i16"}}};
  EXPECT_EQ(complaints(diagnosis).size(), 1u);
  diagnosis.causes = {{{&*leak}, {"fresh_state"}}};
  const auto lines = complaints(diagnosis);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].find("shl.i16"), std::string::npos) << lines[0];
}

TEST(Doctor, NamesAnInstructionThatDoesNothing) {
  const Diagnosis diagnosis = examine(oracle_except(Op::cadd, [](const Program& program, State& state) {
    state = {program.ub, kFullMask};
    return Ran{};
  }));
  EXPECT_FALSE(diagnosis.healthy());
  EXPECT_NE(shown(diagnosis).find(" leave dst as it was"), std::string::npos) << shown(diagnosis);
}

/// It writes the greater one of its result and what dst holds, which is more in the doctor's program.
TEST(Doctor, AnInstructionThatKeepsAGreaterOldDstDoesNotDoNothing) {
  const Diagnosis diagnosis = examine(oracle_except(Op::cmax, [](const Program& program, State& state) {
    execute(program, Semantics(default_readings(program.profile)), state);
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cmax || insn.dst_type != Element::f32) return Ran{};
    const std::size_t at = start_of(program, insn.operands[0]);
    float before = 0, result = 0;
    std::memcpy(&before, &program.ub[at], sizeof before);
    std::memcpy(&result, &state.ub[at], sizeof result);
    result = std::max(before, result);
    std::memcpy(&state.ub[at], &result, sizeof result);
    return Ran{};
  }));
  EXPECT_EQ(shown(diagnosis).find(" dst as it was"), std::string::npos) << shown(diagnosis);
}

/// It writes negative elements alone; those of the doctor's program are positive.
TEST(Doctor, AnInstructionThatWritesSomeValuesAloneDoesNotDoNothing) {
  const Diagnosis diagnosis = examine(oracle_except(Op::abs, [](const Program& program, State& state) {
    execute(program, Semantics(default_readings(program.profile)), state);
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::abs || insn.dst_type != Element::f32) return Ran{};
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      const std::size_t to = start_of(program, insn.operands[0]) + lane_offset(insn, 0, 0, lane);
      float src = 0;
      std::memcpy(&src, &program.ub[start_of(program, insn.operands[1]) + lane_offset(insn, 1, 0, lane)], 4);
      if (src >= 0) std::memcpy(&state.ub[to], &program.ub[to], 4);
    }
    return Ran{};
  }));
  EXPECT_EQ(shown(diagnosis).find(" dst as it was"), std::string::npos) << shown(diagnosis);
}

/// Reading control_bits: which bit of a byte comes first, the documents leave open.
TEST(Doctor, WhatAReadingAllowsIsNoMistake) {
  const Backend highest = function_backend("msb", "", [](const Program& program, State& state) -> Outcome {
    Readings readings = default_readings(program.profile);
    pin(readings, "control_bits=highest_first");
    execute(program, Semantics(readings), state);
    return Ran{};
  });
  EXPECT_TRUE(examine(highest).healthy()) << shown(examine(highest));
}

Backend that_skips(const std::function<bool(const Instruction&)>& skips) {
  return function_backend("skips", "", [=](const Program& program, State& state) -> Outcome {
    if (std::ranges::any_of(program.instructions, skips)) return Skipped{"later"};
    execute(program, Semantics(default_readings(program.profile)), state);
    return Ran{};
  });
}

/// A backend may skip what it has no code for yet.
TEST(Doctor, WhatIsSkippedIsNoFailure) {
  const Diagnosis counts = examine(
      that_skips([](const Instruction& insn) { return insn.mask_from == MaskFrom::count; }), {Profile::a2});
  EXPECT_TRUE(counts.healthy()) << shown(counts);
  EXPECT_NE(shown(counts).find("not answered: the backend skips it: later"), std::string::npos)
      << shown(counts);
  const Diagnosis all = examine(that_skips([](const Instruction&) { return true; }));
  EXPECT_FALSE(all.healthy());
  EXPECT_NE(shown(all).find("the backend skips all that it was asked"), std::string::npos) << shown(all);
}

/// A shift by 64 that is taken for a shift by 0 makes the low word of a mask of 64 lanes empty.
TEST(Doctor, TriesAnotherLengthBeforeItSaysThatNothingIsWritten) {
  const Backend odd = function_backend("odd", "", [](const Program& program, State& state) -> Outcome {
    Program changed = program;
    for (Instruction& insn : changed.instructions)
      if (insn.mask_from == MaskFrom::contiguous && insn.low == 64) {
        insn.mask_from = MaskFrom::bitwise;
        insn.low = insn.high = 0;
      }
    execute(changed, Semantics(default_readings(program.profile)), state);
    return Ran{};
  });
  const std::string text = shown(examine(odd, {Profile::tik}));
  EXPECT_EQ(text.find(" dst as it was"), std::string::npos) << text;
  EXPECT_NE(text.find(" write nothing under a contiguous mask of 64, which is all lanes, though fewer lanes "
                      "are written"),
            std::string::npos)
      << text;
}

TEST(Doctor, AsksOnlyOnceAnInstructionThatEndsTheProcess) {
  unsigned deaths = 0;
  const Diagnosis diagnosis = examine(oracle_except(Op::mul, [&](const Program&, State&) {
    ++deaths;
    return Errored{"exited with status 3", true};
  }));
  EXPECT_EQ(deaths, 1u);
  EXPECT_GT(diagnosis.instructions.asked, 100u);
  EXPECT_NE(shown(diagnosis).find("the other element types of mul"), std::string::npos) << shown(diagnosis);
}

TEST(Doctor, FindsARightAdapterHealthy) {
  const Diagnosis diagnosis = examine_adapter("none");
  EXPECT_TRUE(diagnosis.healthy()) << shown(diagnosis);
  EXPECT_TRUE(examine(example_backend()).healthy());
}

TEST(Doctor, AsksEverythingOfABackendThatOffersEverything) {
  for (const Question& question : questions(Capabilities{}, std::array{Profile::vmc}))
    EXPECT_FALSE(question.programs.empty()) << question.id;
}

TEST(Doctor, AsksOnlyLegalPrograms) {
  std::vector<Question> all;
  for (const Profile profile : kEveryProfile)
    std::ranges::move(questions(Capabilities{}, std::array{profile}), std::back_inserter(all));
  for (const Question& question : all)
    for (const Program& program : question.programs) {
      const auto fault = find_fault(program);
      EXPECT_FALSE(fault) << question.id << ": " << describe(program, *fault);
    }
}

TEST(Doctor, AsksLittleOfABackendThatOffersLittleAndSaysWhatIsMissing) {
  Backend backend = example_backend();
  backend.capabilities = {false, {{"adds", "f16", "f16", "", ""}}};
  const Diagnosis diagnosis = examine(backend);
  EXPECT_TRUE(diagnosis.healthy()) << shown(diagnosis);
  EXPECT_NE(shown(diagnosis).find("does not offer set_mask"), std::string::npos);
}

TEST(Doctor, AsksASumIfNoOtherReductionIsOffered) {
  Backend backend = function_backend("sums", "", [](Program program, State& state) -> Outcome {
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::cadd) insn.operands[0].repeat_stride = 1;
    execute(program, Semantics{}, state);
    return Ran{};
  });
  backend.capabilities = {
      false, {{"set_mask", "", "", "", ""}, {"add", "i32", "i32", "", ""}, {"cadd", "i32", "i32", "", ""}}};
  const Diagnosis diagnosis = examine(backend);
  ASSERT_EQ(diagnosis.causes.size(), 1u) << shown(diagnosis);
  EXPECT_EQ(diagnosis.causes[0].mistakes[0]->id, "reduction-stride-ignored") << shown(diagnosis);
}

TEST(Doctor, SaysWhichQuestionNoKnownMistakeExplains) {
  const Backend odd = function_backend("odd", "", [example = example_backend()](const Program& p, State& s) {
    Outcome outcome = example.run(p, s);
    if (p.instructions.size() == 3 && !sets_words(p.instructions[0])) s.ub[7] = std::byte{0x99};
    return outcome;
  });
  const Diagnosis diagnosis = examine(odd, {Profile::vmc});
  EXPECT_TRUE(diagnosis.causes.empty());
  ASSERT_EQ(diagnosis.unexplained.size(), 1u);
  EXPECT_EQ(diagnosis.unexplained[0], "all_written");
  EXPECT_NE(shown(diagnosis).find("byte 7 of UB"), std::string::npos);
}

TEST(Doctor, ABackendThatRefusesEverythingFailsForOneReasonWhichIsShown) {
  const Diagnosis diagnosis = examine(
      function_backend("no", "", [](const Program&, State&) -> Outcome { return Refused{"not today"}; }));
  EXPECT_TRUE(diagnosis.one_cause_for_all());
  EXPECT_NE(shown(diagnosis).find("refused: not today"), std::string::npos);
}

Backend mutant_backend(std::string_view id) {
  return function_backend(std::string(id), "", [id](const Program& program, State& state) -> Outcome {
    execute(program, find_mutant(id)->semantics(default_readings(program.profile)), state);
    return Ran{};
  });
}

TEST(Doctor, AWrongRuleIsNotAWrongAdapter) {
  EXPECT_FALSE(examine(mutant_backend("cadd-keeps-dst")).one_cause_for_all());
  EXPECT_FALSE(examine(mutant_backend("set-mask-swapped")).one_cause_for_all());
  EXPECT_TRUE(examine_adapter("memory-not-copied-out").one_cause_for_all());
}

std::vector<std::string> broken_claims(const std::string& command) {
  AttachOptions options;
  options.deadline = 5;
  std::vector<std::string> claims;
  for (const ProtocolCheck& check : check_protocol(command, options))
    if (!check.wrong.empty()) claims.push_back(std::string(check.claim) + ": " + check.wrong);
  return claims;
}

TEST(Protocol, OurOwnSidesKeepToIt) {
  EXPECT_EQ(broken_claims(LANECHECK_BINARY " serve"), std::vector<std::string>{});
  EXPECT_EQ(broken_claims(LANECHECK_BINARY " serve --hex-only"), std::vector<std::string>{});
  const std::string skeleton = "env PYTHONPATH=" LANECHECK_SOURCE_DIR "/fuzz/backend/python " LANECHECK_PYTHON
                               " " LANECHECK_SOURCE_DIR "/fuzz/backend/skeleton/python/my_simulator.py";
  EXPECT_EQ(broken_claims(skeleton), std::vector<std::string>{});
}

TEST(Protocol, WhatDoesNotKeepToItIsToldClaimByClaim) {
  const std::string bad =
      LANECHECK_PYTHON " " LANECHECK_SOURCE_DIR "/fuzz/backend/misbehaving/bad_backend.py ";
  EXPECT_EQ(
      broken_claims(bad + "hello_version"),
      std::vector<std::string>{"answers hello with a name and a version of the protocol: the backend speaks "
                               "protocol 7, this lanecheck speaks 1"});
  const auto lingers = broken_claims(bad + "lingers");
  ASSERT_EQ(lingers.size(), 2u) << "it also runs instructions that do not exist";
  EXPECT_EQ(lingers[1], "ends when its input ends, with status 0: had to be killed");
}

}  // namespace
}  // namespace lanecheck
