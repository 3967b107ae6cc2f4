// What identification says of reductions that are wrong in some repeats only.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <functional>

#include "fuzz/identify/given_number_testing.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/move_map.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

using MaskOfRepeat = std::function<MaskWords(unsigned repeat, unsigned count, MaskWords mask)>;

/// The oracle, except that each repeat of a program's only instruction meets the mask that `mask_of` gives.
Ask with_masks(const MaskOfRepeat& mask_of) {
  return [mask_of](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program split = batch.programs[n];
      const Instruction set = split.instructions[0], insn = split.instructions.back();
      if (split.instructions.size() != 2) {
        batch.outcomes[n] = Skipped{"no mask"};
        continue;
      }
      split.instructions.clear();
      for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
        Instruction one_set = set, one = insn;
        const MaskWords mask = mask_of(repeat, insn.repeat, {set.high, set.low});
        one_set.high = mask.high;
        one_set.low = mask.low;
        one.repeat = 1;
        for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
          one.operands[k].offset += static_cast<std::uint32_t>(repeat * repeat_step(insn, k));
        split.instructions.push_back(one_set);
        split.instructions.push_back(one);
      }
      ask_oracle()({{&split, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

TEST(IdentifyRepeats, TheHelperAloneIsRight) {
  EXPECT_EQ(said("cmax.f32", with_masks([](unsigned, unsigned, MaskWords mask) { return mask; })), "");
}

TEST(IdentifyRepeats, TheLastRepeatUsesTheHighWord) {
  const Ask ask = with_masks([](unsigned repeat, unsigned count, MaskWords mask) {
    return repeat + 1 == count ? MaskWords{mask.high, mask.high} : mask;
  });
  EXPECT_EQ(said("cmax.i32", ask),
            "lanes 0..63 of cmax.i32 are gated by slots 64..127 instead of 0..63 in the last repeat");
  EXPECT_EQ(said("cgadd.f32", ask),
            "lanes 0..63 of cgadd.f32 are gated by slots 64..127 instead of 0..63 in the last repeat");
  EXPECT_EQ(said("cpadd.f32", ask),
            "lanes 0..63 of cpadd.f32 are gated by slots 64..127 instead of 0..63 in the last repeat");
}

TEST(IdentifyRepeats, HalfOfTheLanesFromTheSecondRepeatOn) {
  const Ask ask = with_masks([](unsigned repeat, unsigned, MaskWords mask) {
    return repeat > 0 ? MaskWords{0, mask.low} : mask;
  });
  EXPECT_EQ(said("cadd.f16", ask),
            "lanes 64..127 of cadd.f16 are never counted, whatever the mask is in "
            "every repeat after the first");
}

TEST(IdentifyRepeats, EveryFourthRepeatUsesOtherSlots) {
  const Ask ask = with_masks([](unsigned repeat, unsigned, MaskWords mask) {
    return repeat % 4 == 1 ? MaskWords{mask.low, mask.high} : mask;
  });
  EXPECT_EQ(said("cgadd.f32", ask),
            "lanes 0..63 of cgadd.f32 are gated by slots 64..127 instead of 0..63 in repeats 1, 5 .. 13 "
            "(counted from 0)");
}

/// VMC-1-no-advance: the slots of a repeat do not move on. Slots 128 to 255 of the register are 1.
TEST(IdentifyRepeats, TheMaskMovesOnFromRepeatToRepeat) {
  const auto moves_from = [](unsigned first) {
    return with_masks([first](unsigned repeat, unsigned, MaskWords mask) {
      const unsigned steps = repeat < first ? 0 : repeat - first + 1;
      const std::uint64_t words[] = {mask.low, mask.high, ~std::uint64_t{0}, ~std::uint64_t{0}};
      return MaskWords{words[(steps + 1) % 4], words[steps % 4]};
    });
  };
  const std::string formula =
      ": it gates lane L of repeat r (of 64 lanes; L and r are counted from 0) by slot (L + 64 * ";
  EXPECT_EQ(said("cgadd.f32", moves_from(1)), "the mask moves on from repeat to repeat of cgadd.f32" +
                                                  formula + "r) mod 256; slots from 128 on act like 1");
  for (const std::string name : {"relu.f32", "cadd.f32"})
    EXPECT_EQ(said(name, moves_from(2)),
              "the mask moves on from repeat to repeat of " + name + formula +
                  "(r - 1)) mod 256 if r is 2 or more; slots from 128 on act like 1");
}

/// SVM-1-every-repeat: masks of ascendc-a2 hold 128 slots, or 64 for 32-bit types. Those up to 127 are 0
/// then, and those behind are 1.
TEST(IdentifyRepeats, TheMaskMovesOnToSlotsThatNoMaskOfTheTypeHolds) {
  const Ask ask = then([](const Program& given, State& state) {
    const Instruction& insn = given.instructions.back();
    const bool counts = std::ranges::count(given.instructions, Op::set_mask_count, &Instruction::op) > 0;
    if (insn.op != Op::add || insn.mask_from == MaskFrom::count || counts) return;
    const unsigned lanes = lanes_of(insn);
    Program full = given;
    full.instructions = {insn};
    full.instructions[0].mask_from = MaskFrom::contiguous;
    full.instructions[0].high = 0;
    full.instructions[0].low = lanes;
    State all;
    execute(full, Semantics(default_readings(Profile::a2)), all);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned slot = (lane + r * lanes) % 256;
        if (slot < lanes) continue;
        const std::size_t at = start_of(given, insn.operands[0]) + lane_offset(insn, 0, r, lane);
        std::memcpy(&state.ub[at], slot < 128 ? &given.ub[at] : &all.ub[at], size_of(insn.dst_type));
      }
  });
  EXPECT_EQ(first_said("add.f32", ask),
            "the mask moves on from repeat to repeat of add.f32: it gates lane L of repeat r (of 64 lanes; L "
            "and r are counted from 0) "
            "by slot (L + 64 * r) mod 256; slots from 128 on act like 1");
  EXPECT_EQ(first_said("add.i16", ask),
            "add.i16 ignores the mask: all lanes are written whatever it is in every odd repeat (counted "
            "from 0); a "
            "mask that moves on from repeat to repeat, to slots that are 1, would show the same");
}

/// VMC-1-no-advance: back by one data block, around the end; and on by one slot, without what follows the
/// end.
TEST(IdentifyRepeats, TheMaskMovesBackOrBehindItsEnd) {
  const Ask back = with_masks([](unsigned repeat, unsigned, MaskWords mask) {
    const unsigned by = 8 * repeat % 64;
    return MaskWords{mask.high, by == 0 ? mask.low : mask.low << by | mask.low >> (64 - by)};
  });
  EXPECT_EQ(said("relu.f32", back),
            "the mask moves on from repeat to repeat of relu.f32: it gates lane L of repeat r (of 64 lanes; "
            "L and r are counted from 0) by slot (L - 8 * r) mod 64");
  const Ask on = with_masks([](unsigned repeat, unsigned, MaskWords mask) {
    return MaskWords{0, repeat > 63 ? 0 : mask.low >> repeat};
  });
  EXPECT_EQ(said("abs.f32", on),
            "the mask moves on from repeat to repeat of abs.f32: it gates lane L of repeat r (of 64 lanes; L "
            "and r are counted from 0) by slot L + r; slots from 64 on act like 0");
}

TEST(IdentifyRepeats, Slot63SpreadsOverAnEmptyHighWord) {
  const Ask ask = with_masks([](unsigned, unsigned, MaskWords mask) {
    const bool spreads = mask.high == 0 && mask.low >> 63 != 0;
    return MaskWords{spreads ? ~std::uint64_t{0} : mask.high, mask.low};
  });
  EXPECT_EQ(said("cadd.f16", ask),
            "lanes 64..127 of cadd.f16 are counted, whatever their slots are, if slot 63 is 1 and the high "
            "word is 0");
}

TEST(IdentifyRepeats, SlotZeroSwitchesTheOthersOff) {
  const Ask ask = with_masks([](unsigned, unsigned, MaskWords mask) {
    return (mask.low & 1) != 0 ? MaskWords{0, mask.low} : mask;
  });
  EXPECT_EQ(said("cadd.f16", ask),
            "lanes 64..127 of cadd.f16 are left out, whatever their slots are, if slot 0 is 1");
}

TEST(IdentifyRepeats, AnElementCountsIfItsSlotIs0) {
  const Ask ask = with_masks([](unsigned, unsigned, MaskWords mask) {
    return MaskWords{~mask.high, ~mask.low};
  });
  EXPECT_EQ(said("cmax.f16", ask),
            "lanes 0..127 of cmax.f16 are gated, inverted (counted if the slot is 0), by their own slots");
  EXPECT_EQ(said("cgadd.f32", ask),
            "lanes 0..63 of cgadd.f32 are gated, inverted (counted if the slot is 0), by their own slots");
}

/// The oracle, except that each result of cgadd.f32 asks `count` slots from `step` * group on, `apart` apart,
/// whether it is empty: it is written, 0 if it has no active lanes, or keeps its old dst.
Ask with_other_emptiness(unsigned step, unsigned count, unsigned apart = 1) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cgadd || insn.dst_type != Element::f32) return;
    const Mask mask = mask_of(program);
    const auto any = [&](unsigned first, unsigned size, unsigned gap) {
      bool on = false;
      for (unsigned n = 0; n < size; ++n) on |= mask[(first + gap * n) % 128] != 0;
      return on;
    };
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned group = 0; group < 8; ++group) {
        const std::size_t at =
            start_of(program, insn.operands[0]) + r * repeat_step(insn, 0) + group * sizeof(float);
        if (!any(step * group, count, apart))
          std::memcpy(&state.ub[at], &program.ub[at], sizeof(float));
        else if (!any(8 * group, 8, 1))
          std::memset(&state.ub[at], 0, sizeof(float));
      }
  });
}

TEST(IdentifyRepeats, AResultAsksOtherSlotsWhetherItIsEmpty) {
  const std::string own = " instead of if one of slots 8 * g .. 8 * g + 7 is 1";
  EXPECT_EQ(said("cgadd.f32", with_other_emptiness(8, 8)), "");
  EXPECT_EQ(
      said("cgadd.f32", with_other_emptiness(16, 16)),
      "result g of each repeat of cgadd.f32 is written if one of slots 16 * g .. 16 * g + 15 is 1" + own);
  EXPECT_EQ(said("cgadd.f32", with_other_emptiness(1, 1)),
            "result g of each repeat of cgadd.f32 is written if slot g is 1" + own);
  EXPECT_EQ(said("cgadd.f32", with_other_emptiness(1, 8, 8)),
            "result g of each repeat of cgadd.f32 is written if one of slots g, g + 8 .. g + 56 is 1" + own);
}

/// The oracle, except that a result of `op` for which `keeps(its mask slots, its repeat, repeat times)` stays
/// as it was.
template <class Keeps>
Ask with_kept_results(Op op, Keeps keeps) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != op) return;
    const Mask mask = mask_of(program);
    const unsigned size = group_size(insn), bytes = size_of(insn.dst_type);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned group = 0; group < results_per_repeat(insn); ++group) {
        std::vector<unsigned> on;
        for (unsigned lane = 0; lane < size; ++lane)
          if (mask[group * size + lane] != 0) on.push_back(lane);
        const auto at = static_cast<std::ptrdiff_t>(start_of(program, insn.operands[0]) +
                                                    r * repeat_step(insn, 0) + group * bytes);
        if (keeps(on, r, insn.repeat)) std::copy_n(program.ub.begin() + at, bytes, state.ub.begin() + at);
      }
  });
}

/// The documents write the result of a pair under every mask.
TEST(IdentifyRepeats, AResultOfAPairThatIsWrittenByOneSlot) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cpadd) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned group = 0; group < results_per_repeat(insn); ++group) {
        const std::size_t at = start_of(program, insn.operands[0]) + r * repeat_step(insn, 0) + 4 * group;
        if (mask[group] == 0) std::memcpy(&state.ub[at], &program.ub[at], 4);
      }
  });
  EXPECT_EQ(said("cpadd.i32", ask),
            "result g of each repeat of cpadd.i32 is written if slot g is 1 instead of under every mask");
}

TEST(IdentifyRepeats, SomeLanesDoNotMakeAResultWritten) {
  const Ask ask = with_kept_results(Op::cgmax, [](const std::vector<unsigned>& on, unsigned, unsigned) {
    return std::ranges::all_of(on, [](unsigned lane) { return lane >= 8 && lane < 12; });
  });
  EXPECT_EQ(said("cgmax.f16", ask),
            "results of cgmax.f16 keep their old dst if only lanes 8..11 of their data block are on");
}

TEST(IdentifyRepeats, AResultWithoutItsFirstLaneIsKeptInTheLastRepeat) {
  const Ask ask =
      with_kept_results(Op::cgmin, [](const std::vector<unsigned>& on, unsigned repeat, unsigned count) {
        return on.empty() || (on.front() != 0 && repeat + 1 == count);
      });
  EXPECT_EQ(said("cgmin.f32", ask),
            "results of cgmin.f32 keep their old dst if their first lane is off in the last repeat");
}

TEST(IdentifyRepeats, TheLastDataBlockOfTheLastRepeatIsReadElsewhere) {
  const Ask reads = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction& insn = changed.instructions.back();
      const auto at = [&](unsigned lane) {
        return changed.ub.begin() + static_cast<std::ptrdiff_t>(start_of(changed, insn.operands[1]) +
                                                                lane_offset(insn, 1, insn.repeat - 1, lane));
      };
      std::copy_n(at(lanes_of(insn) / 8 * 6), 32, at(lanes_of(insn) / 8 * 7));
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  EXPECT_EQ(
      said("cadd.f32", reads),
      "result 0 of cadd.f32 uses lane 55 of src of the same repeat instead of its own (each result has one "
      "active lane) in the last repeat");
}

TEST(IdentifyRepeats, ASumThatIsNotClearedContainsTheRepeatsBefore) {
  const Ask adds_up = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    for (unsigned repeat = 1; repeat < insn.repeat; ++repeat) {
      const std::size_t at = start_of(program, insn.operands[0]) + repeat * repeat_step(insn, 0);
      std::int32_t before = 0, sum = 0;
      std::memcpy(&before, &state.ub[at - repeat_step(insn, 0)], 4);
      std::memcpy(&sum, &state.ub[at], 4);
      sum += before;
      std::memcpy(&state.ub[at], &sum, 4);
    }
  });
  EXPECT_EQ(
      said("cadd.i32", adds_up),
      "cadd.i32 does not start anew in each repeat: each result also contains those of all repeats before "
      "it, even under a full mask");
}

TEST(IdentifyRepeats, AMaximumThatIsNotClearedIsThatOfTheRepeatsBeforeToo) {
  const Ask keeps = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cgmax) return;
    const std::size_t start = start_of(program, insn.operands[0]), size = size_of(insn.dst_type);
    for (unsigned repeat = 1; repeat < insn.repeat; ++repeat)
      for (unsigned result = 0; result < results_per_repeat(insn); ++result) {
        const auto at = [&](unsigned r) { return start + r * repeat_step(insn, 0) + result * size; };
        std::uint64_t own = 0, before = 0;
        std::memcpy(&own, &state.ub[at(repeat)], size);
        std::memcpy(&before, &state.ub[at(repeat - 1)], size);
        if (value_of(insn.dst_type, before) > value_of(insn.dst_type, own))
          std::memcpy(&state.ub[at(repeat)], &before, size);
      }
  });
  for (const std::string name : {"cgmax.i16", "cgmax.f32"})
    EXPECT_EQ(
        said(name, keeps),
        name +
            " does not start anew in each repeat: each result also contains those of all repeats before it");
}

TEST(IdentifyRepeats, TheLastOfManyRepeatsIsLeftOutAndNoLaneIsToBlame) {
  const Ask drops = with([](Instruction& i) {
    if (!sets_mask(i) && i.repeat > 8) --i.repeat;
  });
  for (const char* name : {"cmin.i32", "cgmax.f16", "cadd.f16"})
    EXPECT_EQ(said(name, drops), std::string("the last repeat of ") + name +
                                     " is left out (seen with repeat 255, operands in a row)");
}

TEST(IdentifyRepeats, TheLastRepeatIsLeftOutWhereAllWriteOnePlace) {
  Subject subject = subject_of("add.f32");
  subject.insn.repeat = 9;
  for (unsigned k = 0; k < 3; ++k) subject.insn.operands[k].repeat_stride = k == 0 ? 0 : 8;
  for (unsigned k = 0; k < 3; ++k) subject.insn.operands[k].block_stride = 1;
  const Ask drops = with([](Instruction& i) {
    if (!sets_mask(i) && i.repeat > 8) --i.repeat;
  });
  const Program program{Profile::vmc, {}, {subject.insn}, {}};
  const auto differences = identify(program, 0, drops, false, false).differences;
  ASSERT_FALSE(differences.empty());
  EXPECT_EQ(differences[0],
            "the last repeat of add.f32 is left out (seen with the strides of the sources of this case)");
}

TEST(IdentifyRepeats, AMaskWithAnEvenNumberOfOnesIsShifted) {
  const Ask shifts = with_masks([](unsigned, unsigned, MaskWords mask) {
    const bool even = (std::popcount(mask.high) + std::popcount(mask.low)) % 2 == 0;
    return even ? MaskWords{mask.high << 1 | mask.low >> 63, mask.low << 1} : mask;
  });
  const std::string sentence = said("vmax.i32", shifts);
  EXPECT_EQ(sentence.find("lanes 0..63 of vmax.i32 are not gated by any single slot, for example lane 0 of "),
            0U)
      << sentence;
}

/// In counter mode all results go to the place of the first repeat.
TEST(IdentifyRepeats, ResultsOfCounterModeAtOnePlace) {
  const Ask at_one_place = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      const Semantics semantics(default_readings(given.profile));
      State& state = batch.states[n];
      execute(Program{given.profile, given.allocations, {}, given.ub}, semantics, state);
      for (Instruction insn : given.instructions) {
        if (state.mode == Mode::counter && row_of(insn.op).mask == MaskUse::neutral_source)
          insn.operands[0].repeat_stride = 0;
        execute_one(given, insn, semantics, state);
      }
      batch.outcomes[n] = Ran{};
    }
  };
  for (const std::string name : {"cadd.f32", "cgmin.f16"})
    EXPECT_EQ(said_of_numbers(name, MaskGiven::total, at_one_place),
              "dst of " + name + " walks with repeat stride 0, whatever is given, in counter mode");
}

}  // namespace
}  // namespace lanecheck
