#include "reports/page/view.h"

#include <limits>
#include <set>

#include "reports/json_report.h"
#include "reports/page/lane_lines.h"
#include "reports/page/read_heat.h"
#include "spec/program/input_error.h"
#include "spec/text/json_reader.h"

namespace lanecheck::page {
namespace {

using nlohmann::json;

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

RuleView read_rule(JsonObject object, bool counts) {
  JsonObject source = object.object("source");
  RuleView rule{.id = object.text("id"),
                .claim = object.text("claim"),
                .document = source.text("document"),
                .section = source.text("section"),
                .standing = object.text("standing")};
  if (!counts) return rule;
  rule.exercised = object.number("exercised", kAny);
  rule.broken = object.number("broken", kAny);
  if (object.has("left_out")) rule.left_out = object.number("left_out", kAny);
  return rule;
}

std::vector<RuleView> read_rules(JsonObject& object, std::string_view field, bool counts) {
  std::vector<RuleView> rules;
  for (JsonObject& each : object.objects(field)) rules.push_back(read_rule(std::move(each), counts));
  return rules;
}

std::vector<std::string> read_outside(JsonObject& finding) {
  std::vector<std::string> places;
  for (JsonObject& place : finding.objects("outside")) {
    const std::string allocation = place.text("allocation");
    places.push_back("byte " + std::to_string(place.number("offset", kAny)) +
                     (allocation.empty() ? " (guard)" : " of " + allocation));
  }
  return places;
}

/// An id for an address: letters, digits and "._=-" stay, at most 120 of them.
std::string anchor_of(const std::string& id, std::set<std::string>& taken) {
  constexpr std::string_view kStays = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._=-";
  std::string anchor = "finding-";
  for (const char c : id.substr(0, 120)) anchor += kStays.find(c) == std::string_view::npos ? '-' : c;
  const std::string stem = anchor;
  for (unsigned n = 2; !taken.insert(anchor).second; ++n) anchor = stem + "-" + std::to_string(n);
  return anchor;
}

FindingView read_finding(JsonObject object) {
  JsonObject instruction = object.object("instruction"), mask = object.object("mask_before"),
             program = object.object("case");
  FindingView finding;
  finding.id = object.text("id");
  finding.verdict = object.text("verdict");
  finding.matter = object.text("matter");
  finding.other = object.text("other");
  finding.what = object.text("what");
  finding.passes = object.text("passes");
  finding.predicate = object.text("predicate");
  finding.cause = object.text("cause");
  finding.first_file = object.text("first_file");
  finding.program = object.text("program_text");
  finding.instruction = instruction.text("text");
  finding.index = instruction.number("index", kAny);
  finding.mask_high = mask.text("high");
  finding.mask_low = mask.text("low");
  finding.rules = read_rules(object, "rules", false);
  finding.instructions = object.texts("instructions");
  finding.cases = object.number("cases", kAny);
  finding.first_case = object.number("first_case", kAny);
  finding.mask_differs = object.flag("mask_differs");
  finding.lanes = read_lanes(object.at("lanes"), object.path("lanes"));
  finding.outside = read_outside(object);
  finding.measured = object.at("measured");
  if (object.has("heat")) finding.heat = read_heat(object.object("heat"));
  if (object.has("repeats")) {
    JsonObject repeats = object.object("repeats");
    finding.repeats = repeats.text("class");
    finding.before = repeats.texts("before");
  }
  if (program.has("profile")) finding.profile = program.text("profile");
  return finding;
}

void add_note(ReportView& view, const std::string& head, const std::string& text) {
  if (!text.empty()) view.notes.push_back(head + text);
}

void add_notes(ReportView& view, const std::string& head, const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 20;
  for (std::size_t n = 0; n < texts.size() && n < kMost; ++n) add_note(view, head, texts[n]);
  if (texts.size() > kMost)
    view.notes.push_back(head + "and " + std::to_string(texts.size() - kMost) + " more");
}

/// "abs.f16, add.f16 and 28 more".
std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t n = 0; n < names.size() && n < kMost; ++n) text += (n == 0 ? "" : ", ") + names[n];
  return names.size() > kMost ? text + " and " + std::to_string(names.size() - kMost) + " more" : text;
}

void read_run(JsonObject run, ReportView& view) {
  view.backend = run.text("backend");
  view.about = run.text("about");
  view.profile = run.text("profile");
  view.seed = run.number("seed", kAny);
  view.first = run.number("first_case", kAny);
  view.planned = run.number("planned", kAny);
  view.done = run.number("done", kAny);
  view.unlisted = run.number("unlisted", kAny);
  view.interrupted = run.flag("interrupted");
  view.replayed = run.flag("replayed");
  view.strict = run.flag("strict");
  view.arguments = run.texts("arguments");
  JsonObject pinned = run.object("pinned");
  for (const auto& [id, option] : run.at("pinned").items()) view.pinned.emplace_back(id, pinned.text(id));
  add_note(view, "The run ended early: ", run.text("stopped"));
  add_note(view, "The backend was given up: ", run.text("given_up"));
  add_notes(view, "Doctor: ", run.texts("doctor"));
  add_notes(view, "A file could not be read: ", run.texts("unreadable"));
  if (!run.flag("judges_refusals")) view.notes.emplace_back("Refusals of illegal programs were not judged.");
  if (view.unlisted > 0)
    view.notes.push_back(std::to_string(view.unlisted) +
                         (view.unlisted == 1 ? " more failing case was" : " more failing cases were") +
                         " counted but not analysed.");
}

void read_counts(JsonObject& report, ReportView& view) {
  JsonObject verdicts = report.object("verdicts"), coverage = report.object("coverage"),
             kinds = report.object("kinds"), timing = report.object("timing");
  view.verdicts = {verdicts.number("conforms", kAny), verdicts.number("diverges", kAny),
                   verdicts.number("undecided", kAny), verdicts.number("skipped", kAny),
                   verdicts.number("errored", kAny)};
  view.at_edge = kinds.number("border", kAny);
  view.element_checks = report.number("element_checks", kAny);
  view.cells = coverage.number("cells_reached", kAny);
  view.rules = read_rules(coverage, "rules", true);
  view.legality = read_rules(coverage, "legality", true);
  const json& seconds = timing.at("seconds");
  if (!seconds.is_number()) timing.wrong("seconds", "expected a number");
  view.seconds = seconds.get<double>();
  add_notes(view, "Skipped: ", report.texts("skip_reasons"));
  JsonObject missing = report.object("not_offered");
  add_note(view, "Not offered by the backend: ", first_names(missing.texts("names")));
}

CertificateView read_certificate(JsonObject object) {
  CertificateView certificate;
  certificate.strength = object.number("strength", 4);
  certificate.certified = object.texts("certified");
  for (JsonObject& each : object.objects("not_certified"))
    certificate.others.push_back({each.text("instruction"), each.text("verdict"), each.text("text")});
  return certificate;
}

/// Throws InputError unless this is the schema that is read here.
void check_schema(const json& whole, const std::string& name) {
  const std::string hint = "; write one with `lanecheck run --json FILE`";
  if (!whole.is_object() || !whole.contains("schema") || !whole["schema"].is_string())
    throw InputError(name, "is not a report of lanecheck" + hint);
  const auto schema = whole["schema"].get<std::string>();
  if (schema == kReportSchema) return;
  if (schema.starts_with("lanecheck-report-"))
    throw InputError(name, "is a report of another version (" + schema + "); this lanecheck reads " +
                               std::string(kReportSchema));
  throw InputError(name, "is not a report of lanecheck, its schema is \"" + schema + "\"" + hint);
}

}  // namespace

ReportView read_report(std::string_view text, const std::string& name) {
  const json whole = parse_json(text, name);
  check_schema(whole, name);
  JsonObject report(whole, name);
  ReportView view;
  view.version = report.text("version");
  JsonObject conclusion = report.object("conclusion");
  view.state = conclusion.text("state");
  view.conclusion = conclusion.text("text");
  read_run(report.object("run"), view);
  read_counts(report, view);
  if (report.has("certificate")) view.certificate = read_certificate(report.object("certificate"));
  std::set<std::string> taken;
  for (JsonObject& each : report.objects("findings")) {
    view.findings.push_back(read_finding(std::move(each)));
    view.findings.back().anchor = anchor_of(view.findings.back().id, taken);
  }
  return view;
}

std::string_view state_of(const RuleView& rule) {
  if (rule.broken > 0) return "broken";
  if (rule.exercised > 0) return "held";
  return rule.left_out > 0 ? "not offered" : "not exercised";
}

}  // namespace lanecheck::page
