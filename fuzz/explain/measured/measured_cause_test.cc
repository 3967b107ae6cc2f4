// When a measured cause is no cause, and what its sentence says.
#include "fuzz/explain/measured/measured_cause.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "fuzz/explain/questions/locate.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::string_view kAdd = R"(
ub 1024
alloc d f16 0 256 = 7 x128
alloc s f16 256 256 = 1 x128
alloc t f16 512 256 = 2 x128
set_mask high=0x0 low=0xf
add.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, t+0 blk=1 rep=8, repeat=1
)";

std::optional<MeasuredCause> measured(const Backend& backend) {
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  return measure_cause(parse_program(kAdd, "test"), 1, asked, documented);
}

/// The cause that names the last instruction of the program.
std::optional<MeasuredCause> measured_to_name(const Program& program, const Backend& backend) {
  const Documented documented(program.profile, default_readings(program.profile), {});
  AskedBackend asked(backend, program.profile);
  return measure_cause(program, program.instructions.size() - 1, asked, documented, true);
}

/// The oracle on a program that `change` has changed.
Backend that_runs(std::function<void(Program&)> change) {
  return function_backend("changed", "", [=](const Program& given, State& state) -> Outcome {
    Program program = given;
    change(program);
    execute(program, Semantics{}, state);
    return Ran{};
  });
}

/// kAdd, `repeat` times, on a backend that ignores the mask if it repeats more than twice.
std::optional<MeasuredCause> measured_with_repeat(unsigned repeat) {
  Backend backend = that_runs([](Program& program) {
    if (program.instructions.back().repeat > 2)
      for (Instruction& insn : program.instructions) insn.high = insn.low = ~std::uint64_t{0};
  });
  backend.shows_mask = false;
  Program program = parse_program(kAdd, "test");
  program.instructions.back().repeat = repeat;
  for (Operand& operand : program.instructions.back().operands) operand.repeat_stride = 0;
  return measured_to_name(program, backend);
}

/// The maps say why one of them was not measured, in the words of the backend.
TEST(MeasureCause, KeepsMapsOfABackendThatSpeaksNoUtf8) {
  const Backend ignores = that_runs([](Program& program) {
    for (Instruction& insn : program.instructions) insn.high = insn.low = ~std::uint64_t{0};
  });
  Backend backend = function_backend("odd", "", [&](const Program& program, State& state) -> Outcome {
    if (program.instructions.back().repeat > 1) return Errored{"broken: \xff\xfe"};
    return ignores.run(program, state);
  });
  backend.shows_mask = false;
  const auto cause = measured(backend);
  ASSERT_TRUE(cause);
  EXPECT_NE(cause->maps.find("broken: "), std::string::npos) << cause->maps;
}

TEST(MeasureCause, IsNoneIfItsSentenceDoesNotGiveWhatTheBackendLeft) {
  EXPECT_FALSE(measured_with_repeat(1));
}

TEST(MeasureCause, SaysWithWhichRepeatTimesItHolds) {
  const auto cause = measured_with_repeat(3);
  ASSERT_TRUE(cause);
  EXPECT_NE(cause->sentence.find(", not with 1..2"), std::string::npos) << cause->sentence;
}

TEST(MeasureCause, GivesTheSentenceTheMapsAndTheProbesThatDiverge) {
  Backend backend = that_runs([](Program& program) {
    for (Instruction& insn : program.instructions) insn.high = insn.low;
  });
  backend.shows_mask = false;
  const auto cause = measured(backend);
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->sentence, "lanes 64..127 of add.f16 are gated by slots 0..63 instead of 64..127");
  EXPECT_EQ(cause->matter, Matter::mask);
  EXPECT_NE(cause->maps.find("lanes 64..127 by slot lane - 64"), std::string::npos) << cause->maps;
  EXPECT_FALSE(cause->diverging.empty());
}

TEST(MeasureCause, NamesTheRegisterBeforeTheGatesIfItIsShown) {
  const auto cause = measured(that_runs([](Program& program) {
    for (Instruction& insn : program.instructions) insn.high = insn.low;
  }));
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->sentence, "after set_mask, slots 64..127 of the mask receive the bits of the low word");
  EXPECT_EQ(cause->matter, Matter::mask);
}

/// The program does not use the counter mode of gather_mask, which the backend takes another way.
TEST(MeasureCause, ALawOfDataIsNoCauseIfTheMaskAloneIsWrong) {
  const Program program = parse_program(
      "profile ascendc-a2\nub 608\nalloc d f16 0 64 = 7 x32\nalloc s f16 96 256 = 1 x128\n"
      "alloc n u64 384 32 = 0 x4\n"
      "gather_mask.f16 d+0, s+0 blk=1 rep=8, n+0, pattern=3, counter=0, mask=0, repeat=1\n",
      "test");
  const auto sentence_of = [&](bool leaves_mask) {
    Readings in_all;
    in_all.gather_counter = GatherCounter::total;
    const Backend backend = function_backend("other", "", [=](const Program& given, State& state) -> Outcome {
      execute(given, Semantics(in_all), state);
      if (leaves_mask && given.instructions.back().op == Op::gather_mask) state.mask[3] ^= 1;
      return Ran{};
    });
    const Documented documented(Profile::a2, Readings{}, {});
    AskedBackend asked(backend, Profile::a2);
    const auto cause = measure_cause(program, 0, asked, documented, true);
    return cause ? cause->sentence : "";
  };
  EXPECT_NE(sentence_of(false).find("takes its mask argument"), std::string::npos) << sentence_of(false);
  EXPECT_EQ(sentence_of(true).find("takes its mask argument"), std::string::npos) << sentence_of(true);
}

TEST(MeasureCause, SaysNothingOfTheOracleAndOfABackendThatDoesNotAnswer) {
  EXPECT_FALSE(measured(that_runs([](Program&) {})));
  EXPECT_FALSE(
      measured(function_backend("shy", "", [](const Program&, State&) { return Outcome(Skipped{"no"}); })));
}

TEST(MeasureCause, ACauseThatAReadingExplainsIsToldOnlyToNameAFinding) {
  Readings saturates;
  saturates.integer_overflow = IntegerOverflow::saturates;
  const Backend backend =
      function_backend("saturates", "", [=](const Program& given, State& state) -> Outcome {
        execute(given, Semantics(saturates), state);
        return Ran{};
      });
  std::string text(kAdd);
  for (std::size_t at = text.find("f16"); at != std::string::npos; at = text.find("f16"))
    text.replace(at, 3, "i16");
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  EXPECT_FALSE(measure_cause(parse_program(text, "test"), 1, asked, documented, false));
  const auto cause = measure_cause(parse_program(text, "test"), 1, asked, documented, true);
  ASSERT_TRUE(cause);
  EXPECT_TRUE(cause->is_reading);
  EXPECT_NE(cause->sentence.find("integer_overflow=saturates"), std::string::npos) << cause->sentence;
}

/// TIK: "repeat_times: a Scalar or an immediate". A Scalar that is taken for a signed byte performs nothing
/// from 128 on.
TEST(MeasureCause, SaysThatOnlyAScalarGivesWrongRepeatTimes) {
  const Backend backend = function_backend("changed", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (Instruction& insn : program.instructions)
      if (insn.scalar_repeat && insn.repeat > 127) insn.repeat = 0;
    execute(program, Semantics(default_readings(given.profile)), state);
    return Ran{};
  });
  const Documented documented(Profile::tik, default_readings(Profile::tik), {});
  AskedBackend asked(backend, Profile::tik);
  const Program program = parse_program(
      "profile tik\nub 65536\nalloc d f16 0 65280 = 7 x32640\ndup.f16 d+0 blk=1 rep=8, scalar=1, mask=128, "
      "repeat=scalar:200\n",
      "test");
  const auto cause = measure_cause(program, 0, asked, documented, true);
  ASSERT_TRUE(cause);
  EXPECT_EQ(
      cause->sentence,
      "dup.f16 performs no repeat if its repeat times are more than 127; so with repeat times in a Scalar, "
      "not with a number");
}

/// A path of its own for a scalar of 0, without the mask.
TEST(MeasureCause, SaysWithWhichScalarAGateIsWrong) {
  Backend backend = that_runs([](Program& program) {
    const Instruction& last = program.instructions.back();
    if (last.op != Op::muls || last.scalar.value != 0) return;
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::set_mask) insn.high = insn.low = ~std::uint64_t{0};
  });
  backend.shows_mask = false;
  const auto cause = measured_to_name(parse_program(R"(
ub 512
alloc d f16 0 256 = 7 x128
alloc s f16 256 256 = 1 x128
set_mask high=0x0 low=0xf
muls.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=0, repeat=1
)",
                                                    "test"),
                                      backend);
  ASSERT_TRUE(cause);
  EXPECT_NE(cause->sentence.find("; so with scalar 0, not with 3"), std::string::npos) << cause->sentence;
}

/// 4e-17 + 1 is 1: with this scalar nothing shows what the operands do.
TEST(MeasureCause, TriesAnotherScalarIfThatOfTheCaseHidesTheLaw) {
  const Backend swapped =
      function_backend("swapped", "", [](const Program& program, State& state) -> Outcome {
        execute(program, Semantics{}, state);
        const Instruction& insn = program.instructions.back();
        if (insn.op != Op::axpy || insn.operands[0].allocation == insn.operands[1].allocation) return Ran{};
        Program other = program;
        other.instructions.pop_back();
        execute(other, Semantics{}, state);
        Instruction times = insn;  // dst = scalar * dst, then dst + src
        times.op = Op::muls;
        times.operands[1] = times.operands[0];
        execute_one(program, times, Semantics{}, state);
        Instruction plus = insn;
        plus.op = Op::add;
        plus.operands[2] = plus.operands[1];
        plus.operands[1] = plus.operands[0];
        execute_one(program, plus, Semantics{}, state);
        return Ran{};
      });
  const auto cause = measured_to_name(parse_program(R"(
ub 512
alloc t0 f32 0 256 = 0 x64
alloc t1 f32 256 256 = 1 x64
axpy.f32 t0+0 blk=1 rep=8, t1+0 blk=1 rep=8, scalar=4.2963731237502206e-17, repeat=1
)",
                                                    "test"),
                                      swapped);
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->sentence, "axpy.f32 computes scalar * old dst + src instead of scalar * src + old dst");
}

/// Its identification asks for several hundred programs before it comes to indices.
TEST(MeasureCause, NamesAnIndexAmongTheActiveElements) {
  const Backend counts = function_backend("counts", "", [](const Program& program, State& state) -> Outcome {
    execute(program, Semantics(default_readings(program.profile)), state);
    const Instruction& insn = program.instructions.back();
    const unsigned order = setting(insn, "order");
    if (insn.op != Op::cmin_index || order == 2) return Ran{};
    State before;
    execute(prefix(program, program.instructions.size() - 1), Semantics(default_readings(program.profile)),
            before);
    const MaskWords words = insn.mask_from == MaskFrom::reg
                                ? MaskWords{mask_word(before.mask, 1), mask_word(before.mask, 0)}
                                : operand_words(insn, default_readings(program.profile));
    for (unsigned r = 0; r < insn.repeat; ++r) {
      std::uint32_t lane = 0;
      const std::size_t at =
          start_of(program, insn.operands[0]) + r * repeat_step(insn, 0) + (order == 0 ? 4 : 0);
      std::memcpy(&lane, &state.ub[at], sizeof lane);
      if (lane >= lanes_of(insn)) continue;
      lane = static_cast<std::uint32_t>(std::popcount(words.low & ((std::uint64_t{1} << lane) - 1)));
      std::memcpy(&state.ub[at], &lane, sizeof lane);
    }
    return Ran{};
  });
  const auto cause = measured_to_name(parse_program(R"(
profile ascendc-a2
ub 320
alloc d f32 0 32 = 0 x8
alloc s f32 64 256 = 245 x63, 66
cmin_index.f32 d+0 rep=1, s+0 blk=1 rep=8, order=0, mask=0x0:0xffffffffffffff7f, repeat=1
)",
                                                    "test"),
                                      counts);
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->sentence, "cmin_index.f32 counts only active elements for the index");
}

TEST(MeasureCause, EndsWhenTheRunEnds) {
  const Backend backend = that_runs([](Program& program) {
    for (Instruction& insn : program.instructions) insn.high = insn.low;
  });
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc, [] { return true; });
  EXPECT_FALSE(measure_cause(parse_program(kAdd, "test"), 1, asked, documented));
  EXPECT_EQ(asked.questions(), 0u);
}

/// The first data block of repeat 1 is not written, and the program has one repeat.
/// The program writes in its first repeat; so a sentence about the second one is no contradiction.
TEST(MeasuredCause, SaysOfSomeRepeatsThatTheyAreUnwritten) {
  const Backend leaves_out =
      function_backend("leaves out", "", [](const Program& given, State& state) -> Outcome {
        Program program = given;
        program.instructions.clear();
        for (const Instruction& insn : given.instructions) {
          const bool is_whole = insn.mask_from == MaskFrom::count || lanes_of(insn) > 64;
          for (unsigned r = 0; r < repeats_of(insn); r += 2)
            if (!is_whole) program.instructions.push_back(one_repeat(insn, r));
          if (is_whole) program.instructions.push_back(insn);
        }
        execute(program, Semantics(default_readings(program.profile)), state);
        return Ran{};
      });
  const Program program = parse_program(R"(
profile tik
ub 1024
alloc d f32 0 512 = 0 x128
alloc s f32 512 512 = 0 x128
adds.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=3, mask=0x0:0xffffffffffffffff, repeat=2
)",
                                        "test");
  const auto cause = measured_to_name(program, leaves_out);
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->sentence,
            "adds.f32 writes nothing in odd repeats (counted from 0), but not with a count of its own");
}

/// The words of a bitwise mask are exchanged. That leaves this program right; of 128 elements only 64 take
/// part.
TEST(MeasuredCause, OfAContiguousMaskIsMeasuredThoughBitwiseOnesAreWrongInAnotherWay) {
  const Backend backend =
      function_backend("two mistakes", "", [](const Program& given, State& state) -> Outcome {
        Program program = given;
        for (Instruction& insn : program.instructions) {
          if (insn.mask_from == MaskFrom::bitwise) std::swap(insn.high, insn.low);
          if (insn.mask_from == MaskFrom::contiguous && insn.low == 128) insn.low = 64;
        }
        execute(program, Semantics(default_readings(program.profile)), state);
        return Ran{};
      });
  const Program program = parse_program(R"(
profile ascendc-a2
ub 768
alloc d f16 0 256 = 0 x128
alloc s f16 256 256 = 0 x128
alloc t f16 512 256 = 0 x128
vmax.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, t+0 blk=1 rep=8, mask=128, repeat=1
)",
                                        "test");
  const auto cause = measured_to_name(program, backend);
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->sentence,
            "for a contiguous mask of its own vmax.f16 takes 64 elements if the length n is 128");
}

TEST(MeasuredCause, SpeaksOfNoRepeatThatTheProgramDoesNotHave) {
  const Backend skips = function_backend("skips 77", "", [](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::add || insn.repeat < 2 || insn.mask_from == MaskFrom::count) return Ran{};
    std::copy_n(&program.ub[start_of(program, insn.operands[0]) + insn.operands[0].repeat_stride * 32], 32,
                &state.ub[start_of(program, insn.operands[0]) + insn.operands[0].repeat_stride * 32]);
    return Ran{};
  });
  Program two = parse_program(R"(
ub 2048
alloc d f16 0 512 = 7 x256
alloc s f16 512 512 = 1 x256
alloc t f16 1024 512 = 2 x256
add.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, t+0 blk=1 rep=8, repeat=2
)",
                              "test");
  EXPECT_TRUE(measured_to_name(two, skips));
  two.instructions[0].repeat = 1;
  const auto cause = measured_to_name(two, skips);
  EXPECT_FALSE(cause) << cause->sentence;
}

/// Another lane writes the same place: that it changes does not contradict the law.
TEST(MeasureCause, NamesALaneThatIsNeverWrittenWhereLanesShareAPlace) {
  const Backend loses = function_backend("loses", "", [](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    for (const Instruction& insn : program.instructions) {
      const std::uint8_t slot = state.mask[127];
      if (insn.op == Op::add) state.mask[127] = 0;
      execute_one(program, insn, Semantics{}, state);
      if (insn.op == Op::add) state.mask[127] = slot;
    }
    return Ran{};
  });
  const auto cause = measured_to_name(parse_program(R"(
ub 1024
alloc d f16 0 32 = 7 x16
alloc s f16 256 256 = 1 x127, 3
alloc t f16 512 256 = 2 x128
add.f16 d+0 blk=0 rep=8, s+0 blk=1 rep=8, t+0 blk=1 rep=8, repeat=1
)",
                                                    "test"),
                                      loses);
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->sentence, "lane 127 of add.f16 is never written");
}

}  // namespace
}  // namespace lanecheck
