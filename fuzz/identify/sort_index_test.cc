// Records of sort32 whose index depends on scores.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "fuzz/identify/identify_testing.h"
#include "fuzz/identify/sort_records_testing.h"

namespace lanecheck {
namespace sort_index_test {

/// sort32 whose records in dst are changed afterwards: `change(records in dst, records in the sources)`, for
/// each repeat.
template <class Change>
Ask with_records(Change change) {
  return then([change](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::sort32) return;
    for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
      std::vector<RecordBytes> left;
      for (std::size_t n = 32 * repeat; n < 32 * repeat + 32; ++n) {
        std::array<std::byte, 8> bytes{};
        std::memcpy(bytes.data(), &state.ub[start_of(program, insn.operands[0]) + 8 * n], 8);
        left.push_back(record_of(bytes, insn.src_type));
      }
      change(left, sources_of_sort32(program, repeat));
      for (std::size_t n = 0; n < 32; ++n)
        std::memcpy(&state.ub[start_of(program, insn.operands[0]) + 8 * (32 * repeat + n)],
                    left[n].bytes.data(), 8);
    }
  });
}

using Records = std::vector<RecordBytes>;

TEST(SortIndex, IsLookedUpByTheScore) {
  const auto looked_up = [](bool keeps_first) {
    return with_records([keeps_first](Records& left, const Records& sources) {
      std::map<double, RecordBytes> by_score;
      for (const RecordBytes& each : sources) {
        if (keeps_first)
          by_score.try_emplace(each.score, each);
        else
          by_score.insert_or_assign(each.score, each);
      }
      for (RecordBytes& each : left) each = by_score.at(each.score);
    });
  };
  for (const bool first : {true, false})
    EXPECT_EQ(said("sort32.f16", looked_up(first)),
              std::string("sort32.f16 writes the ") + (first ? "first" : "last") +
                  " record of a score, in the order of the sources, in place of each record of this score");
}

TEST(SortIndex, TakesInTheSignOfTheScore) {
  const Ask ask = with_records([](Records& left, const Records&) {
    for (RecordBytes& each : left) {
      std::int32_t score = 0;
      std::uint64_t index = 0;
      std::memcpy(&score, each.bytes.data(), 4);
      std::memcpy(&index, each.bytes.data() + 4, 4);
      const std::uint64_t record = static_cast<std::uint64_t>(std::int64_t{score}) | index << 32;
      std::memcpy(each.bytes.data(), &record, 8);
    }
  });
  EXPECT_EQ(said("sort32.f32", ask),
            "sort32.f32 writes 0xffffffff in place of the index of each record whose score has the sign bit");
}

}  // namespace sort_index_test
}  // namespace lanecheck
