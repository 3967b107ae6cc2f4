// How deeply JSON is nested. To copy or print a value, a function calls itself for each level. So a text of a
// million brackets would end the program, although the parser reads it.
#pragma once

#include <string>
#include <string_view>

namespace lanecheck {

inline constexpr unsigned kMostJsonDepth = 64;  ///< levels of a file; what lanecheck writes has about 10

/// Is the text nested in more than `most` levels? It need not be valid JSON.
bool is_nested_deeper(std::string_view text, unsigned most);

/// Throws InputError, which names `where`, if the text of a file is nested too deeply.
void check_depth(std::string_view text, const std::string& where);

}  // namespace lanecheck
