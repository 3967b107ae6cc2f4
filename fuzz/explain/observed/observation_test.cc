// What a finding says that no hypothesis explains, where the lanes alone are ambiguous: an instruction that
// works in place, a value that is the old one by chance, a backend that remembers.
#include "fuzz/explain/observed/observation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "fuzz/explain/name_finding_testing.h"
#include "fuzz/explain/questions/locate.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace observation_test {

using Change = std::function<void(const Program& program, const Instruction& insn, State& state)>;

/// The probes of fuzz/identify have a larger UB. These tests are about what can be said without them, so
/// their faults do not show in probes.
bool is_probe(const Program& program) {
  constexpr std::size_t kMostUb = 8 * 1024;
  return program.ub.size() > kMostUb;
}

/// The oracle, one instruction after the other; `change` changes what each of them leaves.
Backend changed_oracle(Change change) {
  return function_backend("changed", "", [=](const Program& program, State& state) -> Outcome {
    execute(prefix(program, 0), Semantics{}, state);
    for (const Instruction& insn : program.instructions) {
      const State before = state;
      execute_one(program, insn, Semantics{}, state);
      if (!row_of(insn.op).operands.empty() && !is_probe(program)) change(program, insn, state);
    }
    return Ran{};
  });
}

/// Replaces element `from` of dst by `to` wherever an instruction leaves it.
template <class T>
Backend that_leaves(T from, T to) {
  return changed_oracle([=](const Program& program, const Instruction& insn, State& state) {
    const std::size_t start = start_of(program, insn.operands[0]);
    for (std::size_t at = start; at < start + 256; at += sizeof(T)) {
      T value;
      std::memcpy(&value, &state.ub[at], sizeof(T));
      if (value == from) std::memcpy(&state.ub[at], &to, sizeof(T));
    }
  });
}

TEST(Observation, DoesNotCallAResultUnwrittenThatIsTheOldValueOfASourceInPlace) {
  constexpr std::string_view in_place = R"(
ub 640
alloc d u8 0 256 = 5 x256
alloc s u8 288 256 = 200 x256
vmax.u8 d+0 blk=1 rep=8, d+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)";
  // A maximum of signed numbers: 200 is -56, so that 5 stays, or whatever else is below 128.
  const Backend is_signed = changed_oracle([](const Program& program, const Instruction& insn, State& state) {
    const auto at = [&](unsigned k, unsigned n) { return start_of(program, insn.operands[k]) + n; };
    for (unsigned n = 0; n < 256; ++n)
      if (std::to_integer<unsigned>(program.ub[at(1, n)]) < 128 &&
          std::to_integer<unsigned>(program.ub[at(2, n)]) >= 128)
        state.ub[at(0, n)] = program.ub[at(1, n)];
  });
  const Finding finding = named(in_place, is_signed);
  EXPECT_EQ(finding.matter, Matter::arithmetic) << finding.what;
  EXPECT_EQ(finding.id, "unexplained-vmax");
  EXPECT_TRUE(finding.what.starts_with("computes wrong values also in one contiguous repeat"))
      << finding.what;
}

TEST(Observation, DoesNotSayOfAnActiveLaneThatItMustStay) {
  constexpr std::string_view in_place = R"(
ub 320
alloc d i16 0 256 = -32768 x128
abs.i16 d+0 blk=1 rep=8, d+0 blk=1 rep=8, repeat=1
)";
  const Finding finding = named(in_place, that_leaves<std::int16_t>(-32768, 32767));
  EXPECT_EQ(finding.matter, Matter::arithmetic) << finding.what;
  EXPECT_EQ(finding.id, "unexplained-abs");
}

TEST(Observation, ComputesTheVeryValuesOfTheWrongRepeatInAPlainRun) {
  // The first repeat leaves -2147483647 - 1; the second one subtracts this from 1.
  constexpr std::string_view accumulates = R"(
ub 896
alloc d i32 0 256 = 1 x64
alloc s i32 288 512 = -2147483647 x64, 1 x64
sub.i32 d+0 blk=1 rep=0, s+0 blk=1 rep=8, d+0 blk=1 rep=0, repeat=2
)";
  const Backend saturates =
      function_backend("saturates", "", [](const Program& given, State& state) -> Outcome {
        execute(prefix(given, 0), Semantics{}, state);
        for (const Instruction& insn : given.instructions) {
          Instruction one = insn;
          one.repeat = 1;
          for (unsigned r = 0; r < insn.repeat; ++r) {
            for (unsigned k = 0; k < 3; ++k)
              one.operands[k].offset = insn.operands[k].offset + r * insn.operands[k].repeat_stride * 32u;
            const State before = state;
            execute_one(given, one, Semantics{}, state);
            for (unsigned lane = 0; lane < 64; ++lane) {
              std::int32_t left = 0, right = 0;
              std::memcpy(&left, &before.ub[start_of(given, one.operands[1]) + 4 * lane], 4);
              std::memcpy(&right, &before.ub[start_of(given, one.operands[2]) + 4 * lane], 4);
              const std::int64_t wide = std::int64_t{left} - right;
              const auto result = static_cast<std::int32_t>(std::min<std::int64_t>(wide, 2147483647));
              if (wide > 2147483647 && !is_probe(given))
                std::memcpy(&state.ub[start_of(given, one.operands[0]) + 4 * lane], &result, 4);
            }
          }
        }
        return Ran{};
      });
  const Finding finding = named(accumulates, saturates);
  EXPECT_EQ(finding.matter, Matter::arithmetic) << finding.what;
  EXPECT_TRUE(finding.what.starts_with("computes wrong values also in one contiguous repeat"))
      << finding.what;
}

TEST(Observation, SeesThatARepeatWasWrittenElsewhere) {
  constexpr std::string_view packed = R"(
ub 704
alloc d u8 0 32 = 1 x32
alloc s f32 64 512 = 0 x128
compare.f32 d+0, s+0 blk=1 rep=8, s+0 blk=1 rep=8, ne, repeat=2
)";
  // The bytes of repeat 1 land 32 bytes further instead of 8; between the allocations there are zeros
  // already.
  const Backend strides = function_backend("strides", "", [](const Program& given, State& state) -> Outcome {
    execute(given, Semantics{}, state);
    if (given.instructions.empty() || given.instructions.back().repeat != 2 || is_probe(given)) return Ran{};
    const std::size_t at = start_of(given, given.instructions.back().operands[0]);
    for (std::size_t n = 8; n < 16; ++n) {
      state.ub[at + 24 + n] = state.ub[at + n];
      state.ub[at + n] = given.ub[at + n];
    }
    return Ran{};
  });
  const Finding finding = named(packed, strides);
  EXPECT_NE(finding.what.find("changes bytes of UB outside the elements of dst"), std::string::npos)
      << finding.what;
}

TEST(Observation, DoesNotCallALaneUnwrittenWhoseSourceIsReadBetweenTheAllocations) {
  constexpr std::string_view sum = R"(
ub 1408
alloc d i32 0 512 = 0 x128
alloc s i32 544 512 = 0 x128
alloc t i32 1088 288 = 1 x72
add.i32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, t+0 blk=1 rep=1, repeat=2
)";
  // The second source walks with the strides of the first one.
  const Backend strides = function_backend("strides", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    if (program.instructions.size() == 1) program.instructions[0].operands[2].repeat_stride = 8;
    program.ub.resize(program.ub.size() + 512);
    execute(program, Semantics{}, state);
    state.ub.resize(given.ub.size());
    return Ran{};
  });
  const Finding finding = named(sum, strides);
  EXPECT_EQ(finding.what.find("unwritten"), std::string::npos) << finding.what;
}

TEST(Observation, SaysThatSomethingOfAnEarlierProgramIsLeft) {
  constexpr std::string_view sum = R"(
ub 384
alloc d i32 0 32 = 9 x8
alloc s i32 64 256 = 2 x64
cadd.i32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)";
  // The lowest bit of the last sum is added to the next one.
  const auto left_over = std::make_shared<std::uint32_t>(1);
  const Backend remembers =
      changed_oracle([left_over](const Program& program, const Instruction& insn, State& state) {
        std::uint32_t total = 0;
        std::byte* const dst = &state.ub[start_of(program, insn.operands[0])];
        std::memcpy(&total, dst, 4);
        total += *left_over;
        *left_over = total & 1;
        std::memcpy(dst, &total, 4);
      });
  const Finding finding = named(sum, remembers);
  EXPECT_EQ(finding.id, "not-repeatable") << finding.what;
}

TEST(Observation, BlamesNoRuleAboutRepeatsIfOneRepeatAloneIsWrong) {
  constexpr std::string_view two = R"(
ub 704
alloc d f16 0 64 = 7 x32
alloc s f16 96 512 = 0x7c00 x256
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
cgmin.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=2
)";
  // Masked-off lanes count as 65504, the largest finite number, so that no result is above it.
  const Backend finite = changed_oracle([](const Program& program, const Instruction& insn, State& state) {
    if (insn.op != Op::cgmin || state.mask[0] != 0) return;
    const std::uint16_t infinity = 0x7c00, largest = 0x7bff;
    for (unsigned r = 0; r < insn.repeat; ++r) {
      std::byte* const result = &state.ub[start_of(program, insn.operands[0]) + 16 * r];
      if (std::memcmp(result, &infinity, 2) == 0) std::memcpy(result, &largest, 2);
    }
  });
  const Finding finding = named(two, finite);
  EXPECT_FALSE(finding.rules.empty()) << finding.what;
  EXPECT_EQ(std::ranges::count(finding.rules, "VMC-1-no-advance"), 0);
}

/// The eight bytes behind dst that a GatherMask returns are no place outside of its elements.
TEST(Observation, CallsTheReturnedCountByItsName) {
  const Program program = parse_program(R"(
profile ascendc-a2
ub 1024
alloc d u16 0 256
alloc s u16 288 256 = 3 x128
alloc c u64 576 32
gather_mask.u16 d+0, s+0 blk=1 rep=8, c+0, pattern=1, counter=0, mask=0, repeat=1
)",
                                        "program");
  const Semantics semantics(default_readings(Profile::a2));
  Finding finding;
  finding.program = program;
  constexpr std::byte kRight{1}, kWrong{2};
  finding.outside = {{"c", 576, kRight, kWrong}, {"c", 583, kRight, kWrong}};
  EXPECT_EQ(observe(finding, semantics).what, "returns a wrong count of the elements that it keeps");
  finding.outside.push_back({"c", 584, kRight, kWrong});
  EXPECT_EQ(observe(finding, semantics).what, "changes bytes of UB outside the elements of dst");
}

}  // namespace observation_test
}  // namespace lanecheck
