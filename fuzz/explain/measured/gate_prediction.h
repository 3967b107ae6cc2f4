// Tries what a sentence says on a program: what must the backend have left, if the sentence is true? A
// sentence that does not give it is not printed.
#pragma once

#include <optional>
#include <span>

#include "fuzz/explain/questions/suspects.h"
#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// What the sentences of one cause say together. Without laws they say nothing that can be tried.
struct Laws {
  std::vector<GateLaw> gates;    ///< the first that speaks of a lane says whether it is on
  std::vector<PlaceLaw> places;  ///< applied one after the other
  ValueLaw value;                ///< of the results of a reduction

  bool any() const { return !gates.empty() || !places.empty() || value; }
};

/// The laws of all sentences; none if one of the sentences has none.
Laws laws_of(const std::vector<Difference>& sentences);

/// Do the laws give what `answer` left? Nothing if it cannot be told.
std::optional<bool> laws_give(const BackendAnswer& answer, const Program& program, std::size_t index,
                              const Laws& laws, const Documented& documented);

/// Do the laws say something else of instruction `index` than the documents do? If not, they do not explain
/// the program. True if it cannot be told.
bool laws_deviate(const Program& program, std::size_t index, const Laws& laws, const Documented& documented);

/// Do the laws give what the backend leaves in other programs with the same instruction: with other
/// data and, if they speak of gates, under other masks? True if it cannot be told.
bool laws_give_elsewhere(const Program& program, std::size_t index, const Laws& laws, AskedBackend& asked,
                         const Documented& documented);

/// Does the law say that a result of instruction `index` is not what the documents say? If it does not, it
/// does not explain the program. True if it cannot be told.
bool results_deviate(const Program& program, std::size_t index, const ResultLaw& law,
                     const Semantics& semantics);

/// "; so with repeat times 5, 8, not with 1..3", "; so from 8 repeats on, not with 1..7": if the laws give
/// what the backend leaves with some other repeat times, and not with others. Empty if they hold for all, or
/// if it cannot be told.
std::string repeat_times_of_laws(const Program& program, std::size_t index, const Laws& laws,
                                 AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
