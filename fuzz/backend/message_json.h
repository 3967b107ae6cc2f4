// Reading the JSON of a message from a backend (or, in `lanecheck serve`, from a host). Such text is
// untrusted: whatever is wrong with it ends in a ProtocolError that says what and where.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/backend/message.h"

namespace lanecheck {

nlohmann::json parse_message(std::string_view line);
/// The same of a line of a file. `advice`: what the message adds about a line that is not JSON.
nlohmann::json parse_line(std::string_view line, std::string_view advice = "");

/// The beginning of a text that cannot be read, in quotes, for people.
std::string beginning(std::string_view text);

/// A string field, shortened to kMostText; "" if it is missing.
std::string short_text(const nlohmann::json& json, std::string_view field);
bool flag(const nlohmann::json& json, std::string_view field, bool if_missing);
/// A list field that must be there, with at most `most` entries.
const nlohmann::json& list(const nlohmann::json& json, std::string_view field, std::size_t most);
std::uint64_t read_id(const nlohmann::json& json);
/// The field "bytes": how many raw bytes follow the line.
std::size_t raw_bytes(const nlohmann::json& json);
/// The field "ub"; `ub` has the size that is expected.
void read_hex_image(const nlohmann::json& json, std::vector<std::byte>& ub);

/// The fields of an answer: exactly one of them says what became of the program.
inline constexpr const char* kOutcomeFields[] = {"ran", "refused", "skipped", "errored"};

/// Appends a program as an object that starts with its id.
void append_program(std::string& out, const Program& program, std::uint64_t id, Encoding encoding);
/// Appends the field that says what became of a program, with a comma in front. With Encoding::bytes the
/// final UB goes into `raw`.
void append_outcome(std::string& out, std::string& raw, const Outcome& outcome, const State& state,
                    Encoding encoding, Shown shown);
/// Reads that field. `bytes` is the size of UB. With Encoding::bytes the final UB is left for the caller.
Outcome read_outcome(const nlohmann::json& answer, Encoding encoding, State& state, std::size_t bytes,
                     Shown shown);

}  // namespace lanecheck
