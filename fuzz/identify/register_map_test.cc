// What instructions leave in the mask register of SetVectorMask. Expected: SetVectorMask, "Function Usage",
// changed as each fault here says.
#include "fuzz/identify/mask_register/register_map.h"

#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The oracle with other instructions in the place of each instruction of one kind.
Ask replacing(Op op, const std::vector<Instruction>& by) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      changed.instructions.clear();
      for (const Instruction& insn : batch.programs[n].instructions)
        if (insn.op == op)
          changed.instructions.insert(changed.instructions.end(), by.begin(), by.end());
        else
          changed.instructions.push_back(insn);
      execute(changed, Semantics(default_readings(changed.profile)), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
}

/// SetMaskNorm brings back the register that SetMaskCount found.
TEST(RegisterMap, AModeSwitchThatBringsBackAnEarlierMask) {
  const Ask restores = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      changed.instructions.clear();
      Instruction last = mask_instruction(Op::set_vector_mask, {kOnes, kOnes});
      std::optional<Instruction> saved;
      for (const Instruction& insn : batch.programs[n].instructions) {
        changed.instructions.push_back(insn);
        if (insn.op == Op::set_vector_mask) last = insn;
        if (insn.op == Op::set_mask_count) saved = last;
        if (insn.op == Op::set_mask_norm && saved) changed.instructions.push_back(*saved);
      }
      execute(changed, Semantics(default_readings(changed.profile)), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
  EXPECT_EQ(said_of_mask_instruction("set_mask_norm", restores),
            "after set_mask_norm, all slots of the mask register are again what they were before "
            "set_mask_count, in counter mode");
}

TEST(RegisterMap, AnOwnMaskWithoutAHighWordTakesThatOfTheRegister) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      changed.instructions.clear();
      MaskWords in_register{kOnes, kOnes};
      for (Instruction insn : batch.programs[n].instructions) {
        const bool takes_high = insn.op == Op::add && insn.mask_from == MaskFrom::bitwise && insn.high == 0;
        if (takes_high) insn.high = in_register.high;
        changed.instructions.push_back(insn);
        if (takes_high) {  // it leaves its own mask
          insn = mask_instruction(Op::set_vector_mask, {0, insn.low});
          changed.instructions.push_back(insn);
        }
        if (insn.op == Op::set_vector_mask || insn.mask_from == MaskFrom::bitwise)
          in_register = {insn.high, insn.low};
      }
      execute(changed, Semantics(default_readings(changed.profile)), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
  EXPECT_EQ(first_said("add.f16", ask),
            "lanes 64..127 of add.f16 are gated by the mask register instead of by its own mask if the high "
            "word is 0");
}

TEST(RegisterMap, WhatAMaskInstructionLeaves) {
  Instruction reset, norm;
  reset.op = Op::reset_mask;
  norm.op = Op::set_mask_norm;
  EXPECT_EQ(said_of_mask_instruction("set_mask_norm", replacing(Op::set_mask_norm, {norm, reset})),
            "after set_mask_norm, all slots of the mask register are 1 instead of what they were before");
  EXPECT_EQ(said_of_mask_instruction("reset_mask", replacing(Op::reset_mask, {reset, norm})),
            "reset_mask switches to normal mode instead of leaving counter mode on");
  EXPECT_EQ(said_of_mask_instruction("set_mask_norm", replacing(Op::set_mask_norm, {})),
            "set_mask_norm leaves counter mode on instead of switching to normal mode");
  const Ask high_lost = with([](Instruction& insn) {
    if (insn.op == Op::set_vector_mask) insn.high = 0;
  });
  EXPECT_EQ(
      said_of_mask_instruction("set_vector_mask.f16", high_lost),
      "after set_vector_mask.f16, slots 64..127 of the mask register are 0 instead of those of its own mask");
}

TEST(RegisterMap, ASingleSlot) {
  const Ask loses_63 = with([](Instruction& insn) {
    if (insn.op == Op::set_vector_mask) insn.low &= ~(std::uint64_t{1} << 63);
  });
  EXPECT_EQ(said_of_mask_instruction("set_vector_mask.f32", loses_63),
            "after set_vector_mask.f32, slot 63 of the mask register is 0 instead of that of its own mask");
}

TEST(RegisterMap, AnOwnMaskThatIsAddedToTheRegister) {
  const Ask ored = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      std::uint64_t low = kOnes;
      for (Instruction& insn : changed.instructions) {
        if (insn.mask_from == MaskFrom::bitwise) insn.low |= low;
        if (insn.op == Op::set_vector_mask || insn.mask_from == MaskFrom::bitwise) low = insn.low;
      }
      execute(changed, Semantics(default_readings(changed.profile)), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
  for (const std::string name : {"add.f16", "cmax.f16"})
    EXPECT_EQ(first_said(name, ored),
              "after " + name +
                  ", slots 0..63 of the mask register stay 1 if they were 1 before (the old and the new mask "
                  "are combined by or)");
}

std::uint64_t first_slots(std::uint64_t length) {
  return length >= 64 ? kOnes : (std::uint64_t{1} << length) - 1;
}

/// The oracle, in which each number or mask set after another one becomes change(old words, own words).
template <class Change>
Ask with_register(Change change) {
  return [change](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      MaskWords now = {kOnes, kOnes};
      for (Instruction& insn : changed.instructions) {
        const bool sets_length = insn.op == Op::set_vector_mask_len,
                   sets_words = insn.op == Op::set_vector_mask;
        const bool has_length = insn.mask_from == MaskFrom::contiguous,
                   has_words = insn.mask_from == MaskFrom::bitwise;
        if (!sets_length && !sets_words && !has_length && !has_words) continue;
        const std::uint64_t length = sets_length ? insn.settings[0] : insn.low * has_length;
        MaskWords own = {insn.high, insn.low};
        if (length > 0) own = {first_slots(length < 64 ? 0 : length - 64), first_slots(length)};
        now = change(now, own, length);
        if (sets_length) insn.op = Op::set_vector_mask;
        if (has_length) insn.mask_from = MaskFrom::bitwise;
        insn.high = now.high;
        insn.low = now.low;
      }
      execute(changed, Semantics(default_readings(changed.profile)), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
}

TEST(RegisterMap, ALengthThatKeepsAWordOfTheRegister) {
  const Ask keeps_high = with_register([](MaskWords old, MaskWords own, std::uint64_t length) {
    return length > 0 && length <= 64 ? MaskWords{old.high, own.low} : own;
  });
  EXPECT_EQ(said_of_mask_instruction("set_vector_mask_len.f16", keeps_high),
            "after set_vector_mask_len.f16, slots 64..127 of the mask register are what they were before "
            "instead of 0, if the length n is 64 or less");
  for (const std::string name : {"add.f16", "cmin.f16"})
    EXPECT_EQ(first_said(name, keeps_high),
              "after " + name +
                  ", slots 64..127 of the mask register are what they were before instead of 0, "
                  "if the length n is 64 or less");
  const Ask keeps_low = with_register([](MaskWords old, MaskWords own, std::uint64_t length) {
    return length > 64 ? MaskWords{own.high, old.low} : own;
  });
  EXPECT_EQ(first_said("add.f16", keeps_low),
            "after add.f16, slots 0..63 of the mask register are what they were before instead of 1, if the "
            "length n is 65 or more");
  const Ask ors = with_register([](MaskWords old, MaskWords own, std::uint64_t length) {
    return length > 0 ? MaskWords{old.high | own.high, old.low | own.low} : own;
  });
  EXPECT_EQ(first_said("add.f16", ors),
            "add.f16 combines a contiguous mask of its own with the mask register by or");
}

TEST(RegisterMap, AMaskInstructionThatGoesByTheMaskBefore) {
  const auto said_of = [](auto change) {
    return said_of_mask_instruction("set_vector_mask.f16", with_register(change));
  };
  EXPECT_EQ(
      said_of([](MaskWords old, MaskWords own, std::uint64_t) { return own.low == old.low ? old : own; }),
      "after set_vector_mask.f16, slots 64..127 of the mask register are what they were before instead "
      "of those of its own mask, if its low word is the one that was set before");
  EXPECT_EQ(said_of([](MaskWords old, MaskWords own, std::uint64_t) {
              return own.high == 0 ? MaskWords{old.high, own.low} : own;
            }),
            "after set_vector_mask.f16, slots 64..127 of the mask register are what they were before instead "
            "of 0, if in the new mask the high word is 0, as seen in normal mode");
}

TEST(RegisterMap, ACountThatHasNoEffectAfterAnother) {
  const Ask faulty = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      std::optional<std::uint32_t> first;
      for (Instruction& insn : changed.instructions)
        if (insn.op == Op::set_vector_mask_total) {
          if (!first) first = insn.settings[0];
          insn.settings[0] = *first;
        }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  EXPECT_EQ(said_of_mask_instruction("set_vector_mask_total", faulty),
            "after set_vector_mask_total, all slots of the mask register are what they were before instead "
            "of those of its own count, if another set_vector_mask_total came before");
}

/// For types of which a repeat has fewer lanes, fewer lengths are legal. The fault is one and the same.
TEST(RegisterMap, ALengthOfATypeWithFewLanes) {
  const Ask keeps_high = with_register([](MaskWords old, MaskWords own, std::uint64_t length) {
    return length > 0 && length <= 64 ? MaskWords{old.high, own.low} : own;
  });
  for (const std::string name : {"set_vector_mask_len.f32"})
    EXPECT_EQ(said_of_mask_instruction(name, keeps_high),
              "after " + name +
                  ", slots 64..127 of the mask register are what they were before instead of 0, "
                  "if the length n is 64 or less");
}

TEST(RegisterMap, ARegisterThatIsNotReadWithoutAnOwnMask) {
  const auto without_mask = [](MaskWords words, unsigned lanes) {
    return with([=](Instruction& insn) {
      if (row_of(insn.op).mask != MaskUse::gates_writeback || insn.mask_from != MaskFrom::reg) return;
      if (insn.op == Op::dup || lanes_of(insn) != lanes) return;
      insn.mask_from = MaskFrom::bitwise;
      insn.high = lanes > 64 ? words.high : 0;
      insn.low = words.low;
    });
  };
  EXPECT_EQ(first_said("relu.i32", without_mask({0, kOnes}, 64)),
            "relu.i32 without a mask of its own writes all its lanes, whatever the mask register holds");
  EXPECT_EQ(first_said("add.f16", without_mask({kOnes, kOnes}, 128)),
            "add.f16 without a mask of its own writes all its lanes, whatever the mask register holds");
}

/// The oracle, in which bitwise masks of `op` become change(words).
template <class Change>
Ask with_own_mask(Op op, Change change) {
  return with([=](Instruction& insn) {
    if (insn.op != op || insn.mask_from != MaskFrom::bitwise) return;
    const MaskWords words = change(MaskWords{insn.high, insn.low});
    insn.high = lanes_of(insn) > 64 ? words.high : 0;
    insn.low = words.low;
  });
}

std::uint64_t reversed(std::uint64_t word) {
  std::uint64_t all = 0;
  for (unsigned bit = 0; bit < 64; ++bit) all |= (word >> bit & 1) << (63 - bit);
  return all;
}

TEST(RegisterMap, BitsOfAnOwnMaskThatAreMoved) {
  EXPECT_EQ(
      first_said("mul.f16", with_own_mask(Op::mul,
                                          [](MaskWords own) {
                                            return MaskWords{own.low, own.high};
                                          })),
      "after mul.f16, slots 0..63 of the mask register hold the high word of its own mask, slots 64..127 "
      "of the mask register hold the low word of its own mask");
  EXPECT_EQ(first_said("adds.i32", with_own_mask(Op::adds,
                                                 [](MaskWords own) {
                                                   return MaskWords{0, reversed(own.low)};
                                                 })),
            "after adds.i32, slots 0..63 of the mask register hold the low word of its own mask in reverse "
            "order");
  EXPECT_EQ(first_said("relu.f16", with_own_mask(Op::relu,
                                                 [](MaskWords own) {
                                                   return MaskWords{own.low, own.low};
                                                 })),
            "after relu.f16, slots 64..127 of the mask register hold the low word of its own mask");
  EXPECT_EQ(
      first_said("add.i16", with_own_mask(Op::add,
                                          [](MaskWords own) {
                                            return MaskWords{own.high << 1 | own.low >> 63, own.low << 1};
                                          })),
      "after add.i16, slot 0 of the mask register is 0, slots 1..127 of the mask register hold bit slot - "
      "1 of its own mask (bit 64 is bit 0 of the high word)");
}

TEST(RegisterMap, BitwiseMasksThatComeLateInTik) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program late = batch.programs[n];
      MaskWords before{lanes_of(late.instructions[0]) > 64 ? kOnes : 0, kOnes};
      for (Instruction& insn : late.instructions) {
        if (insn.mask_from != MaskFrom::bitwise) continue;
        std::swap(insn.high, before.high);
        std::swap(insn.low, before.low);
      }
      ask_oracle()({{&late, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  for (const std::string name : {"adds.f16", "muls.i32", "axpy.f32", "dup.u16"}) {
    const auto said = identify(subject_of(name, Profile::tik), ask).differences;
    ASSERT_EQ(said.size(), 1U) << name;
    EXPECT_EQ(
        said.front(),
        name +
            " takes the bitwise mask of the instruction before it in place of its own, and all lanes if "
            "no instruction comes before it; contiguous masks are obeyed");
  }
}

/// A list [0, low] sets slots 0..63 alone.
TEST(RegisterMap, AHighWordOf0ThatIsNotLoadedInTik) {
  const Ask ask = with_program([](Program& program) {
    std::uint64_t high = kOnes;
    for (Instruction& insn : program.instructions)
      if (insn.mask_from == MaskFrom::bitwise)
        insn.high = insn.high != 0 || lanes_of(insn) <= 64 ? high = insn.high : high;
  });
  EXPECT_EQ(
      identify(subject_of("adds.f16", Profile::tik), ask).differences,
      std::vector<std::string>{"a bitwise mask whose high word is 0 sets the low word alone: lanes "
                               "64..127 of adds.f16 go by the high word that was there before, all ones "
                               "if no instruction comes before it; contiguous masks are obeyed"});
}

/// The profile tik has no mask register: wrong lanes are all that is seen of a lost bit.
TEST(RegisterMap, BitsOfABitwiseMaskThatAreLostInTik) {
  const auto said_in_tik = [](const std::string& name, const Ask& ask) {
    const auto said = identify(subject_of(name, Profile::tik), ask).differences;
    return said.empty() ? "" : said.front();
  };
  EXPECT_EQ(said_in_tik("axpy.f16", with_own_mask(Op::axpy,
                                                  [](MaskWords own) {
                                                    return MaskWords{own.high & (kOnes >> 1), own.low};
                                                  })),
            "bit 63 of the high word of a bitwise mask is taken as 0: lane 127 of axpy.f16 is not written; "
            "contiguous masks are obeyed");
  EXPECT_EQ(
      said_in_tik("adds.f32", with_own_mask(Op::adds,
                                            [](MaskWords own) {
                                              return MaskWords{own.high, own.low | 1 << 7};
                                            })),
      "bit 7 of the low word of a bitwise mask is taken as 1: lane 7 of adds.f32 is written whatever the "
      "mask is; contiguous masks are obeyed");
  // 64 lanes have no high word: the words in exchanged order are an empty mask.
  EXPECT_EQ(said_in_tik("axpy.f32.f16", with_own_mask(Op::axpy,
                                                      [](MaskWords own) {
                                                        return MaskWords{own.low, own.high};
                                                      })),
            "axpy.f32.f16 writes nothing under a bitwise mask; contiguous masks are obeyed");
  const Ask never = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
      const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, repeat, 3);
      for (unsigned byte = 0; byte < 4; ++byte) state.ub[at + byte] = program.ub[at + byte];
    }
  });
  EXPECT_EQ(said_in_tik("muls.f32", never), "lane 3 of muls.f32 is never written");
}

TEST(RegisterMap, WordsOfABitwiseMaskThatAreTakenAsNumbersInTik) {
  static constexpr std::uint64_t kMost = kOnes >> 1;
  const auto said_in_tik = [](const std::string& name, Op op, auto change) {
    std::string all;
    for (const auto& each : identify(subject_of(name, Profile::tik), with_own_mask(op, change)).differences)
      all += each + "|";
    return all;
  };
  const auto low = [](MaskWords own) { return MaskWords{own.high, std::min(own.low, kMost)}; };
  const std::string limited =
                        " word of a bitwise mask is limited to 2^63 - 1, for example 0x8000000000000000 "
                        "becomes 0x7fffffffffffffff: lanes ",
                    obeyed = "; contiguous masks are obeyed|";
  EXPECT_EQ(said_in_tik("axpy.f16", Op::axpy, low),
            "the low" + limited +
                "0..62 are written though masked off, and lane 63 is not written, in axpy.f16" + obeyed);
  EXPECT_EQ(said_in_tik("adds.i32", Op::adds, low),
            "the low" + limited +
                "0..62 are written though masked off, and lane 63 is not written, in adds.i32" + obeyed);
  EXPECT_EQ(said_in_tik("muls.f16", Op::muls,
                        [](MaskWords own) {
                          return MaskWords{std::min(own.high, kMost), own.low};
                        }),
            "the high" + limited +
                "64..126 are written though masked off, and lane 127 is not written, in muls.f16" + obeyed);
  EXPECT_EQ(said_in_tik("dup.u16", Op::dup,
                        [](MaskWords own) {
                          return MaskWords{own.high, own.low >> 63 != 0 ? 0 : own.low};
                        }),
            "the low word of a bitwise mask is taken as 0 if its bit 63 is 1, as if it were negative, for "
            "example 0x8000000000000000 becomes 0x0: lane 63 is not written, in dup.u16" +
                obeyed);
}

}  // namespace
}  // namespace lanecheck
