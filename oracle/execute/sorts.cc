// sort32 and the merges of sorted queues of records (VMC 4). They ignore the mask.
#include <cmath>

#include "oracle/execute/kernel.h"
#include "oracle/execute/repeat.h"

namespace lanecheck {
namespace {

/// A record of sort32 and the merges: 8 bytes, the score at 0, an index at 4.
using Record = std::array<std::byte, 8>;

template <class T>
float score(const Record& record) {
  return widened(load<T>(record.data()));
}

/// Does a record of score `a` come before one of score `b`, wherever they stand? NaN is greater than nothing
/// (reading sort_zeros).
bool is_greater(float a, float b, SortZeros zeros) {
  return a > b || (zeros == SortZeros::ordered && a == b && std::signbit(b) && !std::signbit(a));
}

/// Writes records in a row, record n gated by slot n.
void write_records(std::byte* dst, const Record* records, unsigned count, const std::uint8_t* gate) {
  for (unsigned n = 0; n < count; ++n)
    if (gate[n % kMaskSlots] != 0) std::memcpy(dst + n * sizeof(Record), records[n].data(), sizeof(Record));
}

template <class T>
void sort_records(Machine& m, const Instruction& insn) {
  std::byte* dst = m.at(insn.operands[0]);
  const std::byte* src = m.at(insn.operands[1]);
  const std::byte* index = m.at(insn.operands[2]);
  const bool reversed = m.semantics.readings.sort_ties == SortTies::reversed;
  const SortZeros zeros = m.semantics.readings.sort_zeros;
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    std::array<Record, 32> records{};
    for (unsigned n = 0; n < 32; ++n) {
      const unsigned from = repeat * 32 + (reversed ? 31 - n : n);
      std::memcpy(records[n].data(), src + from * sizeof(T), sizeof(T));
      std::memcpy(records[n].data() + 4, index + from * 4, 4);
    }
    std::array<float, 32> scores;
    for (unsigned n = 0; n < 32; ++n) scores[n] = score<T>(records[n]);
    // Insertion keeps the order of equal scores, and is defined for NaN.
    for (unsigned n = 1; n < 32; ++n)
      for (unsigned k = n; k > 0 && is_greater(scores[k], scores[k - 1], zeros); --k) {
        std::swap(scores[k], scores[k - 1]);
        std::swap(records[k], records[k - 1]);
      }
    write_records(dst + repeat * sizeof records, records.data(), 32, m.write_gate(insn, repeat));
  }
}

struct Queue {
  const std::byte* head;
  unsigned left;
};

/// Takes the head with the greatest score until all queues are empty (readings sort_ties and sort_zeros).
template <class T, std::size_t N>
void merge(Machine& m, std::byte* dst, std::array<Queue, N> queues, const std::uint8_t* gate) {
  const bool reversed = m.semantics.readings.sort_ties == SortTies::reversed;
  const SortZeros zeros = m.semantics.readings.sort_zeros;
  for (unsigned n = 0;; ++n) {
    Queue* best = nullptr;
    Record chosen{};
    for (Queue& queue : queues) {
      if (queue.left == 0) continue;
      Record record;
      std::memcpy(record.data(), queue.head, sizeof record);
      const float own = score<T>(record), best_score = score<T>(chosen);
      const bool is_equal = own == best_score && !is_greater(best_score, own, zeros);
      const bool is_ahead = best == nullptr || is_greater(own, best_score, zeros) || (reversed && is_equal);
      if (is_ahead) {
        best = &queue;
        chosen = record;
      }
    }
    if (best == nullptr) return;
    best->head += sizeof(Record);
    --best->left;
    write_records(dst + n * sizeof(Record), &chosen, 1, gate + n % kMaskSlots);
  }
}

template <class T>
void merge_four(Machine& m, const Instruction& insn) {
  const std::size_t queue_bytes = insn.lengths[0] * sizeof(Record);
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    const std::byte* src = m.at(insn.operands[1]) + repeat * 4 * queue_bytes;
    std::array<Queue, 4> queues;
    for (unsigned q = 0; q < 4; ++q) queues[q] = {src + q * queue_bytes, insn.lengths[0]};
    merge<T>(m, m.at(insn.operands[0]) + repeat * 4 * queue_bytes, queues, m.write_gate(insn, repeat));
  }
}

template <class T>
void merge_two(Machine& m, const Instruction& insn) {
  const std::array queues = {Queue{m.at(insn.operands[1]), insn.lengths[0]},
                             Queue{m.at(insn.operands[2]), insn.lengths[1]}};
  merge<T>(m, m.at(insn.operands[0]), queues, m.write_gate(insn, 0));
}

void sort32(Machine& m, const Instruction& insn) {
  with_type_in(HalfAndFloat{}, insn, insn.src_type, [&]<class T>(T) { sort_records<T>(m, insn); });
}
void mergesort4(Machine& m, const Instruction& insn) {
  with_type_in(HalfAndFloat{}, insn, insn.src_type, [&]<class T>(T) { merge_four<T>(m, insn); });
}
void mergesort_2seq(Machine& m, const Instruction& insn) {
  with_type_in(HalfAndFloat{}, insn, insn.src_type, [&]<class T>(T) { merge_two<T>(m, insn); });
}

constexpr KernelRow kSortKernels[] = {
    {Op::sort32, sort32},
    {Op::mergesort4, mergesort4},
    {Op::mergesort_2seq, mergesort_2seq},
};

}  // namespace

std::span<const KernelRow> sort_kernels() {
  return kSortKernels;
}

}  // namespace lanecheck
