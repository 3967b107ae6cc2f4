// A checkpoint comes back from its text as it was, and a damaged one is refused.
#include "fuzz/journal/checkpoint_json.h"

#include <gtest/gtest.h>

#include "spec/program/input_error.h"
#include "spec/text/mutation_testing.h"

namespace lanecheck {
namespace {

Checkpoint some() {
  Checkpoint checkpoint(Profile::vmc);
  CaseRecord record;
  record.verdict = Verdict::conforms;
  record.kind = Kind::decisive;
  record.element_checks = 77;
  record.cells = {5, 5, 9};
  checkpoint.tally.count(record);
  record.clear();
  record.verdict = Verdict::skipped;
  record.skipped = "not on offer";
  record.left_out_cells = {11};
  record.not_offered = {"add.i32", "exp.f16"};
  checkpoint.tally.count(record);
  checkpoint.tally.count_edge("LAW-types");
  checkpoint.failed = {3, 4, 5, 90, 1ull << 60};
  return checkpoint;
}

TEST(CheckpointJson, ComesBackAsItWas) {
  const Checkpoint before = some();
  const std::string text = checkpoint_text(before);
  const Checkpoint after = read_checkpoint(text, Profile::vmc, "here");
  EXPECT_EQ(after.done(), 7u);
  EXPECT_EQ(after.failed, before.failed);
  EXPECT_EQ(after.tally.verdicts, before.tally.verdicts);
  EXPECT_EQ(after.tally.kinds, before.tally.kinds);
  EXPECT_EQ(after.tally.legality, before.tally.legality);
  EXPECT_EQ(after.tally.not_offered, before.tally.not_offered);
  EXPECT_EQ(after.tally.skip_reasons, before.tally.skip_reasons);
  EXPECT_EQ(checkpoint_text(after), text);
}

TEST(CheckpointJson, TextThatIsCutIsRefused) {
  const std::string text = checkpoint_text(some());
  for (std::size_t length = 0; length + 2 < text.size(); length += 3)
    EXPECT_THROW(read_checkpoint(text.substr(0, length), Profile::vmc, "here"), InputError) << length;
}

TEST(CheckpointJson, AMessageAboutATruncatedFileSaysWhereAndNamesNoLibrary) {
  const std::string text = checkpoint_text(some());
  try {
    read_checkpoint(text.substr(0, text.size() - 20), Profile::vmc, "part/checkpoint.json");
    FAIL() << "a truncated checkpoint was taken";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with("part/checkpoint.json:1: not JSON")) << what;
    EXPECT_EQ(what.find("json.exception"), std::string::npos) << what;
  }
}

TEST(CheckpointJson, CountsThatDoNotAddUpAreRefused) {
  std::string text = checkpoint_text(some());
  const auto at = text.find("\"conforms\":1");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 12, "\"conforms\":2");
  EXPECT_THROW(read_checkpoint(text, Profile::vmc, "here"), InputError);
}

TEST(CheckpointJson, CountsThatAddUpPast2To64AreRefused) {
  std::string text = checkpoint_text(some());
  const std::string good = "\"conforms\":1,\"diverges\":0";
  ASSERT_NE(text.find(good), std::string::npos);
  text.replace(text.find(good), good.size(), "\"conforms\":18446744073709551615,\"diverges\":2");
  EXPECT_THROW(read_checkpoint(text, Profile::vmc, "here"), InputError);
}

TEST(CheckpointJson, MoreFailedCasesThanWereDoneAreRefused) {
  std::string text = checkpoint_text(some());
  const auto at = text.find("\"failed\":[["), end = text.find("]]", at);
  ASSERT_NE(end, std::string::npos);
  text.replace(at, end - at, "\"failed\":[[0,18446744073709551615");
  EXPECT_THROW(read_checkpoint(text, Profile::vmc, "here"), InputError);
  const auto done = text.find("\"done\":7");
  ASSERT_NE(done, std::string::npos);
  text.replace(done, 8, "\"done\":18446744073709551615");
  EXPECT_THROW(read_checkpoint(text, Profile::vmc, "here"), InputError);
}

TEST(CheckpointJson, CellsThatDoNotExistAreRefused) {
  const std::string text = checkpoint_text(some());
  for (const std::string list : {"\"cells\":[", "\"left_out_cells\":["}) {
    const auto at = text.find(list);
    ASSERT_NE(at, std::string::npos);
    const auto with = [&](std::uint64_t key) {
      const bool is_last = text[at + list.size()] == ']';
      const std::string cell = "[" + std::to_string(key) + ",1]" + (is_last ? "" : ",");
      return std::string(text).insert(at + list.size(), cell);
    };
    EXPECT_NO_THROW(read_checkpoint(with(0), Profile::vmc, "here"));
    // A mask of class 7, an instruction 127, a key of 64 bits.
    for (const std::uint64_t key : {std::uint64_t{7} << 18, std::uint64_t{127} << 29, ~std::uint64_t{0}})
      EXPECT_THROW(read_checkpoint(with(key), Profile::vmc, "here"), InputError) << key;
  }
}

TEST(CheckpointJson, AMutatedCheckpointIsReadOrRefusedByName) {
  const auto read = [](std::string_view text) { read_checkpoint(text, Profile::vmc, kMutatedFile); };
  const std::string good = checkpoint_text(some());
  expect_reads_or_refuses(good, 4000, read);
  for (const char* place : {"/failed", "/cells/0", "/skip_reasons"}) expect_refuses_depth(good, place, read);
}

TEST(Tally, TheSumOfTwoPartsIsTheTallyOfTheWhole) {
  Tally sum(Profile::vmc);
  sum.add(some().tally);
  sum.add(some().tally);
  Checkpoint twice(Profile::vmc);
  twice.tally = sum;
  EXPECT_EQ(sum.done(), 4u);
  EXPECT_EQ(sum.element_checks, 154u);
  EXPECT_EQ(sum.instructions_left_out, 4u);
  EXPECT_EQ(sum.legality.at("LAW-types"), 2u);
  EXPECT_NE(checkpoint_text(twice).find("[[5,4],[9,2]]"), std::string::npos);
}

}  // namespace
}  // namespace lanecheck
