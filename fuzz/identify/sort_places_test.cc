// What identification says of sort32 where it reads its scores or indices from other places.
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/sorts/sort_difference.h"

namespace lanecheck {
namespace {

/// The oracle on a program in which repeat r finds in source `operand` what stands from byte `step` * r on.
Ask reading_with_step(unsigned operand, std::size_t step) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      const Instruction& insn = given.instructions.back();
      if (insn.op != Op::sort32) {
        ask_oracle()(
            {batch.programs.subspan(n, 1), batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
        continue;
      }
      Program changed = given;
      const std::size_t each = operand == 2 ? 32 * 4 : 32 * size_of(insn.src_type);
      const std::size_t start = start_of(given, insn.operands[operand]);
      for (unsigned r = 0; r < insn.repeat; ++r)
        std::memcpy(&changed.ub[start + r * each], &given.ub[start + r * step], each);
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      std::memcpy(&batch.states[n].ub[start], &given.ub[start], insn.repeat * each);
    }
  };
}

TEST(SortPlaces, IndicesOfARepeatFromTooEarlyOn) {
  EXPECT_EQ(said("sort32.f16", reading_with_step(2, 64)),
            "sort32.f16 reads the indices of repeat r from number 16 * r on instead of 32 * r");
  EXPECT_EQ(said("sort32.f32", reading_with_step(2, 4)),
            "sort32.f32 reads the indices of repeat r from number r on instead of 32 * r");
}

TEST(SortPlaces, ScoresOfARepeatFromTooEarlyOn) {
  EXPECT_EQ(said("sort32.f32", reading_with_step(1, 64)),
            "sort32.f32 reads the scores of repeat r from number 16 * r on instead of 32 * r");
}

/// The oracle on a program in which mergesort4 finds the queues of repeat r from record `step(length)` * r
/// on.
Ask merging_with_step(std::uint32_t (*step)(std::uint32_t length)) {
  return [=](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      const Instruction& insn = given.instructions.back();
      Program changed = given;
      const std::size_t start = start_of(given, insn.operands[1]), each = 32 * insn.lengths[0];
      const bool merges = insn.op == Op::mergesort4;
      for (unsigned r = 0; merges && r < insn.repeat; ++r) {
        const std::size_t from = start + 8 * r * step(insn.lengths[0]);
        if (from + each <= given.ub.size()) std::memcpy(&changed.ub[start + r * each], &given.ub[from], each);
      }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      if (merges) std::memcpy(&batch.states[n].ub[start], &given.ub[start], insn.repeat * each);
    }
  };
}

TEST(SortPlaces, QueuesThatLieAsIfTheyWereOf32Records) {
  EXPECT_EQ(said("mergesort4.f32", merging_with_step([](std::uint32_t) { return 128U; })),
            "mergesort4.f32 reads the queues of repeat r from record 128 * r on, whatever their length is");
  EXPECT_EQ(
      said("mergesort4.f16", merging_with_step([](std::uint32_t length) { return length; })),
      "mergesort4.f16 reads the queues of repeat r from record r * their length on instead of 4 * r * their "
      "length");
}

TEST(SortPlaces, AreAMatterOfAddresses) {
  const auto found = identify(subject_of("sort32.f16"), reading_with_step(2, 64));
  ASSERT_EQ(found.parts.size(), 1U);
  EXPECT_EQ(found.parts[0].matter, Matter::address);
}

/// The oracle on a program whose merges are given queues of length mod 256.
TEST(SortPlaces, LengthsOfQueuesInAByte) {
  for (const char* name : {"mergesort_2seq.f32", "mergesort4.f16"}) {
    Subject subject = subject_of(name);
    subject.insn.lengths = {259, row_of(subject.insn.op).lengths > 1 ? 3U : 0U};
    const auto found = sort_difference(subject, with([](Instruction& insn) {
                                         for (std::uint32_t& length : insn.lengths) length %= 256;
                                       }));
    ASSERT_TRUE(found.law);
    EXPECT_EQ(found.law->sentence(),
              std::string(name) + " uses only the lowest 8 bits of the length of a queue");
  }
}

}  // namespace
}  // namespace lanecheck
