#include "reports/json_report.h"

#include <nlohmann/json.hpp>
#include <span>

#include "reports/clean_run.h"
#include "reports/conclusion.h"
#include "reports/finding_case.h"
#include "reports/rate.h"
#include "spec/legality/legality_rule.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"
#include "spec/text/number.h"
#include "spec/text/program_json.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLives = 100;

Json rule_json(const Rule& rule) {
  return {{"id", rule.id},
          {"claim", rule.claim},
          {"source", {{"document", rule.source.document}, {"section", rule.source.section}}},
          {"standing", kStandingNames[static_cast<std::size_t>(rule.standing)]}};
}

Json rule_json(const LegalityRule& rule) {
  return {{"id", rule.id},
          {"claim", rule.claim},
          {"source", {{"document", rule.source.document}, {"section", rule.source.section}}},
          {"standing", kStandingNames[0]}};
}

/// Neighbours in walking order that differ in nothing but their values.
bool alike(const LaneRow& one, const LaneRow& other) {
  return one.repeat == other.repeat && one.active == other.active && one.written == other.written &&
         one.agrees == other.agrees && one.type == other.type;
}

/// One value of each lane as runs: "7 x64".
Json values_json(std::span<const LaneRow> lanes, std::uint64_t LaneRow::*value) {
  Json runs = Json::array();
  for (std::size_t n = 0; n < lanes.size();) {
    std::size_t same = 1;
    while (n + same < lanes.size() && lanes[n + same].*value == lanes[n].*value) ++same;
    runs.push_back(show_element(lanes[n].type, lanes[n].*value) +
                   (same > 1 ? " x" + std::to_string(same) : ""));
    n += same;
  }
  return runs;
}

/// The runs of the lanes of one repeat.
Json repeat_json(std::span<const LaneRow> lanes) {
  Json runs = Json::array();
  while (!lanes.empty()) {
    std::size_t count = 1;
    while (count < lanes.size() && alike(lanes[0], lanes[count])) ++count;
    const LaneRow& first = lanes.front();
    const auto run = lanes.first(count);
    runs.push_back({{"block", first.block},
                    {"lane", first.lane},
                    {"count", count},
                    {"mask", first.active ? 1 : 0},
                    {"written", first.written},
                    {"agrees", first.agrees},
                    {"type", name_of(first.type)},
                    {"old", values_json(run, &LaneRow::old_bits)},
                    {"expected", values_json(run, &LaneRow::expected)},
                    {"actual", values_json(run, &LaneRow::actual)}});
    lanes = lanes.subspan(count);
  }
  return runs;
}

/// The lanes as runs. Repeats in a row whose runs are the same are one entry.
Json lanes_json(std::span<const LaneRow> lanes) {
  Json list = Json::array();
  while (!lanes.empty()) {
    std::size_t count = 1;
    while (count < lanes.size() && lanes[count].repeat == lanes[0].repeat) ++count;
    Json runs = repeat_json(lanes.first(count));
    if (!list.empty() && list.back()["runs"] == runs &&
        list.back()["repeat"].get<unsigned>() + list.back()["repeats"].get<unsigned>() == lanes[0].repeat)
      list.back()["repeats"] = list.back()["repeats"].get<unsigned>() + 1;
    else
      list.push_back({{"repeat", lanes[0].repeat}, {"repeats", 1}, {"runs", std::move(runs)}});
    lanes = lanes.subspan(count);
  }
  return list;
}

Json run_json(const Report& report) {
  Json pinned = Json::object();
  for (const auto& [id, option] : report.pinned) pinned[id] = option;
  return {{"backend", report.backend},
          {"about", report.about},
          {"shows_mask", report.shows_mask},
          {"judges_refusals", report.judges_refusals},
          {"seed", report.seed},
          {"first_case", report.first},
          {"planned", report.planned},
          {"done", report.done},
          {"interrupted", report.interrupted},
          {"unlisted", report.unlisted},
          {"given_up", report.given_up},
          {"strict", report.strict},
          {"doctor", report.doctor},
          {"stopped", report.stopped},
          {"replayed", report.replayed},
          {"unreadable", report.unreadable},
          {"profile", row_of(report.profile).name},
          {"readings", to_json(report.readings, report.profile)},
          {"pinned", std::move(pinned)},
          {"arguments", report.arguments}};
}

Json coverage_json(const Report& report) {
  Json list = Json::array();
  for (const RuleCount& count : report.rules)
    if (const Rule* rule = find_rule(count.id)) {
      Json each = rule_json(*rule);
      each["exercised"] = count.exercised;
      each["broken"] = count.broken;
      each["left_out"] = count.left_out;
      list.push_back(std::move(each));
    }
  Json legality = Json::array();
  for (const RuleCount& count : report.legality_rules)
    if (const LegalityRule* rule = find_legality_rule(count.id)) {
      Json each = rule_json(*rule);
      each["exercised"] = count.exercised;
      each["broken"] = count.broken;
      legality.push_back(std::move(each));
    }
  Json axes = Json::object();
  for (const Axis& axis : report.axes)
    for (const auto& [value, count] : axis.counts) axes[axis.name][value] = count;
  return {{"rules", std::move(list)},
          {"legality", std::move(legality)},
          {"axes", std::move(axes)},
          {"cells_reached", report.cells_reached},
          {"never_exercised", never_exercised(report)}};
}

/// How many processes the backend had, and the first of them.
Json lives_json(const Report& report) {
  Json list = Json::array();
  for (std::size_t n = 0; n < report.processes.size() && n < kMostLives; ++n) {
    const BackendProcess& process = report.processes[n];
    list.push_back({{"programs", process.programs},
                    {"failed", process.failed},
                    {"end", process.end},
                    {"output", process.output}});
  }
  return {{"count", report.processes.size()}, {"first", std::move(list)}};
}

Json conclusion_json(const Report& report) {
  const Conclusion conclusion = conclusion_of(report);
  Json json = {{"state", conclusion.state}, {"text", conclusion.text}};
  if (const std::string text = clean_run_text(report); !text.empty()) json["clean_run"] = text;
  return json;
}

/// What the backend does if it is asked about the program again.
Json repeats_json(const Finding& finding) {
  Json before = Json::array();
  for (const Program& each : finding.before) before.push_back(print(each));
  Json json = {{"class", kRepeatsNames[static_cast<std::size_t>(finding.repeats)]},
               {"before", std::move(before)}};
  if (finding.asked == 0) return json;
  const auto [low, high] = rate_interval(finding.wrong, finding.asked);
  json["rate"] = {{"asked", finding.asked}, {"wrong", finding.wrong}, {"low", low}, {"high", high}};
  return json;
}

/// Numbers as runs: "0 x64, 12".
std::string runs_text(std::span<const std::uint64_t> numbers) {
  std::string text;
  for (std::size_t n = 0; n < numbers.size();) {
    std::size_t same = 1;
    while (n + same < numbers.size() && numbers[n + same] == numbers[n]) ++same;
    text += (n == 0 ? "" : ", ") + std::to_string(numbers[n]) + (same > 1 ? " x" + std::to_string(same) : "");
    n += same;
  }
  return text;
}

/// The places up to the last one that a case has.
Json places_json(std::span<const Heat> places) {
  while (!places.empty() && places.back().of == 0) places = places.first(places.size() - 1);
  std::vector<std::uint64_t> differs, of;
  for (const Heat& each : places) {
    differs.push_back(each.differs);
    of.push_back(each.of);
  }
  return {{"differs", runs_text(differs)}, {"of", runs_text(of)}};
}

Json heat_json(const HeatMap& heat) {
  Json repeats = Json::array();
  for (std::size_t from = 0; from < heat.elements.size(); from += HeatMap::kLanes)
    repeats.push_back(places_json(std::span(heat.elements).subspan(from, HeatMap::kLanes)));
  while (!repeats.empty() && repeats.back()["of"] == "") repeats.erase(repeats.size() - 1);
  return {{"cases", heat.cases},
          {"only", common_places(heat)},
          {"repeats", std::move(repeats)},
          {"to_last", places_json(heat.to_last)},
          {"in_block", places_json(heat.in_block)},
          {"mask_cases", heat.mask_cases},
          {"slots", runs_text(heat.slots)}};
}

Json certificate_json(const MaskCertificate& certificate) {
  Json others = Json::array();
  for (const Uncertified& each : certificate.others)
    others.push_back({{"instruction", each.instruction},
                      {"verdict", each.diverges ? "diverges" : "not judged"},
                      {"text", each.why},
                      {"finding", each.finding}});
  return {{"strength", certificate.strength},
          {"certified", certificate.certified},
          {"not_certified", std::move(others)}};
}

}  // namespace

Json finding_json(const Finding& finding, const Readings& readings) {
  Json broken = Json::array();
  for (const std::string& id : finding.rules)
    if (const Rule* rule = find_rule(id))
      broken.push_back(rule_json(*rule));
    else if (const LegalityRule* of_legality = find_legality_rule(id))
      broken.push_back(rule_json(*of_legality));
  Json outside = Json::array();
  for (const OutsideByte& each : finding.outside)
    outside.push_back({{"allocation", each.allocation}, {"offset", each.offset}});
  const auto& instructions = finding.program.instructions;
  Json json = {{"id", finding.id},
               {"verdict", kVerdictNames[static_cast<std::size_t>(finding.verdict)]},
               {"matter", kMatterNames[static_cast<std::size_t>(finding.matter)]},
               {"other", finding.other},
               {"what", finding.what},
               {"rules", std::move(broken)},
               {"cause", finding.cause},
               {"measured", finding.measured.empty() ? Json() : Json::parse(finding.measured)},
               {"instructions", finding.instructions},
               {"cases", finding.cases},
               {"first_case", finding.first_case},
               {"first_file", finding.first_file},
               {"minimization_tries", finding.tries},
               {"instruction",
                {{"index", finding.instruction},
                 {"text", finding.instruction < instructions.size()
                              ? print_instruction(finding.program, instructions[finding.instruction])
                              : ""}}},
               {"program_text", print(finding.program)},
               {"mask_before",
                {{"high", show_hex(mask_word(finding.mask_before, 1))},
                 {"low", show_hex(mask_word(finding.mask_before, 0))}}},
               {"mask_differs", finding.mask_differs},
               {"lanes", lanes_json(finding.lanes)},
               {"passes", finding.passes},
               {"predicate", finding.predicate},
               {"outside", std::move(outside)},
               {"case", Json::parse(print_case_line(case_of(finding, readings)))}};
  if (!finding.heat.empty()) json["heat"] = heat_json(finding.heat);
  if (finding.repeats != Repeats::stable) json["repeats"] = repeats_json(finding);
  return json;
}

Json report_json(const Report& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(finding_json(finding, report.readings));
  const double seconds = report.seconds > 0 ? report.seconds : 1e-9;
  Json json = {
      {"schema", kReportSchema},
      {"version", report.version},
      {"run", run_json(report)},
      {"conclusion", conclusion_json(report)},
      {"verdicts",
       {{"conforms", report.conforms},
        {"diverges", report.diverges},
        {"undecided", report.undecided},
        {"skipped", report.skipped},
        {"errored", report.errored}}},
      {"kinds",
       {{"boundary", report.boundary},
        {"decisive", report.decisive},
        {"wild", report.wild},
        {"border", report.edge}}},
      {"element_checks", report.element_checks},
      {"coverage", coverage_json(report)},
      {"findings", std::move(findings)},
      {"skip_reasons", report.skip_reasons},
      {"not_offered", {{"instructions", report.instructions_left_out}, {"names", report.not_offered}}},
      {"processes", lives_json(report)},
      {"timing",
       {{"seconds", report.seconds},
        {"cases_per_second", static_cast<double>(report.done) / seconds},
        {"element_checks_per_second", static_cast<double>(report.element_checks) / seconds}}}};
  if (report.certificate) json["certificate"] = certificate_json(*report.certificate);
  return json;
}

std::string dump(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

std::string report_text(const Report& report) {
  return dump(report_json(report)) + "\n";
}

}  // namespace lanecheck
