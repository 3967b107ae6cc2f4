// Case files: what is wrong with a bad one is said, with file, place and remedy.
#include <gtest/gtest.h>

#include "corpus/case.h"
#include "spec/program/input_error.h"
#include "spec/text/mutation_testing.h"

namespace lanecheck {
namespace {

constexpr std::string_view kGood =
    R"({"schema":"lanecheck-case-1","rule":"VMC-3.1-dup","about":"a","source":"b",
"program":{"ub_bytes":288,"allocations":[{"name":"d","type":"f32","offset":0,"bytes":256,"data":["7 x64"]}],
"instructions":[{"op":"set_mask","high":"0x0","low":"0x1"},
{"op":"dup.f32","dst":{"at":"d","offset":0,"block_stride":1,"repeat_stride":8},"scalar":{"value":"3"},"repeat":1}]},
"expect":{"ub":{"d":["3","7 x63"]},"mask":["1","0 x127","1 x128"]}})";

std::string with(std::string_view from, std::string_view to) {
  std::string text(kGood);
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string complaint(const std::string& text) {
  try {
    parse_case(text, "case.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(CaseFile, ReadsBackToItself) {
  const Case c = parse_case(kGood, "case.json");
  EXPECT_EQ(print_case(parse_case(print_case(c), "again")), print_case(c));
  EXPECT_EQ(c.expect->mask[0], 1);
  EXPECT_EQ(c.expect->mask[1], 0);
}

TEST(CaseFile, WritesMasksAsWordsAndReadsRunsToo) {
  Case c = parse_case(kGood, "case.json");  // has runs
  EXPECT_NE(print_case_line(c).find(R"("mask":{"high":"0x0","low":"0x1"})"), std::string::npos)
      << print_case_line(c);
  c.expect->mask[255] = 0;
  c.expect->mask[128] = 0;
  EXPECT_NE(print_case_line(c).find(R"("upper":["0x7fffffffffffffff","0xfffffffffffffffe"])"),
            std::string::npos)
      << print_case_line(c);
  EXPECT_EQ(parse_case(print_case(c), "again").expect->mask, c.expect->mask);
}

TEST(CaseFile, NamesTheFileThePlaceAndTheFault) {
  const std::pair<std::string, std::string_view> bad[] = {
      {std::string(kGood.substr(0, 100)), "case.json:2: not JSON"},
      {with("lanecheck-case-1", "lanecheck-case-9"), "case.json/schema: this lanecheck reads"},
      {with("\"about\"", "\"abuot\""), "missing field \"about\""},
      {with("\"repeat\":1", "\"repeat\":1,\"extra\":2"), "unknown field \"extra\""},
      {with("\"repeat\":1", "\"repeat\":256"), "repeat times 256; allowed: 0 to 255"},
      {with("\"repeat\":1", "\"repeat\":-1"), "expected a whole number"},
      {with("\"repeat\":1", "\"repeat\":2"), "dst reaches byte 512 of allocation 'd', which has 256 bytes"},
      {with("dup.f32", "dup.f99"), "no such instruction: dup.f99"},
      {with("\"at\":\"d\"", "\"at\":\"e\""), "no allocation named 'e'"},
      {with("7 x64", "7 x65"), "more than its 64 elements"},
      {with("7 x64", "seven"), "expected a value of type f32"},
      {with("\"offset\":0,\"bytes\"", "\"offset\":4,\"bytes\""), "not a multiple of 32"},
      {with("\"ub_bytes\":288", "\"ub_bytes\":999999"), "expected a whole number from 0 to 196608"},
      {with("0 x127", "2 x127"), "runs of 0 and 1"},
      {with(R"(["1","0 x127","1 x128"])", R"({"high":"0x0"})"), "missing field \"low\""},
      {with(R"(["1","0 x127","1 x128"])", R"({"high":"0x0","low":"all"})"), "expected a word of 64 slots"},
      {with(R"(["1","0 x127","1 x128"])", R"({"high":"0x0","low":"1","upper":["0x1"]})"),
       "give the words of slots 192 to 255 and 128 to 191"},
      {with("{\"value\":\"3\"}", "{\"value\":\"3\",\"bits\":\"0x0\"}"), "value and bits disagree"},
      {"[]", "expected an object"},
  };
  for (const auto& [text, what] : bad) {
    EXPECT_NE(complaint(text).find(what), std::string::npos) << complaint(text) << "\nshould say: " << what;
    EXPECT_TRUE(complaint(text).starts_with("case.json")) << complaint(text);
  }
}

TEST(CaseFile, AMissingFileIsNamed) {
  EXPECT_THROW(load_case("/nowhere/case.json"), InputError);
}

// Any bytes give a case or an InputError, nothing else: a million mutated files.
TEST(CaseFile, SurvivesAMillionMutations) {
  Mutator mutator(1);
  unsigned parsed = 0;
  for (unsigned n = 0; n < 1'000'000; ++n) {
    const std::string text = mutator.change_bytes(std::string(kGood));
    try {
      parse_case(text, "m");
      ++parsed;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(parsed, 1000u) << "some mutations are harmless";
}

}  // namespace
}  // namespace lanecheck
