// lanecheck status: how far the run in a folder has come, also while it runs and after its process has died.
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/command/command_line.h"
#include "fuzz/command/report_place.h"
#include "fuzz/journal/run_folder.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "spec/program/input_error.h"
#include "spec/text/input_file.h"
#include "spec/text/json_depth.h"

namespace lanecheck {
namespace {

using Json = nlohmann::ordered_json;

/// "90 s", "12 min", "3.5 h"
std::string time_text(double seconds) {
  std::ostringstream text;
  if (seconds < 120)
    text << std::lround(seconds) << " s";
  else if (seconds < 7200)
    text << std::lround(seconds / 60) << " min";
  else
    text << static_cast<double>(std::lround(seconds / 360)) / 10 << " h";
  return text.str();
}

Json read_status(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "status.json";
  std::error_code none;
  if (std::filesystem::symlink_status(file, none).type() == std::filesystem::file_type::not_found)
    throw InputError(folder.string(), "the run has written no status yet");
  const std::string text = read_input_file(file);
  check_depth(text, file.string());
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw InputError(file.string(), std::string("is no status of a run: ") + error.what());
  }
}

/// A number that is not negative, and small enough to be counted with. Throws InputError.
double number_of(const Json& status, const char* name, const std::string& folder) {
  const auto number = status.at(name).get<double>();
  if (number >= 0 && number <= 1e15) return number;
  throw InputError(folder + "/status.json",
                   "is no status of a run: '" + std::string(name) + "' cannot be " + status.at(name).dump());
}

void print_state(const Json& status, const std::string& folder, std::optional<int> worker) {
  const bool finished = status.at("state") == "finished";
  const double age =
      std::max(0.0, static_cast<double>(::time(nullptr)) - number_of(status, "written_at", folder));
  if (worker)
    std::cout << "running: process " << *worker << ", last heard of " << time_text(age) << " ago\n";
  else if (finished)
    std::cout << "finished " << time_text(age) << " ago\n";
  else
    std::cout << "interrupted: nothing runs, last heard of " << time_text(age)
              << " ago; go on with: lanecheck run --resume " << printable(folder) << '\n';
}

int show(const std::string& folder) try {
  check_one_run(folder);
  const RunRecord record = read_run(folder);
  const std::optional<int> worker = worker_of(folder);
  const Json status = read_status(folder);
  print_state(status, folder, worker);
  const auto done = status.at("done").get<std::uint64_t>(),
             planned = status.at("planned").get<std::uint64_t>();
  if (done > planned)
    throw InputError(folder + "/status.json", "is no status of a run: it has more cases than were planned");
  const double rate = number_of(status, "cases_per_second", folder);
  if (!record.part.whole())
    std::cout << "part " << record.part.number << " of " << record.part.of << " of the run\n";
  std::cout << done << " of " << planned << " cases, " << status.at("failed").get<std::uint64_t>()
            << " of them failed; the next is case " << status.at("next_case").get<std::uint64_t>() << '\n';
  std::cout << std::llround(rate) << " cases/s";
  if (worker && rate > 0)
    std::cout << ", about " << time_text(static_cast<double>(planned - done) / rate) << " left";
  std::cout << '\n';
  const Json& findings = status.at("findings");
  std::cout << findings.size() << (findings.size() == 1 ? " finding" : " findings") << '\n';
  for (const Json& id : findings) std::cout << "  " << printable(id.get<std::string>()) << '\n';
  return kConforms;
} catch (const Json::exception& error) {
  throw InputError(folder + "/status.json", std::string("is no status of a run: ") + error.what());
}

}  // namespace

void add_status(CommandLine& line) {
  Command command = line.add("status", "say how far the run in a folder has come");
  const auto folder = std::make_shared<std::string>();
  command.text("folder", *folder, "the folder that `lanecheck run --folder` was given").required();
  command.footer(
      R"(The command only reads the folder. It works during the run and after its end. Exit code 0, or 2 if there is no run.

Examples:
  lanecheck status nightly)");
  command.action([folder] { return show(*folder); });
}

}  // namespace lanecheck
