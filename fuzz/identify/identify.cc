#include "fuzz/identify/identify.h"

#include <algorithm>

#include "fuzz/identify/difference_list.h"
#include "fuzz/identify/gate_differences.h"
#include "fuzz/identify/gate_map.h"
#include "fuzz/identify/gather_mask_map.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/move_differences.h"
#include "fuzz/identify/move_map.h"
#include "fuzz/identify/place_differences.h"
#include "fuzz/identify/place_map.h"
#include "fuzz/identify/register_map.h"
#include "fuzz/identify/shown_mask.h"
#include "fuzz/identify/value_differences.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// A mask whose words differ, with gaps of many lengths.
constexpr MaskWords kGaps = {0x6d21f0c3a95e7b04, 0xb5c6e8127af09b49};

MaskWords gaps_of(const Subject& subject) {
  const MaskWords full = full_mask(subject);
  return {kGaps.high & full.high, kGaps.low & full.low};
}

/// Sources under a mask that is not full: asked only if the maps under a full mask and the gates are right.
std::vector<Difference> differences_under_gaps(const Subject& subject, const Ask& ask,
                                               const std::optional<GateMap>& gates) {
  const MaskWords gaps = gaps_of(subject);
  auto differences = place_differences(subject, measure_places(subject, gaps, ask),
                                       measure_places(subject, gaps, ask_oracle()), gates)
                         .list;
  for (Difference& difference : differences) difference.what += ", under a mask that is not full";
  return differences;
}

/// "obeys the mask": what an instruction does with lanes whose slot is 0, if that is all that is wrong.
std::optional<std::string> obeys(const Subject& subject, const PlaceMaps& gapped, const PlaceMaps& full) {
  std::optional<std::int32_t> off;  // kKept or kAlwaysZero
  const MaskWords gaps = gaps_of(subject);
  const unsigned lanes = lanes_of(subject.insn);
  for (std::size_t n = 0; n < gapped.sources.size(); ++n) {
    if (!gapped.sources[n].map || !full.sources[n].map) continue;
    const SourceMap &with = *gapped.sources[n].map, &without = *full.sources[n].map;
    const auto places = lanes_of_dst(subject, without);
    for (std::size_t m = 0; m < with.sources.size(); ++m) {
      const std::int32_t unit = with.first + static_cast<std::int32_t>(m);
      const auto lane = places.find(unit);
      const bool is_off =
          lane != places.end() && lane->second % lanes < 128 && !has_slot(gaps, lane->second % lanes);
      if (!is_off && with.sources[m] != without.sources[m]) return {};
      if (!is_off) continue;
      if (!off) off = with.sources[m];
      if (with.sources[m] != *off) return {};
    }
  }
  if (off == kKept) return "keep their old dst";
  if (off == kAlwaysZero) return "are 0";
  return {};
}

/// The instructions of move_map.h. If the mask has no say by the documents and the maps differ, a full mask
/// tells whether it is the mask that changes them.
std::vector<Difference> moved_differences(const MeasuredShape& measured, const Ask& ask) {
  const Subject& subject = measured.shape.subject;
  const Row& row = row_of(subject.insn.op);
  auto differences = move_differences(subject, measured.places, measured.documented_places);
  if (row.mask == MaskUse::gates_writeback && differences.empty()) {
    const MaskWords gaps = gaps_of(subject);
    const PlaceMaps is = measure_moves(subject, gaps, ask),
                    should = measure_moves(subject, gaps, ask_oracle());
    if (auto zeros = zeros_where_off(subject, is, should, measured.documented_places)) return {*zeros};
    differences = move_differences(subject, is, should);
    for (Difference& difference : differences) difference.what += ", under a mask that is not full";
  }
  if (row.mask != MaskUse::ignores) return differences;
  if (differences.empty()) return {};
  const PlaceMaps full = measure_moves(subject, full_mask(subject), ask);
  auto without = move_differences(subject, full, measured.documented_places);
  if (!without.empty()) return without;
  const std::string name = mnemonic(subject.insn);
  if (const auto off = obeys(subject, measured.places, full))
    return {{"gate",
             name + " obeys the mask: " + (row.compares ? "bits" : "lanes") + " whose slot is 0 " + *off,
             {}}};
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
  if (known && measured.gates.map && measured.documented_gates.map)
    for (Difference& difference :
         gate_differences(subject, *measured.gates.map, *measured.documented_gates.map, places.lost))
      differences.push_back(std::move(difference));
  return differences;
}

/// What is wrong with the mask register, if it is: then nothing can be said about gates.
std::vector<Difference> wrong_register(const MeasuredShape& measured, const Ask& ask) {
  const Subject& subject = measured.shape.subject;
  if (subject.profile != Profile::vmc || measured.shown == measured.documented_shown) return {};
  return shown_mask_differences(subject, measured.shown, ask);
}

/// The mask under which places are measured: a full one if it gates lanes, one with gaps if it has no say.
MaskWords mask_of_places(const Subject& subject) {
  switch (row_of(subject.insn.op).mask) {
    case MaskUse::neutral_source:
      return one_of_each_group(subject, 0);
    case MaskUse::ignores:
      return gaps_of(subject);
    case MaskUse::gates_writeback:
    case MaskUse::is_mask_state:
      break;
  }
  return full_mask(subject);
}

MeasuredShape measure(const Shape& shape, const Ask& ask) {
  const Ask oracle = ask_oracle();
  const MaskWords full = mask_of_places(shape.subject);
  MeasuredShape measured{shape, {}, {}, {}, {}, {}, {}};
  if (has_move_probes(row_of(shape.subject.insn.op))) {
    measured.places = measure_moves(shape.subject, full, ask, &measured.shown);
    measured.documented_places = measure_moves(shape.subject, full, oracle, &measured.documented_shown);
    measured.gates.why_not = measured.documented_gates.why_not = "";
    return measured;
  }
  measured.places = measure_places(shape.subject, full, ask);
  measured.documented_places = measure_places(shape.subject, full, oracle);
  // In later shapes two masks tell whether the gates are worth measuring again.
  const bool first = shape.name == "plain";
  const MaskWords gaps = gaps_of(shape.subject);
  const std::vector<MaskWords> two = {gaps, {~gaps.high & full.high, ~gaps.low & full.low}};
  if (!first) {
    const auto some = measure_gates(shape.subject, ask, {}, two);
    const auto documented = measure_gates(shape.subject, oracle, {}, two);
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

/// What is asked after a shape that differs: the one with most repeats, nothing, or the one with most repeats
/// if the difference is one of some repeats only.
enum class After : std::uint8_t { most_repeats, nothing, which_repeats };

/// Is this shape worth its questions, after what the shapes before it have shown?
bool is_asked(const Shape& shape, const DifferenceList& so_far, After after) {
  const bool is_long = shape.name == "long";
  switch (after) {
    case After::most_repeats:
      return is_long || !so_far.any();
    case After::nothing:
      return !is_long && !so_far.any();
    case After::which_repeats:
      break;
  }
  return is_long ? so_far.any() && !so_far.settled() : !so_far.any();
}

Shape with_mask_from(Shape shape, MaskFrom from) {
  shape.subject.insn.mask_from = from;
  return shape;
}

/// The shapes, up to the first one that differs, and what comes after it.
class Measuring {
 public:
  Measuring(const Ask& ask, Shown shown, After after)
      : ask_([this, &ask](const Batch& batch) {
          result.programs += batch.programs.size();
          ask(batch);
        }),
        shown_(shown),
        after_(after) {}

  void shapes(const std::vector<Shape>& shapes) {
    for (const Shape& shape : shapes) {
      const bool first = result.shapes.empty();
      if (!is_asked(shape, differences_, after_)) continue;
      MeasuredShape measured = measure(shape, ask_);
      std::vector<Difference> more;
      if (first && shown_.mask) more = wrong_register(measured, ask_);
      wrong_register_ = !more.empty();
      if (!wrong_register_) more = differences_of(measured, ask_);
      if (first && more.empty() && measured.gates.map)
        more = differences_under_gaps(shape.subject, ask_, measured.gates.map);
      differences_.add(shape, std::move(more));
      result.shapes.push_back(std::move(measured));
      if (wrong_register_) break;
    }
    result.differences = differences_.sentences();
  }

  /// What an instruction leaves in the mask register, and whether its own mask is all that counts.
  void registers(const Shape& shape) {
    differences_.add(shape, register_differences(shape.subject, ask_));
    result.differences = differences_.sentences();
  }

  void gather_mask(const Shape& shape) {
    differences_.add(shape, gather_mask_differences(shape.subject, ask_));
    if (!differences_.any()) differences_.add(shape, register_differences(shape.subject, ask_));
    result.differences = differences_.sentences();
  }

  /// An instruction that is given a number of elements.
  void numbers(const std::vector<Shape>& shapes, const std::vector<MaskGiven>& ways) {
    for (const MaskGiven given : ways)
      if (!differences_.any()) differences_.add(shapes[0], number_differences(shapes, given, ask_));
    result.differences = differences_.sentences();
  }

  /// What the instruction does besides; asked only if its places and gates are as documented.
  void others(const std::vector<Shape>& shapes, const std::vector<MaskGiven>& ways) {
    if (!result.differences.empty()) return;
    const MeasuredShape& first = result.shapes[0];
    const Subject& subject = first.shape.subject;
    if (has_state_probes(subject)) {
      result.state = measure_state(subject, ask_);
      if (first.gates.map)
        differences_.add(first.shape,
                         state_differences(subject, *result.state, measure_state(subject, ask_oracle()),
                                           *first.gates.map));
    }
    if (has_reduction_probes(row_of(subject.insn.op)) && !result.reduction) reduction(first.shape);
    numbers(shapes, ways);
    if (result.differences.empty()) registers(first.shape);
    if (!result.differences.empty() || !has_value_probes(row_of(subject.insn.op))) return;
    differences_.add(first.shape, value_differences(subject, ask_));
    result.differences = differences_.sentences();
  }

  /// A reduction whose results under a full mask are right: its elements, neutral element and written results
  /// come before its places, which are measured under a mask that is not full.
  void reduction_first(const Shape& shape) {
    const Subject& subject = shape.subject;
    if (!has_reduction_probes(row_of(subject.insn.op))) return;
    if (const auto contributions = measure_contributions(subject, ask_); contributions.map) {
      differences_.add(shape, contribution_differences(subject, *contributions.map));
      result.differences = differences_.sentences();
      if (differences_.any()) {
        result.shapes.push_back(measure(shape, ask_));
        return;
      }
    }
    if (!places_under_full_mask(subject, ask_)) return;
    MeasuredShape measured = measure(shape, ask_);
    if (shown_.mask)
      if (const auto wrong = wrong_register(measured, ask_); !wrong.empty()) return;
    reduction(shape);
    if (!result.differences.empty()) result.shapes.push_back(std::move(measured));
  }

  Identification take() {
    result.parts = differences_.parts();
    return std::move(result);
  }

  Identification result;

 private:
  void reduction(const Shape& shape) {
    result.reduction = measure_reduction(shape.subject, ask_);
    const auto documented = measure_reduction(shape.subject, ask_oracle());
    if (result.reduction->map && documented.map)
      differences_.add(shape, reduction_differences(shape.subject, *result.reduction->map, *documented.map));
    result.differences = differences_.sentences();
  }

  Ask ask_;
  Shown shown_;
  After after_;
  DifferenceList differences_;
  bool wrong_register_ = false;
};

/// `ways`: the numbers that the instruction may be given.
Identification identify_in(const std::vector<Shape>& shapes, const std::vector<MaskGiven>& ways,
                           const Ask& ask, Shown shown, After after) {
  Measuring measuring(ask, shown, after);
  const Subject& subject = shapes[0].subject;
  if (row_of(subject.insn.op).compacts) {
    const auto given = std::ranges::find(shapes, "given", &Shape::name);
    measuring.gather_mask(given == shapes.end() ? shapes[0] : *given);
    return measuring.take();
  }
  // The probes below give the instruction a bitwise mask of its own.
  if (has_form(mask_forms(row_of(subject.insn.op), subject.profile), MaskFrom::bitwise))
    measuring.registers(with_mask_from(shapes[0], MaskFrom::bitwise));
  if (measuring.result.differences.empty()) measuring.reduction_first(shapes[0]);
  if (measuring.result.differences.empty()) measuring.shapes(shapes);
  measuring.others(shapes, ways);
  return measuring.take();
}

/// An instruction without operands: what it does to the register, and what its number does to an addition.
Identification identify_mask_instruction(const Subject& subject, const Ask& ask, Shown shown) {
  Measuring measuring(ask, shown, After::nothing);
  if (!has_register_probes(subject)) return measuring.take();
  const Op op = subject.insn.op;
  const Row& add = row_of(Op::add);
  const Subject addition = default_subject(subject.profile, add, add.in(subject.profile).pairs.front());
  const std::vector<Shape> shapes = {shapes_of(addition)[0]};
  if (op == Op::set_vector_mask_len) measuring.numbers(shapes, {MaskGiven::length});
  if (op == Op::set_vector_mask_total) measuring.numbers(shapes, {MaskGiven::total});
  if (measuring.result.differences.empty()) measuring.registers({"plain", "", subject});
  return measuring.take();
}

/// The first reason in a shape why a map is missing; empty if none is.
std::string why_not_in(const MeasuredShape& shape) {
  if (!shape.gates.map && !shape.gates.why_not.empty()) return shape.gates.why_not;
  if (!shape.places.destination.map) return shape.places.destination.why_not;
  for (const auto& source : shape.places.sources)
    if (!source.map && !source.why_not.empty()) return source.why_not;
  return {};
}

}  // namespace

bool Identification::measured() const {
  if (reduction && reduction->map) return true;
  return std::ranges::any_of(
      shapes, [](const MeasuredShape& shape) { return shape.gates.map || shape.places.destination.map; });
}

std::string Identification::why_not() const {
  if (reduction && !reduction->map) return reduction->why_not;
  for (const MeasuredShape& shape : shapes)
    if (std::string why = why_not_in(shape); !why.empty()) return shape.shape.name + ": " + why;
  return {};
}

Identification identify(const Subject& subject, const Ask& ask, Shown shown) {
  if (row_of(subject.insn.op).operands.empty()) return identify_mask_instruction(subject, ask, shown);
  return identify_in(shapes_of(subject), numbers_given(subject), ask, shown, After::most_repeats);
}

Identification identify(const Program& diverging, std::size_t index, const Ask& ask, Shown shown,
                        bool which_repeats) {
  const Subject given{diverging.profile, diverging.instructions[index]};
  if (row_of(given.insn.op).operands.empty()) return identify_mask_instruction(given, ask, shown);
  constexpr unsigned kManyRepeats =
      32;  // a difference may be one of many repeats: then the longest shape is first
  const bool many = repeats_of(given.insn) > kManyRepeats;
  const Shape own{"given", "with the strides of this case", given};
  std::vector<Shape> shapes, longest;
  for (Shape& each : shapes_of(given)) {
    if (each.name == "plain" || each.name == "strided")
      shapes.push_back(std::move(each));
    else if (each.name == "long")
      longest.push_back(std::move(each));
  }
  if (many && !longest.empty()) longest[0].name = "longest";
  shapes.insert(shapes.end(), longest.begin(), longest.end());
  shapes.insert(many ? shapes.end() : shapes.end() - static_cast<std::ptrdiff_t>(longest.size()), own);
  return identify_in(shapes, {mask_given(diverging, index)}, ask, shown,
                     which_repeats ? After::which_repeats : After::nothing);
}

}  // namespace lanecheck
