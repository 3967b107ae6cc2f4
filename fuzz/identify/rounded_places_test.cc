// Repeats that lie at their place, rounded down.
#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace rounded_places_test {

/// The oracle; the distance of each repeat of operand `k` from its start is rounded down to a multiple of
/// `bytes`.
Ask with_rounded_distance(Op op, unsigned k, std::uint32_t bytes) {
  return with_single_repeats([=](Instruction& one, const Instruction& whole, unsigned) {
    const std::uint32_t start = whole.operands[k].offset;
    if (one.op == op) one.operands[k].offset = start + (one.operands[k].offset - start) / bytes * bytes;
  });
}

TEST(RoundedPlaces, OfTheRepeatsOfAGather) {
  EXPECT_EQ(
      said("gather.f16", with_rounded_distance(Op::gather, 0, 64)),
      "dst of gather.f16 lies at r * its repeat stride, rounded down to a multiple of 2 data blocks, in "
      "repeat r (counted from 0)");
}

TEST(RoundedPlaces, OfTheRepeatsOfASource) {
  EXPECT_EQ(said("sub.i32", with_rounded_distance(Op::sub, 2, 128)),
            "src1 of sub.i32 lies at r * its repeat stride, rounded down to a multiple of 4 data blocks, in "
            "repeat r (counted from 0)");
}

TEST(RoundedPlaces, OfResults) {
  EXPECT_EQ(
      said("cadd.i16", with_rounded_distance(Op::cadd, 0, 4)),
      "each result of cadd.i16 is written at its place, rounded down to a multiple of 2 elements of dst");
  EXPECT_EQ(
      said("cmax.f16", with_rounded_distance(Op::cmax, 0, 8)),
      "each result of cmax.f16 is written at its place, rounded down to a multiple of 4 elements of dst");
}

TEST(RoundedPlaces, OfTheStartOfAnOperand) {  // VMC-1
  const auto rounds = [](unsigned k, std::uint32_t bytes) {
    return with([=](Instruction& insn) {
      if (!row_of(insn.op).operands.empty())
        insn.operands[k].offset = insn.operands[k].offset / bytes * bytes;
    });
  };
  const std::string start = " starts at its address rounded down to a multiple of ";
  EXPECT_EQ(said("cadd.f16", rounds(0, 32)), "dst of cadd.f16" + start + "32 bytes");
  EXPECT_EQ(said("cgmax.i16", rounds(0, 32)), "dst of cgmax.i16" + start + "32 bytes");
  EXPECT_EQ(said("cmax.f32", rounds(0, 8)), "dst of cmax.f32" + start + "8 bytes");
  EXPECT_EQ(said("cadd.f16", rounds(1, 32)), "");  // a source starts with a data block anyway
}

TEST(RoundedPlaces, OfTheAddressOfAnOperandInUb) {  // VMC-1: an operand starts at any data block
  const auto rounds = [](unsigned k, std::uint32_t bytes, bool up) {
    return with_program([=](Program& program) {
      for (Instruction& insn : program.instructions) {
        if (row_of(insn.op).operands.empty()) continue;
        std::uint32_t& offset = insn.operands[k].offset;
        const std::uint32_t address = program.allocations[insn.operands[k].allocation].offset + offset;
        offset += (up ? (address + bytes - 1) / bytes * bytes : address / bytes * bytes) - address;
      }
    });
  };
  const std::string start = " starts at its address in UB rounded ";
  EXPECT_EQ(said("sub.i16", rounds(2, 64, false)),
            "src1 of sub.i16" + start + "down to a multiple of 64 bytes");
  EXPECT_EQ(said("select.f16", rounds(1, 128, false)),
            "control of select.f16" + start + "down to a multiple of 128 bytes");
  EXPECT_EQ(said("compare.f32", rounds(1, 512, false)),
            "src0 of compare.f32" + start + "down to a multiple of 512 bytes");
  EXPECT_EQ(said("abs.f32", rounds(0, 256, true)),
            "dst of abs.f32" + start + "up to a multiple of 256 bytes");
}

/// The trials of a gather without a repeat have no offsets.
TEST(RoundedPlaces, NothingIsSaidOfAGatherThatRunsOnceWithRepeat0) {
  const Ask once = with([](Instruction& insn) {
    if (insn.op == Op::gather) insn.repeat = std::max(insn.repeat, 1U);
  });
  Program program{Profile::vmc, {}, {in_a_row(subject_of("gather.f16"), 1).insn}, {}};
  program.instructions[0].repeat = 0;
  const auto found = identify(program, 0, once, false, true).differences;
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].find("rounded"), std::string::npos) << found[0];
}

}  // namespace rounded_places_test
}  // namespace lanecheck
