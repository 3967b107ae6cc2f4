#include "fuzz/identify/lengths/own_count.h"

#include <algorithm>

#include "fuzz/identify/probes/length_map.h"

namespace lanecheck {

void say_if_own_count_is_obeyed(const Subject& subject, MaskGiven given, std::vector<Difference>& differences,
                                const Ask& ask) {
  const auto is_law = [](const Difference& each) {
    return !each.only_example && each.map == MapKind::length;
  };
  if (given != MaskGiven::total || differences.empty() || !std::ranges::all_of(differences, is_law) ||
      !has_length_probes(subject, MaskGiven::count))
    return;
  for (const unsigned repeat : {1U, 3U}) {
    const auto is = measure_lengths(subject, MaskGiven::count, ask, {}, repeat),
               should = measure_lengths(subject, MaskGiven::count, ask_oracle(), {}, repeat);
    if (!is.map || !should.map || is.map->answers != should.map->answers) return;
  }
  for (Difference& each : differences) {
    if (each.general.empty() && each.key.empty()) each.general = each.what;  // the cause stays the same
    each.what += kOwnCountIsObeyed;
  }
}

}  // namespace lanecheck
