// What an exam should tell apart: mutants from the documents, and the options of each open reading from each
// other. A program is asked which of these it tells apart by the final UB alone, because machines that leave
// files seldom show their mask.
#pragma once

#include <string>
#include <vector>

#include "oracle/mutants/mutant.h"
#include "spec/program/program.h"

namespace lanecheck {

/// A mutant, or two options of one reading.
struct Goal {
  std::string id;                    ///< "cadd-keeps-dst", "empty_pair: writes_zero | keeps_dst"
  const Mutant* mutant = nullptr;    ///< null for a pair of options
  const Reading* reading = nullptr;  ///< null for a mutant
  std::size_t one = 0, other = 0;    ///< of a pair: indices of Goals::meanings
  bool by_refusal_alone = false;     ///< a pair that differs in what is legal, and in nothing else
  Semantics semantics = {};          ///< of a mutant
};

/// One way to read the documents.
struct Meaning {
  std::string id;  ///< "empty_pair=keeps_dst"; "" for the default readings
  Semantics semantics;
};

class Goals {
 public:
  /// All goals of a profile, with its default readings.
  explicit Goals(Profile profile);

  const std::vector<Goal>& list() const { return list_; }
  /// The default readings first.
  const std::vector<Meaning>& meanings() const { return meanings_; }

  /// The goals among `wanted` that `program` tells apart: what a mutant leaves is forbidden under every
  /// meaning; what one option leaves is forbidden under the other, and the other way round.
  /// The bytes before `from` are not looked at.
  std::vector<std::size_t> told_apart(const Program& program, const std::vector<std::size_t>& wanted,
                                      std::size_t from = 0) const;

  /// The option of a reading that allows what the mutant leaves, as "reading=option". "" if no option does.
  std::string allowed_by(const Program& program, const Goal& mutant) const;
  /// Do the two options leave different bytes, of which one option allows those of the other?
  bool one_allows_other(const Program& program, const Goal& pair) const;

 private:
  void add_pairs(const Reading& reading, const Readings& base);

  std::vector<Goal> list_;
  std::vector<Meaning> meanings_;
};

}  // namespace lanecheck
