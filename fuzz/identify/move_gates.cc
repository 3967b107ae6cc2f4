#include "fuzz/identify/move_gates.h"

#include <algorithm>
#include <map>
#include <random>

#include "fuzz/identify/gate_differences.h"
#include "fuzz/identify/move_under_mask.h"
#include "fuzz/probes/digit_code.h"
#include "fuzz/probes/gate_map.h"
#include "fuzz/probes/index_formula.h"
#include "fuzz/probes/intervals.h"
#include "fuzz/probes/move_map.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Two programs for each mask. Each lane has another result in the second one, bits have the other value.
constexpr unsigned kData = 2;
/// Values of src0 of a select are below it, and the others not: a result tells where it comes from.
constexpr unsigned kSecond = 61;
/// Bits are written over zeros, then over ones.
constexpr unsigned kOld = 2;

/// A select between two values, by the bits of an operand.
bool chooses(const Row& row) {
  return std::ranges::any_of(row.operands, [](const OperandColumn& each) { return each.role == "control"; });
}

/// What is measured: programs, lanes and the places where their results lie.
struct MoveProbes {
  Subject subject;
  Layout layout;
  std::map<std::int32_t, unsigned> lanes;  ///< lane of each place of dst, counted over all repeats
  std::vector<MaskWords> masks;
  std::vector<Program> programs;  ///< of each mask kData times kOld

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
        if (chooses(row)) value = 1 + drawn + (k == 2 ? 0 : kSecond - 1);
        put_element(program, region, type, n, nearest(type, value));
      }
    }
  }
}

/// The first mask is full: under it all lanes have their results.
std::optional<MoveProbes> move_probes(const Subject& given, const SourceMap& documented, unsigned seed) {
  const Subject subject = with_probe_scalar(given);
  const auto layout = lay_out(subject);
  if (!layout) return {};
  MoveProbes probes{subject, *layout, lanes_of_dst(subject, documented), {full_mask(subject)}, {}};
  std::ranges::copy_if(gate_masks(subject), std::back_inserter(probes.masks),
                       [&](const MaskWords& mask) { return mask != full_mask(subject); });
  for (const MaskWords& mask : probes.masks)
    for (unsigned data = 0; data < kData; ++data)
      for (unsigned old = 0; old < kOld; ++old) {
        auto program = probe_program(subject, *layout, mask);
        if (!program) return {};
        fill_sources(*program, probes, data, seed);
        const Region& dst = layout->regions[0];
        const unsigned byte = probes.in_bits() ? 0xff * old : 0xb5 - 8 * old;
        std::fill_n(program->ub.begin() + dst.begin, dst.bytes, std::byte(byte));
        probes.programs.push_back(std::move(*program));
      }
  return probes;
}

/// What a lane that is off can receive.
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
    for (std::size_t n = 0; n < kData * kOld; ++n)
      if (!is(probes.get(actual[mask * kData * kOld + n].ub, number),
              probes.get(probes.programs[n].ub, number), probes.get(full[n].ub, number)))
        return false;
    return true;
  }
  /// Of a select: does the value of the first or second source stand there, whichever control says?
  bool is_of_source(bool second) const {
    const Element type = probes.insn().dst_type;
    for (unsigned old = 0; old < kOld; ++old) {
      std::uint64_t source = probes.get(full[old].ub, number);
      if ((value_of(type, source) >= kSecond) != second) source = probes.get(full[kOld + old].ub, number);
      for (unsigned data = 0; data < kData; ++data)
        if (probes.get(actual[(mask * kData + data) * kOld + old].ub, number) != source) return false;
    }
    return true;
  }
  bool is_right() const {
    return all([](std::uint64_t is, std::uint64_t, std::uint64_t result) { return is == result; });
  }
};

/// Is dst another one under any of the masks? One program for each mask tells, with fewer questions than a
/// map.
bool depends_on_mask(const Subject& subject, const SourceMap& documented, const Ask& ask) {
  const auto probes = move_probes(subject, documented, 1);
  if (!probes) return false;
  std::vector<Program> programs;  // bits: over ones, which a lane that is off keeps
  for (std::size_t n = kOld - 1; n < probes->programs.size(); n += kData * kOld)
    programs.push_back(probes->programs[n]);
  const Answers is = ask_all(ask, programs), should = ask_all(ask_oracle(), programs);
  if (!is.why_not.empty() || !should.why_not.empty()) return false;
  for (std::size_t n = 0; n < programs.size(); ++n)
    if (is.states[n].ub != should.states[n].ub) return true;
  return false;
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
  if (chooses(row))
    for (const bool second : {false, true})
      if (std::ranges::all_of(off, [&](const Place& place) { return place.is_of_source(second); }))
        return "takes " + (second ? second_name : "src0") + ", whatever control says";
  const bool keeps = std::ranges::any_of(off, [](const Place& place) {
    return place.all([](std::uint64_t is, std::uint64_t old, std::uint64_t) { return is == old; });
  });
  return keeps ? "" : "receives another value";
}

std::optional<MoveGates> measure(const Subject& subject, const SourceMap& documented, const Ask& ask,
                                 unsigned seed = 1) {
  const auto probes = move_probes(subject, documented, seed);
  if (!probes) return {};
  const std::span<const Program> programs = probes->programs;
  const Answers actual = ask_all(ask, programs), full = ask_all(ask_oracle(), programs.first(kData * kOld));
  if (!actual.why_not.empty() || !full.why_not.empty()) return {};
  const unsigned repeats = repeats_of(subject.insn), lanes = lanes_of(subject.insn);
  std::vector<std::string> seen(std::size_t{repeats} * lanes, std::string(probes->masks.size(), 'w'));
  std::vector<Place> off;
  for (const auto& [place, lane] : probes->lanes)
    for (std::size_t m = 0; m < probes->masks.size() && lane < seen.size(); ++m) {
      const Place here{*probes, actual.states, full.states, m, place};
      if (here.is_right()) continue;
      seen[lane][m] = 'k';
      off.push_back(here);
    }
  MoveGates gates{{repeats, lanes, {}, probes->masks, {}, {}, {}}, off.empty() ? "" : off_text(off, subject)};
  for (std::string& each : seen) add_gate(gates.map, std::move(each), settable_slots(subject));
  return gates;
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
  if (!depends_on_mask(subject, *source->map, ask)) return {};
  const auto measured = measure(subject, *source->map, ask);
  const auto right = measure(subject, *source->map, ask_oracle());
  if (!measured || !right || measured->map.seen == right->map.seen) return {};
  const auto again = measure(subject, *source->map, ask, 2);  // other data may show that it is no law
  if (!again || again->map.gates != measured->map.gates || again->off != measured->off) return {};
  const bool ignores = row.mask == MaskUse::ignores;
  const auto repeats = repeats_that_obey(measured->map);
  if (ignores && !repeats.empty() && !measured->off.empty())
    return {{"gate",
             mnemonic(subject.insn) + " obeys the mask: " + (row.compares ? "bits" : "lanes") +
                 " whose slot is 0 " + of_several(measured->off),
             in_repeats(repeats, measured->map.repeats)}};
  auto list =
      gate_differences(subject, measured->map, right->map, std::vector<bool>(measured->map.gates.size()));
  for (Difference& each : list) {
    each.law.reset();  // a law is for instructions that the mask gates one lane at a time
    if (measured->off != right->off && !measured->off.empty())
      each.what += " (a lane that is off " + measured->off + ")";
  }
  return list;
}

}  // namespace lanecheck
