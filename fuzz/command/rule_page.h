// The rules of a profile with their sources, and for each mutant that breaks one the smallest program in the
// corpus that shows the mutant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/page/rule_page_html.h"
#include "reports/saved/saved_report.h"

namespace lanecheck {

/// The rules of a profile in the order of their documents, then its rules of legality. Throws InputError if
/// the corpus cannot be read.
std::vector<page::RuleEntry> rule_entries(Profile profile, const std::filesystem::path& corpus);

/// Says of each entry how often the run of the report exercised its rule, and how many findings name it.
/// Throws InputError if the report is of another profile.
void add_coverage(std::vector<page::RuleEntry>& entries, Profile profile, const SavedReport& report);
/// "Coverage: the run of report.json, ...".
std::string sentence_about(const SavedReport& report);

/// `run`: the sentence about the run, if the entries have its coverage.
std::string rules_as_json(Profile profile, const std::vector<page::RuleEntry>& entries,
                          const std::string& run = {});

}  // namespace lanecheck
