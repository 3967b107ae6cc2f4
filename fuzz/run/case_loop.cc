#include "fuzz/run/case_loop.h"

#include <algorithm>
#include <sstream>

#include "fuzz/backend/stopwatch.h"
#include "spec/text/program_text.h"
#include "version.h"

namespace lanecheck {
namespace {

void count(Verdict verdict, Report& report) {
  switch (verdict) {
    case Verdict::conforms:
      ++report.conforms;
      return;
    case Verdict::diverges:
      ++report.diverges;
      return;
    case Verdict::undecided:
      ++report.undecided;
      return;
    case Verdict::skipped:
      ++report.skipped;
      return;
    case Verdict::errored:
      ++report.errored;
      return;
  }
}

/// The memory of one batch, which is used again for the next one.
class BatchRunner {
 public:
  BatchRunner(const RunHooks& hooks, std::span<const Backend* const> backends, CaseJudge& judge,
              Report& report)
      : hooks_(hooks), backends_(backends), judge_(judge), report_(report), sides_(backends.size()) {}

  /// Generates `count` cases, runs them together, and judges them one after the other.
  void run_batch(std::uint64_t first, std::uint64_t count) {
    if (programs_.size() < count) resize(count);
    if (hooks_.before_batch) hooks_.before_batch(first, count);
    std::size_t sent = 0;
    for (std::uint64_t index = first; index < first + count; ++index)
      if (judge_.prepare(sent, index, programs_[sent]))
        ++sent;
      else
        finish_case(Verdict::skipped);
    for (std::size_t n = 0; n < backends_.size(); ++n) {
      run_all(*backends_[n], {std::span(programs_).first(sent), std::span(sides_[n].states).first(sent),
                              std::span(sides_[n].outcomes).first(sent)});
      if (backends_[n]->given_up && report_.given_up.empty()) report_.given_up = backends_[n]->given_up();
    }
    for (std::size_t slot = 0; slot < sent; ++slot) judge_slot(slot);
  }

 private:
  struct Side {
    std::vector<State> states;
    std::vector<Outcome> outcomes;
  };

  void resize(std::size_t count) {
    programs_.resize(count);
    for (Side& side : sides_) {
      side.states.resize(count);
      side.outcomes.resize(count);
    }
  }

  void judge_slot(std::size_t slot) {
    answers_.clear();
    for (const Side& side : sides_) {
      if (std::holds_alternative<NotRun>(side.outcomes[slot])) return;
      answers_.push_back({side.outcomes[slot], side.states[slot]});
    }
    finish_case(judge_.judge(slot, programs_[slot], answers_));
  }

  void finish_case(Verdict verdict) {
    ++report_.done;
    count(verdict, report_);
  }

  const RunHooks& hooks_;
  std::span<const Backend* const> backends_;
  CaseJudge& judge_;
  Report& report_;
  std::vector<Program> programs_;
  std::vector<Side> sides_;  ///< one for each backend
  std::vector<AnswerView> answers_;
};

}  // namespace

Report report_header(const RunOptions& options, const Backend& backend) {
  Report report;
  report.version = LANECHECK_VERSION;
  report.profile = options.mix.profile;
  report.backend = backend.name;
  report.about = backend.about;
  report.shows_mask = backend.shows_mask;
  report.seed = options.seed;
  report.first = options.first;
  report.planned = options.cases;
  report.readings = options.readings;
  for (const std::string& id : options.pinned)
    if (const Reading* reading = find_reading(id))
      report.pinned.emplace_back(id, reading->options[reading->get(options.readings)].name);
  return report;
}

RunHooks with_clock(RunHooks hooks) {
  if (!hooks.clock) hooks.clock = [watch = Stopwatch()] { return watch.seconds(); };
  return hooks;
}

bool time_is_over(const RunOptions& options, const RunHooks& hooks) {
  return options.seconds > 0 && hooks.clock && hooks.clock() >= options.seconds;
}

std::function<bool()> end_of_analysis(const RunOptions& options, const RunHooks& hooks) {
  return [&] { return (hooks.stop && hooks.stop()) || time_is_over(options, hooks); };
}

std::string cut_short_text(const std::string& finding) {
  return "the time was over while " + finding + " was analysed, so its program may not be the smallest";
}

namespace {

/// "stopped after 22 s, --seconds"
std::string out_of_time_text(double seconds) {
  std::ostringstream text;
  text << "stopped after " << seconds << " s, --seconds";
  return text.str();
}

}  // namespace

void run_cases(const RunOptions& options, const RunHooks& hooks, std::span<const Backend* const> backends,
               CaseJudge& judge, Report& report) {
  std::size_t batch = 1;
  for (const Backend* each : backends) batch = std::max(batch, each->batch);
  BatchRunner runner(hooks, backends, judge, report);
  while (report.done < options.cases && report.given_up.empty()) {
    if (hooks.on_progress && report.done > 0) hooks.on_progress(report.done, hooks.clock(), judge.findings());
    if (time_is_over(options, hooks)) {
      report.stopped = out_of_time_text(options.seconds);
      break;
    }
    if (hooks.stop && hooks.stop()) {
      report.interrupted = true;
      break;
    }
    runner.run_batch(options.first + report.done,
                     std::min<std::uint64_t>(batch, options.cases - report.done));
  }
  report.seconds = hooks.clock();
  for (const Backend* each : backends)
    if (each->processes)
      for (BackendProcess& process : each->processes()) report.processes.push_back(std::move(process));
}

bool LeftOut::leave_out(const Capabilities& offers, Program& program) {
  const auto left_out = restrict_to(offers, program);
  instructions_ += left_out.size();
  for (const Instruction& insn : left_out) mnemonics_.insert(mnemonic(insn));
  return !left_out.empty();
}

void LeftOut::write_into(Report& report) const {
  report.instructions_left_out = instructions_;
  report.not_offered.assign(mnemonics_.begin(), mnemonics_.end());
}

}  // namespace lanecheck
