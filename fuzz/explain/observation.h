// What the lanes of a finding show. Each clause is checked against the lanes before it is said.
#pragma once

#include "oracle/execute/semantics.h"
#include "reports/report.h"

namespace lanecheck {

struct Observation {
  std::string kind;  ///< the end of the finding's id: "writes-masked-off"; empty if only values are wrong
  std::string what;  ///< one clause or several: "writes lanes that are masked off"
  Matter matter = Matter::unexplained;  ///< as far as the lanes alone decide it
  bool values_alone = false;            ///< elements that must be written hold another value; nothing else
};

/// Reads the lanes and the bytes outside dst of a located finding.
Observation observe(const Finding& finding, const Semantics& semantics);

}  // namespace lanecheck
