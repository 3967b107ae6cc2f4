// The documents that rules and readings cite.
#pragma once

#include <string_view>

namespace lanecheck {

struct Source {
  std::string_view document;  ///< short name: VMC, or the title of a public page
  std::string_view section;   ///< section number or heading; empty where the document has none
};

inline constexpr std::string_view kVmc = "VMC";
inline constexpr std::string_view kSvm = "SVM";
inline constexpr std::string_view kGm = "GM";
inline constexpr std::string_view kVp = "VP";
inline constexpr std::string_view kTik = "TIK";

/// The title of a document, given its short name; a name without a title is its own.
constexpr std::string_view title_of(std::string_view document) {
  struct Title {
    std::string_view document, title;
  };
  constexpr Title kTitles[] = {
      {kVmc, "Vector Mask Constraints (cannbot-skills, A2 simulator)"},
      {kSvm, "SetVectorMask (Ascend C API)"},
      {kGm, "gather_mask (pyasc API)"},
      {kVp, "VectorPadding (ISASI) (Ascend C API)"},
      {kTik, "TIK, general format of instructions with a vector and a scalar source"}};
  for (const Title& each : kTitles)
    if (each.document == document) return each.title;
  return document;
}

}  // namespace lanecheck
