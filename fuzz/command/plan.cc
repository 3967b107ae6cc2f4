// lanecheck plan: which runs the plans of `lanecheck run --plan` consist of.
#include <iostream>
#include <memory>

#include "fuzz/command/plan_file.h"
#include "fuzz/journal/run_folder.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/page/escape.h"
#include "spec/program/input_error.h"

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

/// Replaces the one line of the script that begins with "name=".
void set_line(std::string& script, const std::string& name, const std::string& value) {
  const std::size_t begin = script.find("\n" + name + "=") + 1;
  script.replace(begin, script.find('\n', begin) - begin, name + "=" + value);
}

/// Prints the script that does a plan in parts on a Slurm cluster.
int print_slurm(const std::string& name, std::uint64_t parts) {
  read_part("1/" + std::to_string(parts));  // throws if there are too many
  for (const PlannedRun& run : find_plan(name).runs) {
    if (run.settings.window.cases < parts)
      throw InputError(
          "--parts", "run " + run.name + " has only " + std::to_string(run.settings.window.cases) + " cases");
    if (run.settings.seconds > 0)
      throw InputError(
          "plan " + name,
          "run " + run.name +
              " stops after some seconds; only a run with a count of cases can be done in parts");
  }
  std::string script(kBatchScript);
  set_line(script, "plan", page::shell_word(name));
  set_line(script, "parts", std::to_string(parts));
  std::cout << script;
  return kConforms;
}

void add_slurm(CommandLine& line) {
  Command slurm = line.add("plan slurm", "print a script that does a plan in parts on a Slurm cluster");
  const auto name = std::make_shared<std::string>();
  const auto parts = std::make_shared<std::uint64_t>(8);
  slurm.text("plan", *name, "the name of a plan, or a file").required();
  slurm.number("--parts", *parts, "how many tasks the job array has", std::uint64_t{1});
  slurm.footer(R"(Examples:
  lanecheck plan slurm nightly --parts 100 >nightly.sbatch
  bash nightly.sbatch submit /shared/night --backend 'cmd: python3 my_sim.py')");
  slurm.action([name, parts] { return print_slurm(*name, *parts); });
}

}  // namespace

void add_plan(CommandLine& line) {
  line.add("plan", "list, show and submit the plans of `lanecheck run --plan`").footer(R"(Examples:
  lanecheck plan list
  lanecheck plan show nightly
  lanecheck plan slurm nightly --parts 100 >nightly.sbatch)");
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
  add_slurm(line);
}

}  // namespace lanecheck
