#include "fuzz/identify/inverted_elements.h"

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/trials/trials.h"

namespace lanecheck {
namespace {

/// The masks are legal in all profiles, and so are their complements.
std::vector<MaskWords> gapped_masks(const Subject& subject) {
  const MaskWords full = full_mask(subject);
  std::vector<MaskWords> masks;
  for (const MaskWords& mask : {kGappedMask, kEarlierMask, one_of_each_group(subject, 0)})
    masks.push_back({mask.high & full.high, mask.low & full.low});
  return masks;
}

bool leaves_what_the_complement_gives(const Subject& subject, const Ask& ask) {
  const MaskWords full = full_mask(subject);
  unsigned seed = 60;
  bool shown = false;
  for (const MaskWords& mask : gapped_masks(subject)) {
    const auto trial = run_trial(subject, mask, ++seed, ask);
    const auto inverted =
        run_trial(subject, {~mask.high & full.high, ~mask.low & full.low}, seed, ask_oracle());
    if (!trial || !inverted || trial->actual != inverted->documented) return false;
    shown |= !trial->is_right();
  }
  return shown;
}

GateMap inverted(GateMap map) {
  for (Gate& gate : map.gates)
    if (gate.kind == GateKind::slot) gate.kind = GateKind::inverted;
  for (std::string& seen : map.seen)
    for (char& each : seen) each = each == 'w' ? 'k' : 'w';
  return map;
}

}  // namespace

std::vector<Difference> inverted_elements(const Subject& subject, const Ask& ask) {
  if (!leaves_what_the_complement_gives(subject, ask)) return {};
  const auto documented = measure_reduction(subject, ask_oracle());
  if (!documented.map) return {};
  const GateMap& elements = documented.map->elements;
  return gate_differences(subject, inverted(elements), elements, std::vector<bool>(elements.gates.size()));
}

}  // namespace lanecheck
