// Source of tests that run the smallest program of a finding.
#pragma once

#include <string>

#include "reports/saved/saved_cases.h"

namespace lanecheck {

/// `what`: one sentence about the finding.
std::string python_snippet(const SavedCase& finding, const std::string& what);
std::string cpp_snippet(const SavedCase& finding, const std::string& what);

/// A name that C++ and Python take, out of the letters and digits of an id: "cadd_keeps_dst".
std::string identifier_of(const std::string& id);
/// Bytes as quoted hexadecimal text, a data block in each line, with `indent` before each. "" for no bytes.
std::string quoted_hex(const std::vector<std::byte>& bytes, const std::string& indent);
/// A mask as bytes of 0 and 1.
std::vector<std::byte> mask_bytes(const Mask& mask);
/// Text for a comment or a docstring: no line break, no quote, no backslash.
std::string comment_text(const std::string& text);

}  // namespace lanecheck
