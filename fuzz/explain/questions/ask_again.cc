#include "fuzz/explain/questions/ask_again.h"

#include <algorithm>

#include "oracle/compare/compare.h"

namespace lanecheck {

std::optional<unsigned> Asks::period() const {
  constexpr std::size_t kFewest = 4;
  if (wrong_at.size() < kFewest) return {};
  const unsigned step = wrong_at[1] - wrong_at[0];
  for (std::size_t n = 1; n < wrong_at.size(); ++n)
    if (wrong_at[n] - wrong_at[n - 1] != step) return {};
  const bool is_whole = wrong_at.front() < step && wrong_at.back() + step >= asked;
  return step > 1 && is_whole ? std::optional(step) : std::nullopt;
}

void AskAgain::start_afresh() const {
  if (can_start_afresh()) asked_.backend().restart();
}

/// Nothing if no more questions may be asked.
std::optional<BackendAnswer> AskAgain::run(const Program& program) {
  if (is_over()) return {};
  budget_.spend();
  return asked_.ask_anew(program);
}

/// Are two wrong answers wrong in the same bytes, with the same values? What the documents leave open may
/// differ.
bool AskAgain::same(const BackendAnswer& one, const BackendAnswer& other, const Program& program) const {
  const Shown shown = asked_.shown();
  if (failure_kind(one.outcome) != failure_kind(other.outcome)) return false;
  if (!one.ran() || identical_but_for_nans(program, one.state, other.state, shown)) return true;
  const auto wrong = compare(program, documented_.semantics, one.state, shown).bytes;
  return wrong == compare(program, documented_.semantics, other.state, shown).bytes &&
         std::ranges::all_of(wrong, [&](std::uint32_t at) { return one.state.ub[at] == other.state.ub[at]; });
}

void AskAgain::ask_once(const Program& program, Asks& asks) {
  auto answer = run(program);
  if (!answer) return;
  const bool failed = !failure_kind(answer->outcome).empty();
  if (!failed && !answer->ran()) return;
  ++asks.asked;
  if (!failed && !diverges(*answer, program, documented_, asked_.shown())) return;
  ++asks.wrong;
  asks.wrong_at.push_back(asks.asked - 1);
  if (!asks.first_wrong) {
    asks.first_wrong = std::move(answer);
    return;
  }
  asks.same = asks.same && same(*asks.first_wrong, *answer, program);
}

Asks AskAgain::ask_here(const Program& program, unsigned times, bool until_wrong) {
  Asks asks;
  for (unsigned n = 0; n < times && !is_over() && !(until_wrong && asks.wrong > 0); ++n)
    ask_once(program, asks);
  return asks;
}

Asks AskAgain::ask_afresh(const Program& program, unsigned times, std::span<const Program> before) {
  Asks asks;
  for (unsigned n = 0; n < times && !is_over(); ++n) {
    start_afresh();
    for (const Program& each : before) run(each);
    ask_once(program, asks);
  }
  return asks;
}

}  // namespace lanecheck
