// Where an instruction reads and writes if it is given a number of elements in place of mask words.
#pragma once

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {

/// The subject under mask words, in normal mode, in place of a count.
Subject under_words(Subject subject);

/// How the places of the subject, which is given a number, differ from the documented ones. `wrong_anyway`:
/// values are wrong under mask words too, which is asked once; then no number is their cause.
std::vector<Difference> places_under_number(const Subject& subject, const Ask& ask, bool& wrong_anyway);

/// How the places differ from the documented ones in the first shape that shows a difference: under counts
/// that fill the last repeat, then under others. `given`: the count is the instruction's own or is in the
/// register.
std::vector<Difference> places_in_shapes(const std::vector<Shape>& shapes, MaskGiven given, const Ask& ask);

}  // namespace lanecheck
