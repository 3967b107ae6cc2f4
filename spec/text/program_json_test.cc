// Programs as JSON: the same content as the text form, field by field.
#include "spec/text/program_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "spec/program/input_error.h"
#include "spec/text/json_reader.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;

struct Twin {
  const char *text, *json;
};

constexpr Twin kTwins[] = {
    {R"(ub 512
alloc dst f32 0 256 = 7 x64
alloc src f32 256 256 = 1 x64
set_mask high=0x0 low=0x1
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, repeat=1
)",
     R"({
  "ub_bytes": 512,
  "allocations": [
    {"name": "dst", "type": "f32", "offset": 0, "bytes": 256, "data": ["7 x64"]},
    {"name": "src", "type": "f32", "offset": 256, "bytes": 256, "data": ["1 x64"]}
  ],
  "instructions": [
    {"op": "set_mask", "high": "0x0", "low": "0x1"},
    {"op": "adds.f32",
     "dst": {"at": "dst", "offset": 0, "block_stride": 1, "repeat_stride": 8},
     "src": {"at": "src", "offset": 0, "block_stride": 1, "repeat_stride": 8},
     "scalar": {"value": "2", "bits": "0x40000000"}, "repeat": 1}
  ]
})"},
    {R"(profile tik
ub 256
alloc d f16 0 256
abs.f16 d+0 blk=1 rep=8, d+0 blk=1 rep=8, mask=0x1:0x0, repeat=scalar:3
cast.f32.f16 d+0 blk=1 rep=8, d+0 blk=1 rep=8, round=none, mask=5, repeat=0
compare.f16 d+0, d+0 blk=1 rep=8, d+0 blk=1 rep=8, ge, count=300, repeat=1
)",
     R"({
  "profile": "tik",
  "ub_bytes": 256,
  "allocations": [{"name": "d", "type": "f16", "offset": 0, "bytes": 256, "data": []}],
  "instructions": [
    {"op": "abs.f16",
     "dst": {"at": "d", "offset": 0, "block_stride": 1, "repeat_stride": 8},
     "src": {"at": "d", "offset": 0, "block_stride": 1, "repeat_stride": 8},
     "mask_operand": {"high": "0x1", "low": "0x0"}, "repeat": 3, "scalar_repeat": true},
    {"op": "cast.f32.f16",
     "dst": {"at": "d", "offset": 0, "block_stride": 1, "repeat_stride": 8},
     "src": {"at": "d", "offset": 0, "block_stride": 1, "repeat_stride": 8},
     "round": "none", "mask_operand": {"contiguous": 5}, "repeat": 0},
    {"op": "compare.f16", "dst": {"at": "d", "offset": 0},
     "src0": {"at": "d", "offset": 0, "block_stride": 1, "repeat_stride": 8},
     "src1": {"at": "d", "offset": 0, "block_stride": 1, "repeat_stride": 8},
     "compare": "ge", "mask_operand": {"count": 300}, "repeat": 1}
  ]
})"},
};

TEST(ProgramJson, SaysTheSameAsTheText) {
  for (const auto& [text, json] : kTwins) {
    const Program program = parse_program(text, "text");
    EXPECT_EQ(to_json(program).dump(), nlohmann::ordered_json::parse(json).dump())
        << "with its order of fields";
    EXPECT_EQ(program_from_json(Json::parse(json), "json"), program);
  }
}

struct BadJson {
  const char *pointer, *value, *says;
};

/// Replaces one value of the first program above.
TEST(ProgramJson, AMistakeIsReportedWithItsPath) {
  const BadJson kBad[] = {
      {"/ub_bytes", "-1", "f/ub_bytes: expected a whole number from 0 to 196608"},
      {"/instructions", "{}", "f/instructions: expected an array"},
      {"/later", "1", "f: unknown field \"later\""},
      {"/profile", "\"cuda\"", "f/profile: no such profile; there are: vmc"},
      {"/allocations/1/name", "\"dst\"", "f/allocations/1/name: a second allocation named dst"},
      {"/allocations/1/name", "\"a b\"", "f/allocations/1/name: not a name"},
      {"/allocations/0/type", "\"f99\"", "f/allocations/0/type: no such element type"},
      {"/allocations/1/bytes", "257", "f/allocations/1/bytes: does not fit in UB"},
      {"/allocations/0/data", "[\"seven\"]", "f/allocations/0/data: data of dst: 'seven': expected a value"},
      {"/allocations/0/data", "[7]",
       "f/allocations/0/data: expected an array of strings, found one with number"},
      {"/instructions/1/op", "\"addz.f32\"",
       "f/instructions/1/op: no such instruction: addz.f32; did you mean add?"},
      {"/instructions/1/dst/at", "\"d\"", "f/instructions/1/dst/at: no allocation named 'd'"},
      {"/instructions/1/dst/blk", "1", "f/instructions/1/dst: unknown field \"blk\""},
      {"/instructions/1/scalar/bits", "\"0x1\"", "f/instructions/1/scalar/bits: value and bits disagree"},
      {"/instructions/1/scalar", "{}", "f/instructions/1/scalar: a scalar needs \"value\", \"bits\" or both"},
      {"/instructions/1/repeat", "4294967296", "f/instructions/1/repeat: expected a whole number from 0 to"},
      {"/instructions/1/scalar_repeat", "1", "f/instructions/1/scalar_repeat: expected true or false"},
      {"/instructions/1/round", "\"none\"", "f/instructions/1: unknown field \"round\""},
      {"/instructions/0/scalar_repeat", "true", "f/instructions/0: unknown field \"scalar_repeat\""},
  };
  for (const auto& [pointer, value, says] : kBad) {
    Json json = Json::parse(kTwins[0].json);
    json[Json::json_pointer(pointer)] = Json::parse(value);
    try {
      program_from_json(json, "f");
      ADD_FAILURE() << "was read: " << pointer << " = " << value;
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with(says)) << error.what();
    }
  }
}

TEST(ProgramJson, AMissingFieldIsNamed) {
  Json json = Json::parse(kTwins[0].json);
  json["instructions"][1]["src"].erase("offset");
  try {
    program_from_json(json, "f");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "f/instructions/1/src: missing field \"offset\"");
  }
}

TEST(ProgramJson, ASyntaxErrorHasItsLine) {
  try {
    parse_json("{\n  \"ub_bytes\": 64,\n}", "case.json");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with("case.json:3: not JSON: ")) << error.what();
  }
}

void expect_refusal(std::string_view text, std::string_view message) {
  try {
    parse_json(text, "case.json");
    ADD_FAILURE() << "accepted: " << text;
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(ProgramJson, AByteZeroIsNotTheEndOfTheText) {
  expect_refusal(std::string_view("{\n}\n\0", 5), "case.json:3: not JSON: it holds a byte 0");
  expect_refusal(std::string_view("{}\0 anything", 12), "case.json:1: not JSON: it holds a byte 0");
}

TEST(ProgramJson, TwoFieldsOfTheSameNameAreRefused) {
  expect_refusal(R"({"a": {"ub": 1, "b": {"ub": 2}, "ub": 1}})",
                 "case.json: an object has the field \"ub\" twice");
  expect_refusal(R"({"seed": 1, "s\u0065ed": 2})", "case.json: an object has the field \"seed\" twice");
  EXPECT_EQ(parse_json(R"([{"a": 1, "b": {"a": 2}}, {"a": 3}])", "case.json").size(), 2u);
}

TEST(ProgramJson, MessagesMayHoldFieldsOfLaterVersions) {
  Json json = Json::parse(kTwins[0].json);
  json["later"] = json["instructions"][1]["later"] = json["instructions"][1]["dst"]["later"] = 1;
  EXPECT_EQ(program_from_json(json, "m", Image::apart).instructions.size(), 2u);
  EXPECT_THROW(program_from_json(json, "m"), InputError);
}

}  // namespace
}  // namespace lanecheck
