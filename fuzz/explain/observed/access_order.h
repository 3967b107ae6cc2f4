// Tells in which order an instruction reads and writes, where a source and dst share bytes.
#pragma once

#include <optional>
#include <string>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

struct AccessOrder {
  std::string sentence;
  std::string reading;     ///< one that says the same where results meet; else empty
  bool only_here = false;  ///< with other repeat times it does something else
};

/// Does a repeat read dst where an earlier one wrote it?
bool adds_up_over_repeats(const Instruction& insn);

/// The instruction of the finding writes bytes of dst that one of its sources shares. Does the backend leave
/// what it would leave if it had read the whole source before it wrote anything, or if its repeats ran from
/// the last to the first? It is asked about this program and about the same one with other data. What it does
/// if it does so each time, else nothing.
std::optional<AccessOrder> access_order(const Finding& finding, AskedBackend& asked,
                                        const Documented& documented);

}  // namespace lanecheck
