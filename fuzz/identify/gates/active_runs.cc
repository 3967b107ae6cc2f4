#include "fuzz/identify/gates/active_runs.h"

#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The active slots of a region, as a lane sees them. `from` and `to` enclose all of them; 0 if none is
/// active.
struct ActiveSlots {
  unsigned from = 0, to = 0, active = 0;
  bool own = false;
  bool gap_before = false;  ///< is a slot 0 between the first active one and the lane?
  bool gap_behind = false;  ///< is a slot 0 between the lane and the last active one?

  ActiveSlots(unsigned lane, unsigned begin, unsigned lanes, const MaskWords& mask)
      : own(is_active(mask, lane)) {
    for (unsigned slot = begin; slot < begin + lanes; ++slot)
      if (is_active(mask, slot)) {
        if (active++ == 0) from = slot;
        to = slot + 1;
      }
    for (unsigned slot = from; slot < lane; ++slot) gap_before |= !is_active(mask, slot);
    for (unsigned slot = lane; slot < to; ++slot) gap_behind |= !is_active(mask, slot);
  }
};

struct RunRule {
  std::string_view before, behind;  ///< of a region that is not the repeat, it is named between them
  bool (*is_on)(const ActiveSlots& region, unsigned lane);
};

constexpr RunRule kRunRules[] = {
    {"only if they lie in the first run of active lanes", "",
     [](const ActiveSlots& it, unsigned) { return it.own && !it.gap_before; }},
    {"only if they lie in the last run of active lanes", "",
     [](const ActiveSlots& it, unsigned) { return it.own && !it.gap_behind; }},
    {"by the number of active slots", ": n lanes from the first active one on, if n slots are 1",
     [](const ActiveSlots& it, unsigned lane) {
       return it.active > 0 && lane >= it.from && lane < it.from + it.active;
     }},
    {"by the number of active slots", ": n lanes up to the last active one, if n slots are 1",
     [](const ActiveSlots& it, unsigned lane) {
       return it.active > 0 && lane < it.to && lane + it.active >= it.to;
     }},
};

}  // namespace

std::optional<SlotLaw> by_active_run(const GateGroup& group) {
  const unsigned lanes = group.measured.lanes;
  struct Part {
    std::string_view name;
    unsigned lanes;
  };
  for (const Part& part : {Part{"", lanes}, Part{" of their half of the repeat", lanes / 2},
                           Part{" of their data block", lanes / kRepeatBlocks}})
    for (const RunRule& rule : kRunRules) {
      const auto on = [=, size = part.lanes, is_on = rule.is_on](
                          unsigned lane, const MaskWords& mask) -> std::optional<bool> {
        return is_on(ActiveSlots(lane, lane / size * size, size, mask), lane);
      };
      if (part.lanes == 0 || !gives(group, lanes, on)) continue;
      return SlotLaw{
          written(group) + " " + std::string(rule.before) + std::string(part.name) + std::string(rule.behind),
          on};
    }
  return {};
}

}  // namespace lanecheck
