#include "fuzz/identify/identify.h"

#include <algorithm>

#include "fuzz/identify/gate_law.h"
#include "fuzz/identify/gate_map.h"
#include "fuzz/identify/place_law.h"
#include "fuzz/identify/place_map.h"
#include "fuzz/identify/shown_mask.h"

namespace lanecheck {
namespace {

/// A mask whose words differ, with gaps of many lengths.
constexpr MaskWords kGaps = {0x6d21f0c3a95e7b04, 0xb5c6e8127af09b49};

std::vector<Difference> differences_of(const MeasuredShape& measured) {
  const Subject& subject = measured.shape.subject;
  PlaceDifferences places =
      place_differences(subject, measured.places, measured.documented_places, measured.gates.map);
  std::vector<Difference> differences = std::move(places.list);
  if (measured.gates.map && measured.documented_gates.map)
    for (Difference& difference :
         gate_differences(subject, *measured.gates.map, *measured.documented_gates.map, places.lost))
      differences.push_back(std::move(difference));
  return differences;
}

/// Sources under a mask that is not full: asked only if the maps under a full mask and the gates are right.
std::vector<Difference> differences_under_gaps(const Subject& subject, const Ask& ask,
                                               const std::optional<GateMap>& gates) {
  const MaskWords full = full_mask(subject);
  const MaskWords gaps = {kGaps.high & full.high, kGaps.low & full.low};
  auto differences = place_differences(subject, measure_places(subject, gaps, ask),
                                       measure_places(subject, gaps, ask_oracle()), gates)
                         .list;
  for (Difference& difference : differences) difference.what += ", under a mask that is not full";
  return differences;
}

/// What is wrong with the mask register, if it is: then nothing can be said about gates.
std::vector<Difference> wrong_register(const MeasuredShape& measured, const Ask& ask) {
  const auto &gates = measured.gates.map, &documented = measured.documented_gates.map;
  if (measured.shape.subject.profile != Profile::vmc || !gates || !documented) return {};
  if (!shows_another_mask(*gates, *documented)) return {};
  return shown_mask_differences(measured.shape.subject, *gates, *documented, ask);
}

MeasuredShape measure(const Shape& shape, const Ask& ask) {
  const Ask oracle = ask_oracle();
  const MaskWords full = full_mask(shape.subject);
  MeasuredShape measured{shape, {}, {}, {}, {}};
  measured.places = measure_places(shape.subject, full, ask);
  measured.documented_places = measure_places(shape.subject, full, oracle);
  measured.gates = measure_gates(shape.subject, ask);
  measured.documented_gates = measure_gates(shape.subject, oracle);
  return measured;
}

/// What the shapes show, without repetitions. A map that differs in one shape mostly differs in the next ones
/// for the same reason: of a later shape only maps that did not differ before are added. Of two differences
/// that differ only in their repeats, the one of the shape with more repeats stays.
class Differences {
 public:
  void add(const Shape& shape, std::vector<Difference> more) {
    const unsigned repeats = repeats_of(shape.subject.insn);
    const bool plain = shapes_ == 0 || shape.name == first_;
    if (shapes_ == 0) first_ = shape.name;
    const std::string about = plain ? "" : " (" + shape.about + ")";
    for (Difference& difference : more) {
      const auto same = std::ranges::find_if(list_, [&](const Listed& each) {
        return each.shape != shapes_ && each.difference.what == difference.what;
      });
      if (same != list_.end() && same->repeats < repeats) {
        same->difference.where = difference.where;
        same->repeats = repeats;
      }
      const bool known = std::ranges::any_of(list_, [&](const Listed& each) {
        return difference.map == "elsewhere" ||
               (each.shape != shapes_ && each.difference.map == difference.map);
      });
      if (!known) list_.push_back({std::move(difference), repeats, about, shapes_});
    }
    ++shapes_;
  }

  std::vector<std::string> sentences() const {
    std::vector<std::string> texts;
    for (const Listed& each : list_) texts.push_back(each.difference.sentence() + each.about);
    return texts;
  }

 private:
  struct Listed {
    Difference difference;
    unsigned repeats;
    std::string about;
    unsigned shape;
  };
  std::vector<Listed> list_;
  unsigned shapes_ = 0;
  std::string first_;  ///< the name of the first shape
};

Identification identify_in(const std::vector<Shape>& shapes, const Ask& ask, Shown shown) {
  Identification result;
  const Ask counting = [&](const Batch& batch) {
    result.programs += batch.programs.size();
    ask(batch);
  };
  Differences differences;
  for (const Shape& shape : shapes) {
    MeasuredShape measured = measure(shape, counting);
    const bool first = result.shapes.empty();
    std::vector<Difference> more;
    if (first && shown.mask) more = wrong_register(measured, counting);
    if (!more.empty()) {
      result.shapes.push_back(std::move(measured));
      result.differences.push_back(more[0].sentence());
      return result;
    }
    more = differences_of(measured);
    if (first && more.empty()) more = differences_under_gaps(shape.subject, counting, measured.gates.map);
    differences.add(shape, std::move(more));
    result.shapes.push_back(std::move(measured));
  }
  const MeasuredShape& first = result.shapes[0];
  if (has_state_probes(first.shape.subject)) {
    result.state = measure_state(first.shape.subject, counting);
    // Wrong gates would look like a wrong state.
    if (first.gates.map && first.documented_gates.map &&
        first.gates.map->gates == first.documented_gates.map->gates)
      differences.add(first.shape,
                      state_differences(first.shape.subject, *result.state,
                                        measure_state(first.shape.subject, ask_oracle()), *first.gates.map));
  }
  if (has_reduction_probes(row_of(first.shape.subject.insn.op))) {
    result.reduction = measure_reduction(first.shape.subject, counting);
    const auto documented = measure_reduction(first.shape.subject, ask_oracle());
    if (result.reduction->map && documented.map)
      differences.add(first.shape,
                      reduction_differences(first.shape.subject, *result.reduction->map, *documented.map));
  }
  result.differences = differences.sentences();
  return result;
}

/// The first reason in a shape why a map is missing; empty if none is.
std::string why_not_in(const MeasuredShape& shape) {
  if (!shape.gates.map) return shape.gates.why_not;
  if (!shape.places.destination.map) return shape.places.destination.why_not;
  for (const auto& source : shape.places.sources)
    if (!source.map) return source.why_not;
  return {};
}

}  // namespace

bool Identification::measured() const {
  if (reduction && reduction->map) return true;
  return std::ranges::any_of(
      shapes, [](const MeasuredShape& shape) { return shape.gates.map || shape.places.destination.map; });
}

std::string Identification::why_not() const {
  if (reduction) return reduction->map ? "" : reduction->why_not;
  for (const MeasuredShape& shape : shapes)
    if (std::string why = why_not_in(shape); !why.empty()) return shape.shape.name + ": " + why;
  return {};
}

Identification identify(const Subject& subject, const Ask& ask, Shown shown) {
  return identify_in(shapes_of(subject), ask, shown);
}

Identification identify(const Program& diverging, std::size_t index, const Ask& ask, Shown shown) {
  const Subject given{diverging.profile, diverging.instructions[index]};
  return identify_in({shapes_of(given)[0], {"given", "the strides and repeat times given", given}}, ask,
                     shown);
}

}  // namespace lanecheck
