#include "fuzz/identify/gates/edge_lane.h"

namespace lanecheck {
namespace {

/// The slot of a lane and those around it.
struct Around {
  bool own, before, behind;    ///< of the lane and of the lanes beside it
  bool any_lower, any_higher;  ///< is a lane before it, or behind it, on?
};

Around around(unsigned lane, const MaskWords& mask, unsigned lanes) {
  Around slots{has_slot(mask, lane), false, false, false, false};
  for (unsigned slot = 0; slot < lanes; ++slot) {
    const bool is_on = has_slot(mask, slot);
    if (slot + 1 == lane) slots.before = is_on;
    if (slot == lane + 1) slots.behind = is_on;
    if (slot < lane) slots.any_lower |= is_on;
    if (slot > lane) slots.any_higher |= is_on;
  }
  return slots;
}

struct EdgeRule {
  bool writes;  ///< more lanes than are on, else fewer
  std::string_view text;
  bool (*is_on)(const Around&);
};

constexpr EdgeRule kRules[] = {
    {true, "also if they stand right behind the last active lane",
     [](const Around& it) { return it.own || (it.before && !it.any_higher); }},
    {true, "also if they stand right before the first active lane",
     [](const Around& it) { return it.own || (it.behind && !it.any_lower); }},
    {false, "if they are the last active lane", [](const Around& it) { return it.own && it.any_higher; }},
    {false, "if they are the first active lane", [](const Around& it) { return it.own && it.any_lower; }},
    {false, "if they are the last active lane, unless it is the only one",
     [](const Around& it) { return it.own && (it.any_higher || !it.any_lower); }},
    {false, "if they are the first active lane, unless it is the only one",
     [](const Around& it) { return it.own && (it.any_lower || !it.any_higher); }},
};

}  // namespace

std::optional<SlotLaw> by_edge_lane(const GateGroup& group) {
  const unsigned lanes = std::min(group.measured.lanes, 128u);
  for (const EdgeRule& rule : kRules) {
    const auto on = [=, is_on = rule.is_on](unsigned lane, const MaskWords& mask) -> std::optional<bool> {
      return is_on(around(lane, mask, lanes));
    };
    if (gives(group, lanes, on))
      return SlotLaw{(rule.writes ? written(group) : kept(group)) + " " + std::string(rule.text), on};
  }
  return {};
}

}  // namespace lanecheck
