// The catalogue page: every rule, legality rule and reading, as Markdown (spec/catalogue.md).
#pragma once

#include <iosfwd>

#include "spec/program/reading.h"

namespace lanecheck {

void print_catalogue(std::ostream& out);

/// The options of a reading as a Markdown list, each with the profiles whose default it is.
void print_options(std::ostream& out, const Reading& reading);

}  // namespace lanecheck
