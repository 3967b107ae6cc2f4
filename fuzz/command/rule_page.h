// The rules of a profile with their sources, and for each mutant that breaks one the smallest program in the
// corpus that shows the mutant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/page/rule_page_html.h"

namespace lanecheck {

/// The rules of a profile in the order of their documents, then its rules of legality. Throws InputError if
/// the corpus cannot be read.
std::vector<page::RuleEntry> rule_entries(Profile profile, const std::filesystem::path& corpus);

std::string rules_as_json(Profile profile, const std::vector<page::RuleEntry>& entries);

}  // namespace lanecheck
