// lanecheck plan: which runs the plans of `lanecheck run --plan` consist of.
#include <iostream>
#include <memory>

#include "fuzz/command/plan_file.h"
#include "reports/exit_code.h"
#include "reports/format.h"

namespace lanecheck {
namespace {

int list_plans() {
  for (const PlanFile& each : kPlans)
    std::cout << each.name << ": " << find_plan(std::string(each.name)).about << '\n';
  return kConforms;
}

int show_plan(const std::string& name) {
  const Plan plan = find_plan(name);
  std::cout << printable(plan.name) << ": " << printable(plan.about) << '\n';
  for (const PlannedRun& run : plan.runs)
    std::cout << "  " << run.name << "  " << printable(settings_text(run.settings)) << '\n';
  return kConforms;
}

}  // namespace

void add_plan(CommandLine& line) {
  line.add("plan", "the plans of `lanecheck run --plan`").footer(R"(Examples:
  lanecheck plan list
  lanecheck plan show nightly)");
  Command list = line.add("plan list", "print the plans that lanecheck has, a line each");
  list.footer("Examples:\n  lanecheck plan list");
  list.action([] { return list_plans(); });
  Command show = line.add("plan show", "print the runs of a plan with all of their settings");
  const auto name = std::make_shared<std::string>();
  show.text("plan", *name, "the name of a plan, or a file").required();
  show.footer(R"(Examples:
  lanecheck plan show nightly
  lanecheck plan show our-plan.json)");
  show.action([name] { return show_plan(*name); });
}

}  // namespace lanecheck
