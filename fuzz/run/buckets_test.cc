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

TEST(Buckets, ALawOfStridesIsFoundInTheLawThatItBecameAPartOf) {
  Buckets buckets;
  for (const char* const id : {"measured-strides-1", "measured-dst-1"}) {
    buckets.add(bucket(id), 10);
    Buckets::rename(*buckets.find_id(id), std::string("all-") + id);
  }
  ASSERT_NE(buckets.find_id("measured-strides-1"), nullptr);
  EXPECT_EQ(buckets.find_id("measured-strides-1")->finding.id, "all-measured-strides-1");
  EXPECT_EQ(buckets.find_id("measured-dst-1"), nullptr);
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

/// Positions in the sentence are those of the first instruction, whose repeats may have other numbers of
/// them.
TEST(Buckets, SayThatPositionsInOtherTypesAreOthers) {
  const auto said = [](std::string what, std::vector<std::string> instructions) {
    Buckets buckets;
    Bucket made = bucket("a");
    made.finding.what = std::move(what);
    made.finding.cause = "dst: made up";
    made.finding.instructions = std::move(instructions);
    buckets.add(std::move(made), 1);
    return buckets.take_findings().front().what;
  };
  EXPECT_EQ(said("result 32 of cpadd.f16 is wrong", {"cpadd.f16", "cpadd.f32"}),
            "result 32 of cpadd.f16 is wrong; also, in the results that correspond, in cpadd of f32");
  EXPECT_EQ(said("a masked-off element of cmax.f16 acts like -65504", {"cmax.f16", "cmin.f32"}),
            "a masked-off element of cmax.f16 acts like -65504; also, with the same number or the one that "
            "corresponds, in cmin "
            "of f32");
  EXPECT_EQ(said("result 7 of cgadd.f16 is wrong", {"cgadd.f16", "cgadd.f32"}),
            "result 7 of cgadd.f16 is wrong; also in cgadd of f32");
  EXPECT_EQ(said("lane 127 of add.f16 is wrong", {"add.f16", "add.f32"}),
            "lane 127 of add.f16 is wrong; also, in the lanes that correspond, in add of f32");
  EXPECT_EQ(
      said("each result of cpadd.i32 is computed from other lanes than those of its pair: lane l counts in "
           "result l mod 32 instead of l / 2",
           {"cpadd.i32", "cpadd.f16"}),
      "each result of cpadd.i32 is computed from other lanes than those of its pair: lane l counts in "
      "result l mod 32 instead of l / 2; also, in the lanes that correspond, in cpadd of f16");
  EXPECT_EQ(
      said("cadd.f16 counts its dst repeat stride in data blocks of 32 bytes instead of units of 2 bytes",
           {"cadd.f16", "cadd.f32"}),
      "cadd.f16 counts its dst repeat stride in data blocks of 32 bytes instead of units of 2 bytes; also, "
      "with the unit that corresponds, in cadd of f32");
  // mul leaves no mask: it shows the one that was left.
  EXPECT_EQ(said("after set_vector_mask.f32, slot 64 of the mask register is 1",
                 {"set_vector_mask.f32", "mul.f32"}),
            "after set_vector_mask.f32, slot 64 of the mask register is 1; it also shows in mul of f32");
}

}  // namespace
}  // namespace lanecheck
