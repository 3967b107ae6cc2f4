#include "reports/page/lane_lines.h"

#include <algorithm>

#include "spec/program/input_error.h"
#include "spec/text/json_reader.h"
#include "spec/text/number.h"

namespace lanecheck::page {
namespace {

constexpr unsigned kMostLanesOfRun = 65'536;

/// The value of each lane, from runs such as "7 x64".
std::vector<std::string> values(JsonObject& run, std::string_view field, unsigned count) {
  std::vector<std::string> list;
  for (const std::string& text : run.texts(field)) {
    const auto times = text.find(" x");
    const auto number =
        times == std::string::npos ? std::optional<std::uint64_t>(1) : parse_unsigned(text.substr(times + 2));
    if (!number || *number == 0 || *number > count - list.size())
      run.wrong(field, "does not have a value for each of the " + std::to_string(count) + " lanes");
    list.insert(list.end(), *number, text.substr(0, times));
  }
  if (list.size() != count)
    run.wrong(field, "does not have a value for each of the " + std::to_string(count) + " lanes");
  return list;
}

Lane lane_of(bool written, bool agrees, const LaneRun& run) {
  if (agrees) return written ? Lane::written : Lane::kept;
  if (!written) return Lane::wrongly_written;
  return run.actual == run.old ? Lane::wrongly_kept : Lane::wrong_value;
}

/// Does `next` continue `run`, so that both are shown as one?
bool continues(const LaneRun& run, const LaneRun& next) {
  if (run.lane != next.lane || run.mask != next.mask || run.type != next.type) return false;
  if (run.first + run.count != next.first || run.block != next.block) return false;
  return !is_wrong(run.lane) ||
         (run.old == next.old && run.expected == next.expected && run.actual == next.actual);
}

/// Where lanes that agree are put together, their values may differ: the first and the last stand for them.
void append_value(std::string& values, const std::string& value) {
  if (values == value) return;
  values = values.substr(0, values.find(" .. ")) + " .. " + value;
}

void append(std::vector<LaneRun>& runs, LaneRun next) {
  if (runs.empty() || !continues(runs.back(), next)) {
    runs.push_back(std::move(next));
    return;
  }
  LaneRun& run = runs.back();
  ++run.count;
  append_value(run.old, next.old);
  append_value(run.expected, next.expected);
  append_value(run.actual, next.actual);
}

void read_run(const nlohmann::json& json, const std::string& where, LaneLine& line) {
  JsonObject object(json, where);
  LaneRun run;
  run.block = static_cast<unsigned>(object.number("block", 0xffff'ffff));
  run.first = static_cast<unsigned>(object.number("lane", 0xffff'ffff - kMostLanesOfRun));
  run.mask = object.number("mask", 1) == 1;
  run.type = object.text("type");
  const auto count = static_cast<unsigned>(object.number("count", kMostLanesOfRun));
  const bool written = object.flag("written"), agrees = object.flag("agrees");
  const auto old = values(object, "old", count), expected = values(object, "expected", count),
             actual = values(object, "actual", count);
  unsigned column = line.runs.empty() ? 0 : line.runs.back().column + line.runs.back().count;
  run.count = 1;
  for (unsigned n = 0; n < count; ++n) {
    run.column = column + n;
    run.old = old[n];
    run.expected = expected[n];
    run.actual = actual[n];
    run.lane = lane_of(written, agrees, run);
    append(line.runs, run);
    ++run.first;
  }
}

}  // namespace

std::string_view name_of(Lane lane) {
  switch (lane) {
    case Lane::kept:
      return "kept";
    case Lane::written:
      return "written";
    case Lane::wrongly_kept:
      return "wrongly kept";
    case Lane::wrongly_written:
      return "wrongly written";
    case Lane::wrong_value:
      break;
  }
  return "wrong value";
}

bool LaneLine::has_wrong() const {
  return std::ranges::any_of(runs, [](const LaneRun& run) { return is_wrong(run.lane); });
}

std::vector<LaneLine> read_lanes(const nlohmann::json& list, const std::string& where) {
  if (!list.is_array()) throw InputError(where, "expected an array");
  std::vector<LaneLine> lines;
  for (const nlohmann::json& json : list) {
    const std::string path = where + "/" + std::to_string(lines.size());
    JsonObject object(json, path);
    LaneLine line;
    line.repeat = static_cast<unsigned>(object.number("repeat", 0xffff'ffff));
    line.repeats = static_cast<unsigned>(object.number("repeats", 0xffff));
    const nlohmann::json& runs = object.at("runs");
    if (!runs.is_array()) object.wrong("runs", "expected an array");
    for (const nlohmann::json& run : runs) read_run(run, object.path("runs"), line);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace lanecheck::page
