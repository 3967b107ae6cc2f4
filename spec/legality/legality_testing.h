// Edges of the rules of legality, written by hand from the sentences of the documents. For tests.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lanecheck {

/// A smallest program with one place, '@', that decides whether it is legal.
struct Edge {
  std::string_view rule;
  std::string_view inside;   ///< with this at '@' the program is legal
  std::string_view outside;  ///< with this the first rule that it breaks is `rule`
  std::string_view program;

  std::string with(std::string_view value) const {
    std::string text;
    for (const char c : program)
      if (c == '@')
        text.append(value);
      else
        text.append(1, c);
    return text;
  }
};

std::span<const Edge> range_edges();
std::span<const Edge> place_edges();

}  // namespace lanecheck
