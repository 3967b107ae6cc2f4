// Reading JSON with errors that say where: file, path inside it, what is wrong. Unknown fields are errors.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lanecheck {

/// One JSON object being read, field by field. Call `done` after the last field: it throws if a field was not
/// read.
class JsonObject {
 public:
  /// `where` is "file" or "file: /path". Throws InputError unless `json` is an object.
  JsonObject(const nlohmann::json& json, std::string where);

  bool has(std::string_view field) const;
  const nlohmann::json& at(std::string_view field);  ///< throws InputError if the field is missing
  std::string text(std::string_view field);
  /// A JSON number or a string "12" or "0xc", at most `most`.
  std::uint64_t number(std::string_view field, std::uint64_t most);
  bool flag(std::string_view field);
  std::vector<std::string> texts(std::string_view field);
  JsonObject object(std::string_view field);
  std::vector<JsonObject> objects(std::string_view field);  ///< an array of objects
  std::string path(std::string_view field) const;
  [[noreturn]] void wrong(std::string_view field, const std::string& what) const;
  void done() const;

 private:
  const nlohmann::json& json_;
  std::string where_;
  std::vector<std::string> read_;
};

/// Parses a whole text; throws InputError with the line and column of a syntax error, or if it is nested too
/// deeply (json_depth.h), holds a byte 0, or has an object with two fields of the same name.
nlohmann::json parse_json(std::string_view text, const std::string& where);

}  // namespace lanecheck
