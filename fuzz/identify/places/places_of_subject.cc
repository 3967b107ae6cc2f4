#include "fuzz/identify/places/places_of_subject.h"

#include <algorithm>

#include "fuzz/identify/places/move_differences.h"
#include "fuzz/identify/places/place_differences.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"

namespace lanecheck {

PlaceMaps places_of(const Subject& subject, MaskWords mask, const Ask& ask) {
  return has_move_probes(row_of(subject.insn.op)) ? measure_moves(subject, mask, ask)
                                                  : measure_places(subject, mask, ask);
}

std::optional<unsigned> operand_of(const Subject& subject, const Difference& difference) {
  const auto columns = row_of(subject.insn.op).operands;
  const auto own = std::ranges::find(columns, name_of(difference.map), &OperandColumn::role);
  if (own == columns.end()) return {};
  return static_cast<unsigned>(own - columns.begin());
}

std::vector<Difference> differences_in_places(const Subject& subject, MaskWords mask, const Ask& ask) {
  return differences_in_places(subject, places_of(subject, mask, ask), mask);
}

std::vector<Difference> differences_in_places(const Subject& subject, const PlaceMaps& measured,
                                              MaskWords mask) {
  const PlaceMaps documented = places_of(subject, mask, ask_oracle());
  return has_move_probes(row_of(subject.insn.op)) ? move_differences(subject, measured, documented)
                                                  : place_differences(subject, measured, documented, {}).list;
}

}  // namespace lanecheck
