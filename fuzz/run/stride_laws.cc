// Cases of a measured law of strides that other operands or other instructions show.
#include <algorithm>

#include "fuzz/explain/cause_key.h"
#include "fuzz/explain/measured_cause.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/trials/trials.h"
#include "fuzz/run/case_sorter.h"
#include "oracle/compare/compare.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

/// Which operands of all instructions obey a law.
enum class Operands : std::uint8_t { all, sources, dst };
constexpr Operands kOperands[] = {Operands::all, Operands::sources, Operands::dst};

bool is_counted(const Program& program, std::size_t index) {
  const MaskGiven given = mask_given(program, index);
  return given == MaskGiven::total || given == MaskGiven::count;
}

/// The program with the strides that the law gives in place of those that are given. Nothing if it is not
/// legal.
std::optional<Program> by_law(const StrideLaw& law, Operands operands, const Program& program,
                              const Documented& documented) {
  Program changed = program;
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    if (law.in_counter_mode && !is_counted(program, n)) continue;
    Instruction& insn = changed.instructions[n];
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
      if (operands != Operands::all && (k == 0) != (operands == Operands::dst)) continue;
      if (!has_stride(insn, k, law.field)) continue;
      const std::int64_t taken = law.taken(insn.operands[k].*law.field);
      if (taken < 0) return {};
      insn.operands[k].*law.field = static_cast<std::uint32_t>(taken);
    }
  }
  if (changed == program || find_fault(changed, documented.readings())) return {};
  return changed;
}

}  // namespace

/// The bucket of a law of strides that gives `actual` if all instructions obey it. The backend is asked for a
/// law once.
Bucket* CaseSorter::bucket_of_stride_law(const Program& program, const State& actual) {
  return buckets_.find([&](Bucket& each) {
    if (!each.finding.cause.starts_with(kStridesKey) || asked_.ends()) return false;
    if (!each.law) {
      const auto cause = measure_cause(each.finding.program, each.finding.instruction, asked_, documented_);
      each.law = cause && cause->difference.stride ? *cause->difference.stride : StrideLaw{};
    }
    return each.law->taken && std::ranges::any_of(kOperands, [&](Operands operands) {
             const auto predicted = by_law(*each.law, operands, program, documented_);
             return predicted && agrees(*predicted, documented_.semantics, actual, asked_.shown());
           });
  });
}

}  // namespace lanecheck
