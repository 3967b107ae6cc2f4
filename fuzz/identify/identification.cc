#include <algorithm>

#include "fuzz/identify/identify.h"

namespace lanecheck {
namespace {

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
  if (!not_run.empty()) return not_run;
  if (reduction && !reduction->map) return reduction->why_not;
  for (const MeasuredShape& shape : shapes)
    if (std::string why = why_not_in(shape); !why.empty()) return shape.shape.name + ": " + why;
  return {};
}

void Identification::add(std::optional<Difference> difference) {
  if (!difference) return;
  differences.push_back(difference->sentence());
  parts.push_back(*std::move(difference));
}

}  // namespace lanecheck
