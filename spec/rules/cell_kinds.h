// Kinds of step that the sentences of all documents speak of: how many repeats, and which lanes are active.
// Which instructions a sentence speaks of stands beside its rule.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "spec/rules/cell.h"

namespace lanecheck::cell_kinds {

constexpr bool among(Op op, std::initializer_list<Op> list) {
  return std::ranges::find(list, op) != list.end();
}

/// At least one repeat.
constexpr bool runs(const Cell& c) {
  return c.repeat != RepeatClass::zero;
}
/// More than one repeat.
constexpr bool repeats(const Cell& c) {
  return runs(c) && c.repeat != RepeatClass::one;
}
constexpr bool some_off(const Cell& c) {
  return runs(c) && c.mask != MaskClass::full;
}
constexpr bool some_on(const Cell& c) {
  return runs(c) && c.mask != MaskClass::none;
}
constexpr bool mixed(const Cell& c) {
  return some_off(c) && some_on(c);
}
/// Some data block has no active lane, or no lane is active at all.
constexpr bool empty_block(const Cell& c) {
  return runs(c) && (c.mask == MaskClass::block_empty || c.mask == MaskClass::none);
}
constexpr bool empty_pair(const Cell& c) {
  return empty_block(c) || (runs(c) && c.mask == MaskClass::pair_empty);
}
/// Bytes of the wider of the two element types.
constexpr unsigned wide_size(const Cell& c) {
  return std::max(size_of(c.dst_type), size_of(c.src_type));
}

}  // namespace lanecheck::cell_kinds
