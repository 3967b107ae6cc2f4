// Programs that break the backend because a measured cause leads outside of UB there.
#include <algorithm>
#include <map>

#include "fuzz/explain/explain.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/trials/trials.h"
#include "fuzz/run/case_sorter.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "reports/format.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostKept = 256;      // programs of one kind of failure
constexpr std::size_t kMostKeptDeaths = 8;  // each question about one costs a new process

bool is_inside_ub(const Program& program) {
  return std::ranges::all_of(program.instructions,
                             [&](const Instruction& insn) { return is_inside_ub(program, insn); });
}

/// Do dst and a source share bytes, and are not the same elements?
bool dst_meets_source(const Program& program, const Instruction& insn) {
  const auto start = [&](unsigned k) { return start_of(program, insn.operands[k]); };
  const auto end = [&](unsigned k) { return start(k) + extent(insn, k, lanes_of(insn)); };
  for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
    if (insn.operands[k] != insn.operands[0] && start(0) < end(k) && start(k) < end(0)) return true;
  return false;
}

/// What is executed in place of `insn` by the law of `difference`, which was measured in `first`. `operands`:
/// those that were seen to obey a law of strides. Nothing if the law says nothing of it.
std::optional<Instruction> by_law(const Difference& difference, const Instruction& first,
                                  const std::vector<std::string>& operands, const Instruction& insn) {
  const auto columns = row_of(insn.op).operands;
  const bool is_alike = columns.size() == row_of(first.op).operands.size();
  if (!difference.stride) return is_alike ? difference.places(insn) : std::nullopt;
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

/// The program that is executed by the law, in the instructions in which the cause was seen. Nothing is said
/// of counter mode.
Program by_law(const Difference& difference, const Finding& finding, const Instruction& first,
               const Program& program) {
  Program changed = program;
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    const Instruction& insn = program.instructions[n];
    if (is_count(mask_given(program, n)) || !is_seen_in(finding, insn)) continue;
    if (const auto executed = by_law(difference, first, finding.operands, insn))
      changed.instructions[n] = *executed;
  }
  return changed;
}

/// Does a known mistake let an instruction run in another mode than the documents say? A count of elements
/// that was meant as a mask may be very large.
bool runs_in_another_mode(const Program& program, const Hypothesis& mistake, const Documented& documented) {
  for (std::size_t n = 1; n < program.instructions.size(); ++n) {
    if (row_of(program.instructions[n].op).operands.empty()) continue;
    State right, wrong;
    execute(prefix(program, n), documented.semantics, right);
    execute(prefix(program, n), mistake.semantics, wrong);
    if (right.mode != wrong.mode) return true;
  }
  return false;
}

}  // namespace

void CaseSorter::keep_failing(Bucket& bucket, const FailedCase& failed) {
  const auto* const errored = std::get_if<Errored>(&failed.answers.front().outcome);
  if (errored == nullptr) return;
  if (bucket.failing.size() < (errored->died ? kMostKeptDeaths : kMostKept))
    bucket.failing.push_back({failed.index, failed.program, errored->what});
}

/// What is executed in place of a program by the cause of a bucket; empty if that is no law of places.
std::function<Program(const Program&)> CaseSorter::law_of_places(const Bucket& bucket) {
  const Finding& finding = bucket.finding;
  if (!bucket.is_measured() || finding.matter != Matter::address || finding.repeats != Repeats::stable)
    return {};
  if (bucket.operand_law)
    return [this, law = *bucket.operand_law](const Program& program) {
      return operand_laws_.changed_by(law, program);
    };
  const auto cause = measure_cause(finding.program, finding.instruction, asked_, documented_);
  if (!cause || (!cause->difference.places && !cause->difference.stride)) return {};
  return [&finding, difference = cause->difference, first = finding.program.instructions[cause->instruction]](
             const Program& program) { return by_law(difference, finding, first, program); };
}

/// The number of instructions with which the program breaks the backend, if it does.
std::optional<std::size_t> CaseSorter::breaks_after(const Program& program) {
  for (std::size_t count = 1; count <= program.instructions.size(); ++count)
    if (!asked_.ask(prefix(program, count)).ran()) return count;
  return {};
}

/// Does a law lead outside of UB, which executes `changed` in place of the program? With more room behind the
/// end of UB, the backend must leave there what the law gives; if the law leads from dst into a source, so
/// that the order of reads and writes decides, it must not break. If it leads outside of the largest UB, the
/// backend must break right there.
bool CaseSorter::leads_outside(const Program& changed, const Program& program) {
  if (is_inside_ub(changed) || asked_.ends()) return false;
  const Program by_law = with_zeros_behind_ub(changed), padded = with_zeros_behind_ub(program);
  const auto outside = std::ranges::find_if(
      by_law.instructions, [&](const Instruction& insn) { return !is_inside_ub(by_law, insn); });
  if (outside != by_law.instructions.end())
    return breaks_after(padded) == outside - by_law.instructions.begin() + 1;
  const BackendAnswer answer = asked_.ask(padded);
  const bool order_decides = std::ranges::any_of(
      by_law.instructions, [&](const Instruction& insn) { return dst_meets_source(by_law, insn); });
  return answer.ran() &&
         (order_decides || agrees(by_law, documented_.semantics, answer.state, asked_.shown()));
}

/// The bucket of a cause that shows before the instruction at which a program breaks the backend, or of the
/// one that is measured on this instruction; and how the cause leads there.
std::pair<Bucket*, std::string_view> CaseSorter::bucket_of_failing(const Program& program) {
  if (asked_.ends()) return {};
  const auto count = breaks_after(program);
  if (!count) return {};
  if (*count > 1) {
    const Program before = prefix(program, *count - 1);
    const BackendAnswer answer = asked_.ask(before);
    const bool is_wrong = diverges(answer, before, documented_, asked_.shown());
    Bucket* known = is_wrong ? known_bucket("", before, answer.state) : nullptr;
    if (is_wrong && known == nullptr) known = measured_bucket(before, answer.state);
    if (known != nullptr) return {known, " behind instructions that show this"};
  }
  if (std::ranges::none_of(buckets_.all(), &Bucket::is_measured) || !may_measure_one_more()) return {};
  const auto cause = measure_cause(program, *count - 1, asked_, documented_);
  if (!cause || cause->instruction >= *count) return {};
  const Instruction& insn = program.instructions[cause->instruction];
  return {buckets_.find_id(id_of(*cause, family_of(insn, documented_))),
          " at an instruction that shows this"};
}

/// Moves failing cases of `failure` to `cause`. Their messages may differ in numbers.
void CaseSorter::move_failures(Bucket& cause, Bucket& failure, const std::vector<FailingProgram>& moved,
                               std::string_view why) {
  if (moved.empty()) return;
  const bool are_equal =
      std::ranges::all_of(moved, [&](const FailingProgram& each) { return each.what == moved.front().what; });
  cause.finding.what += "; in " + counted(moved.size(), "case") + " of these the backend breaks" +
                        (are_equal ? ": " : ", for example: ") + moved.front().what + std::string(why);
  cause.finding.cases += moved.size();
  failure.finding.cases -= moved.size();
}

/// Shows the first failing case that is left. `printed_counts_with`: the cause of the one that was printed.
void CaseSorter::show_first_failing(Bucket& failure, const std::string& printed_counts_with) {
  const FailingProgram& first = failure.failing.front();
  if (first.index == failure.finding.first_case) return;
  Finding shown = explain(first.program, {}, asked_, documented_, options_.minimize);
  shown.id = failure.finding.id;
  shown.cases = failure.finding.cases;
  shown.first_case = first.index;
  shown.heat = failure.finding.heat;
  shown.what += "; case " + std::to_string(failure.finding.first_case) +
                ", which is printed above, counts with " + printed_counts_with;
  failure.finding = std::move(shown);
}

/// Counts the programs that break the backend with the measured cause that leads outside of UB there.
void CaseSorter::count_failures_by_law() {
  std::vector<std::string> explained;
  for (Bucket& failure : buckets_.all()) {
    auto& failing = failure.failing;
    if (failure.finding.verdict != Verdict::errored || failing.empty()) continue;
    std::string printed_counts_with;
    const auto take_if = [&](const Bucket& cause, auto is_of_cause) {
      std::vector<FailingProgram> taken;
      std::erase_if(failing, [&](const FailingProgram& each) {
        if (!is_of_cause(each.program)) return false;
        if (each.index == failure.finding.first_case) printed_counts_with = cause.finding.id;
        taken.push_back(each);
        return true;
      });
      return taken;
    };
    for (Bucket& cause : buckets_.all()) {
      if (cause.names_mutant())
        move_failures(cause, failure,
                      take_if(cause,
                              [&](const Program& program) {
                                return runs_in_another_mode(program, *cause.suspects.front(), documented_);
                              }),
                      ", where an instruction runs in another mode because of this");
      if (const auto law = law_of_places(cause))
        move_failures(
            cause, failure,
            take_if(cause, [&](const Program& program) { return leads_outside(law(program), program); }),
            ", where this leads outside of UB");
    }
    std::map<std::pair<std::string, std::string_view>, std::vector<FailingProgram>>
        measured;                         // by cause and way
    const QuestionBudget budget(asked_);  // each death costs a process, and the cause of all may be one
    std::erase_if(failing, [&](const FailingProgram& each) {
      if (budget.is_over()) return false;
      const auto [cause, how] = bucket_of_failing(each.program);
      if (cause == nullptr) return false;
      if (each.index == failure.finding.first_case) printed_counts_with = cause->finding.id;
      measured[{cause->finding.id, how}].push_back(each);
      return true;
    });
    for (const auto& [cause, moved] : measured)
      move_failures(*buckets_.find_id(cause.first), failure, moved, cause.second);
    if (failure.finding.cases == 0)
      explained.push_back(failure.finding.id);
    else if (!failing.empty())
      show_first_failing(failure, printed_counts_with);
  }
  buckets_.drop(explained);
}

}  // namespace lanecheck
