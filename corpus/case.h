// A case file: a decoded program with the outcome that the documents demand. Adding a file adds a test.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "spec/program/program.h"
#include "spec/program/reading.h"
#include "spec/program/state.h"

namespace lanecheck {

inline constexpr std::string_view kCaseSchema = "lanecheck-case-1";

struct Case {
  std::string rule;    ///< the rule id that the case is about, e.g. "VMC-3.2-cadd-zero"
  std::string about;   ///< one sentence: what it shows
  std::string source;  ///< how the expected outcome was found: the document, or the computation
  Readings readings;   ///< the readings under which the expectation holds
  Program program;
  std::optional<State> expect;  ///< final UB, mask and mode; absent if the case only carries a program
  std::string refused;          ///< the legality rule that the program breaks; empty if it is legal
};

/// Throws InputError, which names the file, the path inside it and what is wrong. Also throws if the program
/// breaks a legality rule other than `refused`, or if it does not break that one.
Case load_case(const std::filesystem::path& file);
Case parse_case(std::string_view text, const std::string& where);

/// One case as indented JSON. Of the expected UB it holds the allocations that differ from the start.
std::string print_case(const Case& c);

/// The same case on one line, for JSON Lines.
std::string print_case_line(const Case& c);

/// The path of every *.json below a folder, sorted, including files that cannot be read. Throws InputError if
/// the folder cannot be listed.
std::vector<std::filesystem::path> case_files(const std::filesystem::path& root);

}  // namespace lanecheck
