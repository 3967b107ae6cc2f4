#include "fuzz/identify/probes/move_map.h"

#include <algorithm>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Does the digit code of operand `k` tell which element was moved? Of the other operands either the bits are
/// coded (control), or the map of another operand shows them (offsets).
bool is_coded(const Row& row, unsigned k) {
  const Walk walk = row.operands[k].walk;
  return !row.compares && walk != Walk::bits && walk != Walk::sixteen && row.operands[k].type != TypeOf::u32;
}

constexpr unsigned kStep = 7;  // offsets step by 7 places: no repeat times 1..255 share a factor with 256 / 7

/// Offsets of one instruction: of elements, or of data blocks.
unsigned count_of_offsets(const Instruction& insn) {
  return repeats_of(insn) * offsets_per_repeat(insn);
}

unsigned place_of_number(const Instruction& insn, unsigned number) {
  const unsigned count = count_of_offsets(insn);
  return count % kStep == 0 ? number : (number * kStep + 3) % count;
}

/// What is written into dst before a probe, and how its places are read.
struct Reader {
  const Subject& subject;
  const Layout& layout;

  const Instruction& insn() const { return subject.insn; }
  const Row& row() const { return row_of(insn().op); }
  const Region& dst() const { return layout.regions[0]; }
  bool in_bits() const { return row().operands[0].walk == Walk::bits; }
  unsigned units() const { return in_bits() ? 8 * dst().bytes : dst().bytes / size_of(insn().dst_type); }
  std::int32_t first() const {
    return -static_cast<std::int32_t>(in_bits() ? 8 * dst().margin : dst().margin / size_of(insn().dst_type));
  }
  std::uint64_t get(std::span<const std::byte> ub, std::uint32_t n) const {
    if (!in_bits()) return get_element(ub, dst(), insn().dst_type, n);
    return std::to_integer<std::uint64_t>(ub[dst().begin + n / 8]) >> (n % 8) & 1;
  }
};

void fill_bytes(Program& program, const Region& region, unsigned byte) {
  std::fill_n(program.ub.begin() + region.begin, region.bytes, std::byte(byte));
}

void put_offsets(Program& program, const Reader& reader) {
  if (!indexed_operand(reader.row())) return;
  const Instruction& insn = reader.insn();
  const Region& offsets = reader.layout.regions[kOffsetsOperand];
  const unsigned unit = bytes_per_offset(insn);
  for (unsigned n = 0; n < count_of_offsets(insn); ++n)
    put_element(program, offsets, Element::u32, offsets.margin / 4 + n, place_of_number(insn, n) * unit);
}

/// A program in which sources are constant: operand `k` differs from all others, and control names it.
std::optional<Program> blank(const Reader& reader, unsigned k, MaskWords mask) {
  auto program = probe_program(reader.subject, reader.layout, mask);
  if (!program) return {};
  const Row& row = reader.row();
  for (unsigned other = 1; other < row.operands.size(); ++other) {
    const Walk walk = row.operands[other].walk;
    if (walk == Walk::bits || walk == Walk::sixteen)
      fill_bytes(*program, reader.layout.regions[other], row.operands[k].role == "src0" ? 0xff : 0);
    else if (operand_type(reader.insn(), row.operands[other]) == reader.insn().src_type)
      fill_region(*program, reader.layout.regions[other], reader.insn().src_type,
                  nearest(reader.insn().src_type, row.compares ? 1 : 100));
  }
  put_offsets(*program, reader);
  fill_bytes(*program, reader.dst(), reader.in_bits() ? 0 : 0xb5);
  return program;
}

unsigned bits_for(std::uint32_t count) {
  unsigned bits = 1;
  while (std::uint64_t{1} << bits < count) ++bits;
  return bits;
}

/// One way to code an operand: the programs, and what all answers together say of a place of dst.
struct Coded {
  std::vector<Program> programs;
  std::int32_t start = 0;  ///< the number that codes the first place of the operand
};

Coded digits(const Reader& reader, unsigned k, const Program& base) {
  const Region& region = reader.layout.regions[k];
  const Element type = reader.insn().src_type;
  const unsigned elements = region.bytes / size_of(type);
  Coded coded{{}, static_cast<std::int32_t>(region.margin / size_of(type))};
  for (unsigned shift = 0; shift == 0 || elements > 1U << shift; shift += 4) {
    coded.programs.push_back(base);
    for (unsigned n = 0; n < elements; ++n)
      put_element(coded.programs.back(), region, type, n, nearest(type, (n >> shift & (kDigits - 1)) + 1));
  }
  return coded;
}

/// Bit b of the number of each place, one program for each b: as bits of control, or as elements 0 and 1 of a
/// compare. Elements are numbered from 1, so that 0 in all programs is the number of no element. The last
/// program is the first one with other bits in dst.
Coded binary(const Reader& reader, unsigned k, const Program& base) {
  const Region& region = reader.layout.regions[k];
  const Element type = reader.insn().src_type;
  const bool compares = reader.row().compares;
  const unsigned places = compares ? region.bytes / size_of(type) : 8 * region.bytes;
  const unsigned start = compares ? region.margin / size_of(type) : 8 * region.margin;
  const unsigned least = compares ? 1 : 0;
  Coded coded{{}, static_cast<std::int32_t>(start + least)};
  for (unsigned bit = 0; bit < bits_for(places + least); ++bit) {
    coded.programs.push_back(base);
    Program& program = coded.programs.back();
    if (!compares)
      for (unsigned other = 2; other < reader.row().operands.size(); ++other)
        fill_region(program, reader.layout.regions[other], type, nearest(type, other == 2 ? 1 : 2));
    for (unsigned n = 0; n < places; ++n) {
      if (compares)
        put_element(program, region, type, n, nearest(type, (n + least) >> bit & 1));
      else if ((n >> bit & 1) != 0)
        program.ub[region.begin + n / 8] |= std::byte(1U << n % 8);
    }
  }
  if (reader.in_bits()) {
    coded.programs.push_back(coded.programs[0]);
    fill_bytes(coded.programs.back(), reader.dst(), 0xff);
  }
  return coded;
}

std::int32_t decode_digits(const Reader& reader, const Coded& coded, const std::vector<State>& states,
                           std::uint32_t n) {
  std::int32_t number = 0;
  unsigned kept = 0, unknown = 0, zeros = 0;
  for (unsigned run = 0; run < states.size(); ++run) {
    const std::uint64_t bits = reader.get(states[run].ub, n);
    zeros += bits == 0 ? 1 : 0;
    kept += bits == reader.get(coded.programs[run].ub, n) ? 1 : 0;
    const double digit = value_of(reader.insn().dst_type, bits) - 1;
    if (digit >= 0 && digit < kDigits && nearest(reader.insn().dst_type, digit + 1) == bits)
      number |= static_cast<std::int32_t>(digit) << (4 * run);
    else
      ++unknown;
  }
  if (kept == states.size()) return kKept;
  if (zeros == states.size()) return kAlwaysZero;
  // All digits are 0: that is the number of the first element of the margin, which nobody reads.
  if (unknown == 0 && number == 0 && coded.start > 0 && states.size() > 1) return kAlwaysOne;
  return unknown > 0 ? kNoElement : number - coded.start;
}

/// Of a select: 1 if src0 was chosen, 0 if the other one; nothing if neither.
std::optional<unsigned> chosen(const Reader& reader, std::uint64_t bits) {
  if (bits == nearest(reader.insn().dst_type, 1)) return 1;
  const bool number = reader.row().operands.size() == 3;
  if (bits == (number ? reader.insn().scalar.bits : nearest(reader.insn().dst_type, 2))) return 0;
  return {};
}

std::int32_t decode_binary(const Reader& reader, const Coded& coded, const std::vector<State>& states,
                           std::uint32_t n) {
  std::int32_t number = 0;
  unsigned kept = 0;
  const std::size_t runs = states.size() - (reader.in_bits() ? 1 : 0);
  for (unsigned run = 0; run < states.size(); ++run)
    kept += reader.get(states[run].ub, n) == reader.get(coded.programs[run].ub, n) ? 1 : 0;
  if (reader.in_bits()) {
    for (unsigned run = 0; run < runs; ++run)
      number |= static_cast<std::int32_t>(reader.get(states[run].ub, n)) << run;
    if (reader.get(states[runs].ub, n) != static_cast<std::uint64_t>(number & 1))
      return kept == states.size() ? kKept : kNoElement;
  } else {
    if (kept == states.size()) return kKept;
    for (unsigned run = 0; run < runs; ++run) {
      const auto bit = chosen(reader, reader.get(states[run].ub, n));
      if (!bit) return kNoElement;
      number |= static_cast<std::int32_t>(*bit) << run;
    }
  }
  // The first and the last bit of the margins, which nobody reads: no bit of control has a say.
  if (number == 0) return kAlwaysZero;
  if (number == (std::int32_t{1} << runs) - 1) return kAlwaysOne;
  return number - coded.start;
}

DestinationMap written_by(const SourceMap& sources) {
  DestinationMap map{sources.first, {}, 0};
  for (const std::int32_t source : sources.sources) map.written.push_back(source != kKept);
  return map;
}

Measured<SourceMap> measure_operand(const Reader& reader, unsigned k, MaskWords mask, const Ask& ask,
                                    std::vector<Mask>* shown) {
  const auto base = blank(reader, k, mask);
  if (!base) return {{}, "this profile has no way to give it a mask"};
  const bool by_digits = is_coded(reader.row(), k);
  const Coded coded = by_digits ? digits(reader, k, *base) : binary(reader, k, *base);
  const Answers answers = ask_all(ask, coded.programs);
  if (!answers.why_not.empty()) return {{}, answers.why_not};
  SourceMap map{k, reader.first(), {}};
  for (std::uint32_t n = 0; n < reader.units(); ++n)
    map.sources.push_back((by_digits ? decode_digits : decode_binary)(reader, coded, answers.states, n));
  if (shown != nullptr)
    for (const State& state : answers.states) shown->push_back(state.mask);
  return {std::move(map), {}};
}

/// A compare that asks for the 1 of the coded elements; a select whose number is 2.
Subject with_probe_scalar(Subject subject) {
  const Row& row = row_of(subject.insn.op);
  if (row.compares) subject.insn.compare = Compare::eq;
  if (takes_scalar(subject.insn))
    subject.insn.scalar = scalar_of(scalar_type(subject.insn), row.compares ? 1 : 2);
  return subject;
}

}  // namespace

bool has_move_probes(const Row& row) {
  if (row.mask == MaskUse::neutral_source) return row.operands.size() == 2 && has_plain_results(row);
  const bool selects = row.mask == MaskUse::gates_writeback && row.moves_bits && row.operands.size() > 1 &&
                       row.operands[1].role == "control";
  return row.whole_blocks || selects || (row.mask == MaskUse::ignores && (row.moves_bits || row.compares));
}

bool selects_by_operand(const Row& row) {
  return control_operand(row).has_value();
}

std::optional<unsigned> control_operand(const Row& row) {
  const auto control = std::ranges::find(row.operands, "control", &OperandColumn::role);
  if (control == row.operands.end()) return {};
  return static_cast<unsigned>(control - row.operands.begin());
}

unsigned group_size(const Instruction& insn) {
  return lanes_of(insn) / results_per_repeat(insn);
}

MaskWords one_of_each_group(const Subject& subject, unsigned lane) {
  MaskWords mask{0, 0};
  for (unsigned slot = lane; slot < std::min(128u, lanes_of(subject.insn)); slot += group_size(subject.insn))
    (slot < 64 ? mask.low : mask.high) |= std::uint64_t{1} << (slot % 64);
  return mask;
}

unsigned number_of_place(const Instruction& insn, unsigned place) {
  const unsigned count = count_of_offsets(insn);
  for (unsigned turn = 0; place < count && turn < kStep; ++turn) {
    const unsigned sum = turn * count + place;
    const unsigned n = count % kStep == 0 || sum < 3 ? place : (sum - 3) / kStep;
    if (n < count && place_of_number(insn, n) == place) return n;
  }
  return count;
}

PlaceMaps measure_moves(const Subject& given, MaskWords mask, const Ask& ask, std::vector<Mask>* shown) {
  PlaceMaps maps;
  const Subject subject = with_probe_scalar(given);
  const Row& row = row_of(subject.insn.op);
  maps.sources.assign(row.operands.size() - 1, {{}, ""});
  const auto layout = lay_out(subject);
  maps.destination.why_not = layout ? "" : "the operands do not fit into UB with room around them";
  if (!layout) return maps;
  const Reader reader{subject, *layout};
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (indexed_operand(row) && k == kOffsetsOperand) continue;
    Measured<SourceMap>& source = maps.sources[k - 1];
    source = measure_operand(reader, k, mask, ask, shown);
    if (!source.map) maps.destination.why_not = source.why_not;
    if (source.map && !maps.destination.map) maps.destination.map = written_by(*source.map);
  }
  return maps;
}

}  // namespace lanecheck
