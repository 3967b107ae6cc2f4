// Tells what a process keeps of the mask register, if it is wrong about a program only after another one: a
// word, the mode, or the words that it set last.
#pragma once

#include <optional>
#include <string>

#include "fuzz/explain/questions/ask_again.h"
#include "reports/report.h"

namespace lanecheck {

struct RegisterOverPrograms {
  std::string kind;      ///< for the id of the finding: "mask", "mode", "cmpmask", "words"
  std::string sentence;  ///< "starts a program with the mask that the program before left"
};

/// For a state-dependent finding. What it says gives all that the backend leaves, also after a program before
/// that sets another mask, if that is legal. Else nothing.
std::optional<RegisterOverPrograms> register_over_programs(const Finding& finding, AskAgain& ask);

}  // namespace lanecheck
