// One program, judged outside a run.
#pragma once

#include <optional>

#include "fuzz/backend/backend.h"
#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/run/options.h"

namespace lanecheck {

/// Judges one program and, if the options say so, minimizes it. Nothing if the backend conforms or skips it.
/// A program of another profile than the options' is judged under the default readings of its own
/// profile, and none of them is pinned.
std::optional<Finding> judge(const Program& program, const RunOptions& options, const Backend& backend);

/// The same for a program that the backend has just run with this answer. It is not run again for its
/// verdict.
std::optional<Finding> judge_answer(const Program& program, const BackendAnswer& answer,
                                    const RunOptions& options, const Backend& backend);

/// Is this answer right or undecided under the readings of `options`? The backend may be asked more.
bool admits(const RunOptions& options, const Program& program, const BackendAnswer& answer,
            const Backend& backend);

/// Why the program is not sent to the backend: what it does not offer. Nothing if it offers all of it.
std::optional<std::string> not_on_offer(const Program& program, const Backend& backend);

/// Why the backend skips a program, which it runs: it does not offer something, or it says why itself.
/// Nothing if it runs the program.
std::optional<std::string> skips(const Program& program, const Backend& backend);

}  // namespace lanecheck
