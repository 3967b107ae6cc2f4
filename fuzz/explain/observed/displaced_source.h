// Finds out whether an instruction computes its wrong elements from another place of a source than it should.
#pragma once

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// A clause that says from where the wrong elements of a finding come. It is said only if the oracle, with
/// one source operand moved by whole data blocks, leaves exactly the bits of every wrong lane, and if for
/// each data block only one place of the source fits. The finding's data may be too simple to tell places
/// apart, so the backend is asked once more with other data.
std::optional<std::string> displaced_source(const Finding& finding, AskedBackend& asked,
                                            const Documented& documented);

}  // namespace lanecheck
