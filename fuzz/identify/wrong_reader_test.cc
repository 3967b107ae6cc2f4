// Nothing is said of the mask register if the instruction that shows it, a dup, is wrong itself.
#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/mask_register/register_map.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {
namespace wrong_reader_test {

/// Each 16 bits of a word that has one of them: the slots of a data block of 16-bit elements.
std::uint64_t whole_blocks(std::uint64_t word) {
  std::uint64_t whole = 0;
  for (unsigned bit = 0; bit < 64; bit += 16)
    if ((word >> bit & 0xffff) != 0) whole |= std::uint64_t{0xffff} << bit;
  return whole;
}

/// The oracle, whose dup writes whole data blocks, and leaves its right mask in the register.
Ask dup_of_whole_blocks() {
  return with_program([](Program& program) {
    std::vector<Instruction> all;
    const Readings readings = default_readings(program.profile);
    MaskBits mask;
    for (Instruction insn : program.instructions) {
      mask.load(insn, readings);
      const MaskWords held{mask.words[1], mask.words[0]};
      const bool is_wrong = insn.op == Op::dup && mask.mode == Mode::normal;
      mask.leave(insn, readings);
      if (is_wrong) {
        insn.mask_from = MaskFrom::bitwise;
        insn.high = whole_blocks(held.high);
        insn.low = whole_blocks(held.low);
      }
      all.push_back(insn);
      if (is_wrong) all.push_back(mask_instruction(Op::set_vector_mask, held));
    }
    program.instructions = all;
  });
}

TEST(RegisterMap, SVM_4_operand_stays_IsNotSaidIfTheReaderIsWrong) {
  Subject subject = subject_of("dup.f16", Profile::a2);
  subject.insn.mask_from = MaskFrom::bitwise;
  for (const Difference& each : register_differences(subject, dup_of_whole_blocks()))
    ADD_FAILURE() << each.what;
  EXPECT_EQ(first_said("dup.f16", dup_of_whole_blocks()),
            "lanes 0..127 of dup.f16 are written if any slot of their data block is 1");
}

}  // namespace wrong_reader_test
}  // namespace lanecheck
