#include "fuzz/journal/checkpoint_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "spec/program/input_error.h"
#include "spec/program/instruction_table.h"
#include "spec/rules/cell.h"
#include "spec/text/json_reader.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kMostFailed = 100'000'000;  // indices in memory: 800 MB

using Json = nlohmann::ordered_json;

constexpr std::string_view kCheckpointSchema = "lanecheck-checkpoint-1";

/// Pairs of key and count, sorted by key.
Json cells_json(const CellCounts& cells) {
  std::map<std::uint64_t, std::uint64_t> sorted;
  cells.for_each([&](std::uint64_t key, std::uint64_t count) { sorted[key] = count; });
  Json list = Json::array();
  for (const auto& [key, count] : sorted) list.push_back({key, count});
  return list;
}

/// Indices as runs: [first, count]. A backend that is wrong everywhere fails in millions of cases in a row.
Json runs_json(const std::vector<std::uint64_t>& indices) {
  Json list = Json::array();
  for (std::size_t n = 0; n < indices.size();) {
    std::size_t count = 1;
    while (n + count < indices.size() && indices[n + count] == indices[n] + count) ++count;
    list.push_back({indices[n], count});
    n += count;
  }
  return list;
}

Json counts_json(std::span<const std::uint64_t> counts, std::span<const std::string_view> names) {
  Json json = Json::object();
  for (std::size_t n = 0; n < counts.size(); ++n) json[std::string(names[n])] = counts[n];
  return json;
}

void read_counts(const Json& json, std::span<std::uint64_t> counts, std::span<const std::string_view> names) {
  for (std::size_t n = 0; n < counts.size(); ++n) json.at(std::string(names[n])).get_to(counts[n]);
}

/// Not every number is the key of a cell. Names and rules are looked up by the fields of a cell.
bool is_key(std::uint64_t key) {
  constexpr unsigned kBits = 36;
  const Cell cell = cell_at(key);
  const auto below = [](auto value, std::size_t count) { return static_cast<std::size_t>(value) < count; };
  return key >> kBits == 0 && below(cell.op, kOps) && below(cell.dst_type, kElements.size()) &&
         below(cell.src_type, kElements.size()) && below(cell.mask, std::size(kMaskClassNames)) &&
         below(cell.origin, std::size(kMaskOriginNames)) &&
         below(cell.repeat, std::size(kRepeatClassNames)) && below(cell.stride, std::size(kStrideClassNames));
}

std::uint64_t read_key(const Json& cell, const std::string& where) {
  const auto key = cell.at(0).get<std::uint64_t>();
  if (!is_key(key)) throw InputError(where, "counts a cell that does not exist: " + std::to_string(key));
  return key;
}

Checkpoint from_json(const Json& json, Profile profile, const std::string& where) {
  Checkpoint checkpoint(profile);
  Tally& tally = checkpoint.tally;
  read_counts(json.at("verdicts"), tally.verdicts, kVerdictNames);
  read_counts(json.at("kinds"), tally.kinds, kKindNames);
  json.at("legality").get_to(tally.legality);
  json.at("element_checks").get_to(tally.element_checks);
  for (const Json& cell : json.at("cells"))
    tally.coverage.count(read_key(cell, where), cell.at(1).get<std::uint64_t>());
  for (const Json& cell : json.at("left_out_cells"))
    tally.coverage.count_left_out(read_key(cell, where), cell.at(1).get<std::uint64_t>());
  json.at("instructions_left_out").get_to(tally.instructions_left_out);
  json.at("not_offered").get_to(tally.not_offered);
  json.at("skip_reasons").get_to(tally.skip_reasons);
  const std::uint64_t most = std::min(json.at("done").get<std::uint64_t>(), kMostFailed);
  for (const Json& run : json.at("failed")) {
    const auto first = run.at(0).get<std::uint64_t>(), count = run.at(1).get<std::uint64_t>();
    if (count > most - checkpoint.failed.size())
      throw InputError(where,
                       "more cases failed than were done, or more than " + std::to_string(kMostFailed));
    for (std::uint64_t n = 0; n < count; ++n) checkpoint.failed.push_back(first + n);
  }
  return checkpoint;
}

}  // namespace

std::string checkpoint_text(const Checkpoint& checkpoint) {
  const Tally& tally = checkpoint.tally;
  const Json json = {{"schema", kCheckpointSchema},
                     {"done", checkpoint.done()},
                     {"verdicts", counts_json(tally.verdicts, kVerdictNames)},
                     {"kinds", counts_json(tally.kinds, kKindNames)},
                     {"legality", tally.legality},
                     {"element_checks", tally.element_checks},
                     {"instructions_left_out", tally.instructions_left_out},
                     {"not_offered", tally.not_offered},
                     {"skip_reasons", tally.skip_reasons},
                     {"failed", runs_json(checkpoint.failed)},
                     {"cells", cells_json(tally.coverage.judged())},
                     {"left_out_cells", cells_json(tally.coverage.left_out())}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Checkpoint read_checkpoint(std::string_view text, Profile profile, const std::string& where) {
  const nlohmann::json parsed = parse_json(text, where);
  try {
    const Json json = parsed;
    if (json.value("schema", "") != kCheckpointSchema)
      throw InputError(where, "is not a checkpoint of this version (" + std::string(kCheckpointSchema) + ")");
    Checkpoint checkpoint = from_json(json, profile, where);
    const auto done = json.at("done").get<std::uint64_t>();
    const auto over = [done](std::uint64_t count) { return count > done; };  // the sum could pass 2^64
    if (checkpoint.done() != done || std::ranges::any_of(checkpoint.tally.verdicts, over))
      throw InputError(where, "its counts do not add up; somebody has changed it");
    return checkpoint;
  } catch (const Json::exception& error) {
    const std::string what = error.what();  // "[json.exception.out_of_range.403] key 'done' not found"
    throw InputError(where,
                     "is not a whole checkpoint: " + what.substr(std::min(what.find("] ") + 2, what.size())));
  }
}

}  // namespace lanecheck
