// Walks that hang on the number of elements that an instruction is given (TIK-4-stride, SVM-2-strides).
#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// A dup under a contiguous mask for which `is_fast` holds fills repeats that lie in a row.
Ask fills_in_a_row(bool (*is_fast)(std::uint64_t length, unsigned per_block, unsigned lanes)) {
  return with([is_fast](Instruction& insn) {
    if (insn.op != Op::dup || insn.mask_from != MaskFrom::contiguous) return;
    if (is_fast(insn.low, per_block(insn.dst_type), lanes_of(insn))) insn.operands[0].repeat_stride = 8;
  });
}

std::string said_of_dup(const Ask& ask) {
  const auto said = identify(subject_of("dup.u32", Profile::tik), ask).differences;
  return said.empty() ? "" : said.front();
}

TEST(PlacesUnderALength, AFastPathForSomeLengthsTakesAnotherStride) {
  const std::string start =
      "dst of dup.u32 walks with repeat stride 8, whatever is given, under a contiguous mask";
  EXPECT_EQ(said_of_dup(fills_in_a_row([](std::uint64_t, unsigned, unsigned) { return true; })), start);
  EXPECT_EQ(said_of_dup(fills_in_a_row(
                [](std::uint64_t length, unsigned, unsigned lanes) { return length == lanes; })),
            start + " if the length takes in all lanes");
  EXPECT_EQ(said_of_dup(fills_in_a_row(
                [](std::uint64_t length, unsigned block, unsigned) { return length % block == 0; })),
            start + " if the length fills whole data blocks");
  EXPECT_EQ(said_of_dup(fills_in_a_row(
                [](std::uint64_t length, unsigned block, unsigned) { return length % block != 0; })),
            start + " if the length does not fill whole data blocks");
  EXPECT_EQ(said_of_dup(fills_in_a_row(
                [](std::uint64_t length, unsigned, unsigned lanes) { return length != lanes; })),
            start + " if the length does not take in all lanes");
}

/// In counter mode, a total of at most `most` repeats is walked with block stride 1.
Ask walks_short_counts_in_a_row(unsigned most) {
  return with_program([most](Program& program) {
    std::uint64_t total = 0;
    bool counts = false;
    for (Instruction& insn : program.instructions) {
      if (insn.op == Op::set_mask_count) counts = true;
      if (insn.op == Op::set_vector_mask) total = insn.low;
      if (insn.op == Op::set_vector_mask_total) total = insn.settings[0];
      if (insn.op != Op::muls || !counts || total > most * lanes_of(insn)) continue;
      for (Operand& operand : insn.operands) operand.block_stride = 1;
    }
  });
}

TEST(PlacesUnderACount, AFastPathForOneRepeatIsALawOfAllItsOperands) {
  Instruction muls = subject_of("muls.i32", Profile::a2).insn;
  muls.repeat = 1;
  muls.operands[0] = {0, 0, 1, 8};
  muls.operands[1] = {0, 0, 3, 8};
  Instruction total = mask_instruction(Op::set_vector_mask_total);
  total.settings[0] = 9;
  const Program program{Profile::a2, {}, {mask_instruction(Op::set_mask_count), total, muls}, {}};
  const auto said = [&](unsigned most) {
    return identify(program, 2, walks_short_counts_in_a_row(most), false, true).differences;
  };
  const std::string walks = " of muls.i32 walks with block stride 1, whatever is given, in counter mode",
                    when = " if the count fits into one repeat";
  EXPECT_EQ(said(1), (std::vector{"dst" + walks + when, "src" + walks + when}));
  EXPECT_EQ(said(1000), (std::vector{"dst" + walks, "src" + walks}));
}

}  // namespace
}  // namespace lanecheck
