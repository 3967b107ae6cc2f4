#include "fuzz/backend/message_json.h"

#include "spec/text/json_depth.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;

constexpr unsigned kMostDepth = 16;

void check_depth_of_message(std::string_view line) {
  if (is_nested_deeper(line, kMostDepth))
    throw ProtocolError("nested more than " + std::to_string(kMostDepth) + " levels deep");
}

}  // namespace

std::string beginning(std::string_view line) {
  return "'" + std::string(line.substr(0, 60)) + (line.size() > 60 ? "...'" : "'");
}

Json parse_message(std::string_view line) {
  return parse_line(line, " (standard output is for messages only; print to standard error)");
}

Json parse_line(std::string_view line, std::string_view advice) {
  if (line.size() > kMostLine) throw ProtocolError("longer than " + std::to_string(kMostLine >> 20) + " MiB");
  check_depth_of_message(line);
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded())
    throw ProtocolError("not a JSON message: " + beginning(line) + std::string(advice));
  if (!json.is_object()) throw ProtocolError("not a JSON object: " + beginning(line));
  return json;
}

std::string short_text(const Json& json, std::string_view field) {
  const auto found = json.find(field);
  if (found == json.end()) return {};
  if (!found->is_string()) throw ProtocolError("\"" + std::string(field) + "\" is not a string");
  return found->get<std::string>().substr(0, kMostText);
}

bool flag(const Json& json, std::string_view field, bool if_missing) {
  const auto found = json.find(field);
  if (found == json.end()) return if_missing;
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

std::uint64_t read_id(const Json& json) {
  const auto id = json.find("id");
  if (id == json.end() || !id->is_number_unsigned()) throw ProtocolError("\"id\" is missing or is no number");
  return id->get<std::uint64_t>();
}

std::size_t raw_bytes(const Json& json) {
  const auto bytes = json.find("bytes");
  if (bytes == json.end() || !bytes->is_number_unsigned())
    throw ProtocolError("\"bytes\" is missing: how many bytes follow the line");
  return bytes->get<std::size_t>();
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

}  // namespace lanecheck
