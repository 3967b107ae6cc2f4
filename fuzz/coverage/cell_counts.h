// How often each cell was reached. A run adds one for every instruction that it judges.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/program/program.h"
#include "spec/rules/cell.h"

namespace lanecheck {

/// Calls f(key) with the key of the cell of each instruction of `program`.
template <class F>
void for_each_cell(const Program& program, const Readings& readings, F f) {
  MaskBits mask;
  for (const Instruction& insn : program.instructions) {
    mask.load(insn, readings);
    f(key_of(cell_of(resolve(insn, mask, readings), mask)));
    mask.leave(insn, readings);
  }
}

/// Counters by key, without an order. A hash table with open addressing is fast enough to count millions of
/// instructions in a few ten thousand cells. Keys are below 2^63.
class CellCounts {
 public:
  void add(std::uint64_t key, std::uint64_t times = 1) {
    std::size_t at = place_of(key);
    if (slots_[at].count == 0) {
      if (2 * ++used_ > slots_.size()) {
        grow();
        at = place_of(key);
      }
      slots_[at].key = key;
    }
    slots_[at].count += times;
  }

  /// Counts the cell of each instruction of `program`. The table is larger than the near caches, so all its
  /// places are fetched before the first is counted.
  void add(const Program& program, const Readings& readings) {
    keys_.clear();
    for_each_cell(program, readings, [this](std::uint64_t key) {
      __builtin_prefetch(&slots_[first_place_of(key)]);
      keys_.push_back(key);
    });
    for (const std::uint64_t key : keys_) add(key);
  }

  /// Calls f(key, count) for each counter.
  template <class F>
  void for_each(F f) const {
    for (const Slot& slot : slots_)
      if (slot.count > 0) f(slot.key, slot.count);
  }

 private:
  struct Slot {
    std::uint64_t key = 0, count = 0;
  };

  std::size_t first_place_of(std::uint64_t key) const {
    return key * 0x9e3779b97f4a7c15u >> 20 & (slots_.size() - 1);
  }

  std::size_t place_of(std::uint64_t key) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t at = first_place_of(key);
    while (slots_[at].count > 0 && slots_[at].key != key) at = (at + 1) & last;
    return at;
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.count > 0) slots_[place_of(slot.key)] = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1 << 14);
  std::size_t used_ = 0;
  std::vector<std::uint64_t> keys_;  // of the program at hand
};

}  // namespace lanecheck
