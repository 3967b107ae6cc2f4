// The order of reads and writes, and reads behind the end of UB, are told from wrong elements and leaks.
#include "fuzz/explain/observed/access_order.h"

#include <gtest/gtest.h>

#include <cstring>

#include "fuzz/explain/name_finding_testing.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

// Two repeats add into the same data blocks.
constexpr std::string_view kAccumulates = R"(
ub 800
alloc d f32 0 256 = 0 x64
alloc s f32 256 512 = 1 x128
add.f32 d+0 blk=1 rep=0, s+0 blk=1 rep=8, d+0 blk=1 rep=0, repeat=2
)";

/// Runs the last instruction with sources that lie in a copy of UB.
Backend reads_sources_first() {
  return function_backend("reads first", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    const auto size = static_cast<std::uint32_t>(program.ub.size());
    if (!program.instructions.empty() && size % 32 == 0 && program.instructions.back().op == Op::add) {
      program.ub.insert(program.ub.end(), given.ub.begin(), given.ub.end());
      program.allocations.push_back({"copy", Element::u8, size, size});
      for (unsigned k : {1u, 2u}) {
        Operand& source = program.instructions.back().operands[k];
        source.offset = start_of(program, source);
        source.allocation = static_cast<std::uint16_t>(program.allocations.size() - 1);
      }
    }
    execute(program, Semantics{}, state);
    state.ub.resize(size);
    return Ran{};
  });
}

TEST(AccessOrder, SourcesReadBeforeDstIsWritten) {
  const Finding finding = named(kAccumulates, reads_sources_first());
  EXPECT_EQ(
      finding.what,
      "add.f32 reads all of src1 before it writes dst: where the two share bytes, a repeat does not see "
      "what an earlier one wrote");
  EXPECT_EQ(finding.matter, Matter::address);
  EXPECT_EQ(finding.id, "measured-order-elementwise");
}

/// VMC section 7: repeats run one after the other. Here two of them are read before they write.
TEST(AccessOrder, TwoRepeatsAtATime) {
  const Finding finding =
      named(kAccumulates, function_backend("in pairs", "", [](const Program& given, State& state) -> Outcome {
              const auto size = static_cast<std::uint32_t>(given.ub.size());
              if (given.instructions.empty() || size % 32 != 0 || given.instructions.back().op != Op::add) {
                execute(given, Semantics{}, state);
                return Ran{};
              }
              execute(prefix(given, given.instructions.size() - 1), Semantics{}, state);
              const Instruction& insn = given.instructions.back();
              for (unsigned first = 0; first < insn.repeat; first += 2) {
                const State before = state;
                for (unsigned r = first; r < std::min(first + 2, insn.repeat); ++r) {
                  Program twice = given;
                  twice.allocations.push_back({"copy", Element::u8, size, size});
                  Instruction one = one_repeat(insn, r);
                  for (unsigned k : {1u, 2u}) {
                    one.operands[k].offset = start_of(given, one.operands[k]);
                    one.operands[k].allocation = static_cast<std::uint16_t>(twice.allocations.size() - 1);
                  }
                  state.ub.insert(state.ub.end(), before.ub.begin(), before.ub.end());
                  execute_one(twice, one, Semantics{}, state);
                  state.ub.resize(size);
                }
              }
              return Ran{};
            }));
  EXPECT_EQ(
      finding.what,
      "add.f32 reads src1 of 2 repeats together before it writes their part of dst: where the two share "
      "bytes, a repeat does not see what an earlier one of these 2 wrote");
}

/// VMC section 7: repeats run one after the other. Here each is read before the one before it writes.
TEST(AccessOrder, OneRepeatAhead) {
  const auto ahead = [](const Program& given, State& state) -> Outcome {
    if (given.instructions.size() != 1 || given.instructions.back().op != Op::add) {
      execute(given, Semantics{}, state);
      return Ran{};
    }
    state.ub = given.ub;
    const Instruction& insn = given.instructions.back();
    const auto at = [&](unsigned k, unsigned r, unsigned lane) {
      return start_of(given, insn.operands[k]) + lane_offset(insn, k, r, lane);
    };
    const auto sums = [&](unsigned r) {
      std::vector<float> list(lanes_of(insn));
      for (unsigned lane = 0; lane < list.size(); ++lane) {
        float a = 0, b = 0;
        std::memcpy(&a, &state.ub[at(1, r, lane)], 4);
        std::memcpy(&b, &state.ub[at(2, r, lane)], 4);
        list[lane] = a + b;
      }
      return list;
    };
    std::vector<float> next = sums(0);
    for (unsigned r = 0; r < insn.repeat; ++r) {
      const std::vector<float> now = std::move(next);
      if (r + 1 < insn.repeat) next = sums(r + 1);
      for (unsigned lane = 0; lane < now.size(); ++lane)
        std::memcpy(&state.ub[at(0, r, lane)], &now[lane], 4);
    }
    return Ran{};
  };
  EXPECT_EQ(
      named(kAccumulates, function_backend("ahead", "", ahead)).what,
      "add.f32 reads src1 of the next repeat before it writes dst: where the two share bytes, a repeat does "
      "not see what the one before it wrote");
}

/// The same of an old dst that repeats share.
TEST(AccessOrder, OldDstOneRepeatAhead) {
  const auto ahead = [](const Program& given, State& state) -> Outcome {
    execute(given, Semantics{}, state);
    if (given.instructions.size() != 1 || given.instructions.back().op != Op::axpy) return Ran{};
    const Instruction& insn = given.instructions.back();
    state.ub = given.ub;
    const auto at = [&](unsigned k, unsigned r, unsigned lane) {
      return start_of(given, insn.operands[k]) + lane_offset(insn, k, r, lane);
    };
    const auto old = [&](unsigned r) {
      std::vector<float> list(lanes_of(insn));
      for (unsigned lane = 0; lane < list.size(); ++lane)
        std::memcpy(&list[lane], &state.ub[at(0, r, lane)], 4);
      return list;
    };
    std::vector<float> next = old(0);
    for (unsigned r = 0; r < insn.repeat; ++r) {
      const std::vector<float> now = std::move(next);
      if (r + 1 < insn.repeat) next = old(r + 1);
      for (unsigned lane = 0; lane < now.size(); ++lane) {
        float a = 0;
        std::memcpy(&a, &given.ub[at(1, r, lane)], 4);
        const float product = a * static_cast<float>(insn.scalar.value), sum = product + now[lane];
        std::memcpy(&state.ub[at(0, r, lane)], &sum, 4);
      }
    }
    return Ran{};
  };
  EXPECT_EQ(named(R"(
ub 1600
alloc d f32 0 512 = 3 x128
alloc s f32 512 1024 = 1 x256
axpy.f32 d+0 blk=1 rep=2, s+0 blk=1 rep=8, scalar=3, repeat=3
)",
                  function_backend("ahead", "", ahead))
                .what,
            "axpy.f32 reads old dst of the next repeat before it writes dst: a repeat does not see what the "
            "one before it "
            "wrote");
}

/// Executes the repeats of the last instruction from the last to the first.
Backend runs_backward() {
  return function_backend("runs backward", "", [](const Program& given, State& state) -> Outcome {
    Program program = given;
    if (!program.instructions.empty() && program.instructions.back().op == Op::add) {
      const Instruction insn = program.instructions.back();
      program.instructions.pop_back();
      for (unsigned r = insn.repeat; r-- > 0;) {
        program.instructions.push_back(insn);
        program.instructions.back().repeat = 1;
        for (Operand& operand : program.instructions.back().operands)
          operand.offset += 32 * r * operand.repeat_stride;
      }
    }
    execute(program, Semantics{}, state);
    return Ran{};
  });
}

TEST(AccessOrder, RepeatsFromTheLastToTheFirst) {
  std::string text(kAccumulates);  // in f16, the order of a sum shows
  for (const auto& [from, to] : {std::pair{"f32 0 256 = 0 x64", "f16 0 256 = 1 x128"},
                                 {"f32 256 512 = 1 x128", "f16 256 512 = 1 x128, 2048 x128"},
                                 {"add.f32", "add.f16"}})
    text.replace(text.find(from), std::string(from).size(), to);
  const Finding finding = named(text, runs_backward());
  EXPECT_EQ(
      finding.what,
      "add.f16 executes its repeats from the last to the first, which shows where one of them reads what "
      "another one writes");
  EXPECT_EQ(finding.id, "measured-order-elementwise");
}

/// The sums of infinities with both signs are NaN, of which the sign is left open.
TEST(AccessOrder, RepeatsFromTheLastToTheFirstWhereANaNComesOut) {
  std::string text(kAccumulates);
  for (const auto& [from, to] : {std::pair{"f32 0 256 = 0 x64", "f16 0 256 = inf, 1 x127"},
                                 {"f32 256 512 = 1 x128", "f16 256 512 = -inf, 1 x127, 2048 x128"},
                                 {"add.f32", "add.f16"}})
    text.replace(text.find(from), std::string(from).size(), to);
  const Backend backward = runs_backward();
  const Finding finding =
      named(text, function_backend("other NaN", "", [=](const Program& given, State& state) {
              const Outcome outcome = backward.run(given, state);
              for (std::size_t at = 0; at + 2 <= state.ub.size(); at += 2)
                if (is_nan(Element::f16, bits_at(state, at, Element::f16)))
                  state.ub[at + 1] = std::byte{0xfe};
              return outcome;
            }));
  EXPECT_EQ(finding.id, "measured-order-elementwise") << finding.what;
}

/// The first byte of UB depends on the byte behind UB of the program, which is another one each time if the
/// UB of the program ends there.
Backend reads_behind(std::uint32_t at) {
  auto calls = std::make_shared<unsigned>(0);
  return function_backend("reads behind", "", [=](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    const bool inside = program.ub.size() > at;
    state.ub[0] = inside ? program.ub[at] : static_cast<std::byte>(++*calls & 0xff);
    return Ran{};
  });
}

TEST(ReadsBehindUb, IsToldFromALeak) {
  const Program program = parse_program(kAccumulates, "test");
  const Backend behind = reads_behind(50'000), random = reads_behind(1'000'000);
  AskedBackend asked_behind(behind, Profile::vmc), asked_random(random, Profile::vmc);
  EXPECT_TRUE(reads_behind_ub(program, asked_behind));
  EXPECT_FALSE(reads_behind_ub(program, asked_random));
  EXPECT_EQ(ask_again(program, asked_random, 3), AskedAgain::other_states);
  EXPECT_EQ(asked_random.questions(), 6u);  // four, and two until the states differ
}

TEST(AskedAgain, ANanThatChangesItsSignIsTheSameValue) {
  const Program program = parse_program("profile vmc\nub 32\nalloc d f32 0 32 = 5 x8\n", "test");
  auto calls = std::make_shared<unsigned>(0);
  const Backend nan = function_backend("NaN", "", [=](const Program& asked, State& state) -> Outcome {
    execute(asked, Semantics{}, state);
    state.ub[2] = std::byte{0xc0};
    state.ub[3] = ++*calls % 2 == 0 ? std::byte{0x7f} : std::byte{0xff};
    return Ran{};
  });
  AskedBackend asked(nan, Profile::vmc);
  EXPECT_EQ(ask_again(program, asked, 3), AskedAgain::same_state);
  EXPECT_FALSE(depends_on_earlier_programs(program, asked));
}

/// An empty cmin writes the result of the last cmin that was not empty, be it one of an earlier program.
Backend empty_minimum_keeps_the_last() {
  auto last = std::make_shared<std::vector<std::byte>>(4);
  return function_backend("keeps", "", [last](const Program& program, State& state) -> Outcome {
    execute(program, Semantics{}, state);
    if (program.instructions.empty() || program.instructions.back().op != Op::cmin) return Ran{};
    const Instruction& first = program.instructions.front();
    const bool empty = first.op == Op::set_mask && first.low == 0;
    const std::size_t at = start_of(program, program.instructions.back().operands[0]);
    std::memcpy(empty ? &state.ub[at] : last->data(), empty ? last->data() : &state.ub[at], 4);
    return Ran{};
  });
}

TEST(EarlierPrograms, AreNoGate) {
  const Finding finding = named(R"(
ub 288
alloc d f32 0 32 = 5 x8
alloc s f32 32 256 = 1 x64
set_mask high=0x0 low=0x0
cmin.f32 d+0 rep=1, s+0 blk=1 rep=8, repeat=1
)",
                                empty_minimum_keeps_the_last());
  EXPECT_EQ(finding.id, "not-repeatable") << finding.what;
}

}  // namespace
}  // namespace lanecheck
