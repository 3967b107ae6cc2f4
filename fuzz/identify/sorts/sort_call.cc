#include "fuzz/identify/sorts/sort_call.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>

#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::uint32_t kSorted = 32, kQueuesOfFour = 4;

SortRecord read_record(std::span<const std::byte> bytes, Element type) {
  SortRecord record;
  std::memcpy(&record.score, bytes.data(), size_of(type));
  std::memcpy(&record.index, bytes.data() + kIndexAt, sizeof record.index);
  record.value = value_of(type, record.score);
  return record;
}

Queue read_queue(const ShapeTrial& trial, unsigned k, std::uint32_t first, std::uint32_t length) {
  Queue queue;
  const std::uint32_t start = trial.layout.regions[k].start();
  for (std::uint32_t n = first; n < first + length; ++n)
    queue.push_back(read_record(std::span(trial.program.ub).subspan(start + n * kRecordBytes, kRecordBytes),
                                trial.insn().src_type));
  return queue;
}

/// Record `n` of sort32: its score and its index lie in operands of their own.
Queue read_apart(const ShapeTrial& trial, std::uint32_t n) {
  const Element type = trial.insn().src_type;
  const Region &src = trial.layout.regions[1], &index = trial.layout.regions[2];
  SortRecord record;
  record.score = get_element(trial.program.ub, src, type, src.margin / size_of(type) + n);
  record.value = value_of(type, record.score);
  record.index = static_cast<std::uint32_t>(
      get_element(trial.program.ub, index, Element::u32, index.margin / size_of(Element::u32) + n));
  return {record};
}

/// The bits of a score between -8 and 8. Many are equal, and many differ in their lower half alone. Of sort32
/// some are greater.
std::uint64_t score_at(const Instruction& insn, unsigned n, unsigned seed) {
  const unsigned drawn = ((n + 1) * 2654435761U + seed * 40503U) >> 7;
  const double small = drawn % 16 - 8.0;
  if (row_of(insn.op).sorts && drawn % 5 == 0) return nearest(insn.src_type, 16 * small);
  const unsigned half = 4 * static_cast<unsigned>(size_of(insn.src_type));
  const std::uint64_t one = 1;
  const std::uint64_t lower[] = {0, 0, 1, one << (half - 4), (one << (half - 1)) + 1, (one << half) - 1};
  const std::uint64_t whole_or_half = nearest(insn.src_type, small + (drawn / 16 % 3 == 0 ? 0.5 : 0));
  if (seed % 2 == 0 && !row_of(insn.op).sorts) return whole_or_half;  // many are equal over both queues
  return small == 0 ? whole_or_half : whole_or_half | lower[drawn / 48 % std::size(lower)];
}

void put_queue(ShapeTrial& trial, unsigned k, std::uint32_t first, std::uint32_t length, unsigned seed) {
  const Element type = trial.insn().src_type;
  std::vector<std::uint64_t> scores;
  for (std::uint32_t n = 0; n < length; ++n)
    scores.push_back(score_at(trial.insn(), first + n, seed + 16 * k));
  std::ranges::sort(scores, std::greater(), [type](std::uint64_t bits) { return value_of(type, bits); });
  for (std::uint32_t n = 0; n < length; ++n) {
    std::byte* into = &trial.program.ub[trial.layout.regions[k].start() + (first + n) * kRecordBytes];
    // In no order: else a law of indices looks like one of places.
    const std::uint32_t index = 0x20002 * (((first + n) * 37 + seed) % 256) + k;
    std::memset(into, 0, kRecordBytes);
    std::memcpy(into, &scores[n], size_of(type));
    std::memcpy(into + kIndexAt, &index, sizeof index);
  }
}

/// Behind a queue it goes on in descending order: a backend that takes more of it may merge or sort. `end`:
/// of the records that are put, in bytes of UB.
void put_behind_queue(ShapeTrial& trial, unsigned k, std::uint32_t length, std::size_t end) {
  const Region& queue = trial.layout.regions[k];
  for (std::uint32_t n = length; queue.start() + (n + 1) * kRecordBytes <= end; ++n) {
    const std::uint64_t score = nearest(trial.insn().src_type, -9.0 - (n - length));  // less than score_at()
    std::memcpy(&trial.program.ub[queue.start() + n * kRecordBytes], &score, size_of(trial.insn().src_type));
  }
}

}  // namespace

Queue in_a_row(const std::vector<Queue>& queues) {
  Queue all;
  for (const Queue& queue : queues) all.insert(all.end(), queue.begin(), queue.end());
  return all;
}

SortCall sort_call(const ShapeTrial& trial, const Instruction& insn) {
  SortCall call;
  if (row_of(insn.op).lengths == 1)
    call.source = [&trial](std::uint32_t first, std::uint32_t length) {
      const std::size_t bytes = trial.program.ub.size() - trial.layout.regions[1].start();
      const auto all = static_cast<std::uint32_t>(bytes / kRecordBytes);
      return read_queue(trial, 1, first, first < all ? std::min(length, all - first) : 0);
    };
  for (std::uint32_t repeat = 0; repeat < repeats_of(insn); ++repeat) {
    auto& queues = call.repeats.emplace_back();
    if (row_of(insn.op).sorts)
      for (std::uint32_t n = 0; n < kSorted; ++n) queues.push_back(read_apart(trial, repeat * kSorted + n));
    else if (row_of(insn.op).lengths == 2)
      for (unsigned k = 1; k <= 2; ++k) queues.push_back(read_queue(trial, k, 0, insn.lengths[k - 1]));
    else
      for (std::uint32_t q = 0; q < kQueuesOfFour; ++q)
        queues.push_back(
            read_queue(trial, 1, (repeat * kQueuesOfFour + q) * insn.lengths[0], insn.lengths[0]));
    for (unsigned q = 0; q < queues.size(); ++q)
      for (SortRecord& record : queues[q]) record.queue = q;
  }
  return call;
}

void put_records(ShapeTrial& trial, unsigned seed) {
  const Instruction& insn = trial.insn();
  constexpr std::size_t kBehind = 8192;
  if (row_of(insn.op).lengths == 1) trial.program.ub.resize(trial.program.ub.size() + kBehind);
  // What lies behind a queue is no zero, except bytes 2 and 3 of a record, which f16 does not use.
  for (std::size_t n = 0; n < trial.program.ub.size(); ++n)
    trial.program.ub[n] = static_cast<std::byte>(n % kRecordBytes / 2 == 1 ? 0 : 0x30 + n % 7);
  if (row_of(insn.op).sorts) {
    const Region &src = trial.layout.regions[1], &index = trial.layout.regions[2];
    for (std::uint32_t n = 0; n < repeats_of(insn) * kSorted; ++n) {
      put_element(trial.program, src, insn.src_type, src.margin / size_of(insn.src_type) + n,
                  score_at(insn, n, seed));
      put_element(trial.program, index, Element::u32, index.margin / size_of(Element::u32) + n,
                  0x00fe0000 + 0x10101 * ((n * 37 + seed) % 256));
    }
  } else if (row_of(insn.op).lengths == 2) {
    for (unsigned k = 1; k <= 2; ++k) {
      put_queue(trial, k, 0, insn.lengths[k - 1], seed);
      const Region& queue = trial.layout.regions[k];
      put_behind_queue(trial, k, insn.lengths[k - 1], queue.begin + queue.bytes);
    }
  } else {
    for (std::uint32_t q = 0; q < repeats_of(insn) * kQueuesOfFour; ++q)
      put_queue(trial, 1, q * insn.lengths[0], insn.lengths[0], seed);
    put_behind_queue(trial, 1, repeats_of(insn) * kQueuesOfFour * insn.lengths[0], trial.program.ub.size());
  }
}

Queue merged(const std::vector<Queue>& queues, const Ahead& ahead) {
  std::vector<std::size_t> taken(queues.size());
  Queue records;
  for (;;) {
    std::optional<std::size_t> best;
    for (std::size_t q = 0; q < queues.size(); ++q)
      if (taken[q] < queues[q].size() && (!best || ahead(queues[q][taken[q]], queues[*best][taken[*best]])))
        best = q;
    if (!best) return records;
    records.push_back(queues[*best][taken[*best]++]);
  }
}

std::uint32_t bytes_of_repeat(const Instruction& insn) {
  return kRecordBytes * lanes_of(insn);
}

Bytes with_records(const ShapeTrial& trial, const std::vector<Queue>& repeats, std::uint32_t step) {
  Bytes ub = trial.program.ub;
  const Instruction& insn = trial.insn();
  const std::uint32_t start = trial.layout.regions[0].start();
  for (std::uint32_t repeat = 0; repeat < repeats.size(); ++repeat)
    for (std::uint32_t n = 0; n < repeats[repeat].size(); ++n) {
      const SortRecord& record = repeats[repeat][n];
      if (record.is_kept) continue;
      const std::size_t at = start + std::size_t{repeat} * step + n * kRecordBytes;
      if (at + kRecordBytes > ub.size()) continue;  // a law may lead out of UB
      std::byte* into = &ub[at];
      std::memset(into, 0, kRecordBytes);
      std::memcpy(into, &record.score, size_of(insn.src_type));
      std::memcpy(into + kIndexAt, &record.index, sizeof record.index);
    }
  return ub;
}

}  // namespace lanecheck
