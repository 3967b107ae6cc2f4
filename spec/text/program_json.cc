#include "spec/text/program_json.h"

#include <algorithm>
#include <stdexcept>

#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/did_you_mean.h"
#include "spec/text/instruction_fields.h"
#include "spec/text/joined.h"
#include "spec/text/json_reader.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::uint64_t kJson32 = 0xffffffff;
constexpr std::uint64_t kJson64 = ~std::uint64_t{0};

std::uint32_t number32(JsonObject& object, std::string_view field, std::uint64_t most = kJson32) {
  return static_cast<std::uint32_t>(object.number(field, most));
}

Allocation read_allocation(Program& program, const Json& json, const std::string& where, Image image) {
  JsonObject object(json, where);
  Allocation allocation;
  allocation.name = object.text("name");
  if (!is_name(allocation.name))
    object.wrong("name", "not a name: letters, digits and underscores, at most 64");
  if (std::ranges::count(program.allocations, allocation.name, &Allocation::name) != 0)
    object.wrong("name", "a second allocation named " + allocation.name);
  const auto type = element_named(object.text("type"));
  if (!type) object.wrong("type", "no such element type");
  allocation.type = *type;
  allocation.offset = number32(object, "offset", kMaxUbBytes);
  allocation.bytes = number32(object, "bytes", kMaxUbBytes);
  if (std::size_t{allocation.offset} + allocation.bytes > program.ub.size())
    object.wrong("bytes", "does not fit in UB");
  if (image == Image::apart) return allocation;
  const auto runs = object.texts("data");
  if (const auto what = parse_runs(allocation, runs, program.ub.data() + allocation.offset); !what.empty())
    object.wrong("data", what);
  object.done();
  return allocation;
}

/// A scalar is kept as value and bits; when both are given they must agree.
Scalar read_scalar(Element type, const Json& json, const std::string& where) {
  JsonObject object(json, where);
  std::optional<Scalar> scalar;
  if (object.has("value")) {
    scalar = parse_scalar(type, object.text("value"));
    if (!scalar) object.wrong("value", "not a value of type " + std::string(name_of(type)));
  }
  if (object.has("bits")) {
    const auto bits = parse_element(type, object.text("bits"));
    if (!bits) object.wrong("bits", "not bits of type " + std::string(name_of(type)));
    if (scalar && scalar->bits != *bits) object.wrong("bits", "value and bits disagree");
    if (!scalar) scalar = scalar_from_bits(type, *bits);
  }
  if (!scalar) throw InputError(where, "a scalar needs \"value\", \"bits\" or both");
  object.done();
  return *scalar;
}

/// Reads the fields of an instruction from a JSON object.
class FieldReader {
 public:
  FieldReader(const Program& program, JsonObject& object, Image image)
      : program_(program), object_(object), image_(image) {}

  void word(FieldName name, std::uint64_t& value) { value = object_.number(name.json, kJson64); }

  void operand(const OperandColumn& column, Operand& operand) {
    JsonObject place(object_.at(column.role), object_.path(column.role));
    const std::string name = place.text("at");
    const auto home = std::ranges::find(program_.allocations, name, &Allocation::name);
    if (home == program_.allocations.end()) place.wrong("at", "no allocation named '" + name + "'");
    operand.allocation = static_cast<std::uint16_t>(home - program_.allocations.begin());
    operand.offset = number32(place, "offset");
    if (shows_block_stride(column.walk)) operand.block_stride = number32(place, "block_stride");
    if (shows_repeat_stride(column.walk)) operand.repeat_stride = number32(place, "repeat_stride");
    if (image_ == Image::in_allocations) place.done();
  }

  void scalar(FieldName name, Element type, Scalar& scalar) {
    scalar = read_scalar(type, object_.at(name.json), object_.path(name.json));
  }

  template <class Enum>
  void choice(FieldName name, std::span<const std::string_view> names, Enum& choice) {
    const auto found = std::ranges::find(names, object_.text(name.json));
    if (found == names.end()) object_.wrong(name.json, "expected one of: " + joined(names));
    choice = static_cast<Enum>(found - names.begin());
  }

  void numbers(FieldName name, std::span<std::uint32_t> values) {
    const Json& list = object_.at(name.json);
    if (!list.is_array() || list.size() != values.size())
      object_.wrong(name.json, "expected " + std::to_string(values.size()) + " numbers");
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (!list[n].is_number_unsigned() || list[n].get<std::uint64_t>() > kJson32)
        object_.wrong(name.json, "expected whole numbers");
      values[n] = list[n].get<std::uint32_t>();
    }
  }

  void number(FieldName name, std::uint32_t& value) { value = number32(object_, name.json); }

  /// {"contiguous": 5}, {"high": "0x0", "low": "0xff"} or {"count": 300}.
  void mask_operand(MaskFrom& from, std::uint64_t& high, std::uint64_t& low) {
    if (!object_.has("mask_operand")) return;
    JsonObject mask(object_.at("mask_operand"), object_.path("mask_operand"));
    if (mask.has("contiguous")) {
      from = MaskFrom::contiguous;
      low = mask.number("contiguous", kJson64);
    } else if (mask.has("count")) {
      from = MaskFrom::count;
      low = mask.number("count", kJson64);
    } else {
      from = MaskFrom::bitwise;
      high = mask.number("high", kJson64);
      low = mask.number("low", kJson64);
    }
    mask.done();
  }

  void repeat(std::uint32_t& times, bool& by_scalar) {
    times = number32(object_, "repeat");
    if (!object_.has("scalar_repeat")) return;
    by_scalar = object_.flag("scalar_repeat");
  }

 private:
  const Program& program_;
  JsonObject& object_;
  Image image_;
};

/// Writes the fields of an instruction as text of JSON. Nothing in them needs an escape: names are letters,
/// digits and underscores.
class FieldWriter {
 public:
  FieldWriter(std::string& out, const Program& program) : out_(out), program_(program) {}

  void word(FieldName name, std::uint64_t value) { key(name.json).append_hex(value); }

  void operand(const OperandColumn& column, const Operand& operand) {
    key(column.role);
    out_.append("{\"at\":\"").append(program_.allocations[operand.allocation].name).append("\"");
    key("offset").append(operand.offset);
    if (shows_block_stride(column.walk)) key("block_stride").append(operand.block_stride);
    if (shows_repeat_stride(column.walk)) key("repeat_stride").append(operand.repeat_stride);
    out_.append("}");
  }

  void scalar(FieldName name, Element type, const Scalar& scalar) {
    key(name.json);
    out_.append("{\"value\":\"").append(show_scalar(type, scalar)).append("\"");
    key("bits").append_hex(scalar.bits);
    out_.append("}");
  }

  template <class Enum>
  void choice(FieldName name, std::span<const std::string_view> names, Enum choice) {
    key(name.json);
    out_.append("\"").append(names[static_cast<unsigned>(choice)]).append("\"");
  }

  void numbers(FieldName name, std::span<const std::uint32_t> values) {
    key(name.json);
    for (std::size_t n = 0; n < values.size(); ++n) {
      out_.append(n == 0 ? "[" : ",");
      append(values[n]);
    }
    out_.append("]");
  }

  void number(FieldName name, std::uint32_t value) { key(name.json).append(value); }

  void mask_operand(MaskFrom from, std::uint64_t high, std::uint64_t low) {
    if (from == MaskFrom::reg) return;
    key("mask_operand");
    if (from == MaskFrom::bitwise) {
      out_.append("{\"high\":");
      append_hex(high);
      key("low").append_hex(low);
    } else {
      out_.append(from == MaskFrom::count ? "{\"count\":" : "{\"contiguous\":");
      append(low);
    }
    out_.append("}");
  }

  void repeat(std::uint32_t times, bool by_scalar) {
    key("repeat").append(times);
    if (by_scalar) out_.append(",\"scalar_repeat\":true");
  }

 private:
  FieldWriter& key(std::string_view name) {
    out_.append(",\"").append(name).append("\":");
    return *this;
  }
  void append(std::uint64_t value) { out_.append(std::to_string(value)); }
  void append_hex(std::uint64_t value) { out_.append("\"").append(show_hex(value)).append("\""); }

  std::string& out_;
  const Program& program_;
};

}  // namespace

void append_json(std::string& out, const Program& program, const Instruction& insn) {
  out.append("{\"op\":\"").append(mnemonic(insn)).append("\"");
  for_each_field(insn, FieldWriter(out, program));
  out.append("}");
}

OrderedJson to_json(const Program& program, const Instruction& insn) {
  std::string text;
  append_json(text, program, insn);
  return OrderedJson::parse(text);
}

OrderedJson to_json(const Program& program) {
  OrderedJson json = OrderedJson::object();
  if (program.profile != kDefaultProfile) json["profile"] = row_of(program.profile).name;
  json["ub_bytes"] = program.ub.size();
  json["allocations"] = OrderedJson::array();
  json["instructions"] = OrderedJson::array();
  for (const Allocation& each : program.allocations)
    json["allocations"].push_back(
        {{"name", each.name},
         {"type", name_of(each.type)},
         {"offset", each.offset},
         {"bytes", each.bytes},
         {"data", print_runs(each.type, program.ub.data() + each.offset, each.bytes)}});
  for (const Instruction& insn : program.instructions) json["instructions"].push_back(to_json(program, insn));
  return json;
}

namespace {

/// "; did you mean NAME?" for a mnemonic without a known name; empty if only its types are wrong.
std::string nearest_to(std::string_view mnemonic, Profile profile) {
  const std::string_view name = mnemonic.substr(0, mnemonic.find('.'));
  return find_row(name) == nullptr ? did_you_mean_instruction(name, profile) : "";
}

}  // namespace

Instruction instruction_from_json(const Json& json, const Program& program, const std::string& where,
                                  Image image) {
  JsonObject object(json, where);
  Instruction insn;
  const std::string name = object.text("op");
  if (!parse_mnemonic(name, insn))
    object.wrong("op", "no such instruction: " + name.substr(0, 80) + nearest_to(name, program.profile));
  for_each_field(insn, FieldReader(program, object, image));
  if (image == Image::in_allocations) object.done();
  return insn;
}

Program program_from_json(const Json& json, const std::string& where, Image image) {
  JsonObject object(json, where);
  Program program;
  if (object.has("profile")) {
    const Profile* profile = find_profile(object.text("profile"));
    if (profile == nullptr) object.wrong("profile", "no such profile; " + profile_names());
    program.profile = *profile;
  }
  program.ub.assign(object.number("ub_bytes", kMaxUbBytes), std::byte{0});
  for (const auto field : {"allocations", "instructions"})
    if (!object.at(field).is_array()) object.wrong(field, "expected an array");
  std::size_t n = 0;
  for (const Json& each : json.at("allocations"))
    program.allocations.push_back(
        read_allocation(program, each, object.path("allocations") + "/" + std::to_string(n++), image));
  n = 0;
  for (const Json& each : json.at("instructions"))
    program.instructions.push_back(
        instruction_from_json(each, program, object.path("instructions") + "/" + std::to_string(n++), image));
  if (image == Image::in_allocations) object.done();
  return program;
}

OrderedJson to_json(const Readings& readings, Profile profile) {
  OrderedJson json = OrderedJson::object();
  for (const auto& [id, option] : departures(readings, default_readings(profile)))
    json[std::string(id)] = option;
  return json;
}

Readings readings_from_json(const Json& json, const std::string& where, Profile profile) {
  if (!json.is_object()) throw InputError(where, "expected an object of reading names and options");
  Readings readings = default_readings(profile);
  for (const auto& [id, option] : json.items()) {
    if (!option.is_string()) throw InputError(where + "/" + id, "expected the name of an option");
    try {
      pin(readings, id + "=" + option.get<std::string>());
    } catch (const InputError& wrong) {
      throw InputError(where, wrong.what());
    }
  }
  return readings;
}

}  // namespace lanecheck
