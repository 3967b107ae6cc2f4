// Offsets of gather, gatherb and scatter.
#include <algorithm>
#include <array>

#include "spec/legality/rows.h"

namespace lanecheck::legality {
namespace {

/// Offsets must be data that no instruction writes, so that legality needs no execution.
bool some_instruction_writes(const Site& site, const Operand& table) {
  return std::ranges::any_of(site.instructions, [&](const Instruction& other) {
    return row_of(other.op).writes_dst() && other.operands[0].allocation == table.allocation;
  });
}

Complaint offset_outside(const Site& site) {
  const auto indexed = indexed_operand(site.row());
  if (!indexed) return {};
  const Instruction& insn = site.insn();
  const Operand &table = insn.operands[kOffsetsOperand], &target = insn.operands[*indexed];
  if (some_instruction_writes(site, table))
    return "offsets lie in an allocation that an instruction writes; keep them in one of their own";
  const std::uint64_t room = site.program.allocations[target.allocation].bytes - target.offset;
  const std::uint32_t size = bytes_per_offset(insn);
  const unsigned per_repeat = offsets_per_repeat(insn);
  const std::byte* words = site.program.ub.data() + start_of(site.program, table);
  for (unsigned n = 0; n < insn.repeat * per_repeat; ++n) {
    const std::uint64_t offset = load<std::uint32_t>(words + 4 * n);
    if (offset % size != 0 || offset + size > room)
      return "offset number " + number(n) + " is " + number(offset) + "; allowed: multiples of " +
             number(size) + " up to " + number(room - std::min<std::uint64_t>(room, size));
  }
  return {};
}

bool scatters(const Row& row) {
  return indexed_operand(row) == 0u;
}

/// asc-devkit: nobody can tell whose element stays. Of two repeats, the reading alias_winner says it.
Complaint offsets_equal(const Site& site) {
  if (!scatters(site.row()) || site.readings.equal_offsets != EqualOffsets::illegal) return {};
  const Instruction& insn = site.insn();
  const unsigned lanes = lanes_of(insn);
  const std::byte* words = site.program.ub.data() + start_of(site.program, insn.operands[kOffsetsOperand]);
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat, words += std::size_t{4} * lanes) {
    std::array<std::pair<std::uint32_t, unsigned>, kRepeatBytes> places;  // offset, lane
    for (unsigned lane = 0; lane < lanes; ++lane)
      places[lane] = {load<std::uint32_t>(words + 4 * lane), lane};
    const auto end = places.begin() + lanes;
    std::sort(places.begin(), end);
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    const auto first = std::adjacent_find(places.begin(), end, same);
    if (first != end)
      return "offsets number " + number(first->second) + " and " + number((first + 1)->second) +
             " of repeat " + number(repeat) + " (counted from 0) are both " + number(first->first) +
             ", and no document says whose element stays; give each element of a repeat a place of its "
             "own, " +
             "or choose equal_offsets=last_lane";
  }
  return {};
}

bool to_equal_offsets(EdgeSubject& s) {
  if (!scatters(s.row()) || s.insn.repeat == 0) return false;
  const std::uint32_t table = start_of(s.program, s.insn.operands[kOffsetsOperand]);
  const unsigned other = 1 + s.below(lanes_of(s.insn) - 1);
  if (s.outside) s.overwrite(table + 4 * other, load<std::uint32_t>(s.program.ub.data() + table));
  return true;
}

bool to_last_offset(EdgeSubject& s) {
  const auto indexed = indexed_operand(s.row());
  if (!indexed || s.insn.repeat == 0) return false;
  if (scatters(s.row()) && !s.outside) return false;  // another element of the repeat may go there
  const Operand& target = s.insn.operands[*indexed];
  const std::uint32_t room = s.program.allocations[target.allocation].bytes - target.offset;
  const std::uint32_t size = bytes_per_offset(s.insn);
  std::uint32_t offset = room / size * size - size;  // the last that fits
  if (s.outside) offset = s.one_in(2) ? offset + size : offset - 1;
  s.overwrite(start_of(s.program, s.insn.operands[kOffsetsOperand]), offset);
  return true;
}

constexpr LegalityRule kOffsetRules[] = {
    {.position = 120,
     .id = "LAW-offsets",
     .kind = "offsets",
     .claim = "Offsets are multiples of what they fetch and stay inside the operand.",
     .source = {kDevkit, "Gather, Gatherb, Scatter"},
     .profiles = vmc | a2,
     .checks = {{Stage::operands, offset_outside}},
     .edge = to_last_offset},
    {.position = 125,
     .id = "LAW-equal-offsets",
     .kind = "offsets",
     .claim = "scatter gives each element of a repeat a place of its own (reading equal_offsets).",
     .source = {kDevkit, "Scatter (VMC 4 is silent)"},
     .profiles = vmc,
     .checks = {{Stage::operands, offsets_equal}},
     .edge = to_equal_offsets},
};

}  // namespace

std::span<const LegalityRule> offset_rules() {
  return kOffsetRules;
}

}  // namespace lanecheck::legality
