// Which elements take part if an instruction is given a number of them: the count of counter mode, its own
// count, or a contiguous mask.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// What one number of elements makes of an instruction.
struct LengthAnswer {
  std::uint32_t length = 0;
  std::uint32_t reach = 0;  ///< the last element that takes part, counted from 1; 0 if none does
  /// Which elements are written. Empty for reductions, of which only the reach is measured.
  std::vector<bool> written;
  /// Of a reduction whose reach is not the documented one: some elements that were asked one by one.
  std::vector<std::pair<std::uint32_t, bool>> counted{};
  std::uint32_t repeat = 1;  ///< its repeat times
  /// Of a reduction: each result if all elements are one value, which loses against the marks of the probes
  /// (0 for a sum). A result that is kept holds LengthMap::old_dst.
  std::vector<std::uint64_t> results{};

  bool operator==(const LengthAnswer&) const = default;
};

struct LengthMap {
  unsigned lanes = 0;
  unsigned room = 0;                  ///< elements that can be seen; a reach ends there
  std::vector<LengthAnswer> answers;  ///< in the order of their lengths
  std::uint64_t old_dst = 0;          ///< what dst holds before, of a reduction
};

/// The elements that decide a result of a reduction win against this one: of a maximum or minimum.
double losing_number(const Instruction& insn);

/// Are there probes for this kind of instruction, and can its profile give it a number in this way?
bool has_length_probes(const Subject& subject, MaskGiven given);

/// The lengths that are asked if no others are given, ascending.
std::vector<std::uint32_t> usual_lengths(const Subject& subject, MaskGiven given, unsigned repeat = 1);

/// `before`: at the start of every probe, mask instructions or the same instruction under another mask, which
/// gets the same operands. `repeat`: its repeat times, which have no say by
/// the documents if the number is one of all repeats together. `numbers`: the lengths to ask, if they are not
/// the usual ones. The same function measures a backend and, with ask_oracle(), the documents.
Measured<LengthMap> measure_lengths(const Subject& subject, MaskGiven given, const Ask& ask,
                                    const std::vector<Instruction>& before = {}, unsigned repeat = 1,
                                    const std::vector<std::uint32_t>& numbers = {});

}  // namespace lanecheck
