#include "fuzz/trace/trace.h"

#include "fuzz/backend/encoding.h"
#include "fuzz/backend/message_json.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/program_json.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;

std::string in_quotes(std::string_view text) {
  return "\"" + std::string(text.substr(0, 80)) + "\"";
}

void check_schema(const Json& json) {
  const std::string schema = short_text(json, "schema");
  if (schema == kTraceSchema) return;
  if (schema.empty())
    throw ProtocolError("not the first line of a trace: \"schema\" is missing, expected " +
                        in_quotes(kTraceSchema));
  if (schema.starts_with("lanecheck-record-"))
    throw ProtocolError("recorded results of programs, which `lanecheck judge` reads");
  if (schema.starts_with("lanecheck-case-"))
    throw ProtocolError("a case file, which `lanecheck replay` reads");
  throw ProtocolError("this lanecheck reads " + in_quotes(kTraceSchema) + ", the file says " +
                      in_quotes(schema));
}

/// The fields "mask" and "mode" of a line; nothing if it has neither.
std::optional<GivenMask> read_given_mask(const Json& json) {
  const Shown shown(json.contains("mask"), json.contains("mode"));
  if (!shown.mask) {
    if (shown.mode) throw ProtocolError("has a \"mode\" without a \"mask\"");
    return {};
  }
  Json ran = Json::object();
  for (const char* const field : {"mask", "mode"})
    if (json.contains(field)) ran[field] = json.at(field);
  State state;
  read_outcome({{"ran", std::move(ran)}}, Encoding::bytes, state, 0, shown);
  return GivenMask{state.mask, state.mode};
}

/// A field that is a whole number, at most `most`.
std::uint64_t number_of(const Json& json, const char* field, std::uint64_t most) {
  const auto value = json.find(field);
  if (value == json.end() || !value->is_number_unsigned() || value->get<std::uint64_t>() > most)
    throw ProtocolError("\"" + std::string(field) + "\" is not a whole number of at most " +
                        std::to_string(most));
  return value->get<std::uint64_t>();
}

/// One entry of "wrote": {"offset": 64, "hex": "00ff"}.
void read_written(const Json& json, std::size_t ub_bytes, TraceStep& step) {
  const auto hex = json.is_object() ? json.find("hex") : json.end();
  if (!json.is_object() || hex == json.end() || !hex->is_string())
    throw ProtocolError(R"("wrote" has an entry that is not like {"offset": 64, "hex": "00ff"})");
  const std::size_t from = number_of(json, "offset", ub_bytes);
  const auto& text = hex->get_ref<const std::string&>();
  const std::size_t bytes = text.size() / 2, at = step.bytes.size();
  if (bytes > ub_bytes - from)
    throw ProtocolError("\"wrote\" has bytes behind the end of UB, at offset " + std::to_string(from));
  step.bytes.resize(at + bytes);
  if (text.size() % 2 != 0 || !read_hex(text, step.bytes.data() + at))
    throw ProtocolError("\"hex\" is not two hexadecimal digits for each byte");
  step.wrote.push_back({from, from + bytes});
}

}  // namespace

TraceReader::TraceReader(const std::string& path, std::optional<Profile> profile) : in_(path) {
  if (!read_line()) throw InputError(in_.name(), "holds no trace");
  try {
    read_start(parsed_line(), profile);
  } catch (const ProtocolError& error) {
    throw InputError(place(lines_), error.what());
  }
}

bool TraceReader::next(TraceStep& step) try {
  if (!read_line())
    throw InputError(in_.name(), "ends after " + std::to_string(steps_) +
                                     " steps without its last line (is it truncated?)");
  const Json json = parsed_line();
  if (json.contains("schema")) throw ProtocolError("the first line of another trace");
  check_shown(json);
  if (json.contains("steps")) {
    read_end(json);
    if (read_line()) throw ProtocolError("comes after the last line of the trace");
    return false;
  }
  read_step(json, step);
  return true;
} catch (const ProtocolError& error) {
  throw InputError(place(lines_), error.what());
}

/// Reads the next line that is not blank. False at the end of the file.
bool TraceReader::read_line() {
  do {
    if (!in_.next(line_)) return false;
    ++lines_;
  } while (is_blank(line_));
  return true;
}

Json TraceReader::parsed_line() const {
  if (in_.is_endless()) throw ProtocolError("does not end after 256 MiB");
  if (!in_.whole() && !Json::accept(line_))
    throw ProtocolError("ends in the middle of a line (the file is truncated)");
  return parse_line(line_);
}

void TraceReader::read_start(const Json& json, std::optional<Profile> profile) {
  check_schema(json);
  Json program = json;
  program["instructions"] = Json::array();
  start_ = program_from_json(program, place(lines_), Image::apart);
  read_hex_image(json, start_.ub);
  if (profile && start_.profile != *profile)
    throw ProtocolError("a trace of profile " + std::string(row_of(start_.profile).name) +
                        ", but --profile says " + std::string(row_of(*profile).name));
  start_mask_ = read_given_mask(json);
  recorded_ = short_text(json, "name");
}

void TraceReader::read_step(const Json& json, TraceStep& step) {
  step.number = number_of(json, "step", ~std::uint64_t{0});
  if (step.number != steps_)
    throw ProtocolError("step " + std::to_string(step.number) + " where step " + std::to_string(steps_) +
                        " was next (a line is missing, or the lines are out of order)");
  ++steps_;
  step.line = lines_;
  step.insn.reset();
  step.wrote.clear();
  step.bytes.clear();
  const auto insn = json.find("instruction");
  if (insn != json.end()) step.insn = instruction_from_json(*insn, start_, place(lines_), Image::apart);
  step.mask = read_given_mask(json);
  for (const Json& each : list(json, "wrote", start_.ub.size())) read_written(each, start_.ub.size(), step);
}

void TraceReader::read_end(const Json& json) {
  const std::uint64_t announced = number_of(json, "steps", ~std::uint64_t{0});
  if (announced != steps_)
    throw ProtocolError("the last line says " + std::to_string(announced) + " steps, the file has " +
                        std::to_string(steps_));
  end_mask_ = read_given_mask(json);
}

/// All lines show the mask, or none does; the same holds for its mode.
void TraceReader::check_shown(const Json& json) {
  const Shown shown(json.contains("mask"), json.contains("mode"));
  if (!shown_) shown_ = shown;
  for (const auto& [field, has, had] :
       {std::tuple("mask", shown.mask, shown_->mask), std::tuple("mode", shown.mode, shown_->mode)})
    if (has != had)
      throw ProtocolError(
          (has ? "has a \"" : "lacks \"") + std::string(field) +
          (has ? "\", which the lines before it lack" : "\", which the lines before it have"));
}

}  // namespace lanecheck
