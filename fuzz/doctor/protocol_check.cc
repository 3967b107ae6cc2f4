#include "fuzz/doctor/protocol_check.h"

#include <nlohmann/json.hpp>
#include <thread>

#include "fuzz/backend/message.h"
#include "fuzz/doctor/question.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;

/// Thrown by a check: says what the backend does wrong.
class Wrong : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void require(bool holds, const std::string& what) {
  if (!holds) throw Wrong(what);
}

Program echo_program(std::size_t bytes) {
  Program program;
  program.ub.resize(bytes);
  for (std::size_t n = 0; n < bytes; ++n) program.ub[n] = static_cast<std::byte>(n * 11 + 3);
  return program;
}

/// One process of the backend. The checks write its requests and read its answers themselves.
class Conversation {
 public:
  Conversation(const std::function<int()>& body, const AttachOptions& options)
      : child_(body, options.stop),
        options_(options),
        hello_(read_hello(ask(hello_request(), options.start_up))) {}

  const Hello& hello() const { return hello_; }
  Child& child() { return child_; }

  void send(std::string_view text) { require_success(child_.send(text, options_.deadline)); }

  std::string_view line(double allowance) {
    std::string_view text;
    require_success(child_.read_line(text, kMostLine, allowance));
    return text;
  }

  std::string ask(const std::string& request, double allowance) {
    require_success(child_.send(request, allowance));
    return std::string(line(allowance));
  }

  /// Reads the answer to `programs`; every one must have run.
  std::vector<State> answer(std::span<const Program> programs, std::uint64_t first_id, Encoding encoding) {
    std::vector<State> states(programs.size());
    std::vector<Outcome> outcomes = outcomes_of(programs, first_id, encoding, states);
    for (const Outcome& outcome : outcomes)
      require(std::holds_alternative<Ran>(outcome), "a program whose instructions are on offer did not run");
    return states;
  }

  std::vector<Outcome> outcomes_of(std::span<const Program> programs, std::uint64_t first_id,
                                   Encoding encoding, std::span<State> states) {
    std::vector<Outcome> outcomes(programs.size());
    const Batch batch{programs, states, outcomes};
    const std::size_t raw = read_answers(line(options_.deadline), first_id, encoding, batch, hello_.shown());
    if (raw > 0) {
      std::string_view images;
      require_success(child_.read_bytes(images, raw, options_.deadline));
      fill_images(images, batch);
    }
    return outcomes;
  }

  std::vector<State> run(std::span<const Program> programs, std::uint64_t first_id, Encoding encoding) {
    send(run_request(programs, first_id, encoding));
    return answer(programs, first_id, encoding);
  }

 private:
  static void require_success(const std::optional<Breakdown>& breakdown) {
    if (breakdown) throw Wrong(breakdown->what);
  }

  Child child_;
  AttachOptions options_;
  Hello hello_;
};

void require_echo(std::span<const Program> programs, const std::vector<State>& states, bool shows_mask) {
  for (std::size_t n = 0; n < programs.size(); ++n) {
    require(states[n].ub == programs[n].ub, "UB of a program without instructions came back changed");
    require(!shows_mask || states[n].mask == kFullMask,
            "the mask of a program without instructions is not full");
  }
}

/// Programs with instructions that the backend offers. If it offers too little, they have no instructions.
std::vector<Program> offered_programs(const Hello& hello) {
  std::vector<Profile> profiles;
  for (const std::string& name : hello.profiles)
    if (const Profile* profile = find_profile(name); profile != nullptr) profiles.push_back(*profile);
  for (Question& question : questions(hello.capabilities, profiles))
    if (question.id == "types" && !question.programs.empty()) return std::move(question.programs);
  return {echo_program(64), echo_program(96)};
}

void add_unknown_fields(Json& json) {
  if (json.is_object()) {
    for (auto& [field, value] : json.items()) add_unknown_fields(value);
    json["a_field_of_a_later_version"] = Json::array({1, "two", nullptr});
  } else if (json.is_array()) {
    for (Json& value : json) add_unknown_fields(value);
  }
}

void says_hello(Conversation&) {}

void reads_images(Conversation& backend) {
  for (const std::size_t bytes : {std::size_t{32}, std::size_t{4096}, std::size_t{kMaxUbBytes}}) {
    const std::vector<Program> one = {echo_program(bytes)};
    require_echo(one, backend.run(one, 1, Encoding::hex), backend.hello().shows_mask);
  }
}

void answers_in_order(Conversation& backend) {
  for (const std::size_t count : {1u, 3u, 64u}) {
    std::vector<Program> programs;
    for (std::size_t n = 0; n < count; ++n) programs.push_back(echo_program(32 * (n % 5 + 1)));
    for (std::size_t n = 0; n < count; ++n) programs[n].ub[1] = static_cast<std::byte>(n);
    require_echo(programs, backend.run(programs, 9'007'199'254'740'000u, Encoding::hex),
                 backend.hello().shows_mask);
  }
}

void answers_an_empty_request(Conversation& backend) {
  backend.run({}, 1, Encoding::hex);
}

void encodings_agree(Conversation& backend) {
  const auto programs = offered_programs(backend.hello());
  const auto in_digits = backend.run(programs, 1, Encoding::hex);
  if (backend.hello().encoding == Encoding::bytes)
    require(backend.run(programs, 1, Encoding::bytes) == in_digits, "hex and bytes give different results");
}

void ignores_unknown_fields(Conversation& backend) {
  const auto programs = offered_programs(backend.hello());
  const auto expected = backend.run(programs, 1, Encoding::hex);
  Json request = Json::parse(run_request(programs, 1, Encoding::hex));
  add_unknown_fields(request);
  backend.send(request.dump() + "\n");
  require(backend.answer(programs, 1, Encoding::hex) == expected, "unknown fields change the result");
}

void survives_unknown_instructions(Conversation& backend) {
  const std::vector<Program> programs = {echo_program(64), echo_program(64), echo_program(64)};
  Json request = Json::parse(run_request(programs, 1, Encoding::hex));
  request["programs"][1]["instructions"].push_back({{"op", "an_instruction_of_a_later_version.f16"}});
  backend.send(request.dump() + "\n");
  std::vector<State> states(3);
  const auto outcomes = backend.outcomes_of(programs, 1, Encoding::hex, states);
  require(!std::holds_alternative<Ran>(outcomes[1]), "the backend ran an instruction that does not exist");
  require(!std::holds_alternative<Refused>(outcomes[1]), "the backend refused a program that it should skip");
  require(std::holds_alternative<Ran>(outcomes[0]) && std::holds_alternative<Ran>(outcomes[2]),
          "a program that cannot run spoiled the other programs of its request");
}

void reads_pieces(Conversation& backend) {
  const std::vector<Program> one = {echo_program(256)};
  const std::string request = run_request(one, 1, backend.hello().encoding);
  for (const std::size_t piece : {std::size_t{1}, request.size() / 3, request.size()}) {
    backend.send(std::string_view(request).substr(0, piece));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    backend.send(std::string_view(request).substr(piece));
    require_echo(one, backend.answer(one, 1, backend.hello().encoding), backend.hello().shows_mask);
  }
}

void answers_two_requests(Conversation& backend) {
  const std::vector<Program> one = {echo_program(64)}, other = {echo_program(128)};
  const Encoding encoding = backend.hello().encoding;
  backend.send(run_request(one, 1, encoding) + run_request(other, 2, encoding));
  require_echo(one, backend.answer(one, 1, encoding), backend.hello().shows_mask);
  require_echo(other, backend.answer(other, 2, encoding), backend.hello().shows_mask);
}

void says_nothing_else(Conversation& backend) {
  const auto programs = offered_programs(backend.hello());
  backend.run(programs, 1, Encoding::hex);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  require(!backend.child().has_unread(), "it wrote more than the answers to standard output");
}

void ends_with_its_input(Conversation& backend) {
  const std::string how = backend.child().end(Ending::orderly);
  require(how == "exited with status 0", how);
}

struct Check {
  std::string_view claim;
  void (*holds)(Conversation&);
};

constexpr Check kChecks[] = {
    {"answers hello with a name and a version of the protocol", says_hello},
    {"returns UB and a full mask for programs without instructions, with UBs of 32 bytes to 192 KiB",
     reads_images},
    {"answers 1, 3 and 64 programs in their order, with their ids", answers_in_order},
    {"answers a request without programs", answers_an_empty_request},
    {"gives the same results in every encoding that it offers", encodings_agree},
    {"ignores fields that it does not know", ignores_unknown_fields},
    {"skips an instruction that it does not know, and runs the other programs",
     survives_unknown_instructions},
    {"reads requests that arrive in pieces", reads_pieces},
    {"answers two requests that arrive at once, one after the other", answers_two_requests},
    {"writes only answers to standard output", says_nothing_else},
    {"ends when its input ends, with status 0", ends_with_its_input},
};

}  // namespace

std::vector<ProtocolCheck> check_protocol(const std::string& command, const AttachOptions& options) {
  const auto body = command_body(command);
  std::vector<ProtocolCheck> results;
  for (const Check& check : kChecks) {
    ProtocolCheck result{check.claim, {}};
    try {
      Conversation conversation(body, options);
      check.holds(conversation);
    } catch (const Wrong& wrong) {
      result.wrong = wrong.what();
    } catch (const ProtocolError& error) {
      result.wrong = error.what();
    }
    if (options.stop && options.stop()) break;  // the stop may have spoiled this check
    results.push_back(std::move(result));
    if (!results.front().wrong.empty()) break;  // without a handshake nothing else can be tried
  }
  return results;
}

}  // namespace lanecheck
