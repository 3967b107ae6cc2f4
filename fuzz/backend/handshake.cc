// The message `hello` and its answer.
#include "fuzz/backend/message_json.h"
#include "version.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostOffers = 10'000;

Capabilities read_offers(const Json& json) {
  Capabilities capabilities;
  if (!json.contains("offers")) return capabilities;
  capabilities.everything = false;
  for (const Json& row : list(json, "offers", kMostOffers)) {
    if (!row.is_object()) throw ProtocolError("\"offers\" holds something that is not an object");
    capabilities.rows.push_back({short_text(row, "instruction"), short_text(row, "dst"),
                                 short_text(row, "src"), short_text(row, "profile"),
                                 short_text(row, "mode")});
  }
  if (const std::string fault = fault_of(capabilities); !fault.empty()) throw ProtocolError(fault);
  return capabilities;
}

nlohmann::ordered_json to_json(const Capability& offer) {
  nlohmann::ordered_json row = Json::object();
  for (const auto& [field, value] : fields_of(offer))
    if (!value.empty()) row[std::string(field)] = value;
  return row;
}

Encoding fastest_encoding(const Json& json) {
  Encoding encoding = Encoding::hex;
  if (json.contains("encodings"))
    for (const Json& each : list(json, "encodings", 64))
      if (each == kEncodingNames[1]) encoding = Encoding::bytes;
  return encoding;
}

std::vector<std::string> read_profiles(const Json& json) {
  std::vector<std::string> profiles;
  for (const Json& each : list(json, "profiles", 64)) {
    if (!each.is_string()) throw ProtocolError("\"profiles\" holds something that is not a name");
    profiles.push_back(each.get<std::string>().substr(0, kMostText));
  }
  return profiles;
}

std::vector<std::pair<std::string, std::string>> read_readings(const Json& json) {
  std::vector<std::pair<std::string, std::string>> readings;
  const auto found = json.find("readings");
  if (found == json.end()) return readings;
  if (!found->is_object()) throw ProtocolError("\"readings\" is not an object");
  for (const auto& [id, option] : found->items())
    readings.emplace_back(id.substr(0, kMostText), short_text(*found, id));
  return readings;
}

}  // namespace

std::string hello_request() {
  const std::string version = std::to_string(kProtocol);
  return "{\"cmd\":\"hello\",\"protocol\":{\"least\":" + version + ",\"most\":" + version +
         "},\"host\":\"lanecheck " LANECHECK_VERSION "\"}\n";
}

Hello read_hello(std::string_view line) {
  const Json json = parse_message(line);
  const auto protocol = json.find("protocol");
  if (protocol == json.end())
    throw ProtocolError("\"protocol\" is missing: the version that the backend speaks");
  if (protocol->is_object() && json.contains("cmd"))
    throw ProtocolError("the backend sends back the request instead of an answer");
  if (*protocol != kProtocol)
    throw ProtocolError("the backend speaks protocol " + protocol->dump().substr(0, 40) +
                        ", this lanecheck speaks " + std::to_string(kProtocol));
  Hello hello;
  hello.name = short_text(json, "name");
  if (hello.name.empty()) throw ProtocolError("\"name\" is missing");
  hello.version = short_text(json, "version");
  hello.encoding = fastest_encoding(json);
  hello.shows_mask = flag(json, "shows_mask", true);
  hello.shows_mode = flag(json, "shows_mode", false);
  hello.reports_refusals = flag(json, "reports_refusals", false);
  if (json.contains("profiles")) hello.profiles = read_profiles(json);
  hello.readings = read_readings(json);
  hello.capabilities = read_offers(json);
  return hello;
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
  for (const Capability& offer : backend.capabilities.rows) json["offers"].push_back(to_json(offer));
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace lanecheck
