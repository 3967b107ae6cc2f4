#include "fuzz/identify/identify.h"

#include <algorithm>

#include "fuzz/identify/gate_law.h"
#include "fuzz/identify/gate_map.h"
#include "fuzz/identify/place_law.h"
#include "fuzz/identify/place_map.h"

namespace lanecheck {
namespace {

/// A mask whose words differ, with gaps of many lengths.
constexpr MaskWords kGaps = {0x6d21f0c3a95e7b04, 0xb5c6e8127af09b49};

std::vector<std::string> differences_of(const MeasuredShape& measured) {
  const Subject& subject = measured.shape.subject;
  PlaceDifferences places =
      place_differences(subject, measured.places, measured.documented_places, measured.gates.map);
  std::vector<std::string> sentences = std::move(places.sentences);
  if (measured.gates.map && measured.documented_gates.map)
    for (std::string& sentence :
         gate_differences(subject, *measured.gates.map, *measured.documented_gates.map, places.lost))
      sentences.push_back(std::move(sentence));
  return sentences;
}

/// Sources under a mask that is not full: asked only if the maps under a full mask and the gates are right.
std::vector<std::string> differences_under_gaps(const Subject& subject, const Ask& ask,
                                                const std::optional<GateMap>& gates) {
  const MaskWords full = full_mask(subject);
  const MaskWords gaps = {kGaps.high & full.high, kGaps.low & full.low};
  auto sentences = place_differences(subject, measure_places(subject, gaps, ask),
                                     measure_places(subject, gaps, ask_oracle()), gates)
                       .sentences;
  for (std::string& sentence : sentences) sentence += ", under a mask that is not full";
  return sentences;
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

Identification identify_in(const std::vector<Shape>& shapes, const Ask& ask) {
  Identification result;
  const Ask counting = [&](const Batch& batch) {
    result.programs += batch.programs.size();
    ask(batch);
  };
  std::vector<std::string> known;
  for (const Shape& shape : shapes) {
    MeasuredShape measured = measure(shape, counting);
    auto sentences = differences_of(measured);
    const bool first = result.shapes.empty();
    if (first && sentences.empty())
      sentences = differences_under_gaps(shape.subject, counting, measured.gates.map);
    for (const std::string& sentence : sentences) {
      if (std::ranges::find(known, sentence) != known.end()) continue;
      known.push_back(sentence);
      result.differences.push_back(first ? sentence : sentence + " (" + shape.about + ")");
    }
    result.shapes.push_back(std::move(measured));
  }
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
  return std::ranges::any_of(
      shapes, [](const MeasuredShape& shape) { return shape.gates.map || shape.places.destination.map; });
}

std::string Identification::why_not() const {
  for (const MeasuredShape& shape : shapes)
    if (std::string why = why_not_in(shape); !why.empty()) return shape.shape.name + ": " + why;
  return {};
}

Identification identify(const Subject& subject, const Ask& ask) {
  return identify_in(shapes_of(subject), ask);
}

Identification identify(const Program& diverging, std::size_t index, const Ask& ask) {
  const Subject given{diverging.profile, diverging.instructions[index]};
  return identify_in({shapes_of(given)[0], {"given", "the strides and repeat times given", given}}, ask);
}

}  // namespace lanecheck
