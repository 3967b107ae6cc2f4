// What the doctor asks an adapter before any rule is judged: programs so easy that a wrong answer means a
// wrong adapter, and the mistakes that adapters are known to make.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/backend/capabilities.h"
#include "spec/program/state.h"

namespace lanecheck {

/// All questions are programs of this profile, and a backend without it cannot be asked.
inline constexpr Profile kQuestionProfile = Profile::vmc;

struct Question {
  std::string_view id;
  std::string_view asks;
  std::vector<Program> programs;  ///< run in this order; empty if the backend does not offer `needs`
  std::string_view needs;         ///< the instructions that the question takes, in words
};

/// The questions in the order in which they are asked, the easiest first. They use only what is on offer.
std::vector<Question> questions(const Capabilities& offers);

/// Programs that were sent in one batch, and those that the backend ran before them.
struct Asked {
  std::span<const Program> programs, before;
};

/// A mistake that adapters make, described by the states that such an adapter leaves.
struct AdapterMistake {
  std::string_view id;
  std::string_view cause;
  std::string_view fix;
  /// The states that an adapter with this mistake leaves after each program. Nothing if that cannot be
  /// told, because the adapter would address memory outside UB.
  std::optional<std::vector<State>> (*foretell)(const Asked& asked);
};

std::span<const AdapterMistake> mistakes();

/// The states of an adapter without mistakes.
std::vector<State> right_answers(std::span<const Program> programs);

}  // namespace lanecheck
