#include "spec/text/json_depth.h"

#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

/// Where the string that starts at `at` ends; npos if it does not end.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (;;) {
    at = text.find('"', at + 1);
    if (at == std::string_view::npos) return at;
    std::size_t backslashes = 0;
    while (text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at;
  }
}

}  // namespace

bool is_nested_deeper(std::string_view text, unsigned most) {
  unsigned depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"' && (at = end_of_string(text, at)) == std::string_view::npos) return false;
    if (text[at] == '[' || text[at] == '{') ++depth;
    if ((text[at] == ']' || text[at] == '}') && depth > 0) --depth;
    if (depth > most) return true;
  }
  return false;
}

void check_depth(std::string_view text, const std::string& where) {
  if (is_nested_deeper(text, kMostJsonDepth))
    throw InputError(where, "is nested more than " + std::to_string(kMostJsonDepth) + " levels deep");
}

}  // namespace lanecheck
