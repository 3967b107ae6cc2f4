// From a divergence to a finding: which instruction, which lanes, which rule or reading, and the smallest
// program. Every function fills the whole finding except its counts; with `shrink` it minimizes the program.
#pragma once

#include <functional>

#include "fuzz/explain/questions/lane_rows.h"
#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

/// A program on which the backend diverges, is broken, or refuses a legal program. Minimizing keeps a
/// divergence that one of the suspects reproduces, or if there are none, one that no reading explains.
/// `is_listed`: is there a finding of this id? Then it is not asked when another one happens, and what
/// passes.
Finding explain(const Program& program, Refined refined, AskedBackend& asked, const Documented& documented,
                bool shrink, const std::function<bool(const std::string& id)>& is_listed = {});

/// The id that explain_accepted() gives: cases with one id are one finding.
std::string id_of_accepted(const Program& program, const Fault& fault, const Documented& documented);

/// An illegal program that the backend ran. The finding is undecided if an open reading makes it legal.
Finding explain_accepted(const Program& program, const Fault& fault, AskedBackend& asked,
                         const Documented& documented, bool shrink);

/// A program with which the backend did `first` in the run, and does something else now that it runs the
/// program alone.
Finding explain_not_repeated(const Program& program, const BackendAnswer& first, AskedBackend& asked,
                             const Documented& documented);

}  // namespace lanecheck
