// Asks an adapter easy questions and names its mistakes, before any rule is judged.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/backend/backend.h"
#include "fuzz/doctor/instruction_check.h"
#include "fuzz/doctor/question.h"

namespace lanecheck {

struct Answer {
  enum class Kind : std::uint8_t { right, wrong, failed, not_asked };

  Question question;
  Kind kind = Kind::right;
  std::string what;           ///< how it failed, why it was not asked, or the first byte that is wrong
  std::vector<State> states;  ///< what each program of the question left
};

/// A mistake, and the questions whose answers it explains.
struct Cause {
  std::vector<const AdapterMistake*> mistakes;  ///< more than one if no answer tells them apart
  std::vector<std::string> seen_in;
};

struct Diagnosis {
  std::vector<Profile> profiles;  ///< the first is asked everything, the others only what sets them apart
  bool shows_mask = true;
  std::vector<Answer> answers;
  std::vector<Cause> causes;
  std::vector<std::string> unexplained;  ///< questions whose wrong answers no known mistake explains
  InstructionCheck instructions;
  bool healthy() const;
  /// How many questions were answered wrongly or not at all, and how many were asked.
  std::pair<std::size_t, std::size_t> bad_and_asked() const;
  /// Does the backend skip every instruction that it offers?
  bool skips_everything() const;
  /// Do most questions go wrong, and all for one reason? Judging rules would then say nothing new.
  bool one_cause_for_all() const;
  /// "12 of 18 checks fail for the same reason, shown above"; if one_cause_for_all().
  std::string why_not_run() const;
};

/// Asks programs of `profiles`, which the backend offers; without them, of all that it offers.
Diagnosis examine(const Backend& backend, std::vector<Profile> profiles = {});

/// One line for each mistake with its cause and the fix, for each wrong answer without a known cause,
/// and for each failure. Empty if the diagnosis is healthy.
std::vector<std::string> complaints(const Diagnosis& diagnosis);

/// One line for each question, then the complaints.
void print_diagnosis(std::ostream& out, const Diagnosis& diagnosis);

}  // namespace lanecheck
