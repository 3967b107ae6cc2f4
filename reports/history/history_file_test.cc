#include "reports/history/history_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

namespace fs = std::filesystem;

class HistoryFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    file_ = folder_ / "history.sqlite";
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_, file_;
};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

SavedReport a_report() {
  SavedReport report;
  report.file = "r.json";
  report.version = "0.1.0";
  report.backend = "sim'; DROP TABLE runs; --";
  report.about = "1.0";
  report.profile = "vmc";
  report.seed = 0xffffffffffffffff;
  report.first = 3;
  report.done = 1000;
  report.exercised = {{"R-1", 5}, {"R-2", 0}, {"R-3", 1}};
  report.judged = "with refusals; a=b";
  report.gaps = {"the run was interrupted", "no case was judged"};
  report.findings = {{"x", FindingState::hung, "hangs", "", {"R-1", "R-3"}, {}, 4},
                     {"y", {}, "", "", {}, {}, 0}};
  return report;
}

TEST_F(HistoryFileTest, KeepsWhatWasAddedSortedByDate) {
  HistoryFile(file_, HistoryFile::Open::or_new).add("later", a_report(), "2026-02-02");
  HistoryFile(file_, HistoryFile::Open::existing).add("earlier", a_report(), "2026-02-01");
  const auto runs = HistoryFile(file_, HistoryFile::Open::existing).runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].date, "2026-02-01");
  EXPECT_EQ(runs[1].date, "2026-02-02");
  const SavedReport &read = runs[0].report, given = a_report();
  EXPECT_EQ(read.file, given.file);
  EXPECT_EQ(read.version, given.version);
  EXPECT_EQ(read.backend, given.backend);
  EXPECT_EQ(read.about, given.about);
  EXPECT_EQ(read.profile, given.profile);
  EXPECT_EQ(read.seed, given.seed);
  EXPECT_EQ(read.first, given.first);
  EXPECT_EQ(read.done, given.done);
  EXPECT_EQ(read.gaps, given.gaps);
  EXPECT_EQ(read.judged, given.judged);
  EXPECT_EQ(read.exercised, (std::map<std::string, std::uint64_t>{{"R-1", 1}, {"R-3", 1}}));
  ASSERT_EQ(read.findings.size(), 2U);
  EXPECT_EQ(read.findings[0].id, "x");
  EXPECT_EQ(read.findings[0].state, FindingState::hung);
  EXPECT_EQ(read.findings[0].cases, 4U);
  EXPECT_EQ(read.findings[0].what, "hangs");
  EXPECT_EQ(read.findings[0].rules, given.findings[0].rules);
}

TEST_F(HistoryFileTest, RefusesTheSameReportOnTheSameDate) {
  HistoryFile history(file_, HistoryFile::Open::or_new);
  history.add("bytes", a_report(), "2026-02-01");
  EXPECT_THROW(history.add("bytes", a_report(), "2026-02-01"), InputError);
  history.add("bytes", a_report(), "2026-02-02");
  history.add("other bytes", a_report(), "2026-02-01");
  EXPECT_EQ(history.runs().size(), 3U);
}

TEST_F(HistoryFileTest, RefusesWhatIsNoHistoryAndLeavesItAsItIs) {
  EXPECT_THROW(HistoryFile(file_, HistoryFile::Open::existing), InputError);
  EXPECT_FALSE(fs::exists(file_));
  const std::string words = std::string(200, 'x') + "these are no tables";
  std::ofstream(file_) << words;
  for (const auto open : {HistoryFile::Open::existing, HistoryFile::Open::or_new})
    EXPECT_THROW(HistoryFile(file_, open), InputError);
  EXPECT_EQ(content_of(file_), words);
  EXPECT_THROW(HistoryFile(folder_, HistoryFile::Open::or_new), InputError);
}

TEST_F(HistoryFileTest, AHistoryThatMayOnlyBeReadIsRefusedBeforeItIsNeeded) {
  HistoryFile(file_, HistoryFile::Open::or_new).add("r", a_report(), "2026-02-02");
  fs::permissions(file_, fs::perms(0444));
  fs::permissions(folder_, fs::perms(0755));
  const uid_t self = ::geteuid();
  constexpr uid_t kNobody = 65534;  // root may write every file
  ASSERT_EQ(self == 0 ? ::seteuid(kNobody) : 0, 0);
  EXPECT_THROW(HistoryFile(file_, HistoryFile::Open::or_new), InputError);
  EXPECT_EQ(HistoryFile(file_, HistoryFile::Open::existing).runs().size(), 1u);
  ASSERT_EQ(::seteuid(self), 0);
}

TEST_F(HistoryFileTest, DamageIsWrongInputOfThatName) {
  HistoryFile(file_, HistoryFile::Open::or_new).add("bytes", a_report(), "2026-02-01");
  const auto size = fs::file_size(file_);
  std::fstream out(file_, std::ios::in | std::ios::out | std::ios::binary);
  constexpr std::size_t kPage = 4096;  // the first holds the names of the tables
  out.seekp(kPage);
  out << std::string(size - kPage, '\xff');
  out.close();
  const auto expect_refusal = [&](const auto& act) {
    try {
      act();
      ADD_FAILURE() << "a damaged history was read";
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(file_.string() + ": is damaged")) << error.what();
    }
  };
  expect_refusal([&] { HistoryFile(file_, HistoryFile::Open::existing).runs(); });
  expect_refusal(
      [&] { HistoryFile(file_, HistoryFile::Open::existing).add("new", a_report(), "2026-02-02"); });
}

TEST_F(HistoryFileTest, ReadingADamagedHeaderChangesNothing) {
  HistoryFile(file_, HistoryFile::Open::or_new).add("r", a_report(), "2026-02-02");
  constexpr std::size_t kChanges = 27, kPages = 31;  // last bytes of two numbers in the header
  std::string damaged = content_of(file_);
  ++damaged[kChanges];  // the number of pages is not trusted then
  --damaged[kPages];
  std::ofstream(file_, std::ios::binary) << damaged;
  EXPECT_EQ(HistoryFile(file_, HistoryFile::Open::existing).runs().size(), 1U);
  EXPECT_EQ(content_of(file_), damaged);
}

TEST_F(HistoryFileTest, AMutatedHistoryIsReadOrRefusedByName) {
  HistoryFile(file_, HistoryFile::Open::or_new).add("bytes", a_report(), "2026-02-01");
  const std::string good = content_of(file_);
  std::mt19937_64 random(1);
  unsigned read = 0, refused = 0;
  for (unsigned n = 0; n < 300; ++n) {
    std::string text = good;
    for (auto edits = 1 + random() % 8; edits > 0; --edits)  // half of them where each page begins
      text[random() % text.size() / (random() % 2 == 0 ? 1 : 4096) % text.size()] =
          static_cast<char>(random());
    std::ofstream(file_, std::ios::binary) << text;
    try {
      HistoryFile(file_, HistoryFile::Open::existing).runs();
      ++read;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(file_.string()), std::string::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 10u);
  EXPECT_GT(refused, 10u);
}

}  // namespace
}  // namespace lanecheck
