// What identification says of sort32 and the merges of queues. The faults are made on what the oracle leaves,
// not by the laws under test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/sort_records_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The oracle, after which `change(rows, repeat)` has changed the records of each repeat in dst.
template <class Change>
Ask with_rows(Change change) {
  return then([change](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat) {
      const std::size_t start = start_of(program, insn.operands[0]) + repeat * repeat_step(insn, 0);
      std::vector<RecordBytes> rows;
      for (std::size_t n = 0; n < lanes_of(insn); ++n) {
        std::array<std::byte, 8> bytes;
        std::memcpy(bytes.data(), &state.ub[start + 8 * n], 8);
        rows.push_back(record_of(bytes, insn.src_type));
      }
      change(rows, repeat);
      for (std::size_t n = 0; n < rows.size(); ++n)
        std::memcpy(&state.ub[start + 8 * n], rows[n].bytes.data(), 8);
    }
  });
}

TEST(IdentifySorts, AscendingOrder) {
  const Ask ask = with_rows([](std::vector<RecordBytes>& rows, unsigned) {
    std::ranges::stable_sort(rows, {}, &RecordBytes::score);
  });
  EXPECT_EQ(said("sort32.f16", ask), "sort32.f16 sorts in ascending order");
  EXPECT_EQ(said("mergesort_2seq.f32", ask), "mergesort_2seq.f32 sorts its records in ascending order");
}

TEST(IdentifySorts, SignsOfScoresAreLost) {
  const Ask ask = with_rows([](std::vector<RecordBytes>& rows, unsigned) {
    // Of a stable order by value, equal scores stand together: the order of 5 and -5 is that of the sources.
    std::ranges::stable_sort(rows, std::greater(),
                             [](const RecordBytes& row) { return std::abs(row.score); });
  });
  // 5 stands before -5 in what the oracle leaves, so this is not the absolute value alone: no law is said.
  EXPECT_EQ(said("sort32.f32", ask).find("absolute"), std::string::npos);
}

TEST(IdentifySorts, TheLastQueueFollowsTheMergedOnes) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::size_t queue = insn.lengths[0], all = 4 * queue;
    if (all == 0) return;
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
      std::vector<std::array<std::byte, 8>> rows(all);
      std::memcpy(rows.data(), &program.ub[start_of(program, insn.operands[1]) + repeat * all * 8], all * 8);
      const auto score = [](const std::array<std::byte, 8>& row) {
        float value = 0;
        std::memcpy(&value, row.data(), sizeof value);
        return value;
      };
      std::stable_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(3 * queue),
                       [&](const auto& a, const auto& b) { return score(a) > score(b); });
      std::memcpy(&state.ub[start_of(program, insn.operands[0]) + repeat * all * 8], rows.data(), all * 8);
    }
  });
  EXPECT_EQ(
      said("mergesort4.f32", ask),
      "mergesort4.f32 merges queues 0..2 and queue 3 apart, and puts the second group behind the first");
}

TEST(IdentifySorts, OnlyTheLowHalfOfTheIndex) {
  const Ask ask = with_rows([](std::vector<RecordBytes>& rows, unsigned) {
    for (RecordBytes& row : rows) row.bytes[6] = row.bytes[7] = std::byte{0};
  });
  EXPECT_EQ(said("sort32.f32", ask),
            "sort32.f32 keeps only the lowest 16 bits of each index; the others are 0");
  EXPECT_EQ(said("mergesort4.f16", ask),
            "mergesort4.f16 keeps only the lowest 16 bits of each index; the others are 0");
}

TEST(IdentifySorts, TheIndexOfOneRepeatForAll) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction insn = changed.instructions.back();
      if (insn.op == Op::sort32)
        for (unsigned r = 1; r < insn.repeat; ++r) {
          std::byte* index = &changed.ub[start_of(changed, insn.operands[2])];
          std::memcpy(index + r * 128, index, 128);
        }
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      const auto begin = static_cast<std::ptrdiff_t>(start_of(changed, insn.operands[2]));
      std::copy_n(batch.programs[n].ub.begin() + begin, 128 * insn.repeat,
                  batch.states[n].ub.begin() + begin);
    }
  };
  EXPECT_EQ(said("sort32.f32", ask), "sort32.f32 takes the indices of repeat 0 in every repeat");
}

TEST(IdentifySorts, TiesInReversedOrderInOddRepeats) {
  const Ask ask = with_rows([](std::vector<RecordBytes>& rows, unsigned repeat) {
    if (repeat % 2 == 0) return;
    std::ranges::reverse(rows);
    std::ranges::stable_sort(rows, std::greater(), &RecordBytes::score);
  });
  EXPECT_EQ(said("sort32.f32", ask),
            "sort32.f32 takes equal scores in reversed order in every odd repeat (counted from 0)");
}

TEST(IdentifySorts, TiesByAnotherOrderOfQueues) {
  const Ask ask = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction insn = changed.instructions.back();
      const auto bytes = static_cast<std::ptrdiff_t>(8 * insn.lengths[0]);
      const auto begin =
          changed.ub.begin() + static_cast<std::ptrdiff_t>(start_of(changed, insn.operands[1]));
      for (std::ptrdiff_t r = 0; r < insn.repeat; ++r)  // queues 1 and 2 change places
        std::swap_ranges(begin + (4 * r + 1) * bytes, begin + (4 * r + 2) * bytes,
                         begin + (4 * r + 2) * bytes);
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      const auto source = static_cast<std::ptrdiff_t>(start_of(changed, insn.operands[1]));
      std::copy_n(batch.programs[n].ub.begin() + source, 4 * bytes * insn.repeat,
                  batch.states[n].ub.begin() + source);
    }
  };
  EXPECT_EQ(said("mergesort4.f16", ask),
            "mergesort4.f16 takes equal scores from its queues in the order 0, 2, 1, 3");
}

TEST(IdentifySorts, NoIndexIfTheSecondQueueIsLonger) {
  const Ask ask = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::mergesort_2seq || insn.lengths[1] <= insn.lengths[0]) return;
    const auto rows = static_cast<std::ptrdiff_t>(insn.lengths[0] + insn.lengths[1]);
    const auto start = static_cast<std::ptrdiff_t>(start_of(program, insn.operands[0]));
    for (std::ptrdiff_t n = 0; n < rows; ++n)  // the indices alone
      std::fill_n(state.ub.begin() + start + 8 * n + 4, 4, std::byte{0});
  });
  EXPECT_EQ(said("mergesort_2seq.f32", ask),
            "mergesort_2seq.f32 writes 0 in place of each index if queue 1 is longer than queue 0");
}

/// Each repeat as an instruction of its own; dst goes on by one queue.
TEST(IdentifySorts, RepeatsThatLieTooNearInDst) {
  const Ask ask = with_single_repeats([](Instruction& one, const Instruction& whole, unsigned r) {
    const std::uint32_t queue = 8 * whole.lengths[0];
    one.operands[0].offset = whole.operands[0].offset + r * queue;
    one.operands[1].offset = whole.operands[1].offset + r * 4 * queue;
  });
  EXPECT_EQ(
      said("mergesort4.f32", ask),
      "mergesort4.f32 goes on in dst by the records of one queue from repeat to repeat, instead of by those "
      "of four");
}

TEST(IdentifySorts, LengthsOfTheOtherQueue) {
  const auto lengths = [](auto change) {
    return with([change](Instruction& insn) {
      if (insn.op == Op::mergesort_2seq) change(insn.lengths);
    });
  };
  EXPECT_EQ(said("mergesort_2seq.f16", lengths([](auto& queues) { std::swap(queues[0], queues[1]); })),
            "mergesort_2seq.f16 takes the length of each queue for that of the other one");
  EXPECT_EQ(said("mergesort_2seq.f32", lengths([](auto& queues) { queues[1] = queues[0]; })),
            "mergesort_2seq.f32 takes the length of queue 0 for both queues");
}

TEST(IdentifySorts, ARightBackendHasNoLaw) {
  EXPECT_EQ(said("sort32.f16", ask_oracle()), "");
  EXPECT_EQ(said("mergesort4.f32", ask_oracle()), "");
  EXPECT_EQ(said("mergesort_2seq.f16", ask_oracle()), "");
}

/// The records behind the last one of queue 0 are not written.
TEST(IdentifySorts, AMergeEndsWithQueue0) {
  const Ask ends = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::size_t dst = start_of(program, insn.operands[0]), src = start_of(program, insn.operands[1]);
    unsigned left = insn.lengths[0], n = 0;
    const unsigned all = insn.lengths[0] + insn.lengths[1];
    for (; n < all && left > 0; ++n)
      for (unsigned k = 0; k < insn.lengths[0]; ++k)
        if (std::memcmp(&state.ub[dst + 8 * n], &program.ub[src + 8 * k], 8) == 0) {
          --left;
          break;
        }
    std::copy(program.ub.begin() + static_cast<std::ptrdiff_t>(dst + 8 * n),
              program.ub.begin() + static_cast<std::ptrdiff_t>(dst + 8 * all),
              state.ub.begin() + static_cast<std::ptrdiff_t>(dst + 8 * n));
  });
  EXPECT_EQ(
      said("mergesort_2seq.f32", ends),
      "mergesort_2seq.f32 merges until queue 0 is empty; the places of the records that are left keep their "
      "old dst");
}

/// The records of each repeat as they lie in the sources, after `order` has put them in order.
template <class Order>
Ask sorted_from_sources(Order order) {
  return then([order](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat) {
      const std::size_t size = size_of(insn.src_type), count = lanes_of(insn);
      std::vector<RecordBytes> rows(count);
      for (std::size_t n = 0; n < count; ++n) {
        const auto copy = [&](unsigned k, std::size_t at, std::size_t bytes, std::size_t into) {
          std::memcpy(&rows[n].bytes[into], &program.ub[start_of(program, insn.operands[k]) + at], bytes);
        };
        rows[n].bytes = {};
        const bool is_second = row_of(insn.op).lengths == 2 && n >= insn.lengths[0];
        if (insn.op == Op::sort32) {
          copy(1, (repeat * count + n) * size, size, 0);
          copy(2, (repeat * count + n) * 4, 4, 4);
        } else {
          copy(is_second ? 2 : 1, 8 * (repeat * count + n - (is_second ? insn.lengths[0] : 0)), 8, 0);
          if (size == 2) rows[n].bytes[2] = rows[n].bytes[3] = std::byte{0};
        }
        std::uint64_t bits = 0;
        std::memcpy(&bits, rows[n].bytes.data(), size);
        rows[n].score = order(insn.src_type, bits);
      }
      std::ranges::stable_sort(rows, std::greater(), &RecordBytes::score);
      for (std::size_t n = 0; n < count; ++n)
        std::memcpy(&state.ub[start_of(program, insn.operands[0]) + 8 * (repeat * count + n)],
                    rows[n].bytes.data(), 8);
    }
  });
}

TEST(IdentifySorts, NegativeScoresComeOutLowestFirst) {
  const Ask ask = sorted_from_sources([](Element type, std::uint64_t bits) {
    const auto small = static_cast<std::int16_t>(bits);
    return static_cast<double>(size_of(type) == 2 ? small : static_cast<std::int32_t>(bits));
  });
  const std::string law = " compares the bits of scores as signed integers";
  EXPECT_EQ(said("sort32.f32", ask), "sort32.f32" + law);
  for (const std::string name : {"mergesort4.f16", "mergesort4.f32", "mergesort_2seq.f16"})
    EXPECT_EQ(said(name, ask), name + law + ", and sorts the records of each queue too");
}

TEST(IdentifySorts, OnlyTheUpperHalfOfAScore) {
  const auto upper = [](unsigned kept) {
    return sorted_from_sources([kept](Element type, std::uint64_t bits) {
      const unsigned cut = 8 * static_cast<unsigned>(size_of(type)) - kept;
      return value_of(type, bits >> cut << cut);
    });
  };
  const std::string stay = " bits alone: those that are equal in these stay in the order of the sources";
  EXPECT_EQ(said("sort32.f32", upper(16)), "sort32.f32 compares scores by their upper 16" + stay);
  EXPECT_EQ(said("sort32.f16", upper(8)), "sort32.f16 compares scores by their upper 8" + stay);
  EXPECT_EQ(said("mergesort4.f32", upper(16)), "mergesort4.f32 compares scores by their upper 16" + stay);
  const Ask rounded = sorted_from_sources([](Element type, std::uint64_t bits) {
    return value_of(Element::f16, nearest(Element::f16, value_of(type, bits)));
  });
  EXPECT_EQ(said("sort32.f32", rounded), "sort32.f32 compares scores rounded to f16");
}

/// The documented records, of queues of which `change(queues, insn)` takes some records away.
template <class Change>
Ask without_records(Change change) {
  return then([change](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::size_t count = row_of(insn.op).lengths == 2 ? 2 : 4, all = lanes_of(insn);
    for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat) {
      std::vector<std::vector<RecordBytes>> queues(count);
      for (std::size_t q = 0; q < count; ++q) {
        const unsigned k = count == 2 && q == 1 ? 2 : 1;
        const std::size_t length = insn.lengths[count == 2 ? q : 0];
        for (std::size_t n = 0; n < length; ++n) {
          RecordBytes& row = queues[q].emplace_back();
          const std::size_t at = count == 2 ? n : (repeat * count + q) * length + n;
          std::memcpy(row.bytes.data(), &program.ub[start_of(program, insn.operands[k]) + 8 * at], 8);
          std::uint64_t bits = 0;
          std::memcpy(&bits, row.bytes.data(), size_of(insn.src_type));
          row.score = value_of(insn.src_type, bits);
        }
      }
      change(queues, insn);
      std::vector<RecordBytes> rows;
      for (const auto& queue : queues) rows.insert(rows.end(), queue.begin(), queue.end());
      std::ranges::stable_sort(rows, std::greater(), &RecordBytes::score);
      const std::size_t dst = start_of(program, insn.operands[0]) + 8 * repeat * all;
      for (std::size_t n = 0; n < all; ++n)
        std::memcpy(&state.ub[dst + 8 * n], n < rows.size() ? rows[n].bytes.data() : &program.ub[dst + 8 * n],
                    8);
    }
  });
}

TEST(IdentifySorts, ARecordOfOneQueueIsLeftOut) {
  const std::string kept = ": the places behind the records that it takes keep their old dst";
  EXPECT_EQ(said("mergesort4.f32", without_records([](auto& queues, const Instruction& insn) {
                   if (insn.op == Op::mergesort4 && insn.repeat > 1 && !queues[3].empty())
                     queues[3].pop_back();
                 })),
            "mergesort4.f32 leaves out the last record of queue 3 if there is more than one repeat" + kept);
  EXPECT_EQ(said("mergesort4.f16", without_records([](auto& queues, const Instruction&) {
                   if (queues.size() == 4 && !queues[1].empty()) queues[1].erase(queues[1].begin());
                 })),
            "mergesort4.f16 leaves out the first record of queue 1" + kept);
  EXPECT_EQ(
      said("mergesort_2seq.f32", without_records([](auto& queues, const Instruction&) {
             if (queues.size() == 2 && queues[0].size() > queues[1].size()) queues[0].pop_back();
           })),
      "mergesort_2seq.f32 leaves out the last record of queue 0 if queue 0 is longer than queue 1" + kept);
  EXPECT_EQ(said("mergesort_2seq.f32", without_records([](auto& queues, const Instruction&) {
                   if (queues.size() == 2 && queues[0].size() > queues[1].size() && !queues[1].empty())
                     queues[0].pop_back();
                 })),
            "mergesort_2seq.f32 leaves out the last record of queue 0 if queue 0 is longer than queue 1, and "
            "none is empty" +
                kept);
}

std::uint32_t index_of(const RecordBytes& row) {
  std::uint32_t index = 0;
  std::memcpy(&index, row.bytes.data() + 4, sizeof index);
  return index;
}

void put_index(RecordBytes& row, std::uint32_t index) {
  std::memcpy(row.bytes.data() + 4, &index, sizeof index);
}

TEST(IdentifySorts, OtherIndices) {
  const Ask place = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::sort32) return;
    std::byte* const dst = &state.ub[start_of(program, insn.operands[0])];
    for (std::uint32_t n = 0; n < 32 * insn.repeat; ++n)
      for (std::uint32_t from = n / 32 * 32; from < n / 32 * 32 + 32; ++from)
        if (std::memcmp(dst + 8 * n + 4, &program.ub[start_of(program, insn.operands[2]) + 4 * from], 4) ==
            0) {
          std::memcpy(dst + 8 * n + 4, &from, 4);
          break;
        }
  });
  EXPECT_EQ(
      said("sort32.f32", place),
      "sort32.f32 writes the place of a record in the source, counted over all repeats, in place of its "
      "index");
  const Ask more = with_rows([](std::vector<RecordBytes>& rows, unsigned) {
    for (RecordBytes& row : rows) put_index(row, index_of(row) + 1);
  });
  EXPECT_EQ(said("sort32.f16", more), "sort32.f16 adds 1 to each index");
  const Ask before = with_rows([](std::vector<RecordBytes>& rows, unsigned) {
    std::vector<RecordBytes> own = rows;
    for (std::size_t n = 0; n < rows.size(); ++n)
      put_index(rows[n], index_of(own[(n + rows.size() - 1) % rows.size()]));
  });
  EXPECT_EQ(said("sort32.f32", before),
            "sort32.f32 writes the index of the record before it in dst in place of its own, and of the last "
            "one for the first");
}

TEST(IdentifySorts, TheHalfThatIsWrongIfNoLawGivesIt) {
  const Ask ask = with_rows([](std::vector<RecordBytes>& rows, unsigned) {
    for (RecordBytes& row : rows) put_index(row, index_of(row) * 2654435761U >> 5);
  });
  EXPECT_TRUE(said("sort32.f32", ask)
                  .starts_with("sort32.f32 writes wrong indices beside the right scores, for example "))
      << said("sort32.f32", ask);
}

/// A merge that ends with one of its queues: a queue that is empty at the start ends it too.
TEST(IdentifySorts, AnEmptyQueueEndsAMerge) {
  const Ask ends = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::size_t dst = start_of(program, insn.operands[0]);
    std::array<unsigned, 2> left = {insn.lengths[0], insn.lengths[1]};
    const unsigned all = left[0] + left[1];
    unsigned n = 0;
    for (; left[0] > 0 && left[1] > 0; ++n) {
      unsigned from = 1;
      for (unsigned k = 0; k < insn.lengths[0]; ++k)
        if (std::memcmp(&state.ub[dst + 8 * n], &program.ub[start_of(program, insn.operands[1]) + 8 * k],
                        8) == 0)
          from = 0;
      --left[from];
    }
    std::copy(program.ub.begin() + static_cast<std::ptrdiff_t>(dst + 8 * n),
              program.ub.begin() + static_cast<std::ptrdiff_t>(dst + 8 * all),
              state.ub.begin() + static_cast<std::ptrdiff_t>(dst + 8 * n));
  });
  EXPECT_EQ(said("mergesort_2seq.f32", ends),
            "mergesort_2seq.f32 merges until one of its queues is empty, which one may be at the start; the "
            "places of the records that are left keep their old dst");
}

}  // namespace
}  // namespace lanecheck
