// What the doctor asks an adapter before any rule is judged: programs so easy that a wrong answer means a
// wrong adapter, and the mistakes that adapters are known to make.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/backend/capabilities.h"
#include "spec/program/profile.h"
#include "spec/program/state.h"

namespace lanecheck {

struct Question {
  std::string_view id;
  Profile profile = Profile::vmc;  ///< of all its programs
  std::string_view asks;
  std::vector<Program> programs;  ///< run in this order; empty if the backend does not offer `needs`
  std::string_view needs;         ///< the instructions that the question takes, in words
};

/// The questions in the order in which they are asked, the easiest first. They use only what is on offer. The
/// first profile gets all its questions. The others get only those about what sets the profiles apart: masks.
std::vector<Question> questions(const Capabilities& offers, std::span<const Profile> profiles);

/// Do the documents settle which mask `program` leaves? In counter mode, and after an instruction that brings
/// its own mask, that is an open reading.
bool mask_is_settled(const Program& program);

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
  ProfileSet profiles = kAllProfiles;  ///< an adapter of these can make the mistake
};

std::span<const AdapterMistake> mistakes();
std::span<const AdapterMistake> mask_mistakes();  ///< of mistakes(), those about masks (mask_mistakes.cc)

/// The states of an adapter without mistakes.
std::vector<State> right_answers(std::span<const Program> programs);

}  // namespace lanecheck
