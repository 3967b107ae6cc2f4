// Counts a case in the heat map of its finding. The backend is not asked: the answer of the run is enough.
#pragma once

#include <vector>

#include "fuzz/explain/questions/suspects.h"
#include "fuzz/run/block.h"
#include "reports/report.h"

namespace lanecheck {

/// Counts the places where `actual` differs from `expected` after the whole program: the slots of the mask,
/// if it is `shown`, and the elements of dst that hold one of the bytes `wrong`, of the first instruction
/// with such an element. No element is counted if offsets decide where that instruction writes, or if a later
/// instruction writes to the elements that differ: then the answer does not tell which of them was wrong.
void count_places(HeatMap& heat, const Program& program, const Readings& readings, const State& expected,
                  const State& actual, const std::vector<std::uint32_t>& wrong, Shown shown);

/// Are the places of the next case of this finding counted? Those of the first cases are, and later those of
/// one case in 16: they take as much time as the comparison of the case.
bool counts_next_places(const Finding& finding);

/// Counts the places of the next case of `finding` by what the documents allow. Nothing is counted if the
/// answer is not that of a legal program that ran, or if the program is not the case's own.
void count_places(Finding& finding, const FailedCase& failed, const Documented& documented, Shown shown);

/// The offsets of the bytes of UB in which two states differ.
std::vector<std::uint32_t> differing_bytes(const State& one, const State& other);

}  // namespace lanecheck
