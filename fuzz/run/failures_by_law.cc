// Programs that break the backend because a measured cause leads outside of UB there.
#include <algorithm>

#include "fuzz/explain/measured_cause.h"
#include "fuzz/explain/repeatable.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/trials/trials.h"
#include "fuzz/run/case_sorter.h"
#include "oracle/compare/compare.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostKept = 64;  // programs of one kind of failure

bool is_inside_ub(const Program& program, const Instruction& insn) {
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
    if (start_of(program, insn.operands[k]) + extent(insn, k, lanes_of(insn)) > program.ub.size())
      return false;
  return true;
}

bool is_inside_ub(const Program& program) {
  return std::ranges::all_of(program.instructions,
                             [&](const Instruction& insn) { return is_inside_ub(program, insn); });
}

/// What is executed in place of `insn` by the law of `difference`, which was measured in `first`. `operands`:
/// those that were seen to obey a law of strides. Nothing if the law says nothing of it.
std::optional<Instruction> by_law(const Difference& difference, const Instruction& first,
                                  const std::vector<std::string>& operands, const Instruction& insn) {
  const auto columns = row_of(insn.op).operands;
  if (columns.size() != row_of(first.op).operands.size()) return {};
  if (!difference.stride) return difference.places(insn);
  Instruction executed = insn;
  for (unsigned k = 0; k < columns.size(); ++k) {
    const auto field = difference.stride->field;
    if (!has_stride(insn, k, field) || std::ranges::find(operands, columns[k].role) == operands.end())
      continue;
    const std::int64_t taken = difference.stride->taken(insn.operands[k].*field);
    if (taken >= 0) executed.operands[k].*field = static_cast<std::uint32_t>(taken);
  }
  return executed;
}

/// Was the cause seen in the instruction, with these types or with others?
bool is_seen_in(const Finding& finding, const Instruction& insn) {
  const std::string name = std::string(row_of(insn.op).name) + ".";
  return std::ranges::any_of(finding.instructions,
                             [&](const std::string& each) { return each.starts_with(name); });
}

/// The program that is executed by the law, if it leads an instruction outside of UB in which the cause was
/// seen. Nothing is said of counter mode.
std::optional<Program> leading_outside(const Difference& difference, const Finding& finding,
                                       const Instruction& first, const Program& program) {
  bool leads_outside = false;
  Program changed = program;
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    const Instruction& insn = program.instructions[n];
    if (is_count(mask_given(program, n)) || !is_seen_in(finding, insn)) continue;
    const auto executed = by_law(difference, first, finding.operands, insn);
    if (!executed) continue;
    changed.instructions[n] = *executed;
    leads_outside |= is_inside_ub(program, insn) && !is_inside_ub(program, *executed);
  }
  return leads_outside ? std::optional(changed) : std::nullopt;
}

}  // namespace

void CaseSorter::keep_failing(Bucket& bucket, const FailedCase& failed) {
  if (!std::holds_alternative<Errored>(failed.answers.front().outcome)) return;
  if (bucket.failing.size() < kMostKept) bucket.failing.push_back(failed.program);
}

/// Does the measured cause of `finding` lead outside of UB in all these programs? With more room behind the
/// end of UB, the backend must leave there what the cause gives.
bool CaseSorter::leads_all_outside(const Finding& finding, const std::vector<Program>& failing) {
  const auto cause = measure_cause(finding.program, finding.instruction, asked_, documented_);
  if (!cause || (!cause->difference.places && !cause->difference.stride)) return false;
  const Instruction& first = finding.program.instructions[cause->instruction];
  return std::ranges::all_of(failing, [&](const Program& program) {
    const auto changed = leading_outside(cause->difference, finding, first, program);
    if (!changed || asked_.ends()) return false;
    const Program by_law = with_zeros_behind_ub(*changed);
    const BackendAnswer answer = asked_.ask(with_zeros_behind_ub(program));
    return answer.ran() && is_inside_ub(by_law) &&
           agrees(by_law, documented_.semantics, answer.state, asked_.shown());
  });
}

/// Says of each kind of failure whether one measured cause leads outside of UB in all programs that were
/// kept.
void CaseSorter::name_failures() {
  for (Bucket& failure : buckets_.all()) {
    if (failure.finding.verdict != Verdict::errored || failure.failing.empty() || asked_.ends()) continue;
    const Bucket* const cause = buckets_.find([&](const Bucket& each) {
      return each.is_measured() && each.finding.matter == Matter::address &&
             each.finding.repeats == Repeats::stable && leads_all_outside(each.finding, failure.failing);
    });
    if (cause == nullptr) continue;
    const std::size_t kept = failure.failing.size();
    const std::string which = kept == failure.finding.cases ? "all" : "the first " + std::to_string(kept);
    failure.finding.what +=
        "; in " + which + " of these programs, what " + cause->finding.id + " says leads outside of UB";
  }
}

}  // namespace lanecheck
