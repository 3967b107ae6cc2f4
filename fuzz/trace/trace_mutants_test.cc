// A mutant is switched on in the middle of a trace: the first step that it changes is the first one named.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "fuzz/generate/generate_testing.h"
#include "fuzz/trace/judge_trace.h"
#include "fuzz/trace/trace_testing.h"
#include "oracle/mutants/mutant.h"
#include "spec/text/temporary_folder.h"

namespace lanecheck {
namespace {

/// The number of programs in a kernel. By hand: LANECHECK_TRACE_PROGRAMS=15000, which are 100,000 steps.
std::uint64_t wanted_programs() {
  const char* const wanted = std::getenv("LANECHECK_TRACE_PROGRAMS");
  return wanted == nullptr ? 60 : std::stoull(wanted);
}

std::uint64_t steps_of(const Kernel& kernel) {
  std::uint64_t steps = 0;
  for (const Kernel::Part& part : kernel.parts) steps += 1 + part.instructions.size();
  return steps;
}

/// Executes the kernel under `mutant` from the middle on. Sets `first_wrong` to the first step whose
/// result is another one than the documents expect from the same state; to the number of steps if there is
/// none.
TraceWriter traced(const Kernel& kernel, const Semantics& documented, const Semantics& mutant,
                   std::uint64_t& first_wrong) {
  TraceWriter writer(kernel.start, true);
  first_wrong = ~std::uint64_t{0};
  const bool shows_mask = row_of(kernel.start.profile).shows_mask;
  const std::uint64_t middle = steps_of(kernel) / 2;
  for (const Kernel::Part& part : kernel.parts) {
    writer.copy_in(part.ub);
    for (const Instruction& insn : part.instructions) {
      const std::uint64_t step = writer.steps();
      State expected = writer.state();
      execute_one(kernel.start, insn, documented, expected);
      writer.execute(insn, step < middle ? documented : mutant);
      const bool same =
          same_bytes(expected.ub, writer.state().ub) &&
          (!shows_mask || (expected.mask == writer.state().mask && expected.mode == writer.state().mode));
      if (!same) first_wrong = std::min(first_wrong, step);
    }
  }
  return writer;
}

bool breaks_one_of(const Finding& finding, const Mutant& mutant) {
  return finding.id == mutant.id || std::ranges::any_of(mutant.breaks, [&](std::string_view rule) {
           return std::ranges::count(finding.rules, rule) > 0;
         });
}

/// The finding with the lowest step; null if the report has no finding.
const Finding* first_of(const Report& report) {
  const Finding* first = nullptr;
  for (const Finding& each : report.findings) {
    // No record has the compare mask: what an earlier comparison left in it shows here without its cause.
    if (!each.program.instructions.empty() && each.program.instructions.back().op == Op::get_cmpmask)
      continue;
    if (first == nullptr || each.first_case < first->first_case) first = &each;
  }
  return first;
}

class MutantsInTraces : public testing::TestWithParam<Profile> {};

TEST_P(MutantsInTraces, AreNamedAtTheFirstStepThatTheyChangeInNineteenOfTwenty) {
  const Kernel kernel = kernel_of(GetParam(), 0, wanted_programs());
  const Semantics documented(default_readings(GetParam()));
  RunOptions options;
  options.mix.profile = GetParam();
  options.readings = documented.readings;
  for (const Reading& reading : readings()) options.pinned.emplace_back(reading.id);
  const TemporaryFolder folder;
  const std::string file = folder.path() / "kernel.jsonl";
  unsigned shown = 0, right = 0;
  for (const Mutant& mutant : mutants()) {
    if (!mutant.exists_in(GetParam())) continue;
    SCOPED_TRACE(mutant.id);
    std::uint64_t first_wrong = 0;
    traced(kernel, documented, mutant.semantics(documented.readings), first_wrong).save(file);
    TraceReader reader(file, {});
    const Report report = judge_trace(reader, options);
    for (const std::string& each : report.unreadable)  // a long kernel may be wrong in too many steps
      EXPECT_NE(each.find("too many steps before are wrong"), std::string::npos) << each;
    const Finding* const first = first_of(report);
    if (first == nullptr)
      continue;  // the kernel does not show it, or shows it where the documents are silent
    ++shown;
    EXPECT_GE(first->first_case, first_wrong) << "a right step is called wrong";
    const bool is_right = first->first_case == first_wrong && breaks_one_of(*first, mutant);
    if (!is_right)
      std::cout << mutant.id << ": step " << first_wrong << ", named " << first->first_case << ' '
                << first->id << '\n';
    right += is_right ? 1 : 0;
  }
  std::cout << steps_of(kernel) << " steps: " << right << " of " << shown << " mutants named at once\n";
  EXPECT_GT(shown, 20u);
  EXPECT_GE(100 * right, 95 * shown);
}

INSTANTIATE_TEST_SUITE_P(Of, MutantsInTraces, testing::ValuesIn(kEveryProfile), test_name_of);

}  // namespace
}  // namespace lanecheck
