// What stands in the mask register after a number of elements was given. Expected: SetVectorMask, "Function
// Usage", changed as each fault here says.
#include "fuzz/identify/mask_register/register_of_number.h"

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/mask_register/register_map.h"

namespace lanecheck {
namespace register_of_number_test {

/// The oracle, in which one kind of instruction sets the register to words made of its number, in one mode.
Ask takes_number(Op op, Mode mode, MaskWords (*words)(std::uint32_t)) {
  return with_program([=](Program& program) {
    Mode now = Mode::normal;
    for (Instruction& insn : program.instructions) {
      if (insn.op == Op::set_mask_count) now = Mode::counter;
      if (insn.op == Op::set_mask_norm) now = Mode::normal;
      if (insn.op == op && now == mode) insn = mask_instruction(Op::set_vector_mask, words(insn.settings[0]));
    }
  });
}

constexpr auto kOnesBelow = [](std::uint32_t n) {
  const auto ones = [](unsigned of) { return of >= 64 ? kOnes : (std::uint64_t{1} << of) - 1; };
  return MaskWords{n <= 64 ? 0 : ones(n - 64), ones(n)};
};

/// SVM: a total is a number of elements, and a length is as many ones.
TEST(RegisterOfNumber, ANumberThatIsTakenForTheOtherKindInOneMode) {
  EXPECT_EQ(
      said_of_mask_instruction("set_vector_mask_total",
                               takes_number(Op::set_vector_mask_total, Mode::normal, kOnesBelow)),
      "after set_vector_mask_total, the lowest n slots of the mask register are 1, where n is the number "
      "that it is given, in normal mode");
  EXPECT_EQ(
      said_of_mask_instruction("set_vector_mask_len.f16", takes_number(Op::set_vector_mask_len, Mode::counter,
                                                                       [](std::uint32_t n) {
                                                                         return MaskWords{0, n};
                                                                       })),
      "after set_vector_mask_len.f16, the mask register holds n as a number, not as slots that are 1, "
      "where n is the number that it is given, in counter mode");
}

/// SVM: the count of counter mode is given in the low word, too.
TEST(RegisterOfNumber, ACountThatIsCut) {
  const Ask in_words = with_program([](Program& program) {
    bool counts = false;
    for (Instruction& insn : program.instructions) {
      counts = insn.op == Op::set_mask_count || (counts && insn.op != Op::set_mask_norm);
      if (counts && insn.op == Op::set_vector_mask) insn.low &= 0xffff;
    }
  });
  EXPECT_EQ(said_of_mask_instruction("set_vector_mask.f16", in_words),
            "after set_vector_mask.f16, the mask register holds only the lowest 16 bits of n, where n is the "
            "number that it is given, in counter mode");
}

/// SVM: the form for the first n elements ends with a full mask.
TEST(RegisterOfNumber, ACountOfItsOwnThatStays) {
  const Ask stays = with_program([](Program& program) {
    auto& list = program.instructions;
    for (std::size_t n = 0; n < list.size(); ++n)
      if (list[n].mask_from == MaskFrom::count) {
        const auto after = list.begin() + static_cast<std::ptrdiff_t>(n) + 1;
        list.insert(after, mask_instruction(Op::set_vector_mask, {0, list[n].low}));
        ++n;
      }
  });
  Subject subject = subject_of("add.f16", Profile::a2);
  subject.insn.mask_from = MaskFrom::count;
  const auto found = register_differences(subject, stays);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].sentence(),
            "after add.f16 with a count of its own, the mask register holds n as a number, not as slots that "
            "are 1, where n is the number that it is given");
}

/// The oracle, in which an addition leaves another count in the register.
Ask leaves_count(std::uint64_t (*left)(std::uint64_t count)) {
  return with_program([left](Program& program) {
    std::vector<Instruction> all;
    bool counts = false;
    std::uint64_t count = 0;
    for (const Instruction& insn : program.instructions) {
      all.push_back(insn);
      if (insn.op == Op::set_mask_count) counts = true;
      if (insn.op == Op::set_mask_norm) counts = false;
      if (insn.op == Op::set_vector_mask || insn.mask_from == MaskFrom::bitwise) count = insn.low;
      if (counts && insn.op == Op::add)
        all.push_back(mask_instruction(Op::set_vector_mask, {0, left(count)}));
    }
    program.instructions = all;
  });
}

/// SVM: the count counts until another one is set.
TEST(RegisterOfNumber, ACountThatAnInstructionUsesUp) {
  Subject subject = subject_of("add.f16", Profile::a2);
  const auto said = [&](std::uint64_t (*left)(std::uint64_t count)) {
    const auto found = register_differences(subject, leaves_count(left));
    return found.empty() ? "" : found[0].sentence();
  };
  EXPECT_EQ(said([](std::uint64_t n) { return n; }), "");
  EXPECT_EQ(said([](std::uint64_t n) { return (n + 127) % 128 + 1; }),
            "after add.f16, the mask register holds the number of elements of its last repeat instead of the "
            "count n, in counter mode");
  EXPECT_EQ(said([](std::uint64_t n) { return n > 128 ? n - 128 : n; }),
            "after add.f16, the mask register holds n minus the lanes of one repeat (n if it is not more) "
            "instead of the count n, in counter mode");
  subject.insn.mask_from = MaskFrom::bitwise;  // a count in counter mode
  EXPECT_EQ(
      said([](std::uint64_t n) { return n > 128 ? n - 128 : 0; }),
      "after add.f16, the mask register holds n minus the lanes of one repeat (0 if n is less) instead of "
      "the count n, in counter mode");
}

}  // namespace register_of_number_test
}  // namespace lanecheck
