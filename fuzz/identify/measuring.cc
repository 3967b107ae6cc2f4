#include "fuzz/identify/measuring.h"

#include <algorithm>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/gates/masked_off.h"
#include "fuzz/identify/gates/register_beside.h"
#include "fuzz/identify/gather_mask/gather_mask_map.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/in_place.h"
#include "fuzz/identify/left_by_length.h"
#include "fuzz/identify/mask_register/bitwise_bits.h"
#include "fuzz/identify/mask_register/left_in_mask.h"
#include "fuzz/identify/mask_register/register_map.h"
#include "fuzz/identify/mask_register/reset_law.h"
#include "fuzz/identify/mask_register/words_as_numbers.h"
#include "fuzz/identify/measured_shape.h"
#include "fuzz/identify/more_repeats.h"
#include "fuzz/identify/places/move_gates.h"
#include "fuzz/identify/places/move_padding.h"
#include "fuzz/identify/places_under_count.h"
#include "fuzz/identify/places_under_length.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/reductions/result_laws.h"
#include "fuzz/identify/refuted.h"
#include "fuzz/identify/repeat_times.h"
#include "fuzz/identify/slots_behind.h"
#include "fuzz/identify/sorts/sort_difference.h"
#include "fuzz/identify/stride_owner.h"
#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/trials/contiguous_repeats.h"
#include "fuzz/identify/trials/control_laws.h"
#include "fuzz/identify/trials/dst_as_source.h"
#include "fuzz/identify/trials/far_operands.h"
#include "fuzz/identify/trials/mask_as_count.h"
#include "fuzz/identify/trials/merged_bits.h"
#include "fuzz/identify/trials/read_of_dst.h"
#include "fuzz/identify/trials/rounded_start.h"
#include "fuzz/identify/trials/unwritten_elements.h"
#include "fuzz/identify/trials/unwritten_parts.h"
#include "fuzz/identify/trials/unwritten_results.h"
#include "fuzz/identify/trials/written_back.h"
#include "fuzz/identify/trials/written_behind.h"
#include "fuzz/identify/trials/written_source.h"
#include "fuzz/identify/trials/zeros_behind.h"
#include "fuzz/identify/values/value_differences.h"
#include "fuzz/identify/values/written_by_value.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Is this shape worth its questions, after what the shapes before it have shown?
bool is_asked(const Shape& shape, const DifferenceList& so_far, After after) {
  const bool is_unsettled = after == After::which_repeats && so_far.any() && !so_far.settled();
  if (shape.name == "longest") return !so_far.any() || is_unsettled;
  if (shape.name != "long") return !so_far.any();
  if (after == After::which_repeats) return is_unsettled;
  return after == After::most_repeats;
}

/// A law of src that is not that of the other padSide: the law of padding that gives both.
std::optional<Difference> padding_of_both_sides(const Shape& shape,
                                                const std::vector<Difference>& differences, const Ask& ask) {
  const auto side = setting_index(row_of(shape.subject.insn.op), "side");
  if (!side || differences.size() != 1 || differences[0].map != MapKind::src || differences[0].only_example)
    return {};
  Shape other = shape;
  other.subject.insn.settings[*side] ^= 1;
  const auto of_other = differences_of(measure(other, ask), ask);
  if (!of_other.empty() && of_other[0].what == differences[0].what) return {};
  return padding_difference(shape.subject, ask);
}

/// Are all lanes written whatever the mask is, or never?
bool said_of_all_lanes(const Subject& subject, const std::vector<Difference>& differences) {
  return std::ranges::all_of(differences, [&](const Difference& each) {
    if (!each.where.empty()) return false;
    if (each.map == MapKind::dst) return each.what.find(" writes nothing") != std::string::npos;
    return (each.gates == GateKind::never || each.gates == GateKind::always) &&
           (each.lanes.empty() || each.lanes.size() == lanes_of(subject.insn));
  });
}

}  // namespace

void Measuring::shapes(const std::vector<Shape>& shapes) {
  for (const Shape& shape : shapes) {
    const bool first = result.shapes.empty();
    if (!is_asked(shape, differences_, after_)) continue;
    MeasuredShape measured = measure(shape, ask_);
    std::vector<Difference> more;
    if (first && shown_.mask) more = wrong_register(measured, ask_);
    wrong_register_ = !more.empty();
    if (!wrong_register_) more = differences_of(measured, ask_);
    const std::string seen = more.empty() ? "" : more[0].what;
    if (!wrong_register_ && !more.empty()) more = as_one_law(measured, shapes, std::move(more));
    if (!wrong_register_) more = with_more_repeats(shape, std::move(more), ask_);
    const bool is_tried = !more.empty() && more[0].what != seen;
    if (are_refuted(shape.subject, more, ask_) ||
        (!is_tried && shape.name != "given" && hangs_on_mask(shape, more, ask_))) {
      if (!refuted_) refuted_ = more[0].map;
      result.shapes.push_back(std::move(measured));
      continue;
    }
    name_stride_owners(shape.subject, mask_of_places(shape.subject), more, ask_);
    say_if_mask_is_full(shape.subject, more, ask_);
    say_if_sources_in_a_row(shape.subject, more, ask_);
    say_if_own_mask(shape.subject, more, ask_);
    if (auto padding = padding_of_both_sides(shape, more, ask_)) more = {*std::move(padding)};
    say_if_pad_mode(shape.subject, more, ask_);
    say_if_not_counted(shape.subject, more, ask_);
    if (!first) say_if_in_a_row(shape, more, ask_);
    measure_slots_behind(shape.subject, more, ask_);
    if (first && more.empty() && measured.gates.map && measured.gates.map->masked_off)
      if (auto values = values_under_gaps(shape.subject, ask_)) more = {*std::move(values)};
    if (first && more.empty() && measured.gates.map) {
      more = differences_under_gaps(shape.subject, ask_, measured.gates.map);
      if (auto received = more.empty() ? std::nullopt : received_difference(shape.subject, ask_))
        more = {*std::move(received)};
    }
    if (first && more.empty()) more = places_under_ones(shape.subject, ask_);
    differences_.add(shape, std::move(more));
    // Wrong values are told from wrong places by data in a row only.
    const bool done = wrong_register_ || (first && computes_another_function(measured.places));
    result.shapes.push_back(std::move(measured));
    if (done) break;
  }
  result.differences = differences_.sentences();
}

void Measuring::registers(const Shape& shape) {
  auto found = left_in_register(shape.subject, ask_);
  for (Difference& each : found) each.of_bitwise_masks = shape.subject.insn.mask_from == MaskFrom::bitwise;
  if (!found.empty() &&
      shape.subject.insn.mask_from == MaskFrom::bitwise)  // may it not use its own mask at all?
    if (const auto gates = measure_gates(shape.subject, ask_); gates.map)
      if (auto beside = register_beside_own_mask(shape.subject, *gates.map, ask_))
        found = {*std::move(beside)};
  differences_.add(shape, std::move(found));
  result.differences = differences_.sentences();
}

void Measuring::reset(const Subject& subject) {
  if (auto skipped = reset_law(subject.profile, ask_))
    differences_.add({"plain", "", subject}, {*std::move(skipped)});
  result.differences = differences_.sentences();
}

void Measuring::in_place(const std::vector<Shape>& shapes, unsigned k) {
  for (const auto measure : {in_place_differences, in_place_values})
    for (const Shape& shape : shapes) {
      if (k == 0 || differences_.any() || shape.name == "long") continue;
      Subject subject = shape.subject;
      subject.in_place = k;
      differences_.add(shapes[0], measure(subject, ask_));
    }
  result.differences = differences_.sentences();
}

void Measuring::shown_register(const Shape& shape) {
  if (!shown_.mask || !row_of(Op::set_mask).in(shape.subject.profile).offered || differences_.any()) return;
  if (auto text = left_in_mask(shape.subject, ask_))
    differences_.add(shape, {{MapKind::mask_register, *text, {}}});
  result.differences = differences_.sentences();
}

void Measuring::sort(const std::vector<Shape>& shapes) {
  for (const Shape& shape : shapes) {
    if (differences_.any()) break;
    SortDifference measured = sort_difference(shape.subject, ask_);
    if (measured.law) differences_.add(shape, {*std::move(measured.law)});
    if (measured.wrong_half && !wrong_half_) wrong_half_.emplace(shape, *std::move(measured.wrong_half));
  }
  result.differences = differences_.sentences();
}

void Measuring::wrong_half_if_no_law() {
  if (!differences_.any() && wrong_half_) differences_.add(wrong_half_->first, {wrong_half_->second});
  result.differences = differences_.sentences();
}

void Measuring::words_if_no_law(const Shape& shape) {
  const auto parts = differences_.parts();
  if (parts.empty() || !parts.front().only_example) return;
  auto law = words_as_numbers(shape.subject, ask_);
  if (!law) return;
  differences_ = {};
  differences_.add(shape, {*std::move(law)});
  result.differences = differences_.sentences();
}

void Measuring::gather_mask(const Shape& shape) {
  differences_.add(shape, gather_mask_differences(shape.subject, ask_));
  if (!differences_.any()) registers(shape);
  result.differences = differences_.sentences();
}

void Measuring::numbers(const std::vector<Shape>& shapes, const std::vector<MaskGiven>& ways) {
  for (const MaskGiven given : ways) {
    if (!differences_.any()) {
      auto found = number_differences(shapes, given, ask_);
      const bool no_law = !found.empty() && found[0].only_example;
      if (no_law &&
          row_of(shapes[0].subject.insn.op).whole_blocks)  // masks without a whole data block tell more
        if (auto received = received_difference(shapes[0].subject, ask_)) found = {*std::move(received)};
      differences_.add(shapes[0], std::move(found));
    }
    if (given != MaskGiven::contiguous || differences_.any()) continue;
    if (auto some = contiguous_in_repeats(shapes[0].subject, ask_))
      differences_.add(shapes[0], {*std::move(some)});
  }
  result.differences = differences_.sentences();
}

void Measuring::set_number(const Subject& setter, const std::vector<Shape>& shapes, MaskGiven given) {
  auto found = set_number_differences(setter, shapes, given, ask_);
  if (!found.empty() && found[0].only_example)  // what it leaves in the register may be a law
    if (auto left = register_differences(setter, ask_); !left.empty() && !left[0].only_example)
      found = std::move(left);
  differences_.add(shapes[0], std::move(found));
  result.differences = differences_.sentences();
}

void Measuring::others(const std::vector<Shape>& shapes, const std::vector<MaskGiven>& ways) {
  if (!result.differences.empty()) return;
  const MeasuredShape& first = result.shapes[0];
  const Subject& subject = first.shape.subject;
  if (has_state_probes(subject)) {
    result.state = measure_state(subject, ask_);
    if (first.gates.map)
      differences_.add(first.shape,
                       state_differences(subject, *result.state, measure_state(subject, ask_oracle()),
                                         *first.gates.map, ask_));
  }
  if (has_reduction_probes(row_of(subject.insn.op)) && !result.reduction) reduction(first.shape);
  const bool counted = std::ranges::any_of(ways, is_count);  // the largest numbers reach far repeats
  const auto far_repeats = [&] {
    if (auto found = far_repeat_difference(subject, ask_)) differences_.add(first.shape, {*std::move(found)});
    result.differences = differences_.sentences();
  };
  if (counted && std::ranges::none_of(differences_.parts(), &Difference::of_all_shapes)) far_repeats();
  const auto written_back = [&] {
    if (auto received = received_difference(subject, ask_))
      return differences_.add(first.shape, {*std::move(received)});
    if (auto back = written_back_difference(subject, ask_)) differences_.add(first.shape, {*std::move(back)});
  };
  if (counted && !differences_.any()) written_back();  // lanes behind the count are masked off, too
  if (!differences_.any()) numbers(shapes, ways);
  if (result.differences.empty()) under_full_mask(shapes);
  if (result.differences.empty()) {
    if (auto read = read_of_dst_difference(shapes, ask_)) differences_.add(first.shape, {*std::move(read)});
    if (!counted) written_back();
    if (auto kept = unwritten_results(subject, ask_)) differences_.add(first.shape, {*std::move(kept)});
    result.differences = differences_.sentences();
  }
  if (result.differences.empty()) registers(first.shape);
  if (result.differences.empty()) gates_of_register(first.shape);
  shown_register(first.shape);
  if (result.differences.empty() && !counted) far_repeats();
  if (auto parts = result.differences.empty() ? unwritten_parts(subject, ask_) : std::nullopt)
    differences_.add(first.shape, {*std::move(parts)});
  result.differences = differences_.sentences();
  if (auto control = result.differences.empty() ? whole_control(subject, ask_) : std::nullopt)
    differences_.add(first.shape, {*std::move(control)});
  result.differences = differences_.sentences();
  if (result.differences.empty() && has_value_probes(row_of(subject.insn.op))) values(first);
  if (auto written = result.differences.empty() ? written_source(subject, ask_) : std::nullopt)
    differences_.add(first.shape, {*std::move(written)});
  result.differences = differences_.sentences();
  if (auto kept = result.differences.empty() ? unwritten_elements(subject, ask_) : std::nullopt)
    differences_.add(first.shape, {*std::move(kept)});
  result.differences = differences_.sentences();
  for (const MaskGiven given : ways)
    if (result.differences.empty() && !is_count(given) && given != MaskGiven::words) {
      differences_.add(first.shape, places_under_length(shapes, given, ask_));
      result.differences = differences_.sentences();
    }
  if (auto start = result.differences.empty() ? rounded_start(subject, ask_) : std::nullopt)
    differences_.add(first.shape, {*std::move(start)});
  result.differences = differences_.sentences();
}

void Measuring::far_operands(const Shape& shape) {
  if (auto found = far_operand_difference(shape.subject, ask_)) differences_.add(shape, {*std::move(found)});
  result.differences = differences_.sentences();
}

void Measuring::gates_of_register(const Shape& shape) {
  const Subject& subject = shape.subject;
  auto differences = gates_of_register_differences(subject, ask_);
  bool same_with_own = false;  // gaps alone may not have shown it
  if (!differences.empty() && has_move_probes(row_of(subject.insn.op))) {
    const PlaceMaps documented = measure_moves(subject, full_mask(subject), ask_oracle());
    const auto own = move_gate_differences(subject, documented, ask_);
    same_with_own = !own.empty() && own[0].what == differences[0].what;
  }
  for (Difference& each : differences)
    if (!same_with_own)
      each.what += std::string(", with its mask in the register") + (each.where.empty() ? "" : ",");
  differences_.add(shape, std::move(differences));
  result.differences = differences_.sentences();
}

void Measuring::values(const MeasuredShape& first) {
  const Subject& subject = first.shape.subject;
  const auto &dst = first.places.destination.map, &documented = first.documented_places.destination.map;
  if (refuted_ && dst && documented && dst->written != documented->written)
    return;  // results stand in other results' places
  // A count would have a say in the results.
  auto values = value_differences(under_words(subject), ask_);
  if (values.empty() && computes_another_function(first.places)) values = {another_function(subject.insn)};
  differences_.add(first.shape, std::move(values));
  result.differences = differences_.sentences();
}

Identification Measuring::take() {
  if (!differences_.any() && refuted_) {
    const Subject& subject = result.shapes[0].shape.subject;
    differences_.add(result.shapes[0].shape,
                     {{*refuted_,
                       "the places of " + mnemonic(subject.insn) +
                           " are not the documented ones, and no law that was tried gives all that it leaves",
                       {},
                       true}});
    result.differences = differences_.sentences();
  }
  result.parts = differences_.parts();
  return std::move(result);
}

std::vector<Difference> Measuring::as_one_law(const MeasuredShape& measured, const std::vector<Shape>& shapes,
                                              std::vector<Difference> differences) {
  const Subject& subject = measured.shape.subject;
  const bool of_dst = std::ranges::any_of(differences, [](const Difference& each) {
    return each.map == MapKind::dst || each.map == MapKind::elsewhere;
  });
  if (differences[0].of_lane_count) return differences;  // operands in a row look like more repeats
  // Elements that look as if the mask, or nothing, decided about them, if all are of one kind.
  if (after_ != After::nothing && said_of_all_lanes(subject, differences)) {
    const bool on = differences[0].gates != GateKind::always;
    if (auto values = written_by_value(subject, on, ask_)) return {*std::move(values)};
  }
  if (auto merged = merged_bits_difference(subject, ask_)) return {std::move(*merged)};
  const bool of_several_slots = std::ranges::any_of(
      differences, [](const Difference& each) { return each.gates == GateKind::several; });
  if (auto count = of_several_slots ? mask_as_count(subject, ask_) : std::nullopt) return {std::move(*count)};
  // The probes compare 0 and 1 alone: data of all kinds tell whether a bit is always 0.
  const bool always = std::ranges::any_of(
      differences, [](const Difference& each) { return each.what.find(" always ") != std::string::npos; });
  if (always && row_of(subject.insn.op).compares)
    if (auto values = value_differences(subject, ask_); !values.empty()) return values;
  const bool elsewhere = std::ranges::count(differences, MapKind::elsewhere, &Difference::map) > 0;
  if (auto written = elsewhere ? written_source(subject, ask_) : std::nullopt) return {std::move(*written)};
  if (auto zeros = of_dst ? zeros_behind_difference(subject, ask_) : std::nullopt) return {std::move(*zeros)};
  const bool nothing = differences[0].what.find(" writes nothing") != std::string::npos;
  if (auto bitwise = nothing ? nothing_under_bitwise_mask(subject, ask_) : std::nullopt)
    return {std::move(*bitwise)};
  if (auto taken = nothing ? dst_as_source(subject, ask_) : std::nullopt) return {std::move(*taken)};
  if (auto parts = nothing ? unwritten_parts(subject, ask_) : std::nullopt) return {std::move(*parts)};
  if (auto law = nothing ? result_law(subject, ask_) : std::nullopt) return {std::move(*law)};
  if (of_dst)
    if (auto times = repeat_times_difference(subject, ask_)) return {std::move(*times)};
  if (differences[0].map != MapKind::gate)
    if (auto left_out = last_repeat_left_out(measured); left_out && !are_refuted(subject, {*left_out}, ask_))
      return {std::move(*left_out)};
  if (auto behind = of_dst ? written_behind(subject, ask_) : std::nullopt) return {std::move(*behind)};
  if (differences[0].only_example)
    if (auto read = read_of_dst_difference(shapes, ask_)) return {std::move(*read)};
  if (auto law = law_of_trials(subject, differences, result.shapes.empty(), ask_)) return {std::move(*law)};
  // A result that is the old dst looks as if it was not written.
  const bool never_written = std::ranges::all_of(differences, [&](const Difference& each) {
    return each.gates == GateKind::never && each.where.empty() && each.lanes.size() == lanes_of(subject.insn);
  });
  if (never_written && row_of(subject.insn.op).reads_dst)
    if (auto law = value_law(subject, ask_)) return {std::move(*law)};
  if (have_unexplained_sources(differences) && has_value_probes(row_of(subject.insn.op)))
    if (auto law = value_law(subject, ask_)) return {std::move(*law)};
  return differences;
}

}  // namespace lanecheck
