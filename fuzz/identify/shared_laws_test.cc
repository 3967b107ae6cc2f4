// Laws that several instructions and types share: their keys are equal, so that a run makes one finding.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace shared_laws_test {

/// The key of the first difference, or what it says of any instruction.
std::string key_of(const std::string& name, const Ask& ask) {
  const auto found = identify(subject_of(name), ask);
  if (found.parts.empty()) return "";
  return found.parts[0].key.empty() ? found.parts[0].general : found.parts[0].key;
}

/// Each 32-bit integer that the last instruction has written becomes what an f32 holds of it.
Ask through_f32() {
  return then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.dst_type != Element::i32) return;
    const Allocation& dst = program.allocations[insn.operands[0].allocation];
    for (std::size_t at = dst.offset; at + 4 <= dst.offset + dst.bytes; at += 4) {
      std::int32_t bits = 0, old = 0;
      std::memcpy(&bits, &state.ub[at], 4);
      std::memcpy(&old, &program.ub[at], 4);
      if (bits == old) continue;
      bits = static_cast<std::int32_t>(nearest(Element::i32, static_cast<float>(bits)));
      std::memcpy(&state.ub[at], &bits, 4);
    }
  });
}

TEST(SharedLaws, IntegersThatPassThroughF32AreOneMistake) {
  const std::string key = "values: through f32, with 24 significant bits";
  for (const char* name : {"mul.i32", "adds.i32", "cadd.i32", "cgmax.i32"})
    EXPECT_EQ(key_of(name, through_f32()), key) << name;
}

TEST(SharedLaws, AScalarOfFewBitsIsOneMistake) {
  const Ask cut = with([](Instruction& insn) {
    if (takes_scalar(insn)) insn.scalar = scalar_from_bits(scalar_type(insn), insn.scalar.bits & 0xffff);
  });
  for (const char* name : {"dup.u32", "vmaxs.i32", "compare_scalar.i32"})
    EXPECT_EQ(key_of(name, cut), "values: uses only the lowest 16 bits of its scalar") << name;
}

/// A fill by halves of an element.
TEST(SharedLaws, AScalarWhoseLowHalfIsRepeatedIsOneMistake) {
  const Ask halves = with([](Instruction& insn) {
    if (insn.op != Op::dup || size_of(insn.dst_type) != 4) return;
    const std::uint64_t low = insn.scalar.bits & 0xffff;
    insn.scalar = scalar_from_bits(insn.dst_type, low << 16 | low);
  });
  for (const char* name : {"dup.u32", "dup.i32", "dup.f32"})
    EXPECT_EQ(key_of(name, halves), "values: repeats the lowest 16 bits of its scalar in place of the others")
        << name;
}

TEST(SharedLaws, ACastThatIgnoresItsMode) {
  const Ask ignores = with([](Instruction& insn) {
    if (insn.op == Op::cast && insn.round != Round::none) insn.round = Round::rint;
  });
  EXPECT_EQ(said("cast.i32.f32", ignores),
            "cast.i32.f32 ignores its mode: it rounds in every mode as in mode rint");
  EXPECT_EQ(key_of("cast.u8.f16", ignores), key_of("cast.i32.f32", ignores));
}

TEST(SharedLaws, AnOperandWithItsSignBitCleared) {
  const Ask clears = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::relu || insn.dst_type != Element::i16) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        if (mask[lane] == 0) continue;
        std::int16_t x = 0;
        std::memcpy(&x, &program.ub[start_of(program, insn.operands[1]) + lane_offset(insn, 1, r, lane)], 2);
        x = static_cast<std::int16_t>(x & 0x7fff);
        std::memcpy(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)], &x, 2);
      }
  });
  EXPECT_EQ(said("relu.i16", clears).substr(0, 47), "relu.i16 gives src with its highest bit cleared");
}

/// VMC section 3.1: a lane has one slot, whatever its size is.
TEST(SharedLaws, PartsOfElementsHaveSlotsOfTheirOwn) {
  const Ask in_halves = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::dup || size_of(insn.dst_type) != 8) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned half = 0; half < 2 * lanes_of(insn); ++half) {
        const std::size_t at =
            start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, half / 2) + half % 2 * 4;
        const std::uint64_t written = insn.scalar.bits >> (half % 2 * 32) & 0xffffffff;
        std::memcpy(&state.ub[at], mask[half] != 0 ? static_cast<const void*>(&written) : &program.ub[at], 4);
      }
  });
  EXPECT_EQ(said("dup.u64", in_halves),
            "dup.u64 gates parts of elements: each element is cut into 2 parts with a slot of its own for "
            "each: part k of lane l is gated by slot 2 * l + k");
}

/// A data block is filled with 32 bits, of which the second half is the next element.
TEST(SharedLaws, ABroadcastWhoseOddElementsAreWrong) {
  const Ask fills_32_bits = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::brcb || size_of(insn.dst_type) != 2) return;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        std::memcpy(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)],
                    &program.ub[start_of(program, insn.operands[1]) + (8 * r + lane / 16 + lane % 2) * 2], 2);
  });
  EXPECT_EQ(
      said("brcb.u16", fills_32_bits),
      "the odd elements of data block B of repeat R of brcb.u16 use element 8 * R + B + 1 of src instead "
      "of element 8 * R + B");
}

TEST(SharedLaws, ABroadcastThatRepeatsAllItsElementsInEachDataBlock) {
  const Ask tiles = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::brcb) return;
    const unsigned size = size_of(insn.dst_type);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        std::memcpy(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)],
                    &program.ub[start_of(program, insn.operands[1]) + (8 * r + lane % 8) * size], size);
  });
  EXPECT_EQ(
      said("brcb.u16", tiles),
      "lane l of repeat R of brcb.u16 uses element 8 * R + l mod 8 of src instead of element 8 * R + l / "
      "16");
  EXPECT_EQ(key_of("brcb.u16", tiles), key_of("brcb.f32", tiles));
}

/// SVM section 1: instructions that move elements take their own mask by the same code.
TEST(SharedLaws, AContiguousMaskThatIsLimitedInMovesToo) {
  const Ask limited = with([](Instruction& insn) {
    if (insn.mask_from == MaskFrom::contiguous) insn.low = std::min<std::uint64_t>(insn.low, 29);
  });
  const std::string of_add = first_said("add.f32", limited);
  EXPECT_NE(of_add.find("29"), std::string::npos) << of_add;
  for (const std::string name : {"select.f32", "gather.f32", "select_scalar.f32"}) {
    std::string expected = of_add;
    expected.replace(expected.find("add.f32"), 7, name);
    EXPECT_EQ(first_said(name, limited), expected);
  }
}

/// SVM section 1. Set by another instruction before, the slot shows that it keeps what it was; types with
/// fewer lanes show the same.
TEST(SharedLaws, ASlotThatSetVectorMaskDoesNotWrite) {
  const Ask keeps = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      std::uint64_t slot = 1;
      for (Instruction& each : changed.instructions) {
        if (each.op == Op::set_vector_mask_len) slot = each.settings[0] < 128 ? 0 : 1;
        if (each.op == Op::set_vector_mask) each.high = (each.high & ~(std::uint64_t{1} << 63)) | slot << 63;
      }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  const std::string is = "slot 127 of the mask register is what it was before";
  EXPECT_EQ(first_said("set_vector_mask.f16", keeps),
            "after set_vector_mask.f16, " + is + " instead of that of its own mask");
  for (const char* name : {"set_vector_mask.f16", "set_vector_mask.i32"}) {
    const auto found = identify(subject_of(name, Profile::a2), keeps);
    ASSERT_FALSE(found.parts.empty()) << name;
    EXPECT_EQ(found.parts[0].general, is) << name;
  }
}

/// cmax_index with the value alone: its results lie in a row.
TEST(SharedLaws, ARepeatStrideOfResultsInTwiceItsUnit) {
  const Ask twice = with([](Instruction& insn) {
    if (insn.op == Op::cmax) insn.operands[0].repeat_stride *= 2;
  });
  EXPECT_EQ(said("cmax.f32", twice),
            "cmax.f32 counts its dst repeat stride in units of 8 bytes instead of 4 (2 times as much)");
  EXPECT_EQ(key_of("cmax.f32", twice), key_of("cmax.f16", twice));
}

/// The offsets of dst of a scatter and of the source of a gather are read by one code.
TEST(SharedLaws, AStepBetweenTheOffsetsOfRepeats) {
  const Ask by_256_bytes = with_single_repeats([](Instruction& one, const Instruction&, unsigned repeat) {
    if (indexed_operand(row_of(one.op)) && size_of(one.dst_type) == 2)
      one.operands[kOffsetsOperand].offset -= repeat * 256;
  });
  EXPECT_EQ(said("scatter.i16", by_256_bytes),
            "repeat r of scatter.i16 reads its offsets from number 64 * r on instead of 128 * r");
  EXPECT_EQ(key_of("scatter.i16", by_256_bytes), key_of("gather.u16", by_256_bytes));
}

}  // namespace shared_laws_test
}  // namespace lanecheck
