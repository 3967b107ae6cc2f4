#include "fuzz/run/conformance_checker.h"

#include "fuzz/coverage/cell_counts.h"
#include "fuzz/generate/draws.h"
#include "fuzz/generate/edge.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {

bool judges_refusals(const RunOptions& options, const Backend& backend) {
  return backend.reports_refusals && options.illegal_in_32 > 0;
}

ConformanceChecker::ConformanceChecker(const RunOptions& options, const Backend& backend)
    : options_(options),
      backend_(backend),
      semantics_(options.readings),
      cell_readings_(default_readings(options.mix.profile)),
      departs_(options.readings != cell_readings_),
      judges_refusals_(judges_refusals(options, backend)),
      shown_(backend.shown(options.mix.profile)) {
  semantics_.seams.clips_repeats = departs_;
}

bool ConformanceChecker::prepare(std::size_t place, std::uint64_t index, Program& program,
                                 CaseRecord& record) {
  if (slots_.size() <= place) slots_.resize(place + 1);
  Slot& slot = slots_[place];
  slot.index = index;
  slot.by = JudgedBy::state;
  return judges_refusals_ && lies_at_edge(index) ? prepare_at_edge(slot, program, record)
                                                 : prepare_legal(slot, program, record);
}

void ConformanceChecker::check(std::size_t place, const Program& program, std::span<const AnswerView> answers,
                               CaseRecord& record) {
  const Slot& slot = slots_[place];
  const AnswerView& answer = answers.front();
  if (const auto* skipped = std::get_if<Skipped>(&answer.outcome)) {
    if (slot.by == JudgedBy::state) count_left_out(program, record);
    record.verdict = Verdict::skipped;
    record.skipped = skipped->why;
    return;
  }
  if (slot.by != JudgedBy::state) return check_refusal(slot, program, answer, record);
  const bool ran = std::holds_alternative<Ran>(answer.outcome);
  if (ran) count_judged(program, record);
  if (ran && agrees(program, semantics_, slot.expected, answer.state, shown_))
    record.verdict = Verdict::conforms;
  else
    record.failed = std::make_unique<FailedCase>(slot.index, program, answers);
}

/// The boundary rows stay as they are. Of the drawn cases, a share lies at an edge of legality.
bool ConformanceChecker::lies_at_edge(std::uint64_t index) const {
  if (options_.illegal_in_32 >= 32) return true;
  if (is_boundary_case(options_.mix, index)) return false;
  return Draws(options_.seed ^ 0x1e6a1, index).below(32) < options_.illegal_in_32;
}

/// False if the backend does not offer the whole program.
bool ConformanceChecker::prepare_at_edge(Slot& slot, Program& program, CaseRecord& record) {
  const EdgeCase edge = generate_at_edge(options_.seed, slot.index, options_.mix, program);
  record.kind = Kind::edge;
  slot.by = JudgedBy::edge;
  slot.rule = edge.rule;
  slot.outside = edge.outside;
  if (backend_.capabilities.include_all_of(program)) return true;
  record.skipped =
      "a case at the edge of legality has an instruction that the backend does not offer, and must stay "
      "whole";
  return false;
}

/// False if what the backend offers of the program cannot be run.
bool ConformanceChecker::prepare_legal(Slot& slot, Program& program, CaseRecord& record) {
  record.kind = generate(options_.seed, slot.index, options_.mix, program);
  if (!backend_.capabilities.everything && !leave_out(program, record)) {
    record.skipped = "nothing legal is left without the instructions that the backend does not offer";
    return false;
  }
  if (departs_)
    if (const auto fault = find_fault(program, options_.readings)) {
      record.kind = Kind::edge;
      slot.by = JudgedBy::forbidding_choice;
      slot.rule = fault->rule;
      slot.outside = true;
      if (!judges_refusals_)
        record.skipped =
            "the chosen readings forbid the program, and refusals of this backend are not judged";
      return judges_refusals_;
    }
  execute(program, semantics_, slot.expected);
  return true;
}

/// Removes what the backend does not offer. False if the rest is empty or illegal: without an instruction
/// that sets the mask or its mode, the instructions after it may be illegal.
bool ConformanceChecker::leave_out(Program& program, CaseRecord& record) {
  whole_ = program;
  for (const Instruction& insn : restrict_to(backend_.capabilities, program))
    record.not_offered.push_back(mnemonic(insn));
  const bool some = !record.not_offered.empty();
  if (some) count_left_out(whole_, record);
  const bool stays_legal = !some || !find_fault(program);
  return !program.instructions.empty() && stays_legal;
}

/// A program that broke the backend, or was refused, exercises no rule.
void ConformanceChecker::count_judged(const Program& program, CaseRecord& record) const {
  for_each_cell(program, cell_readings_, [&](std::uint64_t cell) { record.cells.push_back(cell); });
  for (const Instruction& insn : program.instructions) record.element_checks += element_slots(insn);
}

void ConformanceChecker::count_left_out(const Program& program, CaseRecord& record) const {
  for_each_cell(program, cell_readings_, [&](std::uint64_t cell) { record.left_out_cells.push_back(cell); });
}

/// The program must be refused, or is only just legal. What a legal one computes is judged on other programs.
void ConformanceChecker::check_refusal(const Slot& slot, const Program& program, const AnswerView& answer,
                                       CaseRecord& record) {
  record.legality = slot.rule;
  auto fault = slot.outside || departs_ ? find_fault(program, options_.readings) : std::optional<Fault>{};
  const bool refused = std::holds_alternative<Refused>(answer.outcome);
  const bool ran = std::holds_alternative<Ran>(answer.outcome);
  if (fault ? refused : ran) {
    record.verdict = Verdict::conforms;
    return;
  }
  record.failed = std::make_unique<FailedCase>(slot.index, program, std::span(&answer, 1));
  record.failed->answers.front().state = {program.ub};  // nothing ran, so nothing changed
  if (fault && ran)
    record.failed->accepted = std::move(fault);
  else if (refused)
    record.failed->edge = slot.rule;
}

}  // namespace lanecheck
