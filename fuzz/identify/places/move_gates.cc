#include "fuzz/identify/places/move_gates.h"

#include <algorithm>
#include <map>
#include <random>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/places/move_under_mask.h"
#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/move_map.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Two programs for each mask. Each lane has another result in the second one, bits have the other value.
constexpr unsigned kData = 2;
/// Values of src0 of a select are below it, and the others not: a result tells where it comes from.
constexpr unsigned kSecond = 61;
/// Masks under which a law must hold that was found under others.
constexpr unsigned kFreshMasks = 4;

/// What is measured: programs, lanes and the places where their results lie.
struct MoveProbes {
  Subject subject;
  Layout layout;
  std::map<std::int32_t, unsigned> lanes;  ///< lane of each place of dst, counted over all repeats
  std::vector<MaskWords> masks;
  std::vector<Program> programs;  ///< of each mask kData

  const Instruction& insn() const { return subject.insn; }
  const Row& row() const { return row_of(insn().op); }
  bool in_bits() const { return row().operands[0].walk == Walk::bits; }
  /// What stands in a place of dst, which is counted from the start of dst.
  std::uint64_t get(std::span<const std::byte> ub, std::int32_t place) const {
    const Region& dst = layout.regions[0];
    if (!in_bits()) {
      const auto start = static_cast<std::int32_t>(dst.margin / size_of(insn().dst_type));
      return get_element(ub, dst, insn().dst_type, static_cast<std::uint32_t>(start + place));
    }
    const auto bit = static_cast<std::uint32_t>(static_cast<std::int32_t>(8 * dst.margin) + place);
    return std::to_integer<std::uint64_t>(ub[dst.begin + bit / 8]) >> bit % 8 & 1;
  }
};

Subject with_probe_scalar(Subject subject) {
  const Row& row = row_of(subject.insn.op);
  if (row.compares) subject.insn.compare = Compare::eq;
  if (takes_scalar(subject.insn))
    subject.insn.scalar = scalar_of(scalar_type(subject.insn), row.compares ? 1 : kSecond);
  return subject;
}

void fill_sources(Program& program, const MoveProbes& probes, unsigned data, unsigned seed) {
  const Row& row = probes.row();
  const Element type = probes.insn().src_type;
  std::mt19937_64 random(seed);
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    const Region& region = probes.layout.regions[k];
    const Walk walk = row.operands[k].walk;
    if (walk == Walk::bits || walk == Walk::sixteen) {
      for (unsigned n = 0; n < region.bytes; ++n)
        program.ub[region.begin + n] = std::byte(random() ^ (data == 0 ? 0 : 0xff));
    } else if (indexed_operand(row) && k == kOffsetsOperand) {
      const unsigned unit = row.moves_blocks ? kBlockBytes : size_of(type);
      const unsigned count =
          repeats_of(probes.insn()) * (row.moves_blocks ? kRepeatBlocks : lanes_of(probes.insn()));
      for (unsigned place = 0; place < count; ++place)
        put_element(program, region, Element::u32, region.margin / 4 + number_of_place(probes.insn(), place),
                    place * unit);
    } else if (row.compares && k > 1) {
      fill_region(program, region, type, nearest(type, 1));
    } else {
      for (unsigned n = 0; n < region.bytes / size_of(type); ++n) {
        const auto drawn = static_cast<unsigned>(random() % (kSecond - 1));
        unsigned value = 1 + (drawn + data * 29) % (kSecond - 1);
        if (row.compares) value = (drawn + data) % 2;
        if (selects_by_operand(row)) value = 1 + drawn + (k == 2 ? 0 : kSecond - 1);
        put_element(program, region, type, n, nearest(type, value));
      }
    }
  }
}

/// The full mask, under which all lanes have their results; the slots' numbers in binary, and a few others.
std::vector<MaskWords> masks_of_laws(const Subject& subject) {
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63, kAll = ~std::uint64_t{0};
  std::vector<MaskWords> masks = {full_mask(subject)};
  std::vector<MaskWords> more = coded_masks();
  for (const MaskWords& each :
       {MaskWords{0, 0}, MaskWords{0, 1}, MaskWords{kTop, 0}, MaskWords{kAll, kAll - 1},
        MaskWords{kAll - kTop, kAll}, kEndsAndGaps, MaskWords{0x4b19d7e6035fc8a2, 0xd07a3395b64c21fe}})
    more.push_back(each);
  for (const MaskWords& each : more) {
    const MaskWords mask = settable_mask(subject, {each.high & masks[0].high, each.low & masks[0].low});
    if (std::ranges::count(masks, mask) == 0) masks.push_back(mask);
  }
  return masks;
}

/// The full mask and drawn ones.
std::vector<MaskWords> fresh_masks(const Subject& subject) {
  std::mt19937_64 random(11);
  const MaskWords full = full_mask(subject);
  std::vector<MaskWords> masks = {full};
  for (unsigned n = 0; n < kFreshMasks; ++n) {
    const std::uint64_t high = random() & full.high;
    masks.push_back(settable_mask(subject, {high, random() & full.low}));
  }
  return masks;
}

/// The first mask is the full one.
std::optional<MoveProbes> move_probes(const Subject& given, const SourceMap& documented,
                                      const std::vector<MaskWords>& masks, unsigned seed) {
  const Subject subject = with_probe_scalar(given);
  const auto layout = lay_out(subject);
  if (!layout) return {};
  MoveProbes probes{subject, *layout, lanes_of_dst(subject, documented), {}, {}};
  for (const MaskWords& mask : masks) {
    const auto plain = probe_program(subject, *layout, mask);
    if (!plain) return {};
    for (unsigned data = 0; data < kData; ++data) {
      Program program = *plain;
      fill_sources(program, probes, data, seed);
      // Old bits are the same for both data: a lane that keeps them is wrong with one of the two.
      std::mt19937_64 random(seed + 100);
      const Region& dst = layout->regions[0];
      for (unsigned n = 0; n < dst.bytes; ++n)
        program.ub[dst.begin + n] = std::byte(probes.in_bits() ? random() & 0xff : 0xb5);
      if (find_fault(program)) break;  // not every profile has an empty mask
      if (data == 0) probes.masks.push_back(mask);
      probes.programs.push_back(std::move(program));
    }
  }
  if (probes.masks.empty() || probes.masks.front() != full_mask(subject)) return {};
  return probes;
}

/// What a lane that does not take part can receive.
struct Off {
  std::string_view text;
  bool (*is)(std::uint64_t actual, std::uint64_t old, std::uint64_t result, bool bits);
};

constexpr Off kOffs[] = {
    {"keeps its old dst",
     [](std::uint64_t actual, std::uint64_t old, std::uint64_t, bool) { return actual == old; }},
    {"receives 0", [](std::uint64_t actual, std::uint64_t, std::uint64_t, bool) { return actual == 0; }},
    {"receives 1",
     [](std::uint64_t actual, std::uint64_t, std::uint64_t, bool bits) { return bits && actual == 1; }},
    {"receives the inverted bit", [](std::uint64_t actual, std::uint64_t, std::uint64_t result,
                                     bool bits) { return bits && actual == (result ^ 1); }},
};

/// The gate map of the answers, and what the lanes that are off receive.
struct MoveGates {
  GateMap map;
  std::string off;  ///< "keeps its old dst"; empty if no rule is known
};

/// A place of dst in all programs of one mask.
struct Place {
  const MoveProbes& probes;
  const std::vector<State>&actual, &full;  ///< `full`: the documented answers under the full mask
  std::size_t mask;
  std::int32_t number;

  template <class Is>
  bool all(Is is) const {
    for (std::size_t n = 0; n < kData; ++n)
      if (!is(probes.get(actual[mask * kData + n].ub, number), probes.get(probes.programs[n].ub, number),
              probes.get(full[n].ub, number)))
        return false;
    return true;
  }
  /// Of a select: does the value of the first or second source stand there, whichever control says?
  bool is_of_source(bool second) const {
    const Element type = probes.insn().dst_type;
    std::uint64_t source = probes.get(full[0].ub, number);
    if ((value_of(type, source) >= kSecond) != second) source = probes.get(full[1].ub, number);
    for (unsigned data = 0; data < kData; ++data)
      if (probes.get(actual[mask * kData + data].ub, number) != source) return false;
    return true;
  }
  bool is_right() const {
    return all([](std::uint64_t is, std::uint64_t, std::uint64_t result) { return is == result; });
  }
};

/// The answers to all probes; nothing if the backend does not answer or dst is right under all masks, which
/// the first program of each mask tells.
std::vector<State> answers_of_wrong(const MoveProbes& probes, const Ask& ask) {
  std::vector<State> states(probes.programs.size());
  bool wrong = false;
  for (unsigned data = 0; data < kData; ++data) {
    std::vector<Program> programs;
    for (std::size_t n = data; n < states.size(); n += kData) programs.push_back(probes.programs[n]);
    Answers is = ask_all(ask, programs), should = ask_all(ask_oracle(), programs);
    if (!is.why_not.empty() || !should.why_not.empty()) return {};
    for (std::size_t n = 0; n < programs.size(); ++n) {
      wrong = wrong || !same_bytes(is.states[n].ub, should.states[n].ub);
      states[n * kData + data] = std::move(is.states[n]);
    }
    if (!wrong) return {};
  }
  return states;
}

/// What all lanes that are off receive, by one rule.
std::string off_text(const std::vector<Place>& off, const Subject& subject) {
  const Row& row = row_of(subject.insn.op);
  const bool bits = row.operands[0].walk == Walk::bits;
  for (const Off& rule : kOffs)
    if (std::ranges::all_of(off, [&](const Place& place) {
          return place.all([&](std::uint64_t is, std::uint64_t old, std::uint64_t result) {
            return rule.is(is, old, result, bits);
          });
        }))
      return std::string(rule.text);
  const std::string second_name = row.has_scalar ? "the number" : "src1";
  if (selects_by_operand(row))
    for (const bool second : {false, true})
      if (std::ranges::all_of(off, [&](const Place& place) { return place.is_of_source(second); }))
        return "takes " + (second ? second_name : "src0") + ", whatever control says";
  if (selects_by_operand(row))  // what is selected gates the lane as well
    for (const bool second : {false, true})
      if (std::ranges::all_of(off, [&](const Place& place) {
            return place.all([&](std::uint64_t is, std::uint64_t old, std::uint64_t result) {
              const bool of_second = value_of(subject.insn.dst_type, result) >= kSecond;
              return is == (of_second == second ? old : result);
            });
          }))
        return "keeps its old dst where control takes " + (second ? second_name : "src0");
  const bool keeps = std::ranges::any_of(off, [](const Place& place) {
    return place.all([](std::uint64_t is, std::uint64_t old, std::uint64_t) { return is == old; });
  });
  return keeps ? "" : "receives another value";
}

/// The gates that the answers show; nothing if the oracle does not answer, or if some lanes that do not hold
/// their result are kept and others hold an unknown value: then these may be active.
std::optional<MoveGates> read_gates(const MoveProbes& probes, const std::vector<State>& actual) {
  const Subject& subject = probes.subject;
  const Answers full = ask_all(ask_oracle(), std::span(probes.programs).first(kData));
  if (actual.empty() || !full.why_not.empty()) return {};
  const unsigned repeats = repeats_of(subject.insn), lanes = lanes_of(subject.insn);
  std::vector<std::string> seen(std::size_t{repeats} * lanes, std::string(probes.masks.size(), 'w'));
  std::vector<Place> off;
  for (const auto& [place, lane] : probes.lanes)
    for (std::size_t m = 0; m < probes.masks.size() && lane < seen.size(); ++m) {
      const Place here{probes, actual, full.states, m, place};
      if (here.is_right()) continue;
      seen[lane][m] = 'k';
      off.push_back(here);
    }
  MoveGates gates{{repeats, lanes, {}, probes.masks, {}, {}, {}}, off.empty() ? "" : off_text(off, subject)};
  if (!off.empty() && gates.off.empty()) return {};
  for (std::string& each : seen) add_gate(gates.map, std::move(each), settable_slots(subject));
  return gates;
}

/// Do the lanes obey the gates, and receive the same if they are off, under masks and data that are new?
bool hold_for_fresh(const Subject& subject, const SourceMap& documented, const Ask& ask,
                    const MoveGates& measured, const std::vector<Difference>& said) {
  const auto probes = move_probes(subject, documented, fresh_masks(subject), 2);
  if (!probes) return false;
  const Answers answers = ask_all(ask, probes->programs);
  const auto fresh = read_gates(*probes, answers.states);
  if (!fresh || !answers.why_not.empty()) return false;
  if (!fresh->off.empty() && fresh->off != measured.off) return false;
  const GateMap& map = fresh->map;
  for (unsigned repeat = 0; repeat < map.repeats; ++repeat)
    for (unsigned lane = 0; lane < map.lanes; ++lane)
      for (const Difference& each : said) {
        if (!each.law || !each.law->repeats.holds(repeat, map.repeats)) continue;
        for (std::size_t m = 0; m < map.masks.size(); ++m)
          if (const auto on = each.law->on(repeat, lane, map.masks[m]);
              on && *on != (map.seen[repeat * map.lanes + lane][m] == 'w'))
            return false;
      }
  return true;
}

/// The repeats in which each lane is gated by its own slot, if all others are as documented.
std::vector<unsigned> repeats_that_obey(const GateMap& map) {
  std::vector<unsigned> repeats;
  for (unsigned repeat = 0; repeat < map.repeats; ++repeat) {
    unsigned own = 0, always = 0;
    for (unsigned lane = 0; lane < map.lanes; ++lane) {
      const Gate& gate = map.at(repeat, lane);
      own += gate == Gate{GateKind::slot, static_cast<std::uint8_t>(lane)} ? 1 : 0;
      always += gate.kind == GateKind::always ? 1 : 0;
    }
    if (own == map.lanes) repeats.push_back(repeat);
    if (own != map.lanes && always != map.lanes) return {};
  }
  return repeats;
}

/// The rule as it is said of lanes whose slot is 0.
std::string of_several(const std::string& off) {
  const std::pair<std::string_view, std::string_view> changes[] = {
      {"keeps its", "keep their"}, {"receives the", "are the"}, {"receives ", "are "}, {"takes ", "take "}};
  for (const auto& [one, several] : changes)
    if (off.starts_with(one)) return std::string(several) + off.substr(one.size());
  return off;
}

}  // namespace

std::vector<Difference> move_gate_differences(const Subject& subject, const PlaceMaps& documented,
                                              const Ask& ask) {
  const auto source =
      std::ranges::find_if(documented.sources, [](const auto& each) { return bool(each.map); });
  if (source == documented.sources.end()) return {};
  const Row& row = row_of(subject.insn.op);
  const auto probes = move_probes(subject, *source->map, masks_of_laws(subject), 1);
  if (!probes) return {};
  const auto measured = read_gates(*probes, answers_of_wrong(*probes, ask));
  if (!measured) return {};
  const auto right = read_gates(*probes, ask_all(ask_oracle(), probes->programs).states);
  if (!right || measured->map.seen == right->map.seen) return {};
  auto list =
      gate_differences(subject, measured->map, right->map, std::vector<bool>(measured->map.gates.size()));
  if (!hold_for_fresh(subject, *source->map, ask, *measured, list)) return {};
  const bool ignores = row.mask == MaskUse::ignores;
  const auto repeats = repeats_that_obey(measured->map);
  if (ignores && !repeats.empty() && !measured->off.empty())
    return {{MapKind::gate,
             mnemonic(subject.insn) + " obeys the mask: " + (row.compares ? "bits" : "lanes") +
                 " whose slot is 0 " + of_several(measured->off),
             in_repeats(repeats, measured->map.repeats)}};
  for (Difference& each : list) {
    each.law.reset();  // a law is for instructions that the mask gates one lane at a time
    if (measured->off != right->off && !measured->off.empty())
      each.what += " (a lane that does not take part " + measured->off + ")";
  }
  return list;
}

}  // namespace lanecheck
