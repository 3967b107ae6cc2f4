// A list as one line of a message or report.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace lanecheck {

/// "a, b, c": what `text_of` says of each item, with `between` between them.
template <class Items, class TextOf = std::identity>
std::string joined(const Items& items, TextOf text_of = {}, std::string_view between = ", ") {
  std::string text;
  bool first = true;
  for (const auto& each : items) {
    if (!first) text += between;
    first = false;
    text += std::invoke(text_of, each);
  }
  return text;
}

}  // namespace lanecheck
