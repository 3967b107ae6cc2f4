#include "fuzz/recheck/version_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lanecheck {
namespace {

constexpr std::size_t kVersions = 32;

/// Versions of a backend whose fault shows by chance; another fault strikes by chance, in all of them.
struct Versions {
  std::size_t first_bad;
  double rate, noise;
  std::mt19937_64 random;

  Shows ask(std::size_t version) {
    std::uniform_real_distribution<double> chance;
    if (chance(random) < noise) return Shows::other;
    return version >= first_bad && chance(random) < rate ? Shows::fault : Shows::nothing;
  }
  FoundVersion search(const SearchLimits& limits = {}) {
    return find_first_bad(
        kVersions, [this](std::size_t version) { return ask(version); }, limits);
  }
};

TEST(VersionSearch, IsRightForAFaultThatShowsInThreeOfTenRuns) {
  unsigned right = 0, wrong = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const std::size_t first_bad = 1 + seed * 7 % (kVersions - 1);
    const FoundVersion found = Versions{first_bad, 0.3, 0.3, std::mt19937_64(seed)}.search();
    if (found.first_bad) (*found.first_bad == first_bad ? right : wrong)++;
    EXPECT_LE(found.risk, 0.01);
  }
  EXPECT_GE(right, 95u);
  EXPECT_LE(wrong, 5u);
}

TEST(VersionSearch, AFaultThatAlwaysShowsNeedsFewRuns) {
  for (std::size_t first_bad = 1; first_bad < kVersions; ++first_bad) {
    const FoundVersion found = Versions{first_bad, 1, 0, {}}.search();
    ASSERT_EQ(found.first_bad, first_bad) << found.why;
    EXPECT_LE(found.runs, 10u + 6u * 5u);
  }
}

// The integral of (1-p)^2 over a uniform p is 1/3; after one sighting in one run, p has the density 2p, and
// the integral of 2p(1-p) is 1/3 as well.
TEST(VersionSearch, ChanceOfSilence) {
  EXPECT_NEAR(chance_of_silence(0, 0, 2), 1.0 / 3, 1e-12);
  EXPECT_NEAR(chance_of_silence(1, 1, 1), 1.0 / 3, 1e-12);
  EXPECT_NEAR(chance_of_silence(3000, 10'000, 10), std::pow(0.7, 10), 1e-3);
}

TEST(VersionSearch, SaysUndecidedInsteadOfGuessing) {
  EXPECT_EQ((Versions{0, 1, 0, {}}.search().why), "the first version shows the fault already");
  EXPECT_EQ((Versions{kVersions, 1, 0, {}}.search().why), "the last version did not show the fault");
  SearchLimits few;
  few.most_runs = 20;
  EXPECT_EQ((Versions{7, 0.1, 0, {}}.search(few).first_bad), std::nullopt);
}

TEST(VersionSearch, SkipsAVersionThatGivesNoAnswer) {
  const auto search = [](std::size_t first_bad) {
    return find_first_bad(kVersions, [first_bad](std::size_t version) {
      if (version == 16 || version == 5) return Shows::no_answer;
      return version >= first_bad ? Shows::fault : Shows::nothing;
    });
  };
  EXPECT_EQ(search(9).first_bad, 9u);
  EXPECT_EQ(search(20).first_bad, 20u);
  EXPECT_EQ(search(17).first_bad, std::nullopt);  // 16 or 17
  EXPECT_NE(search(16).why.find("too few answers"), std::string::npos);
}

TEST(VersionSearch, AVersionThatAlwaysHasAnotherFaultIsNotCalledGood) {
  const FoundVersion found = find_first_bad(3, [](std::size_t version) {
    if (version == 1) return Shows::other;
    return version == 2 ? Shows::fault : Shows::nothing;
  });
  EXPECT_EQ(found.first_bad, std::nullopt);
}

}  // namespace
}  // namespace lanecheck
