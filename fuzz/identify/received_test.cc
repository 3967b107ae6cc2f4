// What is said of masked-off lanes that receive something else than a constant.
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The oracle, whose masked-off lanes take the old dst of another place: `place` gives it for a repeat and a
/// lane.
Ask taking_from(std::function<std::pair<unsigned, unsigned>(unsigned, unsigned)> place) {
  return [place](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      const Instruction insn = given.instructions.back();
      const bool resets = std::ranges::count(given.instructions, Op::reset_mask, &Instruction::op) > 0;
      if (insn.op != Op::add || resets) continue;
      const Mask mask = mask_of(given);
      std::vector<std::byte> ub = given.ub;
      for (unsigned r = 0; r < insn.repeat; ++r)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          const auto start = start_of(given, insn.operands[0]);
          const auto [repeat, of] = place(r, lane);
          const std::size_t at = start + lane_offset(insn, 0, r, lane);
          const auto& from = mask[lane] != 0 ? batch.states[n].ub : given.ub;
          std::memcpy(&ub[at], &from[mask[lane] != 0 ? at : start + lane_offset(insn, 0, repeat, of)],
                      size_of(insn.dst_type));
        }
      batch.states[n].ub = std::move(ub);
    }
  };
}

TEST(Received, OldDstOfTheirLaneInRepeat0) {
  EXPECT_EQ(
      said("add.f32", taking_from([](unsigned, unsigned lane) {
             return std::pair{0U, lane};
           })),
      "masked-off lanes of add.f32 receive the old dst of their lane in repeat 0 instead of keeping their "
      "old dst");
}

TEST(Received, OldDstOfTheirLaneInTheRepeatBefore) {
  EXPECT_EQ(said("add.i16", taking_from([](unsigned r, unsigned lane) {
                   return std::pair{r - std::min(r, 1U), lane};
                 })),
            "masked-off lanes of add.i16 receive the old dst of their lane in the repeat before instead of "
            "keeping their old dst");
}

TEST(Received, OldDstOfLane0OfTheRepeat) {
  EXPECT_EQ(said("add.f16", taking_from([](unsigned r, unsigned) {
                   return std::pair{r, 0U};
                 })),
            "masked-off lanes of add.f16 receive the old dst of lane 0 instead of keeping their old dst");
}

TEST(Received, OldDstWithoutGaps) {
  const Ask without_gaps = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const bool resets = std::ranges::count(program.instructions, Op::reset_mask, &Instruction::op) > 0;
    if (insn.op != Op::add || resets) return;
    const Mask mask = mask_of(program);
    const std::size_t start = start_of(program, insn.operands[0]);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0, off = 0; lane < lanes_of(insn); ++lane)
        if (mask[lane] == 0)
          std::memcpy(&state.ub[start + lane_offset(insn, 0, r, lane)],
                      &program.ub[start + lane_offset(insn, 0, r, off++)], size_of(insn.dst_type));
  });
  EXPECT_EQ(
      said("add.f32", without_gaps),
      "masked-off lanes of add.f32 receive the old dst of lane n of the repeat, where n lanes before them "
      "are off instead of keeping their old dst");
}

/// Masked-off lanes that hold a negative number become 0.
TEST(Received, WhatReluComputesOfTheOldDst) {
  const Ask of_old = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::relu) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        std::byte* const at = &state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)];
        std::uint64_t bits = 0;
        std::memcpy(&bits, at, size_of(insn.dst_type));
        if (mask[lane] == 0 && value_of(insn.dst_type, bits) < 0) std::memset(at, 0, size_of(insn.dst_type));
      }
  });
  for (const std::string name : {"relu.f32", "relu.i32", "relu.f16"})
    EXPECT_EQ(said(name, of_old),
              "masked-off lanes of " + name +
                  " receive what it computes of their old dst instead of keeping their old dst");
}

/// A select that is gated by the mask, as in SVM.
TEST(Received, SelectGivesSrc1) {
  const Ask src1 = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::select) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        if (mask[lane] == 0)
          std::memcpy(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)],
                      &program.ub[start_of(program, insn.operands[3]) + lane_offset(insn, 3, r, lane)],
                      size_of(insn.dst_type));
  });
  for (const std::string name : {"select.f32", "select.f16"})
    EXPECT_EQ(first_said(name, src1), "masked-off lanes of " + name +
                                          " receive their element of src1 instead of keeping their old dst");
}

/// SVM-1-bitwise: of a select that writes all lanes. Places are measured of one source at a time, while the
/// other one is 0.
TEST(Received, WhatTheMaskAddsToTheControl) {
  const Ask second = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Op op = insn.op;
    if (op != Op::select_bits && op != Op::select_scalar) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        if (mask[lane] != 0) continue;
        const std::size_t size = size_of(insn.dst_type);
        std::byte* const at = &state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)];
        if (op == Op::select_scalar)
          std::memcpy(at, &insn.scalar.bits, size);
        else
          std::memcpy(at, &program.ub[start_of(program, insn.operands[3]) + lane_offset(insn, 3, r, lane)],
                      size);
      }
  });
  EXPECT_EQ(first_said("select_bits.f32", second),
            "masked-off lanes of select_bits.f32 receive their element of src1 instead of keeping their old "
            "dst");
  EXPECT_EQ(first_said("select_scalar.f16", second),
            "masked-off lanes of select_scalar.f16 receive the scalar instead of keeping their old dst");
}

/// The tail of the last data block is written with 0.
TEST(Received, ZeroBehindTheLastActiveLane) {
  const auto zeros = [](bool whole_repeat) {
    return then([whole_repeat](const Program& program, State& state) {
      const Instruction& insn = program.instructions.back();
      if (insn.op != Op::add) return;
      const Mask mask = mask_of(program);
      unsigned first = lanes_of(insn);
      while (first > 0 && mask[first - 1] == 0) --first;
      const unsigned per = lanes_of(insn) / 8,
                     end = whole_repeat ? lanes_of(insn) : (first + per - 1) / per * per;
      for (unsigned r = 0; first > 0 && r < insn.repeat; ++r)
        for (unsigned lane = first; lane < end; ++lane)
          std::fill_n(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)], 4,
                      std::byte{0});
    });
  };
  EXPECT_EQ(
      said("add.f32", zeros(true)),
      "masked-off lanes of add.f32 behind the last active lane receive 0 instead of keeping their old dst");
  EXPECT_EQ(said("add.i32", zeros(false)),
            "masked-off lanes of add.i32 behind the last active lane, up to the end of its data block, "
            "receive 0 instead "
            "of keeping their old dst");
}

/// VMC 3.1: the scalar may be less than all elements, which are the results then.
TEST(Received, ElementOfTheSourceOfAMaximumOrMinimumWithAScalar) {
  const Ask ask = [](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      const Instruction& insn = given.instructions.back();
      if (insn.op != Op::vmaxs && insn.op != Op::vmins) continue;
      const Mask mask = mask_of(given);
      for (unsigned r = 0; r < insn.repeat; ++r)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
          if (mask[lane] == 0)
            std::memcpy(
                &batch.states[n].ub[start_of(given, insn.operands[0]) + lane_offset(insn, 0, r, lane)],
                &given.ub[start_of(given, insn.operands[1]) + lane_offset(insn, 1, r, lane)],
                size_of(insn.dst_type));
    }
  };
  for (const std::string name : {"vmaxs.u8", "vmins.f16", "vmaxs.i32"})
    EXPECT_EQ(said(name, ask), "masked-off lanes of " + name +
                                   " receive their element of src instead of keeping their old dst");
}

/// Data blocks are computed whole in a buffer of zeros, and written back whole.
TEST(Received, DataBlocksOfVectorPaddingWithoutAnActiveLane) {
  const Ask zeros = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::vpadding) return;
    const Readings readings = default_readings(program.profile);
    MaskBits mask;
    for (const Instruction& each : program.instructions)
      each.op == Op::vpadding ? mask.load(each, readings) : mask.apply(each, readings);
    if (mask.mode == Mode::counter) return;
    const unsigned per = lanes_of(insn) / 8;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned block = 0; block < 8; ++block)
        if ((mask.words[block * per / 64] >> block * per % 64 & ((1U << per) - 1)) == 0)
          std::fill_n(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, block * per)],
                      32, std::byte{0});
  });
  for (const std::string name : {"vpadding.i16", "vpadding.f32"}) {
    const auto found = identify(subject_of(name, Profile::p310), zeros).differences;
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0],
              "masked-off lanes of " + name +
                  " whose data block has no active lane receive 0 instead of keeping their old dst");
  }
}

}  // namespace
}  // namespace lanecheck
