// Faults in counts and contiguous masks that hold for some numbers only, and what elements behind a count do.
// Expected: SetVectorMask, "Function Usage" (the first n elements of the whole computation take part, in the
// last repeat those that are left; elements behind them do not contribute to a reduction), and the elements
// that each fault here takes instead.
#include <cmath>

#include "fuzz/identify/given_number_testing.h"
#include "fuzz/identify/left_by_length.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace length_laws_test {

using Number = std::uint64_t;

/// The number in an instruction, and the elements of one of its repeats.
template <class Change>
Ask with_count(Change change) {
  return with_number([=](Number n, const Instruction&) { return change(n); });
}

std::string said_of(const std::string& name, const Ask& ask, MaskGiven given = MaskGiven::total) {
  return said_of_numbers(name, given, ask);
}

/// An elementwise instruction of which those elements are written for which takes(n, element) is true.
template <class Takes>
Ask with_elements(Takes takes) {
  return [takes](const Batch& batch) {
    constexpr Number kMost = 6;  // the probes see that many repeats
    for (std::size_t k = 0; k < batch.programs.size(); ++k) {
      const Program& program = batch.programs[k];
      const Instruction& insn = program.instructions.back();
      Program changed = program;
      Number n = 0;
      change_numbers(changed, [&](Number given, const Instruction&) {
        n = given;
        return kMost * lanes_of(insn);
      });
      batch.states[k] = state_after(changed);
      batch.outcomes[k] = Ran{};
      const std::uint32_t size = size_of(insn.dst_type), start = start_of(program, insn.operands[0]);
      for (std::uint32_t e = 0; e < kMost * lanes_of(insn); ++e)
        if (!takes(n, e))
          std::copy_n(program.ub.data() + start + e * size, size,
                      batch.states[k].ub.data() + start + e * size);
    }
  };
}

/// A loop that begins with the repeat that is not full.
TEST(LengthLaws, TheFirstRepeatTakesWhatIsLeft) {
  for (const std::string name : {"adds.i32", "adds.f16"}) {
    const Number lanes = lanes_of(subject_of(name, Profile::a2).insn);
    EXPECT_EQ(said_of(name, with_elements([=](Number n, Number e) {
                        const Number whole = (n + lanes - 1) / lanes * lanes, first = lanes - (whole - n);
                        return e < whole && (e < first || e >= lanes);
                      })),
              "in counter mode " + name +
                  " fills the last repeat, and lets the first one take what is left instead of the first n");
  }
}

TEST(LengthLaws, TheLastRepeatOfSomeNumbers) {
  for (const std::string name : {"adds.i32", "cadd.f16"}) {
    const Number lanes = lanes_of(subject_of(name, Profile::a2).insn);
    const std::string start = "in counter mode " + name + " ", p = std::to_string(lanes);
    const auto full = [=](Number n) { return (n + lanes - 1) / lanes * lanes; };
    EXPECT_EQ(
        said_of(name, with_count([=](Number n) { return n % lanes == 0 && n > lanes ? n - lanes : n; })),
        start + "leaves out the last repeat if the count n is a multiple of " + p +
            " (the elements of a repeat) and is above " + p);
    EXPECT_EQ(said_of(name, with_count([=](Number n) { return n % lanes == 0 ? n : n - 1; })),
              start + "leaves out the last element if the last repeat is not full");
    EXPECT_EQ(said_of(name, with_count([=](Number n) { return n % lanes == 0 || n < lanes ? n : n + 1; })),
              start + "takes 1 element more if the last repeat is not full and not the first one");
    EXPECT_EQ(said_of(name, with_count([=](Number n) { return (n - 1) / lanes % 2 == 0 ? full(n) : n; })),
              start + "takes the last repeat in full if the count n needs an odd number of repeats");
    EXPECT_EQ(said_of(name, with_count([=](Number n) {
                        return (n - 1) / lanes * lanes + std::min<Number>((n - 1) % lanes + 1, 32);
                      })),
              start + "takes at most 32 elements of the last repeat");
  }
}

TEST(LengthLaws, FromANumberOnThatNoProbeAsksFirst) {
  for (const std::string name : {"add.f16", "cadd.f16"})
    EXPECT_EQ(said_of(name, with_count([](Number n) { return n >= 200 ? n - 1 : n; })),
              "in counter mode " + name + " leaves out the last element if the count n is 200 or more");
  EXPECT_EQ(
      said_of("add.f16", with_count([](Number n) { return n > 64 ? n - 8 : n; }), MaskGiven::contiguous),
      "for a contiguous mask of its own add.f16 leaves out the last 8 elements if the length n is 65 or "
      "more");
}

TEST(LengthLaws, RepeatsOfAnotherSize) {
  for (const auto& [name, other] : {std::pair<std::string, Number>{"adds.i32", 128}, {"add.f16", 64}}) {
    const Number lanes = lanes_of(subject_of(name, Profile::a2).insn), by = other;
    const std::string start = "in counter mode " + name + " ", p = std::to_string(lanes),
                      q = std::to_string(by);
    const auto left = [=](Number n, Number e) { return n - std::min(n, e / lanes * by); };
    EXPECT_EQ(said_of(name, with_elements([=](Number n, Number e) {
                        return e / lanes <= (n - 1) / lanes && e % lanes < left(n, e);
                      })),
              start + "subtracts " + q + " elements for each repeat instead of " + p +
                  ": repeat r (from 0) takes its first n - " + q + " r");
    EXPECT_EQ(
        said_of("add.f16", with_elements([](Number n, Number e) {
                  return e % 128 < std::min<Number>(64, n - std::min(n, e / 128 * 64));
                })),
        "in counter mode add.f16 counts 64 elements for each repeat instead of 128: repeat r (from 0) takes "
        "at most 64 of the n - 64 r that are left");
  }
}

TEST(LengthLaws, LengthsInElementsOf16Bits) {
  const Ask twice = with_number([](Number n, const Instruction& insn) {
    return size_of(insn.dst_type) == 4 ? std::min<Number>(2 * n, 64) : n;
  });
  EXPECT_EQ(
      said_of("adds.i32", twice, MaskGiven::contiguous),
      "for a contiguous mask of its own adds.i32 takes 2 times as many elements as the length n, at most "
      "all of a repeat, as if n counted elements of 16 bits");
}

/// Two laws that agree on all numbers that are asked first.
TEST(LengthLaws, LawsThatOnlyFreshNumbersTellApart) {
  const auto no_bit_8 = [](Number n) { return n & ~Number{256}; };
  const auto byte = [](Number n) { return n & 255; };
  EXPECT_EQ(said_of("add.f16", with_count(no_bit_8)),
            "in counter mode add.f16 takes bit 8 of the count n as 0");
  EXPECT_EQ(said_of("add.f16", with_count(byte)),
            "in counter mode add.f16 uses only the lowest 8 bits of the count n (n mod 256)");
}

/// No law is said of numbers that follow none.
TEST(LengthLaws, NumbersThatFollowNoLaw) {
  const auto said =
      said_of("add.f16", with_count([](Number n) { return n - n * 2654435761u % 4096 * n / 8192; }));
  EXPECT_NE(said.find("does not take the first n elements, for example if the count n is "),
            std::string::npos)
      << said;
}

TEST(LengthLaws, TwoNumbersShowWhichElementsTakePart) {
  const auto ends = [](Number n, std::uint32_t e) { return e == 0 || e == n; };
  const std::string said = said_of("add.f16", with_elements(ends));
  EXPECT_NE(said.find(" if the count n is 1: the first 2 take part; if it is "), std::string::npos) << said;
  EXPECT_NE(said.find(": elements 0, "), std::string::npos) << said;
}

/// A reduction that takes `value` for the elements of the last repeat behind the count. `results`: also in
/// results that have no element before it. `above`: only for larger counts.
Ask with_behind(double value, bool results, Number above = 0) {
  return [=](const Batch& batch) {
    for (std::size_t k = 0; k < batch.programs.size(); ++k) {
      const Program& program = batch.programs[k];
      const Instruction& insn = program.instructions.back();
      Program changed = program;
      Number n = 0;
      const Number lanes = lanes_of(insn), group = lanes / results_per_repeat(insn);
      change_numbers(changed, [&](Number given, const Instruction&) {
        n = given;
        return (n + lanes - 1) / lanes * lanes;
      });
      const std::uint32_t size = size_of(insn.src_type), dst = start_of(program, insn.operands[0]),
                          src = start_of(program, insn.operands[1]);
      const std::uint64_t bits = nearest(insn.src_type, value);
      if (n <= above) {
        batch.states[k] = state_after(program);
        batch.outcomes[k] = Ran{};
        continue;
      }
      for (Number e = n; e < (n + lanes - 1) / lanes * lanes; ++e)
        std::memcpy(changed.ub.data() + src + e * size, &bits, size);
      batch.states[k] = state_after(changed);
      batch.outcomes[k] = Ran{};
      std::byte* after = batch.states[k].ub.data();
      std::copy_n(program.ub.data() + src, 6 * lanes * size, after + src);
      for (Number first = 0; first < 6 * lanes; first += group) {
        const Number at = dst + first / group * size;
        if (first >= n && !results) std::copy_n(program.ub.data() + at, size, after + at);
      }
    }
  };
}

TEST(LengthLaws, ElementsBehindACountThatActLikeAValue) {
  for (const std::string name : {"cmax.f32", "cgmin.f32", "cgmax.f16", "cgadd.f32"}) {
    const double value = name == "cgadd.f32" ? 3 : 0;
    const std::string start = "in counter mode " + name + " takes " + (value == 0 ? "0" : "3") +
                              " for the elements of the last repeat behind the count n";
    EXPECT_EQ(said_of(name, with_behind(value, false)), start);
    const std::string also = ", and also writes results whose elements all lie there";
    const bool many = name != "cmax.f32";  // results in a repeat
    EXPECT_EQ(said_of(name, with_behind(value, true)), start + (many ? also : ""));
  }
  // A value that beats all others hides them.
  EXPECT_EQ(said_of("cgmin.f32", with_behind(-1000, false)),
            "in counter mode cgmin.f32 takes -1000 for the elements of the last repeat behind the count n");
  EXPECT_EQ(
      said_of("cgmin.f32", with_behind(0, false, 70)),
      "in counter mode cgmin.f32 takes 0 for the elements of the last repeat behind the count n, for example "
      "if n is 83: result 10 is 0 instead of 100");
  // The neutral element, or nearly so: only results that should be kept show it.
  EXPECT_EQ(
      said_of("cgmin.f32", with_behind(HUGE_VAL, true)),
      "in counter mode cgmin.f32 writes its neutral element, inf, to the results of the last repeat whose "
      "elements all lie behind the count n");
  EXPECT_EQ(
      said_of("cgmin.f32", with_behind(1000, true)),
      "in counter mode cgmin.f32 writes 1000 to the results of the last repeat whose elements all lie behind "
      "the count n");
}

TEST(LengthLaws, RepeatsCountedInEightBits) {
  const std::string eight_bits =
      "in counter mode adds.i32 keeps only the lowest 8 bits of the number of repeats that the count n fills";
  const Ask full_repeats = with_number([](Number n, const Instruction& insn) {
    const Number lanes = lanes_of(insn), repeats = (n + lanes - 1) / lanes;
    return repeats < 256 ? n : repeats % 256 * lanes;
  });
  EXPECT_EQ(said_of("adds.i32", full_repeats), eight_bits);
  const Ask same_end = with_number([](Number n, const Instruction& insn) {
    const Number lanes = lanes_of(insn), repeats = (n + lanes - 1) / lanes;
    return repeats % 256 == 0 ? 0 : n - repeats / 256 * 256 * lanes;
  });
  EXPECT_EQ(said_of("adds.i32", same_end), eight_bits + ", and ends the last of them as the last of all");
}

/// The oracle, with words in place of each contiguous mask.
template <class Words>
Ask with_words(Words words) {
  return with([=](Instruction& insn) {
    if (insn.mask_from != MaskFrom::contiguous) return;
    const MaskWords mask = words(static_cast<unsigned>(insn.low));
    insn.mask_from = MaskFrom::bitwise;
    insn.high = mask.high;
    insn.low = mask.low;
  });
}

TEST(LengthLaws, OneBitInPlaceOfAllBitsBelowIt) {
  constexpr std::uint64_t kOne = 1;
  const Ask high = with_words([=](unsigned n) {
    if (n >= 128) return MaskWords{~std::uint64_t{0}, ~std::uint64_t{0}};
    return n > 64 ? MaskWords{kOne << (n - 64), ~std::uint64_t{0}}
                  : MaskWords{0, n == 64 ? ~std::uint64_t{0} : (kOne << n) - 1};
  });
  EXPECT_EQ(said_of("add.f16", high, MaskGiven::contiguous),
            "for a contiguous mask of its own add.f16 takes elements 0..63 and element n if the length n is "
            "65 to 127, as if one bit stood for all bits below it");
}

TEST(LengthLaws, AWordThatIsComputedAsADouble) {
  const auto word = [](unsigned bits) {
    return bits >= 64 ? ~std::uint64_t{0}
                      : static_cast<std::uint64_t>(std::ldexp(1, static_cast<int>(bits)) - 1);
  };
  const Ask doubles = with_words([=](unsigned n) {
    return MaskWords{n > 64 ? word(n - 64) : 0, word(std::min(n, 64U))};
  });
  EXPECT_EQ(said_of("add.f16", doubles, MaskGiven::contiguous),
            "for a contiguous mask of its own add.f16 computes each word of the mask (m of the n elements "
            "are in it) "
            "as 2^m - 1 in f64, which is 2^m if m is 54 or more: bit m alone");
}

TEST(LengthLaws, OfTheHighWordOnlyTheLastBit) {
  constexpr std::uint64_t kOne = 1;
  const Ask high = with_words([=](unsigned n) {
    if (n >= 128) return MaskWords{~std::uint64_t{0}, ~std::uint64_t{0}};
    return n > 64 ? MaskWords{kOne << (n - 65), ~std::uint64_t{0}}
                  : MaskWords{0, n == 64 ? ~std::uint64_t{0} : (kOne << n) - 1};
  });
  EXPECT_EQ(said_of("add.f16", high, MaskGiven::contiguous),
            "for a contiguous mask of its own add.f16 takes elements 0..63 and of those behind them the last "
            "one alone if the length n is 65 to 127");
}

TEST(LengthLaws, OneNumberAlone) {
  const Ask at_64 = with_words([](unsigned n) {
    if (n > 64) return MaskWords{~std::uint64_t{0} >> (128 - n), ~std::uint64_t{0}};
    return MaskWords{0, n == 64 ? 1 : (std::uint64_t{1} << n) - 1};
  });
  EXPECT_EQ(said_of("add.f16", at_64, MaskGiven::contiguous),
            "for a contiguous mask of its own add.f16 takes 1 element if the length n is 64");
}

/// Eight elements are a data block of f32 and half of one of f16.
TEST(LengthLaws, AUnitOfElementsIsNamedByAllElementTypes) {
  const Ask eights = with_words([](unsigned n) {
    n = (n + 7) / 8 * 8;
    if (n > 64) return MaskWords{~std::uint64_t{0} >> (128 - n), ~std::uint64_t{0}};
    return MaskWords{0, n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1};
  });
  for (const std::string name : {"add.f16", "add.f32"})
    EXPECT_EQ(
        said_of(name, eights, MaskGiven::contiguous),
        "for a contiguous mask of its own " + name +
            " takes whole groups of 8 elements: the last group takes part in full, also past the length n");
}

/// The mask register is all that shows which elements take part in a gather.
TEST(LengthLaws, AreReadOffTheMaskRegisterToo) {
  const Ask at_64 = with_words([](unsigned n) {
    if (n > 64) return MaskWords{~std::uint64_t{0} >> (128 - n), ~std::uint64_t{0}};
    return MaskWords{0, n == 64 ? 1 : (std::uint64_t{1} << n) - 1};
  });
  for (const std::string name : {"gather.u16", "gather.f32"}) {
    Subject subject = subject_of(name, Profile::a2);
    subject.insn.mask_from = MaskFrom::contiguous;
    const auto left = left_in_register(subject, at_64);
    ASSERT_EQ(left.size(), 1U) << name;
    EXPECT_EQ(left[0].map, MapKind::length);
    EXPECT_EQ(left[0].general, "for a contiguous mask of its own " + name +
                                   " takes other elements if the length n is one number");
    EXPECT_EQ(left[0].what,
              "for a contiguous mask of its own " + name +
                  " takes 1 element if the length n is 64, as the mask register shows behind it");
  }
}

/// A law of one repeat time is not said of all of them, wherever the questions come to an end.
TEST(LengthLaws, RepeatTimesThatHaveASayIfFewQuestionsMayBeAsked) {
  for (const std::string name : {"cpadd.f32", "cmax.f32", "cgmax.f16"}) {
    bool is_said = false;
    for (unsigned most = 50; most <= 800; most += 50) {
      unsigned left = most;
      const Ask few = [&](const Batch& batch) {
        for (std::size_t n = 0; n < batch.programs.size() && left > 0; ++n, --left)
          at_most_repeat_times()(
              {batch.programs.subspan(n, 1), batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      };
      for (const Difference& each :
           number_differences(shapes_of(subject_of(name, Profile::a2)), MaskGiven::total, few)) {
        EXPECT_EQ(each.sentence(),
                  "in counter mode " + name + " runs at most its repeat times, however large the count n is")
            << most;
        is_said = true;
      }
    }
    EXPECT_TRUE(is_said) << name;
  }
}

/// The words of set_vector_mask are right as counts.
TEST(LengthLaws, RulesOfACountThatSetVectorMaskTotalSets) {
  const Ask wraps = with([](Instruction& insn) {
    if (insn.op == Op::set_vector_mask_total) insn.settings[0] &= 255;
  });
  const Program sets{Profile::a2, {}, {mask_instruction(Op::set_vector_mask_total)}, {}};
  const auto found = identify(sets, 0, wraps, false, true);
  ASSERT_EQ(found.differences.size(), 1u);
  EXPECT_EQ(found.differences[0],
            "set_vector_mask_total uses only the lowest 8 bits of the count n (n mod 256)");
}

/// A repeat that is not full is an element shorter, unless it has a single element.
TEST(LengthLaws, AnElementLessInARepeatThatIsNotFull) {
  const Ask shorter =
      with_number([](Number n, const Instruction& insn) { return n % lanes_of(insn) > 1 ? n - 1 : n; });
  for (const std::string name : {"cadd.f32", "adds.f16"})
    EXPECT_EQ(said_of(name, shorter),
              "in counter mode " + name +
                  " leaves out the last element if the last repeat is not full and has more than 1 element");
}

/// SVM: repeat times have no effect. Those of 1 are the default of many calls.
TEST(LengthLaws, RepeatTimesOfMoreThan1ThatLimitTheCount) {
  const Ask limits = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const bool is_one = batch.programs[n].instructions.back().repeat == 1;
      (is_one ? ask_oracle() : at_most_repeat_times())(
          {batch.programs.subspan(n, 1), batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  Subject subject = subject_of("adds.f16", Profile::a2);
  subject.insn.repeat = 2;
  const auto differences = number_differences(shapes_of_case(subject), MaskGiven::total, limits);
  ASSERT_FALSE(differences.empty());
  EXPECT_TRUE(
      differences[0].sentence().starts_with("in counter mode adds.f16 runs at most its repeat times if they "
                                            "are more than 1, however large the count n is"))
      << differences[0].sentence();
}

/// No element behind the number takes part: what rules say of those holds.
TEST(LengthLaws, SayWhetherElementsBehindTheNumberTakePart) {
  const auto takes_less = [](Ask ask) {
    const auto differences =
        number_differences(shapes_of(subject_of("cadd.f32", Profile::a2)), MaskGiven::total, ask);
    return !differences.empty() && differences[0].takes_less;
  };
  EXPECT_TRUE(takes_less(with_count([](Number n) { return n > 1 ? n - 1 : n; })));
  EXPECT_FALSE(takes_less(with_count([](Number n) { return n + 1; })));
}

}  // namespace length_laws_test
}  // namespace lanecheck
