// When a fault happens: the clauses follow from the fault that the test plants, and a clause that other data
// or another lane contradicts is not said.
#include "fuzz/explain/smallest/predicate.h"

#include <gtest/gtest.h>

#include <cstring>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/smallest/neighbour.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::string_view kLaneOff = R"(ub 1600
alloc dst i16 0 512 = 7 x256
alloc a i16 512 512 = 1 x256
alloc b i16 1056 512 = 2 x256
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
add.i16 dst+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=2
)";

using Condition = std::function<bool(const Program& program, const Instruction& last)>;

/// Right, except that the last instruction of a program ignores the mask where `when` holds.
Backend ignores_mask_when(const Condition& when) {
  return function_backend("faulty", "", [=](const Program& program, State& state) -> Outcome {
    Semantics semantics;
    if (!program.instructions.empty() && when(program, program.instructions.back()))
      for (MaskUse& use : semantics.use)
        if (use == MaskUse::gates_writeback) use = MaskUse::ignores;
    execute(program, semantics, state);
    return Ran{};
  });
}

Finding finding_of(const Backend& backend, std::string_view text) {
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  return explain(parse_program(text, "test"), {}, asked, documented, true);
}

/// The finding of a backend that is right, except that `break_state` is called after each program.
Finding of_broken(
    std::string_view text,
    const std::function<void(const Program& program, const Instruction& last, State& state)>& break_state) {
  return finding_of(function_backend("faulty", "",
                                     [=](const Program& program, State& state) -> Outcome {
                                       execute(program, Semantics(), state);
                                       if (!program.instructions.empty())
                                         break_state(program, program.instructions.back(), state);
                                       return Ran{};
                                     }),
                    text);
}

Finding explained(const Condition& when) {
  return finding_of(ignores_mask_when(when), kLaneOff);
}

bool says(const Finding& finding, std::string_view clause) {
  return finding.predicate.find(clause) != std::string::npos;
}

TEST(Predicate, OfAFaultThatIsAlwaysThere) {
  const Finding finding = explained([](const Program&, const Instruction&) { return true; });
  EXPECT_TRUE(says(finding, "happens for every element type tried (f16, f32, i8, u8, i16, i32)"))
      << finding.predicate;
  EXPECT_TRUE(says(finding, "when a lane is off (5 masks tried), not with a full mask")) << finding.predicate;
  EXPECT_TRUE(says(finding, "for every repeat time tried (1, 2, 3, 8)")) << finding.predicate;
  EXPECT_FALSE(says(finding, "alone")) << finding.predicate;
  EXPECT_EQ(finding.passes, "with bit 0 of low set");
}

/// The words of a mask without lanes of f32 have lanes of f16.
TEST(Predicate, AnEmptyMaskIsEmptyForEveryElementType) {
  const Finding finding =
      of_broken(R"(ub 1600
alloc d f32 0 64 = 7 x16
alloc s f32 96 256 = 1 x64
set_mask high=0xffffffffffffffff low=0x0
cadd.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)",
                [](const Program& program, const Instruction& last, State& state) {
                  const auto end = state.mask.begin() + std::min(128u, lanes_of(last));
                  const bool is_empty = std::count(state.mask.begin(), end, 0) == end - state.mask.begin();
                  if (last.op != Op::cadd || !is_empty) return;
                  std::memset(&state.ub[start_of(program, last.operands[0])], 0, size_of(last.dst_type));
                });
  EXPECT_TRUE(says(finding, "happens for every element type tried (f16, f32, i16, i32)"))
      << finding.predicate;
}

/// A minimum that counts lane 0 although it is off shows only if lane 0 holds the least element: with another
/// stride it must not seem right by chance.
TEST(Predicate, OfALaneThatCountsThoughItIsOff) {
  const Backend backend = function_backend("faulty", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::set_mask && insn.low != 0) insn.low |= 1;
    State right;
    execute(given, Semantics{}, right);
    execute(program, Semantics{}, state);
    state.mask = right.mask;  // the register itself is right
    return Ran{};
  });
  const Finding finding = finding_of(backend, R"(ub 600
alloc d f16 0 32 = 0 x16
alloc s f16 32 512 = 1, 2 x255
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
cmin.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=2
)");
  EXPECT_TRUE(says(finding, "for every block stride tried (1 of src, 2 of src)"))
      << finding.what << finding.predicate;
  EXPECT_FALSE(says(finding, "not with block stride")) << finding.predicate;
}

/// The greatest element is masked off and counts: with another stride it must still be the greatest.
TEST(Predicate, OfAMaximumThatTakesElement0ForThoseThatAreOff) {
  const Backend backend = function_backend("faulty", "", [](const Program& given, State& state) -> Outcome {
    execute(given, Semantics{}, state);
    const Instruction& last = given.instructions.back();
    if (last.op != Op::cmax) return Ran{};
    State before;
    execute(prefix(given, given.instructions.size() - 1), Semantics{}, before);
    for (unsigned repeat = 0; repeat < last.repeat; ++repeat) {
      const auto at = [&](unsigned lane) {
        return start_of(given, last.operands[1]) + lane_offset(last, 1, repeat, lane);
      };
      double greatest = -1e9;
      std::uint64_t bits = 0;
      bool any = false;
      for (unsigned lane = 0; lane < lanes_of(last); ++lane) {
        const std::size_t from = before.mask[lane] != 0 ? at(lane) : at(0);
        any |= before.mask[lane] != 0;
        const std::uint64_t element = bits_at(before, from, last.src_type);
        if (value_of(last.src_type, element) <= greatest) continue;
        greatest = value_of(last.src_type, element);
        bits = element;
      }
      const std::size_t to = start_of(given, last.operands[0]) + repeat * repeat_step(last, 0);
      if (any) std::memcpy(&state.ub[to], &bits, size_of(last.dst_type));
    }
    return Ran{};
  });
  const Finding finding = finding_of(backend, R"(ub 600
alloc d f16 0 32 = 0 x16
alloc s f16 32 256 = 65504, -2.4707031 x127
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
cmax.f16 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)");
  EXPECT_TRUE(says(finding, "for every block stride tried (1 of src, 2 of src)"))
      << finding.what << finding.predicate;
}

/// One repeat shows it too, as soon as the block strides are not the same.
TEST(Predicate, DoesNotSayNotWithOneRepeatIfBlockStridesShowItThen) {
  const Finding finding = of_broken(
      R"(ub 1088
alloc d f32 0 512 = 0 x128
alloc s f32 512 512 = 1 x128
axpy.f32 d+0 blk=1 rep=8, s+0 blk=1 rep=4, scalar=3, repeat=2
)",
      [](const Program& program, const Instruction& last, State& state) {
        if (last.op != Op::axpy || last.dst_type != Element::f32 || last.src_type != Element::f32) return;
        State before;
        execute(prefix(program, program.instructions.size() - 1), Semantics(), before);
        const auto read = [&](std::size_t at) {
          float value = 0;
          if (at + 4 <= before.ub.size()) std::memcpy(&value, &before.ub[at], 4);
          return value;
        };
        for (unsigned repeat = 0; repeat < last.repeat; ++repeat)
          for (unsigned lane = 0; lane < 64; ++lane) {
            if (before.mask[lane] == 0) continue;
            const std::size_t place = lane_offset(last, 1, repeat, lane);
            const float product =
                read(start_of(program, last.operands[1]) + place) * static_cast<float>(last.scalar.value);
            const float result = product + read(start_of(program, last.operands[0]) + place);
            std::memcpy(&state.ub[start_of(program, last.operands[0]) + lane_offset(last, 0, repeat, lane)],
                        &result, 4);
          }
      });
  EXPECT_FALSE(says(finding, "not with repeat time 1")) << finding.what << finding.predicate;
}

TEST(Predicate, OfAFaultOfSomeTypesAndRepeatTimes) {
  const Finding finding = explained([](const Program&, const Instruction& insn) {
    return size_of(insn.dst_type) == 2 && insn.repeat >= 2;
  });
  EXPECT_TRUE(says(finding, "as f16, i16, not as f32, i8, u8, i32")) << finding.predicate;
  EXPECT_TRUE(says(finding, "with repeat time 2, 3, 8, not with repeat time 1")) << finding.predicate;
}

TEST(Predicate, OfAFaultThatShowsInPlaceAlone) {
  const Backend backend = function_backend("faulty", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::sub && insn.operands[0].allocation == insn.operands[2].allocation)
        std::swap(insn.operands[1], insn.operands[2]);
    execute(program, Semantics(), state);
    return Ran{};
  });
  const Finding finding = finding_of(backend, R"(ub 1600
alloc a i16 0 512 = 1 x256
alloc b i16 544 512 = 2 x256
sub.i16 b+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=2
)");
  EXPECT_EQ(
      finding.what,
      "sub.i16 computes src1 - src0 instead of src0 - src1, in place (dst is also src1), and not if they "
      "lie apart");
  EXPECT_TRUE(says(finding, "with dst in the allocation of src1, not with dst in an allocation of its own"))
      << finding.predicate;
  EXPECT_EQ(finding.passes, "with dst in an allocation of its own");
}

/// The mask with lane 0 off shows it, and a mask with another lane off does not.
TEST(Predicate, OfAFaultThatShowsWithOneRepeatStrideAlone) {
  const Finding finding =
      finding_of(ignores_mask_when([](const Program&, const Instruction& last) {
                   return last.op == Op::add && last.repeat > 1 && last.operands[1].repeat_stride == 0;
                 }),
                 R"(ub 1568
alloc dst i16 0 512 = 7 x256
alloc a i16 512 256 = 1 x128
alloc b i16 1056 512 = 2 x256
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
add.i16 dst+0 blk=1 rep=8, a+0 blk=1 rep=0, b+0 blk=1 rep=8, repeat=2
)");
  EXPECT_NE(finding.predicate.find("with repeat stride 0 of src0, not with repeat stride 8 of src0"),
            std::string::npos)
      << finding.predicate;
}

TEST(Predicate, LeavesOutAClauseThatAFreshCaseContradicts) {
  const Finding finding = explained([](const Program& program, const Instruction&) {
    for (const Instruction& insn : program.instructions)
      if (insn.op == Op::set_mask && insn.low == ~std::uint64_t{1}) return true;
    return false;
  });
  EXPECT_FALSE(finding.predicate.empty());
  EXPECT_FALSE(says(finding, "lane")) << finding.predicate;
  EXPECT_FALSE(says(finding, "full mask")) << finding.predicate;
}

/// Every single change from the minimized program shows it, but 32 bits and two repeats together do not.
TEST(Predicate, SaysSoIfChangesTogetherDoNotShowIt) {
  const Finding finding = explained(
      [](const Program&, const Instruction& insn) { return size_of(insn.dst_type) != 4 || insn.repeat < 2; });
  EXPECT_TRUE(says(finding, "(each of these changed alone)")) << finding.predicate;
}

/// relu of integers leaves -1 where it must leave 0 for the least number of the type, and for no other.
void least_number_is_wrong(const Program& program, const Instruction& last, State& state) {
  if (last.op != Op::relu || is_float(last.dst_type)) return;
  const Allocation& home = program.allocations[last.operands[1].allocation];
  for (unsigned repeat = 0; repeat < last.repeat; ++repeat)
    for (unsigned lane = 0; lane < lanes_of(last); ++lane) {
      const std::size_t size = size_of(last.src_type);
      std::uint64_t bits = 0;
      const std::size_t from = home.offset + last.operands[1].offset + lane_offset(last, 1, repeat, lane);
      std::memcpy(&bits, &program.ub[from], size);
      if (bits != std::uint64_t{1} << (8 * size - 1)) continue;
      const std::size_t to = start_of(program, last.operands[0]) + lane_offset(last, 0, repeat, lane);
      std::memset(&state.ub[to], 0xff, size);
    }
}

constexpr std::string_view kOneElement = R"(ub 1088
alloc dst i16 0 512 = 7 x256
alloc a i16 512 512 = 1 x190, -32768, 1 x65
relu.i16 dst+0 blk=1 rep=8, a+0 blk=1 rep=8, repeat=2
)";

/// The lanes that are on take the bits of control in a row: whether a mask shows it depends on those bits,
/// which have a period of 8 here.
TEST(Predicate, DoesNotBlameAMaskThatThePeriodOfControlHides) {
  const Finding finding = of_broken(
      "ub 1024\nalloc c u8 0 32 = 1 x32\nalloc d f16 32 256 = 7 x128\nalloc a f16 320 256 = 1 x128\n"
      "alloc b f16 608 256 = 2 x128\nset_mask high=0xffffffffffffffff low=0xfffffffffffffffd\n"
      "select.f16 d+0 blk=1 rep=8, c+0, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1\n",
      [](const Program& program, const Instruction& last, State& state) {
        if (last.op != Op::select || lanes_of(last) != 128) return;
        State before;
        execute(prefix(program, program.instructions.size() - 1), Semantics(), before);
        const std::uint32_t control = start_of(program, last.operands[1]);
        for (unsigned r = 0; r < last.repeat; ++r)
          for (unsigned lane = 0, rank = 0; lane < 128; ++lane) {
            if (before.mask[lane] == 0) continue;
            const std::byte bits = before.ub[control + 16 * r + rank / 8];
            const unsigned k = std::to_integer<unsigned>(bits >> rank % 8 & std::byte{1}) != 0 ? 2 : 3;
            ++rank;
            std::memcpy(&state.ub[start_of(program, last.operands[0]) + lane_offset(last, 0, r, lane)],
                        &before.ub[start_of(program, last.operands[k]) + lane_offset(last, k, r, lane)], 2);
          }
      });
  EXPECT_FALSE(says(finding, "not with a full mask, a data block off")) << finding.predicate;
  EXPECT_TRUE(says(finding, "one lane off, every other lane off")) << finding.predicate;
}

/// Another repeat time, stride or type only takes the one element away that shows the fault.
TEST(Predicate, DoesNotBlameAChangeThatOnlyMovesTheData) {
  const Finding finding = of_broken(kOneElement, least_number_is_wrong);
  EXPECT_FALSE(says(finding, "not with repeat")) << finding.predicate;
  EXPECT_FALSE(says(finding, "not with block stride")) << finding.predicate;
  EXPECT_TRUE(says(finding, "as i8, i16, i32, not as f16, f32")) << finding.predicate;
  EXPECT_EQ(finding.passes, "as relu.f16");
}

/// With 64 lanes, odd repeats are gated by slots 64 to 127: whether a mask shows it depends on those slots.
TEST(Predicate, DoesNotBlameAMaskWithWhichTheFaultWasOnlyHidden) {
  const Finding finding =
      of_broken(R"(ub 1088
alloc dst i32 0 512 = 7 x128
alloc a i32 512 512 = 1 x128
set_mask high=0xffffffffffffffff low=0xfffffffffffffffe
relu.i32 dst+0 blk=1 rep=8, a+0 blk=1 rep=8, repeat=2
)",
                [](const Program& program, const Instruction& last, State& state) {
                  if (last.op != Op::relu || lanes_of(last) != 64) return;
                  Program split = program;
                  split.instructions.pop_back();
                  State before;
                  execute(split, Semantics(), before);
                  const std::uint64_t words[] = {mask_word(before.mask, 0), mask_word(before.mask, 1)};
                  for (unsigned repeat = 0; repeat < last.repeat; ++repeat) {
                    Instruction set, one = last;
                    set.op = Op::set_mask;
                    set.high = set.low = words[repeat % 2];
                    one.repeat = 1;
                    for (unsigned k = 0; k < 2; ++k)
                      one.operands[k].offset += static_cast<std::uint32_t>(repeat * repeat_step(last, k));
                    split.instructions.push_back(set);
                    split.instructions.push_back(one);
                  }
                  const Mask left = state.mask;
                  execute(split, Semantics(), state);
                  state.mask = left;
                });
  EXPECT_TRUE(says(finding, "not with repeat time 1")) << finding.predicate;
  EXPECT_FALSE(says(finding, "a full mask, every other")) << finding.predicate;
  EXPECT_FALSE(says(finding, "not with a full mask")) << finding.predicate;
  EXPECT_FALSE(says(finding, "not with block stride")) << finding.predicate;
}

TEST(Neighbour, IsNotTheProgramWithoutItsOnlyInstruction) {
  const Finding finding = of_broken(kOneElement, least_number_is_wrong);
  for (const Neighbour& each : neighbours(finding)) EXPECT_NE(each.change, "without instruction 1");
}

TEST(Neighbour, ComesFromTheBackendAndNotFromAGuess) {
  const Finding finding = explained([](const Program&, const Instruction&) { return true; });
  const auto all = neighbours(finding);
  EXPECT_GE(all.size(), 10u);
  const Backend backend =
      function_backend("breaks", "", [](const Program&, State&) -> Outcome { return Refused{"not now"}; });
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  EXPECT_EQ(passing_change(finding, nullptr, asked, documented), "");
  EXPECT_GT(asked.questions(), 0u);
  EXPECT_LE(asked.questions(), 48u);
  const unsigned before = asked.questions();
  EXPECT_EQ(predicate_of(finding, nullptr, asked, documented), "");
  EXPECT_LE(asked.questions() - before, 40u);
}

/// The results of an instruction are lost if the next one has the same dst and repeat times. With other
/// repeat times in one of the two, nothing is lost.
TEST(Predicate, SaysNoRepeatTimesOfOneOfTwoInstructionsThatMustFit) {
  const Finding finding = of_broken(
      "ub 512\nalloc d i16 0 512 = 0 x256\ndup.i16 d+0 blk=1 rep=8, scalar=1, repeat=2\n"
      "set_mask high=0xffffffffffffffff low=0xfffffffffffffffe\n"
      "dup.i16 d+0 blk=1 rep=8, scalar=1, repeat=2\n",
      [](const Program& program, const Instruction& last, State& state) {
        for (std::size_t n = 0; n + 1 < program.instructions.size(); ++n) {
          const Instruction& earlier = program.instructions[n];
          if (earlier.op != last.op || earlier.repeat != last.repeat) continue;
          if (earlier.operands[0] != last.operands[0]) continue;
          Program without = program;
          without.instructions.erase(without.instructions.begin() + static_cast<std::ptrdiff_t>(n));
          execute(without, Semantics(), state);
          return;
        }
      });
  EXPECT_NE(finding.what.find(" is lost when "), std::string::npos) << finding.what;
  EXPECT_EQ(finding.predicate.find("repeat time"), std::string::npos) << finding.predicate;
  EXPECT_EQ(finding.passes.find("repeat="), finding.passes.find("repeat=1 in instruction "))
      << finding.passes;
}

}  // namespace
}  // namespace lanecheck
