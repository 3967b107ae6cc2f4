// Numbers of elements that are taken for the bits of a mask, and numbers of which other elements take part.
// Expected: SetVectorMask, "Function Usage", and the elements that each fault here takes instead.
#include "fuzz/identify/given_number_testing.h"

namespace lanecheck {
namespace number_as_bits_test {

/// The oracle that takes the number for the bits of a mask of each repeat. Counter mode: of the repeats that
/// the count fills.
Ask number_as_bits() {
  return [](const Batch& batch) {
    for (std::size_t k = 0; k < batch.programs.size(); ++k) {
      Program changed = batch.programs[k];
      Instruction& last = changed.instructions.back();
      bool counts = false;
      std::uint64_t number = 0;
      for (Instruction& insn : changed.instructions) {
        counts = insn.op == Op::set_mask_count || (counts && insn.op != Op::set_mask_norm);
        if (insn.op == Op::set_mask_count) insn.op = Op::set_mask_norm;
        if (insn.op == Op::set_vector_mask) number = insn.low;
      }
      if (last.mask_from == MaskFrom::count) number = last.low;
      if (counts || last.mask_from == MaskFrom::count)
        last.repeat = static_cast<std::uint32_t>((number + lanes_of(last) - 1) / lanes_of(last));
      if (last.mask_from == MaskFrom::count || last.mask_from == MaskFrom::contiguous) {
        last.mask_from = MaskFrom::bitwise;
        last.high = 0;
      }
      ask_oracle()({{&changed, 1}, batch.states.subspan(k, 1), batch.outcomes.subspan(k, 1)});
    }
  };
}

TEST(NumberAsBits, ANumberThatIsTakenForTheBitsOfAMask) {
  for (const std::string name : {"adds.f16", "cmax.f16", "cadd.f32", "cpadd.f32", "cgmin.f16"}) {
    EXPECT_EQ(said_of_numbers(name, MaskGiven::total, number_as_bits()),
              "in counter mode " + name +
                  " reads the count n as the bits of a mask, in each repeat that n elements fill");
    EXPECT_EQ(said_of_numbers(name, MaskGiven::contiguous, number_as_bits()),
              "for a contiguous mask of its own " + name + " reads the length n as the bits of a mask");
  }
}

/// Of 7 or 8 elements the first 3 take part, of more each second one.
TEST(NumberAsBits, ElementsBeforeTheLastOneAreSaidToBeLeftOutOnlyIfTheyAre) {
  const Ask faulty = [](const Batch& batch) {
    for (std::size_t k = 0; k < batch.programs.size(); ++k) {
      Program changed = batch.programs[k];
      Instruction& insn = changed.instructions.back();
      if (insn.mask_from == MaskFrom::contiguous) {
        insn.mask_from = MaskFrom::bitwise;
        insn.high = insn.low > 64 ? kOnes / 3 : 0;
        const std::uint64_t n = insn.low;
        insn.low = n <= 8 ? (1u << (n <= 6 ? n : 3)) - 1 : kOnes / 3 >> (64 - std::min<std::uint64_t>(n, 64));
      }
      ask_oracle()({{&changed, 1}, batch.states.subspan(k, 1), batch.outcomes.subspan(k, 1)});
    }
  };
  EXPECT_EQ(
      said_of_numbers("cmax.f16", MaskGiven::contiguous, faulty),
      "for a contiguous mask of its own cmax.f16 does not take the first n elements, for example if the "
      "length n is 7: the last element that takes part is 2; if it is 65: the last element that takes part "
      "is 126, and not all before it");
}

}  // namespace number_as_bits_test
}  // namespace lanecheck
