// A known mistake that names a finding may show in several families of instructions. Those that the backend
// executes rightly are named, and rules that are broken there alone are not said to be broken.
#include <algorithm>
#include <map>
#include <set>

#include "fuzz/explain/broken_rules/broken_rules.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/run/case_sorter.h"
#include "fuzz/run/find_backend.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kMostTriedForFamilies = 800;  // programs of the run
constexpr unsigned kAskedOfFamily = 2;                // programs of a family

/// The instructions of the program up to the first one after which the mistake shows; nothing if it does not.
std::optional<Program> part_that_shows(const Hypothesis& mistake, const Program& program,
                                       const Documented& documented, Shown shown) {
  const auto shows = [&](const Program& part) {
    State left;
    execute(part, mistake.semantics, left);
    return !agrees(part, documented.semantics, left, shown);
  };
  if (!shows(program)) return {};
  for (std::size_t count = 1; count < program.instructions.size(); ++count)
    if (Program part = prefix(program, count); shows(part)) return part;
  return program;
}

/// The rules that the last instruction of `part` breaks by the mistake.
std::vector<std::string> rules_broken_by(const Hypothesis& mistake, const Program& part,
                                         const Documented& documented) {
  const Backend wrong = oracle_backend("mistake", mistake.semantics);
  AskedBackend asked(wrong, documented.profile);
  State before;
  execute(prefix(part, part.instructions.size() - 1), documented.semantics, before);
  const auto step = run_step(asked, part, part.instructions.back(), before);
  return step ? violated_rules(*step, documented) : std::vector<std::string>{};
}

/// What the backend does with a family of instructions where the mistake would show.
struct AskedFamily {
  unsigned conforming = 0;
  bool is_wrong = false;
  std::set<std::string> instructions{}, rules{};  ///< rules that the mistake would break

  bool is_known() const { return is_wrong || conforming >= kAskedOfFamily; }
  bool is_right() const { return !is_wrong && conforming >= kAskedOfFamily; }
};

}  // namespace

/// Asks the backend for programs of the run in which the mistake shows in other families than in that of the
/// finding.
void CaseSorter::name_right_families(const Hypothesis& mistake, Finding& finding) {
  if (mistake.wrong == nullptr || mistake.wrong->only_in || !asked_.backend().recorded.empty()) return;
  if (finding.instruction >= finding.program.instructions.size()) return;  // an empty program shows it
  const Shown shown = asked_.shown();
  std::map<std::string, AskedFamily> families;
  families[family_of(finding.program.instructions[finding.instruction], documented_)].is_wrong = true;
  Program program;
  for (std::uint64_t index = 0; index < kMostTriedForFamilies && !asked_.ends(); ++index) {
    generate(options_.seed, index, options_.mix, program);
    if (!asked_.backend().capabilities.include_all_of(program) || find_fault(program, documented_.readings()))
      continue;
    const auto part = part_that_shows(mistake, program, documented_, shown);
    if (!part || part->instructions.empty()) continue;
    const Instruction& insn = part->instructions.back();
    AskedFamily& family = families[family_of(insn, documented_)];
    if (family.is_known()) continue;
    const Says said = says(asked_.ask(*part), *part, documented_, shown);
    family.is_wrong = said == Says::diverges;
    if (said != Says::conforms) continue;
    ++family.conforming;
    family.instructions.emplace(row_of(insn.op).name);
    for (std::string& rule : rules_broken_by(mistake, *part, documented_))
      family.rules.insert(std::move(rule));
  }
  std::vector<std::string> right;
  std::set<std::string> rules;
  for (const auto& [name, family] : families) {
    if (!family.is_right()) continue;
    right.push_back(name + " (" + joined(family.instructions) + ")");
    rules.insert(family.rules.begin(), family.rules.end());
  }
  if (right.empty()) return;
  finding.what += "; families that are right where this would show, with what was tried: " + joined(right);
  const auto broken = rules_broken_by(mistake, prefix(finding.program, finding.instruction + 1), documented_);
  std::erase_if(finding.rules, [&](const std::string& rule) {
    return rules.contains(rule) && std::ranges::count(broken, rule) == 0;
  });
}

}  // namespace lanecheck
