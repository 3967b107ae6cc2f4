// The commands of the command line: options in, text out, an exit code back. Parsing of arguments is in
// main.cc.
#pragma once

#include <string>
#include <vector>

#include "fuzz/backend/isolation.h"
#include "fuzz/run/run.h"

namespace lanecheck {

/// Documented exit codes.
enum Exit : int { kConforms = 0, kDiverges = 1, kBadInput = 2, kFailure = 3 };

struct CommandOptions {
  RunOptions run;
  std::string backend = "example";
  std::string against;   ///< a second backend, in place of the oracle
  bool bitwise = false;  ///< against: differences that the documents allow are findings as well
  AttachOptions attach;  ///< of an attached backend
  std::string profile = "vmc";
  std::vector<std::string> readings;  ///< "id=option", pinned
  std::string json;                   ///< file for the JSON report
  std::string save;                   ///< folder for minimized cases
  std::string path;                   ///< file or folder
  std::string language;               ///< of a new backend
  std::uint64_t index = 0;
  bool by_index = false;
  bool list = false;
  bool as_json = false;   ///< offers: JSON instead of text
  bool protocol = false;  ///< doctor: check the protocol, not the adapter
  bool quiet = false;
  bool uncovered = false;  ///< rules: only those that nothing tries
  bool markdown = false;   ///< rules: the catalogue
  bool illegal = false;    ///< run: border cases only
  bool hex_only = false;   ///< serve: no images as bytes
  bool doctor = true;      ///< the easy questions before a run on an attached backend
};

int run_command(const CommandOptions& options);
int replay_command(const CommandOptions& options);
int rules_command(const CommandOptions& options);
int documents_command(const CommandOptions& options);
int readings_command(const CommandOptions& options);
int mutants_command(const CommandOptions& options);
int explain_command(const CommandOptions& options);
int gen_command(const CommandOptions& options);
int serve_command(const CommandOptions& options);
int doctor_command(const CommandOptions& options);
int init_backend_command(const CommandOptions& options);
int offers_command(const CommandOptions& options);

}  // namespace lanecheck
