// A plan file may hold anything: it is read, or refused by name.
#include "fuzz/command/plan_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "spec/text/mutation_testing.h"
#include "spec/text/temporary_folder.h"

namespace lanecheck {
namespace {

TEST(PlanFile, AMutatedPlanIsReadOrRefusedByName) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / kMutatedFile;
  const auto read = [&](const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    for (const PlannedRun& run : find_plan(file).runs) EXPECT_FALSE(settings_text(run.settings).empty());
  };
  const std::string good =
      R"({"schema":"lanecheck-plan-1","name":"two","about":"Two runs.","runs":[
{"name":"first","cases":500,"seed":3,"first":7,"deadline":2.5,"restarts":4,"readings":["empty_reduction=writes_neutral"],"strict":true},
{"name":"second","profile":"tik","boundaries":true,"backend":"oracle","seconds":9,"max_findings":2}]})";
  read(good);
  expect_reads_or_refuses(good, 400, read);
  for (const char* place : {"/about", "/runs/0/cases", "/runs/1/backend"})
    expect_refuses_depth(good, place, read);
}

}  // namespace
}  // namespace lanecheck
