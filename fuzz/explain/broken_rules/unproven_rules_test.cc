// Which rules and which title a finding gets: only what its own wrong elements prove.
#include "fuzz/explain/broken_rules/unproven_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/name_finding_testing.h"
#include "oracle/execute/execute.h"
#include "reports/terminal.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// Right, except that the last instruction is changed before it runs, and the state afterwards.
Backend changed(const std::function<void(Instruction&)>& before,
                const std::function<void(const Program&, const Instruction&, State&)>& after = {}) {
  return function_backend("changed", "", [=](const Program& given, State& state) -> Outcome {
    Program program = given;
    if (!program.instructions.empty() && before) before(program.instructions.back());
    execute(program, Semantics(default_readings(given.profile)), state);
    if (!program.instructions.empty() && after) after(given, given.instructions.back(), state);
    return Ran{};
  });
}

bool names(const Finding& finding, std::string_view rule) {
  return std::ranges::find(finding.rules, rule) != finding.rules.end();
}

std::string printed(const Finding& finding) {
  std::ostringstream out;
  print_finding(out, finding, Style{});
  return out.str();
}

/// Results at wrong places under a full mask: no element is off, so nothing is known of the sentinel.
TEST(UnprovenRules, ASentinelIsNotBrokenIfNoElementIsOff) {
  const Finding finding = named(R"(ub 1088
alloc d f32 0 544 = 7 x136
alloc s f32 544 512 = 1 x64, 2 x64
cmax.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=2
)",
                                changed([](Instruction& insn) {
                                  if (insn.op == Op::cmax) insn.operands[0].repeat_stride *= 8;
                                }));
  EXPECT_EQ(finding.matter, Matter::address);
  EXPECT_FALSE(names(finding, "VMC-3.3-cmax-sentinel"));
  EXPECT_FALSE(names(finding, "VMC-1-no-advance"));
}

/// A cpadd runs under words of set_mask that `change` makes of both of them; the mask that is left is right.
Backend pairs_under(const std::function<void(Instruction& set_mask)>& change) {
  return function_backend("pairs", "", [change](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::set_mask && program.instructions.back().op == Op::cpadd) change(insn);
    State documented;
    execute(given, Semantics{}, documented);
    execute(program, Semantics{}, state);
    state.mask = documented.mask;
    return Ran{};
  });
}

/// Lane k is gated by slot k / 2: a result of no lane is written as 0, which dst held, too.
TEST(UnprovenRules, ASumOfOtherLanesIsNoOldDst) {
  const Backend halved = pairs_under([](Instruction& set_mask) {
    const std::uint64_t low = set_mask.low;
    set_mask.low = 0;
    for (unsigned lane = 0; lane < 64; ++lane) set_mask.low |= (low >> lane / 2 & 1) << lane;
  });
  const Finding finding = named(R"(ub 384
alloc d i32 0 128 = 0 x32
alloc s i32 128 256 = 1 x64
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
cpadd.i32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)",
                                halved);
  EXPECT_EQ(finding.what,
            "lanes 1..63 of cpadd.i32 are gated by slot lane / 2 instead of each by its own slot");
  EXPECT_TRUE(names(finding, "VMC-3.2-cpadd-zero"));
  EXPECT_FALSE(names(finding, "VMC-3.2-not-preserved"));
}

/// A pair counts only if both of its lanes are on: its sum is 0, which dst held, and it is written.
TEST(UnprovenRules, ASumOfNoLaneIsNoOldDst) {
  const Backend pairs = pairs_under([](Instruction& set_mask) {
    for (std::uint64_t* const word : {&set_mask.low, &set_mask.high}) {
      const std::uint64_t both = *word & *word >> 1 & 0x5555555555555555;
      *word = both | both << 1;
    }
  });
  const Finding finding = named(R"(ub 384
alloc d i16 0 128 = 0 x64
alloc s i16 128 256 = 1 x128
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
cpadd.i16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)",
                                pairs);
  EXPECT_NE(finding.what.find("both their own slot and slot lane xor 1"), std::string::npos) << finding.what;
  EXPECT_FALSE(names(finding, "VMC-3.2-not-preserved"));
}

/// The merges have records and no lanes, and ignore the mask.
TEST(UnprovenRules, NothingIsSaidOfLanesThatAreNone) {
  const Finding finding = named(
      R"(ub 96
alloc d f32 0 32 = 7 x8
alloc a f32 32 32 = 3 x8
alloc b f32 64 32 = 2 x8
mergesort_2seq.f32 d+0, a+0, b+0, length=1, length=2
)",
      changed({}, [](const Program&, const Instruction&, State& state) { state.ub[8] ^= std::byte{1}; }));
  const std::string text = printed(finding);
  EXPECT_NE(text.find("mergesort_2seq.f32"), std::string::npos) << text;
  EXPECT_EQ(text.find("lanes active"), std::string::npos) << text;
}

using Ids = std::vector<std::string>;

/// What a cause of masks leaves of `rules`.
Ids left_by(const Difference& difference, Ids rules) {
  MeasuredCause cause;
  cause.difference = difference;
  cause.matter = Matter::mask;
  drop_rules_of_other_maps(rules, cause);
  return rules;
}

TEST(UnprovenRules, ANumberOfElementsSaysNothingOfThoseThatAreOff) {
  const Difference number{MapKind::length, {}, {}};
  EXPECT_EQ(left_by(number, {"VP-2-mask-read", "VP-2-contiguous", "VP-2-mask-write", "VP-2-outside"}),
            Ids{"VP-2-contiguous"});
}

TEST(UnprovenRules, AMaskThatDecidesAboutWhatIsReadSaysNothingOfThePadding) {
  Difference reads{MapKind::src, {}, {}};
  reads.of_gated_reads = true;
  EXPECT_EQ(left_by(reads, {"VP-1-by-block", "VP-2-mask-read", "VP-1-mode-1-right"}), Ids{"VP-2-mask-read"});
}

TEST(UnprovenRules, ANumberThatLeavesElementsOutSaysNothingOfThoseBehindIt) {
  Difference number{MapKind::length, {}, {}};
  number.takes_less = true;
  EXPECT_EQ(left_by(number, {"SVM-2-reductions", "SVM-2-total"}), Ids{"SVM-2-total"});
}

/// Of an odd number of active elements, the last one is lost: no masked-off element takes part.
TEST(UnprovenRules, ALostElementSaysNothingOfMaskedOffOnes) {
  const Finding finding =
      named(R"(ub 320
alloc d f32 0 32 = 7 x8
alloc s f32 64 256 = 1 x64
set_mask high=0x0 low=0x7fffffffffffffff
cadd.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)",
            changed({}, [](const Program& program, const Instruction& insn, State& state) {
              if (insn.op != Op::cadd) return;
              const Mask mask = state.mask;
              const auto on = std::count(mask.begin(), mask.begin() + 64, 1);
              if (on % 2 == 0) return;
              unsigned last = 63;
              while (mask[last] == 0) --last;
              for (unsigned r = 0; r < insn.repeat; ++r) {
                const auto at = [&](unsigned k, unsigned lane) {
                  return start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane);
                };
                const std::size_t to = start_of(program, insn.operands[0]) + r * repeat_step(insn, 0);
                store(&state.ub[to], load<float>(&state.ub[to]) - load<float>(&program.ub[at(1, last)]));
              }
            }));
  EXPECT_NE(finding.what.find("is left out under the mask"), std::string::npos) << finding.what;
  EXPECT_FALSE(names(finding, "VMC-3.2-cadd-zero"));
  EXPECT_FALSE(names(finding, "VMC-7-contributes-zero"));
}

/// A mask that only changes behind the instruction is no wrong address, and no lane disobeys it.
TEST(UnprovenRules, TheTitleOfAMaskThatIsLeftSaysSo) {
  const Finding finding = named(R"(ub 512
alloc d f32 0 256 = 7 x64
set_mask high=0x0 low=0xff
dup.f32 d+0 blk=1 rep=8, scalar=3, repeat=1
)",
                                changed({}, [](const Program&, const Instruction& last, State& state) {
                                  if (last.op == Op::dup) state.mask[64] = 1;
                                }));
  EXPECT_NE(finding.matter, Matter::address) << finding.what;
  const std::string text = printed(finding);
  EXPECT_EQ(text.find("is not obeyed"), std::string::npos) << text;
  EXPECT_TRUE(!finding.rules.empty() || text.find("another mask or mode is left") != std::string::npos)
      << text;
}

/// Pairs are made of other lanes, under a full mask: the mask has no part in it.
TEST(UnprovenRules, WrongPairsAreAMatterOfAddresses) {
  const Backend halves = changed({}, [](const Program& program, const Instruction& last, State& state) {
    if (last.op != Op::cpadd || last.dst_type != Element::i16) return;
    State before;
    Program front = program;
    front.instructions.pop_back();
    execute(front, Semantics(), before);
    for (unsigned repeat = 0; repeat < last.repeat; ++repeat)
      for (unsigned pair = 0; pair < 64; ++pair) {
        std::int16_t sum = 0;
        for (const unsigned lane : {pair, pair + 64}) {
          std::int16_t element = 0;
          std::memcpy(&element,
                      &before.ub[start_of(program, last.operands[1]) + lane_offset(last, 1, repeat, lane)],
                      2);
          if (before.mask[lane] != 0) sum = static_cast<std::int16_t>(sum + element);
        }
        std::memcpy(&state.ub[start_of(program, last.operands[0]) + repeat * repeat_step(last, 0) + 2 * pair],
                    &sum, 2);
      }
  });
  const Finding finding = named(R"(ub 512
alloc d i16 0 128 = 0 x64
alloc s i16 160 256 = 4 x126, 8 x2
cpadd.i16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)",
                                halves);
  EXPECT_NE(finding.what.find("lane l counts in result l mod 64"), std::string::npos) << finding.what;
  EXPECT_EQ(finding.matter, Matter::address);
}

/// If the mask is shown to be right, the title does not call it possible.
TEST(UnprovenRules, TheTitleDoesNotContradictTheSentence) {
  const Finding finding =
      named(R"(ub 288
alloc d u8 0 32 = 7 x32
alloc s f32 32 256 = 5 x64
compare_scalar.f32 d+0, s+0 blk=1 rep=8, scalar=1, gt, repeat=1
)",
            changed({}, [](const Program& program, const Instruction& last, State& state) {
              if (last.op != Op::compare_scalar || program.ub.size() > 320) return;
              state.ub[start_of(program, last.operands[0])] ^= std::byte{1};
            }));
  ASSERT_NE(finding.what.find("the mask is not the cause"), std::string::npos) << finding.what;
  EXPECT_EQ(printed(finding).find("whether the mask"), std::string::npos) << printed(finding);
}

/// It may take lanes for masked-off ones under every mask.
TEST(UnprovenRules, AReductionThatIsWrongUnderEveryMaskDoesNotAcquitTheMask) {
  const Finding finding =
      named(R"(ub 320
alloc d i32 0 32 = 7 x8
alloc s i32 32 256 = 5 x64
cadd.i32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)",
            changed({}, [](const Program& program, const Instruction& last, State& state) {
              if (last.op != Op::cadd || program.ub.size() != 320) return;
              state.ub[start_of(program, last.operands[0])] ^= std::byte{1};
            }));
  EXPECT_TRUE(finding.what.ends_with("; with one lane off (3 masks tried) they are wrong too"))
      << finding.what;
  EXPECT_NE(printed(finding).find("whether the mask"), std::string::npos) << printed(finding);
}

/// Data blocks without an active lane are not counted in src: later lanes read a block before their own.
TEST(UnprovenRules, LanesThatAreWrittenWhereTheMaskSaysSoBreakNoRuleOfSlots) {
  const Finding finding =
      named(R"(ub 640
alloc d u8 0 256 = 0 x256
alloc s u8 288 256 = 1 x32, 2 x32, 3 x32, 4 x32, 5 x32, 6 x32, 7 x32, 8 x32
set_mask high=0xffffffff00000000 low=0xffffffffffffffff
vmins.u8 d+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=100, repeat=1
)",
            changed({}, [](const Program& program, const Instruction& last, State& state) {
              if (last.op != Op::vmins || last.src_type != Element::u8) return;
              State before;
              Program front = program;
              front.instructions.pop_back();
              execute(front, Semantics(), before);
              for (unsigned repeat = 0; repeat < last.repeat; ++repeat) {
                unsigned from = 0;
                for (unsigned block = 0; block < 8; ++block) {
                  const auto first = before.mask.begin() + block * 32;
                  if (std::count(first, first + 32, 1) == 0) continue;
                  for (unsigned lane = 0; lane < 32; ++lane) {
                    if (first[lane] == 0) continue;
                    const auto at = [&](unsigned k, unsigned l) {
                      return start_of(program, last.operands[k]) + lane_offset(last, k, repeat, l);
                    };
                    state.ub[at(0, block * 32 + lane)] =
                        std::min(before.ub[at(1, from * 32 + lane)], std::byte(last.scalar.bits));
                  }
                  ++from;
                }
              }
            }));
  EXPECT_TRUE(names(finding, "VMC-6-pattern-a"));
  for (const char* const rule : {"VMC-0-one-pattern", "VMC-1-prefix-8bit", "VMC-1-upper-slots"})
    EXPECT_FALSE(names(finding, rule)) << rule;
}

/// The value that is left is the old one by chance: with other bytes in dst, and the same behind the
/// operands, the result is written.
TEST(UnprovenRules, AnOldValueByChanceIsNotCalledUnwritten) {
  const Finding finding =
      named(R"(ub 352
alloc d f16 0 32 = 0 x16
alloc s f16 64 32 = 1 x16
cmin.f16 d+0 rep=1, s+0 blk=0 rep=8, repeat=1
)",
            function_backend("changed", "", [](const Program& given, State& state) -> Outcome {
              Program program = given;
              if (program.ub.size() == 352 && !program.instructions.empty())
                program.instructions.back().operands[1].block_stride = 1;
              execute(program, Semantics(), state);
              return Ran{};
            }));
  EXPECT_EQ(finding.what.find("unwritten"), std::string::npos) << finding.what;
}

}  // namespace
}  // namespace lanecheck
