// The findings of a saved JSON report with their programs: what is needed in order to ask a backend again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"

namespace lanecheck {

struct SavedCase {
  std::string id;
  std::string other;             ///< the backend that "expected" comes from; empty: the documents expect it
  Case smallest;                 ///< the minimized program
  std::size_t instruction = 0;   ///< index of the instruction that diverges
  bool mask_differs = false;     ///< the mask at the end is wrong
  std::uint64_t first_case = 0;  ///< index of the first case
  std::string repeats;           ///< why the backend is not always wrong; empty if it is
  std::vector<Program> before;   ///< the programs to run before the smallest one
  std::string first_file;        ///< of a replay: the file of the first case; else empty
};

/// The findings of one run, and the settings that their cases were made with.
struct SavedCases {
  Profile profile = Profile::vmc;
  std::uint64_t seed = 0;
  Readings readings;
  std::vector<std::string> pinned;  ///< ids of the readings that were pinned
  bool illegal = false;             ///< all cases lie at the edge of legality (`run --illegal`)
  std::vector<SavedCase> findings;
};

/// `report` is a report, or the folder of a run that has ended. Throws InputError, which names the file and
/// what is wrong.
SavedCases load_saved_cases(const std::filesystem::path& report);
SavedCases parse_saved_cases(std::string_view text, const std::string& file);

/// The finding with this id. Throws InputError, which names those that are there.
const SavedCase& case_of(const SavedCases& cases, std::string_view id);

}  // namespace lanecheck
