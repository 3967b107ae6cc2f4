// What identification says of backends that keep a wrong mask register.
#include <gtest/gtest.h>

#include <functional>

#include "fuzz/identify/identify_testing.h"

namespace lanecheck {
namespace identify_state_test {

/// The oracle on a program in which the last of several set_mask gets another mask, made of both.
template <class Merge>
Ask merging(Merge merge) {
  return [merge](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      auto& all = program.instructions;
      if (all.size() < 3 || !sets_mask(all[1])) continue;
      all[1].high = merge(all[0].high, all[1].high);
      all[1].low = merge(all[0].low, all[1].low);
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
}

TEST(IdentifyFault, SetMaskMergesWithTheOldMask) {
  using Word = std::uint64_t;
  EXPECT_EQ(said("add.f16", merging([](Word old, Word now) { return old | now; })),
            "a set_mask directly after another one only switches slots on (the old and the new mask are "
            "combined by or)");
  EXPECT_EQ(said("add.f32", merging([](Word old, Word now) { return old & now; })),
            "a set_mask directly after another one only switches slots off (the old and the new mask are "
            "combined by and)");
  EXPECT_EQ(said("dup.u8", merging([](Word old, Word) { return old; })),
            "a set_mask directly after another one has no effect");
}

/// The oracle, in which reset_mask sets the mask to these words.
Ask with_reset_to(std::uint64_t high, std::uint64_t low) {
  return with([=](Instruction& i) {
    if (i.op == Op::reset_mask) i = Instruction{.op = Op::set_mask, .high = high, .low = low};
  });
}

TEST(IdentifyFault, ResetMaskDoesNotSetAllSlots) {
  EXPECT_EQ(said("add.f16", with_reset_to(0, kOnes)), "reset_mask leaves slots 64..127 at 0");
  EXPECT_EQ(said("add.f16", with_reset_to(0, 0)), "reset_mask leaves all slots at 0");
}

/// The oracle with another set_mask: slots 0..127 of the register become merge(old word, its word), and the
/// slots gate accordingly.
template <class Merge>
Ask with_set_mask(Merge merge) {
  return [merge](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      MaskWords now = {~std::uint64_t{0}, ~std::uint64_t{0}};
      for (Instruction& i : program.instructions) {
        if (!sets_mask(i)) continue;
        now = merge(now, MaskWords{i.high, i.low});
        i.high = now.high, i.low = now.low;
      }
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
}

TEST(IdentifyFault, ASetMaskIsComparedWithTheOneBefore) {
  const auto same_word = [](bool low, bool high) {
    return with_set_mask([=](MaskWords old, MaskWords now) {
      const bool is_first = old.low == kOnes && old.high == kOnes;
      const bool is_same = (low && now.low == old.low) || (high && now.high == old.high);
      return is_same && !is_first ? old : now;
    });
  };
  const std::string before = " word is that of the set_mask before has no effect";
  EXPECT_EQ(said("add.f16", same_word(true, false)), "a set_mask whose low" + before);
  EXPECT_EQ(said("mul.f16", same_word(false, true)), "a set_mask whose high" + before);
  EXPECT_EQ(said("add.i16", same_word(true, true)), "a set_mask whose low or high" + before);
}

/// A cache of masks by their low words, which each program fills anew.
TEST(IdentifyFault, ASetMaskIsComparedWithAllBefore) {
  const Ask cached = with_program([](Program& program) {
    std::map<std::uint64_t, std::uint64_t> high_of;
    for (Instruction& insn : program.instructions)
      if (insn.op == Op::set_mask) insn.high = high_of.try_emplace(insn.low, insn.high).first->second;
  });
  EXPECT_EQ(
      said("add.f16", cached),
      "a set_mask whose low word is that of an earlier set_mask, be it the one before or not, sets the mask "
      "of that one");
}

std::string said_with_mask(const std::string& name, const Ask& ask) {
  const auto differences = identify(subject_of(name), ask, true).differences;
  return differences.empty() ? "" : differences[0];
}

TEST(IdentifyFault, RegisterLosesItsLastSlot) {
  const Ask loses = with_set_mask([](MaskWords, MaskWords now) {
    return MaskWords{now.high & ~(std::uint64_t{1} << 63), now.low};
  });
  EXPECT_EQ(said_with_mask("add.f16", loses),
            "after set_mask, slot 127 of the mask is 0, whatever its words are");
}

TEST(IdentifyFault, RegisterComparesWithTheMaskBefore) {
  const Ask by_low =
      with_set_mask([](MaskWords old, MaskWords now) { return now.low == old.low ? old : now; });
  EXPECT_EQ(said_with_mask("add.f16", by_low),
            "after set_mask, slots 64..127 of the mask keep their old values if its low word is the same as "
            "before");
  const Ask by_high = with_set_mask([](MaskWords old, MaskWords now) {
    return now.high == old.high ? MaskWords{0, 0} : now;
  });
  EXPECT_EQ(said_with_mask("add.f16", by_high),
            "after set_mask, slots 0..127 of the mask are 0 if its high word is the same as before");
}

TEST(IdentifyFault, RegisterOnlyGrows) {
  const Ask ors = with_set_mask([](MaskWords old, MaskWords now) {
    return MaskWords{old.high | now.high, old.low | now.low};
  });
  EXPECT_EQ(said_with_mask("add.f16", ors),
            "after set_mask, slots 0..127 of the mask are 1, whatever its words are");
}

TEST(IdentifyFault, RegisterKeepsTheHighWordIfItIsZero) {
  const Ask keeps = with_set_mask([](MaskWords old, MaskWords now) {
    return MaskWords{now.high == 0 ? old.high : now.high, now.low};
  });
  EXPECT_EQ(said_with_mask("add.f32", keeps),
            "after set_mask, slots 64..127 of the mask keep their old values if the high word is 0");
}

TEST(IdentifyFault, RegisterKeepsTheHighWordIfItIsZeroAndTheLowOneIsNot) {
  const Ask keeps = with_set_mask([](MaskWords old, MaskWords now) {
    return MaskWords{now.high == 0 && now.low != 0 ? old.high : now.high, now.low};
  });
  EXPECT_EQ(
      said_with_mask("add.f32", keeps),
      "after set_mask, slots 64..127 of the mask keep their old values if the mask is not empty and the high "
      "word is 0");
}

TEST(IdentifyFault, AWordOfTheMaskIsTakenAsAnotherNumber) {
  const auto said_of_words = [](const std::function<std::uint64_t(std::uint64_t)>& of) {
    return said_with_mask("add.f16", with_set_mask([of](MaskWords, MaskWords now) {
                            return MaskWords{of(now.high), of(now.low)};
                          }));
  };
  const std::string each = "set_mask: each word of the mask ";
  EXPECT_EQ(said_of_words([](std::uint64_t word) {
              return word <= 0xffffffff && (word & 0x80000000) != 0 ? word | 0xffffffff00000000 : word;
            }),
            each + "gets the sign of its bit 31 in bits 32..63 if it is less than 2^32");
  EXPECT_EQ(said_of_words([](std::uint64_t word) { return word >> 63 != 0 ? ~std::uint64_t{0} >> 1 : word; }),
            each + "is limited to 2^63 - 1");
  EXPECT_EQ(said_of_words([](std::uint64_t word) { return __builtin_bswap64(word); }),
            each + "is taken with its bytes in reverse order");
  EXPECT_EQ(said_with_mask("add.f16", with_set_mask([](MaskWords, MaskWords now) {
                             const auto number = static_cast<double>(now.low);
                             return MaskWords{now.high, number >= 0x1p64
                                                            ? ~std::uint64_t{0}
                                                            : static_cast<std::uint64_t>(number)};
                           })),
            "set_mask: the low word of the mask goes through an f64, which keeps 53 bits");
  EXPECT_EQ(
      said_with_mask("add.f16", with_set_mask([](MaskWords, MaskWords now) {
                       std::uint64_t high = 0;
                       for (unsigned bit = 0; bit < 64; ++bit) {
                         const std::int64_t one = static_cast<std::int32_t>(1U << bit % 32);
                         if ((now.high & static_cast<std::uint64_t>(one)) != 0)
                           high |= std::uint64_t{1} << bit;
                       }
                       return MaskWords{high, now.low};
                     })),
      "set_mask: the high word of the mask is read as by word & (1 << b) in 32 bits: bit b is its bit b "
      "mod 32, and bits 31 and 63 are 1 if any of its bits 31..63 is");
}

TEST(IdentifyFault, RegisterWordsSwapped) {
  const Ask swapped = with_set_mask([](MaskWords, MaskWords now) { return MaskWords{now.low, now.high}; });
  EXPECT_EQ(
      said_with_mask("add.f16", swapped),
      "set_mask gives slots 0..127 of the mask bit slot xor 64 of its words (bit 64 is bit 0 of the high "
      "word)");
}

TEST(IdentifyFault, RegisterReceivesTheLowWordTwiceIfTheHighOneIsZero) {
  const Ask copies = with_set_mask([](MaskWords, MaskWords now) {
    return MaskWords{now.high == 0 ? now.low : now.high, now.low};
  });
  EXPECT_EQ(
      said_with_mask("add.f32", copies),
      "after set_mask, slots 64..127 of the mask receive the bits of the low word if the high word is 0");
}

/// `change(program, state)` after each instruction `op` that ends a program.
template <class Change>
Ask after_last(Op op, Change change) {
  return then([=](const Program& program, State& state) {
    if (program.instructions.back().op == op) change(program, state);
  });
}

TEST(IdentifyFault, ComparisonLeavesItsBitsInTheRegister) {
  const Ask leaves = after_last(Op::compare, [](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::size_t bytes = lanes_of(insn) / 8;
    const std::size_t from = start_of(program, insn.operands[0]) + (insn.repeat - 1) * bytes;
    for (unsigned slot = 0; insn.repeat > 0 && slot < 8 * bytes; ++slot)
      state.mask[slot] = std::to_integer<std::uint8_t>(state.ub[from + slot / 8] >> slot % 8 & std::byte{1});
  });
  EXPECT_EQ(said_with_mask("compare.f32", leaves),
            "compare.f32 puts the bits of the results of its last repeat into slots 0..N-1 of the mask "
            "register, for N "
            "lanes");
  EXPECT_EQ(said_with_mask("compare.i16", leaves),
            "compare.i16 puts the bits of the results of its last repeat into slots 0..N-1 of the mask "
            "register, for N "
            "lanes");
}

TEST(IdentifyFault, ComparisonLeavesTheBitsOfTheUpperLanesInTheirSlots) {
  const Ask leaves = after_last(Op::compare_scalar, [](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::size_t from = start_of(program, insn.operands[0]) + (insn.repeat - 1) * lanes_of(insn) / 8;
    for (unsigned slot = 64; insn.repeat > 0 && slot < lanes_of(insn); ++slot)
      state.mask[slot] = std::to_integer<std::uint8_t>(state.ub[from + slot / 8] >> slot % 8 & std::byte{1});
  });
  EXPECT_EQ(
      said_with_mask("compare_scalar.f16", leaves),
      "compare_scalar.f16 puts the bits of the results of its last repeat into slots 64..127 of the mask "
      "register, each into the slot of its lane");
}

TEST(IdentifyFault, SelectLeavesItsControlBitsInTheRegister) {
  const Ask leaves = after_last(Op::select, [](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::size_t bytes = lanes_of(insn) / 8;
    const std::size_t from = start_of(program, insn.operands[1]) + (insn.repeat - 1) * bytes;
    for (unsigned slot = 0; insn.repeat > 0 && slot < 8 * bytes; ++slot)
      state.mask[slot] =
          std::to_integer<std::uint8_t>(program.ub[from + slot / 8] >> slot % 8 & std::byte{1});
  });
  EXPECT_EQ(
      said_with_mask("select.f32", leaves),
      "select.f32 puts the control bits of its last repeat into slots 0..N-1 of the mask register, for N "
      "lanes");
}

TEST(IdentifyFault, InstructionInvertsAWordOfTheRegister) {
  const Ask inverts = after_last(Op::vnot, [](const Program&, State& state) {
    for (unsigned slot = 64; slot < 128; ++slot) state.mask[slot] ^= 1;
  });
  EXPECT_EQ(said_with_mask("vnot.u16", inverts), "vnot.u16 leaves slots 64..127 of the mask inverted");
}

TEST(IdentifyFault, InstructionResetsTheRegister) {
  const Ask resets = [](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n)
      if (batch.programs[n].instructions.back().op == Op::add) batch.states[n].mask = kFullMask;
  };
  EXPECT_EQ(said_with_mask("add.f16", resets),
            "add.f16 leaves all slots of the mask at 1 instead of leaving the mask as it was");
}

/// A reading lets select leave all slots at 1. That it leaves some of them at 1 no reading allows.
TEST(IdentifyFault, SelectLeavesAWordOfTheRegisterAtOne) {
  const auto leaves = [](unsigned first) {
    return after_last(Op::select, [first](const Program&, State& state) {
      for (unsigned slot = first; slot < 128; ++slot) state.mask[slot] = 1;
    });
  };
  const std::string behind = " at 1 instead of leaving the mask as it was";
  EXPECT_EQ(said_with_mask("select.f16", leaves(64)), "select.f16 leaves slots 64..127 of the mask" + behind);
  EXPECT_EQ(said_with_mask("select.f16", leaves(0)), "select.f16 leaves all slots of the mask" + behind +
                                                         ", which reading mask_after_select=all_ones allows");
}

/// A simulator that widens its own mask for the lanes of a pair, and keeps it.
TEST(IdentifyFault, InstructionLeavesGroupsOfSlotsAlike) {
  const Ask widens = after_last(Op::cpadd, [](const Program& program, State& state) {
    const Mask before = state.mask;
    for (unsigned slot = 0; slot < lanes_of(program.instructions.back()); ++slot)
      state.mask[slot] = before[slot] | before[slot ^ 1];
  });
  EXPECT_EQ(
      said_with_mask("cpadd.i32", widens),
      "cpadd.i32 leaves 1 in slots 0..63 of the mask, wherever one slot of its group of 2 neighbours is 1");
}

TEST(IdentifyFault, InstructionChangesTheRegisterInASlotAlone) {
  const Ask changes = after_last(Op::vnot, [](const Program&, State& state) {
    if (state.mask[3] != 0 && state.mask[7] == 0) state.mask[5] ^= 1;
  });
  const std::string text = said_with_mask("vnot.u16", changes);
  EXPECT_TRUE(text.starts_with("vnot.u16 changes the mask register: under the mask 0x")) << text;
  EXPECT_TRUE(text.ends_with(" (high:low), slot 5 is 1 afterwards") ||
              text.ends_with(" (high:low), slot 5 is 0 afterwards"))
      << text;
}

/// Slots 128..255 are 1 before each probe: one instruction does not tell 0 from inverted, two do.
TEST(IdentifyFault, SlotsThatNoInstructionSetsAreInverted) {
  for (const bool inverts : {true, false}) {
    const Ask ask = then([inverts](const Program& program, State& state) {
      bool on = true;
      for (const Instruction& each : program.instructions)
        if (each.op == Op::vnot) on = inverts && !on;
      for (unsigned slot = 128; slot < kMaskSlots; ++slot) state.mask[slot] = on;
    });
    EXPECT_EQ(said_with_mask("vnot.u16", ask),
              std::string("vnot.u16 leaves slots 128..255 of the mask ") + (inverts ? "inverted" : "at 0"));
  }
}

/// Which lanes are on, how many repeats there are and where dst lies can decide what is left in the register.
TEST(IdentifyFault, RegisterIsChangedUnderACondition) {
  const auto leaves = [](Op op, auto holds, Mask left) {
    return after_last(op, [=](const Program& program, State& state) {
      const Instruction& insn = program.instructions.back();
      const auto active = std::ranges::count(std::span(state.mask).first(lanes_of(insn)), std::uint8_t{1});
      if (holds(insn, active)) state.mask = left;
    });
  };
  Mask empty = kFullMask;
  set_mask(empty, 0, 0);
  EXPECT_EQ(
      said_with_mask("cadd.f32",
                     leaves(
                         Op::cadd, [](const Instruction&, auto active) { return active == 0; }, kFullMask)),
      "cadd.f32 leaves all slots of the mask at 1 if no lane is active");
  EXPECT_EQ(said_with_mask(
                "vmax.i16",
                leaves(
                    Op::vmax, [](const Instruction& insn, auto active) { return active == lanes_of(insn); },
                    empty)),
            "vmax.i16 leaves all slots of the mask at 0 if all lanes are active");
  EXPECT_EQ(
      said_with_mask("adds.f16",
                     leaves(
                         Op::adds, [](const Instruction& insn, auto) { return insn.repeat > 1; }, kFullMask)),
      "adds.f16 leaves all slots of the mask at 1 if it has more than one repeat");
  EXPECT_EQ(said_with_mask("relu.f16", leaves(
                                           Op::relu,
                                           [](const Instruction& insn, auto) {
                                             return insn.operands[0].allocation ==
                                                    insn.operands[1].allocation;
                                           },
                                           kFullMask)),
            "relu.f16 leaves all slots of the mask at 1 if dst lies in the place of the first source");
  EXPECT_EQ(said_with_mask(
                "cpadd.f32",
                leaves(
                    Op::cpadd, [](const Instruction& insn, auto) { return insn.repeat == 0; }, kFullMask)),
            "cpadd.f32 leaves all slots of the mask at 1 if its repeat times are 0");
}

/// The probes of the mask do not run: nothing is known of the register then.
TEST(IdentifyState, SaysNothingOfTheRegisterIfTheBackendCrashesUnderOtherMasks) {
  const Ask crashes = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      batch.states[n].ub = batch.programs[n].ub;  // it writes nothing
      batch.states[n].mask = mask_of(batch.programs[n]);
      batch.outcomes[n] = Ran{};
      if (batch.states[n].mask[0] == 0) batch.outcomes[n] = Errored{"crashed", true};
    }
  };
  const auto found = identify(subject_of("add.i32"), crashes, Shown{true, false}).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], "add.i32 writes nothing, whatever its repeat times are");
}

}  // namespace identify_state_test
}  // namespace lanecheck
