// An implementation under test.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fuzz/backend/capabilities.h"
#include "reports/backend_process.h"
#include "spec/program/profile.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck {

struct Ran {};  ///< the program ran; its final state is in the State handed over
struct Refused {
  std::string why;
};  ///< the backend says that the program is illegal
struct Skipped {
  std::string why;
};  ///< the backend does not offer the program: neither agreement nor failure
struct Errored {
  std::string what;
  bool died = false;  ///< the program ended the backend's process
};                    ///< the backend broke: never counted as agreement
struct NotRun {};     ///< lanecheck gave the backend up before this program
using Outcome = std::variant<Ran, Refused, Skipped, Errored, NotRun>;

/// Programs that are sent to a backend together. `states` and `outcomes` have the length of `programs`.
struct Batch {
  std::span<const Program> programs;
  std::span<State> states;
  std::span<Outcome> outcomes;

  Batch part(std::size_t from, std::size_t count) const {
    return {programs.subspan(from, count), states.subspan(from, count), outcomes.subspan(from, count)};
  }
};

inline std::vector<std::string> every_profile() {
  std::vector<std::string> names;
  for (const ProfileRow& row : profiles()) names.emplace_back(row.name);
  return names;
}

struct Backend {
  std::string name;
  std::string about;       ///< one line for people; an attached backend gives its own name and version
  bool shows_mask = true;  ///< `state.mask` is meaningful after a run
  bool shows_mode = true;  ///< `state.mode` is meaningful after a run
  /// Runs `program` from the default state. On Ran, `state` holds all of UB (same size as program.ub) and the
  /// mask. `state` keeps its memory from call to call; its contents on entry mean nothing.
  std::function<Outcome(const Program& program, State& state)> run;

  // What follows describes attached backends. A backend that is a function keeps the defaults.
  bool reports_refusals = true;
  std::vector<std::string> profiles = every_profile();  ///< the profiles whose programs it runs
  Capabilities capabilities;
  std::vector<std::pair<std::string, std::string>>
      readings;                                 ///< the readings that it follows on purpose: id, option
  std::size_t batch = 1;                        ///< how many programs run_batch takes at once
  std::function<void(const Batch&)> run_batch;  ///< runs a batch; if empty, `run` is called for each program
  std::function<std::vector<BackendProcess>()> processes;  ///< its processes so far; empty if it needs none
  /// Ends its process, so that the next program is the first one of a new process; empty if it needs none.
  std::function<void()> restart;
  /// What of a final state under `profile` may be compared.
  Shown shown(Profile profile) const {
    const bool mask = shows_mask && row_of(profile).shows_mask;
    return {mask, mask && shows_mode};
  }
  std::function<std::string()> given_up;  ///< says why no more programs are run, or ""
  unsigned most_deaths = ~0u;             ///< how often programs of a run may end its process
  /// A backend that only looks up recorded results: the programs that have one; it skips all others. Empty
  /// for a backend that runs programs.
  std::span<const Program> recorded = {};
};

/// A backend that is a function of this process and offers everything.
inline Backend function_backend(std::string name, std::string about,
                                std::function<Outcome(const Program& program, State& state)> run) {
  Backend backend;
  backend.name = std::move(name);
  backend.about = std::move(about);
  backend.run = std::move(run);
  return backend;
}

/// Runs all programs of a batch, by run_batch if the backend has it.
inline void run_all(const Backend& backend, const Batch& batch) {
  if (backend.run_batch) return backend.run_batch(batch);
  for (std::size_t n = 0; n < batch.programs.size(); ++n)
    batch.outcomes[n] = backend.run(batch.programs[n], batch.states[n]);
}

}  // namespace lanecheck
