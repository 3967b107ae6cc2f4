#include "fuzz/identify/measured_shape.h"

#include <algorithm>
#include <map>

#include "fuzz/identify/difference_list.h"
#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/gates/masked_off.h"
#include "fuzz/identify/gates/moving_mask.h"
#include "fuzz/identify/gates/part_of_mask.h"
#include "fuzz/identify/gates/register_beside.h"
#include "fuzz/identify/mask_register/bitwise_bits.h"
#include "fuzz/identify/mask_register/shown_mask.h"
#include "fuzz/identify/places/earlier_bits.h"
#include "fuzz/identify/places/move_differences.h"
#include "fuzz/identify/places/move_gates.h"
#include "fuzz/identify/places/move_offsets.h"
#include "fuzz/identify/places/move_padding.h"
#include "fuzz/identify/places/move_under_mask.h"
#include "fuzz/identify/places/moved_values.h"
#include "fuzz/identify/places/place_differences.h"
#include "fuzz/identify/places/shared_places.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/trials/control_laws.h"
#include "fuzz/identify/values/value_differences.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The instructions of move_map.h. If the mask has no say by the documents and the maps differ, a full mask
/// tells whether it is the mask that changes them.
std::vector<Difference> moved_differences(const MeasuredShape& measured, const Ask& ask) {
  const Subject& subject = measured.shape.subject;
  const Row& row = row_of(subject.insn.op);
  auto differences = move_differences(subject, measured.places, measured.documented_places);
  if (!differences.empty() || measured.shape.name == "plain")
    if (auto values = moved_value_law(subject, ask)) return {*std::move(values)};
  if (auto law = differences.empty() ? std::nullopt : control_law(subject, ask)) return {*std::move(law)};
  if (takes_scalar(subject.insn) && !differences.empty())
    if (auto scalar = scalar_law(subject, ask))
      return {*std::move(scalar)};  // a wrong number looks like that
  if (!differences.empty())
    if (auto bits = bits_of_earlier_repeats(subject, ask)) return {*std::move(bits)};
  if (!differences.empty())
    if (auto order =
            earlier_lane_stays(subject, mask_of_places(subject), measured.places, measured.documented_places))
      return {*std::move(order)};
  if (!differences.empty() || measured.shape.name == "plain")
    for (const auto measure : {offset_difference, padding_difference})
      if (auto difference = measure(subject, ask)) return {*difference};
  if (row.mask == MaskUse::gates_writeback && differences.empty()) {
    const MaskWords gaps = gapped_mask(subject);
    const PlaceMaps is = measure_moves(subject, gaps, ask),
                    should = measure_moves(subject, gaps, ask_oracle());
    if (auto zeros = zeros_where_off(subject, is, should, measured.documented_places, ask)) return {*zeros};
    if (auto row_of_active = active_lanes_in_a_row(subject, gaps, is, should, measured.documented_places))
      return {*row_of_active};
    differences = example_under_mask(subject, is, should);
    if (!differences.empty())
      if (auto words = with_other_words(subject, ask)) return {*std::move(words)};
    if (differences.empty() && subject.own_mask)  // what only such a mask shows: its low word is 0
      differences = example_under_mask(subject, measure_moves(subject, *subject.own_mask, ask),
                                       measure_moves(subject, *subject.own_mask, ask_oracle()));
    if (!differences.empty() && row.whole_blocks)
      if (auto received = received_difference(subject, ask)) return {*std::move(received)};
    if (!differences.empty())
      if (auto gates = move_gate_differences(subject, measured.documented_places, ask); !gates.empty())
        return gates;
  }
  const bool is_plain = measured.shape.name == "plain";
  if (row.mask != MaskUse::ignores || (differences.empty() && !is_plain)) return differences;
  // In some profiles the mask gates it: the documents under a full mask are others than under gaps.
  const PlaceMaps documented = measure_moves(subject, full_mask(subject), ask_oracle());
  if (differences.empty())  // the mask with which the places were measured may not show it
    return move_gate_differences(subject, documented, ask);
  const PlaceMaps full = measure_moves(subject, full_mask(subject), ask);
  auto without = move_differences(subject, full, documented);
  if (!without.empty()) return without;
  if (auto received = received_difference(subject, ask)) return {*std::move(received)};
  const MaskWords mask = mask_of_places(subject);
  if (auto row_of_active =
          active_lanes_in_a_row(subject, mask, measured.places, measured.documented_places, documented))
    return {*row_of_active};
  if (auto words = with_other_words(subject, ask)) return {*std::move(words)};
  if (auto gates = move_gate_differences(subject, documented, ask); !gates.empty()) return gates;
  return example_under_mask(subject, measured.places, measured.documented_places);
}

/// The oracle, which executes what `law` says in place of the last instruction of each program.
Ask ask_oracle_in_place(const PlaceLaw& law) {
  return [law](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      if (const auto executed = law(changed.instructions.back())) changed.instructions.back() = *executed;
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
}

/// Do two maps say the same of all places that one of them knows?
bool are_same(const PlaceMaps& a, const PlaceMaps& b) {
  if (a.sources.size() != b.sources.size()) return false;
  for (std::size_t n = 0; n < a.sources.size(); ++n) {
    if (!a.sources[n].map || !b.sources[n].map) {
      if (a.sources[n].map.has_value() != b.sources[n].map.has_value()) return false;
      continue;
    }
    for (const SourceMap* each : {&*a.sources[n].map, &*b.sources[n].map})
      for (std::size_t m = 0; m < each->sources.size(); ++m) {
        const std::int32_t element = each->first + static_cast<std::int32_t>(m);
        if (a.sources[n].map->at(element) != b.sources[n].map->at(element)) return false;
      }
  }
  return a.destination.map && b.destination.map;
}

bool says_several_slots(const Difference& difference) {
  return difference.gates == GateKind::several;
}

/// The gates of lanes about which several slots decide, measured under more masks.
std::vector<Difference> under_masks_of_parts(const Subject& subject, const GateMap& measured,
                                             const std::vector<bool>& lost, const Ask& ask) {
  std::vector<MaskWords> masks = measured.masks;
  for (const MaskWords& mask : masks_of_parts(subject))
    if (std::ranges::count(masks, mask) == 0) masks.push_back(mask);
  const auto is = measure_gates(subject, ask, {}, masks),
             should = measure_gates(subject, ask_oracle(), {}, masks);
  if (!is.map || !should.map) return {};
  return gate_differences(subject, *is.map, *should.map, lost);
}

}  // namespace

std::vector<Difference> differences_under_gaps(const Subject& subject, const Ask& ask,
                                               const std::optional<GateMap>& gates) {
  const MaskWords gaps = gapped_mask(subject);
  const PlaceMaps is = measure_places(subject, gaps, ask),
                  should = measure_places(subject, gaps, ask_oracle());
  auto differences = place_differences(subject, is, should, gates).list;
  if (differences.empty()) return {};
  const PlaceMaps full = measure_places(subject, full_mask(subject), ask_oracle());
  if (auto in_a_row = active_lanes_in_a_row(subject, gaps, is, should, full)) return {*std::move(in_a_row)};
  for (Difference& difference : differences) difference.what += ", under a mask that is not full";
  return differences;
}

std::vector<Difference> differences_of(const MeasuredShape& measured, const Ask& ask) {
  const Subject& subject = measured.shape.subject;
  if (has_move_probes(row_of(subject.insn.op))) return moved_differences(measured, ask);
  PlaceDifferences places =
      place_differences(subject, measured.places, measured.documented_places, measured.gates.map);
  std::vector<Difference> differences = std::move(places.list);
  // Where the strides are not plain, gates mean nothing if it is not known which places are written.
  const bool known = measured.places.destination.map || measured.shape.name == "plain";
  if (known && !shares_places(subject.insn) && measured.gates.map && measured.documented_gates.map) {
    const GateMap& gate_map = *measured.gates.map;
    const bool any_always = std::ranges::count(gate_map.gates, GateKind::always, &Gate::kind) > 0;
    const bool any_never = std::ranges::any_of(differences, [&](const Difference& each) {
      return each.gates == GateKind::never || (each.of_repeats && any_always);
    });
    if (any_never)  // lanes that no mask switches on, because the mask has moved away from them
      if (auto law = moving_mask(subject, gates_in(gate_map, std::vector<bool>(gate_map.gates.size()))))
        return {*std::move(law)};
    auto gates = gate_differences(subject, gate_map, *measured.documented_gates.map, places.lost);
    if (std::ranges::any_of(gates, says_several_slots))
      if (auto more = under_masks_of_parts(subject, gate_map, places.lost, ask); !more.empty())
        gates = std::move(more);
    if (!gates.empty())
      if (auto of_register = register_beside_own_mask(subject, *measured.gates.map, ask))
        gates = {*std::move(of_register)};
    const auto is_said_there = [&](const Difference& place) {
      return place.gates == GateKind::never && std::ranges::any_of(gates, [&](const Difference& gate) {
               return gate.gates == GateKind::slot && std::ranges::includes(gate.lanes, place.lanes);
             });
    };
    std::erase_if(differences, is_said_there);
    differences.insert(differences.end(), gates.begin(), gates.end());
  }
  // The sentence names the value that masked-off lanes receive: it must not hang on the sources.
  if (measured.gates.map) say_masked_off(subject, ask, differences);
  if (known && measured.gates.map && measured.documented_gates.map)
    say_bitwise_bits(subject, *measured.gates.map, *measured.documented_gates.map, ask, differences);
  return differences;
}

std::vector<Difference> wrong_register(const MeasuredShape& measured, const Ask& ask) {
  const Subject& subject = measured.shape.subject;
  if (!row_of(Op::set_mask).in(subject.profile).offered || measured.shown == measured.documented_shown)
    return {};
  if (measured.shown.empty() || measured.documented_shown.empty()) return {};  // the probes did not run
  return shown_mask_differences(subject, ask);
}

MaskWords mask_of_places(const Subject& subject) {
  switch (row_of(subject.insn.op).mask) {
    case MaskUse::neutral_source:
      return one_of_each_group(subject, 0);
    case MaskUse::ignores:
      return gapped_mask(subject);
    case MaskUse::gates_writeback:
    case MaskUse::is_mask_state:
      break;
  }
  return full_mask(subject);
}

bool have_unexplained_sources(const std::vector<Difference>& differences) {
  return std::ranges::any_of(differences, &Difference::only_example) &&
         std::ranges::all_of(differences, [](const Difference& each) { return is_source(each.map); });
}

bool computes_another_function(const PlaceMaps& places) {
  return std::ranges::any_of(places.sources,
                             [](const auto& source) { return source.map && source.map->other_function; });
}

MeasuredShape measure(const Shape& shape, const Ask& ask, const MaskWords& full) {
  const Ask oracle = ask_oracle();
  MeasuredShape measured{shape, {}, {}, {}, {}, {}, {}};
  if (has_move_probes(row_of(shape.subject.insn.op))) {
    measured.places = measure_moves(shape.subject, full, ask, &measured.shown);
    measured.documented_places = measure_moves(shape.subject, full, oracle, &measured.documented_shown);
    measured.gates.why_not = measured.documented_gates.why_not = "";
    return measured;
  }
  measured.places = measure_places(shape.subject, full, ask);
  measured.documented_places = measure_places(shape.subject, full, oracle);
  // In later shapes few masks tell whether the gates are worth measuring again.
  const bool first = shape.name == "plain";
  const MaskWords gaps = gapped_mask(shape.subject);
  if (!first) {
    std::vector<MaskWords> few = {gaps, {~gaps.high & full.high, ~gaps.low & full.low}};
    if (const auto& own = shape.subject.own_mask) few.push_back({own->high & full.high, own->low & full.low});
    const auto some = measure_gates(shape.subject, ask, {}, few);
    const auto documented = measure_gates(shape.subject, oracle, {}, few);
    if (some.map && documented.map && some.map->seen == documented.map->seen && !some.map->masked_off) {
      measured.gates.why_not = measured.documented_gates.why_not = "";
      return measured;
    }
  }
  measured.gates = measure_gates(shape.subject, ask);
  measured.documented_gates = measure_gates(shape.subject, oracle);
  if (measured.gates.map) measured.shown = measured.gates.map->shown;
  if (measured.documented_gates.map) measured.documented_shown = measured.documented_gates.map->shown;
  return measured;
}

MeasuredShape measure(const Shape& shape, const Ask& ask) {
  return measure(shape, ask, mask_of_places(shape.subject));
}

std::optional<Difference> last_repeat_left_out(const MeasuredShape& measured) {
  const Subject& subject = measured.shape.subject;
  const unsigned repeats = repeats_of(subject.insn);
  // Two repeats that write one place: the first one's results also stay if the repeats run in reverse order.
  if (repeats < (shares_places(subject.insn) ? 3 : 2) || !without_last_repeat(subject.insn)) return {};
  const MaskWords mask = mask_of_places(subject);
  const Ask less = ask_oracle_in_place(without_last_repeat);
  const PlaceMaps predicted = has_move_probes(row_of(subject.insn.op)) ? measure_moves(subject, mask, less)
                                                                       : measure_places(subject, mask, less);
  if (!are_same(measured.places, predicted) || are_same(measured.places, measured.documented_places))
    return {};
  Difference difference{MapKind::dst, "the last repeat of " + mnemonic(subject.insn) + " is left out", {}};
  difference.places = without_last_repeat;
  difference.of_repeats = true;
  return difference;
}

}  // namespace lanecheck
