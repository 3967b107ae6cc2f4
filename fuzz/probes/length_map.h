// Which elements take part if an instruction is given a number of them: the count of counter mode, its own
// count, or a contiguous mask.
#pragma once

#include "fuzz/probes/probe.h"

namespace lanecheck {

/// What one number of elements makes of an instruction with one repeat.
struct LengthAnswer {
  std::uint32_t length = 0;
  std::uint32_t reach = 0;  ///< the last element that takes part, counted from 1; 0 if none does
  /// Which elements are written. Empty for reductions, of which only the reach is measured.
  std::vector<bool> written;
};

struct LengthMap {
  unsigned lanes = 0;
  std::vector<LengthAnswer> answers;  ///< in the order of their lengths
};

/// Are there probes for this kind of instruction, and can its profile give it a number in this way?
bool has_length_probes(const Subject& subject, MaskGiven given);

/// `before`: mask instructions at the start of every probe. The same function measures a backend and, with
/// ask_oracle(), the documents.
Measured<LengthMap> measure_lengths(const Subject& subject, MaskGiven given, const Ask& ask,
                                    const std::vector<Instruction>& before = {});

}  // namespace lanecheck
