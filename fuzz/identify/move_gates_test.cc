// Instructions that are documented to ignore the mask, on backends where some lanes obey a slot.
#include "fuzz/identify/places/move_gates.h"

#include <algorithm>
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The oracle, after which lanes of dst that are off(lane, repeat, mask) hold their old dst, or zeros.
template <class IsOff>
Ask with_lanes_off(IsOff is_off, bool zeros = false) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, repeat, lane);
        if (!is_off(lane, repeat + 1 == insn.repeat, mask)) continue;
        const std::uint64_t zero = 0;
        std::memcpy(&state.ub[at], zeros ? static_cast<const void*>(&zero) : &program.ub[at],
                    size_of(insn.dst_type));
      }
  });
}

TEST(MoveGates, SomeLanesObeyTheirSlots) {
  EXPECT_EQ(
      said("gather.f16", with_lanes_off([](unsigned lane, bool, const Mask& mask) {
             return lane >= 64 && mask[lane] == 0;
           })),
      "lanes 64..127 of gather.f16 are gated by slots 64..127 instead of being written under every mask "
      "(a lane that does not take part keeps its old dst)");
  EXPECT_EQ(said("gather.i32", with_lanes_off([](unsigned lane, bool, const Mask& mask) {
                   return lane < 16 && mask[lane + 80] == 0;
                 })),
            "lanes 0..15 of gather.i32 are gated by slots 80..95 instead of being written under every mask "
            "(a lane that does not take part keeps its old dst)");
}

TEST(MoveGates, OneSlotForADataBlock) {
  EXPECT_EQ(said("brcb.i16",
                 with_lanes_off([](unsigned lane, bool, const Mask& mask) { return mask[lane / 16] == 0; })),
            "lanes 0..127 of brcb.i16 are gated by slot lane / 16 instead of being written under every mask "
            "(a lane that does not take part keeps its old dst)");
}

/// VP-2-bitwise: a mask whose ends are on counts as full, in types of 64 lanes, too.
TEST(MoveGates, PaddingUnderAMaskWhoseEndsAreOn) {
  const Ask ends_full = with_program([](Program& program) {
    std::vector<Instruction> all;
    MaskWords mask{kOnes, kOnes};  // of the register, if it was set in words
    for (Instruction insn : program.instructions) {
      const bool own = insn.mask_from == MaskFrom::bitwise;
      if (sets_mask(insn) || own) mask = {insn.high, insn.low};
      if (insn.op == Op::set_vector_mask_len || insn.op == Op::set_mask_count) mask = {0, 0};
      const bool ends = insn.op == Op::vpadding && (own || insn.mask_from == MaskFrom::reg) &&
                        has_slot(mask, 0) && has_slot(mask, lanes_of(insn) - 1);
      if (ends) all.push_back(mask_instruction(Op::set_vector_mask, full_mask({program.profile, insn})));
      if (ends) insn.mask_from = MaskFrom::reg;
      all.push_back(insn);
      if (ends) all.push_back(mask_instruction(Op::set_vector_mask, mask));
    }
    program.instructions = all;
  });
  for (const std::string name : {"vpadding.f32", "vpadding.i16"}) {
    const auto said = identify(subject_of(name, Profile::p310), ends_full).differences;
    const std::string all = said.empty() ? "" : said.front();
    EXPECT_TRUE(
        all.ends_with(" are written, whatever their slots are, if the slots of the first and the last lane "
                      "are both 1"))
        << all;
  }
}

TEST(MoveGates, SomeRepeatsAndZeros) {
  EXPECT_EQ(
      said("select.i32", with_lanes_off([](unsigned lane, bool last,
                                           const Mask& mask) { return last && lane >= 32 && mask[5] == 0; },
                                        true)),
      "lanes 32..63 of select.i32 are gated by slot 5 instead of being written under every mask "
      "(a lane that does not take part receives 0) in the last repeat");
}

/// SVM has no empty mask.
TEST(MoveGates, ClearedBitsOfLanesThatAreOffWhereNoMaskIsEmpty) {
  const Ask clears = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned bit = 0; insn.op == Op::compare && bit < insn.repeat * lanes_of(insn); ++bit)
      if (mask[bit % lanes_of(insn)] == 0)
        state.ub[start_of(program, insn.operands[0]) + bit / 8] &= ~(std::byte{1} << bit % 8);
  });
  EXPECT_EQ(first_said("compare.f16", clears), "compare.f16 obeys the mask: bits whose slot is 0 are 0");
  EXPECT_EQ(first_said("compare.f32", clears), "compare.f32 obeys the mask: bits whose slot is 0 are 0");
}

/// The oracle, after which active lane `rank` of each repeat (without the lanes that are off) holds the
/// element of dst's size that `from(program, repeat, lane, rank)` names by its byte in the UB before.
template <class From>
Ask with_ranked_lanes(Op op, From from) {
  return then([op, from](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned repeat = 0; insn.op == op && repeat < insn.repeat; ++repeat)
      for (unsigned lane = 0, rank = 0; lane < lanes_of(insn); ++lane)
        if (mask[lane] != 0)
          std::memcpy(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, repeat, lane)],
                      &program.ub[from(program, repeat, lane, rank++)], size_of(insn.dst_type));
  });
}

TEST(MoveGates, ActiveLanesUseTheOffsetsInARow) {
  const auto from = [](const Program& program, unsigned repeat, unsigned, unsigned rank) {
    const Instruction& insn = program.instructions.back();
    std::uint32_t offset = 0;
    const std::size_t number = repeat * lanes_of(insn) + rank;
    std::memcpy(&offset, &program.ub[start_of(program, insn.operands[2]) + 4 * number], 4);
    return start_of(program, insn.operands[1]) + offset;
  };
  const auto found = identify(subject_of("gather.u32", Profile::a2), with_ranked_lanes(Op::gather, from));
  ASSERT_EQ(found.parts.size(), 1u);
  EXPECT_EQ(
      found.parts[0].what,
      "the active lanes of gather.u32 take the offsets in a row: active lane k (counted from 0, without the "
      "lanes that are off) takes the offset of lane k");
}

/// Where a lane of select finds its element if it takes bit `bit` of control.
std::size_t selected_by(const Program& program, unsigned bit, unsigned repeat, unsigned lane) {
  const Instruction& insn = program.instructions.back();
  const std::byte byte = program.ub[start_of(program, insn.operands[1]) + bit / 8];
  const unsigned k = (byte >> bit % 8 & std::byte{1}) != std::byte{0} ? 2 : 3;
  return start_of(program, insn.operands[k]) + lane_offset(insn, k, repeat, lane);
}

TEST(MoveGates, ActiveLanesUseTheBitsOfControlInARow) {
  const auto from = [](const Program& program, unsigned repeat, unsigned lane, unsigned rank) {
    return selected_by(program, repeat * lanes_of(program.instructions.back()) + rank, repeat, lane);
  };
  const auto found = identify(subject_of("select.f32", Profile::a2), with_ranked_lanes(Op::select, from));
  ASSERT_EQ(found.parts.size(), 1u);
  EXPECT_EQ(
      found.parts[0].what,
      "the active lanes of select.f32 take the bits of control in a row: active lane k (counted from 0, "
      "without the lanes that are off) takes the bit of lane k");
}

/// A stream of bits, from which only lanes that are on take one.
TEST(MoveGates, ActiveLanesUseTheBitsOfControlOnFromRepeatToRepeat) {
  const auto from = [](const Program& program, unsigned repeat, unsigned lane, unsigned rank) {
    const Mask mask = mask_of(program);
    const unsigned lanes = lanes_of(program.instructions.back());
    const auto active = static_cast<unsigned>(std::count(mask.begin(), mask.begin() + lanes, 1));
    return selected_by(program, repeat * active + rank, repeat, lane);
  };
  const auto found = identify(subject_of("select.f32", Profile::a2), with_ranked_lanes(Op::select, from));
  ASSERT_EQ(found.parts.size(), 1u);
  EXPECT_EQ(
      found.parts[0].what,
      "the active lanes of select.f32 take the bits of control in a row: active lane k (counted from 0, "
      "without the lanes that are off, on from repeat to repeat) takes the bit of lane k");
}

/// Under the mask with which places are measured the last repeat is not written.
TEST(MoveGates, TheLastRepeatIsNotLeftOut) {
  EXPECT_EQ(said("select.f16",
                 with_lanes_off([](unsigned, bool last, const Mask& mask) { return last && mask[5] == 0; })),
            "lanes 0..127 of select.f16 are gated by slot 5 instead of being written under every mask "
            "(a lane that does not take part keeps its old dst) in the last repeat");
}

/// The mask with which places are measured is neither empty nor full.
TEST(MoveGates, AConditionOnTheMask) {
  EXPECT_EQ(said("gather.f32", with_lanes_off([](unsigned, bool, const Mask& mask) {
                   return std::ranges::count(std::span(mask).first(64), 1) == 0;
                 })),
            "lanes 0..63 of gather.f32 are kept, whatever their slots are, if the part of the mask for these "
            "lanes is empty "
            "(a lane that does not take part keeps its old dst)");
}

/// VMC 4: select_number ignores the mask. The number is written to active lanes alone.
TEST(MoveGates, TheNumberIsNotWrittenToLanesThatAreOff) {
  const Ask gated = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::select_number) return;
    const Mask mask = mask_of(program);
    const unsigned size = size_of(insn.dst_type);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const unsigned bit = r * lanes_of(insn) + lane;
        const std::byte byte = program.ub[start_of(program, insn.operands[1]) + bit / 8];
        if (mask[lane] != 0 || (byte >> bit % 8 & std::byte{1}) != std::byte{0}) continue;
        const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
        std::memcpy(&state.ub[at], &program.ub[at], size);
      }
  });
  EXPECT_EQ(said("select_number.i16", gated),
            "select_number.i16 obeys the mask: lanes whose slot is 0 keep their old dst where control takes "
            "the number");
}

TEST(MoveGates, LanesThatTakeAnotherElementIfTheyAreOff) {
  const Ask changes = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    for (unsigned lane = 0; lane < 64; ++lane)  // an odd lane of repeat 0 that is off takes another element
      if (const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, 0, lane);
          lane % 2 == 1 && mask[lane] == 0)
        std::memcpy(&state.ub[at], &state.ub[at - 4], 4);
  });
  EXPECT_EQ(
      said("select.f32", changes),
      "lanes 1, 3 .. 63 of select.f32 are gated by slots 1, 3 .. 63 instead of being written under every "
      "mask (a lane that does not take part receives another value) in the first repeat");
}

/// A buffer for the bits of a repeat that is not cleared.
TEST(MoveGates, BitsOfAComparisonAreKeptFromRepeatToRepeat) {
  const Ask keeps = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (!row_of(insn.op).compares || row_of(insn.op).operands[0].walk != Walk::bits) return;
    const std::size_t bytes = lanes_of(insn) / 8, start = start_of(program, insn.operands[0]);
    for (std::size_t n = bytes; n < insn.repeat * bytes; ++n)
      state.ub[start + n] |= state.ub[start + n - bytes];
  });
  for (const std::string name : {"compare.f16", "compare_scalar.f32", "compare_scalar.i32"})
    EXPECT_EQ(first_said(name, keeps),
              "a bit of " + name + " is 1 also if the same bit of an earlier repeat is 1");
}

}  // namespace
}  // namespace lanecheck
