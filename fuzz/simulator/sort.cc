// sort32 and the merges: records of a score and an index, greatest score first. None looks at the mask (VMC
// 4).
//
// A record is 8 bytes: the score from byte 0 (f16: bytes 2 and 3 are reserved, written as 0), the index from
// byte 4.
#include "fuzz/simulator/machine.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

constexpr unsigned kSorted = 32;  // records that one repeat of sort32 sorts
constexpr std::size_t kRecordBytes = 8;

/// An integer that orders as the score does, -0 as 0. NaNs lie outside the infinities, so the order is total.
std::int32_t rank_key(float score) {
  const auto bits = std::bit_cast<std::int32_t>(score + 0.0f);
  return bits < 0 ? bits ^ 0x7fffffff : bits;
}

/// Sorts one repeat by counting for each record how many go before it. Stable.
template <class T>
void sort_records(const std::byte* src, const std::byte* index, std::byte* dst) {
  std::array<std::int32_t, kSorted> keys;
  for (unsigned k = 0; k < kSorted; ++k) keys[k] = rank_key(widen<T>(load<Stored<T>>(src + k * sizeof(T))));
  for (unsigned k = 0; k < kSorted; ++k) {
    int before = 0;
    for (unsigned j = 0; j < k; ++j) before += keys[j] >= keys[k];
    for (unsigned j = k + 1; j < kSorted; ++j) before += keys[j] > keys[k];
    const std::uint64_t score = bits_of(load<Stored<T>>(src + k * sizeof(T)));
    const std::uint64_t place = load<std::uint32_t>(index + k * sizeof(std::uint32_t));
    store(dst + static_cast<unsigned>(before) * kRecordBytes, score | place << 32);
  }
}

/// What is left of a queue.
struct Queue {
  const std::byte* head;
  const std::byte* end;
};

/// Takes the head with the greatest score, the lower queue's among equals, until all queues are empty.
template <class T, std::size_t N>
void merge(std::array<Queue, N> queues, std::byte* dst) {
  const auto score = [](const Queue& queue) { return widen<T>(load<Stored<T>>(queue.head)); };
  for (;; dst += kRecordBytes) {
    Queue* best = nullptr;
    for (Queue& queue : queues)
      if (queue.head != queue.end && (best == nullptr || score(queue) > score(*best))) best = &queue;
    if (best == nullptr) return;
    store(dst, load<std::uint64_t>(best->head));
    best->head += kRecordBytes;
  }
}

}  // namespace

void sort32(Machine& machine, const Instruction& insn) {
  with_type_in(Floats{}, insn.dst_type, [&]<class T>(T) {
    std::byte* dst = machine.start_of(insn.operands[0]);
    const std::byte* src = machine.start_of(insn.operands[1]);
    const std::byte* index = machine.start_of(insn.operands[2]);
    for (std::size_t first = 0; first < std::size_t{insn.repeat} * kSorted; first += kSorted)
      sort_records<T>(src + first * sizeof(T), index + first * sizeof(std::uint32_t),
                      dst + first * kRecordBytes);
  });
}

void mergesort4(Machine& machine, const Instruction& insn) {
  with_type_in(Floats{}, insn.dst_type, [&]<class T>(T) {
    const std::size_t length = insn.lengths[0] * kRecordBytes;
    std::byte* dst = machine.start_of(insn.operands[0]);
    const std::byte* src = machine.start_of(insn.operands[1]);
    for (unsigned r = 0; r < insn.repeat; ++r, dst += 4 * length, src += 4 * length) {
      std::array<Queue, 4> queues;
      for (std::size_t q = 0; q < 4; ++q) queues[q] = {src + q * length, src + (q + 1) * length};
      merge<T>(queues, dst);
    }
  });
}

void mergesort_2seq(Machine& machine, const Instruction& insn) {
  with_type_in(Floats{}, insn.dst_type, [&]<class T>(T) {
    std::array<Queue, 2> queues;
    for (unsigned q = 0; q < 2; ++q) {
      const std::byte* src = machine.start_of(insn.operands[1 + q]);
      queues[q] = {src, src + insn.lengths[q] * kRecordBytes};
    }
    merge<T>(queues, machine.start_of(insn.operands[0]));
  });
}

}  // namespace lanecheck::simulator
