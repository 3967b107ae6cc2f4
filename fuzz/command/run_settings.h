// What decides the report of a run: the options of `lanecheck run` without its outputs. A run folder and a
// plan hold them as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "fuzz/command/options.h"
#include "fuzz/journal/run_folder.h"

namespace lanecheck {

inline constexpr std::uint64_t kMostJobs = 256;

struct RunSettings {
  BackendGroup backend;
  ProfileGroup profile;
  ReadingsGroup readings;
  WindowGroup window;
  double seconds = 0;
  std::string against;  ///< a second backend that takes the oracle's place
  bool bitwise = false, illegal = false, no_doctor = false, fail_fast = false, strict = false;
  std::uint64_t max_findings = RunOptions{}.most_findings;
  unsigned certificate = 0;  ///< strength of the mask certificate that is made after the cases; 0: none
  std::string until;         ///< "findings >= 5" or "risk < 1e-6": the run ends when this is so
  std::optional<std::uint64_t>
      jobs;  ///< 1 to kMostJobs: how many threads run cases; does not change the report

  RunSettings() { window.cases = RunOptions{}.cases; }

  /// Returns the options that name the backend and say how to attach it.
  std::vector<Argument> declare(Command& command);
  /// One for each core, fewer for a short run. A plug-in inside of lanecheck need not be safe for threads.
  std::uint64_t job_count() const;
  /// The options of the run. Throws InputError for settings that have no meaning.
  RunOptions options() const;
  /// Throws InputError if the certificate has no meaning with the other settings.
  void check_certificate() const;
  /// The options of the command line that find the same findings again.
  std::vector<std::string> arguments() const;
};

/// All settings; equal settings have equal bytes. How many jobs there are is not among them.
std::string settings_text(const RunSettings& settings);

/// The settings of the run in `folder`.
RunSettings settings_of(const RunRecord& record, const std::string& folder);

/// Throws InputError, which names `where` and the setting, for settings that have no meaning.
void check_settings(const RunSettings& settings, const std::string& where);

/// Settings that are not given keep their default. Throws InputError, which names `where`, for a setting that
/// does not exist or has another type.
RunSettings settings_from(const nlohmann::ordered_json& json, const std::string& where);

}  // namespace lanecheck
