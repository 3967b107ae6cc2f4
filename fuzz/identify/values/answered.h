// What a backend answers to the programs of value_data.h.
#pragma once

#include <limits>
#include <vector>

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/values/value_conditions.h"

namespace lanecheck {

struct Answered {
  std::vector<Program> programs;
  Layout layout;
  std::vector<State> actual;
};

inline constexpr std::size_t kEveryProgram = std::numeric_limits<std::size_t>::max();

/// At most `most` programs. `draw`: which data. Empty if the backend does not answer.
Answered ask_values(const Subject& subject, const Ask& ask, unsigned draw, const MaskWords& mask,
                    std::size_t most = kEveryProgram);

/// The results of all programs, which `answered` must outlive.
std::vector<JudgedResult> judge_results(const Answered& answered);

}  // namespace lanecheck
