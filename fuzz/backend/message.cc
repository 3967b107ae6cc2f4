#include "fuzz/backend/message.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "spec/program/profile.h"
#include "spec/text/input_error.h"
#include "spec/text/json_reader.h"
#include "spec/text/number.h"
#include "spec/text/program_json.h"
#include "spec/text/program_text.h"
#include "version.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;

constexpr int kMostDepth = 16;
constexpr std::size_t kMostOffers = 10'000;
constexpr char kDigits[] = "0123456789abcdef";

void append_hex(std::string& out, const std::byte* data, std::size_t bytes) {
  const std::size_t from = out.size();
  out.resize(from + 2 * bytes);
  for (std::size_t n = 0; n < bytes; ++n) {
    const auto byte = std::to_integer<unsigned>(data[n]);
    out[from + 2 * n] = kDigits[byte >> 4];
    out[from + 2 * n + 1] = kDigits[byte & 15];
  }
}

constexpr auto kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(16);
  for (unsigned n = 0; n < 16; ++n)
    values[static_cast<unsigned char>(kDigits[n])] = static_cast<std::uint8_t>(n);
  for (unsigned n = 10; n < 16; ++n) values['A' + n - 10] = static_cast<std::uint8_t>(n);
  return values;
}();

/// False for a character that is no digit. `text` has two digits for each byte.
bool read_hex(std::string_view text, std::byte* data) {
  unsigned seen = 0;
  for (std::size_t n = 0; n < text.size() / 2; ++n) {
    const unsigned high = kValues[static_cast<unsigned char>(text[2 * n])],
                   low = kValues[static_cast<unsigned char>(text[2 * n + 1])];
    seen |= high | low;
    data[n] = static_cast<std::byte>(high << 4 | (low & 15));
  }
  return seen < 16;
}

/// What stands at the beginning of a message that cannot be read, for people.
std::string beginning(std::string_view line) {
  return "'" + std::string(line.substr(0, 60)) + (line.size() > 60 ? "...'" : "'");
}

/// The end of the string that starts at `at`; npos when it has none.
std::size_t end_of_string(std::string_view line, std::size_t at) {
  for (;;) {
    at = line.find('"', at + 1);
    if (at == std::string_view::npos) return at;
    std::size_t backslashes = 0;
    while (line[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at;
  }
}

void check_depth(std::string_view line) {
  int depth = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"' && (at = end_of_string(line, at)) == std::string_view::npos) return;
    depth += line[at] == '[' || line[at] == '{' ? 1 : line[at] == ']' || line[at] == '}' ? -1 : 0;
    if (depth > kMostDepth) throw ProtocolError("nested more than 16 levels deep");
  }
}

Json parse_message(std::string_view line) {
  if (line.size() > kMostLine) throw ProtocolError("longer than 16 MiB");
  check_depth(line);
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded())
    throw ProtocolError("not a JSON message: " + beginning(line) +
                        " (standard output is for messages only; print to standard error)");
  if (!json.is_object()) throw ProtocolError("not a JSON object: " + beginning(line));
  return json;
}

std::string short_text(const Json& json, std::string_view field) {
  const auto found = json.find(field);
  if (found == json.end()) return {};
  if (!found->is_string()) throw ProtocolError("\"" + std::string(field) + "\" is not a string");
  return found->get<std::string>().substr(0, kMostText);
}

bool flag(const Json& json, std::string_view field, bool otherwise) {
  const auto found = json.find(field);
  if (found == json.end()) return otherwise;
  if (!found->is_boolean()) throw ProtocolError("\"" + std::string(field) + "\" is neither true nor false");
  return found->get<bool>();
}

const Json& list(const Json& json, std::string_view field, std::size_t most) {
  const auto found = json.find(field);
  if (found == json.end() || !found->is_array())
    throw ProtocolError("\"" + std::string(field) + "\" is missing or is not a list");
  if (found->size() > most) throw ProtocolError("\"" + std::string(field) + "\" is too long");
  return *found;
}

Capabilities read_offers(const Json& json) {
  Capabilities capabilities;
  if (!json.contains("offers")) return capabilities;
  capabilities.everything = false;
  for (const Json& row : list(json, "offers", kMostOffers)) {
    if (!row.is_object()) throw ProtocolError("\"offers\" holds something that is not an object");
    Capability offer = {short_text(row, "instruction"), short_text(row, "dst"), short_text(row, "src"),
                        short_text(row, "profile"), short_text(row, "mode")};
    if (!offer.instruction.empty() && find_row(offer.instruction) == nullptr)
      throw ProtocolError("\"offers\" names an instruction that is not there: '" + offer.instruction +
                          "' (lanecheck offers lists them)");
    for (const std::string& type : {offer.dst, offer.src})
      if (!type.empty() && !element_named(type))
        throw ProtocolError("\"offers\" names an element type that is not there: '" + type + "'");
    capabilities.rows.push_back(std::move(offer));
  }
  return capabilities;
}

void append_operand(std::string& out, const Program& program, const OperandColumn& column,
                    const Operand& operand) {
  out.append(",\"").append(column.role).append("\":{\"at\":\"");
  out.append(program.allocations[operand.allocation].name).append("\",\"offset\":");
  out.append(std::to_string(operand.offset));
  if (shows_block_stride(column.walk))
    out.append(",\"block_stride\":").append(std::to_string(operand.block_stride));
  if (shows_repeat_stride(column.walk))
    out.append(",\"repeat_stride\":").append(std::to_string(operand.repeat_stride));
  out.append("}");
}

void append_mask_operand(std::string& out, const Instruction& insn) {
  if (insn.mask_from == MaskFrom::reg) return;
  out.append(",\"mask_operand\":{");
  if (insn.mask_from == MaskFrom::bitwise)
    out.append("\"high\":\"")
        .append(show_hex(insn.high))
        .append("\",\"low\":\"")
        .append(show_hex(insn.low))
        .append("\"}");
  else
    out.append(insn.mask_from == MaskFrom::count ? "\"count\":" : "\"contiguous\":")
        .append(std::to_string(insn.low))
        .append("}");
}

/// The text of to_json(program, i), without building the JSON value: this is the road that every case takes.
void append_instruction(std::string& out, const Program& program, const Instruction& insn) {
  const Row& row = row_of(insn.op);
  out.append("{\"op\":\"").append(mnemonic(insn)).append("\"");
  if (row.form == Form::set_mask)
    out.append(",\"high\":\"")
        .append(show_hex(insn.high))
        .append("\",\"low\":\"")
        .append(show_hex(insn.low))
        .append("\"");
  for (unsigned k = 0; k < row.operands.size(); ++k)
    append_operand(out, program, row.operands[k], insn.operands[k]);
  if (takes_scalar(insn))
    out.append(",\"scalar\":{\"value\":\"")
        .append(show_scalar(scalar_type(insn), insn.scalar))
        .append("\",\"bits\":\"")
        .append(show_hex(insn.scalar.bits))
        .append("\"}");
  if (row.form == Form::cast)
    out.append(",\"round\":\"").append(kRoundNames[static_cast<unsigned>(insn.round)]).append("\"");
  if (compares(row.form))
    out.append(",\"compare\":\"").append(kCompareNames[static_cast<unsigned>(insn.compare)]).append("\"");
  for (unsigned q = 0; q < row.lengths; ++q)
    out.append(q == 0 ? ",\"lengths\":[" : ",").append(std::to_string(insn.lengths[q]));
  if (row.lengths > 0) out.append("]");
  for (unsigned n = 0; n < row.settings.size(); ++n)
    out.append(",\"").append(row.settings[n].name).append("\":").append(std::to_string(insn.settings[n]));
  append_mask_operand(out, insn);
  if (row.has_repeat) out.append(",\"repeat\":").append(std::to_string(insn.repeat));
  if (insn.scalar_repeat) out.append(",\"scalar_repeat\":true");
  out.append("}");
}

void append_program(std::string& out, const Program& program, std::uint64_t id, Encoding encoding) {
  out.append("{\"id\":").append(std::to_string(id));
  if (program.profile != Profile::vmc)
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
    append_instruction(out, program, insn);
  }
  out.append("]");
  if (encoding == Encoding::hex) {
    out.append(",\"ub\":\"");
    append_hex(out, program.ub.data(), program.ub.size());
    out.append("\"");
  }
  out.append("}");
}

void append_raw(std::string& out, const std::vector<std::byte>& ub) {
  out.append(reinterpret_cast<const char*>(ub.data()), ub.size());
}

Mask read_mask(const Json& ran) {
  const auto words = ran.find("mask");
  if (words == ran.end())
    throw ProtocolError("an answer lacks \"mask\" (the hello may say \"shows_mask\":false)");
  Mask mask;
  if (!words->is_array() || words->size() != kMaskSlots / 64)
    throw ProtocolError("\"mask\" is not a list of 4 words, slots 0..63 first");
  for (unsigned w = 0; w < kMaskSlots / 64; ++w) {
    const Json& word = (*words)[w];
    const auto value = word.is_string() ? parse_unsigned(word.get_ref<const std::string&>()) : std::nullopt;
    if (!value) throw ProtocolError("\"mask\" holds something other than words like \"0xff\"");
    set_mask_word(mask, w, *value);
  }
  return mask;
}

Mode read_mode(const Json& ran) {
  const std::string mode = short_text(ran, "mode");
  if (mode == kModeNames[0]) return Mode::normal;
  if (mode == kModeNames[1]) return Mode::counter;
  throw ProtocolError("\"mode\" is neither normal nor counter (the hello says \"shows_mode\":true)");
}

void read_hex_image(const Json& json, std::vector<std::byte>& ub) {
  const auto image = json.find("ub");
  if (image == json.end() || !image->is_string()) throw ProtocolError("\"ub\" is missing or is not a string");
  const auto& text = image->get_ref<const std::string&>();
  if (text.size() != 2 * ub.size())
    throw ProtocolError("\"ub\" has " + std::to_string(text.size()) + " hexadecimal digits, expected " +
                        std::to_string(2 * ub.size()) + " (all of UB, also what no instruction changed)");
  if (!read_hex(text, ub.data()))
    throw ProtocolError("\"ub\" holds a character that is no hexadecimal digit");
}

std::uint64_t read_id(const Json& json) {
  const auto id = json.find("id");
  if (id == json.end() || !id->is_number_unsigned()) throw ProtocolError("\"id\" is missing or is no number");
  return id->get<std::uint64_t>();
}

Outcome read_outcome(const Json& answer, Encoding encoding, State& state, std::size_t bytes, Shown shown) {
  unsigned kinds = 0;
  for (const auto kind : {"ran", "refused", "skipped", "errored"}) kinds += answer.contains(kind) ? 1 : 0;
  if (kinds != 1) throw ProtocolError("an answer has not exactly one of ran, refused, skipped, errored");
  if (answer.contains("refused")) return Refused{short_text(answer, "refused")};
  if (answer.contains("skipped")) return Skipped{short_text(answer, "skipped")};
  if (answer.contains("errored")) return Errored{short_text(answer, "errored")};
  const Json& ran = answer.at("ran");
  if (!ran.is_object()) throw ProtocolError("\"ran\" is not an object");
  state.ub.resize(bytes);
  state.mask = shown.mask ? read_mask(ran) : kFullMask;
  state.mode = shown.mode ? read_mode(ran) : Mode::normal;
  if (encoding == Encoding::hex) read_hex_image(ran, state.ub);
  return Ran{};
}

Encoding fastest_encoding(const Json& json) {
  Encoding encoding = Encoding::hex;
  if (json.contains("encodings"))
    for (const Json& each : list(json, "encodings", 64))
      if (each == kEncodingNames[1]) encoding = Encoding::bytes;
  return encoding;
}

std::size_t raw_bytes(const Json& json) {
  const auto bytes = json.find("bytes");
  if (bytes == json.end() || !bytes->is_number_unsigned())
    throw ProtocolError("\"bytes\" is missing: how many bytes follow the line");
  return bytes->get<std::size_t>();
}

/// A program that this side cannot run (an instruction of a later version) keeps its UB, and `unreadable`
/// says why.
Program read_program(const Json& json, std::uint64_t id, std::string& unreadable) {
  const std::string where = "program " + std::to_string(id);
  Program program;
  try {
    return program_from_json(json, where, Image::apart);
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

std::string hello_request() {
  return R"({"cmd":"hello","protocol":{"least":1,"most":1},"host":"lanecheck )" LANECHECK_VERSION R"("})"
         "\n";
}

Hello read_hello(std::string_view line) {
  const Json json = parse_message(line);
  const auto protocol = json.find("protocol");
  if (protocol == json.end())
    throw ProtocolError("\"protocol\" is missing: the version that the backend speaks");
  if (*protocol != kProtocol)
    throw ProtocolError("the backend speaks protocol " + protocol->dump().substr(0, 40) +
                        ", this lanecheck speaks 1");
  Hello hello;
  hello.name = short_text(json, "name");
  if (hello.name.empty()) throw ProtocolError("\"name\" is missing");
  hello.version = short_text(json, "version");
  hello.encoding = fastest_encoding(json);
  hello.shows_mask = flag(json, "shows_mask", true);
  hello.shows_mode = flag(json, "shows_mode", false);
  hello.reports_refusals = flag(json, "reports_refusals", false);
  if (json.contains("profiles")) {
    hello.profiles.clear();
    for (const Json& each : list(json, "profiles", 64)) {
      if (!each.is_string()) throw ProtocolError("\"profiles\" holds something that is not a name");
      hello.profiles.push_back(each.get<std::string>().substr(0, kMostText));
    }
  }
  if (const auto readings = json.find("readings"); readings != json.end()) {
    if (!readings->is_object()) throw ProtocolError("\"readings\" is not an object");
    for (const auto& [id, option] : readings->items())
      hello.readings.emplace_back(id.substr(0, kMostText), short_text(*readings, id));
  }
  hello.capabilities = read_offers(json);
  return hello;
}

std::string run_request(std::span<const Program> programs, std::uint64_t first_id, Encoding encoding) {
  std::string out = "{\"cmd\":\"run\",\"encoding\":\"";
  out.append(kEncodingNames[static_cast<unsigned>(encoding)]).append("\"");
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
    for (const Program& each : programs) append_raw(out, each.ub);
  return out;
}

std::size_t read_answers(std::string_view line, std::uint64_t first_id, Encoding encoding, const Batch& batch,
                         Shown shown) {
  const Json json = parse_message(line);
  const Json& answers = list(json, "answers", kMostLine);
  const std::size_t count = batch.programs.size();
  std::size_t raw = 0;
  for (std::size_t n = 0; n < std::min(count, answers.size()); ++n) {
    if (!answers[n].is_object()) throw ProtocolError("\"answers\" holds something that is not an object");
    const std::uint64_t id = read_id(answers[n]), asked = first_id + n;
    if (id != asked)
      throw ProtocolError("answered program " + std::to_string(id) + " where " + std::to_string(asked) +
                          " was next (" + (id < asked ? "answered twice" : "out of order, or one left out") +
                          ")");
    batch.outcomes[n] =
        read_outcome(answers[n], encoding, batch.states[n], batch.programs[n].ub.size(), shown);
    if (std::holds_alternative<Ran>(batch.outcomes[n])) raw += batch.programs[n].ub.size();
  }
  if (answers.size() != count)
    throw ProtocolError("gave " + std::to_string(answers.size()) + " answers to " + std::to_string(count) +
                        " programs");
  if (encoding == Encoding::hex) return 0;
  if (const std::size_t said = raw_bytes(json); said != raw)
    throw ProtocolError("announced " + std::to_string(said) + " bytes behind the line, expected " +
                        std::to_string(raw) + " (all of UB of every program that ran)");
  return raw;
}

void fill_images(std::string_view raw, const Batch& batch) {
  std::size_t at = 0;
  for (std::size_t n = 0; n < batch.programs.size(); ++n) {
    if (!std::holds_alternative<Ran>(batch.outcomes[n])) continue;
    std::memcpy(batch.states[n].ub.data(), raw.data() + at, batch.states[n].ub.size());
    at += batch.states[n].ub.size();
  }
}

std::string hello_answer(const Backend& backend, bool hex_only) {
  nlohmann::ordered_json json = {{"protocol", kProtocol},
                                 {"name", backend.name},
                                 {"version", backend.about},
                                 {"encodings", std::span(kEncodingNames).first(hex_only ? 1 : 2)},
                                 {"shows_mask", backend.shows_mask},
                                 {"shows_mode", backend.shows_mode},
                                 {"reports_refusals", backend.reports_refusals},
                                 {"profiles", backend.profiles},
                                 {"readings", Json::object()}};
  for (const auto& [id, option] : backend.readings) json["readings"][id] = option;
  if (!backend.capabilities.everything) json["offers"] = Json::array();
  for (const Capability& offer : backend.capabilities.rows) {
    nlohmann::ordered_json row = Json::object();
    if (!offer.instruction.empty()) row["instruction"] = offer.instruction;
    if (!offer.dst.empty()) row["dst"] = offer.dst;
    if (!offer.src.empty()) row["src"] = offer.src;
    json["offers"].push_back(std::move(row));
  }
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
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

std::string run_answer(const Request& request, std::span<const State> states,
                       std::span<const Outcome> outcomes, Shown shown) {
  std::string out = "{\"answers\":[", raw;
  const auto text = [&](std::string_view field, const std::string& why) {
    out.append(",\"").append(field).append("\":").append(
        Json(why).dump(-1, ' ', true, Json::error_handler_t::replace));
  };
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    out.append(n > 0 ? "," : "").append("{\"id\":").append(std::to_string(request.ids[n]));
    if (const auto* refused = std::get_if<Refused>(&outcomes[n])) text("refused", refused->why);
    if (const auto* skipped = std::get_if<Skipped>(&outcomes[n])) text("skipped", skipped->why);
    if (const auto* errored = std::get_if<Errored>(&outcomes[n])) text("errored", errored->what);
    if (std::holds_alternative<Ran>(outcomes[n])) {
      out.append(",\"ran\":{");
      const char* separator = "";
      if (shown.mode) {
        out.append("\"mode\":\"").append(kModeNames[static_cast<std::size_t>(states[n].mode)]).append("\"");
        separator = ",";
      }
      if (shown.mask) {
        out.append(separator).append("\"mask\":[");
        for (unsigned w = 0; w < kMaskSlots / 64; ++w)
          out.append(w > 0 ? ",\"" : "\"").append(show_hex(mask_word(states[n].mask, w))).append("\"");
        out.append("]");
        separator = ",";
      }
      if (request.encoding == Encoding::bytes) {
        append_raw(raw, states[n].ub);
      } else {
        out.append(separator).append("\"ub\":\"");
        append_hex(out, states[n].ub.data(), states[n].ub.size());
        out.append("\"");
      }
      out.append("}");
    }
    out.append("}");
  }
  out.append("]");
  if (request.encoding == Encoding::bytes) out.append(",\"bytes\":").append(std::to_string(raw.size()));
  out.append("}\n").append(raw);
  return out;
}

}  // namespace lanecheck
