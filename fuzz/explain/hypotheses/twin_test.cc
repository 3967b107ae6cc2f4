// Mutants that only the mask register would tell apart, and others.
#include "fuzz/explain/hypotheses/twin.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanecheck {
namespace twin_test {

const Shown kHidden = false;

const Hypothesis* mutant(const Documented& documented, std::string_view id) {
  return &*std::ranges::find(documented.hypotheses, id, &Hypothesis::id);
}

/// VMC-1-upper-slots: lanes 128 to 255 have slots of their own. Both take those of lanes 0 to 127.
TEST(Twin, TwoThatDifferInTheRegisterAlone) {
  const Documented documented(Profile::vmc, Readings{}, {});
  const Hypothesis* const looks_up = mutant(documented, "mask-8bit-128-slots");
  const Hypothesis* const fills = mutant(documented, "set-mask-fills-upper");
  EXPECT_EQ(twin_of_first({fills, looks_up}, documented, kHidden), looks_up);
  EXPECT_EQ(twin_of_first({fills, looks_up}, documented, true), nullptr) << "the register tells";
}

TEST(Twin, NoneThatShowsInResults) {
  const Documented documented(Profile::vmc, Readings{}, {});
  const Hypothesis* const fills = mutant(documented, "set-mask-fills-upper");
  EXPECT_EQ(twin_of_first({fills}, documented, kHidden), nullptr);
  EXPECT_EQ(twin_of_first({fills, mutant(documented, "set-mask-ors")}, documented, kHidden), nullptr);
  EXPECT_EQ(twin_of_first({fills, fills}, documented, kHidden), nullptr) << "one of two names";
}

}  // namespace twin_test
}  // namespace lanecheck
