// In which element types of its instruction a measured cause is there, beside those that the cases showed.
#include <algorithm>

#include "fuzz/backend/capabilities.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/run/case_sorter.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostQuestions = 2'000;  // of one run: an attached backend may be slow

}  // namespace

/// Is the cause measured in the finding's program with these types?
bool CaseSorter::has_cause_as(const Finding& finding, const TypePair& types) {
  Variation it = variation_of(finding.program, finding.instruction);
  if (!set_types(it, types) || find_fault(it.program, documented_.readings()) ||
      !asked_.backend().capabilities.include_all_of(it.program))
    return false;
  const auto cause = measure_cause(it.program, it.index, asked_, documented_);
  return cause && id_of(*cause, family_of(it.insn(), documented_)) == finding.id;
}

/// The cases of a run may show a measured cause in some element types of an instruction only: the others are
/// measured too.
void CaseSorter::measure_other_types() {
  if (!asked_.backend().recorded.empty()) return;
  const unsigned before = asked_.questions();
  const auto enough = [&] { return asked_.ends() || asked_.questions() - before > kMostQuestions; };
  for (Bucket& bucket : buckets_.all()) {
    Finding& finding = bucket.finding;
    const bool is_measured = bucket.is_measured() && finding.id.starts_with("measured-") &&
                             finding.repeats == Repeats::stable &&
                             finding.instruction < finding.program.instructions.size();
    if (!is_measured) continue;
    const Instruction own = finding.program.instructions[finding.instruction];
    for (const TypePair& types : row_of(own.op).in(documented_.profile).pairs) {
      Instruction other = own;
      other.dst_type = types.dst;
      other.src_type = types.src;
      const bool is_known = std::ranges::count(finding.instructions, mnemonic(other)) > 0;
      if (!is_known && !enough() && has_cause_as(finding, types))
        Buckets::add_instruction(bucket, mnemonic(other));
    }
  }
}

}  // namespace lanecheck
