// The buckets that a failing case may belong to: what is known already, without an analysis of its own.
#include <algorithm>

#include "fuzz/explain/broken_rules/broken_rules.h"
#include "fuzz/explain/explain.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/name_finding.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/run/case_sorter.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

// So many cases are measured as they are, before they are minimized, to find a bucket with the same cause.
constexpr unsigned kMostMeasured = 150;

/// Does the program have one instruction only, in which the mistake was not measured? Where several
/// instructions write to one allocation, the symptom of a case may name one that is right.
bool names_no_instruction_of(const Program& program, const Finding& finding) {
  const Instruction* const only = only_instruction(program);
  const bool sets_mask = finding.instruction >= finding.program.instructions.size() ||
                         row_of(finding.program.instructions[finding.instruction].op).operands.empty();
  return only != nullptr && !sets_mask &&
         std::ranges::find(finding.instructions, mnemonic(*only)) == finding.instructions.end();
}

}  // namespace

/// The bucket of a measured cause whose cases look like this one.
Bucket* CaseSorter::measured_bucket(const Program& program, const State& actual) {
  if (!buckets_.find([](const Bucket& each) { return each.is_measured(); })) return nullptr;
  const Symptom symptom = symptom_of(program, actual, documented_, asked_.shown());
  return buckets_.find([&](const Bucket& each) {
    return fits(symptom, each.symptoms) && !names_no_instruction_of(program, each.finding);
  });
}

bool CaseSorter::may_measure_one_more() {
  return ++measured_ <= kMostMeasured;
}

/// The bucket with the cause that is measured on the instruction which diverges in `program`.
Bucket* CaseSorter::bucket_of_cause(const Program& program, const State& actual) {
  if (!buckets_.find([](const Bucket& each) { return each.is_measured(); })) return nullptr;
  if (!may_measure_one_more()) return nullptr;
  Finding located;
  located.program = program;
  locate(located, asked_, documented_);
  if (located.instruction >= program.instructions.size()) return nullptr;
  const auto cause = measure_cause(program, located.instruction, asked_, documented_);
  if (!cause) return nullptr;
  const Instruction& insn = program.instructions[cause->instruction];
  Bucket* const same = buckets_.find_id(id_of(*cause, family_of(insn, documented_)));
  if (same == nullptr) return nullptr;
  if (cause->difference.names_operand())
    Buckets::add_operand(*same, std::string(name_of(cause->difference.map)));
  if (Buckets::add_instruction(*same, mnemonic(insn)))
    Buckets::add_rules(*same, rules_broken_by(located, *cause, asked_, documented_));
  same->symptoms.push_back(symptom_of(program, actual, documented_, asked_.shown()));
  return same;
}

/// Counts a case in which an instruction takes from an earlier one what a finding says already: it is named
/// as it is, because to minimize it would take thousands of programs. Nothing if it has another name.
std::optional<Verdict> CaseSorter::count_carried(const FailedCase& failed) {
  const auto is_carried = [](const Bucket& each) {
    return each.is_measured() && each.finding.id.starts_with("carried-");
  };
  if (!buckets_.find(is_carried) || !may_measure_one_more()) return {};
  Finding located;
  located.program = failed.program;
  locate(located, asked_, documented_);
  if (located.instruction >= failed.program.instructions.size()) return {};
  name_finding(located, {}, asked_, documented_);
  Bucket* const same = buckets_.find_id(located.id);
  if (same == nullptr || !is_carried(*same)) return {};
  return join(*same, located, failed);
}

/// Notes the cause that is measured where the cases of a mutant or of a reading show.
void CaseSorter::measure(Bucket& bucket) {
  if (bucket.is_measured()) bucket.measured_id = bucket.finding.id;
  if (bucket.measured_id || bucket.suspects.empty() || asked_.ends()) return;
  const Finding& finding = bucket.finding;
  const bool also_readings = !bucket.names_mutant();
  const auto cause = measure_cause(finding.program, finding.instruction, asked_, documented_, also_readings);
  const bool is_law = cause && !cause->difference.only_example;
  bucket.measured_id =
      is_law ? id_of(*cause, family_of(finding.program.instructions[cause->instruction], documented_)) : "";
}

/// The bucket with the same measured cause, if a mutant or a reading names one of both: then the mutant is a
/// part of what the law says, and the reading fits some of its cases by coincidence. Asks only if there is
/// another bucket.
Bucket* CaseSorter::bucket_of_same_law(Bucket& bucket) {
  if (!asked_.backend().recorded.empty()) return nullptr;
  const auto may_be_same = [&](const Bucket& each) {
    return each.is_measured() ? !bucket.suspects.empty() : !each.suspects.empty() && bucket.is_measured();
  };
  if (!buckets_.find(may_be_same)) return nullptr;
  measure(bucket);
  if (bucket.measured_id.value_or("").empty()) return nullptr;
  return buckets_.find([&](Bucket& each) {
    if (!may_be_same(each)) return false;
    measure(each);
    return each.measured_id == bucket.measured_id;
  });
}

/// Counts a case whose output the known causes give together: in the first bucket of a cause that changes
/// what this program leaves. Nothing if they do not give it.
std::optional<Verdict> CaseSorter::sort_by_causes(const FailedCase& failed) {
  const Program& program = failed.program;
  const State& actual = failed.answers.front().state;
  if (Bucket* of_readings = count_for_readings(program, actual)) return count_by_cause(*of_readings, failed);
  if (!causes_.reproduce(program, actual, asked_.shown())) return {};
  State expected;
  execute(program, documented_.semantics, expected);
  Bucket* const first = buckets_.find([&](const Bucket& each) {
    return each.names_mutant() &&
           KnownCauses::touches(*each.suspects.front(), program, expected, asked_.shown());
  });
  if (first != nullptr) return count_by_cause(*first, failed);
  return not_listed(Verdict::diverges);
}

/// If the output is what several readings give together: the bucket of one of them, which counts the case.
/// Readings that were not known get a bucket each.
Bucket* CaseSorter::several_readings(std::uint64_t index, const Program& program) {
  if (is_full()) return nullptr;
  const ReadingSet together = followed_.find_together(program);
  if (together.empty()) return nullptr;
  std::vector<Program> shown_by;
  for (const Hypothesis* each : together) shown_by.push_back(followed_.shown_alone(*each).value_or(program));
  for (std::size_t n = 0; n < together.size(); ++n) {
    const Hypothesis& reading = *together[n];
    Finding finding = explain(shown_by[n], {.suspects = {&reading}}, asked_, documented_, options_.minimize);
    add({{&reading}, {}, std::move(finding)}, index);
    if (n > 0) buckets_.find_id(reading.id)->finding.cases = 0;  // the first one counts the case
  }
  return buckets_.find_id(together.front()->id);
}

/// A case may show a mistake and readings that are not known yet, and shrink into a program that shows the
/// readings alone. Are there such readings? They get their buckets, and the case is not counted there.
bool CaseSorter::learns_readings(const Bucket& unnamed, std::uint64_t index) {
  if (unnamed.is_named() || unnamed.finding.repeats != Repeats::stable) return false;
  Bucket* const first = several_readings(index, unnamed.finding.program);
  if (first != nullptr) first->finding.cases = 0;
  return first != nullptr;
}

/// The bucket of a reading that the backend follows, if the followed readings forbid the program: that of a
/// reading which forbids it alone, if there is one.
Bucket* CaseSorter::bucket_of_forbidding(const Program& program) {
  if (!proves_nothing(program, documented_)) return nullptr;
  const auto is_reading = [](const Bucket& each) {
    return each.finding.verdict == Verdict::undecided && each.names_reading();
  };
  Bucket* const alone = buckets_.find([&](const Bucket& each) {
    return is_reading(each) && find_fault(program, each.suspects.front()->semantics.readings);
  });
  return alone != nullptr ? alone : buckets_.find(is_reading);
}

/// If a reading that was not known forbids the program, and the backend follows it: a program that it allows
/// and that shows it.
std::optional<FailedCase> CaseSorter::shown_by_forbidding(const FailedCase& failed) {
  if (failed.apart || is_full() || find_fault(failed.program, documented_.readings())) return {};
  const auto program = followed_.shown_by_forbidding(failed.program);
  if (!program) return {};
  FailedCase allowed(failed.index, *program, {});
  allowed.answers.push_back(asked_.ask(*program));
  allowed.apart = true;
  return allowed;
}

/// Counts a case that the known readings explain together in the first bucket of a reading.
Bucket* CaseSorter::count_for_readings(const Program& program, const State& actual) {
  if (!followed_.any() || !agrees(program, followed_.semantics(), actual, asked_.shown())) return nullptr;
  return buckets_.find([](const Bucket& each) { return each.names_reading(); });
}

Bucket* CaseSorter::known_bucket(const std::string& failure, const Program& program, const State& actual) {
  return buckets_.find([&](const Bucket& each) {
    if (!failure.empty() || !each.failure.empty()) return each.failure == failure;
    return std::ranges::any_of(each.suspects, [&](const Hypothesis* suspect) {
      return may_touch(*suspect, program) && explains(*suspect, program, actual, asked_.shown());
    });
  });
}

/// Drops the suspects that do not fit a further case of the bucket. If the first one is among them, the next
/// one names the finding.
void CaseSorter::narrow(Bucket& bucket, const Program& program, const State& actual) {
  const Hypothesis* const name = bucket.suspects.front();
  std::erase_if(bucket.suspects,
                [&](const Hypothesis* each) { return !explains(*each, program, actual, asked_.shown()); });
  if (bucket.suspects.front() == name) return;
  learn(*bucket.suspects.front());
  bucket.finding.rules.clear();
  name_finding(bucket.finding, bucket.suspects, asked_, documented_);
}

}  // namespace lanecheck
