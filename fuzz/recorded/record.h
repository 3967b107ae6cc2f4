// One record: a program, its initial UB, and what became of it. As a line of JSON it is a program of the
// backend protocol (fuzz/backend/protocol.md) with the fields of the protocol's answer beside it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "fuzz/backend/backend.h"
#include "fuzz/backend/encoding.h"

namespace lanecheck {

inline constexpr std::string_view kRecordSchema = "lanecheck-record-1";

struct Record {
  std::uint64_t id = 0;
  std::string place;  ///< where the record stands: "answers.jsonl:7"
  Outcome outcome;
  State state;  ///< meaningful if the program ran
};

/// A program that waits for its result.
struct RecordedQuestion {
  std::uint64_t id = 0, of = 0;  ///< `of`: how many questions there are; 0 if the question does not say it
  Program program;
};

/// A number that two different programs, or one program with two initial UBs, hardly share.
std::uint64_t digest_of(const Program& program);

/// The object of a question, without the closing brace: schema, digest, id and the fields of a program. `of`
/// is the number of all questions. With Encoding::bytes the initial UB is left out.
std::string open_question(const Program& program, std::uint64_t id, std::uint64_t of, Encoding encoding);

/// Reads the fields of a question, with Encoding::hex also the initial UB. Throws ProtocolError or
/// InputError.
RecordedQuestion read_fields(const nlohmann::json& json, const std::string& place, Encoding encoding);
/// The program must be the one that was asked. Throws ProtocolError if its digest says that it is another
/// one.
void check_digest(const nlohmann::json& json, const Program& program);
/// Reads a whole line. Throws InputError, which names `place`.
RecordedQuestion read_question(std::string_view line, const std::string& place);

/// A question as a line.
std::string question_line(const Program& program, std::uint64_t id, std::uint64_t of);
/// The same line with the result.
std::string answer_line(const Program& program, std::uint64_t id, std::uint64_t of, const Outcome& outcome,
                        const State& state, Shown shown);

}  // namespace lanecheck
