#include "corpus/case.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/input_error.h"
#include "spec/text/json_reader.h"
#include "spec/text/number.h"
#include "spec/text/program_json.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::uintmax_t kMaxCaseBytes = 64u << 20;

std::vector<std::string> print_mask(const Mask& mask) {
  std::vector<std::string> runs;
  for (unsigned n = 0; n < kMaskSlots;) {
    unsigned same = 1;
    while (n + same < kMaskSlots && mask[n + same] == mask[n]) ++same;
    runs.push_back((mask[n] != 0 ? "1 x" : "0 x") + std::to_string(same));
    n += same;
  }
  return runs;
}

Mask read_mask(JsonObject& object, std::string_view field) {
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
    json["expect"] = {{"ub", std::move(ub)}, {"mask", print_mask(c.expect->mask)}};
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
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  if (error) throw InputError(file.string(), "cannot be read: " + error.message());
  if (bytes > kMaxCaseBytes) throw InputError(file.string(), "too large for a case file (64 MiB at most)");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file.string(), "cannot be opened");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parse_case(text, file.string());
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
