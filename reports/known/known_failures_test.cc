#include "reports/known/known_failures.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/known/known_failures_testing.h"
#include "reports/known/update_known_failures.h"
#include "reports/schema_testing.h"
#include "spec/program/input_error.h"
#include "spec/text/mutation_testing.h"

namespace lanecheck {
namespace {

constexpr const char* kSchemaFile = "reports/known/known-failures.schema.json";
const std::string kToday = "2026-03-01";

std::string list_of(const std::string& entries) {
  return R"({"schema": "lanecheck-known-failures-1", "failures": [)" + entries + "]}";
}

std::string complaint(const std::string& text) {
  try {
    parse_known_failures(text, "known.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

std::vector<std::string> ids_of(const KnownFailures& known) {
  std::vector<std::string> ids;
  for (const KnownFailure& each : known.entries) ids.push_back(each.id);
  return ids;
}

KnownFailure of_sim(KnownFailure entry) {
  entry.backends = {"sim"};
  entry.profiles = {"vmc"};
  return entry;
}

TEST(KnownFailures, ReadsBackWhatItPrints) {
  KnownFailure full = of_sim(an_entry("x", FindingState::hung));
  full.link = "https://example.org/1";
  full.expires = "2028-02-29";
  full.cause = "a-cause";
  KnownFailure bare;
  bare.id = "y";
  bare.reason = "why";
  const std::string text = print_known_failures({"known.json", {full, bare}});
  EXPECT_EQ(schema_faults(kSchemaFile, nlohmann::json::parse(text)), "");
  const KnownFailures read = parse_known_failures(text, "known.json");
  EXPECT_EQ(print_known_failures(read), text);
  ASSERT_EQ(read.entries.size(), 2U);
  EXPECT_EQ(read.entries[0].expect, FindingState::hung);
  EXPECT_EQ(read.entries[0].expires, "2028-02-29");
  EXPECT_EQ(read.entries[0].seen, 30U);
  EXPECT_EQ(read.entries[1].expect, FindingState::diverges);
}

TEST(KnownFailures, RefusesWithThePathOfTheFault) {
  const std::string good = R"({"id": "x", "expect": "hung", "reason": ""})";
  EXPECT_EQ(complaint(list_of(good)), "no complaint");
  EXPECT_TRUE(is_valid(kSchemaFile, nlohmann::json::parse(list_of(good))));
  struct Bad {
    const char *entry, *says;
  };
  for (const Bad& each : {
           Bad{R"({"expect": "hung", "reason": ""})", "known.json: /failures/0: missing field \"id\""},
           Bad{R"({"id": "", "expect": "hung", "reason": ""})", "must not be empty"},
           Bad{R"({"id": "x", "expect": "broken", "reason": ""})",
               "/failures/0/expect: 'broken' is no state"},
           Bad{R"({"id": "x", "expect": "hung"})", "missing field \"reason\""},
           Bad{R"({"id": "x", "expect": "hung", "reason": "", "expires": "soon"})", "'soon' is no date"},
           Bad{R"({"id": "x", "expect": "hung", "reason": "", "profiles": ["a3"]})", "no such profile: 'a3'"},
           Bad{R"({"id": "x", "expect": "hung", "reason": "", "resaon": ""})", "unknown field \"resaon\""},
           Bad{R"({"id": "x", "expect": "hung", "reason": "", "seen": {"cases": 1}})",
               "missing field \"of\""},
       }) {
    EXPECT_NE(complaint(list_of(each.entry)).find(each.says), std::string::npos)
        << each.entry << ": " << complaint(list_of(each.entry));
    EXPECT_FALSE(is_valid(kSchemaFile, nlohmann::json::parse(list_of(each.entry)))) << each.entry;
  }
  EXPECT_NE(complaint(R"({"schema": "lanecheck-known-failures-2"})").find("is no list of known failures"),
            std::string::npos);
  EXPECT_NE(complaint("{").find("not JSON"), std::string::npos);
}

TEST(KnownFailures, AMutatedListIsReadOrRefusedByName) {
  KnownFailure entry = of_sim(an_entry("x", FindingState::hung));
  entry.expires = "2028-02-29";
  entry.link = "https://example.org/1";
  const auto read = [](std::string_view text) { parse_known_failures(text, kMutatedFile); };
  const std::string good = print_known_failures({"known.json", {entry, of_sim(an_entry("y"))}});
  expect_reads_or_refuses(good, 4000, read);
  for (const char* place : {"/failures", "/failures/0/seen", "/failures/1/rules"})
    expect_refuses_depth(good, place, read);
}

TEST(KnownFailures, ADateIsOneOfTheCalendar) {
  EXPECT_EQ(checked_date("2028-02-29", ""), "2028-02-29");
  for (const char* text :
       {"2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "26-01-01", "2026-01-1x", ""})
    EXPECT_THROW(checked_date(text, "--today"), InputError) << text;
}

TEST(KnownFailures, AnIdIsListedOncePerBackendAndProfile) {
  const auto entry = [](const std::string& more) {
    return R"({"id": "x", "expect": "hung", "reason": "")" + more + "}";
  };
  EXPECT_NE(complaint(list_of(entry("") + "," + entry(R"(, "backends": ["a"])")))
                .find("/failures/1: 'x' is listed twice"),
            std::string::npos);
  EXPECT_EQ(complaint(list_of(entry(R"(, "backends": ["b"])") + "," + entry(R"(, "backends": ["a"])"))),
            "no complaint");
  EXPECT_EQ(complaint(list_of(entry(R"(, "profiles": ["tik"])") + "," + entry(R"(, "profiles": ["vmc"])"))),
            "no complaint");
}

TEST(KnownFailures, AddTakesTheStateAndTheScopeFromTheReport) {
  KnownFailures known;
  const SavedReport report = a_report({a_finding("x", FindingState::crashed), a_finding("y")});
  EXPECT_EQ(add_known_failures(known, report, {"x"}, {"why", "link", "2026-12-31"}),
            std::vector<std::string>{"added x (crashed)"});
  ASSERT_EQ(known.entries.size(), 1U);
  const KnownFailure& entry = known.entries[0];
  EXPECT_EQ(entry.expect, FindingState::crashed);
  EXPECT_EQ(entry.reason, "why");
  EXPECT_EQ(entry.backends, std::set<std::string>{"sim"});
  EXPECT_EQ(entry.profiles, std::set<std::string>{"vmc"});
  EXPECT_EQ(entry.rules, std::set<std::string>{"R-1"});
  EXPECT_EQ(entry.instructions, std::set<std::string>{"add.f16"});
  EXPECT_EQ(entry.of, 1000U);
  EXPECT_THROW(add_known_failures(known, report, {"x"}, {}), InputError);
  EXPECT_THROW(add_known_failures(known, report, {"z"}, {}), InputError);
  EXPECT_EQ(add_known_failures(known, report, {}, {}), std::vector<std::string>{"added y (diverges)"});
  add_must_not_occur(known, report, {"z"}, {});
  EXPECT_EQ(ids_of(known), (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(known.entries[2].expect, FindingState::conforms);
  remove_known_failures(known, {"y"});
  EXPECT_EQ(ids_of(known), (std::vector<std::string>{"x", "z"}));
  EXPECT_THROW(remove_known_failures(known, {"y"}), InputError);
}

TEST(KnownFailures, UpdateFollowsTheReportAndKeepsTheReasons) {
  KnownFailure rested = of_sim(an_entry("never"));
  rested.rules = {"R-never"};
  KnownFailure fixed = of_sim(an_entry("fixed"));
  fixed.rules = {"R-2"};
  fixed.instructions = {"sub.f16"};
  KnownFailure old = of_sim(an_entry("old"));
  old.instructions = {"sub.i8"};
  SavedFinding renamed = a_finding("new");
  renamed.instructions = {"sub.i8"};
  KnownFailures known{"known.json", {of_sim(an_entry("x")), rested, fixed, old}};
  const auto done =
      update_known_failures(known, a_report({a_finding("x", FindingState::hung), renamed}), kToday);
  EXPECT_EQ(done, (std::vector<std::string>{"changed x (diverges) to x (hung)",
                                            "removed fixed (diverges): it is fixed",
                                            "replaced old (diverges) with new (diverges)"}));
  EXPECT_EQ(ids_of(known), (std::vector<std::string>{"x", "never", "new"}));
  EXPECT_EQ(known.entries[0].expect, FindingState::hung);
  EXPECT_EQ(known.entries[2].reason, "a reason");
}

TEST(KnownFailures, UpdateOfSplitAndMergedEntriesListsEachNewIdOnce) {
  KnownFailures split{"known.json", {of_sim(an_entry("x"))}};
  update_known_failures(split, a_report({a_finding("x-1"), a_finding("x-2")}), kToday);
  EXPECT_EQ(ids_of(split), (std::vector<std::string>{"x-1", "x-2"}));
  update_known_failures(split, a_report({a_finding("x")}), kToday);
  EXPECT_EQ(ids_of(split), std::vector<std::string>{"x"});
}

TEST(KnownFailures, UpdateLeavesWhatHoldsForOtherBackendsToo) {
  KnownFailures known{"known.json", {an_entry("x")}};
  const auto done = update_known_failures(known, a_report(), kToday);
  EXPECT_EQ(done, std::vector<std::string>{
                      "left x (diverges): it holds for several backends or profiles; edit it by hand"});
  EXPECT_EQ(ids_of(known), std::vector<std::string>{"x"});
}

}  // namespace
}  // namespace lanecheck
