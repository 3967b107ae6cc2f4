#include "fuzz/identify/show.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "reports/format.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Json = nlohmann::ordered_json;

std::string shift_text(std::int64_t from, std::int64_t to) {
  if (from == to) return "lane";
  return (to > from ? "lane + " : "lane - ") + std::to_string(std::abs(to - from));
}

std::string show_gate(const Gate& gate, unsigned lane) {
  switch (gate.kind) {
    case GateKind::slot:
      return "by slot " + shift_text(lane, gate.slot);
    case GateKind::inverted:
      return "inverted by slot " + shift_text(lane, gate.slot);
    case GateKind::always:
      return "always";
    case GateKind::never:
      return "never";
    case GateKind::several:
      break;
  }
  return "by no single slot";
}

std::string range(std::int64_t from, std::int64_t to) {
  return from == to ? std::to_string(from) : std::to_string(from) + ".." + std::to_string(to);
}

/// A list of at most eight texts as a whole; of a longer one the first six and the last.
std::string shorten(const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 8;
  std::string all;
  for (std::size_t n = 0; n < texts.size(); ++n) {
    if (texts.size() > kMost && n >= kMost - 2 && n + 1 < texts.size()) continue;
    if (n > 0) all += texts.size() > kMost && n + 1 == texts.size() ? ", ..., " : ", ";
    all += texts[n];
  }
  return all.empty() ? "nothing" : all;
}

/// Runs of consecutive elements of dst that are computed from consecutive elements.
std::string show_sources(const SourceMap& map) {
  std::vector<std::string> runs;
  for (std::size_t n = 0; n < map.sources.size();) {
    const std::int32_t source = map.sources[n];
    std::size_t end = n + 1;
    const bool element = source > kAlwaysZero;
    while (end < map.sources.size() &&
           map.sources[end] == (element ? source + static_cast<std::int32_t>(end - n) : source))
      ++end;
    const std::int64_t first = map.first + static_cast<std::int64_t>(n);
    const std::int64_t last = map.first + static_cast<std::int64_t>(end) - 1;
    if (element)
      runs.push_back(range(first, last) + " from " + range(source, source + (last - first)));
    else if (source == kNoElement)
      runs.push_back(range(first, last) + " from no element");
    else if (source == kAlwaysZero || source == kAlwaysOne)
      runs.push_back(range(first, last) + (source == kAlwaysZero ? " always 0" : " always 1"));
    n = end;
  }
  return shorten(runs);
}

std::string show_destination(const DestinationMap& map) {
  std::vector<std::string> runs;
  for (std::size_t n = 0; n < map.written.size();) {
    std::size_t end = n + 1;
    while (end < map.written.size() && map.written[end] == map.written[n]) ++end;
    if (map.written[n])
      runs.push_back(
          range(map.first + static_cast<std::int64_t>(n), map.first + static_cast<std::int64_t>(end) - 1));
    n = end;
  }
  return shorten(runs);
}

/// "lanes 0..63 by slot lane, lanes 64..127 always": the gates of one repeat.
std::string show_gates(const GateMap& map, unsigned repeat) {
  std::vector<std::string> runs;
  for (unsigned lane = 0; lane < map.lanes;) {
    const std::string text = show_gate(map.at(repeat, lane), lane);
    unsigned end = lane + 1;
    while (end < map.lanes && show_gate(map.at(repeat, end), end) == text) ++end;
    runs.push_back((end == lane + 1 ? "lane " : "lanes ") + range(lane, end - 1) + " " + text);
    lane = end;
  }
  return shorten(runs);
}

/// The gates of all repeats: those that are alike in one line.
std::vector<std::string> gate_lines(const GateMap& map) {
  std::vector<std::pair<std::string, std::vector<unsigned>>> lines;
  for (unsigned repeat = 0; repeat < map.repeats; ++repeat) {
    const std::string gates = show_gates(map, repeat);
    auto line = lines.begin();
    while (line != lines.end() && line->first != gates) ++line;
    if (line == lines.end()) line = lines.insert(line, {gates, {}});
    line->second.push_back(repeat);
  }
  std::vector<std::string> texts;
  for (const auto& [gates, repeats] : lines)
    texts.push_back(lines.size() == 1 ? gates : counted_noun("repeat", repeats) + ": " + gates);
  return texts;
}

/// Calls f(name, text) for each map of a shape.
template <class F>
void for_each_map(const MeasuredShape& shape, F&& f) {
  const auto reason = [](const std::string& why) { return "not measured: " + why; };
  if (shape.gates.map)
    for (const std::string& line : gate_lines(*shape.gates.map)) f("gate", line);
  else if (!shape.gates.why_not.empty())
    f("gate", reason(shape.gates.why_not));
  const auto& destination = shape.places.destination;
  f("dst", destination.map ? "written: " + show_destination(*destination.map) : reason(destination.why_not));
  const Row& row = row_of(shape.shape.subject.insn.op);
  for (std::size_t n = 0; n < shape.places.sources.size(); ++n) {
    const auto& source = shape.places.sources[n];
    if (!source.map && source.why_not.empty()) continue;
    f(row.operands[n + 1].role, source.map ? "dst " + show_sources(*source.map) : reason(source.why_not));
  }
}

/// Calls f(name, text) for each map of the state.
template <class F>
void for_each_state_map(const StateMaps& state, F&& f) {
  const auto reason = [](const std::string& why) { return "not measured: " + why; };
  f("after another set_mask",
    state.after_set.map ? "gate " + show_gates(*state.after_set.map, 0) : reason(state.after_set.why_not));
  const auto off = [&](std::string_view name, const Measured<std::vector<unsigned>>& lanes) {
    if (!lanes.map) return f(name, reason(lanes.why_not));
    f(name, lanes.map->empty() ? "every lane is on" : counted_noun("lane", *lanes.map) + " off");
  };
  off("at the start of a program", state.off_at_start);
  off("after reset_mask", state.off_after_reset);
}

/// What was measured of a reduction, one clause a line.
std::vector<std::string> reduction_lines(const ReductionMap& map, const Subject& subject) {
  std::vector<std::string> lines = {"elements count: " + show_gates(map.elements, 0)};
  if (!map.by_repeat.empty()) lines.emplace_back("elements count by other slots in other repeats");
  if (map.neutral)
    lines.push_back("a masked-off element acts like " + show_element(subject.insn.dst_type, *map.neutral));
  std::size_t empty = 0, written = 0;
  for (std::size_t m = 0; m < map.masks.size(); ++m)
    for (unsigned group = 0; group < map.results[m].size(); ++group) {
      if (any_on(subject, map.masks[m], group)) continue;
      ++empty;
      written += map.results[m][group] == 'w' ? 1 : 0;
    }
  if (written == 0)
    lines.emplace_back("a result whose lanes are all off keeps its old dst");
  else if (written == empty)
    lines.emplace_back("a result whose lanes are all off is written");
  else
    lines.emplace_back("some results whose lanes are all off are written");
  return lines;
}

}  // namespace

void print(std::ostream& out, const Identification& identification) {
  for (const std::string& sentence : identification.differences) out << "  " << sentence << ".\n";
  const std::string why_not = identification.measured() ? "" : identification.why_not();
  if (!why_not.empty())
    out << "  Not measured: " << printable(why_not) << ".\n";
  else if (identification.differences.empty())
    out << "  The maps that were measured are as documented.\n";
  if (!identification.measured()) return;
  if (identification.reduction && identification.reduction->map) {
    const Subject& subject = identification.shapes[0].shape.subject;
    for (const std::string& line : reduction_lines(*identification.reduction->map, subject))
      out << "  " << line << '\n';
  }
  for (const MeasuredShape& shape : identification.shapes) {
    out << "  " << shape.shape.name << ": " << shape.shape.about << '\n';
    for_each_map(shape, [&](std::string_view name, const std::string& text) {
      out << "    " << name << std::string(name.size() < 6 ? 6 - name.size() : 1, ' ') << text << '\n';
    });
  }
  if (!identification.state) return;
  out << "  state\n";
  for_each_state_map(*identification.state, [&](std::string_view name, const std::string& text) {
    out << "    " << name << ": " << text << '\n';
  });
}

nlohmann::ordered_json to_json(const Identification& identification) {
  Json json = {{"differences", identification.differences},
               {"measured", identification.measured()},
               {"programs", identification.programs}};
  if (identification.reduction && identification.reduction->map)
    json["reduction"] =
        reduction_lines(*identification.reduction->map, identification.shapes[0].shape.subject);
  json["shapes"] = Json::array();
  for (const MeasuredShape& shape : identification.shapes) {
    Json maps = Json::array();
    for_each_map(shape, [&](std::string_view name, const std::string& text) {
      maps.push_back({{"of", name}, {"map", text}});
    });
    json["shapes"].push_back(
        {{"name", shape.shape.name}, {"about", shape.shape.about}, {"maps", std::move(maps)}});
  }
  if (!identification.state) return json;
  json["state"] = Json::array();
  for_each_state_map(*identification.state, [&](std::string_view name, const std::string& text) {
    json["state"].push_back({{"when", name}, {"map", text}});
  });
  return json;
}

}  // namespace lanecheck
