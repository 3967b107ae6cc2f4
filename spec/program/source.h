// The documents that rules and readings cite.
#pragma once

#include <string_view>

namespace lanecheck {

struct Source {
  std::string_view document;  ///< short name: VMC, or the title of a public page
  std::string_view section;   ///< section number or heading; empty where the document has none
};

inline constexpr std::string_view kVmc = "VMC";  ///< Vector Mask Constraints, cannbot-skills (A2 simulator)
inline constexpr std::string_view kSvm = "SVM";  ///< SetVectorMask, Ascend C API
inline constexpr std::string_view kGm = "GM";    ///< gather_mask, pyasc API
inline constexpr std::string_view kVp = "VP";    ///< VectorPadding (ISASI), Ascend C API
inline constexpr std::string_view kTik = "TIK";  ///< TIK, general format of instructions with a scalar source

}  // namespace lanecheck
