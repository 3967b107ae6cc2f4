#include "corpus/case.h"

#include <algorithm>

#include "spec/legality/find_fault.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/input_file.h"
#include "spec/text/json_reader.h"
#include "spec/text/number.h"
#include "spec/text/program_json.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// The mask as words; `upper` (slots 128 to 255) only if it is not all ones.
OrderedJson mask_json(const Mask& mask) {
  OrderedJson words = {{"high", show_hex(mask_word(mask, 1))}, {"low", show_hex(mask_word(mask, 0))}};
  const std::uint64_t upper[] = {mask_word(mask, 3), mask_word(mask, 2)};
  if (~upper[0] != 0 || ~upper[1] != 0) words["upper"] = {show_hex(upper[0]), show_hex(upper[1])};
  return words;
}

std::uint64_t word_of(JsonObject& object, std::string_view field, const std::string& text) {
  const auto word = parse_unsigned(text);
  if (!word) object.wrong(field, "expected a word of 64 slots, e.g. \"0xff\"");
  return *word;
}

Mask read_words(const Json& json, const std::string& where) {
  JsonObject object(json, where);
  Mask mask = kFullMask;
  set_mask_word(mask, 1, word_of(object, "high", object.text("high")));
  set_mask_word(mask, 0, word_of(object, "low", object.text("low")));
  if (object.has("upper")) {
    const auto upper = object.texts("upper");
    if (upper.size() != 2) object.wrong("upper", "give the words of slots 192 to 255 and 128 to 191");
    set_mask_word(mask, 3, word_of(object, "upper", upper[0]));
    set_mask_word(mask, 2, word_of(object, "upper", upper[1]));
  }
  object.done();
  return mask;
}

/// Words, or in older files runs of slots.
Mask read_mask(JsonObject& object, std::string_view field) {
  if (const Json& json = object.at(field); json.is_object()) return read_words(json, object.path(field));
  const Allocation slots = {"mask", Element::u8, 0, kMaskSlots};
  std::array<std::byte, kMaskSlots> bytes;
  bytes.fill(std::byte{2});
  if (const auto what = parse_runs(slots, object.texts(field), bytes.data()); !what.empty())
    object.wrong(field, what);
  Mask mask;
  for (unsigned n = 0; n < kMaskSlots; ++n) {
    mask[n] = std::to_integer<std::uint8_t>(bytes[n]);
    if (mask[n] > 1) object.wrong(field, "give all 256 slots as runs of 0 and 1, e.g. \"1 x64\", \"0 x192\"");
  }
  return mask;
}

State read_expectation(const Program& program, const Json& json, const std::string& where) {
  JsonObject object(json, where);
  State state = {program.ub};
  if (object.has("mask")) state.mask = read_mask(object, "mask");
  if (object.has("mode")) {
    const std::string mode = object.text("mode");
    if (mode != "normal" && mode != "counter") object.wrong("mode", "expected normal or counter");
    state.mode = mode == "counter" ? Mode::counter : Mode::normal;
  }
  JsonObject ub(object.at("ub"), object.path("ub"));
  for (const auto& [name, runs] : json.at("ub").items()) {
    const auto home = std::ranges::find(program.allocations, name, &Allocation::name);
    if (home == program.allocations.end()) ub.wrong(name, "no allocation of this name");
    std::byte* data = state.ub.data() + home->offset;
    std::fill_n(data, home->bytes, std::byte{0});
    if (const auto what = parse_runs(*home, ub.texts(name), data); !what.empty()) ub.wrong(name, what);
  }
  object.done();
  return state;
}

OrderedJson case_json(const Case& c) {
  OrderedJson json = {{"schema", kCaseSchema}, {"rule", c.rule}, {"about", c.about}, {"source", c.source}};
  const Profile profile = c.program.profile;
  if (!departures(c.readings, default_readings(profile)).empty())
    json["readings"] = to_json(c.readings, profile);
  json["program"] = to_json(c.program);
  if (!c.refused.empty()) json["refused"] = c.refused;
  if (c.expect) {
    OrderedJson ub = OrderedJson::object();
    for (const Allocation& each : c.program.allocations) {
      const auto from = static_cast<std::ptrdiff_t>(each.offset);
      const auto to = from + static_cast<std::ptrdiff_t>(each.bytes);
      if (!std::equal(c.expect->ub.begin() + from, c.expect->ub.begin() + to, c.program.ub.begin() + from))
        ub[each.name] = print_runs(each.type, c.expect->ub.data() + each.offset, each.bytes);
    }
    json["expect"] = {{"ub", std::move(ub)}, {"mask", mask_json(c.expect->mask)}};
    if (c.expect->mode == Mode::counter) json["expect"]["mode"] = "counter";
  }
  return json;
}

}  // namespace

Case parse_case(std::string_view text, const std::string& where) {
  const Json json = parse_json(text, where);
  JsonObject object(json, where);
  const std::string schema = object.text("schema");
  if (schema != kCaseSchema)
    object.wrong("schema", "this lanecheck reads \"" + std::string(kCaseSchema) + "\", the file says \"" +
                               schema.substr(0, 80) + "\"");
  Case c;
  c.rule = object.text("rule");
  c.about = object.text("about");
  c.source = object.text("source");
  c.program = program_from_json(object.at("program"), object.path("program"));
  c.readings = default_readings(c.program.profile);
  if (object.has("readings"))
    c.readings = readings_from_json(object.at("readings"), object.path("readings"), c.program.profile);
  if (object.has("refused")) c.refused = object.text("refused");
  const auto fault = find_fault(c.program, c.readings);
  if (!c.refused.empty() && (!fault || fault->rule->id != c.refused))
    object.wrong("refused",
                 fault ? "the program breaks " + std::string(fault->rule->id) : "the program is legal");
  if (c.refused.empty() && fault) object.wrong("program", "illegal: " + describe(c.program, *fault));
  if (object.has("expect"))
    c.expect = read_expectation(c.program, object.at("expect"), object.path("expect"));
  object.done();
  return c;
}

Case load_case(const std::filesystem::path& file) {
  return parse_case(read_input_file(file), file.string());
}

std::string print_case(const Case& c) {
  return case_json(c).dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string print_case_line(const Case& c) {
  return case_json(c).dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::vector<std::filesystem::path> case_files(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> files;
  try {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      std::error_code none;  // a loop of symbolic links is listed too: loading it says what is wrong
      if (entry.path().extension() == ".json" && !entry.is_directory(none)) files.push_back(entry.path());
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw InputError(root.string(), "cannot be listed: " + error.code().message());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace lanecheck
