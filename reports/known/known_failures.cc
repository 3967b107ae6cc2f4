#include "reports/known/known_failures.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/format.h"
#include "reports/json_report.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/input_file.h"
#include "spec/text/json_reader.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

using Json = nlohmann::ordered_json;

std::set<std::string> optional_texts(JsonObject& object, std::string_view field) {
  if (!object.has(field)) return {};
  const std::vector<std::string> texts = object.texts(field);
  return {texts.begin(), texts.end()};
}

std::string optional_text(JsonObject& object, std::string_view field) {
  return object.has(field) ? object.text(field) : std::string();
}

KnownFailure entry_of(JsonObject object) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  KnownFailure entry;
  entry.id = object.text("id");
  if (entry.id.empty()) object.wrong("id", "must not be empty");
  const std::string expect = object.text("expect");
  const auto state = find_finding_state(expect);
  if (!state)
    object.wrong("expect", "'" + printable(expect) +
                               "' is no state; the states are conforms, diverges, refused, crashed, hung");
  entry.expect = *state;
  entry.reason = object.text("reason");
  entry.link = optional_text(object, "link");
  if (object.has("expires")) entry.expires = checked_date(object.text("expires"), object.path("expires"));
  entry.backends = optional_texts(object, "backends");
  entry.profiles = optional_texts(object, "profiles");
  for (const std::string& profile : entry.profiles)
    if (!find_profile(profile)) object.wrong("profiles", "no such profile: '" + printable(profile) + "'");
  entry.rules = optional_texts(object, "rules");
  entry.instructions = optional_texts(object, "instructions");
  entry.cause = optional_text(object, "cause");
  if (object.has("seen")) {
    JsonObject seen(object.at("seen"), object.path("seen"));
    entry.seen = seen.number("cases", kMost);
    entry.of = seen.number("of", kMost);
    seen.done();
  }
  object.done();
  return entry;
}

bool overlap(const std::set<std::string>& one, const std::set<std::string>& other) {
  if (one.empty() || other.empty()) return true;
  return std::ranges::any_of(one, [&](const std::string& each) { return other.count(each) > 0; });
}

void check_twins(const KnownFailures& known) {
  for (std::size_t n = 0; n < known.entries.size(); ++n)
    for (std::size_t earlier = 0; earlier < n; ++earlier) {
      const KnownFailure &one = known.entries[earlier], &other = known.entries[n];
      if (one.id == other.id && overlap(one.backends, other.backends) &&
          overlap(one.profiles, other.profiles))
        throw InputError(known.file + ": /failures/" + std::to_string(n),
                         "'" + printable(one.id) + "' is listed twice for the same backend and profile");
    }
}

Json json_of(const KnownFailure& entry) {
  Json json = {{"id", entry.id}, {"expect", name_of(entry.expect)}, {"reason", entry.reason}};
  if (!entry.link.empty()) json["link"] = entry.link;
  if (!entry.expires.empty()) json["expires"] = entry.expires;
  if (!entry.backends.empty()) json["backends"] = entry.backends;
  if (!entry.profiles.empty()) json["profiles"] = entry.profiles;
  if (!entry.rules.empty()) json["rules"] = entry.rules;
  if (!entry.instructions.empty()) json["instructions"] = entry.instructions;
  if (!entry.cause.empty()) json["cause"] = entry.cause;
  if (entry.of > 0) json["seen"] = {{"cases", entry.seen}, {"of", entry.of}};
  return json;
}

}  // namespace

KnownFailures parse_known_failures(std::string_view text, const std::string& file) {
  const nlohmann::json json = parse_json(text, file);
  JsonObject object(json, file);
  if (!object.has("schema") || object.text("schema") != kKnownFailuresSchema)
    throw InputError(file, "is no list of known failures: its field \"schema\" is not " +
                               std::string(kKnownFailuresSchema));
  const nlohmann::json& list = object.at("failures");
  if (!list.is_array()) object.wrong("failures", "expected an array");
  object.done();
  KnownFailures known{file, {}};
  for (const nlohmann::json& each : list)
    known.entries.push_back(entry_of({each, file + ": /failures/" + std::to_string(known.entries.size())}));
  check_twins(known);
  return known;
}

KnownFailures load_known_failures(const std::filesystem::path& file) {
  return parse_known_failures(read_input_file(file), file.string());
}

std::string print_known_failures(const KnownFailures& known) {
  Json failures = Json::array();
  for (const KnownFailure& entry : known.entries) failures.push_back(json_of(entry));
  return dump({{"schema", kKnownFailuresSchema}, {"failures", std::move(failures)}}) + '\n';
}

std::string checked_date(const std::string& text, const std::string& where) {
  const bool shaped = text.size() == 10 && text[4] == '-' && text[7] == '-';
  const auto part = [&](std::size_t at, std::size_t length) {
    const std::string digits = text.substr(at, length);
    const bool plain = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    return plain ? static_cast<unsigned>(std::stoul(digits)) : 0;
  };
  if (shaped) {
    const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(part(0, 4))),
                                           std::chrono::month(part(5, 2)), std::chrono::day(part(8, 2)));
    if (date.ok()) return text;
  }
  throw InputError(where, "'" + printable(text) + "' is no date; write it as 2026-01-31");
}

bool holds_for(const KnownFailure& entry, std::string_view backend, std::string_view profile) {
  const auto in = [](const std::set<std::string>& names, std::string_view name) {
    return names.empty() || names.count(std::string(name)) > 0;
  };
  return in(entry.backends, backend) && in(entry.profiles, profile);
}

const KnownFailure* find_known_failure(const KnownFailures& known, std::string_view id,
                                       const SavedReport& report) {
  for (const KnownFailure& entry : known.entries)
    if (entry.id == id && holds_for(entry, report.backend, report.profile)) return &entry;
  return nullptr;
}

}  // namespace lanecheck
