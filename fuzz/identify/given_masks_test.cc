// What instructions make of a mask of their own, and of one in the register (SVM section 1).
#include <algorithm>
#include <bit>
#include <cstring>

#include "fuzz/identify/given_number.h"
#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/left_by_length.h"
#include "fuzz/identify/mask_register/register_map.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace given_masks_test {

MaskWords words_of(const Program& program) {
  const Mask mask = mask_of(program);
  return {mask_word(mask, 1), mask_word(mask, 0)};
}

/// The slots of odd repeats are those of the high word. A mask of the instruction's own is right.
TEST(GivenMasks, TheRegisterMovesOnInOddRepeats) {
  const Ask moves_on = [](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      const bool counts = std::ranges::count(program.instructions, Op::set_mask_count, &Instruction::op) > 0;
      if (insn.op != Op::abs || insn.mask_from != MaskFrom::reg || counts) continue;
      Program full = program;
      full.instructions.back().mask_from = MaskFrom::bitwise;
      full.instructions.back().high = 0;
      full.instructions.back().low = kOnes;
      State all;
      Outcome outcome;
      ask_oracle()({{&full, 1}, {&all, 1}, {&outcome, 1}});
      for (unsigned r = 1; r < insn.repeat; r += 2)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
          const auto& from = has_slot(words_of(program), 64 + lane) ? all.ub : program.ub;
          std::memcpy(&batch.states[n].ub[at], &from[at], 4);
        }
    }
  };
  EXPECT_EQ(first_said("abs.f32", moves_on),
            "lanes 0..63 of abs.f32 are gated by slots 64..127 instead of 0..63, with its mask in the "
            "register, in every odd repeat (counted from 0)");
}

/// VMC section 3.1. Some masks have a low word that is not 0 and these slots off.
TEST(GivenMasks, AnEarlyExitThatLooksAtTheFirstSlotsOnly) {
  const Ask exits = then([](const Program& program, State& state) {
    const bool none = (words_of(program).low & 0xffffffff) == 0;
    if (program.instructions.back().op == Op::abs && none) state.ub = program.ub;
  });
  EXPECT_EQ(said("abs.f16", exits),
            "lanes 0..127 of abs.f16 are kept, whatever their slots are, if slots 0..31 are all 0");
}

/// VMC section 2: the words are unsigned.
TEST(GivenMasks, AWordWhoseLowerHalfIsASignedNumber) {
  const Ask extends = with([](Instruction& insn) {
    if (insn.op == Op::set_mask && (insn.low >> 31 & 1) != 0) insn.low |= 0xffffffff00000000;
  });
  const auto found = identify(subject_of("add.f16"), extends, true).differences;  // states show the mask
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], "set_mask: the low word of the mask gets ones in bits 32..63 if its bit 31 is 1");
}

/// In TIK no instruction sets the mask alone: what is kept shows after another instruction only. With a full
/// register before, it looks as if the high word became all ones.
TEST(GivenMasks, AContiguousMaskThatKeepsTheHighWordOfTheInstructionBefore) {
  const Ask keeps = [](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      std::uint64_t high = kOnes;
      for (Instruction& insn : program.instructions) {
        if (insn.mask_from == MaskFrom::contiguous && insn.low <= 64 && lanes_of(insn) == 128) {
          insn.mask_from = MaskFrom::bitwise;
          insn.low = insn.low == 64 ? kOnes : (std::uint64_t{1} << insn.low) - 1;
          insn.high = high;
        }
        if (insn.mask_from == MaskFrom::bitwise) high = insn.high;
      }
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
  const auto found =
      number_differences(shapes_of(subject_of("adds.f16", Profile::tik)), MaskGiven::contiguous, keeps);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(
      found.front().what,
      "for a contiguous mask of its own adds.f16 leaves the high word of the mask as it was if the length "
      "n is 64 or less");
}

/// The instruction that is asked about before writes lane 0 itself: that is no difference.
TEST(GivenMasks, AContiguousMaskThatLosesAWordWhateverTheMaskBefore) {
  const Ask loses = with([](Instruction& insn) {
    if (insn.mask_from != MaskFrom::contiguous || insn.low % 64 != 0) return;
    insn.mask_from = MaskFrom::bitwise;
    insn.low = insn.low == 64 ? 0 : kOnes;
    insn.high = 0;
  });
  const auto found =
      number_differences(shapes_of(subject_of("adds.f16", Profile::tik)), MaskGiven::contiguous, loses);
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found.front().what.ends_with("as if a shift by 64 were none")) << found.front().what;
}

/// Odd repeats obey slots 64..127, which no mask of a 32-bit type sets; a count has no slots.
TEST(GivenMasks, RepeatsThatAreLeftOutUnderAMaskAndNotWithACount) {
  const Ask leaves_out = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program split = batch.programs[n];
      const Instruction whole = split.instructions.back();
      if (whole.op == Op::muls && whole.mask_from != MaskFrom::count) {
        split.instructions.pop_back();
        for (unsigned r = 0; r < whole.repeat; r += 2) split.instructions.push_back(one_repeat(whole, r));
      }
      ask_oracle()({{&split, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  const auto found = identify(subject_of("muls.i32", Profile::tik), leaves_out).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0],
            "muls.i32 writes nothing in odd repeats (counted from 0), but not with a count of its own");
}

TEST(GivenMasks, ALengthThatLosesASlot) {
  const Ask loses = with([](Instruction& insn) {
    if (insn.op != Op::set_vector_mask_len || insn.settings[0] < 64) return;
    const std::uint64_t length = insn.settings[0];
    insn.op = Op::set_vector_mask;
    insn.high = length == 64 ? 0 : kOnes >> (128 - length);
    insn.low = kOnes >> 1;
    insn.settings = {};
  });
  EXPECT_EQ(
      first_said("set_vector_mask_len.f16", loses),
      "after set_vector_mask_len.f16, slot 63 of the mask register is 0 instead of that of its own length");
}

/// The oracle, with `change(instruction, state before it, state)` behind each instruction.
template <class Change>
Ask after_each(Change change) {
  return [change](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Semantics semantics(default_readings(program.profile));
      State& state = batch.states[n];
      execute(Program{program.profile, program.allocations, {}, program.ub}, semantics, state);
      for (const Instruction& insn : program.instructions) {
        const State before = state;
        execute_one(program, insn, semantics, state);
        change(insn, before, state);
      }
      batch.outcomes[n] = Ran{};
    }
  };
}

/// A fault of types of 4 bytes alone: what another type has set before is right. It does not look at the
/// mode.
TEST(GivenMasks, AMaskOf32BitTypesThatKeepsTheHighWord) {
  const Ask keeps = after_each([](const Instruction& insn, const State& before, State& state) {
    const bool sets = insn.op == Op::set_vector_mask || insn.op == Op::set_vector_mask_len;
    if (sets && size_of(insn.dst_type) == 4)
      set_mask(state.mask, mask_word(before.mask, 1), mask_word(state.mask, 0));
  });
  for (const std::string name : {"set_vector_mask.f32", "set_vector_mask_len.f32"})
    EXPECT_EQ(
        first_said(name, keeps),
        "after " + name + ", slots 64..127 of the mask register are what they were before instead of 0");
}

/// What it leaves in the register is right.
TEST(GivenMasks, PaddingThatExchangesTheTwoWords) {
  const Ask exchanges = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      for (std::size_t at = 0; at < changed.instructions.size(); ++at) {
        Instruction& insn = changed.instructions[at];
        if (insn.op != Op::vpadding || insn.mask_from != MaskFrom::bitwise) continue;
        const Instruction set = mask_setter(Op::set_vector_mask, {insn.high, insn.low}, Element::f16);
        std::swap(insn.high, insn.low);
        changed.instructions.insert(changed.instructions.begin() + static_cast<std::ptrdiff_t>(++at), set);
      }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  const auto said = identify(subject_of("vpadding.i16", Profile::p310), exchanges).differences;
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said[0], "vpadding.i16 takes a bitwise mask of its own with its two words exchanged");
}

/// SVM: the mask of an instruction may be its own, or stand in the register.
TEST(GivenMasks, WhatIsSaidOfAMaskOfItsOwnAlone) {
  const std::string law = "lanes 0..127 of vnot.u16 are kept, whatever their slots are, if the low word is 0";
  for (const bool also_register : {false, true}) {
    const Ask exits = [also_register](const Batch& batch) {
      std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
      for (Program& program : changed) {
        Instruction& insn = program.instructions.back();
        if (insn.op != Op::vnot || (insn.mask_from == MaskFrom::reg && !also_register)) continue;
        if (words_of(program).low != 0) continue;
        insn = mask_instruction(Op::set_mask_norm);  // which does nothing
      }
      ask_oracle()({changed, batch.states, batch.outcomes});
    };
    EXPECT_EQ(first_said("vnot.u16", exits), also_register ? law : law + ", for a mask of its own");
  }
}

/// A mask of 64 lanes has no bits in its high word: nothing is said of it (SVM-1-32bit).
TEST(GivenMasks, WhatIsSaidOfTheLowWordAloneIfNoOtherShows) {
  const Ask extends = with_program([](Program& program) {
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::set_vector_mask && (insn.low & 0x80000000) != 0) insn.low |= 0xffffffff00000000;
  });
  const std::string said = first_said("set_vector_mask.f32", extends);
  EXPECT_EQ(said.find("each word"), std::string::npos) << said;
  EXPECT_NE(said.find("the low word of the mask gets ones in bits 32..63 if its bit 31 is 1"),
            std::string::npos)
      << said;
}

/// The same of the elements that count (SVM-1-reductions).
TEST(GivenMasks, WhatIsSaidOfAReductionThatTakesAMaskOfItsOwnWrongly) {
  const Ask wraps = [](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      Instruction& insn = program.instructions.back();
      if (insn.op != Op::cgmax || insn.mask_from != MaskFrom::bitwise) continue;
      insn.low = (insn.low & 0xffffffff) * 0x100000001;
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
  EXPECT_EQ(first_said("cgmax.f32", wraps),
            "lanes 32..63 of cgmax.f32 are gated by slots 0..31 instead of 32..63, for a mask of its own");
}

/// In ascendc-a2 a gather has a mask of its own.
TEST(GivenMasks, AGatherThatOpensWholeDataBlocksDoesSoInAllLanes) {
  const Ask opens = [](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      Instruction& insn = program.instructions.back();
      if (insn.op != Op::gather || insn.mask_from == MaskFrom::reg) continue;
      const MaskWords words = words_of(program);
      insn.mask_from = MaskFrom::bitwise;
      insn.high = 0;
      insn.low = 0;
      for (unsigned lane = 0; lane < 64; ++lane)
        if ((words.low >> lane / 8 * 8 & 0xff) != 0) insn.low |= std::uint64_t{1} << lane;
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
  const auto said = identify(subject_of("gather.u32", Profile::a2), opens).differences;
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said[0], "lanes 0..63 of gather.u32 are written if any slot of their data block is 1");
}

/// VMC section 1: lane l takes element l.
TEST(GivenMasks, ActiveLanesThatTakeTheElementsOfSrcInARow) {
  const Ask in_a_row = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::abs) return;
    Program full = program;
    full.instructions.insert(full.instructions.end() - 1, mask_setter(Op::set_mask, {kOnes, kOnes}));
    State all;
    Outcome outcome;
    ask_oracle()({{&full, 1}, {&all, 1}, {&outcome, 1}});
    const std::size_t start = start_of(program, insn.operands[0]);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0, rank = 0; lane < lanes_of(insn); ++lane) {
        if (!has_slot(words_of(program), lane)) continue;
        const std::size_t to = start + lane_offset(insn, 0, r, lane),
                          from = start + lane_offset(insn, 0, r, rank++);
        std::memcpy(&state.ub[to], &all.ub[from], size_of(insn.dst_type));
      }
  });
  EXPECT_EQ(said("abs.i32", in_a_row),
            "the active lanes of abs.i32 take the elements of src in a row: active lane k (counted from 0, "
            "without the lanes that are off) takes the element of lane k");
}

TEST(GivenMasks, AGatherThatWritesItsActiveLanesOneAfterTheOther) {
  const Ask packs = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      const Instruction& insn = program.instructions.back();
      Program full = program;
      const bool gathers = insn.op == Op::gather && insn.mask_from == MaskFrom::bitwise;
      if (gathers) full.instructions.back().high = full.instructions.back().low = kOnes;
      if (gathers && lanes_of(insn) <= 64) full.instructions.back().high = 0;
      ask_oracle()({{&full, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      if (!gathers) continue;
      const std::vector<std::byte> all = batch.states[n].ub;
      auto& ub = batch.states[n].ub = program.ub;
      const unsigned size = size_of(insn.dst_type);
      for (unsigned r = 0; r < insn.repeat; ++r) {
        const std::size_t row = start_of(program, insn.operands[0]) + r * repeat_step(insn, 0);
        for (unsigned lane = 0, rank = 0; lane < lanes_of(insn); ++lane)
          if (has_slot({insn.high, insn.low}, lane))
            std::memcpy(&ub[row + rank++ * size], &all[row + lane * size], size);
      }
    }
  };
  EXPECT_EQ(first_said("gather.u32", packs),
            "the active lanes of gather.u32 are written to the first lanes of dst: active lane k (counted "
            "from 0, without the lanes that are off) goes to lane k");
}

/// The oracle; a contiguous mask becomes one of `length(instruction, repeat, repeat times)` lanes, if that
/// gives any.
Ask with_contiguous_length(std::optional<std::uint64_t> (*length)(const Instruction&, unsigned repeat,
                                                                  unsigned count)) {
  return with_single_repeats([length](Instruction& one, const Instruction& whole, unsigned repeat) {
    if (!row_of(one.op).has_repeat || one.mask_from != MaskFrom::contiguous) return;
    if (const auto other = length(one, repeat, whole.repeat)) one.low = *other;
  });
}

TEST(GivenMasks, AContiguousMaskThatCountsInTheLastRepeatAlone) {
  const Ask ask = with_contiguous_length([](const Instruction& one, unsigned repeat, unsigned count) {
    return repeat + 1 < count ? std::optional<std::uint64_t>(lanes_of(one)) : std::nullopt;
  });
  for (const std::string name : {"mul.f16", "cmax.f32", "cadd.f16"})
    EXPECT_EQ(first_said(name, ask),
              name + " takes all lanes instead of a contiguous mask of its own in every repeat but the last");
}

TEST(GivenMasks, AContiguousMaskThatCountsInTheFirstRepeatAlone) {
  const Ask ask = with_contiguous_length([](const Instruction& one, unsigned repeat, unsigned) {
    return repeat > 0 ? std::optional<std::uint64_t>(lanes_of(one)) : std::nullopt;
  });
  EXPECT_EQ(
      first_said("abs.f32", ask),
      "abs.f32 takes all lanes instead of a contiguous mask of its own in every repeat after the first");
}

/// Then it is not said that counter mode stays on: after normal mode it does not.
TEST(GivenMasks, ACountThatLeavesWhatWasThereBefore) {
  const Ask restores = after_each([](const Instruction& insn, const State& before, State& state) {
    if (insn.mask_from != MaskFrom::count) return;
    state.mode = before.mode;
    state.mask = before.mask;
  });
  Subject subject = subject_of("vor.u16", Profile::a2);
  subject.insn.mask_from = MaskFrom::count;
  EXPECT_EQ(
      register_differences(subject, restores).front().what,
      "after vor.u16 with a count of its own, the mode and all slots of the mask register are what they were "
      "before");
}

/// SVM section 4: a mask of its own stays in the register. A bitwise one does.
TEST(GivenMasks, AContiguousMaskThatKeepsTheHighWordOfTheRegister) {
  const Ask keeps = after_each([](const Instruction& insn, const State& before, State& state) {
    if (insn.mask_from == MaskFrom::contiguous && lanes_of(insn) == 64)
      set_mask(state.mask, mask_word(before.mask, 1), mask_word(state.mask, 0));
  });
  Subject subject = subject_of("mul.f32", Profile::a2);
  subject.insn.mask_from = MaskFrom::contiguous;
  EXPECT_EQ(
      left_in_register(subject, keeps).front().what,
      "after mul.f32, slots 64..127 of the mask register are what they were before instead of 0, with a "
      "contiguous mask of its own");
}

}  // namespace given_masks_test
}  // namespace lanecheck
