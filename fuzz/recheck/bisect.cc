#include "fuzz/recheck/bisect.h"

#include <algorithm>
#include <iterator>

namespace lanecheck {
namespace {

constexpr unsigned kEnough = 5;  ///< sightings of a wrong answer without a given id

bool same(const BackendAnswer& one, const BackendAnswer& other) {
  if (one.outcome.index() != other.outcome.index()) return false;
  return one.ran() ? one.state == other.state : failure_kind(one.outcome) == failure_kind(other.outcome);
}

/// A backend that knows this answer alone. What it is asked does not depend on chance.
Backend recorded_backend(const Program& program, const BackendAnswer& answer, const Backend& like) {
  Backend recorded =
      function_backend(like.name, like.about, [&](const Program& asked, State& state) -> Outcome {
        if (asked != program) return Skipped{"it was not recorded"};
        state = answer.state;
        return answer.outcome;
      });
  recorded.shows_mask = like.shows_mask;
  recorded.shows_mode = like.shows_mode;
  recorded.reports_refusals = like.reports_refusals;
  recorded.recorded = {&program, 1};
  return recorded;
}

/// Several faults may have a name that only says what the lanes show.
bool tells_the_cause(const std::string& name) {
  return !name.starts_with("unexplained");
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string why_no_answer(const Backend& bad) {
  const std::string given_up = bad.given_up ? bad.given_up() : "";
  if (given_up.empty()) return "the last version does not run the program";
  return "the last version gives no further answer: " + given_up;
}

}  // namespace

FaultWatch::FaultWatch(Program program, RunOptions options, std::string wanted, std::size_t most_kept)
    : program_(std::move(program)),
      options_(std::move(options)),
      documented_(program_.profile, options_.readings, options_.pinned),
      wanted_(std::move(wanted)),
      most_kept_(most_kept) {
  options_.minimize = false;
}

/// What the answer alone tells. Several causes may leave it, and nothing tells them apart on this program.
std::vector<std::string> FaultWatch::names_of(const BackendAnswer& answer, const Backend& backend) const {
  const auto finding = judge_answer(program_, answer, options_, recorded_backend(program_, answer, backend));
  if (!finding) return {};
  std::vector<std::string> names = {finding->id};
  for (const Hypothesis* each : suspects(answer, program_, documented_, backend.shown(program_.profile)))
    names.push_back(each->id);
  return names;
}

bool FaultWatch::names_fault(const std::vector<std::string>& names) const {
  return tells_the_cause(fault_) && has(names, fault_);
}

/// Runs the program and names the answer. Null if there is no answer.
FaultWatch::Seen* FaultWatch::seen(const Backend& backend) {
  if (not_on_offer(program_, backend)) return nullptr;
  BackendAnswer answer;
  answer.outcome = backend.run(program_, answer.state);
  if (std::holds_alternative<Skipped>(answer.outcome) || std::holds_alternative<NotRun>(answer.outcome))
    return nullptr;
  const auto known = std::ranges::find_if(seen_, [&](const Seen& each) { return same(each.answer, answer); });
  if (known != seen_.end()) return &*known;
  auto names = names_of(answer, backend);
  const bool is_fault = names_fault(names);
  if (seen_.size() >= most_kept_) {  // the answers of the fault are kept
    const auto last =
        std::find_if(seen_.rbegin(), seen_.rend(), [](const Seen& each) { return !each.is_fault; });
    if (last != seen_.rend()) seen_.erase(std::next(last).base());
  }
  seen_.push_back({std::move(answer), std::move(names), 0, is_fault});
  return &seen_.back();
}

/// Does the answer belong to the wanted finding? If it alone does not tell, the backend is asked further.
bool FaultWatch::shows_wanted(const Seen& one, const Backend& backend) const {
  if (has(one.names, wanted_)) return true;
  const auto finding = judge_answer(program_, one.answer, options_, backend);
  return finding && finding->id == wanted_;
}

std::string FaultWatch::learn(const Backend& bad, unsigned most) {
  for (unsigned n = 0; n < most; ++n) {
    Seen* one = seen(bad);
    if (one == nullptr) return why_no_answer(bad);
    if (one->names.empty()) continue;
    ++one->times;
    const bool found = wanted_.empty() ? one->times >= kEnough : one->times == 1 && shows_wanted(*one, bad);
    if (!found) continue;
    one->is_fault = true;
    fault_ = wanted_.empty() ? one->names.front() : wanted_;
    for (Seen& each : seen_) each.is_fault |= names_fault(each.names);
    return {};
  }
  const bool wrong = std::ranges::any_of(seen_, [](const Seen& each) { return !each.names.empty(); });
  if (!wrong) return "the last version conforms on the program";
  return wanted_.empty() ? "the last version shows no fault often enough"
                         : "the last version is wrong on the program, but not as in " + wanted_;
}

Shows FaultWatch::ask(const Backend& version) {
  const Seen* one = seen(version);
  if (one == nullptr) return Shows::no_answer;
  if (one->names.empty()) return Shows::nothing;
  return one->is_fault ? Shows::fault : Shows::other;
}

}  // namespace lanecheck
