// Contiguous masks whose two words are made wrongly, one or both. Expected: the first n slots of the mask are
// 1 (SetVectorMask, table 2), and the words that each fault here makes instead.
#include "fuzz/identify/given_number_testing.h"
#include "fuzz/identify/left_by_length.h"

namespace lanecheck {
namespace word_laws_test {

using Number = std::uint64_t;

std::string said_of(const std::string& name, const Ask& ask) {
  return said_of_numbers(name, MaskGiven::contiguous, ask);
}

/// The oracle, with words in place of each contiguous mask: also such as no legal program may have, 0 and 0.
template <class Words>
Ask with_any_words(Words words) {
  return [=](const Batch& batch) {
    for (std::size_t k = 0; k < batch.programs.size(); ++k) {
      Program changed = batch.programs[k];
      Instruction& insn = changed.instructions.back();
      if (insn.mask_from == MaskFrom::contiguous) {
        const MaskWords mask = words(static_cast<unsigned>(insn.low));
        insn.mask_from = MaskFrom::bitwise;
        insn.high = mask.high;
        insn.low = mask.low;
      }
      batch.states[k] = state_after(changed);
      batch.outcomes[k] = Ran{};
    }
  };
}

/// With a low word of `low(m)` for m elements in it, and a high word of `high(m)`.
template <class Low, class High>
Ask with_each_word(Low low, High high) {
  return with_any_words([=](unsigned n) {
    return MaskWords{high(n > 64 ? n - 64 : 0), low(std::min(n, 64U))};
  });
}

Number ones(unsigned m) {
  return m >= 64 ? ~Number{0} : (Number{1} << m) - 1;
}

TEST(WordLaws, AShiftBy64ThatShiftsByNone) {
  const auto none_at_64 = [](unsigned m) { return ones(m % 64); };
  const auto all_at_0 = [](unsigned m) { return m == 0 ? ~Number{0} : ones(m); };
  const std::string start = "for a contiguous mask of its own ", end = ", as if a shift by 64 were none";
  const Ask branch = with_any_words([](unsigned n) {
    return n > 64 ? MaskWords{ones(n % 64), ~Number{0}} : MaskWords{0, ones(n % 64)};
  });
  for (const std::string name : {"add.f16", "add.f32", "cadd.f16", "cadd.f32"})
    EXPECT_EQ(
        said_of(name, branch),
        start + name +
            " makes the low word of the mask 0 if the length n is 64 and the high word of the mask 0 if "
            "the length n is 128" +
            end);
  EXPECT_EQ(said_of("add.f16", with_each_word(none_at_64, ones)),
            start + "add.f16 makes the low word of the mask 0 if the length n is 64 or more" + end);
  EXPECT_EQ(said_of("add.f16", with_each_word(ones, none_at_64)),
            start + "add.f16 takes 64 elements if the length n is 128");
  EXPECT_EQ(said_of("add.f16", with_each_word(ones, all_at_0)),
            start + "add.f16 makes the high word of the mask all ones if the length n is 64 or less");
}

TEST(WordLaws, AWordOfTheMaskThatIsMadeOfTheWrongBits) {
  const auto bit = [](unsigned m) { return m == 64 ? 0 : Number{1} << m; };
  const auto of_part = [](auto f) { return [=](unsigned m) { return m == 0 ? Number{0} : f(m); }; };
  const auto said = [](const Ask& ask) { return said_of("adds.i16", ask); };
  const std::string start = "for a contiguous mask of its own adds.i16 ";
  EXPECT_EQ(
      said(with_each_word(ones, of_part(bit))),
      start +
          "sets bit n - 64 alone in the high word of the mask instead of the n - 64 bits below it if the "
          "length n is more than 64, as if - 1 were missing");
  EXPECT_EQ(
      said(with_each_word([=](unsigned m) { return m == 64 ? ones(m) : bit(m); }, ones)),
      start +
          "sets bit n alone in the low word of the mask instead of the n bits below it if the length n is "
          "less than 64, as if - 1 were missing");
  const auto last = [](unsigned m) { return m == 0 ? Number{0} : ones(m) << (64 - m); };
  EXPECT_EQ(said(with_each_word(last, last)),
            start +
                "sets the last m bits of each word of the mask (m of the n elements are in it) instead of "
                "the first m");
  const auto short_shift = [](unsigned m) { return ones(m % 32); };
  EXPECT_EQ(said(with_each_word(short_shift, short_shift)),
            start +
                "sets m mod 32 bits of each word of the mask (m of the n elements are in it) instead of m, "
                "as a shift of 32 bits does");
  const auto down = [](unsigned m) { return ones(m / 16 * 16); };
  EXPECT_EQ(said(with_each_word(ones, down)),
            start +
                "rounds n - 64 down to a multiple of 16 in the high word of the mask if the length n is "
                "more than 64");
}

/// One mask is made of n mod 64 bits, and used for both words.
TEST(WordLaws, TheLowWordThatIsMadeLikeTheHighOne) {
  const auto words = [](unsigned n) { return n > 64 ? ones(n - 64) : ones(n); };
  EXPECT_EQ(said_of("adds.i16", with_any_words([=](unsigned n) {
                      return MaskWords{n > 64 ? ones(n - 64) : 0, words(n)};
                    })),
            "for a contiguous mask of its own adds.i16 puts the lowest n - 64 bits of the high word of the "
            "mask into its low word, too, if the length n is more than 64");
}

/// A count of its own ends with a contiguous mask of 128 elements, which another instruction sets too.
TEST(WordLaws, AreReadOffTheFullMaskBehindACount) {
  const auto with_all = [](auto make) {
    return [=](const Batch& batch) {
      for (std::size_t k = 0; k < batch.programs.size(); ++k) {
        const Program& given = batch.programs[k];
        Program changed = given;
        changed.instructions.clear();
        for (const Instruction& each : given.instructions) {
          const bool sets = each.op == Op::set_vector_mask_len, counts = each.mask_from == MaskFrom::count;
          if (!sets) changed.instructions.push_back(each);
          if (sets || counts)
            changed.instructions.push_back(
                mask_instruction(Op::set_vector_mask, make(sets ? each.settings[0] : 128)));
        }
        batch.states[k] = state_after(changed);
        batch.outcomes[k] = Ran{};
      }
    };
  };
  const Ask at_64 = with_all([](unsigned n) {
    return n > 64 ? MaskWords{ones(n % 64), ~Number{0}} : MaskWords{0, ones(n % 64)};
  });
  for (const std::string name : {"sqrt.f16", "add.f32"}) {
    Subject subject = subject_of(name, Profile::a2);
    subject.insn.mask_from = MaskFrom::count;
    const auto left = left_in_register(subject, at_64);
    ASSERT_EQ(left.size(), 1U) << name;
    EXPECT_EQ(
        left[0].what,
        "for a contiguous mask set_vector_mask_len.f16 makes the low word of the mask 0 if the length n "
        "is 64 and the high word of the mask 0 if the length n is 128, as if a shift by 64 were none; the "
        "mask register shows it behind " +
            name + ", which ends with the first 128 elements");
    EXPECT_EQ(left[0].map, MapKind::length);
    EXPECT_EQ(
        left[0].key,
        number_differences(shapes_of(subject_of("add.f16", Profile::a2)), MaskGiven::length, at_64)[0].key);
  }
  const Ask at_most_64 = with_all([](unsigned n) { return MaskWords{0, n < 64 ? ones(n) : ~Number{0}}; });
  Subject subject = subject_of("sqrt.f16", Profile::a2);
  subject.insn.mask_from = MaskFrom::count;
  const auto left = left_in_register(subject, at_most_64);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].general,  // whatever shows it
            "for a contiguous mask from the register stops after 64 elements, however large the length n is");
}

/// A type with 64 lanes shows too little of it: the law of its twin is said.
TEST(WordLaws, OfALengthOfWhichOnlyTheLowestBitsCountInTheLowWord) {
  const Ask loses = with_any_words([](unsigned n) {
    const auto ones = [](unsigned m) { return m >= 64 ? kOnes : (std::uint64_t{1} << m) - 1; };
    return n < 64 ? MaskWords{0, ones(n)} : MaskWords{ones(n - 64), ones(n - 64)};
  });
  for (const std::string name : {"add.f16", "add.f32"}) {
    const auto said = said_of_numbers(name, MaskGiven::contiguous, loses);
    EXPECT_EQ(said, "for a contiguous mask of its own " + name +
                        " leaves the last 128 - n bits of the low word of the mask 0 if the length n is 64 "
                        "or more, as if n mod 64 bits were in it");
  }
}

/// The mask of the last repeat of a count has too few bits in its low word.
TEST(WordLaws, OfTheLastRepeatOfACount) {
  const auto loses = [](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const auto count = static_cast<unsigned>(program.instructions[program.instructions.size() - 2].low);
    const unsigned lanes = lanes_of(insn), left = count % lanes;
    for (unsigned lane = left < 64 ? 64 : left - 64; lane < 64; ++lane) {
      const std::size_t at = start_of(program, insn.operands[0]) + lane_offset(insn, 0, count / lanes, lane);
      std::copy_n(&program.ub[at], size_of(insn.dst_type), &state.ub[at]);
    }
  };
  const Ask ask = then([=](const Program& program, State& state) {
    if (program.instructions.size() > 1 && program.instructions.front().op == Op::set_mask_count)
      loses(program, state);
  });
  EXPECT_EQ(
      said_of_numbers("mul.i16", MaskGiven::total, ask),
      "in counter mode mul.i16 leaves the last 128 - n bits of the low word of the mask 0 if the number n "
      "of elements that are left for the last repeat is 64 or more, as if n mod 64 bits were in it; a count "
      "of its own is obeyed");
}

}  // namespace word_laws_test
}  // namespace lanecheck
