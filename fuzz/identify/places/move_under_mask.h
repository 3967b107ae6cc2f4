// What a mask with gaps changes in the places of the instructions of move_map.h, in sentences.
#pragma once

#include <map>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// The lane (repeat times lanes of a repeat + lane) of each place of dst that is written by the documents.
std::map<std::int32_t, unsigned> lanes_of_dst(const Subject& subject, const SourceMap& documented);

/// "masked-off lanes of vpadding.f16 receive 0 instead of keeping their old dst": if that is all that differs
/// under a mask that is not full, or what else they receive. `full`: the documented maps under a full mask.
std::optional<Difference> zeros_where_off(const Subject& subject, const PlaceMaps& measured,
                                          const PlaceMaps& documented, const PlaceMaps& full, const Ask& ask);

/// "the active lanes of gather.f16 use what the first lanes should use", or are written to the first lanes:
/// if lanes that are off take no part in the counting of lanes. `mask`: under which `measured` was found.
std::optional<Difference> active_lanes_in_a_row(const Subject& subject, const MaskWords& mask,
                                                const PlaceMaps& measured, const PlaceMaps& documented,
                                                const PlaceMaps& full);

/// "vpadding.i16 takes a bitwise mask of its own with its two words exchanged"
std::optional<Difference> with_other_words(const Subject& subject, const Ask& ask);

/// Maps that differ only under a mask with gaps: an example, because the lanes that differ are those of this
/// mask. Empty if the maps are equal.
std::vector<Difference> example_under_mask(const Subject& subject, const PlaceMaps& measured,
                                           const PlaceMaps& documented);

}  // namespace lanecheck
