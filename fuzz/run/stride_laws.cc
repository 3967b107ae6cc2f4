// Cases of a measured law of strides that other operands or other instructions show.
#include <algorithm>

#include "fuzz/explain/measured/cause_key.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/trials/trials.h"
#include "fuzz/run/case_sorter.h"
#include "oracle/compare/compare.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Which operands of all instructions obey a law: one of each, the sources, or all.
struct Scope {
  unsigned first, last;

  bool has(unsigned k) const { return first <= k && k <= last; }
};
constexpr Scope kScopes[] = {{0, 0}, {1, 1}, {2, 2}, {1, 3}, {0, 3}};

/// The program with the strides that the law gives in place of those that are given. Nothing if it is not
/// legal.
std::optional<Program> by_law(const StrideLaw& law, const Scope& scope, const Program& program,
                              const Documented& documented) {
  Program changed = program;
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    if (law.in_counter_mode && !is_count(mask_given(program, n))) continue;
    Instruction& insn = changed.instructions[n];
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
      if (!scope.has(k) || !has_stride(insn, k, law.field)) continue;
      const std::int64_t taken = law.taken(insn.operands[k].*law.field);
      if (taken < 0) return {};
      insn.operands[k].*law.field = static_cast<std::uint32_t>(taken);
    }
  }
  if (changed == program || find_fault(changed, documented.readings())) return {};
  return changed;
}

/// Is it the scope of one operand whose role is among `roles`, in an instruction of the program?
bool is_of_roles(const Scope& scope, const Program& program, const std::vector<std::string>& roles) {
  return scope.first == scope.last && std::ranges::any_of(program.instructions, [&](const Instruction& insn) {
           const auto operands = row_of(insn.op).operands;
           return scope.first < operands.size() &&
                  std::ranges::find(roles, operands[scope.first].role) != roles.end();
         });
}

/// The first scope in which the law gives `actual`; null if it gives it in none. `known`: the operands that
/// were seen to obey it come first, because data may hide which operand it is.
const Scope* scope_of(const StrideLaw& law, const Program& program, const State& actual,
                      const std::vector<std::string>& known, const Documented& documented, Shown shown) {
  for (const bool is_known : {true, false})
    for (const Scope& scope : kScopes) {
      if (is_of_roles(scope, program, known) != is_known) continue;
      if (const auto predicted = by_law(law, scope, program, documented))
        if (agrees(*predicted, documented.semantics, actual, shown)) return &scope;
    }
  return nullptr;
}

/// The same with some lanes of instruction `index` off; nothing if the mask gates no lanes of it.
std::optional<Program> with_lanes_off(const Program& program, std::size_t index,
                                      const Documented& documented) {
  Program changed = program;
  Instruction& insn = changed.instructions[index];
  if (documented.semantics.use[static_cast<std::size_t>(insn.op)] != MaskUse::gates_writeback) return {};
  const MaskWords words = gapped_mask({program.profile, insn});
  if (insn.mask_from == MaskFrom::contiguous || insn.mask_from == MaskFrom::bitwise) {
    insn.mask_from = MaskFrom::bitwise;
    insn.high = words.high;
    insn.low = words.low;
  } else if (const auto setter = row_of(program.profile).sets_mask;
             setter && insn.mask_from == MaskFrom::reg) {
    changed.instructions.insert(changed.instructions.begin() + static_cast<std::ptrdiff_t>(index),
                                mask_setter(*setter, words, insn.src_type));
  }
  if (changed == program || find_fault(changed, documented.readings())) return {};
  return changed;
}

/// A law that is obeyed under a full mask only is another one: does it give what the program leaves with
/// lanes of instruction `index` off, too?
bool obeys_with_lanes_off(const StrideLaw& law, const Scope& scope, const Program& program, std::size_t index,
                          AskedBackend& asked, const Documented& documented) {
  const auto masked = with_lanes_off(program, index, documented);
  const auto predicted = masked ? by_law(law, scope, *masked, documented) : std::nullopt;
  if (!predicted) return true;
  const BackendAnswer answer = asked.ask(*masked);
  return !answer.ran() || agrees(*predicted, documented.semantics, answer.state, asked.shown());
}

}  // namespace

/// The bucket of a law of strides that gives `actual` if all instructions obey it. The backend is asked for a
/// law once.
Bucket* CaseSorter::bucket_of_stride_law(const Program& program, const State& actual) {
  const Scope* scope = nullptr;
  std::string insn;  // that shows the law
  Bucket* const same = buckets_.find([&](Bucket& each) {
    if (!each.finding.cause.starts_with(kStridesKey) || asked_.ends()) return false;
    if (!each.law) {
      const auto cause = measure_cause(each.finding.program, each.finding.instruction, asked_, documented_);
      each.law = cause && cause->difference.stride ? *cause->difference.stride : StrideLaw{};
    }
    scope = each.law->taken
                ? scope_of(*each.law, program, actual, each.finding.operands, documented_, asked_.shown())
                : nullptr;
    if (scope == nullptr) return false;
    insn = symptom_of(program, actual, documented_, asked_.shown()).instruction;
    if (std::ranges::count(each.finding.instructions, insn) > 0) return true;
    Finding located;  // the symptom may be that of a later instruction, which reads what is wrong
    located.program = program;
    locate(located, asked_, documented_);
    if (located.instruction >= program.instructions.size()) return false;
    insn = mnemonic(program.instructions[located.instruction]);
    return obeys_with_lanes_off(*each.law, *scope, program, located.instruction, asked_, documented_);
  });
  if (same == nullptr) return nullptr;
  Instruction shows;
  if (!parse_mnemonic(insn, shows)) return same;
  Buckets::add_instruction(*same, insn);
  if (scope->first == scope->last && scope->first < row_of(shows.op).operands.size())
    Buckets::add_operand(*same, std::string(row_of(shows.op).operands[scope->first].role));
  return same;
}

}  // namespace lanecheck
