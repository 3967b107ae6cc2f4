// Reading the heat map of a finding from a JSON report.
#pragma once

#include "reports/heat_map.h"
#include "spec/text/json_reader.h"

namespace lanecheck::page {

/// Throws InputError, which names the field, if the numbers do not fit each other.
HeatMap read_heat(JsonObject heat);

}  // namespace lanecheck::page
