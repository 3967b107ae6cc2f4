// Messages: valid against the published schema, read back as they were, and never trusted.
#include "fuzz/backend/message.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <rapidcheck/Random.h>

#include <fstream>
#include <sstream>

#include "fuzz/backend/example_backend.h"
#include "fuzz/generate/generate.h"
#include "reports/schema_testing.h"
#include "spec/text/program_json.h"

namespace lanecheck {
namespace message_test {

using Json = nlohmann::json;

bool is_valid(std::string_view message) {
  return lanecheck::is_valid("fuzz/backend/protocol.schema.json",
                             Json::parse(message.substr(0, message.find('\n'))));
}

std::vector<Program> some_programs(std::uint64_t first, std::size_t count, Profile profile = Profile::vmc) {
  Mix mix;
  mix.profile = profile;
  std::vector<Program> programs(count);
  for (std::size_t n = 0; n < count; ++n) generate(1, first + n, mix, programs[n]);
  return programs;
}

/// Programs of every profile: some of the boundary tables, some drawn.
std::vector<Program> programs_of_every_profile() {
  std::vector<Program> programs;
  for (const Profile profile : kEveryProfile) {
    const std::uint64_t boundary = cases_with_boundaries(profile);
    for (const std::uint64_t first : {std::uint64_t{0}, boundary / 3, boundary * 2 / 3, boundary})
      std::ranges::move(some_programs(first, 16, profile), std::back_inserter(programs));
  }
  return programs;
}

std::pair<std::string_view, std::string_view> cut_line(std::string_view message) {
  const auto end = message.find('\n');
  return {message.substr(0, end), message.substr(end + 1)};
}

class EveryEncoding : public testing::TestWithParam<Encoding> {};

TEST_P(EveryEncoding, ARequestReadsBackToTheSamePrograms) {
  const auto all = programs_of_every_profile();
  for (std::size_t from = 0; from < all.size(); from += 16) {
    const auto programs = std::span(all).subspan(from, 16);
    const std::string message = run_request(programs, 7, GetParam());
    EXPECT_TRUE(is_valid(message)) << message.substr(0, 500);
    const auto [line, raw] = cut_line(message);
    Request request = read_request(line);
    ASSERT_EQ(request.raw, raw.size());
    if (GetParam() == Encoding::bytes) fill_images(raw, request);
    ASSERT_EQ(request.programs.size(), programs.size());
    for (std::size_t n = 0; n < programs.size(); ++n) {
      EXPECT_EQ(request.programs[n], programs[n]);
      EXPECT_EQ(request.ids[n], 7 + n);
    }
  }
}

TEST_P(EveryEncoding, AnAnswerReadsBackToTheSameOutcomes) {
  auto programs = some_programs(137'100, 5);
  std::vector<State> states(5), back(5);
  std::vector<Outcome> outcomes(5), read(5);
  run_all(example_backend(), {programs, states, outcomes});
  for (State& state : states) state.cmpmask = {};  // no message carries it
  outcomes[1] = Refused{"repeat \"times\"\n"};
  outcomes[2] = Skipped{"\xff no utf-8"};
  outcomes[3] = Errored{"boom"};
  Request request;
  request.encoding = GetParam();
  request.ids = {9, 10, 11, 12, 13};
  const std::string message = run_answer(request, states, outcomes, true);
  EXPECT_TRUE(is_valid(message)) << message.substr(0, 500);
  const auto [line, raw] = cut_line(message);
  const Batch batch{programs, back, read};
  ASSERT_EQ(read_answers(line, 9, GetParam(), batch, true), raw.size());
  if (GetParam() == Encoding::bytes) fill_images(raw, batch);
  EXPECT_EQ(back[0], states[0]);
  EXPECT_EQ(back[4], states[4]);
  EXPECT_EQ(std::get<Refused>(read[1]).why, "repeat \"times\"\n");
  EXPECT_TRUE(std::holds_alternative<Skipped>(read[2]));
  EXPECT_EQ(std::get<Errored>(read[3]).what, "boom");
}

INSTANTIATE_TEST_SUITE_P(Message, EveryEncoding, testing::Values(Encoding::hex, Encoding::bytes),
                         [](const auto& each) {
                           return std::string(kEncodingNames[static_cast<unsigned>(each.param)]);
                         });

TEST(Message, AnInstructionIsWrittenAsInCaseFiles) {
  for (const Program& program : programs_of_every_profile()) {
    const Json sent = Json::parse(cut_line(run_request({&program, 1}, 1, Encoding::bytes)).first);
    const Json in_case = to_json(program);
    EXPECT_EQ(sent["programs"][0]["instructions"], in_case["instructions"]);
  }
}

TEST(Message, TheSchemaRejectsWhatIsNoMessage) {
  for (const char* bad :
       {R"({"cmd":"dance"})", R"({"answers":[{"id":1}]})", R"({"answers":[{"id":1,"ran":{},"skipped":"x"}]})",
        R"({"answers":[{"id":1,"ran":{"mask":["0x0"]}}]})",
        R"({"cmd":"run","encoding":"smoke","programs":[]})"})
    EXPECT_FALSE(is_valid(bad)) << bad;
  EXPECT_TRUE(is_valid(R"({"answers":[{"id":1,"ran":{},"later":1}],"also":2})")) << "fields may be added";
}

/// The JSON messages in the code blocks of a page, one a line.
std::vector<std::string> messages_in(const std::string& path) {
  std::ifstream page(path);
  std::vector<std::string> messages;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```"))
      inside = line == "```json";
    else if (inside)
      messages.push_back(line);
  }
  return messages;
}

TEST(Message, TheExamplesOfTheProtocolPageAreMessages) {
  const auto messages = messages_in(LANECHECK_SOURCE_DIR "/fuzz/backend/protocol.md");
  ASSERT_EQ(messages.size(), 4u) << "hello, its answer, run, its answer";
  for (const std::string& each : messages) EXPECT_TRUE(is_valid(each)) << each;
  EXPECT_EQ(messages[0] + "\n", hello_request());
  EXPECT_EQ(read_hello(messages[1]).name, "my_sim");
  const Request request = read_request(messages[2]);
  ASSERT_EQ(request.programs.size(), 1u);
  EXPECT_EQ(request.unreadable[0], "");
  State state, right;
  Outcome outcome;
  read_answers(messages[3], request.ids[0], Encoding::hex, {request.programs, {&state, 1}, {&outcome, 1}},
               Shown(true, false));
  EXPECT_TRUE(std::holds_alternative<Ran>(outcome));
  example_backend().run(request.programs[0], right);
  EXPECT_EQ(state, right) << "the answer on the page is the right one";
}

TEST(Message, WhateverABackendSendsIsAnAnswerOrAProtocolError) {
  const auto programs = some_programs(137'300, 3);
  std::vector<State> states(3);
  std::vector<Outcome> outcomes(3);
  run_all(example_backend(), {programs, states, outcomes});
  for (State& state : states) state.cmpmask = {};  // no message carries it
  outcomes[1] = Errored{"boom"};
  Request request;
  request.ids = {1, 2, 3};
  const std::string good(cut_line(run_answer(request, states, outcomes, true)).first);
  const std::string hello(cut_line(hello_answer(example_backend())).first);
  const rc::Random seed(20'26);
  rc::Random random = seed;
  unsigned refused = 0;
  for (unsigned n = 0; n < 100'000; ++n) {
    std::string text = n % 2 == 0 ? good.substr(0, 300) + good.substr(good.size() - 300) : hello;
    for (unsigned change = 0; change <= random.next() % 4; ++change) {
      const std::size_t at = random.next() % text.size();
      switch (random.next() % 4) {
        case 0:
          text[at] = static_cast<char>(random.next());
          break;
        case 1:
          text.erase(at, random.next() % 20);
          break;
        case 2:
          text.insert(at, 1 + random.next() % 3, "[]{}\",:0-\\"[random.next() % 10]);
          break;
        default:
          text.insert(at, text.substr(random.next() % text.size(), random.next() % 40));
      }
      if (text.empty()) text = "{";
    }
    try {
      if (n % 2 == 0)
        read_answers(text, 1, Encoding::hex, {programs, states, outcomes}, true);
      else
        read_hello(text);
    } catch (const ProtocolError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 50'000u);
}

TEST(Message, LinesAreReadUpToTheirLimit) {
  const std::string piece((1 << 14) - 1, 'p');  // as much as is read at once
  const std::string longest(kMostLine, 'l');
  std::istringstream in("a\n\n" + piece + "\n" + piece + "p\n" + longest + "\nend");
  std::string line;
  for (const std::string& expected :
       {std::string("a"), std::string(), piece, piece + "p", longest, std::string("end")}) {
    ASSERT_TRUE(next_line(in, line));
    EXPECT_TRUE(line == expected) << line.size();
  }
  EXPECT_FALSE(next_line(in, line));
  std::istringstream endless(std::string(kMostLine + (1 << 20), 'e'));
  ASSERT_TRUE(next_line(endless, line));
  EXPECT_EQ(line.size(), kMostLine + 1);
  EXPECT_THROW(read_request(line), ProtocolError);
}

}  // namespace message_test
}  // namespace lanecheck
