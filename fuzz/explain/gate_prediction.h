// Tries what a sentence says about gates on a program: what must the backend have left, if the sentence is
// true?
#pragma once

#include <optional>
#include <span>

#include "fuzz/explain/suspects.h"
#include "fuzz/identify/gate_law.h"

namespace lanecheck {

/// `program` with instruction `index` split into one instruction for each repeat, under a mask of its own:
/// the lanes are on by the first of the `laws` that speaks of them, else by the documents. The oracle then
/// leaves what the laws predict in UB. Nothing if no such program is known: in counter mode, for lanes that
/// no mask switches off, and for operands that do not walk from repeat to repeat.
std::optional<Program> split_by_laws(const Program& program, std::size_t index, std::span<const GateLaw> laws,
                                     const Semantics& semantics);

/// Do the laws give what `answer` left? Nothing if it cannot be told.
std::optional<bool> laws_give(const BackendAnswer& answer, const Program& program, std::size_t index,
                              std::span<const GateLaw> laws, const Documented& documented);

/// Do the laws give what the backend leaves under some other masks too? True if it cannot be told.
bool laws_give_under_other_masks(const Program& program, std::size_t index, std::span<const GateLaw> laws,
                                 AskedBackend& asked, const Documented& documented);

/// Does the law say that a result of instruction `index` is not what the documents say? If it does not, it
/// does not explain the program. True if it cannot be told.
bool results_deviate(const Program& program, std::size_t index, const ResultLaw& law,
                     const Semantics& semantics);

/// "; so with repeat times 5, 8, not with 1..3": if the laws give what the backend leaves with some other
/// repeat times, and not with others. Empty if they hold for all, or if it cannot be told.
std::string repeat_times_of_laws(const Program& program, std::size_t index, std::span<const GateLaw> laws,
                                 AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
