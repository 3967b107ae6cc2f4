#include "fuzz/identify/slots_behind.h"

#include <algorithm>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/places/move_gates.h"
#include "fuzz/identify/places/places_of_subject.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/reductions/reduction_differences.h"
#include "fuzz/identify/refuted.h"
#include "spec/program/profile.h"

namespace lanecheck {

std::vector<Difference> gates_of_register_differences(Subject subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  if (!takes_own_or_register(subject)) return {};
  subject.from_register = true;
  if (has_reduction_probes(row)) {
    const auto is = measure_reduction(subject, ask), should = measure_reduction(subject, ask_oracle());
    return is.map && should.map ? reduction_differences(subject, *is.map, *should.map)
                                : std::vector<Difference>{};
  }
  if (has_move_probes(row))
    return move_gate_differences(subject, measure_moves(subject, full_mask(subject), ask_oracle()), ask);
  if (row.mask != MaskUse::gates_writeback || !has_place_probes(row)) return {};
  const auto is = measure_gates(subject, ask), should = measure_gates(subject, ask_oracle());
  if (!is.map || !should.map) return {};
  return gate_differences(subject, *is.map, *should.map, std::vector<bool>(is.map->gates.size()));
}

std::vector<Difference> places_under_ones(Subject subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  const bool has_slots_behind =  // that were not asked yet
      settable_slots(subject) < 128 && has_form(mask_forms(row, subject.profile), MaskFrom::reg);
  if (!has_slots_behind || row.mask != MaskUse::gates_writeback || !has_place_probes(row)) return {};
  subject.from_register = true;
  return differences_in_places(subject, full_mask(subject), ask);
}

void measure_slots_behind(const Subject& subject, std::vector<Difference>& differences, const Ask& ask) {
  if (!is_right_under_ones_alone(subject, differences, ask)) return;
  auto gates = gates_of_register_differences(subject, ask);
  if (!gates.empty() && std::ranges::none_of(gates, &Difference::only_example)) {
    differences = std::move(gates);
    return;
  }
  for (Difference& each : differences)
    each.what +=
        ", under a mask that is 0 behind the slots of its lanes; under the register of ones that a program "
        "starts with it is right, as if those slots decided";
}

}  // namespace lanecheck
