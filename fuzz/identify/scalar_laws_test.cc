// What is said of instructions that take another scalar in some repeats: it is no matter of places.
#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The oracle; after the first repeat the scalar of `op` is what `scalar(program, one)` gives, where `one` is
/// the repeat as an instruction of its own.
template <class GiveBits>
Ask with_scalar_of_later_repeats(Op op, GiveBits scalar) {
  return with_program([=](Program& program) {
    const Instruction whole = program.instructions.back();
    if (whole.op != op) return;
    program.instructions.pop_back();
    for (unsigned r = 0; r < whole.repeat; ++r) {
      Instruction one = one_repeat(whole, r);
      if (r > 0) one.scalar = scalar_from_bits(one.src_type, scalar(program, one));
      program.instructions.push_back(one);
    }
  });
}

std::uint64_t zero(const Program&, const Instruction&) {
  return 0;
}

/// Lane 0 of operand `k`.
template <unsigned k>
std::uint64_t lane_0_of(const Program& program, const Instruction& one) {
  State state;
  state.ub = program.ub;
  return bits_at(state, start_of(program, one.operands[k]), one.src_type);
}

TEST(ScalarLaws, SelectNumberTakes0AfterTheFirstRepeat) {
  const Ask ask = with_scalar_of_later_repeats(Op::select_number, zero);
  for (const std::string name : {"select_number.f16", "select_number.i32"})
    EXPECT_EQ(said(name, ask), name + " takes 0 as its scalar in every repeat after the first");
}

TEST(ScalarLaws, SelectNumberTakesAnElementOfSrc0AfterTheFirstRepeat) {
  const Ask ask = with_scalar_of_later_repeats(Op::select_number, lane_0_of<2>);
  for (const std::string name : {"select_number.f16", "select_number.i32"})
    EXPECT_EQ(said(name, ask),
              name + " takes lane 0 of the repeat of src0 as its scalar in every repeat after the first");
}

/// Where src0 is not chosen: no control bit is to blame.
TEST(ScalarLaws, SelectNumberTakesTheBitsOfAnInteger) {
  const Ask ask = with([](Instruction& insn) {
    if (insn.op != Op::select_number) return;
    const double value = value_of(insn.src_type, insn.scalar.bits);
    const bool fits = value > -0x1p31 && value < 0x1p31;
    const std::int64_t number = fits ? static_cast<std::int32_t>(value) : std::int64_t{-0x80000000LL};
    const std::uint64_t all = insn.src_type == Element::f16 ? 0xffff : 0xffffffff;
    insn.scalar = scalar_from_bits(insn.src_type, static_cast<std::uint64_t>(number) & all);
  });
  for (const std::string name : {"select_number.f16", "select_number.f32"})
    EXPECT_EQ(said(name, ask), name + " takes the bits that its scalar has as an integer");
}

TEST(ScalarLaws, AddsWithoutItsScalarInOddRepeats) {
  const Ask ask = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned repeat) {
    if (whole.op == Op::adds && repeat % 2 == 1) one.scalar = scalar_of(one.src_type, -0.0);
  });
  for (const std::string name : {"adds.f32", "adds.i32", "adds.f16"})
    EXPECT_EQ(said(name, ask),
              name + " computes src instead of src + scalar in every odd repeat (counted from 0)");
}

/// The bits of dst then look as if they were computed from other elements of src.
TEST(ScalarLaws, CompareScalarTakesTheLowestByteOfItsScalar) {
  const Ask ask = with([](Instruction& insn) {
    if (insn.op == Op::compare_scalar)
      insn.scalar = scalar_from_bits(scalar_type(insn), insn.scalar.bits & 0xff);
  });
  for (const std::string name : {"compare_scalar.f32", "compare_scalar.f16", "compare_scalar.i16"})
    EXPECT_EQ(said(name, ask), name + " uses only the lowest 8 bits of its scalar");
}

TEST(ScalarLaws, CompareScalarTakesAnElementOfSrcAfterTheFirstRepeat) {
  const Ask ask = with_scalar_of_later_repeats(Op::compare_scalar, lane_0_of<1>);
  for (const std::string name : {"compare_scalar.f32", "compare_scalar.f16"})
    EXPECT_EQ(said(name, ask),
              name + " takes lane 0 of the repeat of src as its scalar in every repeat after the first");
}

TEST(ScalarLaws, ADupOfBytesWritesElementsOf16Bits) {
  const Ask halfwords = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::dup || size_of(insn.dst_type) != 1) return;
    const Mask mask = mask_of(program);
    const auto number = static_cast<std::int16_t>(value_of(insn.dst_type, insn.scalar.bits));
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 1; lane < lanes_of(insn); lane += 2)
        if (mask[lane] != 0)
          state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)] =
              static_cast<std::byte>(number >> 8 & 0xff);
  });
  for (const std::string name : {"dup.u8", "dup.i8"})
    EXPECT_EQ(said(name, halfwords),
              name +
                  " writes pairs of lanes as 16-bit elements: odd lanes get the upper byte of the scalar "
                  "extended to 16 bits");
}

}  // namespace
}  // namespace lanecheck
