// Buckets: found in the order of arrival, by predicate or by id.
#include "fuzz/run/buckets.h"

#include <gtest/gtest.h>

namespace lanecheck {
namespace {

Bucket bucket(std::string id, std::string failure = {}) {
  Bucket made;
  made.failure = std::move(failure);
  made.finding.id = std::move(id);
  return made;
}

TEST(Buckets, AreFoundInTheOrderOfTheirArrival) {
  Buckets buckets;
  buckets.add(bucket("first", "crash"), 10);
  buckets.add(bucket("second", "crash"), 20);
  const Bucket* found = buckets.find([](const Bucket& each) { return each.failure == "crash"; });
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->finding.id, "first");
  EXPECT_EQ(buckets.find([](const Bucket& each) { return each.failure == "hang"; }), nullptr);
}

TEST(Buckets, AreFoundByTheIdOfTheirFinding) {
  Buckets buckets;
  buckets.add(bucket("first"), 10);
  buckets.add(bucket("second"), 20);
  ASSERT_NE(buckets.find_id("second"), nullptr);
  EXPECT_EQ(buckets.find_id("second")->finding.first_case, 20u);
  EXPECT_EQ(buckets.find_id("third"), nullptr);
}

TEST(Buckets, ANewBucketHoldsOneCaseThatIsItsFirst) {
  Buckets buckets;
  const Bucket& added = buckets.add(bucket("first"), 137);
  EXPECT_EQ(added.finding.cases, 1u);
  EXPECT_EQ(added.finding.first_case, 137u);
  EXPECT_EQ(buckets.size(), 1u);
}

TEST(Buckets, HandOverTheirFindingsInTheOrderOfArrival) {
  Buckets buckets;
  buckets.add(bucket("b"), 1);
  buckets.add(bucket("a"), 2);
  const auto findings = buckets.take_findings();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].id, "b");
  EXPECT_EQ(findings[1].id, "a");
  EXPECT_EQ(buckets.size(), 0u);
}

}  // namespace
}  // namespace lanecheck
