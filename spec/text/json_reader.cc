#include "spec/text/json_reader.h"

#include <algorithm>
#include <set>

#include "spec/program/input_error.h"
#include "spec/text/json_depth.h"
#include "spec/text/number.h"

namespace lanecheck {

JsonObject::JsonObject(const nlohmann::json& json, std::string where)
    : json_(json), where_(std::move(where)) {
  if (!json_.is_object())
    throw InputError(where_, std::string("expected an object, found ") + json_.type_name());
}

std::string JsonObject::path(std::string_view field) const {
  return (where_ + "/").append(field);
}

void JsonObject::wrong(std::string_view field, const std::string& what) const {
  throw InputError(path(field), what);
}

bool JsonObject::has(std::string_view field) const {
  return json_.contains(field);
}

const nlohmann::json& JsonObject::at(std::string_view field) {
  const auto found = json_.find(field);
  if (found == json_.end())
    throw InputError(where_, std::string("missing field \"").append(field).append("\""));
  read_.emplace_back(field);
  return *found;
}

std::string JsonObject::text(std::string_view field) {
  const nlohmann::json& value = at(field);
  if (!value.is_string()) wrong(field, std::string("expected a string, found ") + value.type_name());
  return value.get<std::string>();
}

std::uint64_t JsonObject::number(std::string_view field, std::uint64_t most) {
  const nlohmann::json& value = at(field);
  std::optional<std::uint64_t> number;
  if (value.is_number_unsigned()) number = value.get<std::uint64_t>();
  if (value.is_string()) number = parse_unsigned(value.get_ref<const std::string&>());
  if (!number || *number > most) wrong(field, "expected a whole number from 0 to " + std::to_string(most));
  return *number;
}

std::vector<std::string> JsonObject::texts(std::string_view field) {
  const nlohmann::json& value = at(field);
  if (!value.is_array())
    wrong(field, std::string("expected an array of strings, found ") + value.type_name());
  std::vector<std::string> texts;
  for (const nlohmann::json& each : value) {
    if (!each.is_string())
      wrong(field, "expected an array of strings, found one with " + std::string(each.type_name()));
    texts.push_back(each.get<std::string>());
  }
  return texts;
}

bool JsonObject::flag(std::string_view field) {
  const nlohmann::json& value = at(field);
  if (!value.is_boolean()) wrong(field, "expected true or false");
  return value.get<bool>();
}

JsonObject JsonObject::object(std::string_view field) {
  return {at(field), path(field)};
}

std::vector<JsonObject> JsonObject::objects(std::string_view field) {
  const nlohmann::json& value = at(field);
  if (!value.is_array()) wrong(field, "expected an array");
  std::vector<JsonObject> objects;
  for (const nlohmann::json& each : value)
    objects.emplace_back(each, path(field) + "/" + std::to_string(objects.size()));
  return objects;
}

void JsonObject::done() const {
  for (const auto& [field, value] : json_.items())
    if (std::ranges::find(read_, field) == read_.end())
      throw InputError(where_, "unknown field \"" + field + "\"");
}

namespace {

/// Of two values with the same name the parser keeps one, and the other would be lost without a word.
nlohmann::json::parser_callback_t refuse_twins(const std::string& where) {
  using Event = nlohmann::json::parse_event_t;
  return
      [where, open = std::vector<std::set<std::string>>()](int, Event event, nlohmann::json& parsed) mutable {
        if (event == Event::object_start) open.emplace_back();
        if (event == Event::object_end) open.pop_back();
        if (event == Event::key)
          if (const auto [name, added] = open.back().insert(parsed.get<std::string>()); !added)
            throw InputError(where, "an object has the field \"" + *name + "\" twice");
        return true;
      };
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& where) {
  check_depth(text, where);
  if (const auto end = text.find('\0'); end != std::string_view::npos)  // to the parser it is the end
    throw InputError(where + ":" + std::to_string(1 + std::ranges::count(text.substr(0, end), '\n')),
                     "not JSON: it holds a byte 0");
  try {
    return nlohmann::json::parse(text, refuse_twins(where));
  } catch (const nlohmann::json::parse_error& error) {
    const auto before = text.substr(0, std::min<std::size_t>(error.byte, text.size()));
    const auto line = 1 + std::ranges::count(before, '\n');
    std::string what =
        error.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (const auto colon = what.find(": "); colon != std::string::npos) what = what.substr(colon + 2);
    // nlohmann quotes the offending bytes; keep the message printable.
    for (char& c : what)
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
    throw InputError(where + ":" + std::to_string(line), "not JSON: " + what.substr(0, 200));
  } catch (const nlohmann::json::out_of_range&) {
    throw InputError(where, "holds a number that is too large, like 1e400");
  }
}

}  // namespace lanecheck
