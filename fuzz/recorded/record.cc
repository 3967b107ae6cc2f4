#include "fuzz/recorded/record.h"

#include "fuzz/backend/message_json.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// FNV-1a: short, and the same on every machine.
std::uint64_t digest_of_text(std::string_view text) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const char c : text) digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return digest;
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
