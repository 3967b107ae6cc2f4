// Faults by which several slots of the mask decide together about a lane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The oracle under masks of normal mode of which `change(mask, lanes of the instruction)` has changed the
/// slots.
template <class Change>
Ask with_slots(Change change) {
  return [change](const Batch& batch) {
    std::vector<Program> changed(batch.programs.begin(), batch.programs.end());
    for (Program& program : changed) {
      const unsigned lanes = lanes_of(program.instructions.back());
      bool counts = false;
      for (Instruction& i : program.instructions) {
        if (i.op == Op::set_mask_count || i.op == Op::set_mask_norm) counts = i.op == Op::set_mask_count;
        if (counts || (!sets_mask(i) && i.mask_from != MaskFrom::bitwise)) continue;
        std::vector<bool> slots(128);
        for (unsigned slot = 0; slot < 128; ++slot) slots[slot] = has_slot({i.high, i.low}, slot);
        slots = change(slots, std::min(lanes, 128u));
        i.high = i.low = 0;
        for (unsigned slot = 0; slot < 128; ++slot)
          if (slots[slot]) (slot < 64 ? i.low : i.high) |= std::uint64_t{1} << (slot % 64);
      }
    }
    ask_oracle()({changed, batch.states, batch.outcomes});
  };
}

TEST(SeveralSlots, LanesThatOneSlotGatesAreNoAccidentBesideOthersIfTheyLieInARow) {  // VMC-1-slot-per-element
  const Ask shifts = with_slots([](const std::vector<bool>& slots, unsigned lanes) {
    std::vector<bool> gates(128);  // 1 << lane % 32 is an int, whose sign bit fills the upper half of a word
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const unsigned word = lane / 64 * 64, bit = lane % 32;
      for (unsigned other = bit; other < (bit == 31 ? 64 : bit + 1); ++other)
        if (slots[word + other]) gates[lane] = true;
    }
    return gates;
  });
  const std::string all = said("add.f16", shifts);
  EXPECT_TRUE(all.starts_with(
      "lanes 32..62, 96..126 of add.f16 are gated by slots 0..30, 64..94 instead of 32..62, 96..126\n"))
      << all;
  EXPECT_NE(all.find("\nlanes 31, 63 .. 127 of add.f16 are "), std::string::npos) << all;
}

TEST(SeveralSlots, TheLaneBehindTheLastActiveOne) {  // VMC-3.1-writes-active
  for (const bool more : {true, false}) {
    const Ask ask = with_slots([more](std::vector<bool> slots, unsigned lanes) {
      unsigned end = lanes;
      while (end > 0 && !slots[end - 1]) --end;
      if (more && end > 0 && end < lanes) slots[end] = true;
      if (!more && end > 0) slots[end - 1] = false;
      return slots;
    });
    for (const std::string name : {"exp.f16", "add.i32"})
      EXPECT_TRUE(
          said(name, ask).ends_with(more ? " are written also if they stand right behind the last active lane"
                                         : " are kept if they are the last active lane"))
          << said(name, ask);
  }
}

TEST(SeveralSlots, AMaskIsTakenForOneRunOfActiveLanes) {  // VMC-1-slot-per-element
  const Ask first_run = with_slots([](std::vector<bool> slots, unsigned lanes) {
    unsigned at = 0;
    while (at < lanes && !slots[at]) ++at;
    while (at < lanes && slots[at]) ++at;
    for (; at < lanes; ++at) slots[at] = false;
    return slots;
  });
  // Lanes 128..255 are always active, so that they belong to the first run only if no lane before them is
  // off.
  const Ask of_bytes = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    bool any = false, ended = false;
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      const bool on = lane >= 128 || mask[lane] != 0;
      ended |= any && !on;
      any |= on;
      if (ended)
        for (unsigned r = 0; r < insn.repeat; ++r) {
          const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
          state.ub[at] = program.ub[at];
        }
    }
  });
  EXPECT_TRUE(
      said("vand.u8", of_bytes).ends_with(" are written only if they lie in the first run of active lanes"))
      << said("vand.u8", of_bytes);
  const Ask as_many = with_slots([](const std::vector<bool>& slots, unsigned lanes) {
    std::vector<bool> run(128);
    const auto active = std::count(slots.begin(), slots.begin() + lanes, true);
    const auto first = std::find(slots.begin(), slots.end(), true) - slots.begin();
    for (unsigned lane = 0; lane < lanes; ++lane) run[lane] = lane >= first && lane < first + active;
    return run;
  });
  for (const std::string name : {"exp.f16", "add.i32"}) {
    EXPECT_TRUE(
        said(name, first_run).ends_with(" are written only if they lie in the first run of active lanes"))
        << said(name, first_run);
    EXPECT_TRUE(said(name, as_many)
                    .ends_with(" are written by the number of active slots: n lanes from the first active "
                               "one on, if n slots are 1"))
        << said(name, as_many);
  }
}

TEST(SeveralSlots, OneSlotOfADataBlockOpensItsSecondHalf) {
  const Ask ask = with_slots([](std::vector<bool> slots, unsigned lanes) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (lane % 16 >= 8 && slots[lane - lane % 16 + 7]) slots[lane] = true;
    return slots;
  });
  const std::string text = identify(subject_of("abs.f16"), ask).differences.front();
  EXPECT_TRUE(text.ends_with(" of abs.f16 are written also if slot 7 of their data block is 1")) << text;
}

TEST(SeveralSlots, AMaskOfOneSlotCountsAsEmpty) {
  const Ask ask = with_slots([](const std::vector<bool>& slots, unsigned lanes) {
    const bool lonely = std::count(slots.begin(), slots.begin() + lanes, true) == 1;
    return lonely ? std::vector<bool>(128) : slots;
  });
  EXPECT_EQ(
      said("vmin.f16", ask),
      "lanes 0..127 of vmin.f16 are kept, whatever their slots are, if the mask has exactly one slot of 1");
  EXPECT_EQ(said("vmin.f32", ask),
            "lanes 0..63 of vmin.f32 are kept, whatever their slots are, if the part of the mask for these "
            "lanes has "
            "exactly one slot of 1");
}

TEST(SeveralSlots, TwoSlotsOfANarrowerTypeDecideTogether) {
  for (const bool both : {false, true}) {
    const Ask ask = with_slots([both](const std::vector<bool>& slots, unsigned lanes) {
      std::vector<bool> of_lane = slots;
      for (unsigned lane = 0; lane < lanes && 2 * lane + 1 < 128; ++lane)
        of_lane[lane] =
            both ? slots[2 * lane] && slots[2 * lane + 1] : slots[2 * lane] || slots[2 * lane + 1];
      return of_lane;
    });
    EXPECT_EQ(said("vand.i32", ask), std::string("lanes 0..63 of vand.i32 are written ") +
                                         (both ? "only if both slots 2 * lane and 2 * lane + 1 are 1"
                                               : "if slot 2 * lane or slot 2 * lane + 1 is 1"));
  }
}

TEST(SeveralSlots, AllFromTheFirstActiveLaneToTheLastIsWritten) {
  const Ask ask = with_slots([](const std::vector<bool>& slots, unsigned lanes) {
    std::vector<bool> filled = slots;
    const auto first = std::find(filled.begin(), filled.begin() + lanes, true);
    auto last = filled.begin() + lanes;
    while (last != first && !*(last - 1)) --last;
    std::fill(first, last, true);
    return filled;
  });
  for (const std::string name : {"add.f16", "cadd.f16", "dup.i32"})
    EXPECT_NE(
        said(name, ask).find(" also if a slot below theirs and a slot above it are 1: all from the first "
                             "active lane to the last"),
        std::string::npos)
        << said(name, ask);
}

TEST(SeveralSlots, AnySlotOfADataBlockOpensTheBlock) {
  EXPECT_EQ(said("vmin.f16", with_slots([](const std::vector<bool>& slots, unsigned lanes) {
                   std::vector<bool> whole = slots;
                   for (unsigned slot = 0; slot < lanes; ++slot)
                     for (unsigned other = 0; other < lanes; ++other)
                       if (other / (lanes / 8) == slot / (lanes / 8) && slots[other]) whole[slot] = true;
                   return whole;
                 })),
            "lanes 0..127 of vmin.f16 are written if any slot of their data block is 1");
}

TEST(SeveralSlots, TheDataBlockOfTheLastActiveLaneIsKeptUnlessTheMaskIsFull) {
  const Ask ask = with_slots([](const std::vector<bool>& slots, unsigned lanes) {
    std::vector<bool> less = slots;
    unsigned last = lanes;
    while (last > 0 && !slots[last - 1]) --last;
    const bool full = std::count(slots.begin(), slots.begin() + lanes, true) == lanes;
    if (full || last == 0) return less;
    const unsigned block = (last - 1) / (lanes / 8) * (lanes / 8);
    std::fill_n(less.begin() + block, lanes / 8, false);
    return less;
  });
  EXPECT_EQ(
      said("muls.f32", ask),
      "lanes 0..63 of muls.f32 are kept if they lie in the data block of the last active lane, unless the "
      "mask is full");
}

TEST(SeveralSlots, TheFirstAndTheLastSlotOpenAllLanes) {
  const Ask ask = with_slots([](const std::vector<bool>& slots, unsigned lanes) {
    return slots[0] && slots[lanes - 1] ? std::vector<bool>(128, true) : slots;
  });
  Subject subject = subject_of("add.i32", Profile::vmc);
  subject.own_mask = MaskWords{0, 0x8000000000000001};  // of the case that diverged
  const auto found = identify(subject, ask).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0],
            "lanes 0..63 of add.i32 are written, whatever their slots are, if the slots of the first and the "
            "last lane are both 1");
}

TEST(SeveralSlots, TheNumberOfActiveSlotsDecides) {
  EXPECT_EQ(said("dup.f32", with_slots([](const std::vector<bool>& slots, unsigned lanes) {
                   std::vector<bool> first(128);
                   const auto active = std::count(slots.begin(), slots.begin() + lanes, true);
                   std::fill_n(first.begin(), active, true);
                   return first;
                 })),
            "lanes 0..63 of dup.f32 are written by the number of active slots of their repeat: the first n "
            "lanes, if n slots are 1");
}

/// As many elements of all repeats as there are active slots: the first lanes are written under all masks
/// that were tried, which is no gate of theirs.
TEST(SeveralSlots, FewLanesThatSeemConstantJoinThoseWithoutALaw) {
  const std::string text = said("dup.i32", then([](const Program& program, State& state) {
                                  const Instruction& insn = program.instructions.back();
                                  if (insn.op != Op::dup) return;
                                  const Mask mask = mask_of(program);
                                  const unsigned lanes = lanes_of(insn);
                                  const auto active = std::count(mask.begin(), mask.begin() + lanes, 1);
                                  for (unsigned n = 0; n < insn.repeat * lanes; ++n) {
                                    const std::size_t at = start_of(program, insn.operands[0]) +
                                                           lane_offset(insn, 0, n / lanes, n % lanes);
                                    if (n < active * insn.repeat)
                                      std::memcpy(&state.ub[at], &insn.scalar.bits, 4);
                                    else
                                      std::memcpy(&state.ub[at], &program.ub[at], 4);
                                  }
                                }));
  EXPECT_NE(text.find("not gated by any single slot"), std::string::npos) << text;
  EXPECT_EQ(text.find("lane 0 of dup.i32 is written whatever the mask is"), std::string::npos) << text;
}

/// Masked-off elements count then, whatever they are: infinite ones are no special case.
TEST(SeveralSlots, TheNumberOfActiveSlotsDecidesAboutASum) {
  const Ask ask = with_slots([](const std::vector<bool>& slots, unsigned lanes) {
    std::vector<bool> first(128);
    std::fill_n(first.begin(), std::count(slots.begin(), slots.begin() + lanes, true), true);
    return first;
  });
  for (const std::string name : {"cadd.f16", "cadd.f32", "cadd.i16"}) {
    const std::string text = said(name, ask);
    EXPECT_NE(text.find(" of " + name +
                        " are counted by the number of active slots of their repeat: the first n "
                        "lanes, if n slots are 1"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("infinite"), std::string::npos) << text;
  }
}

/// A mask whose lowest bit is 1 is taken for a contiguous one.
TEST(SeveralSlots, TheNumberOfActiveSlotsDecidesIfSlot0Is1) {
  const Ask ask = with_slots([](const std::vector<bool>& slots, unsigned lanes) {
    if (!slots[0]) return slots;
    std::vector<bool> first(128);
    std::fill_n(first.begin(), std::count(slots.begin(), slots.begin() + lanes, true), true);
    return first;
  });
  EXPECT_EQ(
      said("exp.f16", ask),
      "lanes 0..127 of exp.f16 are written by the number of active slots of their repeat: the first n lanes, "
      "if n slots are 1; so if the first of these slots is 1, and else each by its own slot");
}

/// A mask is taken for a contiguous one if slot 0 and slot n - 1 of n active ones are 1.
TEST(SeveralSlots, TheNumberOfActiveSlotsDecidesIfTheEndsFit) {
  const Ask ask = with_slots([](const std::vector<bool>& slots, unsigned lanes) {
    const auto active = std::count(slots.begin(), slots.begin() + lanes, true);
    if (active == 0 || !slots[0] || !slots[static_cast<std::size_t>(active) - 1]) return slots;
    std::vector<bool> first(128);
    std::fill_n(first.begin(), active, true);
    return first;
  });
  EXPECT_EQ(
      said("exp.f16", ask),
      "lanes 0..127 of exp.f16 are written by the number of active slots of their repeat: the first n lanes, "
      "if n slots are 1; so if the first and the n-th of these slots are 1, and else each by its own slot");
}

TEST(SeveralSlots, TheFirstDataBlockWithoutAnActiveLaneEndsTheRepeat) {
  const Ask ask = with_slots([](const std::vector<bool>& slots, unsigned lanes) {
    std::vector<bool> less = slots;
    const unsigned block = lanes / 8;
    for (unsigned from = 0; from < lanes; from += block)
      if (std::count(slots.begin() + from, slots.begin() + from + block, true) == 0)
        std::fill(less.begin() + from, less.end(), false);
    return less;
  });
  EXPECT_EQ(said("abs.f32", ask),
            "lanes 0..63 of abs.f32 are kept if a data block before theirs has no active lane");
}

TEST(SeveralSlots, AnIncompleteGroupOfLanesAtTheEndIsLeftOut) {  // VMC-3.1-writes-active
  const Ask sixteen = with_slots([](std::vector<bool> slots, unsigned lanes) {
    unsigned last = lanes;
    while (last > 0 && !slots[last - 1]) --last;
    for (unsigned lane = last / 16 * 16; lane < lanes; ++lane) slots[lane] = false;
    return slots;
  });
  const std::string kept =
      " are kept if they lie in the 16 lanes around the last active one, unless this is the last "
      "of the 16 lanes";
  EXPECT_EQ(said("add.f16", sixteen), "lanes 0..127 of add.f16" + kept);
  EXPECT_EQ(said("exp.f32", sixteen), "lanes 0..63 of exp.f32" + kept);
}

TEST(SeveralSlots, ADataBlockWithoutAnActiveLaneEndsARepeatOf256Lanes) {  // VMC-3.1-writes-active
  const Ask stops = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vmax || insn.dst_type != Element::i8) return;
    const Mask mask = mask_of(program);
    const std::vector<std::byte>& before = program.ub;
    for (unsigned r = 0; r < insn.repeat; ++r) {
      bool stopped = false;
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const unsigned first = lane / 32 * 32;
        if (lane == first)
          stopped |= std::ranges::all_of(mask.begin() + first, mask.begin() + first + 32,
                                         [](auto bit) { return bit == 0; });
        const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
        if (stopped) state.ub[at] = before[at];
      }
    }
  });
  EXPECT_TRUE(said("vmax.i8", stops).find("are kept if a data block before theirs has no active lane") !=
              std::string::npos)
      << said("vmax.i8", stops);
}

TEST(SeveralSlots, GatedByANeighbour) {
  EXPECT_EQ(
      said("mul.i16", with_slots([](std::vector<bool> slots, unsigned) {
             std::rotate(slots.begin(), slots.begin() + 1, slots.end());
             return slots;
           })),
      "lanes 0..127 of mul.i16 are gated by the next slot (slot (lane + 1) mod 128) instead of their own");
  EXPECT_EQ(said("abs.f16", with_slots([](std::vector<bool> slots, unsigned) {
                   for (unsigned slot = 0; slot < 128; slot += 2) slots[slot + 1] = slots[slot];
                   return slots;
                 })),
            "lanes 1, 3 .. 127 of abs.f16 are gated by the slot of the neighbour before them (slot lane - 1) "
            "instead of their own");
}

/// As if the mask had a bit for each 16 bits. A 32-bit type's own masks end with slot 63; the register is
/// full at first.
TEST(SeveralSlots, SlotsThatNoOwnMaskSets) {
  const Ask every_second = with_slots([](const std::vector<bool>& slots, unsigned) {
    std::vector<bool> of_lane(128);
    for (unsigned lane = 0; lane < 64; ++lane) of_lane[lane] = slots[2 * lane];
    return of_lane;
  });
  EXPECT_EQ(
      first_said("abs.f32", every_second),
      "lanes 1..31 of abs.f32 are gated by slot 2 * lane instead of each by its own slot; lanes 32..63 are "
      "not written under masks that are 0 from slot 64 on, under a mask of bits; contiguous masks of its own "
      "are obeyed");
  EXPECT_EQ(
      first_said("cadd.f32", every_second),
      "lanes 1..31 of cadd.f32 are gated by slot 2 * lane instead of each by its own slot; lanes 32..63 "
      "are not counted under masks that are 0 from slot 64 on");
}

}  // namespace
}  // namespace lanecheck
