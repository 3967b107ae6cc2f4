// Faults that show only if an instruction is given a number of elements. Expected: SetVectorMask,
// "Function Usage" (a count is one of the entire computation; a contiguous length is one of a repeat), and
// the reach that each fault here gives.
#include "fuzz/identify/given_number.h"

#include <set>

#include "fuzz/identify/given_number_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace given_number_test {

TEST(GivenNumber, OnTheOracleNothingIsSaid) {
  for (const char* name : {"add.f16", "cast.i32.f32", "dup.u32", "cadd.f16", "cgmin.f32", "cpadd.f16"}) {
    const Subject subject = subject_of(name, Profile::a2);
    EXPECT_GE(numbers_given(subject).size(), 3u) << name;
    const Identification found = identify(subject, ask_oracle());
    EXPECT_EQ(found.differences, std::vector<std::string>{}) << name;
  }
  for (const char* name : {"set_vector_mask.f16", "set_vector_mask.f32", "set_vector_mask_len.f16",
                           "reset_mask", "set_mask_norm", "set_mask_count", "set_vector_mask_total"}) {
    Instruction insn;
    ASSERT_TRUE(parse_mnemonic(name, insn)) << name;
    const Identification found = identify(Program{Profile::a2, {}, {insn}, {}}, 0, ask_oracle(), false, true);
    EXPECT_EQ(found.differences, std::vector<std::string>{}) << name;
    EXPECT_GE(found.programs, 4u) << name << " has no legal probes";
  }
}

TEST(GivenNumber, TheProbesFindTheFirstElements) {
  for (const char* name : {"sub.f32", "cmax.f16", "cmin.f16", "cgadd.f32"})
    for (const MaskGiven given : numbers_given(subject_of(name, Profile::a2))) {
      const auto map = measure_lengths(subject_of(name, Profile::a2), given, ask_oracle());
      ASSERT_TRUE(map.map) << name;
      EXPECT_GE(map.map->answers.size(), 7u) << name;
      for (const LengthAnswer& answer : map.map->answers) EXPECT_EQ(answer.reach, answer.length) << name;
    }
}

TEST(GivenNumber, RulesOfACount) {
  const auto one_more = [](std::uint64_t n, const Instruction&) { return n + 1; };
  const auto byte = [](std::uint64_t n, const Instruction&) { return n & 255; };
  const auto one_more_in_a_repeat = [](std::uint64_t n, const Instruction&) {
    return n % 64 == 0 ? n : n + 1;
  };
  const auto two_repeats = [](std::uint64_t n, const Instruction&) {
    return std::min(n, std::uint64_t{128});
  };
  const auto tail_full = [](std::uint64_t n, const Instruction&) { return (n + 63) / 64 * 64; };
  const auto blocks = [](std::uint64_t n, const Instruction& insn) {
    const unsigned per = per_block(insn.src_type);
    return (n + per - 1) / per * per;
  };
  const auto said_of = [](const std::string& name, const Ask& ask) {
    const Subject subject = subject_of(name, Profile::a2);
    const auto differences = number_differences(shapes_of(subject), MaskGiven::total, ask);
    return differences.empty() ? "" : differences.front().sentence();
  };
  for (const std::string name : {"add.f32", "cadd.f32", "cmin.f32"}) {
    const std::string start = "in counter mode " + name + " ";
    EXPECT_EQ(said_of(name, with_number(one_more)), start + "takes 1 element more than the count n");
    EXPECT_EQ(said_of(name, with_number(one_more_in_a_repeat)),
              start + "takes 1 element more than the count n, except if n fills the last repeat");
    EXPECT_EQ(said_of(name, with_number(two_repeats)),
              start + "stops after 2 repeats of 64 elements, however large the count n is");
    EXPECT_EQ(
        said_of(name, with_number(tail_full)),
        start +
            "takes whole repeats of 64 elements: the last repeat takes part in full, also past the count n");
    EXPECT_EQ(said_of(name, with_number(blocks)), start +
                                                      "takes whole data blocks of 8 elements: the last data "
                                                      "block takes part in full, also past the count n");
  }
  EXPECT_EQ(said_of("add.f32", with_number(byte)),
            "in counter mode add.f32 uses only the lowest 8 bits of the count n (n mod 256)");
}

/// What is said of a count whose instruction does as `change` says.
template <class Change>
std::string said_of_count(const std::string& name, Change change) {
  return said_of_numbers(name, MaskGiven::total, with_number(change));
}

/// Each repeat has as many lanes as fit of the narrower type, and lies over the end of the repeat before it.
TEST(GivenNumber, SVM_2_total_LanesOfARepeatCountedByTheNarrowerType) {
  const auto written = [](std::uint64_t n, const Instruction&) {
    const unsigned documented = 64, taken = 128;
    std::set<std::uint64_t> places;
    for (std::uint64_t e = 0; e < n; ++e) places.insert(e / taken * documented + e % taken);
    return std::uint64_t{places.size()};
  };
  for (const std::string name : {"cast.i32.f16", "cast.f16.i32"}) {
    const std::string type = name == "cast.i32.f16" ? "src" : "dst";
    EXPECT_EQ(said_of_numbers(name, MaskGiven::total, with_number(written)),
              "in counter mode " + name + " counts the lanes of a repeat by " + type +
                  ", the narrower type: they are 128 instead of 64");
  }
}

TEST(GivenNumber, ACountThatLosesItsTail) {
  using Number = std::uint64_t;
  for (const std::string name : {"add.f32", "cadd.f32", "cmin.f32"}) {
    const std::string start = "in counter mode " + name + " ";
    EXPECT_EQ(said_of_count(name, [](Number n, const auto&) { return n < 64 ? n : n / 64 * 64; }),
              start +
                  "takes whole repeats of 64 elements only: a last repeat that is not full is left out "
                  "after a full one");
    EXPECT_EQ(said_of_count(name, [](Number n, const auto&) { return n < 64 ? Number{64} : n / 64 * 64; }),
              start +
                  "takes whole repeats of 64 elements only, and at least one: a last repeat that is not "
                  "full is left out after a full one");
    EXPECT_EQ(said_of_count(name,
                            [](Number n, const Instruction& insn) {
                              const Number per = per_block(insn.src_type);
                              return n < per ? n : n / per * per;
                            }),
              start +
                  "takes whole data blocks of 8 elements only: a last data block that is not full is left "
                  "out after a full one");
    EXPECT_EQ(said_of_count(name, [](Number n, const auto&) { return std::max(n, Number{7}); }),
              start + "takes at least 7 elements, however small the count n is");
    EXPECT_EQ(said_of_count(name, [](Number n, const auto&) { return (n + 3) / 4; }),
              start + "takes n / 4 elements (rounded up) instead of n, as if n counted bytes");
    EXPECT_EQ(said_of_count(name, [](Number n, const auto&) { return 8 * n; }),
              start + "takes 8 times as many elements as the count n, as if n counted data blocks");
  }
  EXPECT_EQ(said_of_count("add.f32", [](Number n, const auto&) { return n >= 256 ? Number{1} : n; }),
            "in counter mode add.f32 takes 1 element if the count n is 256 or more");
}

TEST(GivenNumber, RepeatTimesThatHaveASayInCounterMode) {
  for (const std::string name : {"add.f16", "cmax.f32"}) {
    const std::string start = "in counter mode " + name + " ";
    const std::uint64_t lanes = lanes_of(subject_of(name, Profile::a2).insn);
    const Ask at_most = at_most_repeat_times();
    const auto sentence = [&](const Ask& ask) {
      return number_differences(shapes_of(subject_of(name, Profile::a2)), MaskGiven::total, ask)
          .at(0)
          .sentence();
    };
    const std::string own = name == "add.f16" ? "; a count of its own is obeyed" : "";  // cmax takes none
    EXPECT_EQ(sentence(at_most), start + "runs at most its repeat times, however large the count n is" + own);
    const auto one = [=](std::uint64_t n, const Instruction&) { return std::min(n, lanes); };
    EXPECT_EQ(sentence(with_number(one)), start + "stops after 1 repeat of " + std::to_string(lanes) +
                                              " elements, however large the count n is");
    const auto all = [=](const Batch& batch) {
      for (std::size_t n = 0; n < batch.programs.size(); ++n) {
        Program changed = batch.programs[n];
        std::erase_if(changed.instructions,
                      [](const Instruction& insn) { return row_of(insn.op).mask == MaskUse::is_mask_state; });
        ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      }
    };
    EXPECT_EQ(sentence(all), start + "takes all elements of its repeat times, whatever the count n is" + own);
  }
}

TEST(GivenNumber, ALengthThatLosesItsLastWord) {
  const auto said_of = [](const std::string& name, auto change) {
    const auto differences = number_differences(shapes_of(subject_of(name, Profile::a2)),
                                                MaskGiven::contiguous, with_number(change));
    return differences.empty() ? "" : differences.front().sentence();
  };
  const auto shifted = [](std::uint64_t n, const auto&) { return n % 64 == 0 ? n - 64 : n; };
  const auto one_word = [](std::uint64_t n, const auto&) { return n & 63; };
  const auto none_if_full = [](std::uint64_t n, const auto&) { return n == 64 ? 0 : n; };
  const auto blocks = [](std::uint64_t n, const auto&) { return n % 8 == 0 ? n - 8 : n; };
  const std::string start = "for a contiguous mask of its own ";
  const std::string no_word =
      " makes the low word of the mask 0 if the length n is 64 and the high word of the mask 0 if the length "
      "n "
      "is 128, as if a shift by 64 were none";
  for (const std::string name : {"add.f16", "cmax.f16"}) {
    EXPECT_EQ(said_of(name, shifted), start + name + no_word);
    EXPECT_EQ(said_of(name, blocks),
              start + name + " leaves out the last 8 elements if the length n is a multiple of 8");
    EXPECT_EQ(said_of(name, one_word),
              start + name + " uses only the lowest 6 bits of the length n (n mod 64)");
  }
  // add.f16 tells what happens to greater lengths.
  EXPECT_EQ(said_of("add.f32", shifted), start + "add.f32" + no_word);
  EXPECT_EQ(said_of("add.f32", none_if_full), start + "add.f32 takes no element if the length n is 64");
  const auto of_32_bits = [](std::uint64_t n, const Instruction& insn) {
    return n == 64 && size_of(insn.src_type) == 4 ? 0 : n;
  };
  EXPECT_EQ(said_of("add.f32", of_32_bits),
            start + "add.f32 uses only the lowest 6 bits of the length n (n mod 64)");
}

/// A reduction of which only the last element that takes part was asked said "the first 128".
TEST(GivenNumber, ElementsInTheMiddleThatAReductionLeavesOut) {
  for (const std::string name : {"add.f16", "cadd.f16", "cmin.f16"}) {
    const Ask high_is_full = [](const Batch& batch) {
      for (std::size_t n = 0; n < batch.programs.size(); ++n) {
        Program changed = batch.programs[n];
        Instruction& insn = changed.instructions.back();
        const std::uint64_t length = insn.low;
        if (insn.mask_from == MaskFrom::contiguous && length <= 64 && length % 2 == 1) {
          insn.mask_from = MaskFrom::bitwise;
          insn.high = kOnes;
          insn.low = (std::uint64_t{1} << length) - 1;
        }
        ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      }
    };
    const auto differences =
        number_differences(shapes_of(subject_of(name, Profile::a2)), MaskGiven::contiguous, high_is_full);
    ASSERT_EQ(differences.size(), 1u) << name;
    const std::string is = name == "add.f16"
                               ? "elements 0, 64..127 take part"
                               : "the last element that takes part is 127, and not all before it";
    EXPECT_TRUE(differences[0].what.starts_with(
        "for a contiguous mask of its own " + name +
        " does not take the first n elements, for example if the length n is 1: " + is + "; if it is "))
        << differences[0].what;
  }
}

TEST(GivenNumber, RulesOfAContiguousLength) {
  const auto at_most_64 = [](std::uint64_t n, const Instruction&) { return std::min(n, std::uint64_t{64}); };
  const Ask faulty = with_number(at_most_64);
  EXPECT_EQ(
      first_said("add.f16", faulty),
      "for a contiguous mask of its own add.f16 stops after 64 elements, however large the length n is");
  Instruction insn;
  ASSERT_TRUE(parse_mnemonic("set_vector_mask_len.f16", insn));
  const auto found = identify(Program{Profile::a2, {}, {insn}, {}}, 0, faulty, false, true);
  ASSERT_EQ(found.differences.size(), 1u);
  EXPECT_EQ(found.differences[0],
            "for a contiguous mask an instruction such as add.f16 stops after 64 elements, "
            "however large the "
            "length n is");
}

TEST(GivenNumber, CounterModeThatIsIgnored) {
  const Ask ignores = with([](Instruction& insn) {
    if (insn.op == Op::set_mask_count) insn.op = Op::set_mask_norm;
    if (insn.op == Op::set_vector_mask_total)
      insn = mask_instruction(Op::set_vector_mask, {0, insn.settings[0]});
  });
  EXPECT_EQ(
      number_differences(shapes_of(subject_of("dup.f32", Profile::a2)), MaskGiven::total, ignores)
          .front()
          .what,
      "in counter mode dup.f32 reads the count n as the bits of a mask, and runs its repeat times; a count "
      "of its own is obeyed");
}

TEST(GivenNumber, AContiguousMaskThatIsIgnored) {
  const Ask ignores = with([](Instruction& insn) {
    if (insn.mask_from == MaskFrom::contiguous) insn.mask_from = MaskFrom::reg;
  });
  for (const std::string name : {"cmax.f16", "abs.f32"})
    EXPECT_EQ(number_differences(shapes_of(subject_of(name, Profile::a2)), MaskGiven::contiguous, ignores)
                  .front()
                  .what,
              name + " ignores a contiguous mask of its own and uses the mask register");
}

TEST(GivenNumber, AContiguousMaskThatIsIgnoredInTheInstructionOfACase) {
  const Ask ignores = with([](Instruction& insn) {
    if (insn.mask_from == MaskFrom::contiguous) insn.mask_from = MaskFrom::reg;
  });
  for (const std::string name : {"cadd.f32", "cmax.f16", "cgmax.f16", "abs.f32"}) {
    Instruction insn = subject_of(name, Profile::a2).insn;
    insn.mask_from = MaskFrom::contiguous;
    insn.low = lanes_of(insn) - 1;
    const Identification found = identify(Program{Profile::a2, {}, {insn}, {}}, 0, ignores, false, true);
    ASSERT_EQ(found.parts.size(), 1u) << name;
    EXPECT_EQ(found.parts[0].what, name + " ignores a contiguous mask of its own and uses the mask register");
  }
}

TEST(GivenNumber, AStrideThatIsWrongInCounterModeOnly) {
  const Ask faulty = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const bool counts = changed.instructions[0].op == Op::set_mask_count;
      if (counts) changed.instructions.back().operands[1].repeat_stride = 8;
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  const std::string said = first_said("mul.f32", faulty);
  EXPECT_NE(said.find("src0 of mul.f32 walks with repeat stride 8"), std::string::npos) << said;
  EXPECT_NE(said.find("in counter mode"), std::string::npos) << said;
}

/// A count of its own that is as wrong as one in the register is said to be one of counter mode.
TEST(GivenNumber, ACountOfItsOwnAndOneInTheRegister) {
  const auto said_of = [](const std::string& name, Profile profile, bool in_register, auto change) {
    const Ask ask = with_number([=](std::uint64_t number, const Instruction& insn) {
      return in_register || insn.mask_from == MaskFrom::count ? change(number) : number;
    });
    const auto found = number_differences(shapes_of(subject_of(name, profile)), MaskGiven::count, ask);
    return found.empty() ? "" : found[0].sentence().substr(0, found[0].sentence().find(name));
  };
  const auto up = [](std::uint64_t number) { return (number + 7) / 8 * 8; };
  const auto less = [](std::uint64_t number) { return number > 9 ? number - 1 : number; };
  for (const std::string name : {"sqrt.f32", "adds.i16"}) {
    EXPECT_EQ(said_of(name, Profile::a2, true, up), "in counter mode ");
    EXPECT_EQ(said_of(name, Profile::a2, true, less), "in counter mode ");
    EXPECT_EQ(said_of(name, Profile::a2, false, up), "for a count of its own ");
  }
  EXPECT_EQ(said_of("adds.i32", Profile::tik, true, up), "for a count of its own ");
}

/// Only where the count ends within a repeat, src0 of this repeat is read as if all repeats lay in a row.
TEST(GivenNumber, StridesOfALastRepeatThatIsNotFull) {
  const Ask in_a_row_at_the_end = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (program.instructions.size() < 2) return;  // a count of its own
    const auto count = static_cast<unsigned>(program.instructions[program.instructions.size() - 2].low);
    const unsigned lanes = lanes_of(insn), repeat = count / lanes;
    for (unsigned lane = 0; lane < count % lanes; ++lane) {
      const auto at = [&](unsigned k) {
        return start_of(program, insn.operands[k]) + lane_offset(insn, k, repeat, lane);
      };
      const std::size_t wrong =
          start_of(program, insn.operands[1]) + lane_offset(insn, 1, 0, lane) + 256 * repeat;
      store(&state.ub[at(0)], static_cast<std::int16_t>(load<std::int16_t>(&program.ub[wrong]) -
                                                        load<std::int16_t>(&program.ub[at(2)])));
    }
  });
  const Subject subject = subject_of("sub.i16", Profile::a2);
  const auto found = number_differences(shapes_of(subject), MaskGiven::total, in_a_row_at_the_end);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].sentence().find(
                "src0 of sub.i16 walks with repeat stride 8, whatever is given, in counter mode "
                "in the last repeat, if the count does not fill the last repeat"),
            0U)
      << found[0].sentence();
}

/// The repeat times that an instruction of counter mode is given have no say; the repeats of its count have.
TEST(GivenNumber, AStrideOfTheRepeatsThatACountNeeds) {
  const Ask zero_is_8 = with([](Instruction& insn) {
    for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
      if (insn.operands[k].repeat_stride == 0) insn.operands[k].repeat_stride = 8;
  });
  const auto said_of = [&](const std::string& mask_and_repeat) {
    const Program program = parse_program(R"(profile tik
ub 1024
alloc d i32 0 512
alloc s i32 544 256 = 1 x64
adds.i32 d+0 blk=1 rep=1, s+0 blk=1 rep=0, scalar=3, )" +
                                              mask_and_repeat + "\n",
                                          "test");
    const auto found = identify(program, 0, zero_is_8, false, true);
    return found.differences.empty() ? "" : found.differences[0];
  };
  EXPECT_EQ(said_of("mask=64, repeat=2"), "src of adds.i32 takes a repeat stride of 0 as 8");
  EXPECT_EQ(said_of("count=120, repeat=1"), said_of("mask=64, repeat=2"));
}

/// Padding writes whole data blocks; which of their elements take part is a matter of the number all the
/// same.
TEST(GivenNumber, OfVectorPaddingIsMeasuredToo) {
  const auto blocks = [](std::uint64_t n, const Instruction& insn) {
    const unsigned per = per_block(insn.src_type);
    return (n + per - 1) / per * per;
  };
  const Subject subject = subject_of("vpadding.f16", Profile::p310);
  const auto said = number_differences({shapes_of(subject)[0]}, MaskGiven::total, with_number(blocks));
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said.front().sentence(),
            "in counter mode vpadding.f16 takes whole data blocks of 16 elements: the last data block takes "
            "part in "
            "full, also past the count n");
}

}  // namespace given_number_test
}  // namespace lanecheck
