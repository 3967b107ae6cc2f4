// What is said of instructions that take a word of their mask as another number. Expected: bit i of the low
// word becomes slot i, bit i of the high word slot 64 + i (VMC 2, SVM table 1).
#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/mask_register/register_map.h"

namespace lanecheck {
namespace {

std::uint64_t through_double(std::uint64_t word) {
  const auto rounded = static_cast<double>(word);
  return rounded >= 0x1p64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(rounded);
}

/// The oracle, with the words of each bitwise mask changed.
template <class Taken>
Ask with_words(Taken taken) {
  return with([taken](Instruction& insn) {
    if (!sets_mask(insn) && insn.mask_from != MaskFrom::bitwise) return;
    insn.high = taken(insn.high);
    insn.low = taken(insn.low);
  });
}

/// Types of 64 lanes have a high word of 0 there; `with` refuses slots that they do not have.
TEST(WordsAsNumbers, AnyInstructionSaysTheSame) {
  for (const char* name :
       {"add.f16", "cgadd.f16", "cpadd.f16", "select.f16", "gather.u16", "select_scalar.f16"})
    EXPECT_EQ(first_said(name, with_words(through_double)),
              std::string(name) + ": each word of the mask goes through an f64, which keeps 53 bits");
}

TEST(WordsAsNumbers, OneKeyForAllFamilies) {
  const auto key = [](const char* name) {
    const auto found = identify(subject_of(name, Profile::a2), with_words(through_double));
    return found.parts.empty() ? "" : found.parts[0].key;
  };
  EXPECT_EQ(key("cgadd.f16"), key("add.f16"));
  EXPECT_EQ(key("set_vector_mask.f16"), key("add.f16"));  // the register shows it
  EXPECT_FALSE(key("add.f16").empty());
}

/// A helper for short masks spreads a low word over both, if no high word is given.
TEST(WordsAsNumbers, AWordInPlaceOfTheOtherOne) {
  const Ask spreads = with([](Instruction& insn) {
    if (insn.mask_from == MaskFrom::bitwise && insn.high == 0) insn.high = insn.low;
  });
  EXPECT_EQ(
      first_said("vmins.i16", spreads),
      "after vmins.i16, slots 64..127 of the mask register hold the low word of its own mask, if its high "
      "word is 0");
}

/// The register is wrong, and obeyed: no lane is said to go by something else.
TEST(WordsAsNumbers, ARegisterThatIsWrongIsNotSaidToBeDisobeyed) {
  const Ask halves = with([](Instruction& insn) {
    if (insn.op != Op::set_vector_mask) return;
    for (std::uint64_t* word : {&insn.high, &insn.low}) *word = (*word & 0xffffffff) * 0x100000001;
  });
  const auto found = register_gate_differences(subject_of("add.f16", Profile::a2), halves);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].what,
            "add.f16 without a mask of its own is wrong under some masks that set_vector_mask has set, for "
            "example in lanes 32, 34..35, 37, 39..44, 46, 48..54, ..., 126..127");
}

}  // namespace
}  // namespace lanecheck
