#include "fuzz/identify/probes/place_map.h"

#include <algorithm>
#include <array>
#include <map>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

/// The probes of one source operand and what is needed to read their answers.
struct SourceProbes {
  unsigned operand = 1;
  DigitTable table;
  std::vector<Program> programs;  ///< one for each digit
};

struct Places {
  const Subject& subject;
  Layout layout;

  Element dst_type() const { return subject.insn.dst_type; }
  Element src_type() const { return subject.insn.src_type; }
  const Region& dst() const { return layout.regions[0]; }
  std::uint32_t dst_elements() const { return dst().bytes / size_of(dst_type()); }
  std::int32_t first() const { return -static_cast<std::int32_t>(dst().margin / size_of(dst_type())); }
};

unsigned digits_for(std::uint32_t elements) {
  unsigned runs = 1;
  while (std::uint64_t{1} << (4 * runs) < elements) ++runs;
  return runs;
}

SourceProbes source_probes(const Places& places, unsigned k, const DigitTable& table, const Program& blank) {
  SourceProbes probes{k, table, {}};
  const Region& coded = places.layout.regions[k];
  const std::uint32_t elements = coded.bytes / size_of(places.src_type());
  std::array<std::uint64_t, kDigits> digits{};
  for (unsigned digit = 0; digit < kDigits; ++digit) digits[digit] = digit_bits(places.subject.insn, digit);
  for (unsigned run = 0; run < digits_for(elements); ++run) {
    Program program = blank;
    fill_region(program, places.dst(), places.dst_type(), table.old);
    for (unsigned n = 0; n < elements; ++n)
      put_element(program, coded, places.src_type(), n, digits[n >> (4 * run) & (kDigits - 1)]);
    probes.programs.push_back(std::move(program));
  }
  return probes;
}

/// The element that all digits of element `n` of dst name, counted from the operand's start.
std::int32_t source_of(const Places& places, const SourceProbes& probes, const std::vector<State>& states,
                       std::uint32_t n) {
  std::int64_t element = 0;
  unsigned kept = 0;
  bool named = true;
  for (unsigned run = 0; run < states.size(); ++run) {
    const std::uint64_t bits = get_element(states[run].ub, places.dst(), places.dst_type(), n);
    if (bits == probes.table.old) {
      ++kept;
      continue;
    }
    const auto digit = probes.table.digit_of(places.dst_type(), bits);
    if (digit)
      element |= std::int64_t{*digit} << (4 * run);
    else
      named = false;
  }
  if (kept == states.size()) return kKept;
  if (kept > 0 || !named) return kNoElement;
  const Region& coded = places.layout.regions[probes.operand];
  return static_cast<std::int32_t>(element - coded.margin / size_of(places.src_type()));
}

SourceMap read_sources(const Places& places, const SourceProbes& probes, const std::vector<State>& states) {
  SourceMap map{probes.operand, places.first(), {}};
  map.sources.reserve(places.dst_elements());
  for (std::uint32_t n = 0; n < places.dst_elements(); ++n)
    map.sources.push_back(source_of(places, probes, states, n));
  return map;
}

/// Does each digit of the documented element give one value, whatever the lane, and not the documented one?
/// An operand that is read at other places gives other digits in each run. `read`: what was decoded.
bool is_other_function(const Places& places, const SourceProbes& probes, const std::vector<State>& states,
                       const SourceMap& read) {
  const Instruction& insn = places.subject.insn;
  const std::uint32_t start = places.dst().margin / size_of(places.dst_type());
  const std::uint32_t first = places.layout.regions[probes.operand].margin / size_of(places.src_type());
  std::map<std::int32_t, std::uint32_t> documented;  // the element of each place of dst; the last lane counts
  for (unsigned r = 0; r < repeats_of(insn); ++r)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
      documented[element_at(insn, 0, r, lane)] =
          first + static_cast<std::uint32_t>(element_at(insn, probes.operand, r, lane));
  std::array<std::optional<std::uint64_t>, kDigits> value_of{};
  const auto has_value = [](const auto& value) { return value.has_value(); };
  bool differs = false;
  for (unsigned run = 0; run < states.size(); ++run) {
    for (const auto& [place, element] : documented) {
      if (read.at(place) == kKept) continue;
      const std::uint64_t bits = get_element(states[run].ub, places.dst(), places.dst_type(),
                                             start + static_cast<std::uint32_t>(place));
      const unsigned digit = element >> (4 * run) & (kDigits - 1);
      if (!value_of[digit]) value_of[digit] = bits;
      if (*value_of[digit] != bits) return false;
      differs |= probes.table.digit_of(places.dst_type(), bits) != digit;
    }
    // Fewer digits do not tell a function from a distance.
    if (run == 0 && !std::ranges::all_of(value_of, has_value)) return false;
  }
  return differs;
}

/// What is written where, by the answers to some programs.
DestinationMap read_destination(const Places& places, std::span<const Program> programs,
                                const std::vector<State>& states) {
  DestinationMap map{places.first(), std::vector<bool>(places.dst_elements()), 0};
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const auto &before = programs[p].ub, &after = states[p].ub;
    for (const std::uint32_t n : changed_elements(before, after, places.dst(), places.dst_type()))
      map.written[n] = true;
    const std::size_t end = places.dst().begin + places.dst().bytes;
    std::size_t elsewhere = 0;
    for (std::size_t byte = end; byte < before.size(); ++byte) elsewhere += before[byte] != after[byte];
    map.elsewhere = std::max(map.elsewhere, elsewhere);
  }
  return map;
}

template <class Map>
Measured<Map> not_measured(std::string why) {
  return {{}, std::move(why)};
}

/// An instruction without sources: only what it writes can be measured.
PlaceMaps measure_destination_alone(const Places& places, Program program, const Ask& ask) {
  PlaceMaps maps;
  const std::uint64_t old = old_dst_bits(places.subject.insn, 0xb5);
  fill_region(program, places.dst(), places.dst_type(), old);
  const Answers answers = ask_all(ask, {&program, 1});
  maps.destination.why_not = answers.why_not;
  if (answers.why_not.empty()) maps.destination.map = read_destination(places, {&program, 1}, answers.states);
  return maps;
}

PlaceMaps no_places(const Row& row, const std::string& why) {
  PlaceMaps maps;
  maps.destination.why_not = why;
  if (!row.operands.empty()) maps.sources.assign(row.operands.size() - 1, not_measured<SourceMap>(why));
  return maps;
}

}  // namespace

bool has_place_probes(const Row& row) {
  const bool in_blocks =
      std::ranges::all_of(row.operands, [](const OperandColumn& each) { return each.walk == Walk::blocks; });
  return in_blocks && !row.operands.empty() && row.mask == MaskUse::gates_writeback && !row.whole_blocks &&
         !row.compacts && !row.compares && row.compare_mask == CompareMaskUse::none &&
         !indexed_operand(row) && row.lanes == LaneRule::types;
}

std::int32_t element_at(const Instruction& insn, unsigned k, unsigned repeat, unsigned lane) {
  const Element type = operand_type(insn, row_of(insn.op).operands[k]);
  return static_cast<std::int32_t>(lane_offset(insn, k, repeat, lane) / size_of(type));
}

PlaceMaps measure_places(const Subject& given, MaskWords mask, const Ask& ask) {
  const Row& row = row_of(given.insn.op);
  const Subject subject = with_plain_scalar(given);
  if (!has_place_probes(row)) return no_places(row, "there are no probes for this kind of instruction");
  const auto layout = lay_out(subject);
  if (!layout) return no_places(row, "the operands do not fit into UB with room around them");
  const Places places{subject, *layout};
  auto blank = probe_program(subject, *layout, mask);
  if (!blank) return no_places(row, "this profile has no way to give it a mask");
  if (row.operands.size() == 1) return measure_destination_alone(places, std::move(*blank), ask);
  for (unsigned k = 1; k < row.operands.size(); ++k)
    fill_region(*blank, layout->regions[k], places.src_type(), partner_bits(subject.insn));
  PlaceMaps maps = no_places(row, "its results do not tell 16 values apart");
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    const auto table = digit_table(subject, k);
    if (!table) continue;
    const SourceProbes probes = source_probes(places, k, *table, *blank);
    const Answers answers = ask_all(ask, probes.programs);
    Measured<SourceMap>& source = maps.sources[k - 1];
    source.why_not = answers.why_not;
    if (!maps.destination.map) maps.destination.why_not = answers.why_not;
    if (!answers.why_not.empty()) continue;
    source.map = read_sources(places, probes, answers.states);
    source.map->other_function = is_other_function(places, probes, answers.states, *source.map);
    if (!maps.destination.map)
      maps.destination.map = read_destination(places, probes.programs, answers.states);
  }
  return maps;
}

}  // namespace lanecheck
