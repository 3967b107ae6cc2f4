#include "fuzz/run/judge.h"

#include <algorithm>

#include "fuzz/explain/explain.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// `known`: the backend's answer to `program`; null if it was not asked.
std::optional<Finding> finding_of(const Program& program, const BackendAnswer* known,
                                  const RunOptions& options, const Backend& backend) {
  const bool is_of_run = program.profile == options.mix.profile;
  const Readings readings = is_of_run ? options.readings : default_readings(program.profile);
  const std::vector<std::string> pinned = is_of_run ? options.pinned : std::vector<std::string>{};
  const Documented documented(program.profile, readings, pinned);
  AskedBackend asked(backend, program.profile);
  if (known != nullptr) asked.remember(program, *known);
  if (const auto fault = find_fault(program, readings)) {
    if (!backend.reports_refusals || !asked.ask(program).ran()) return {};
    return explain_accepted(program, *fault, asked, documented, options.minimize);
  }
  const BackendAnswer answer = asked.ask(program);
  if (failure_kind(answer.outcome).empty() && !diverges(answer, program, documented, asked.shown()))
    return {};
  const Refined refined = refine(suspects(answer, program, documented, asked.shown()), asked, documented);
  return explain(program, refined, asked, documented, options.minimize);
}

std::optional<Finding> counted_once(std::optional<Finding> finding) {
  if (finding) finding->cases = 1;
  return finding;
}

}  // namespace

std::optional<Finding> judge(const Program& program, const RunOptions& options, const Backend& backend) {
  return counted_once(finding_of(program, nullptr, options, backend));
}

std::optional<Finding> judge_answer(const Program& program, const BackendAnswer& answer,
                                    const RunOptions& options, const Backend& backend) {
  return counted_once(finding_of(program, &answer, options, backend));
}

bool admits(const RunOptions& options, const Program& program, const BackendAnswer& answer,
            const Backend& backend) {
  RunOptions quick = options;
  quick.minimize = false;
  const auto found = judge_answer(program, answer, quick, backend);
  return !found || found->verdict == Verdict::undecided;
}

std::optional<std::string> not_on_offer(const Program& program, const Backend& backend) {
  if (const auto profile = row_of(program.profile).name; std::ranges::count(backend.profiles, profile) == 0)
    return std::string("profile ").append(profile).append(" is not on offer");
  if (!backend.reports_refusals && find_fault(program)) return "it does not report refusals";
  Program offered = program;
  if (const auto left_out = restrict_to(backend.capabilities, offered); !left_out.empty())
    return mnemonic(left_out.front()) + " is not on offer";
  return {};
}

std::optional<std::string> skips(const Program& program, const Backend& backend) {
  if (auto why = not_on_offer(program, backend)) return why;
  State state;
  const Outcome outcome = backend.run(program, state);
  const auto* skipped = std::get_if<Skipped>(&outcome);
  return skipped != nullptr ? std::optional(skipped->why) : std::nullopt;
}

}  // namespace lanecheck
