// What is said of gather_mask if its repeats, or the modes in which it counts them, are wrong.
#include <algorithm>
#include <cstring>

#include "fuzz/identify/gather_mask/gather_mask_map.h"
#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace gather_mask_repeats_test {

constexpr std::uint32_t Operand::*kBoth[] = {&Operand::block_stride, &Operand::repeat_stride};

/// What is said of a gather_mask that executes what `change` makes of it.
template <class Change>
std::string said_of(const char* name, Profile profile, Change change) {
  const auto differences = gather_mask_differences(subject_of(name, profile), with(change));
  return differences.empty() ? "" : differences.front().sentence();
}

std::uint32_t& counter(Instruction& insn) {
  return insn.settings[*setting_index(row_of(insn.op), "counter")];
}

TEST(GatherMaskRepeats, ModesThatAreExchangedAreNotACallThatKeepsNothing) {
  const auto exchanged = [](Instruction& insn) {
    if (row_of(insn.op).compacts) counter(insn) ^= 1U;
  };
  const std::string text = " takes counter=0 for its counter mode, and counter=1 for its normal mode";
  EXPECT_EQ(said_of("gather_mask.i32", Profile::p310, exchanged), "gather_mask.i32" + text);
  EXPECT_EQ(said_of("gather_mask.f16", Profile::a2, exchanged), "gather_mask.f16" + text);
}

TEST(GatherMaskRepeats, TheLastRepeatOfNormalModeIsLeftOut) {
  const auto left_out = [](Instruction& insn) {
    if (row_of(insn.op).compacts && counter(insn) == 0) --insn.repeat;
  };
  EXPECT_EQ(said_of("gather_mask.f16", Profile::a2, left_out),
            "gather_mask.f16 leaves out its last repeat, in its normal mode");
}

TEST(GatherMaskRepeats, PlacesInDstAreCountedInAByte) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (!row_of(insn.op).compacts) return;
    const std::size_t size = size_of(insn.dst_type), dst = start_of(program, insn.operands[0]);
    std::uint64_t count = 0;
    std::memcpy(&count, &state.ub[start_of(program, insn.operands[row_of(insn.op).operands.size() - 1])], 8);
    std::vector<std::byte> right(state.ub.begin() + static_cast<std::ptrdiff_t>(dst),
                                 state.ub.begin() + static_cast<std::ptrdiff_t>(dst + count * size));
    std::copy_n(program.ub.begin() + static_cast<std::ptrdiff_t>(dst), right.size(),
                state.ub.begin() + static_cast<std::ptrdiff_t>(dst));
    for (std::uint64_t n = 0; n < count; ++n)
      std::memcpy(&state.ub[dst + n % 256 * size], &right[n * size], size);
  });
  for (const char* name : {"gather_mask.f16", "gather_mask_user.u32"}) {
    const auto differences = gather_mask_differences(subject_of(name, Profile::a2), ask);
    ASSERT_FALSE(differences.empty());
    EXPECT_EQ(differences.front().sentence(),
              std::string(name) +
                  " uses only the lowest 8 bits of the number of an element in dst: element 256 "
                  "that it keeps overwrites element 0");
  }
}

TEST(GatherMaskRepeats, BothStridesAreDoubled) {
  const auto doubled = [](Instruction& insn) {
    if (row_of(insn.op).compacts)
      for (const auto field : kBoth) insn.operands[1].*field *= 2;
  };
  EXPECT_EQ(
      said_of("gather_mask.u32", Profile::a2, doubled),
      "src0 of gather_mask.u32 walks with twice the block stride and twice the repeat stride that are given");
}

TEST(GatherMaskRepeats, EachRepeatTakesWhatTheNextOneMustTake) {
  const auto next = [](unsigned k) {
    return [k](Instruction& insn) {
      if (row_of(insn.op).compacts) insn.operands[k].offset += insn.operands[k].repeat_stride * kBlockBytes;
    };
  };
  EXPECT_EQ(said_of("gather_mask.u32", Profile::a2, next(1)),
            "src0 of gather_mask.u32 starts one repeat stride later");
  EXPECT_EQ(said_of("gather_mask_user.u32", Profile::a2, next(2)),
            "src1 of gather_mask_user.u32 starts one repeat stride later");
}

TEST(GatherMaskRepeats, AFirstElementThatLiesLaterIsNoGapBeforeALaterRepeat) {
  const auto later = [](Instruction& insn) {
    if (row_of(insn.op).compacts) insn.operands[0].offset += kBlockBytes;
  };
  const std::string said = said_of("gather_mask.u32", Profile::p310, later);
  EXPECT_TRUE(said.starts_with(
      "gather_mask.u32 puts the first element that it keeps 8 elements behind the start of dst"))
      << said;
}

TEST(GatherMaskRepeats, WhatOneCallKeepsIsAnExampleIfOthersKeepMore) {
  const auto few = [](Instruction& insn) {  // repeats of many are lost, by no law
    if (row_of(insn.op).compacts && counter(insn) == 0)
      insn.repeat = insn.repeat > 5 ? 0 : insn.repeat * 2 % 5;
  };
  const std::string said = said_of("gather_mask.f16", Profile::a2, few);
  EXPECT_NE(said.find(", for example with repeat times "), std::string::npos) << said;
}

/// GM: the pattern of repeat r starts r * its repeat stride data blocks behind the first one.
TEST(GatherMaskRepeats, PatternsOfAsManyBytesAsTheElementsOfARepeatNeed) {
  const Ask packed = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      Instruction& insn = changed.instructions.back();
      if (insn.op == Op::gather_mask_user && insn.repeat > 1) {
        const bool counts = setting(insn, "counter") != 0;
        const std::size_t looked_at = counts ? setting(insn, "mask") : lanes_of(insn);
        const std::size_t step = (looked_at + 7) / 8 * insn.operands[2].repeat_stride;
        const std::size_t from = start_of(changed, insn.operands[2]),
                          blocks = (looked_at + 255) / 256 * kBlockBytes;
        std::vector<std::byte> patterns;
        for (std::size_t r = 0; r < insn.repeat; ++r) {
          const auto at = changed.ub.begin() + static_cast<std::ptrdiff_t>(from + r * step);
          patterns.insert(patterns.end(), at, at + static_cast<std::ptrdiff_t>(blocks));
        }
        insn.operands[2].allocation = static_cast<std::uint16_t>(changed.allocations.size());
        insn.operands[2].offset = 0;
        insn.operands[2].repeat_stride = static_cast<std::uint32_t>(blocks / kBlockBytes);
        changed.allocations.push_back({"p", Element::u8, static_cast<std::uint32_t>(changed.ub.size()),
                                       static_cast<std::uint32_t>(patterns.size())});
        changed.ub.insert(changed.ub.end(), patterns.begin(), patterns.end());
      }
      batch.states[n] = {};
      execute(changed, Semantics(default_readings(changed.profile)), batch.states[n]);
      batch.states[n].ub.resize(batch.programs[n].ub.size());
      batch.outcomes[n] = Ran{};
    }
  };
  const auto differences = gather_mask_differences(subject_of("gather_mask_user.u32", Profile::a2), packed);
  ASSERT_FALSE(differences.empty());
  EXPECT_TRUE(
      differences.front().sentence().starts_with("gather_mask_user.u32 takes src1's repeat stride for a "
                                                 "number of packed patterns (one bit for each element that "
                                                 "a repeat looks at, in whole bytes)"))
      << differences.front().sentence();
}

/// A single loop over all elements of counter mode, which knows the block stride of src0 alone.
TEST(GatherMaskRepeats, WalkOnByTheBlockStride) {
  const Ask walks_on = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::gather_mask || setting(insn, "counter") == 0 || setting(insn, "pattern") != 7) return;
    const unsigned size = size_of(insn.src_type), per = 32 / size, mask = setting(insn, "mask");
    for (unsigned n = 0; n < insn.repeat * mask; ++n)
      std::memcpy(&state.ub[start_of(program, insn.operands[0]) + n * size],
                  &program.ub[start_of(program, insn.operands[1]) +
                              std::size_t{32} * (n / per) * insn.operands[1].block_stride + n % per * size],
                  size);
  });
  for (const std::string name : {"gather_mask.u16", "gather_mask.f32"})
    EXPECT_EQ(first_said(name, walks_on),
              "src0 of " + name +
                  " walks on by its block stride from repeat to repeat, whatever repeat stride is given, "
                  "by pattern 7 in its counter mode");
}

/// What a call leaves with this number of elements and this block stride of src0.
State left_with(Program program, std::uint32_t elements, std::uint32_t block_stride) {
  Instruction& insn = program.instructions.back();
  insn.settings[*setting_index(row_of(insn.op), "mask")] = elements;
  insn.operands[1].block_stride = block_stride;
  State state;
  execute(program, Semantics(default_readings(program.profile)), state);
  return state;
}

std::uint64_t count_of(const Program& program, const State& state) {
  const Instruction& insn = program.instructions.back();
  std::uint64_t count = 0;
  std::memcpy(&count, &state.ub[start_of(program, insn.operands[row_of(insn.op).operands.size() - 1])], 8);
  return count;
}

/// What the last repeat keeps comes from a call with block stride 1.
TEST(GatherMaskRepeats, ALastRepeatThatIsNotFullLiesInARow) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (!row_of(insn.op).compacts || setting(insn, "counter") == 0) return;
    const std::uint32_t all = setting(insn, "mask"), lanes = lanes_of(insn.src_type);
    const std::uint32_t full = all / lanes * lanes;
    const std::uint64_t before =
        full == 0 ? 0 : count_of(program, left_with(program, full, insn.operands[1].block_stride));
    const State dense = left_with(program, all, 1);
    const std::size_t size = size_of(insn.dst_type), dst = start_of(program, insn.operands[0]);
    for (std::uint64_t n = before; n < count_of(program, state); ++n)
      std::memcpy(&state.ub[dst + n * size], &dense.ub[dst + n * size], size);
  });
  for (const std::string name : {"gather_mask.f32", "gather_mask_user.u16"}) {
    const auto differences = gather_mask_differences(subject_of(name, Profile::p310), ask);
    ASSERT_FALSE(differences.empty()) << name;
    EXPECT_EQ(differences.front().sentence(),
              "src0 of " + name + " takes a block stride of 1 in a repeat that is not full");
  }
}

/// GM: in normal mode a repeat takes 256 bytes. The count is that of the mask register, which has no say.
TEST(GatherMaskRepeats, TheMaskRegisterCountsTheElements) {
  const Ask obeys = with_program([](Program& program) {
    std::uint64_t count = 0;
    bool counts = false;
    for (Instruction& insn : program.instructions) {
      counts = counts || insn.op == Op::set_mask_count;
      if (insn.op == Op::set_vector_mask && counts) count = insn.low;
      if (!row_of(insn.op).compacts || count == 0 || counter(insn) != 0) continue;
      if (count >= std::uint64_t{insn.repeat} * (kRepeatBytes / size_of(insn.dst_type))) continue;
      counter(insn) = 1;
      insn.settings[*setting_index(row_of(insn.op), "mask")] = static_cast<std::uint32_t>(count);
    }
  });
  const auto differences = gather_mask_differences(subject_of("gather_mask.f32", Profile::p310), obeys);
  ASSERT_FALSE(differences.empty());
  EXPECT_EQ(differences.front().sentence(),
            "gather_mask.f32 looks at no more elements than the mask register counts, if the mask mode is "
            "counter mode before, in its normal mode");
}

/// GM: a block stride counts data blocks. Here element k of a repeat lies k block strides behind its start,
/// in elements.
TEST(GatherMaskRepeats, TheBlockStrideIsTakenForADistanceBetweenElements) {
  const Ask scaled = then([](const Program& program, State& state) {
    Instruction insn = program.instructions.back();
    if (!row_of(insn.op).compacts || counter(insn) != 0) return;
    const std::uint32_t pattern = insn.settings[*setting_index(row_of(insn.op), "pattern")];
    const std::size_t size = size_of(insn.dst_type), src = start_of(program, insn.operands[1]);
    std::size_t dst = start_of(program, insn.operands[0]);
    for (std::size_t r = 0; r < insn.repeat; ++r)
      for (std::size_t k = 0; k < kRepeatBytes / size; ++k) {
        const bool half = pattern < 3, chosen = k % (half ? 2 : 4) == pattern - (half ? 1 : 3);
        if (pattern != 7 && !chosen) continue;
        const std::size_t at =
            src + r * kBlockBytes * insn.operands[1].repeat_stride + k * size * insn.operands[1].block_stride;
        std::memcpy(&state.ub[dst], &program.ub[at], size);
        dst += size;
      }
  });
  const auto differences = gather_mask_differences(subject_of("gather_mask.f32", Profile::p310), scaled);
  ASSERT_FALSE(differences.empty());
  EXPECT_EQ(
      differences.front().sentence(),
      "src0 of gather_mask.f32 takes its block stride for the distance between elements, in elements, in "
      "its normal mode");
}

/// GM: what a repeat keeps lies behind what the repeats before it keep.
TEST(GatherMaskRepeats, PlacesFollowFromWhatTheFirstRepeatKeeps) {
  const Ask uniform = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (!row_of(insn.op).compacts) return;
    const std::size_t size = size_of(insn.dst_type), dst = start_of(program, insn.operands[0]);
    const bool counts = insn.settings[*setting_index(row_of(insn.op), "counter")] != 0;
    std::vector<std::vector<std::byte>> kept;  // of each repeat, which runs alone
    for (unsigned r = 0; r < insn.repeat && !counts; ++r) {
      Program one = program;
      Instruction& call = one.instructions.back();
      call.repeat = 1;
      call.operands[1].offset += r * kBlockBytes * insn.operands[1].repeat_stride;
      call.operands[2].offset += r * kBlockBytes * insn.operands[2].repeat_stride;
      State after;
      execute(one, Semantics(default_readings(one.profile)), after);
      std::uint64_t count = 0;
      std::memcpy(&count, &after.ub[start_of(program, insn.operands[3])], 8);
      const auto first = after.ub.begin() + static_cast<std::ptrdiff_t>(dst);
      kept.emplace_back(first, first + static_cast<std::ptrdiff_t>(count * size));
    }
    if (kept.empty()) return;
    std::size_t total = 0;
    for (const auto& each : kept) total += each.size();
    std::copy_n(&program.ub[dst], total, &state.ub[dst]);
    for (std::size_t r = 0; r < kept.size(); ++r)
      std::ranges::copy(kept[r], state.ub.begin() + static_cast<std::ptrdiff_t>(dst + r * kept[0].size()));
  });
  const auto differences = gather_mask_differences(subject_of("gather_mask_user.i16", Profile::a2), uniform);
  ASSERT_FALSE(differences.empty());
  EXPECT_EQ(
      differences.front().sentence(),
      "gather_mask_user.i16 starts what repeat r keeps r times as many elements behind the start of dst as "
      "repeat 0 keeps, in its normal mode");
}

}  // namespace gather_mask_repeats_test
}  // namespace lanecheck
