// The groups of options that several commands share. Each group is a struct that a command holds in its own
// options; `declare` adds the options to the command.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/backend/backend.h"
#include "fuzz/backend/isolation.h"
#include "fuzz/command/command_line.h"
#include "fuzz/run/run.h"
#include "spec/program/reading.h"

namespace lanecheck {

/// The backend of this name. Throws InputError, which suggests the nearest name, if no backend has this name.
Backend named_backend(const std::string& name, const AttachOptions& options = {});

/// How to attach a backend: --deadline, --start-up, --restarts, --in-process.
struct AttachGroup {
  AttachOptions attach;

  std::vector<Argument> declare(Command& command);  ///< the options in this order
  /// Throws InputError if the options cannot be meant for `backend`.
  void check(const std::string& backend) const;
};

/// --backend and how to attach it.
struct BackendGroup : AttachGroup {
  std::string backend = "example";

  /// The option --backend; `attaching` gets the options of AttachGroup.
  Argument declare(Command& command, std::vector<Argument>* attaching = nullptr);
  Backend find() const;
};

/// --profile. Throws InputError for an unknown one.
struct ProfileGroup {
  std::string name = "vmc";

  Argument declare(Command& command);
  Profile profile() const;
};

/// --reading, several times.
struct ReadingsGroup {
  std::vector<std::string> settings;  ///< "id=option"

  Argument declare(Command& command);
  /// Sets the readings in `readings` and returns their ids. Throws InputError for one that `profile` does not
  /// leave open.
  std::vector<std::string> pin_into(Readings& readings, Profile profile) const;
};

/// --seed.
struct SeedGroup {
  std::uint64_t seed = 1;

  Argument declare(Command& command);
};

/// --seed, --first, --cases.
struct WindowGroup : SeedGroup {
  std::uint64_t first = 0, cases = 0;

  Argument declare(Command& command);  ///< the option --cases
  void check() const;                  ///< throws InputError if the window reaches past 2^64 - 1
};

/// The options that reproduce a finding, as the user gave them: --backend, --profile and --reading.
std::vector<std::string> reproducing_arguments(const BackendGroup& backend, const ProfileGroup& profile,
                                               const ReadingsGroup& readings);

bool takes_profile(const Backend& backend, Profile profile);
/// Throws InputError if `backend` does not run programs of `profile`.
void require_profile(const Backend& backend, Profile profile);

/// Options of a run in `profile`, under its readings and those that the user pins.
RunOptions run_options(Profile profile, const ReadingsGroup& readings, std::uint64_t seed = 1);
/// Makes generated case `index` as `run` sends it to this backend: without what the backend does not offer.
/// Returns why `run` does not send it, or "".
std::string generate_for(const Backend& backend, const RunOptions& run, std::uint64_t index,
                         Program& program);
/// What --index shows; for the help.
extern const char* const kIndexHelp;
/// Pins the readings that the backend says it follows, except those that the user pinned.
void pin_readings_of(const Backend& backend, RunOptions& run);

}  // namespace lanecheck
