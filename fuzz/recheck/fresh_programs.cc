#include "fuzz/recheck/fresh_programs.h"

#include <algorithm>

#include "fuzz/explain/questions/variation.h"
#include "fuzz/generate/generate.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kPhases = 64;                  ///< of the data (fuzz/generate/data.h)
constexpr std::uint64_t kMostGenerated = 20'000;  ///< cases among which the instruction is looked for

bool adds_nothing(const std::vector<FreshProgram>& there, const Program& program, const Readings& readings) {
  return find_fault(program, readings) ||
         std::ranges::any_of(there, [&](const FreshProgram& each) { return each.program == program; });
}

void add_varied(const SavedCases& run, const SavedCase& finding, std::size_t most,
                std::vector<FreshProgram>& programs) {
  const Variation base = variation_of(finding.smallest.program, finding.instruction);
  for (unsigned n = 0; n < kDataKinds * kPhases && programs.size() < most; ++n) {
    Variation other = base;
    set_data(other, n % kDataKinds, n / kDataKinds);
    if (adds_nothing(programs, other.program, run.readings)) continue;
    programs.push_back({std::move(other.program), true});
  }
}

void add_generated(const SavedCases& run, const SavedCase& finding, const Capabilities& offered,
                   std::size_t most, std::vector<FreshProgram>& programs) {
  const Mix mix{.profile = run.profile};
  const std::string wanted = mnemonic(finding.smallest.program.instructions[finding.instruction]);
  Program program;
  for (std::uint64_t n = 1; n <= kMostGenerated && programs.size() < most; ++n) {
    generate(run.seed, finding.first_case + n, mix, program);
    restrict_to(offered, program);
    const bool has = std::ranges::any_of(program.instructions,
                                         [&](const Instruction& insn) { return mnemonic(insn) == wanted; });
    if (has && !find_fault(program, run.readings)) programs.push_back({program, false});
  }
}

}  // namespace

std::vector<FreshProgram> fresh_programs(const SavedCases& run, const SavedCase& finding,
                                         const Capabilities& offered, std::size_t most) {
  std::vector<FreshProgram> programs;
  const Program& smallest = finding.smallest.program;
  if (finding.instruction >= smallest.instructions.size()) return programs;  // refused, or broken as a whole
  if (!row_of(smallest.instructions[finding.instruction].op).operands.empty())
    add_varied(run, finding, most / 2, programs);
  add_generated(run, finding, offered, most, programs);
  return programs;
}

}  // namespace lanecheck
