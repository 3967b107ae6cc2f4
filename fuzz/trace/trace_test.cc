// Traces as files: what is right conforms, and what cannot be read is refused by name and line.
#include "fuzz/trace/trace.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <iostream>

#include "fuzz/generate/generate_testing.h"
#include "fuzz/trace/judge_trace.h"
#include "fuzz/trace/trace_testing.h"
#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

std::string file_of_test() {
  std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
  std::ranges::replace(name, '/', '_');
  return (std::filesystem::temp_directory_path() / ("lanecheck_trace_" + name + ".jsonl")).string();
}

Report judge_file(const std::string& file) {
  TraceReader reader(file, {});
  RunOptions options;
  options.mix.profile = reader.start().profile;
  options.readings = default_readings(options.mix.profile);
  return judge_trace(reader, options);
}

class Traces : public testing::TestWithParam<Profile> {};

TEST_P(Traces, OfTheOracleConform) {
  const Kernel kernel = kernel_of(GetParam(), 0, 150);
  const Semantics documented(default_readings(GetParam()));
  for (const bool shows_mask : {false, true}) {
    TraceWriter writer(kernel.start, shows_mask);
    execute_kernel(kernel, writer, [&](auto) -> const Semantics& { return documented; });
    writer.save(file_of_test());
    const Report report = judge_file(file_of_test());
    EXPECT_EQ(report.unreadable, std::vector<std::string>{});
    EXPECT_EQ(report.diverges + report.undecided + report.errored, 0u);
    EXPECT_EQ(report.skipped, 0u) << (report.skip_reasons.empty() ? "" : report.skip_reasons.front());
    EXPECT_EQ(report.conforms, writer.steps() - kernel.parts.size());  // copies are not judged
  }
  std::filesystem::remove(file_of_test());
}

INSTANTIATE_TEST_SUITE_P(Of, Traces, testing::ValuesIn(kEveryProfile), test_name_of);

}  // namespace
}  // namespace lanecheck
