#include "fuzz/recorded/judge_recording.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "fuzz/coverage/cell_counts.h"
#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/run/case_sorter.h"
#include "fuzz/run/report_header.h"

namespace lanecheck {
namespace {

class RecordedRun {
 public:
  RecordedRun(const Recording& recording, const RunOptions& options, const RunHooks& hooks,
              const Tally* others)
      : recording_(recording),
        options_(options),
        hooks_(with_places(hooks)),
        backend_(backend_of(recording, &judged_)),
        documented_(options.mix.profile, options.readings, options.pinned),
        tally_(options.mix.profile),
        sorter_(options_, backend_, hooks_),
        report_(report_header(options, backend_)) {
    for (std::size_t n = 0; n < recording.records.size(); ++n) by_id_[recording.records[n].id] = n;
    report_.replayed = true;
    report_.judges_refusals = backend_.reports_refusals;
    if (report_.judges_refusals) report_.legality_rules = rules_tried(options.mix.profile);
    report_.unreadable = recording.faults;
    if (others != nullptr) tally_.add(*others);
  }

  Report run() {
    for (std::size_t n = 0; n < recording_.records.size(); ++n) {
      if (hooks_.stop && hooks_.stop()) {
        report_.interrupted = true;
        break;
      }
      judged_ = n;
      count(recording_.programs[n], recording_.records[n]);
    }
    tally_.write_into(report_);
    tally_.coverage.write_into(report_);
    sorter_.write_into(report_);
    for (Finding& finding : report_.findings) {
      finding.first_file = place_of(finding);
      for (auto* rules : {&report_.rules, &report_.legality_rules})
        for (RuleCount& rule : *rules)
          if (std::ranges::count(finding.rules, rule.id) > 0) ++rule.broken;
    }
    return std::move(report_);
  }

 private:
  std::string place_of(const Finding& finding) const {
    return recording_.records[by_id_.at(finding.first_case)].place + ", id " +
           std::to_string(finding.first_case);
  }

  /// A finding that is shown at once says where its first record stands, too.
  RunHooks with_places(const RunHooks& hooks) {
    RunHooks with = hooks;
    if (hooks.on_finding)
      with.on_finding = [this, show = hooks.on_finding](const Finding& finding) {
        Finding placed = finding;
        placed.first_file = place_of(finding);
        show(placed);
      };
    return with;
  }

  void count(const Program& program, const Record& record) {
    CaseRecord judged;
    judge(program, record, judged);
    tally_.count(judged);
    if (judged.failed) tally_.count(sorter_.sort(*judged.failed));
  }

  void judge(const Program& program, const Record& record, CaseRecord& judged) {
    if (const auto* skipped = std::get_if<Skipped>(&record.outcome)) return skip(skipped->why, judged);
    if (auto fault = find_fault(program, options_.readings))
      return judge_illegal(program, record, *std::move(fault), judged);
    for_each_cell(program, default_readings(options_.mix.profile),
                  [&](std::uint64_t cell) { judged.cells.push_back(cell); });
    for (const Instruction& insn : program.instructions) judged.element_checks += element_slots(insn);
    const BackendAnswer answer{record.outcome, record.state};
    if (answer.ran() && !diverges(answer, program, documented_, backend_.shown(program.profile)))
      judged.verdict = Verdict::conforms;
    else
      fail(program, record, judged);
  }

  /// An illegal program must be refused, if the recording shows that its machine refuses programs at all.
  void judge_illegal(const Program& program, const Record& record, Fault fault, CaseRecord& judged) {
    const bool ran = std::holds_alternative<Ran>(record.outcome);
    if (ran && !backend_.reports_refusals)
      return skip("the program is illegal, and the recording refuses no program", judged);
    judged.legality = fault.rule;
    if (std::holds_alternative<Refused>(record.outcome)) {
      judged.verdict = Verdict::conforms;
    } else {
      fail(program, record, judged);
      if (ran) judged.failed->accepted = std::move(fault);
    }
  }

  static void fail(const Program& program, const Record& record, CaseRecord& judged) {
    const State unchanged{program.ub};
    const bool ran = std::holds_alternative<Ran>(record.outcome);
    const AnswerView answer{record.outcome, ran ? record.state : unchanged};
    judged.failed = std::make_unique<FailedCase>(record.id, program, std::span(&answer, 1));
  }

  static void skip(const std::string& why, CaseRecord& judged) {
    judged.verdict = Verdict::skipped;
    judged.skipped = why;
  }

  const Recording& recording_;
  const RunOptions& options_;
  RunHooks hooks_;
  std::size_t judged_ = 0;  ///< the record that is judged
  Backend backend_;
  Documented documented_;
  Tally tally_;
  CaseSorter sorter_;
  Report report_;
  std::unordered_map<std::uint64_t, std::size_t> by_id_;
};

}  // namespace

Backend backend_of(const Recording& recording, const std::size_t* judged) {
  auto places = std::make_shared<std::unordered_map<std::size_t, std::vector<std::size_t>>>();
  for (std::size_t n = 0; n < recording.programs.size(); ++n)
    (*places)[hash_of(recording.programs[n])].push_back(n);
  const auto find = [&recording, places, judged](const Program& program) {
    const Record* found = nullptr;
    const auto some = places->find(hash_of(program));
    if (some == places->end()) return found;
    for (const std::size_t n : some->second) {
      if (recording.programs[n] != program) continue;
      if (found == nullptr || (judged != nullptr && found == &recording.records[*judged]))
        found = &recording.records[n];
    }
    return found;
  };
  const auto look_up = [find](const Program& program, State& state) -> Outcome {
    const Record* const found = find(program);
    if (found == nullptr) return Skipped{"was not recorded"};
    state = found->state;
    return found->outcome;
  };
  Backend backend = function_backend(recording.name, "recorded results", look_up);
  backend.shows_mask = recording.shown.mask;
  backend.shows_mode = recording.shown.mode;
  backend.reports_refusals = std::ranges::any_of(
      recording.records, [](const Record& each) { return std::holds_alternative<Refused>(each.outcome); });
  backend.profiles = {std::string(row_of(recording.profile).name)};
  backend.recorded = recording.programs;
  return backend;
}

Report judge_recording(const Recording& recording, RunOptions options, const RunHooks& hooks,
                       const Tally* others) {
  options.mix.profile = recording.profile;
  options.minimize = false;  // smaller programs were not recorded
  options.first = 0;
  options.cases = recording.records.size() + (others == nullptr ? 0 : others->done());
  const RunHooks timed = with_clock(hooks);
  return RecordedRun(recording, options, timed, others).run();
}

}  // namespace lanecheck
