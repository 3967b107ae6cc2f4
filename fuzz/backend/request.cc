// The message `run`: programs that are sent to a backend.
#include <algorithm>
#include <cstring>
#include <istream>

#include "fuzz/backend/message_json.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/json_reader.h"
#include "spec/text/program_json.h"

namespace lanecheck {

void append_program(std::string& out, const Program& program, std::uint64_t id, Encoding encoding) {
  out.append("{\"id\":").append(std::to_string(id));
  if (program.profile != kDefaultProfile)
    out.append(",\"profile\":\"").append(row_of(program.profile).name).append("\"");
  out.append(",\"ub_bytes\":").append(std::to_string(program.ub.size()));
  out.append(",\"allocations\":[");
  for (const Allocation& each : program.allocations) {
    if (&each != program.allocations.data()) out.append(",");
    out.append("{\"name\":\"").append(each.name).append("\",\"type\":\"").append(name_of(each.type));
    out.append("\",\"offset\":").append(std::to_string(each.offset));
    out.append(",\"bytes\":").append(std::to_string(each.bytes)).append("}");
  }
  out.append("],\"instructions\":[");
  for (const Instruction& insn : program.instructions) {
    if (&insn != program.instructions.data()) out.append(",");
    append_json(out, program, insn);
  }
  out.append("]");
  if (encoding == Encoding::hex) {
    out.append(",\"ub\":\"");
    append_hex(out, program.ub.data(), program.ub.size());
    out.append("\"");
  }
  out.append("}");
}

bool next_line(std::istream& in, std::string& line) {
  char piece[1 << 14];
  line.clear();
  while (line.size() <= kMostLine) {
    in.getline(piece, static_cast<std::streamsize>(std::min(sizeof piece, kMostLine + 2 - line.size())));
    line.append(piece, static_cast<std::size_t>(in.gcount()));
    if (in.good()) {  // gcount() counts the end of the line too
      line.pop_back();
      return true;
    }
    if (in.eof() || in.bad()) return !line.empty();
    in.clear();  // the piece is full
  }
  return true;
}

namespace {

using Json = nlohmann::json;

/// A program that this side cannot run (an instruction of a later version) keeps its UB, and `unreadable`
/// says why, in the same words whatever number the program has.
Program read_program(const Json& json, std::uint64_t id, std::string& unreadable) {
  const std::string where = "program " + std::to_string(id);
  Program program;
  try {
    return program_from_json(json, "program", Image::apart);
  } catch (const InputError& error) {
    unreadable = error.what();
  }
  try {
    program.ub.resize(JsonObject(json, where).number("ub_bytes", kMaxUbBytes));
  } catch (const InputError& error) {
    throw ProtocolError(error.what());
  }
  return program;
}

}  // namespace

std::string run_request(std::span<const Program> programs, std::uint64_t first_id, Encoding encoding) {
  std::string out = "{\"cmd\":\"run\",\"encoding\":\"";
  out.append(name_of(encoding)).append("\"");
  std::size_t bytes = 0;
  for (const Program& each : programs) bytes += each.ub.size();
  out.reserve((encoding == Encoding::hex ? 2 : 1) * bytes + 4096 * programs.size());
  if (encoding == Encoding::bytes) out.append(",\"bytes\":").append(std::to_string(bytes));
  out.append(",\"programs\":[");
  for (std::size_t n = 0; n < programs.size(); ++n) {
    if (n > 0) out.append(",");
    append_program(out, programs[n], first_id + n, encoding);
  }
  out.append("]}\n");
  if (encoding == Encoding::bytes)
    for (const Program& each : programs)
      out.append(reinterpret_cast<const char*>(each.ub.data()), each.ub.size());
  return out;
}

Request read_request(std::string_view line) {
  const Json json = parse_message(line);
  Request request;
  const std::string command = short_text(json, "cmd");
  request.hello = command == "hello";
  if (request.hello) return request;
  if (command != "run") throw ProtocolError("no such request: " + beginning(command));
  const std::string encoding = short_text(json, "encoding");
  if (encoding == kEncodingNames[1]) request.encoding = Encoding::bytes;
  for (const Json& each : list(json, "programs", kMostBatch)) {
    if (!each.is_object()) throw ProtocolError("\"programs\" holds something that is not an object");
    request.ids.push_back(read_id(each));
    request.programs.push_back(read_program(each, request.ids.back(), request.unreadable.emplace_back()));
    Program& program = request.programs.back();
    if (request.encoding == Encoding::hex) read_hex_image(each, program.ub);
    request.raw += request.encoding == Encoding::bytes ? program.ub.size() : 0;
  }
  if (request.encoding == Encoding::bytes && raw_bytes(json) != request.raw)
    throw ProtocolError("\"bytes\" is not the sum of \"ub_bytes\"");
  return request;
}

void fill_images(std::string_view raw, Request& request) {
  std::size_t at = 0;
  for (Program& each : request.programs) {
    std::memcpy(each.ub.data(), raw.data() + at, each.ub.size());
    at += each.ub.size();
  }
}

}  // namespace lanecheck
