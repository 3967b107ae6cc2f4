// The page of the rules: each rule of a profile with its source, and for each mutant that breaks it the
// smallest program in the corpus that shows the mutant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck {

struct RuleExample {
  std::string mutant;  ///< "accepted": a backend that takes the illegal program; "": an option of a reading
  std::string what;    ///< what the mutant does, or what the option means
  std::string file;    ///< a case file below the corpus; empty: the corpus has none for this profile
  std::string program;
};

struct RuleEntry {
  std::string id, claim, document, section, standing;
  std::vector<RuleExample> examples;
};

/// The rules of a profile in the order of their documents, then its rules of legality.
std::vector<RuleEntry> rule_entries(Profile profile, const std::filesystem::path& corpus);

std::string rules_as_html(Profile profile, const std::vector<RuleEntry>& entries);
std::string rules_as_json(Profile profile, const std::vector<RuleEntry>& entries);

}  // namespace lanecheck
