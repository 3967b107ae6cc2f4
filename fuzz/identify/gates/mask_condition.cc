#include "fuzz/identify/gates/mask_condition.h"

#include <bit>

#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

int active(const MaskWords& m) {
  return std::popcount(m.high) + std::popcount(m.low);
}

/// Is the slot of the last lane that `full` has 1?
bool has_last(const MaskWords& m, const MaskWords& full) {
  const int last = active(full) - 1;
  return last >= 0 && has_slot(m, static_cast<unsigned>(last));
}

constexpr MaskCondition kConditions[] = {
    {"the mask", "is empty", "is not empty",
     [](const MaskWords& m, const MaskWords&) { return m.high == 0 && m.low == 0; }},
    {"the mask", "is full", "is not full",
     [](const MaskWords& m, const MaskWords& full) { return m.high == full.high && m.low == full.low; }},
    {"the low word", "is 0", "is not 0", [](const MaskWords& m, const MaskWords&) { return m.low == 0; }},
    {"the high word", "is 0", "is not 0", [](const MaskWords& m, const MaskWords&) { return m.high == 0; }},
    {"the low word", "is all ones", "is not all ones",
     [](const MaskWords& m, const MaskWords& full) { return m.low == full.low; }},
    {"the high word", "is all ones", "is not all ones",
     [](const MaskWords& m, const MaskWords& full) { return m.high == full.high; }},
    {"the smaller of the two words", "is 0", "is not 0",
     [](const MaskWords& m, const MaskWords&) { return m.low == 0 || m.high == 0; }},
    {"slots 0..31", "are all 0", "are not all 0",
     [](const MaskWords& m, const MaskWords&) { return (m.low & 0xffffffff) == 0; }},
    {"slots 32..63", "are all 0", "are not all 0",
     [](const MaskWords& m, const MaskWords&) { return m.low >> 32 == 0; }},
    {"the mask", "has exactly one slot of 1", "has not exactly one slot of 1",
     [](const MaskWords& m, const MaskWords&) { return active(m) == 1; }},
    {"the mask", "has exactly one slot of 0", "has not exactly one slot of 0",
     [](const MaskWords& m, const MaskWords& full) { return active(m) + 1 == active(full); }},
    {"slot 0", "is 1", "is 0", [](const MaskWords& m, const MaskWords&) { return (m.low & 1) != 0; }},
    {"slot 63", "is 1", "is 0", [](const MaskWords& m, const MaskWords&) { return m.low >> 63 != 0; }},
    {"slot 63", "is 1 and the high word is 0", "is 0 or the high word is not 0",
     [](const MaskWords& m, const MaskWords&) { return m.low >> 63 != 0 && m.high == 0; }},
    {"slot 64", "is 1", "is 0", [](const MaskWords& m, const MaskWords&) { return (m.high & 1) != 0; }},
    {"slot 127", "is 1", "is 0", [](const MaskWords& m, const MaskWords&) { return m.high >> 63 != 0; }},
    {"the slot of the last lane", "is 1", "is 0", has_last},
    {"the slots of the first and the last lane", "are both 1", "are not both 1",
     [](const MaskWords& m, const MaskWords& full) { return (m.low & 1) != 0 && has_last(m, full); }},
    {"the slots of the first and the last lane", "are both 0", "are not both 0",
     [](const MaskWords& m, const MaskWords& full) { return (m.low & 1) == 0 && !has_last(m, full); }},
};

}  // namespace

std::optional<bool> is_on(const Gate& gate, const MaskWords& mask) {
  switch (gate.kind) {
    case GateKind::slot:
      return has_slot(mask, gate.slot);
    case GateKind::inverted:
      return !has_slot(mask, gate.slot);
    case GateKind::always:
      return true;
    case GateKind::never:
      return false;
    case GateKind::several:
      break;
  }
  return {};
}

std::span<const MaskCondition> mask_conditions() {
  return kConditions;
}

}  // namespace lanecheck
