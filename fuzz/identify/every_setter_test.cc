// What is said if whatever sets the mask register leaves the same slots wrong (SVM-1-high-word).
#include <algorithm>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kLowHalf = 0xffffffff;

/// The oracle, in which the high word of each mask that is set keeps its lowest 32 bits. The mask of the
/// start and reset_mask are right.
Ask with_short_high_word() {
  return with([](Instruction& insn) {
    if (insn.op == Op::set_vector_mask_len && insn.settings[0] > 96) {
      const std::uint64_t high = kLowHalf;
      insn = mask_instruction(Op::set_vector_mask, {high, kOnes});
    }
    if (insn.mask_from == MaskFrom::contiguous && insn.low > 96) {
      insn.mask_from = MaskFrom::bitwise;
      insn.low = insn.high = kOnes;
    }
    if (sets_mask(insn) || insn.mask_from == MaskFrom::bitwise) insn.high &= kLowHalf;
  });
}

constexpr const char* kSlots = "slots 96..127 of the mask register are 0 instead of those of its own ";

TEST(EverySetter, OfSetVectorMaskItIsALawOfTheRegisterAndNotOfGates) {
  EXPECT_EQ(said_of_mask_instruction("set_vector_mask.f16", with_short_high_word()),
            std::string("after set_vector_mask.f16, ") + kSlots + "mask");
  EXPECT_EQ(said_of_mask_instruction("set_vector_mask_len.f16", with_short_high_word()),
            std::string("after set_vector_mask_len.f16, ") + kSlots + "length");
}

TEST(EverySetter, AnInstructionWithItsOwnMaskDoesTheSame) {
  for (const std::string name : {"adds.f16", "add.i16", "cmax.f16", "cpadd.f16"})
    EXPECT_EQ(first_said(name, with_short_high_word()), "after " + name + ", " + kSlots + "mask");
}

/// Then they are not written under the mask of the start, or after reset_mask, either.
TEST(EverySetter, LanesThatAreNeverWrittenAreAMatterOfGates) {
  const Ask never = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (row_of(insn.op).mask != MaskUse::gates_writeback) return;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 96; lane < lanes_of(insn); ++lane) {
        const auto at =
            static_cast<std::ptrdiff_t>(start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane));
        std::copy_n(program.ub.begin() + at, size_of(insn.dst_type), state.ub.begin() + at);
      }
  });
  EXPECT_EQ(first_said("adds.f16", never), "lanes 96..127 of adds.f16 are never written");
}

}  // namespace
}  // namespace lanecheck
