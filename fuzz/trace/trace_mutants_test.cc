// A mutant is switched on in the middle of a trace: the first step that it changes is the first one named.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/generate/generate_testing.h"
#include "fuzz/trace/judge_trace.h"
#include "fuzz/trace/trace_testing.h"
#include "oracle/mutants/mutant.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kSwitchedOn = 500;

/// Executes the kernel under `mutant` from step kSwitchedOn on. Sets `first_wrong` to the first step whose
/// result is another one than the documents expect from the same state; to the number of steps if there is
/// none.
TraceWriter traced(const Kernel& kernel, const Semantics& documented, const Semantics& mutant,
                   std::uint64_t& first_wrong) {
  TraceWriter writer(kernel.start, true);
  first_wrong = ~std::uint64_t{0};
  for (const Kernel::Part& part : kernel.parts) {
    writer.copy_in(part.ub);
    for (const Instruction& insn : part.instructions) {
      const std::uint64_t step = writer.steps();
      State expected = writer.state();
      execute_one(kernel.start, insn, documented, expected);
      writer.execute(insn, step < kSwitchedOn ? documented : mutant);
      const bool same = expected.ub == writer.state().ub && expected.mask == writer.state().mask &&
                        expected.mode == writer.state().mode;
      if (!same) first_wrong = std::min(first_wrong, step);
    }
  }
  return writer;
}

/// The lowest step that a finding names, and whether all findings have the mutant's name or break its rules.
struct Named {
  std::uint64_t first = ~std::uint64_t{0};
  bool by_rule = true;
};

Named named_in(const Report& report, const Mutant& mutant) {
  Named named;
  for (const Finding& each : report.findings) {
    // No record has the compare mask: what an earlier comparison left in it shows here without its cause.
    if (!each.program.instructions.empty() && each.program.instructions.back().op == Op::get_cmpmask)
      continue;
    named.first = std::min(named.first, each.first_case);
    named.by_rule = named.by_rule &&
                    (each.id == mutant.id || std::ranges::any_of(mutant.breaks, [&](std::string_view rule) {
                       return std::ranges::count(each.rules, rule) > 0;
                     }));
  }
  return named;
}

class MutantsInTraces : public testing::TestWithParam<const char*> {};

TEST_P(MutantsInTraces, AreNamedAtTheFirstStepThatTheyChange) {
  const Mutant* const mutant = find_mutant(GetParam());
  ASSERT_NE(mutant, nullptr);
  const Profile profile = mutant->exists_in(Profile::vmc) ? Profile::vmc : Profile::a2;
  const Semantics documented(default_readings(profile));
  static const Kernel vmc = kernel_of(Profile::vmc, 0, 200), a2 = kernel_of(Profile::a2, 0, 200);
  const std::string file =
      (std::filesystem::temp_directory_path() / ("lanecheck_" + mutant->id + ".jsonl")).string();
  std::uint64_t first_wrong = 0;
  traced(profile == Profile::vmc ? vmc : a2, documented, mutant->semantics(documented.readings), first_wrong)
      .save(file);
  ASSERT_NE(first_wrong, ~std::uint64_t{0}) << "the kernel does not show the mutant";
  TraceReader reader(file, {});
  RunOptions options;
  options.mix.profile = profile;
  options.readings = documented.readings;
  for (const Reading& reading : readings()) options.pinned.emplace_back(reading.id);
  const Report report = judge_trace(reader, options);
  std::filesystem::remove(file);
  const Named named = named_in(report, *mutant);
  EXPECT_EQ(named.first, first_wrong);
  std::string ids;
  for (const Finding& each : report.findings) ids += " " + each.id;
  EXPECT_TRUE(named.by_rule) << ids;
  EXPECT_EQ(report.unreadable, std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Of, MutantsInTraces,
                         testing::Values("set-mask-swapped", "set-mask-clears-upper", "reset-low-only",
                                         "mask-advances", "mask-inverted", "cast-counts-narrow",
                                         "select-control-msb", "compare-bytes", "cadd-keeps-dst",
                                         "cgmax-first-block", "operand-swapped", "counter-as-bits",
                                         "count-ignored", "pattern-5-off-by-one"),
                         [](const auto& of) { return as_test_name(of.param); });

}  // namespace
}  // namespace lanecheck
