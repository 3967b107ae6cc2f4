// An instruction that is put before the last one of a program and touches nothing of it, and types for it.
#pragma once

#include <functional>
#include <optional>

#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/explain/questions/suspects.h"
#include "spec/program/instruction_table.h"
#include "spec/program/program.h"

namespace lanecheck {

/// The program with one repeat of `row` before its last instruction, in allocations of its own and under the
/// mask of the last instruction. The result may be illegal.
Program with_inserted(Program program, const Row& row, const TypePair& types);

/// The first program that `make(types)` gives for the types of `row`, that the backend offers and that is
/// legal. `make` gives nothing for types that are not wanted.
std::optional<Program> first_that_runs(
    const Row& row, const std::function<std::optional<Program>(const TypePair& types)>& make,
    AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
