#include "spec/text/program_json.h"

#include <algorithm>
#include <stdexcept>

#include "spec/program/profile.h"
#include "spec/text/input_error.h"
#include "spec/text/json_reader.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::uint64_t kAny32 = 0xffffffff;

std::uint32_t number32(JsonObject& object, std::string_view field, std::uint64_t most = kAny32) {
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

Operand read_operand(const Program& program, const OperandColumn& column, const Json& json,
                     const std::string& where, Image image) {
  JsonObject object(json, where);
  const std::string name = object.text("at");
  const auto home = std::ranges::find(program.allocations, name, &Allocation::name);
  if (home == program.allocations.end()) object.wrong("at", "no allocation named '" + name + "'");
  Operand operand;
  operand.allocation = static_cast<std::uint16_t>(home - program.allocations.begin());
  operand.offset = number32(object, "offset");
  if (shows_block_stride(column.walk)) operand.block_stride = number32(object, "block_stride");
  if (shows_repeat_stride(column.walk)) operand.repeat_stride = number32(object, "repeat_stride");
  if (image == Image::in_allocations) object.done();
  return operand;
}

template <std::size_t N>
unsigned read_name(JsonObject& object, std::string_view field, const std::string_view (&names)[N]) {
  const std::string text = object.text(field);
  const auto* found = std::find(names, names + N, text);
  std::string allowed;
  for (const auto name : names) allowed.append(allowed.empty() ? "" : ", ").append(name);
  if (found == names + N) object.wrong(field, "expected one of: " + allowed);
  return static_cast<unsigned>(found - names);
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

/// {"contiguous": 5}, {"high": "0x0", "low": "0xff"} or {"count": 300}.
void read_mask(const Json& json, const std::string& where, Instruction& insn) {
  constexpr std::uint64_t any = ~std::uint64_t{0};
  JsonObject object(json, where);
  if (object.has("contiguous")) {
    insn.mask_from = MaskFrom::contiguous;
    insn.low = object.number("contiguous", any);
  } else if (object.has("count")) {
    insn.mask_from = MaskFrom::count;
    insn.low = object.number("count", any);
  } else {
    insn.mask_from = MaskFrom::bitwise;
    insn.high = object.number("high", any);
    insn.low = object.number("low", any);
  }
  object.done();
}

Instruction read_instruction(const Program& program, const Json& json, const std::string& where,
                             Image image) {
  JsonObject object(json, where);
  Instruction insn;
  const std::string name = object.text("op");
  if (!parse_mnemonic(name, insn)) object.wrong("op", "no such instruction: " + name.substr(0, 80));
  const Row& row = row_of(insn.op);
  if (row.form == Form::set_mask) {
    insn.high = object.number("high", ~std::uint64_t{0});
    insn.low = object.number("low", ~std::uint64_t{0});
  }
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const auto role = row.operands[k].role;
    insn.operands[k] = read_operand(program, row.operands[k], object.at(role), object.path(role), image);
  }
  if (takes_scalar(insn))
    insn.scalar = read_scalar(scalar_type(insn), object.at("scalar"), object.path("scalar"));
  if (row.form == Form::cast) insn.round = static_cast<Round>(read_name(object, "round", kRoundNames));
  if (compares(row.form)) insn.compare = static_cast<Compare>(read_name(object, "compare", kCompareNames));
  if (row.lengths > 0) {
    const Json& lengths = object.at("lengths");
    if (!lengths.is_array() || lengths.size() != row.lengths)
      object.wrong("lengths", "expected " + std::to_string(row.lengths) + " numbers");
    for (unsigned q = 0; q < row.lengths; ++q) {
      if (!lengths[q].is_number_unsigned() || lengths[q].get<std::uint64_t>() > kAny32)
        object.wrong("lengths", "expected whole numbers");
      insn.lengths[q] = lengths[q].get<std::uint32_t>();
    }
  }
  for (unsigned n = 0; n < row.settings.size(); ++n)
    insn.settings[n] = number32(object, row.settings[n].name);
  if (object.has("mask_operand")) read_mask(object.at("mask_operand"), object.path("mask_operand"), insn);
  if (row.has_repeat) insn.repeat = number32(object, "repeat");
  if (object.has("scalar_repeat")) {
    if (!object.at("scalar_repeat").is_boolean()) object.wrong("scalar_repeat", "expected true or false");
    insn.scalar_repeat = object.at("scalar_repeat").get<bool>();
  }
  if (image == Image::in_allocations) object.done();
  return insn;
}

}  // namespace

OrderedJson to_json(const Program& program, const Instruction& insn) {
  const Row& row = row_of(insn.op);
  OrderedJson json = {{"op", mnemonic(insn)}};
  if (row.form == Form::set_mask) {
    json["high"] = show_hex(insn.high);
    json["low"] = show_hex(insn.low);
  }
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    OrderedJson place = {{"at", program.allocations[operand.allocation].name}, {"offset", operand.offset}};
    if (shows_block_stride(row.operands[k].walk)) place["block_stride"] = operand.block_stride;
    if (shows_repeat_stride(row.operands[k].walk)) place["repeat_stride"] = operand.repeat_stride;
    json[std::string(row.operands[k].role)] = std::move(place);
  }
  if (takes_scalar(insn))
    json["scalar"] = {{"value", show_scalar(scalar_type(insn), insn.scalar)},
                      {"bits", show_hex(insn.scalar.bits)}};
  if (row.form == Form::cast) json["round"] = kRoundNames[static_cast<unsigned>(insn.round)];
  if (compares(row.form)) json["compare"] = kCompareNames[static_cast<unsigned>(insn.compare)];
  for (unsigned q = 0; q < row.lengths; ++q) json["lengths"].push_back(insn.lengths[q]);
  for (unsigned n = 0; n < row.settings.size(); ++n)
    json[std::string(row.settings[n].name)] = insn.settings[n];
  if (insn.mask_from == MaskFrom::contiguous) json["mask_operand"] = {{"contiguous", insn.low}};
  if (insn.mask_from == MaskFrom::bitwise)
    json["mask_operand"] = {{"high", show_hex(insn.high)}, {"low", show_hex(insn.low)}};
  if (insn.mask_from == MaskFrom::count) json["mask_operand"] = {{"count", insn.low}};
  if (row.has_repeat) json["repeat"] = insn.repeat;
  if (insn.scalar_repeat) json["scalar_repeat"] = true;
  return json;
}

OrderedJson to_json(const Program& program) {
  OrderedJson json = OrderedJson::object();
  if (program.profile != Profile::vmc) json["profile"] = row_of(program.profile).name;
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
        read_instruction(program, each, object.path("instructions") + "/" + std::to_string(n++), image));
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
    } catch (const std::invalid_argument& wrong) {
      throw InputError(where, wrong.what());
    }
  }
  return readings;
}

}  // namespace lanecheck
