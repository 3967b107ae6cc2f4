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

/// The program with other bytes in the dst of its last instruction and between the allocations, so that what
/// is written differs from what was there. If the instruction works in place, dst gets an allocation of its
/// own.
Program with_other_dst(Program program, bool also_gaps = true);

}  // namespace lanecheck
