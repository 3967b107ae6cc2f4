// What a report says about the known failures: what is new, known, changed or fixed.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "reports/known/match_known_failures.h"

namespace lanecheck {

std::string_view name_of(Transition transition);

/// What fails a check. Lenient: a fixed entry does not.
bool fails(Transition transition, bool lenient);

struct CheckLine {
  Transition transition;
  std::string id;        ///< of the finding; empty for `incomplete`
  std::string sentence;  ///< the rest of the line
};

struct KnownFailuresCheck {
  std::vector<CheckLine> lines;  ///< in the order of Transition, then of ids
  std::size_t elsewhere = 0;     ///< entries that hold for other backends or profiles
};

/// `today`: YYYY-MM-DD.
KnownFailuresCheck check_known_failures(const KnownFailures& known, const SavedReport& report,
                                        const std::string& today);

bool passes(const KnownFailuresCheck& check, bool lenient);

/// One line each, and a last line with the numbers.
void print_check(std::ostream& out, const KnownFailuresCheck& check, bool lenient);

}  // namespace lanecheck
