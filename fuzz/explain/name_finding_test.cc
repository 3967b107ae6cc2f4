// The sentence of a finding that no hypothesis explains says what its lanes show, and nothing more.
#include "fuzz/explain/name_finding_testing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <cstring>

#include "fuzz/explain/questions/locate.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

// Three repeats of f32. Lanes 0 to 3 are active.
constexpr std::string_view kThreeRepeats = R"(
ub 1600
alloc d f32 0 768 = 7 x192
alloc s f32 800 768 = 1 x64, 2 x64, 3 x64
set_mask high=0x0 low=0xf
adds.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=2, repeat=3
)";
constexpr std::string_view kEmptyBlock = R"(
ub 384
alloc d f32 0 32 = 7 x8
alloc s f32 64 256 = 1 x64
set_mask high=0x0 low=0xffffffffffffff00
cgmax.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)";

constexpr std::size_t kMostUb = 2000;

using Change = std::function<void(Program& program, State& state)>;

/// The oracle on a program that `before` changes; `after` changes what it leaves. Both are only called for a
/// program that ends with an instruction that computes, and not for probes: they have a larger UB.
Backend changed_oracle(Change before, Change after) {
  return function_backend("changed", "", [=](const Program& given, State& state) -> Outcome {
    Program program = given;
    const bool computes = !program.instructions.empty() &&
                          !row_of(program.instructions.back().op).operands.empty() &&
                          program.ub.size() <= kMostUb;
    if (computes && before) before(program, state);
    execute(program, Semantics{}, state);
    if (computes && after) after(program, state);
    return Ran{};
  });
}
Backend that_runs(const std::function<void(Instruction&)>& change) {
  return changed_oracle([change](Program& program, State&) { change(program.instructions.back()); }, {});
}
/// Puts `value` into element `lane` of dst.
Change put(std::size_t lane, float value) {
  return [=](Program& program, State& state) {
    std::memcpy(&state.ub[start_of(program, program.instructions.back().operands[0]) + 4 * lane], &value, 4);
  };
}

bool starts(const Finding& finding, std::string_view what) {
  return finding.what.starts_with(what);
}

TEST(NameFinding, SaysThatAMaskedOffLaneWasWritten) {
  const Finding finding = named(kThreeRepeats, changed_oracle({}, put(5, 3)));
  EXPECT_EQ(finding.id, "unexplained-elementwise-writes-masked-off");
  EXPECT_EQ(finding.matter, Matter::mask);
  EXPECT_TRUE(starts(finding, "writes lanes that are masked off")) << finding.what;
}

TEST(NameFinding, SaysThatAnActiveLaneWasLeftUnwritten) {
  const Finding finding = named(kThreeRepeats, changed_oracle({}, [](Program& program, State& state) {
                                  const std::size_t at =
                                      start_of(program, program.instructions.back().operands[0]) + 8;
                                  std::copy_n(program.ub.begin() + static_cast<std::ptrdiff_t>(at), 4,
                                              state.ub.begin() + static_cast<std::ptrdiff_t>(at));
                                }));
  EXPECT_EQ(finding.id, "unexplained-elementwise-leaves-active");
  EXPECT_TRUE(starts(finding, "leaves active lanes unwritten")) << finding.what;
}

/// Behind the end of UB the last element there is read, and dst lies at the end: it holds that already.
TEST(NameFinding, DoesNotSayThatWhatIsReadBehindUbWasNotWritten) {
  const Backend behind =
      function_backend("reads behind", "", [](const Program& program, State& state) -> Outcome {
        constexpr std::size_t kRead = 4096, kSize = 4;
        execute(program, Semantics{}, state);
        const std::size_t from = std::min(kRead, program.ub.size() - kSize);
        for (std::size_t lane = 8; !program.instructions.empty() && lane < 64; ++lane) {
          const std::size_t at = start_of(program, program.instructions.back().operands[0]) + kSize * lane;
          std::memcpy(&state.ub[at], &program.ub[from], kSize);
        }
        return Ran{};
      });
  const Finding finding = named(R"(
ub 512
alloc s f32 0 256 = 1 x64
alloc d f32 256 256 = 7 x64
abs.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=8, repeat=1
)",
                                behind);
  EXPECT_EQ(
      finding.what,
      "elements of dst do not hold what they should; in a longer UB, what it leaves depends on the bytes "
      "behind the end of this one");
}

TEST(NameFinding, SaysThatTheLastRepeatIsMissing) {
  const Finding one = named(kThreeRepeats, that_runs([](Instruction& insn) { --insn.repeat; }));
  EXPECT_TRUE(starts(one, "leaves the elements of the last repeat of this program unwritten")) << one.what;
  EXPECT_EQ(one.matter, Matter::address);
  EXPECT_EQ(std::ranges::count(one.rules, "VMC-3.1-writes-active"), 1);
  const Finding two = named(kThreeRepeats, that_runs([](Instruction& insn) {
                              if (insn.repeat == 3) insn.repeat = 1;
                            }));
  EXPECT_TRUE(starts(two, "leaves the elements of the last 2 repeats of this program unwritten")) << two.what;
}

TEST(NameFinding, SaysThatBytesOutsideDstWereWritten) {
  const Finding finding = named(kThreeRepeats, changed_oracle({}, put(192, 3)));
  EXPECT_TRUE(starts(finding, "changes bytes of UB outside the elements of dst")) << finding.what;
  EXPECT_EQ(finding.matter, Matter::address);
}

TEST(NameFinding, SaysThatAnEmptyReductionWasWritten) {
  const Finding finding = named(kEmptyBlock, changed_oracle({}, put(0, -1)));
  EXPECT_EQ(finding.id, "unexplained-reduction-writes-empty");
  EXPECT_TRUE(starts(finding, "writes results that have no active lane")) << finding.what;
  EXPECT_EQ(finding.matter, Matter::mask);
}

TEST(NameFinding, SaysFromWhichBlockOfTheSourceAValueComes) {
  const Finding finding =
      named(kThreeRepeats, that_runs([](Instruction& insn) { insn.operands[1].repeat_stride = 0; }));
  EXPECT_EQ(
      finding.what,
      "takes other elements of src than it should: for block 0 of repeat 1 it takes block 0 of repeat 0");
  EXPECT_EQ(finding.matter, Matter::address);
}

/// Both sources at one place share a buffer, and with it its strides.
TEST(NameFinding, SourcesThatStartAtTheSamePlace) {
  const Finding finding =
      named(R"(
ub 1600
alloc d f16 0 256 = 7 x128
alloc s f16 512 1024 = 1 x100, 2 x100, 3 x100, 4 x100, 5 x112
add.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, s+0 blk=2 rep=8, repeat=1
)",
            that_runs([](Instruction& insn) {
              if (insn.op == Op::add && insn.operands[1].allocation == insn.operands[2].allocation)
                insn.operands[2].block_stride = insn.operands[1].block_stride;
            }));
  EXPECT_EQ(finding.what,
            "if src0 and src1 start at the same place, src1 of add.f16 walks with the strides of src0 "
            "instead of its "
            "own");
  EXPECT_EQ(finding.matter, Matter::address);
}

/// Of elements that are equal a comparison gives what it gives of zeros, except of NaN.
TEST(NameFinding, SourcesOfAComparisonThatStartAtTheSamePlaceWithOtherStrides) {
  const Finding finding =
      named(R"(
ub 1600
alloc d u8 0 32
alloc s f16 512 1024 = 1 x100, 2 x100, 3 x100, 4 x100, 5 x112
compare.f16 d+0, s+0 blk=1 rep=8, s+0 blk=2 rep=8, lt, repeat=1
)",
            that_runs([](Instruction& insn) {
              if (insn.op == Op::compare && insn.operands[1].allocation == insn.operands[2].allocation)
                insn.operands[2].block_stride = insn.operands[1].block_stride;
            }));
  EXPECT_EQ(finding.what,
            "if src0 and src1 start at the same place, src1 of compare.f16 walks with the strides of src0 "
            "instead of its own");
}

/// x - x is 0, except of infinity: nothing is computed. Integers do not show the difference.
TEST(NameFinding, SourcesThatStartAtTheSamePlaceAndAreNotRead) {
  const auto zeros = function_backend("zeros", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    const bool same =
        !given.instructions.empty() && given.instructions.back().op == Op::sub &&
        given.instructions.back().operands[1].allocation == given.instructions.back().operands[2].allocation;
    if (same) {
      const Allocation& source = given.allocations[given.instructions.back().operands[1].allocation];
      std::fill_n(program.ub.begin() + source.offset, source.bytes, std::byte{0});
      execute(program, Semantics{}, state);
      std::copy_n(given.ub.begin() + source.offset, source.bytes, state.ub.begin() + source.offset);
    } else {
      execute(program, Semantics{}, state);
    }
    return Ran{};
  });
  const Finding finding = named(R"(
ub 1600
alloc d f16 0 256 = 7 x128
alloc s f16 512 1024 = 1 x100, 2 x100, 3 x100, 4 x100, 5 x112
sub.f16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, s+0 blk=2 rep=8, repeat=1
)",
                                zeros);
  EXPECT_EQ(finding.what,
            "if src0 and src1 start at the same place, sub.f16 gives what it gives for elements that are 0, "
            "whatever they are");
}

TEST(NameFinding, ClaimsArithmeticOnlyIfOtherProgramsProveIt) {
  const Finding always = named(kThreeRepeats, that_runs([](Instruction& insn) {
                                 insn.op = Op::muls;  // 1 * 2, 2 * 2, 3 * 2 instead of 1 + 2, 2 + 2, 3 + 2
                               }));
  EXPECT_EQ(always.matter, Matter::arithmetic);
  EXPECT_NE(always.what.find("the mask and the addresses are not the cause"), std::string::npos);
  const Finding some = named(kThreeRepeats, that_runs([](Instruction& insn) {
                               if (insn.repeat == 3) insn.op = Op::muls;
                             }));
  EXPECT_EQ(some.matter, Matter::address);
  EXPECT_TRUE(starts(some, "active lanes hold another value than expected; from the same values"))
      << some.what;
}

TEST(NameFinding, SaysNothingMoreIfTheBackendAnswersNoFurtherQuestion) {
  const Program only = parse_program(kThreeRepeats, "test");
  const Backend shy = function_backend("shy", "", [&](const Program& given, State& state) -> Outcome {
    Program program = given;
    if (program.ub != only.ub || program.profile != only.profile) return Skipped{"no"};
    if (program.instructions.size() == 1) return Skipped{"no"};
    if (program.instructions.size() == 2) program.instructions.back().op = Op::muls;
    execute(program, Semantics{}, state);
    return Ran{};
  });
  const Finding finding = named(kThreeRepeats, shy);
  EXPECT_EQ(finding.what, "active lanes hold another value than expected");
  EXPECT_EQ(finding.matter, Matter::unexplained);
}

/// A way of its own for a full mask reads contiguous blocks. Of a full mask the relation to the run under a
/// full mask proves nothing.
TEST(NameFinding, AFaultUnderAFullMaskAloneIsNotSaidToBeNoneOfTheMask) {
  const Finding finding =
      named(R"(
ub 736
alloc d i32 0 32 = 0 x8
alloc s i32 32 704 = 8 x175, 5
cadd.i32 d+0 rep=1, s+0 blk=3 rep=8, repeat=1
)",
            changed_oracle(
                [](Program& program, State&) {
                  const auto& list = program.instructions;
                  const bool full = std::ranges::all_of(list, [](const Instruction& insn) {
                    return insn.op != Op::set_mask || (insn.high == kOnes && insn.low == kOnes);
                  });
                  if (full) program.instructions.back().operands[1].block_stride = 1;
                },
                [](Program&, State&) {}));
  EXPECT_EQ(finding.what.find("the mask is not the cause"), std::string::npos) << finding.what;
  EXPECT_NE(finding.what.find("only a full mask brings it about"), std::string::npos) << finding.what;
  EXPECT_FALSE(finding.mask_is_right);
}

/// The results of the first probes, all of them infinite, would also be those of a backend that limits f16
/// to finite numbers. Another probe, under a full mask, refutes that.
TEST(NameFinding, AMaskedOffElementOfAMaximumIsAFiniteNumber) {
  const Backend backend = function_backend("finite", "", [](const Program& given, State& state) -> Outcome {
    execute(given, Semantics{}, state);
    if (given.instructions.empty()) return Ran{};
    const Instruction& insn = given.instructions.back();
    if (insn.op != Op::cmax || insn.src_type != Element::f16) return Ran{};
    MaskWords mask{~0ULL, ~0ULL};
    for (const Instruction& each : given.instructions)
      if (each.op == Op::set_mask) mask = {each.high, each.low};
    if ((mask.high == 0 && mask.low == 0) || (~mask.high == 0 && ~mask.low == 0)) return Ran{};
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
      std::byte* at = &state.ub[start_of(given, insn.operands[0]) + repeat_step(insn, 0) * repeat];
      if (load<std::uint16_t>(at) == 0xfc00) store(at, std::uint16_t{0xfbff});
    }
    return Ran{};
  });
  const Finding finding = named(R"(
ub 800
alloc d f16 0 32
alloc s f16 64 512 = -65472 x128, -inf x128
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
cmax.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=2
)",
                                backend);
  EXPECT_EQ(finding.what,
            "a masked-off element of cmax.f16 acts like -65504 (the least finite number) instead of never "
            "being the result");
}

}  // namespace
}  // namespace lanecheck
