#include "fuzz/command/plan_file.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "spec/program/input_error.h"
#include "spec/text/did_you_mean.h"
#include "spec/text/input_file.h"
#include "spec/text/json_depth.h"

namespace lanecheck {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "lanecheck-plan-1";

bool is_folder_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.size() <= 100 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
             std::string::npos;
}

/// `boundaries` stands for the number of cases that reaches all rows of the boundary tables.
PlannedRun read_planned_run(Json json, const std::string& where) {
  if (!json.is_object() || !json.contains("name") || !json["name"].is_string() ||
      !is_folder_name(json["name"].get<std::string>()))
    throw InputError(where, "a run has a 'name' of letters, digits, '.', '_' and '-'");
  PlannedRun run{json["name"].get<std::string>(), {}};
  json.erase("name");
  const bool boundaries = json.contains("boundaries");
  if (boundaries && (json["boundaries"] != true || json.contains("cases")))
    throw InputError(where, "'boundaries' is true and takes the place of 'cases'");
  json.erase("boundaries");
  run.settings = settings_from(json, where);
  if (boundaries) {
    check_settings(run.settings, where);  // is there such a profile?
    run.settings.window.cases = cases_with_boundaries(run.settings.profile.profile());
  }
  check_settings(run.settings, where);
  return run;
}

Plan read_plan(std::string_view text, const std::string& where) try {
  check_depth(text, where);
  const Json json = Json::parse(text);
  if (!json.is_object() || json.value("schema", "") != kSchema)
    throw InputError(where, "is not a plan of this version (" + std::string(kSchema) + ")");
  Plan plan{json.at("name").get<std::string>(), json.at("about").get<std::string>(), {}};
  for (const auto& [name, value] : json.items())
    if (name != "schema" && name != "name" && name != "about" && name != "runs")
      throw InputError(where, "a plan has no '" + name + "'");
  for (const Json& each : json.at("runs")) {
    const std::string place = where + ": runs[" + std::to_string(plan.runs.size()) + "]";
    PlannedRun run = read_planned_run(each, place);
    if (std::ranges::count(plan.runs, run.name, &PlannedRun::name) > 0)
      throw InputError(place, "there are two runs '" + run.name + "'");
    plan.runs.push_back(std::move(run));
  }
  if (plan.runs.empty()) throw InputError(where, "the plan has no runs");
  return plan;
} catch (const Json::exception& error) {
  throw InputError(where, std::string("is not a whole plan: ") + error.what());
}

}  // namespace

Plan find_plan(const std::string& name_or_file) {
  std::vector<std::string> names;
  for (const PlanFile& each : kPlans) {
    if (each.name == name_or_file) return read_plan(each.text, "plan " + name_or_file);
    names.emplace_back(each.name);
  }
  std::error_code none;
  if (!std::filesystem::exists(name_or_file, none))
    throw InputError("--plan " + name_or_file,
                     "there is no such plan and no such file; `lanecheck plan list` "
                     "prints the plans" +
                         did_you_mean(name_or_file, names));
  return read_plan(read_input_file(name_or_file), name_or_file);
}

}  // namespace lanecheck
