// The page of the rules: each rule of a profile with its source, and the smallest program for each known way
// to break it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck::page {

struct RuleExample {
  enum class Kind : std::uint8_t {
    mutant,    ///< a backend that breaks the rule
    accepted,  ///< a backend that takes an illegal program
    reading    ///< an option of a reading
  };

  Kind kind = Kind::reading;
  std::string mutant;   ///< the id of the mutant; empty for the other kinds
  std::string what;     ///< what the mutant does, or what the option means
  std::string file;     ///< a case file below the corpus; empty: the corpus has none for this profile
  std::string program;  ///< the text of the program; empty if there is no case file
  std::vector<std::string> readings = {};  ///< "id=option" of the readings that the program tells apart
};
/// What is wrong: the id of the mutant, or "accepted"; empty for a reading.
std::string name_of_wrong(const RuleExample& example);

/// What a run says of a rule.
struct RuleInRun {
  std::optional<std::uint64_t> exercised;  ///< how many times; no value: the run did not ask for the rule
  std::uint64_t findings = 0;              ///< how many of its findings name the rule
};

struct RuleEntry {
  std::string id, claim, document, section, standing;
  std::vector<RuleExample> examples;
  std::optional<RuleInRun> in_run = {};  ///< no value: no run is shown
};

/// `run`: a sentence about the run that the entries' coverage comes from; empty if no run is shown.
std::string rule_page_html(Profile profile, const std::vector<RuleEntry>& entries,
                           const std::string& run = {});

}  // namespace lanecheck::page
