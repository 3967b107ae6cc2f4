// The part of a measured difference that other instructions share, and when a measured cause is no cause.
#include "fuzz/explain/measured_cause.h"

#include <gtest/gtest.h>

#include "fuzz/explain/cause_key.h"

#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

Instruction instruction(const std::string& name, Profile profile = Profile::vmc) {
  Instruction insn;
  EXPECT_TRUE(parse_mnemonic(name, insn)) << name;
  const TypePair types = *types_of(insn, profile);
  return default_subject(profile, row_of(insn.op), types).insn;
}

std::string key(const std::string& name, const Difference& difference, bool plain = true) {
  return cause_key(difference, instruction(name), plain);
}

TEST(CauseKey, LeavesOutTheInstruction) {
  EXPECT_EQ(key("add.f16", {MapKind::gate, "lanes 64..127 of add.f16 are gated by slots 0..63", ""}),
            "gate: lanes P/2..P-1 are gated by slots 0..P/2-1");
  EXPECT_EQ(key("abs.f16", {MapKind::dst, "the last repeat of abs.f16 is left out", ""}),
            "dst: the last repeat is left out");
}

TEST(CauseKey, IsTheSameForAllLanesOfEveryWidth) {
  const std::string all = "gate: all lanes are written whatever the mask is in some repeats";
  EXPECT_EQ(key("add.f32", {MapKind::gate, "lanes 0..63 of add.f32 are written whatever the mask is",
                            "in the last repeat"}),
            all);
  EXPECT_EQ(key("add.i8",
                {MapKind::gate, "lanes 0..127 of add.i8 are written whatever the mask is", "in repeat 2"}),
            all);
}

TEST(CauseKey, IsTheSameForPartsOfARepeatOfEveryWidth) {
  const auto lanes = [](const std::string& name, const std::string& numbers) {
    return key(name, {MapKind::gate, numbers + " of " + name + " are never written", ""});
  };
  EXPECT_EQ(lanes("add.f16", "lanes 64..127"), lanes("add.f32", "lanes 32..63"));
  EXPECT_EQ(lanes("add.f16", "lanes 112..126"), lanes("add.f32", "lanes 56..62"));
  EXPECT_EQ(lanes("add.f16", "lanes 123..127"), lanes("add.f32", "lanes 59..63"));
  EXPECT_NE(lanes("add.f16", "lanes 64..127"), lanes("add.f32", "lanes 0..31"));
  EXPECT_NE(lanes("add.f16", "lanes 3..5"), lanes("add.f16", "lanes 3..6"));
}

TEST(CauseKey, IsTheSameForReductionsThatCountWhatOthersWrite) {
  EXPECT_EQ(
      key("cadd.f32", {MapKind::gate, "cadd.f32 ignores the mask: all lanes are counted whatever it is", ""}),
      key("add.f32", {MapKind::gate, "add.f32 ignores the mask: all lanes are written whatever it is", ""}));
}

TEST(CauseKey, NumbersOfResultsOfDataBlocksAndOfPatternsAreNoNumbersOfLanes) {
  EXPECT_EQ(key("cgmax.f16", {MapKind::dst, "result 7 of cgmax.f16 is not written", ""}),
            key("cgmax.f32", {MapKind::dst, "result 7 of cgmax.f32 is not written", ""}));
  Instruction gathers = instruction("gather_mask.u32", Profile::a2);
  const Difference exchanges{MapKind::dst, "gather_mask.u32 exchanges fixed patterns 1 and 2", ""};
  gathers.settings[1] = 1;  // in counter mode
  gathers.settings[2] = 2;
  const std::string of_two = cause_key(exchanges, gathers, true);
  gathers.settings[2] = 70;
  EXPECT_EQ(of_two, cause_key(exchanges, gathers, true));
}

TEST(CauseKey, LeavesDistancesOutThatFollowFromTheType) {
  const std::string of = "the results of consecutive repeats of ", packed = ": they are packed";
  EXPECT_EQ(key("cmax.f16", {MapKind::dst, of + "cmax.f16 lie 2 bytes apart instead of 4" + packed, ""}),
            key("cmax.f32", {MapKind::dst, of + "cmax.f32 lie 4 bytes apart instead of 8" + packed, ""}));
}

TEST(CauseKey, ADistanceOfResultsIsNoStrideOfAnOperand) {
  const auto of = [](const std::string& name, const std::string& what) {
    return key(name, {MapKind::dst, what, ""}, false);
  };
  const std::string walks = of("cmax.f16", "dst of cmax.f16 walks with repeat stride 2 instead of 1");
  EXPECT_NE(
      of("cmax.f16",
         "the results of consecutive repeats of cmax.f16 lie 2 bytes apart instead of 4: they are packed, as "
         "if the repeat stride were 1"),
      walks);
  const std::string extra =
      "brcb.i32 writes 64 elements of dst that it must not write, between number 832 and "
      "number 895 (with repeat time 5 and a repeat stride of 32)";
  EXPECT_EQ(of("brcb.i32", extra).find_first_of("0123456789"), std::string::npos) << of("brcb.i32", extra);
}

TEST(CauseKey, IsMadeOfWhatIsSaidOfEveryType) {
  Difference difference{MapKind::contribution,
                        "results of cgmin.i16 are written (32767) if a lane of their repeat is on", ""};
  difference.general = "results are written if a lane of their repeat is on";
  EXPECT_EQ(key("cgmin.i16", difference),
            "contribution: results are written if a lane of their repeat is on");
}

TEST(CauseKey, IsThatOfTheDifferenceIfItHasOne) {
  Difference difference{MapKind::values, "8 of 512 results of add.f16 are wrong under a full mask", ""};
  difference.key = "values: wrong results of add.f16";
  EXPECT_EQ(key("add.f16", difference), "values: wrong results of add.f16");
}

TEST(CauseKey, OtherStridesAreOneCauseForAllSources) {
  EXPECT_EQ(key("abs.f16", {MapKind::src, "src of abs.f16 walks with repeat stride 8 instead of 0", ""}),
            "src: does not follow a stride of 0");
  EXPECT_EQ(key("mul.f16", {MapKind::src1, "src1 of mul.f16 walks with block stride 1 instead of 3", ""}),
            key("mul.f16", {MapKind::src0, "src0 of mul.f16 walks with block stride 2 instead of 4", ""}));
}

TEST(CauseKey, IsSharedByFamiliesIfTheyMayShareTheCode) {
  MeasuredCause cause;
  cause.key = "dst: the last repeat is left out";
  cause.is_shared = true;
  EXPECT_EQ(id_of(cause, "elementwise"), id_of(cause, "reduction"));
  cause.is_shared = false;
  EXPECT_NE(id_of(cause, "elementwise"), id_of(cause, "reduction"));
}

TEST(CauseKey, NamesTheOwnerOfStridesButNotTheirNumbers) {
  const Difference block = {MapKind::src1,
                            "src1 of mul.f16 walks with the block stride of src0 instead of its own", ""};
  EXPECT_EQ(key("mul.f16", block, false), "src1: walks with the strides of src0");
  EXPECT_EQ(
      key("mul.f16", {MapKind::dst, "dst of mul.f16 walks with block stride 1 instead of 2", ""}, false),
      "dst: walks with other strides");
}

TEST(CauseKey, ADistanceOfEightIsNoDataBlockOfF32) {
  const auto of = [](const std::string& name, const std::string& lanes) {
    return key(
        name, {MapKind::control, lanes + " of " + name + " use bit L xor 8 of control instead of bit L", ""});
  };
  EXPECT_EQ(of("select.f16", "lanes 0..127"), of("select.f32", "lanes 0..63"));
}

TEST(CauseKey, CountsNoNumbersOfAShapeThatACaseBrought) {
  EXPECT_EQ(key("mul.f16", {MapKind::src1, "src1 of mul.f16 starts 16 elements later", ""}, false),
            "src1: src1 starts # elements later");
}

TEST(CauseKey, IsTheSameForANumberWhoeverBringsIt) {
  const std::string law = "takes 128 elements if the length n is 65 or more";
  const auto of = [&](const std::string& name, const std::string& start) {
    return key(name, {MapKind::length, start + name + " " + law, ""});
  };
  EXPECT_EQ(of("add.f16", "for a contiguous mask of its own "),
            of("mul.f16", "for a contiguous mask from the register an instruction such as "));
}

TEST(CauseKey, DataBlocksInReverseOrderAreOneLawForEveryWidth) {
  const auto mirrored = [](const std::string& name, const std::string& lanes, const std::string& last) {
    return key(name, {MapKind::gate,
                      lanes + " of " + name + " are gated by slot lane xor " + last +
                          " instead of each by its own slot",
                      ""});
  };
  EXPECT_EQ(mirrored("relu.i8", "lanes 0..127", "31"), mirrored("relu.f32", "lanes 0..63", "7"));
  EXPECT_NE(mirrored("relu.i8", "lanes 0..127", "31"), mirrored("relu.f32", "lanes 0..63", "15"));
}

/// Of f32, 8 is the number of elements of a data block. As a number of bits it says nothing of them.
TEST(CauseKey, ANumberOfBitsIsNoPartOfARepeat) {
  const std::string what = " uses only the lowest 8 bits of the count n (n mod 256)";
  EXPECT_EQ(key("sqrt.f16", {MapKind::length, "sqrt.f16" + what, ""}),
            key("mul.f32", {MapKind::length, "mul.f32" + what, ""}));
}

TEST(CauseKey, ANumberOfADataBlockIsNoPartOfARepeat) {
  const auto of = [](const std::string& name) {
    return key(name, {MapKind::dst, "data block 7 of " + name + " is not written", "in the last repeat"});
  };
  EXPECT_EQ(of("brcb.u16"), of("brcb.i32"));
}

TEST(CauseKey, LeavesOutWhatElementsBehindACountActLike) {
  const auto of = [&](const std::string& name, const std::string& takes) {
    return key(name, {MapKind::length,
                      "in counter mode " + name + " takes " + takes +
                          " for the elements of the last repeat behind the count n",
                      ""});
  };
  EXPECT_EQ(of("cmin.f16", "-65504"), of("cmin.f32", "-3.40282347e+38"));
}

TEST(CauseKey, DoesNotCountAnExampleOfAGate) {
  const auto of = [](const std::string& name, const std::string& lanes, const std::string& mask) {
    return key(name, {MapKind::gate,
                      lanes + " of " + name +
                          " are not gated by any single slot, for example lane 0 of "
                          "repeat 0 is written under the mask " +
                          mask,
                      ""});
  };
  EXPECT_EQ(of("add.f16", "lanes 0..127", "0x0:0x0"), of("add.f32", "lanes 0..63", "0xf:0x0"));
}

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
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
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

TEST(MeasureCause, EndsWhenTheRunEnds) {
  const Backend backend = that_runs([](Program& program) {
    for (Instruction& insn : program.instructions) insn.high = insn.low;
  });
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc, [] { return true; });
  EXPECT_FALSE(measure_cause(parse_program(kAdd, "test"), 1, asked, documented));
  EXPECT_EQ(asked.questions(), 0u);
}

}  // namespace
}  // namespace lanecheck
