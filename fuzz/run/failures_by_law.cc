// Programs that break the backend because a measured cause leads outside of UB there.
#include <algorithm>

#include "fuzz/explain/measured_cause.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/trials/trials.h"
#include "fuzz/run/case_sorter.h"
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

/// Does the cause lead an instruction of the program outside of UB? Nothing is said of counter mode.
bool leads_outside(const Difference& difference, const Finding& finding, const Instruction& first,
                   const Program& program) {
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    const Instruction& insn = program.instructions[n];
    const MaskGiven given = mask_given(program, n);
    if (given == MaskGiven::total || given == MaskGiven::count) continue;
    if (!is_seen_in(finding, insn)) continue;
    const auto executed = by_law(difference, first, finding.operands, insn);
    if (executed && is_inside_ub(program, insn) && !is_inside_ub(program, *executed)) return true;
  }
  return false;
}

}  // namespace

void CaseSorter::keep_failing(Bucket& bucket, const FailedCase& failed) {
  if (!std::holds_alternative<Errored>(failed.answers.front().outcome)) return;
  if (bucket.failing.size() < kMostKept) bucket.failing.push_back(failed.program);
}

/// Says of each kind of failure whether one measured cause leads outside of UB in all programs that were
/// kept.
void CaseSorter::name_failures() {
  const auto is_address = [](const Bucket& each) {
    return each.is_measured() && each.finding.matter == Matter::address &&
           each.finding.repeats == Repeats::stable;
  };
  buckets_.find([&](Bucket& failure) {
    const bool all_broke = failure.finding.verdict == Verdict::errored && !failure.failing.empty();
    if (!all_broke || asked_.ends()) return false;
    buckets_.find([&](Bucket& each) {
      if (!is_address(each)) return false;
      const Finding& finding = each.finding;
      const auto cause = measure_cause(finding.program, finding.instruction, asked_, documented_);
      if (!cause || (!cause->difference.places && !cause->difference.stride)) return false;
      const Instruction& first = finding.program.instructions[cause->instruction];
      const bool all = std::ranges::all_of(failure.failing, [&](const Program& program) {
        return leads_outside(cause->difference, finding, first, program);
      });
      if (!all) return false;
      const std::size_t kept = failure.failing.size();
      const std::string which = kept == failure.finding.cases ? "all" : "the first " + std::to_string(kept);
      failure.finding.what +=
          "; in " + which + " of these programs, what " + finding.id + " says leads outside of UB";
      return true;
    });
    return false;
  });
}

}  // namespace lanecheck
