// The handshake keeps what a backend says, and refuses offers that match nothing.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fuzz/backend/example_backend.h"
#include "fuzz/backend/message.h"
#include "reports/schema_testing.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;

bool is_valid(std::string_view message) {
  return lanecheck::is_valid("fuzz/backend/protocol.schema.json", Json::parse(message));
}

std::string without_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

TEST(Handshake, TheRequestIsValidAndReadsBack) {
  EXPECT_TRUE(is_valid(hello_request()));
  EXPECT_TRUE(read_request(without_newline(hello_request())).hello);
}

TEST(Handshake, ServeKeepsAllFieldsOfAnOffer) {
  Backend backend = example_backend();
  backend.about = "2.1";
  backend.readings = {{"empty_pair", "keeps_dst"}};
  backend.profiles = {"vmc", "ascendc-a2", "tik"};
  backend.shows_mask = false;
  backend.capabilities.everything = false;
  backend.capabilities.rows = {{"add", "f16", "f16", "", ""},
                               {"cadd", "", "", "", ""},
                               {"add", "f32", "", "ascendc-a2", "counter"},
                               {"", "", "f16", "tik", "normal"}};
  for (const bool hex_only : {false, true}) {
    const std::string answer = without_newline(hello_answer(backend, hex_only));
    EXPECT_TRUE(is_valid(answer)) << answer;
    const Hello hello = read_hello(answer);
    EXPECT_EQ(hello.name, backend.name);
    EXPECT_EQ(hello.version, "2.1");
    EXPECT_EQ(hello.encoding, hex_only ? Encoding::hex : Encoding::bytes);
    EXPECT_EQ(hello.readings, backend.readings);
    EXPECT_EQ(hello.profiles, backend.profiles);
    EXPECT_FALSE(hello.shows_mask);
    EXPECT_TRUE(hello.shows_mode);
    EXPECT_TRUE(hello.reports_refusals);
    EXPECT_FALSE(hello.capabilities.everything);
    ASSERT_EQ(hello.capabilities.rows.size(), backend.capabilities.rows.size());
    for (std::size_t n = 0; n < backend.capabilities.rows.size(); ++n)
      EXPECT_EQ(fields_of(hello.capabilities.rows[n]), fields_of(backend.capabilities.rows[n])) << n;
  }
}

struct BadOffer {
  const char *offer, *says;
};

void PrintTo(const BadOffer& offer, std::ostream* out) {
  *out << offer.offer;
}

class EveryBadOffer : public testing::TestWithParam<BadOffer> {};

TEST_P(EveryBadOffer, IsRefusedWithItsRowItsFaultAndWhatExists) {
  const std::string hello =
      R"({"protocol":1,"name":"x","offers":[{"instruction":"add"},)" + std::string(GetParam().offer) + "]}";
  try {
    read_hello(hello);
    FAIL() << "the offer was taken: " << GetParam().offer;
  } catch (const ProtocolError& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with("offers[1] = ")) << what;
    EXPECT_NE(what.find(GetParam().says), std::string::npos) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Handshake, EveryBadOffer,
    testing::Values(
        BadOffer{R"({"instruction":"frobnicate"})", "there is no instruction 'frobnicate'; there are: "},
        BadOffer{R"({"instruction":"add","dst":"f99"})", "there is no element type 'f99'; there are: f16, "},
        BadOffer{R"({"instruction":"add","profile":"cuda"})",
                 "there is no profile 'cuda'; there are: vmc ascendc-a2 ascendc-310p tik"},
        BadOffer{R"({"instruction":"add","mode":"odd"})",
                 "there is no mode 'odd'; there are: normal, counter"},
        BadOffer{R"({"instruction":"exp","dst":"i8"})",
                 "exp exists with dst f16 with src f16, dst f32 with src f32"},
        BadOffer{R"({"instruction":"compare","dst":"f16"})", "compare exists with dst u8 with src f16"},
        BadOffer{R"({"instruction":"vpadding","profile":"vmc"})",
                 "vpadding exists in the profiles ascendc-310p"},
        BadOffer{R"({"dst":"f16","src":"u64","profile":"vmc"})", "matches no instruction"}));

TEST(Handshake, ABackendThatEchoesIsToldSo) {
  try {
    read_hello(hello_request());
    FAIL() << "the request was taken for an answer";
  } catch (const ProtocolError& error) {
    EXPECT_STREQ(error.what(), "the backend sends back the request instead of an answer");
  }
}

TEST(Handshake, AnOfferOfFewerFieldsMatchesWhateverItCan) {
  for (const char* offer : {R"({})", R"({"src":"f16"})", R"({"instruction":"set_mask","dst":"f16"})",
                            R"({"instruction":"compare","dst":"u8","src":"f16"})",
                            R"({"mode":"counter","profile":"ascendc-a2"})"}) {
    const std::string hello = R"({"protocol":1,"name":"x","offers":[)" + std::string(offer) + "]}";
    EXPECT_EQ(read_hello(hello).capabilities.rows.size(), 1u) << offer;
  }
}

}  // namespace
}  // namespace lanecheck
