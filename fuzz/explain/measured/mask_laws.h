// Measures whether instructions run under another mask of the program than the one that is set (profile vmc):
// set_mask takes effect late, counts for one instruction only, or is kept for instructions of the same kind.
//
// On such a backend each instruction that obeys the mask looks as if it had a fault of its own. So this is
// measured before any other cause is named, and further cases are recognized by a model.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// Which masks the instructions of a program run under.
struct MaskLaw {
  std::string id;        ///< of the finding
  std::string sentence;  ///< without a full stop
  std::vector<std::string> rules;
  /// The program that the documents give the behaviour of such a backend for.
  std::function<Program(const Program&, const Semantics&)> model;

  /// Does the law give this state? The backend may show the mask that its instructions use, or that of the
  /// documents.
  bool gives(const Program& program, const Semantics& semantics, const State& actual, Shown shown) const;
};

/// All laws, in the order in which they are tried.
std::vector<MaskLaw> mask_laws();

/// Asks about sequences of set_mask, reset_mask and a few instructions that obey the mask. Nothing if the
/// backend does not answer all of them by one of the laws, or if a known mistake gives the same answers.
std::optional<MaskLaw> measure_mask_law(AskedBackend& asked, const Documented& documented);

/// The finding of a backend that follows the law, shown by the smallest of the sequences.
Finding mask_law_finding(const MaskLaw& law, AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
