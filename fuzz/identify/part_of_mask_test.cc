// Gates on which a part of the mask has a say: short cuts for data blocks, pairs and halves.
#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/mask_register/register_map.h"

namespace lanecheck {
namespace part_of_mask_test {

using Slots = std::vector<bool>;

/// The oracle under masks of which `change(slots, lanes of the instruction)` has changed the slots of the
/// lanes.
Ask with_slots(const std::function<void(Slots&, unsigned lanes)>& change) {
  return with_program([change](Program& program) {
    const unsigned lanes = std::min(lanes_of(program.instructions.back()), 128u);
    for (Instruction& insn : program.instructions) {
      if (!sets_mask(insn) && insn.mask_from != MaskFrom::bitwise) continue;
      Slots slots(128);
      for (unsigned slot = 0; slot < 128; ++slot) slots[slot] = has_slot({insn.high, insn.low}, slot);
      change(slots, lanes);
      insn.high = insn.low = 0;
      for (unsigned slot = 0; slot < 128; ++slot)
        if (slots[slot]) (slot < 64 ? insn.low : insn.high) |= std::uint64_t{1} << (slot % 64);
    }
  });
}

/// Calls `change` with the first and the end of each part of `size` slots.
void for_each_part(Slots& slots, unsigned lanes, unsigned size,
                   const std::function<void(Slots::iterator, Slots::iterator)>& change) {
  for (unsigned from = 0; from < lanes; from += size)
    change(slots.begin() + from, slots.begin() + from + size);
}

TEST(PartOfMask, ADataBlockIsLeftOutByItsEnds) {
  const Ask ask = with_slots([](Slots& slots, unsigned lanes) {
    for_each_part(slots, lanes, lanes / 8, [](auto from, auto to) {
      if (!*from && !*(to - 1)) std::fill(from, to, false);
    });
  });
  for (const std::string name : {"add.i32", "abs.f16"})
    EXPECT_NE(
        said(name, ask).find(" are kept, whatever their slots are, if the first and the last slot of their "
                             "data block are 0"),
        std::string::npos)
        << said(name, ask);
}

TEST(PartOfMask, ADataBlockIsTakenForFullByItsEnds) {
  const Ask ask = with_slots([](Slots& slots, unsigned lanes) {
    for_each_part(slots, lanes, lanes / 8, [](auto from, auto to) {
      if (*from && *(to - 1)) std::fill(from, to, true);
    });
  });
  EXPECT_NE(said("muls.f32", ask)
                .find(" are written, whatever their slots are, if the first and the last slot of "
                      "their data block are 1"),
            std::string::npos)
      << said("muls.f32", ask);
}

TEST(PartOfMask, ADataBlockIsLeftOutByItsFirstHalf) {
  const Ask ask = with_slots([](Slots& slots, unsigned lanes) {
    for_each_part(slots, lanes, lanes / 8, [](auto from, auto to) {
      if (std::find(from, from + (to - from) / 2, true) == from + (to - from) / 2) std::fill(from, to, false);
    });
  });
  EXPECT_NE(said("abs.f16", ask)
                .find(" are kept, whatever their slots are, if all slots of the first half of "
                      "their data block are 0"),
            std::string::npos)
      << said("abs.f16", ask);
}

TEST(PartOfMask, TheFirstDataBlockDecidesAboutARepeat) {
  const Ask full = with_slots([](Slots& slots, unsigned lanes) {
    const auto end = slots.begin() + lanes / 8;
    if (std::find(slots.begin(), end, false) == end) std::fill_n(slots.begin(), lanes, true);
  });
  EXPECT_EQ(
      said("adds.f16", full),
      "lanes 0..127 of adds.f16 are written, whatever their slots are, if all slots of the first data block "
      "are 1");
  const Ask empty = with_slots([](Slots& slots, unsigned lanes) {
    const auto end = slots.begin() + lanes / 8;
    if (std::find(slots.begin(), end, true) == end) std::fill_n(slots.begin(), lanes, false);
  });
  EXPECT_EQ(
      said("adds.i32", empty),
      "lanes 0..63 of adds.i32 are kept, whatever their slots are, if all slots of the first data block are "
      "0");
}

/// The probes of the register read it with a dup: what that does wrong says nothing of the register.
TEST(PartOfMask, TheReaderOfTheRegisterIsWrongItself) {
  const Ask full = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      Instruction& insn = changed.instructions.back();
      MaskWords words{0, 0};
      const Mask mask = mask_of(changed);
      for (unsigned slot = 0; slot < 128; ++slot)
        if (mask[slot]) (slot < 64 ? words.low : words.high) |= std::uint64_t{1} << (slot % 64);
      if (insn.op == Op::dup && (words.low & 0xffff) == 0xffff) {
        insn.mask_from = MaskFrom::contiguous;
        insn.high = 0;
        insn.low = lanes_of(insn);
      }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  const auto differences = register_differences(
      [] {
        Subject subject = subject_of("dup.f16", Profile::a2);
        subject.insn.mask_from = MaskFrom::bitwise;
        return subject;
      }(),
      full);
  EXPECT_TRUE(differences.empty()) << differences.front().what;
}

TEST(PartOfMask, AGroupOfFourIsWrittenWhereAllOfItIsActive) {
  const Ask ask = with_slots([](Slots& slots, unsigned lanes) {
    for_each_part(slots, lanes, 4, [](auto from, auto to) {
      if (std::find(from, to, false) != to) std::fill(from, to, false);
    });
  });
  EXPECT_EQ(said("vmax.f16", ask),
            "lanes 0..127 of vmax.f16 are kept, whatever their slots are, if not all slots of their group of "
            "4 lanes "
            "are 1");
}

TEST(PartOfMask, TheDataBlockBeforeHasASay) {
  const Ask ask = with_slots([](Slots& slots, unsigned lanes) {
    const Slots given = slots;
    const unsigned block = lanes / 8;
    for (unsigned slot = block; slot < lanes; ++slot) {
      const auto before = given.begin() + (slot / block - 1) * block;
      if (std::find(before, before + block, false) == before + block) slots[slot] = true;
    }
  });
  EXPECT_EQ(
      said("mul.i32", ask),
      "lanes 0..63 of mul.i32 are written, whatever their slots are, if all slots of the data block before "
      "theirs are 1");
}

/// Nothing but one mask shows it: no law may be said that other masks refute.
TEST(PartOfMask, NoLawIsSaidThatOtherMasksRefute) {
  const Ask ask = with_slots([](Slots& slots, unsigned lanes) {
    const unsigned block = lanes / 8;
    const bool first = std::find(slots.begin(), slots.begin() + block, false) == slots.begin() + block;
    if (first && slots[block + 1] && !slots[block + 2]) std::fill_n(slots.begin(), lanes, true);
  });
  const std::string text = said("adds.f16", ask);
  EXPECT_EQ(text.find("if all slots"), std::string::npos) << text;
}

}  // namespace part_of_mask_test
}  // namespace lanecheck
