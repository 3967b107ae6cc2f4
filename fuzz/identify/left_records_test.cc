// Records of sort32 and of the merges that are not sorted, not taken or not written.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <optional>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/sort_records_testing.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace left_records_test {

/// sort32, whose records in dst are `order(records in the order of the sources)`; what is empty is not
/// written.
template <class OrderOfRecords>
Ask sort32_as(OrderOfRecords order) {
  return then([order](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::sort32) return;
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
      const std::vector<std::optional<RecordBytes>> left = order(sources_of_sort32(program, repeat), insn);
      for (std::size_t n = 0; n < left.size(); ++n) {
        const std::size_t at = start_of(program, insn.operands[0]) + 256 * repeat + 8 * n;
        std::memcpy(&state.ub[at], left[n] ? left[n]->bytes.data() : &program.ub[at], 8);
      }
    }
  });
}

/// The oracle, after which dst of the repeats of mergesort4 for which `is_left_out(repeat, repeat times)`
/// holds is as before.
template <class IsLeftOut>
Ask without_repeats_of_merges(IsLeftOut is_left_out) {
  return then([is_left_out](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::size_t each = 32 * insn.lengths[0];
    for (unsigned r = 0; insn.op == Op::mergesort4 && r < insn.repeat; ++r)
      if (is_left_out(r, insn.repeat)) {
        const std::size_t at = start_of(program, insn.operands[0]) + r * each;
        std::memcpy(&state.ub[at], &program.ub[at], each);
      }
  });
}

/// The records in order, of which number `stays` stands at its own place.
std::vector<std::optional<RecordBytes>> with_one_unsorted(std::vector<RecordBytes> rows, std::size_t stays) {
  const RecordBytes unsorted = rows[stays];
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(stays));
  std::ranges::stable_sort(rows, std::greater(), &RecordBytes::score);
  rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(stays), unsorted);
  return {rows.begin(), rows.end()};
}

TEST(LeftRecords, ARecordThatIsNotSorted) {
  const auto unsorted = [](std::size_t stays) {
    return sort32_as([stays](const std::vector<RecordBytes>& rows, const Instruction&) {
      return with_one_unsorted(rows, stays);
    });
  };
  const std::string stays = ": it stays where it is";
  EXPECT_EQ(said("sort32.f16", unsorted(31)), "sort32.f16 does not sort its last record" + stays);
  EXPECT_EQ(said("sort32.f32", unsorted(0)), "sort32.f32 does not sort its first record" + stays);
  EXPECT_EQ(said("sort32.f32", unsorted(16)), "sort32.f32 does not sort record 16 (counted from 0)" + stays);
  const Ask if_several = sort32_as([](const std::vector<RecordBytes>& rows, const Instruction& insn) {
    if (insn.repeat > 1) return with_one_unsorted(rows, 31);
    std::vector<RecordBytes> all = rows;
    std::ranges::stable_sort(all, std::greater(), &RecordBytes::score);
    return std::vector<std::optional<RecordBytes>>(all.begin(), all.end());
  });
  EXPECT_EQ(said("sort32.f16", if_several),
            "sort32.f16 does not sort its last record if there is more than one repeat" + stays);
}

TEST(LeftRecords, OnlyAPartIsSorted) {
  const Ask first = sort32_as([](std::vector<RecordBytes> rows, const Instruction&) {
    std::stable_sort(rows.begin(), rows.begin() + 24,
                     [](const RecordBytes& a, const RecordBytes& b) { return a.score > b.score; });
    return std::vector<std::optional<RecordBytes>>(rows.begin(), rows.end());
  });
  EXPECT_EQ(said("sort32.f32", first),
            "sort32.f32 sorts only its first 24 records: the others stay where they are");
}

TEST(LeftRecords, ARecordIsNotTaken) {
  const auto leaves_out = [](std::size_t lost) {
    return sort32_as([lost](std::vector<RecordBytes> rows, const Instruction&) {
      rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(lost));
      std::ranges::stable_sort(rows, std::greater(), &RecordBytes::score);
      std::vector<std::optional<RecordBytes>> left(rows.begin(), rows.end());
      left.resize(32);
      return left;
    });
  };
  const std::string kept = ": the last place of the repeat keeps its old dst";
  EXPECT_EQ(said("sort32.f32", leaves_out(31)), "sort32.f32 leaves out its last record" + kept);
  EXPECT_EQ(said("sort32.f16", leaves_out(0)), "sort32.f16 leaves out its first record" + kept);
  EXPECT_EQ(said("sort32.f16", leaves_out(9)), "sort32.f16 leaves out record 9 (counted from 0)" + kept);
}

TEST(LeftRecords, TheLastPlaceIsNotWritten) {
  const Ask keeps = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    for (unsigned repeat = 0; repeat < repeats_of(insn) && lanes_of(insn) > 0; ++repeat) {
      const std::size_t at = start_of(program, insn.operands[0]) + repeat * repeat_step(insn, 0) +
                             std::size_t{8} * (lanes_of(insn) - 1);
      std::memcpy(&state.ub[at], &program.ub[at], 8);
    }
  });
  const std::string kept =
      " does not write the last record of a repeat in dst: its place keeps its old content";
  for (const std::string name : {"sort32.f16", "mergesort4.f32"}) EXPECT_EQ(said(name, keeps), name + kept);
}

/// Records behind a queue need not be in order; a simulator that sorts all of them leaves what one leaves
/// that merges only if they are.
TEST(LeftRecords, TheLengthOfOneQueueWhereAllRecordsAreSorted) {
  const Ask sorts_all = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::mergesort_2seq) return;
    std::vector<RecordBytes> all;
    for (unsigned k = 1; k <= 2; ++k)
      for (unsigned n = 0; n < insn.lengths[0]; ++n) {
        std::array<std::byte, 8> bytes{};
        std::memcpy(bytes.data(), &program.ub[start_of(program, insn.operands[k]) + 8 * n], 8);
        all.push_back(record_of(bytes, insn.src_type));
      }
    std::ranges::stable_sort(all, std::greater(), &RecordBytes::score);
    const std::size_t dst = start_of(program, insn.operands[0]);
    std::ranges::copy(std::span(program.ub).subspan(dst, 8 * (insn.lengths[0] + insn.lengths[1])),
                      state.ub.begin() + static_cast<std::ptrdiff_t>(dst));
    for (std::size_t n = 0; n < all.size(); ++n) std::memcpy(&state.ub[dst + 8 * n], all[n].bytes.data(), 8);
  });
  EXPECT_EQ(said("mergesort_2seq.f32", sorts_all),
            "mergesort_2seq.f32 takes the length of queue 0 for both queues");
}

TEST(LeftRecords, ARepeatThatIsTakenForSorted) {
  const auto unless = [](auto is_sorted) {
    return sort32_as([is_sorted](const std::vector<RecordBytes>& rows, const Instruction&) {
      std::vector<RecordBytes> all = rows;
      if (!is_sorted(rows)) std::ranges::stable_sort(all, std::greater(), &RecordBytes::score);
      return std::vector<std::optional<RecordBytes>>(all.begin(), all.end());
    });
  };
  const auto first_and_last = [](const std::vector<RecordBytes>& rows) {
    return rows.front().score >= rows.back().score;
  };
  const auto first_two = [](const std::vector<RecordBytes>& rows) { return rows[0].score >= rows[1].score; };
  const std::string leaves =
      " leaves the records of a repeat in the order of the sources if the first score is not less than the ";
  EXPECT_EQ(said("sort32.f32", unless(first_and_last)), "sort32.f32" + leaves + "last one");
  EXPECT_EQ(said("sort32.f16", unless(first_two)), "sort32.f16" + leaves + "second one");
}

TEST(LeftRecords, TheLastOfSeveralRepeatsIsNotSorted) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::sort32 || insn.repeat < 2) return;
    const std::size_t first = 32 * (insn.repeat - 1), size = size_of(insn.src_type);
    for (std::size_t n = first; n < first + 32; ++n) {
      std::byte* const at = &state.ub[start_of(program, insn.operands[0]) + 8 * n];
      std::memset(at, 0, 8);
      std::memcpy(at, &program.ub[start_of(program, insn.operands[1]) + size * n], size);
      std::memcpy(at + 4, &program.ub[start_of(program, insn.operands[2]) + 4 * n], 4);
    }
  });
  EXPECT_EQ(said("sort32.f16", ask),
            "sort32.f16 does not sort its records in the last repeat if there is more than one repeat: they "
            "stay in "
            "the order of the sources");
}

TEST(LeftRecords, RepeatsOfAMergeThatAreLeftOut) {
  EXPECT_EQ(
      said("mergesort4.f32", without_repeats_of_merges([](unsigned repeat, unsigned) { return repeat > 0; })),
      "mergesort4.f32 writes nothing in every repeat after the first");
  EXPECT_EQ(said("mergesort4.f16", without_repeats_of_merges(
                                       [](unsigned repeat, unsigned count) { return repeat + 1 == count; })),
            "mergesort4.f16 writes nothing in the last repeat");
}

/// What becomes of an empty queue need not be known.
TEST(LeftRecords, TheRestOfTheLongerQueueStaysUnwritten) {
  const Ask ends = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::mergesort_2seq) return;
    const std::size_t start = start_of(program, insn.operands[0]);
    const auto score_of = [&](unsigned k, unsigned n) {
      std::array<std::byte, 8> bytes{};
      std::memcpy(bytes.data(), &program.ub[start_of(program, insn.operands[k]) + 8 * n], 8);
      return record_of(bytes, insn.src_type).score;
    };
    const unsigned a = insn.lengths[0], b = insn.lengths[1];
    unsigned taken = 0;
    if (a > 0 && b > 0)
      for (unsigned i = 0, j = 0; i < a && j < b; ++taken) ++(score_of(1, i) >= score_of(2, j) ? i : j);
    else
      taken = a + b == 0 ? 0 : 1;
    std::memcpy(&state.ub[start + 8 * taken], &program.ub[start + 8 * taken], 8 * (a + b - taken));
  });
  EXPECT_EQ(said("mergesort_2seq.f32", ends),
            "mergesort_2seq.f32 merges until one of its queues is empty; the places of the records that are "
            "left keep "
            "their old dst (seen with queues that are not empty)");
}

/// With records in both queues it is right: what it does there is no law of empty queues.
TEST(LeftRecords, NothingIsWrittenIfAQueueIsEmpty) {
  const auto returns_early = [](unsigned queue) {
    return then([queue](const Program& program, State& state) {
      const Instruction& insn = program.instructions.back();
      if (insn.op == Op::mergesort_2seq && insn.lengths[queue] == 0) state.ub = program.ub;
    });
  };
  EXPECT_EQ(said("mergesort_2seq.f32", returns_early(1)),
            "mergesort_2seq.f32 writes nothing if queue 1 is empty");
  EXPECT_EQ(said("mergesort_2seq.f16", returns_early(0)),
            "mergesort_2seq.f16 writes nothing if queue 0 is empty");
}

}  // namespace left_records_test
}  // namespace lanecheck
