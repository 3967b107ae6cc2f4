// Finds the earlier programs after which a backend becomes wrong about a program.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fuzz/explain/questions/ask_again.h"

namespace lanecheck {

struct Trigger {
  std::vector<Program> before;  ///< run in this order in a new process, just before `program`
  Program program;
  BackendAnswer wrong;  ///< what the backend does with `program` after them
};

/// The last `count` programs that were run before the case, oldest first; fewer if there were fewer.
using History = std::function<std::vector<Program>(std::size_t count)>;

/// How many programs before the case are tried.
inline constexpr std::size_t kMostHistory = 256;
/// How often an answer is asked for before something is said about it.
inline constexpr unsigned kAsks = 5;

/// Finds programs after which the backend is wrong about `program` each time. It is right about it as the
/// first program of a process, as the caller has seen. With `shrink` programs and instructions that do not
/// matter are left out. Nothing if neither the history nor variations of the program bring it about.
std::optional<Trigger> find_trigger(const Program& program, const History& history, AskAgain& ask,
                                    bool shrink);

/// Is the backend wrong about `program` after `before`, and right about it as the first program of a process?
bool brings_about(const std::vector<Program>& before, const Program& program, AskAgain& ask);

}  // namespace lanecheck
