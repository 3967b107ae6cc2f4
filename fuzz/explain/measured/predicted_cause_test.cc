// A sentence about places, repeats or values that a measured cause prints gives what the backend leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/name_finding_testing.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace predicted_cause_test {

using Change = std::function<void(Program& program)>;
using After = std::function<void(const Program& program, State& state)>;

/// The oracle on a program that `change` has changed; `after` changes what it leaves.
Backend oracle_with(Change change, After after = {}) {
  Backend backend = function_backend("changed", "", [=](const Program& given, State& state) -> Outcome {
    Program program = given;
    if (change && !program.instructions.empty()) change(program);
    execute(program, Semantics(default_readings(program.profile)), state);
    if (after && !program.instructions.empty()) after(given, state);
    return Ran{};
  });
  backend.shows_mask = false;
  return backend;
}

/// What is said of the last instruction of `text`; empty if no cause is measured.
std::string said_of(std::string_view text, const Backend& backend) {
  const Program program = parse_program(text, "test");
  const Documented documented(program.profile, default_readings(program.profile), {});
  AskedBackend asked(backend, program.profile);
  const auto cause = measure_cause(program, program.instructions.size() - 1, asked, documented, true);
  return cause ? cause->sentence : "";
}

TEST(PredictedCause, ADstWhoseRepeatsShareAPlaceWalksWithAnotherStride) {
  const Backend backend = oracle_with([](Program& program) {
    Operand& dst = program.instructions.back().operands[0];
    const std::size_t end = start_of(program, dst) + 256 * program.instructions.back().repeat;
    if (dst.repeat_stride == 0 && end <= program.ub.size()) dst.repeat_stride = 8;
  });
  EXPECT_EQ(said_of(R"(
ub 2080
alloc d f32 0 512 = 7 x128
alloc s f32 1024 512 = 1 x64, 2 x64
abs.f32 d+0 blk=1 rep=0, s+0 blk=1 rep=8, repeat=2
)",
                    backend),
            "dst of abs.f32 takes a repeat stride of 0 as 8");
}

/// TIK 2: a count says how many repeats there are. Of two mistakes, that of the sources leaves no element
/// unwritten.
TEST(PredictedCause, ALawOfSourcesIsNotSaidOfElementsThatAreUnwritten) {
  const Backend backend = oracle_with([](Program& program) {
    const Instruction insn = program.instructions.back();
    const std::uint64_t most = std::uint64_t{insn.repeat} * lanes_of(insn);
    if (insn.mask_from == MaskFrom::count) program.instructions.back().low = std::min(insn.low, most);
    if (insn.mask_from == MaskFrom::count || insn.repeat < 3) return;
    program.instructions.pop_back();
    for (unsigned r = 0; r < insn.repeat; ++r) {  // two by two, with the step of dst from pair to pair
      Instruction one = one_repeat(insn, r);
      one.operands[1].offset +=
          static_cast<std::uint32_t>((r - r % 2) * (repeat_step(insn, 0) - repeat_step(insn, 1)));
      program.instructions.push_back(one);
    }
  });
  const std::string text = said_of(R"(
profile tik
ub 1024
alloc d f32 0 512 = 7 x128
alloc s f32 512 512 = 1 x64, 2 x64
adds.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, count=128, repeat=1
)",
                                   backend);
  EXPECT_TRUE(text.starts_with("for a count of its own adds.f32 runs at most its repeat times")) << text;
}

TEST(PredictedCause, ADstStrideThatIsCutIsNoRepeatThatIsLeftOut) {
  const Backend backend =
      oracle_with([](Program& program) { program.instructions.back().operands[0].repeat_stride &= 255; });
  EXPECT_EQ(said_of(R"(
ub 18000
alloc d u8 0 16640 = 7 x16640
alloc s u8 16672 512 = 3 x512
vmins.u8 d+0 blk=1 rep=512, s+0 blk=1 rep=8, scalar=1, repeat=2
)",
                    backend),
            "dst of vmins.u8 uses only the lowest 8 bits of its repeat stride");
}

TEST(PredictedCause, ALastRepeatOfScatterIsLeftOutThoughItsRepeatsShareASource) {
  const Backend backend = oracle_with([](Program& program) {
    Instruction& insn = program.instructions.back();
    if (insn.op == Op::scatter && insn.repeat > 8) --insn.repeat;
  });
  std::string offsets;  // only the last element of the last repeat has a place of its own
  for (unsigned n = 0; n < 575; ++n) offsets += std::to_string(n % 64 * 4) + ", ";
  EXPECT_EQ(
      said_of("ub 7072\n"
              "alloc d u32 0 4096 = 0 x1024\n"
              "alloc s u32 4128 512 = 1 x128\n"
              "alloc o u32 4672 2304 = " +
                  offsets +
                  "1020\n"
                  "scatter.u32 d+0, s+0 rep=1, o+0, repeat=9\n",
              backend),
      "the last repeat of scatter.u32 is left out (seen with the strides of this case); so with repeat time "
      "9, not with 1");  // with the others the data of this program do not tell
}

/// The results of the last instruction, a reduction under a full mask, are at least `least`.
After at_least(std::uint64_t least) {
  return [least](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (row_of(insn.op).operands.empty()) return;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned group = 0; group < results_per_repeat(insn); ++group) {
        std::byte* at = &state.ub[start_of(program, insn.operands[0]) + r * repeat_step(insn, 0) +
                                  group * size_of(insn.dst_type)];
        std::uint64_t bits = 0;
        std::memcpy(&bits, at, size_of(insn.dst_type));
        if (value_of(insn.dst_type, bits) < value_of(insn.dst_type, least))
          std::memcpy(at, &least, size_of(insn.dst_type));
      }
  };
}

constexpr std::string_view kLowest = R"(
ub 640
alloc d f16 0 32 = 0 x16
alloc s f16 64 512 = inf x128, -inf x128
cmax.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=2
)";

TEST(PredictedCause, AStartValueIsNamedThoughAReadingGivesTheSameResultsOfProbes) {
  const Finding finding = named(kLowest, oracle_with({}, at_least(nearest(Element::f16, -65504))));
  EXPECT_EQ(
      finding.what,
      "cmax.f16 gives -65504 where all elements are less, even under a full mask, as if it started with "
      "this value");
  EXPECT_EQ(finding.matter, Matter::arithmetic);
}

TEST(PredictedCause, AStartValueThatDoesNotGiveTheProgramIsNotNamed) {
  const Backend backend = oracle_with({}, [](const Program& program, State& state) {
    if (program.ub.size() == 640)
      state.ub[0] ^= std::byte{1};  // another fault
    else
      at_least(nearest(Element::f16, -65504))(program, state);
  });
  EXPECT_EQ(said_of(kLowest, backend), "");
}

/// The lanes that are off count in cmax, and no others. If all lanes are on, each result is INT_MIN, the
/// neutral element of cmax.
Backend counts_other_lanes() {
  return oracle_with(
      [](Program& program) {
        const Instruction last = program.instructions.back();
        const auto mask = mask_at(program, program.instructions.size() - 1);
        if (last.op != Op::cmax || !mask) return;
        program.instructions.back() = mask_setter(Op::set_mask, {~mask->high, ~mask->low}, last.src_type);
        program.instructions.push_back(last);
      },
      [](const Program& given, State& state) {
        const Instruction& last = given.instructions.back();
        const auto mask = mask_at(given, given.instructions.size() - 1);
        if (last.op != Op::cmax || last.src_type != Element::i32 || !mask || ~mask->low != 0) return;
        for (unsigned repeat = 0; repeat < last.repeat; ++repeat) {
          const std::int32_t result = std::numeric_limits<std::int32_t>::min();
          std::memcpy(&state.ub[start_of(given, last.operands[0]) + repeat * repeat_step(last, 0)], &result,
                      4);
        }
      });
}

TEST(PredictedCause, AnInvertedGateIsNamedUnderAFullMaskThoughNoLaneIsLeftToCount) {
  EXPECT_EQ(said_of(R"(
ub 2080
alloc d i32 0 512 = 7 x128
alloc s i32 1024 256 = 5 x64
cmax.i32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)",
                    counts_other_lanes()),
            "lanes 0..63 of cmax.i32 are gated, inverted (counted if the slot is 0), by their own slots");
}

TEST(PredictedCause, TheRepeatOfAWrongSourceIsNotTheLastOneByChance) {
  // Repeat 3 takes the second source of repeat 2.
  const auto stale = [](Program& program) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vmin || insn.repeat < 4) return;
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      const std::size_t start = start_of(program, insn.operands[2]);
      std::memcpy(&program.ub[start + lane_offset(insn, 2, 3, lane)],
                  &program.ub[start + lane_offset(insn, 2, 2, lane)], 2);
    }
  };
  const auto restore = [](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vmin) return;
    for_each_piece(insn, 2, [&](std::uint64_t offset, std::uint64_t bytes) {
      const std::size_t at = start_of(program, insn.operands[2]) + offset;
      std::memcpy(&state.ub[at], &program.ub[at], bytes);
    });
  };
  const std::string said = said_of(R"(
ub 3136
alloc d i16 0 1024 = 7 x512
alloc a i16 1024 1024 = 100 x512
alloc b i16 2048 1024 = 1 x128, 2 x128, 3 x128, 4 x128
vmin.i16 d+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=4
)",
                                   oracle_with(stale, restore));
  EXPECT_NE(said.find("in repeat 3 (counted from 0)"), std::string::npos) << said;
}

TEST(PredictedCause, AMaskThatIsLeftByTheProgramBeforeIsSeen) {
  MaskWords last{~std::uint64_t{0}, ~std::uint64_t{0}};
  const Backend backend =
      function_backend("leaks", "", [&last](const Program& given, State& state) -> Outcome {
        Program program = given;
        Instruction set;
        set.op = Op::set_mask;
        set.high = last.high;
        set.low = last.low;
        program.instructions.insert(program.instructions.begin(), set);
        for (const Instruction& insn : program.instructions)
          if (insn.op == Op::set_mask) last = {insn.high, insn.low};
        execute(program, Semantics{}, state);
        return Ran{};
      });
  AskedBackend asked(backend, Profile::vmc);
  const Program program = parse_program(R"(
ub 544
alloc d f16 0 256 = 7 x128
alloc s f16 256 256 = 1 x128
abs.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)",
                                        "test");
  EXPECT_TRUE(depends_on_earlier_programs(program, asked));
}

/// A full mask is walked in the same wrong way, so that the two runs agree with each other.
TEST(PredictedCause, TwiceTheStrideThatIsGivenBreaksTik4StrideThoughItIs8) {
  const Finding finding = named(R"(profile tik
ub 1056
alloc d u32 0 1024 = 0 x256
dup.u32 d+0 blk=1 rep=8, scalar=2, mask=0x0:0xffffffffffffffff, repeat=2
)",
                                oracle_with([](Program& program) {
                                  for (Instruction& insn : program.instructions)
                                    if (insn.op == Op::dup) insn.operands[0].repeat_stride *= 2;
                                }));
  EXPECT_EQ(finding.what, "dst of dup.u32 walks with twice the repeat stride that is given");
  EXPECT_EQ(finding.rules, std::vector<std::string>{"TIK-4-stride"});
}

/// The old dst of all repeats is read before the loop, in muladddst alone. The places of dst are right.
TEST(PredictedCause, AReadingThatOneInstructionFollowsIsSaidInItsOwnWords) {
  const Backend hoists = function_backend("hoists", "", [](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    Readings before;
    before.dst_read_back = DstReadBack::as_before;
    for (const Instruction& insn : program.instructions)
      execute_one(program, insn, insn.op == Op::muladddst ? Semantics(before) : Semantics{}, state);
    return Ran{};
  });
  const Finding finding = named(R"(
ub 1312
alloc d f32 0 288 = 0 x72
alloc a f32 288 512 = 1 x128
alloc b f32 800 512 = 2 x128
muladddst.f32 d+0 blk=1 rep=1, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=2
)",
                                hoists);
  EXPECT_EQ(finding.what,
            "muladddst.f32: all repeats read what stood there before the instruction (what does a repeat of "
            "muladddst, fusedmuladd or axpy read of a dst that an earlier repeat wrote?); so reading "
            "dst_read_back=as_before says, which the backend does not follow everywhere");
}

/// The backend follows a reading that is not the default, and says so. What the reading changes in cpadd
/// hides no mistake of cpadd.
TEST(PredictedCause, AMistakeBesideAReadingThatIsPinned) {
  Readings readings = default_readings(Profile::a2);
  readings.empty_pair = EmptyPair::writes_zero;
  Backend backend = function_backend("zero is one", "", [=](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::cpadd && insn.operands[1].block_stride == 0) insn.operands[1].block_stride = 1;
    program.ub.resize(given.ub.size() + kRepeatBytes);
    execute(program, Semantics(readings), state);
    state.ub.resize(given.ub.size());
    return Ran{};
  });
  const Program program = parse_program(R"(
profile ascendc-a2
ub 416
alloc d f16 0 128 = 0 x64
alloc s f16 128 32 = 1 x16
cpadd.f16 d+0 rep=1, s+0 blk=0 rep=8, mask=0xffffffffffffffff:0xffffffffffffffff, repeat=1
)",
                                        "test");
  const Documented documented(program.profile, readings, {"empty_pair"});
  AskedBackend asked(backend, program.profile);
  const auto cause = measure_cause(program, 0, asked, documented, true);
  ASSERT_TRUE(cause);
  EXPECT_EQ(cause->sentence, "src of cpadd.f16 takes a block stride of 0 as 1");
}

TEST(PredictedCause, AScalarThatIsNotRoundedToItsType) {
  const Backend unrounded = oracle_with({}, [](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const MaskWords mask = mask_at(program, program.instructions.size() - 1).value_or(MaskWords{});
    for (unsigned r = 0; insn.op == Op::muls && r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        float x = 0;
        std::memcpy(&x, &program.ub[start_of(program, insn.operands[1]) + lane_offset(insn, 1, r, lane)],
                    sizeof x);
        const auto result = static_cast<float>(static_cast<double>(x) * insn.scalar.value);
        if (has_slot(mask, lane))
          std::memcpy(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)], &result,
                      sizeof result);
      }
  });
  EXPECT_EQ(said_of(R"(
ub 512
alloc d f32 0 256 = 0 x64
alloc s f32 256 256 = 6 x64
muls.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=-1.8, repeat=1
)",
                    unrounded),
            "muls.f32 does not round its scalar to the element type");
}

/// A sort without repeats has no records: no law of records divides by their number.
TEST(PredictedCause, ASortWithoutRepeatsThatWritesElsewhere) {
  const Backend writes =
      oracle_with({}, [](const Program&, State& state) { state.ub.back() = ~state.ub.back(); });
  const std::string said = said_of(R"(
ub 1216
alloc d f32 0 512 = 0 x128
alloc s f32 512 256 = 1 x64
alloc i u32 768 256 = 1 x64
sort32.f32 d+0, s+0, i+0, repeat=0
)",
                                   writes);
  EXPECT_EQ(said.find("sorts"), std::string::npos) << said;
}

/// The last repeat of a count, which no repeat times give, writes where an earlier one has written.
TEST(PredictedCause, MaskedOffLanesOfACountThatWriteBackTheOldDst) {
  const Backend writes_back = oracle_with({}, [](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::adds) return;
    const std::size_t dst = start_of(program, insn.operands[0]), src = start_of(program, insn.operands[1]);
    const MaskWords words = operand_words(insn, default_readings(program.profile));
    for (unsigned repeat = 0; repeat < repeat_times_at(program, program.instructions.size() - 1); ++repeat)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const bool is_on = insn.mask_from == MaskFrom::count ? repeat * lanes_of(insn) + lane < insn.low
                                                             : has_slot(words, lane);
        const std::size_t to = dst + lane_offset(insn, 0, repeat, lane);
        std::uint32_t value = 0;
        std::memcpy(&value, &program.ub[is_on ? src + lane_offset(insn, 1, repeat, lane) : to], sizeof value);
        if (is_on) value += static_cast<std::uint32_t>(insn.scalar.bits);
        std::memcpy(&state.ub[to], &value, sizeof value);
      }
  });
  EXPECT_EQ(said_of(R"(
profile tik
ub 512
alloc d i32 0 256 = 0 x64
alloc s i32 256 256 = 0 x64
adds.i32 d+0 blk=1 rep=1, s+0 blk=1 rep=0, scalar=3, count=119, repeat=1
)",
                    writes_back),
            "adds.i32 leaves what stood in dst before the instruction where a masked-off lane comes after an "
            "active "
            "one at the same place, as if masked-off lanes wrote it back");
}

}  // namespace predicted_cause_test
}  // namespace lanecheck
