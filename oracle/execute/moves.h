// The forms that ignore the mask (VMC 4). They still ask for a write gate, which is all ones for them: so
// that an implementation that obeys the mask here can be written down as a mutant.
#pragma once

#include <numeric>

#include "oracle/execute/elementwise.h"
#include "oracle/execute/packed_bits.h"

namespace lanecheck::form {

/// The common walk of the selects: `b(repeat)` is taken where `control(repeat)` says 0.
template <class T, class Bits, class Other>
void select_with(Machine& m, const Instruction& insn, unsigned src0, Bits control, Other b) {
  each_repeat<T>(m, insn, lanes_of(insn), [&](unsigned repeat, T* results) {
    Lanes<T> a;
    read_repeat(m.at(insn.operands[src0]), insn.operands[src0], repeat, lanes_of(insn), a.data());
    const Mask ones = control(repeat).slots(lanes_of(insn));
    const Lanes<T> other = b(repeat);
    for (unsigned lane = 0; lane < a.size(); ++lane) results[lane] = ones[lane] != 0 ? a[lane] : other[lane];
  });
}

/// Operand `k` as the second source of a select.
template <class T>
auto source(const Machine& m, const Instruction& insn, unsigned k) {
  return [&m, &insn, k](unsigned repeat) {
    Lanes<T> lanes;
    read_repeat(m.at(insn.operands[k]), insn.operands[k], repeat, lanes_of(insn), lanes.data());
    return lanes;
  };
}

/// Mode 2, and VMC: a bit of control for each element of the instruction.
template <class T>
void select(Machine& m, const Instruction& insn) {
  select_with<T>(
      m, insn, 2, [&](unsigned r) { return control_of(m, insn, r); }, source<T>(m, insn, 3));
}

/// Mode 0 with its mask operand: the 16 bytes of control go into the compare mask, which every repeat uses.
template <class T>
void select_bits(Machine& m, const Instruction& insn) {
  std::memcpy(m.cmpmask.data(), m.at(insn.operands[1]), m.cmpmask.size());
  select_with<T>(
      m, insn, 2,
      [&](unsigned) {
        return Control{m.cmpmask, m.semantics.control};
      },
      source<T>(m, insn, 3));
}

/// Mode 0 without: what the compare mask holds.
template <class T>
void select_cmpmask(Machine& m, const Instruction& insn) {
  select_with<T>(
      m, insn, 1,
      [&](unsigned) {
        return Control{m.cmpmask, m.semantics.control};
      },
      source<T>(m, insn, 2));
}

/// Mode 1: src0 where the bit is 1, else the scalar.
template <class T>
void select_scalar(Machine& m, const Instruction& insn) {
  Lanes<T> scalar;
  scalar.fill(from_bits<T>(insn.scalar.bits));
  select_with<T>(
      m, insn, 2, [&](unsigned r) { return control_of(m, insn, r); }, [&](unsigned) { return scalar; });
}

template <class T>
bool holds(Compare compare, T a, T b, CompareNan nan) {
  if constexpr (is_float_v<T>) {
    const float x = widened(a), y = widened(b);
    if (std::isnan(x) || std::isnan(y)) return nan == CompareNan::ieee && compare == Compare::ne;
    switch (compare) {
      case Compare::eq:
        return x == y;
      case Compare::ne:
        return x != y;
      case Compare::lt:
        return x < y;
      case Compare::le:
        return x <= y;
      case Compare::gt:
        return x > y;
      case Compare::ge:
        break;
    }
    return x >= y;
  } else {
    switch (compare) {
      case Compare::eq:
        return a == b;
      case Compare::ne:
        return a != b;
      case Compare::lt:
        return a < b;
      case Compare::le:
        return a <= b;
      case Compare::gt:
        return a > b;
      case Compare::ge:
        break;
    }
    return a >= b;
  }
}

/// compare and compare_scalar: `other(repeat, lanes)` fills the right-hand side.
template <class T, class Other>
void compare_with(Machine& m, const Instruction& insn, Other other) {
  std::byte* dst = m.at(insn.operands[0]);
  std::byte* src = m.at(insn.operands[1]);
  const unsigned lanes = lanes_of(insn);
  const auto room = static_cast<std::size_t>(m.ub + m.ub_bytes - dst);
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    Lanes<T> a, b;
    read_repeat(src, insn.operands[1], repeat, lanes, a.data());
    other(repeat, b.data());
    const std::uint8_t* gate = m.write_gate(insn, repeat);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const unsigned bit = repeat * lanes + lane;
      if (m.semantics.result_bits == BitLayout::byte_per_element && bit >= room) break;
      if (gate[lane] != 0)
        put_bit(dst, bit, holds(insn.compare, a[lane], b[lane], m.semantics.readings.compare_nan),
                m.semantics.result_bits);
    }
  }
}

template <class T>
void compare(Machine& m, const Instruction& insn) {
  std::byte* src1 = m.at(insn.operands[2]);
  compare_with<T>(m, insn, [&](unsigned repeat, T* b) {
    read_repeat(src1, insn.operands[2], repeat, lanes_of(insn), b);
  });
}

template <class T>
void compare_scalar(Machine& m, const Instruction& insn) {
  compare_with<T>(m, insn,
                  [&](unsigned, T* b) { std::fill_n(b, lanes_of(insn), from_bits<T>(insn.scalar.bits)); });
}

/// One repeat into the compare mask: a masked-off lane keeps its bit (asc-devkit, Compare to register).
template <class T>
void compare_cmpmask(Machine& m, const Instruction& insn) {
  Lanes<T> a, b;
  read_repeat(m.at(insn.operands[0]), insn.operands[0], 0, lanes_of(insn), a.data());
  read_repeat(m.at(insn.operands[1]), insn.operands[1], 0, lanes_of(insn), b.data());
  const std::uint8_t* gate = m.write_gate(insn, 0);
  for (unsigned lane = 0; lane < a.size(); ++lane)
    if (gate[lane] != 0)
      put_bit(m.cmpmask.data(), lane, holds(insn.compare, a[lane], b[lane], m.semantics.readings.compare_nan),
              BitLayout::lowest_first);
}

/// gatherb: 32 bytes for each offset, eight offsets for a repeat.
inline void gather_blocks(Machine& m, const Instruction& insn) {
  const std::byte* offsets = m.at(insn.operands[2]);
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    for (unsigned block = 0; block < kRepeatBlocks; ++block) {
      const auto offset = load<std::uint32_t>(offsets + 4 * (std::size_t{repeat} * kRepeatBlocks + block));
      if (const std::byte* from = m.indexed(insn.operands[1], offset, kBlockBytes))
        std::memcpy(block_at(m.at(insn.operands[0]), insn.operands[0], repeat, block), from, kBlockBytes);
    }
  }
}

template <class T>
void gather(Machine& m, const Instruction& insn) {
  std::byte* dst = m.at(insn.operands[0]);
  const std::byte* offsets = m.at(insn.operands[2]);
  const unsigned lanes = lanes_of(insn);
  Operand row = insn.operands[0];
  row.block_stride = 1;
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    Lanes<T> results;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const auto offset = load<std::uint32_t>(offsets + 4 * (std::size_t{repeat} * lanes + lane));
      const std::byte* from = m.indexed(insn.operands[1], offset, sizeof(T));
      results[lane] = from != nullptr ? load<T>(from) : T{};
    }
    write_repeat(dst, row, repeat, lanes, results.data(), m.write_gate(insn, repeat), false);
  }
}

template <class T>
void scatter(Machine& m, const Instruction& insn) {
  std::byte* src = m.at(insn.operands[1]);
  const std::byte* offsets = m.at(insn.operands[2]);
  const unsigned lanes = lanes_of(insn);
  Operand row = insn.operands[1];
  row.block_stride = 1;
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    Lanes<T> values;
    read_repeat(src, row, repeat, lanes, values.data());
    const std::uint8_t* gate = m.write_gate(insn, repeat);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const auto offset = load<std::uint32_t>(offsets + 4 * (std::size_t{repeat} * lanes + lane));
      std::byte* to = m.indexed(insn.operands[0], offset, sizeof(T));
      if (gate[lane] != 0 && to != nullptr) store(to, values[lane]);
    }
  }
}

/// A record of sort32 and the merges: 8 bytes, the score at 0, an index at 4.
using Record = std::array<std::byte, 8>;

template <class T>
float score(const Record& record) {
  return widened(load<T>(record.data()));
}

/// Writes records in a row, record n gated by slot n.
inline void write_records(std::byte* dst, const Record* records, unsigned count, const std::uint8_t* gate) {
  for (unsigned n = 0; n < count; ++n)
    if (gate[n % kMaskSlots] != 0) std::memcpy(dst + n * sizeof(Record), records[n].data(), sizeof(Record));
}

template <class T>
void sort32(Machine& m, const Instruction& insn) {
  std::byte* dst = m.at(insn.operands[0]);
  const std::byte* src = m.at(insn.operands[1]);
  const std::byte* index = m.at(insn.operands[2]);
  const bool reversed = m.semantics.readings.sort_ties == SortTies::reversed;
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    std::array<Record, 32> records{};
    for (unsigned n = 0; n < 32; ++n) {
      const unsigned from = repeat * 32 + (reversed ? 31 - n : n);
      std::memcpy(records[n].data(), src + from * sizeof(T), sizeof(T));
      std::memcpy(records[n].data() + 4, index + from * 4, 4);
    }
    // Insertion keeps the order of equal scores, and is defined for NaN, which is greater than nothing.
    for (unsigned n = 1; n < 32; ++n)
      for (unsigned k = n; k > 0 && score<T>(records[k]) > score<T>(records[k - 1]); --k)
        std::swap(records[k], records[k - 1]);
    write_records(dst + repeat * sizeof records, records.data(), 32, m.write_gate(insn, repeat));
  }
}

struct Queue {
  const std::byte* head;
  unsigned left;
};

/// Takes the head with the greatest score until all queues are empty (reading sort_ties).
template <class T, std::size_t N>
void merge(Machine& m, std::byte* dst, std::array<Queue, N> queues, const std::uint8_t* gate) {
  const bool reversed = m.semantics.readings.sort_ties == SortTies::reversed;
  for (unsigned n = 0;; ++n) {
    Queue* best = nullptr;
    Record chosen{};
    for (Queue& queue : queues) {
      if (queue.left == 0) continue;
      Record record;
      std::memcpy(record.data(), queue.head, sizeof record);
      const bool ahead = best == nullptr || score<T>(record) > score<T>(chosen) ||
                         (reversed && score<T>(record) == score<T>(chosen));
      if (ahead) {
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
void merge4(Machine& m, const Instruction& insn) {
  const std::size_t queue_bytes = insn.lengths[0] * sizeof(Record);
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    const std::byte* src = m.at(insn.operands[1]) + repeat * 4 * queue_bytes;
    std::array<Queue, 4> queues;
    for (unsigned q = 0; q < 4; ++q) queues[q] = {src + q * queue_bytes, insn.lengths[0]};
    merge<T>(m, m.at(insn.operands[0]) + repeat * 4 * queue_bytes, queues, m.write_gate(insn, repeat));
  }
}

template <class T>
void merge2(Machine& m, const Instruction& insn) {
  const std::array queues = {Queue{m.at(insn.operands[1]), insn.lengths[0]},
                             Queue{m.at(insn.operands[2]), insn.lengths[1]}};
  merge<T>(m, m.at(insn.operands[0]), queues, m.write_gate(insn, 0));
}

template <class T>
void brcb(Machine& m, const Instruction& insn) {
  std::byte* dst = m.at(insn.operands[0]);
  const std::byte* src = m.at(insn.operands[1]);
  constexpr unsigned per = kBlockBytes / sizeof(T);
  for (unsigned n = 0; n < insn.repeat; ++n) {
    const unsigned repeat = m.nth_repeat(insn, n);
    Lanes<T> results;
    for (unsigned lane = 0; lane < results.size(); ++lane)
      results[lane] = load<T>(src + (repeat * kRepeatBlocks + lane / per) * sizeof(T));
    write_repeat(dst, insn.operands[0], repeat, lanes_of(insn), results.data(), m.write_gate(insn, repeat),
                 false);
  }
}

}  // namespace lanecheck::form
