#include "fuzz/recorded/record.h"

#include "fuzz/backend/message_json.h"
#include "spec/program/input_error.h"
#include "spec/text/fnv.h"
#include "spec/text/number.h"
#include "spec/text/program_json.h"

namespace lanecheck {
namespace {

std::uint64_t digest_of_text(std::string_view text) {
  Fnv fnv;
  fnv.add(text);
  return fnv.digest();
}

void check_schema(const nlohmann::json& json) {
  const std::string schema = short_text(json, "schema").substr(0, 80);
  if (schema == kRecordSchema) return;
  if (schema.empty())
    throw ProtocolError("not a record: \"schema\" is missing, expected \"" + std::string(kRecordSchema) +
                        "\"");
  if (schema.starts_with("lanecheck-case-"))
    throw ProtocolError(
        "a case file, which `lanecheck replay` reads; `lanecheck gen --questions` writes what is "
        "recorded");
  throw ProtocolError("this lanecheck reads \"" + std::string(kRecordSchema) + "\", the record says \"" +
                      schema + "\"");
}

}  // namespace

std::uint64_t digest_of(const Program& program) {
  std::string text;
  append_program(text, program, 0, Encoding::hex);
  return digest_of_text(text);
}

std::string open_question(const Program& program, std::uint64_t id, std::uint64_t of, Encoding encoding) {
  std::string fields;
  append_program(fields, program, id, encoding);
  std::string line = "{\"schema\":\"";
  line.append(kRecordSchema).append("\",\"of\":").append(std::to_string(of));
  line.append(",\"digest\":\"").append(show_hex(digest_of(program))).append("\",");
  line.append(fields, 1, fields.size() - 2);
  return line;
}

RecordedQuestion read_fields(const nlohmann::json& json, const std::string& place, Encoding encoding) {
  check_schema(json);
  RecordedQuestion question;
  question.id = read_id(json);
  const auto of = json.find("of");
  if (of != json.end() && of->is_number_unsigned()) question.of = of->get<std::uint64_t>();
  question.program = program_from_json(json, place, Image::apart);
  if (encoding == Encoding::hex) read_hex_image(json, question.program.ub);
  return question;
}

void check_digest(const nlohmann::json& json, const Program& program) {
  if (json.contains("digest") && parse_unsigned(short_text(json, "digest")) != digest_of(program))
    throw ProtocolError(
        "this is another program than the question, or its initial UB has changed (the digest is not that of "
        "the question; the UB that came out stands in \"ran\")");
}

RecordedQuestion read_question(std::string_view line, const std::string& place) try {
  const nlohmann::json json = parse_line(line);
  RecordedQuestion question = read_fields(json, place, Encoding::hex);
  check_digest(json, question.program);
  return question;
} catch (const ProtocolError& error) {
  throw InputError(place, error.what());
}

std::string question_line(const Program& program, std::uint64_t id, std::uint64_t of) {
  return open_question(program, id, of, Encoding::hex) + "}\n";
}

std::string answer_line(const Program& program, std::uint64_t id, std::uint64_t of, const Outcome& outcome,
                        const State& state, Shown shown) {
  std::string line = open_question(program, id, of, Encoding::hex), none;
  append_outcome(line, none, outcome, state, Encoding::hex, shown);
  return line + "}\n";
}

}  // namespace lanecheck
