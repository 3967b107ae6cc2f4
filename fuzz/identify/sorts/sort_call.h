// A call of sort32 or of a merge as queues of records: sort32 merges 32 queues of one record each.
#pragma once

#include <functional>
#include <vector>

#include "fuzz/identify/trials/trials.h"

namespace lanecheck {

inline constexpr std::uint32_t kRecordBytes = 8, kIndexAt = 4;  ///< in bytes of a record

struct SortRecord {
  std::uint64_t score = 0;  ///< the bits of the element
  double value = 0;         ///< of the score
  std::uint32_t index = 0;
  unsigned queue = 0;
  bool is_kept = false;  ///< in dst: the old content stays
};

using Queue = std::vector<SortRecord>;

/// The queues of each repeat.
struct SortCall {
  std::vector<std::vector<Queue>> repeats;
  /// Of mergesort4: the records from number `first` of its source on, also those behind its queues; fewer at
  /// the end of UB.
  std::function<Queue(std::uint32_t first, std::uint32_t length)> source{};
};

/// All records of one repeat in the order in which they lie in the sources.
Queue in_a_row(const std::vector<Queue>& queues);

/// What the trial's sources hold, if the call is taken for `insn`: its own one, or one with other lengths.
SortCall sort_call(const ShapeTrial& trial, const Instruction& insn);

/// Puts scattered records into the sources: some scores are equal, some are negative, and queues descend. UB
/// becomes longer, for a backend that reads queues of mergesort4 further behind.
void put_records(ShapeTrial& trial, unsigned seed);

/// Is record `a` taken before record `b`?
using Ahead = std::function<bool(const SortRecord& a, const SortRecord& b)>;

/// The head that no other one is ahead of is taken until all queues are empty. Of equal heads, that of the
/// first queue is taken.
Queue merged(const std::vector<Queue>& queues, const Ahead& ahead);

/// From where one repeat's records start in dst to where those of the next one do: by the documents they lie
/// one behind the other.
std::uint32_t bytes_of_repeat(const Instruction& insn);

/// UB after each repeat has left its records in dst, `step` bytes behind those of the repeat before.
Bytes with_records(const ShapeTrial& trial, const std::vector<Queue>& repeats, std::uint32_t step);

}  // namespace lanecheck
