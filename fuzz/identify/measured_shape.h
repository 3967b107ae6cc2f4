// What the probes of one shape show: its places and gates, beside the documented ones.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/identify.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {

/// Sources under a mask that is not full: asked only if the maps under a full mask and the gates are right.
std::vector<Difference> differences_under_gaps(const Subject& subject, const Ask& ask,
                                               const std::optional<GateMap>& gates);

/// In what the measured places and gates of a shape differ from the documented ones.
std::vector<Difference> differences_of(const MeasuredShape& measured, const Ask& ask);

/// What is wrong with the mask register, if it is: then nothing can be said about gates.
std::vector<Difference> wrong_register(const MeasuredShape& measured, const Ask& ask);

/// The mask under which places are measured: a full one if it gates lanes, one with gaps if it has no say.
MaskWords mask_of_places(const Subject& subject);

/// Does a source show that the instruction computes another function?
bool computes_another_function(const PlaceMaps& places);

/// Is nothing wrong but that no element of a source explains some results? Another function in some repeats
/// alone shows so.
bool have_unexplained_sources(const std::vector<Difference>& differences);

/// Measures the places of a shape under the mask `full`, and its gates. In shapes other than the plain one
/// the gates are measured only if two masks do not show the documented ones.
MeasuredShape measure(const Shape& shape, const Ask& ask, const MaskWords& full);
/// The same under mask_of_places().
MeasuredShape measure(const Shape& shape, const Ask& ask);

/// Are the places those of the documents for one repeat less? Not asked of one repeat, and not of two repeats
/// that write the same places: there the reverse order of the repeats looks the same.
std::optional<Difference> last_repeat_left_out(const MeasuredShape& measured);

}  // namespace lanecheck
