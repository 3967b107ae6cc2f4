// Where an instruction reads and writes if it is given a number of elements in place of mask words.
#pragma once

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {

/// The subject under mask words, in normal mode, in place of a count.
Subject under_words(Subject subject);

/// How the places differ from the documented ones in the first shape that shows a difference: under counts
/// that fill the last repeat, then under others. `given`: the count is the instruction's own or is in the
/// register.
std::vector<Difference> places_in_shapes(const std::vector<Shape>& shapes, MaskGiven given, const Ask& ask);

}  // namespace lanecheck
