// Known misprints and gaps of the documents that no program can show, because programs name what the texts
// confuse.
#pragma once

#include <span>
#include <string_view>

namespace lanecheck {

struct Misprint {
  std::string_view where;     ///< document and heading
  std::string_view what;      ///< what is wrong or missing there
  std::string_view decision;  ///< what lanecheck takes instead
  /// True if the five documents raise it; false if only a page or library outside them (asc-devkit) does.
  bool by_documents = true;
};

std::span<const Misprint> misprints();

}  // namespace lanecheck
