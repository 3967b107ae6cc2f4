// UB and its allocations, and where operands lie in them: room and alignment.
#include <algorithm>
#include <vector>

#include "spec/legality/rows.h"
#include "spec/mask/footprint.h"

namespace lanecheck::legality {
namespace {

constexpr std::size_t kMostAllocations = 0xffff;  // Operand::allocation has 16 bits

Complaint allocations_misplaced(const Program& program) {
  std::vector<const Allocation*> by_place;
  for (const Allocation& each : program.allocations) by_place.push_back(&each);
  std::ranges::sort(by_place, {}, &Allocation::offset);
  std::uint64_t free_from = 0;
  for (const Allocation* each : by_place) {
    const auto named = "allocation '" + each->name + "'";
    if (each->offset % kBlockBytes != 0)
      return named + " starts at byte " + number(each->offset) + ", which is not a multiple of " +
             number(kBlockBytes);
    if (each->offset < free_from) return named + " overlaps the one before it";
    free_from = std::uint64_t{each->offset} + each->bytes;
    if (free_from > program.ub.size())
      return named + " ends at byte " + number(free_from) + " of a UB of " + number(program.ub.size());
  }
  return {};
}

Complaint memory_misshaped(const Site& site) {
  const Program& program = site.program;
  const std::size_t ub = program.ub.size();
  if (ub == 0 || ub > kMaxUbBytes || ub % kBlockBytes != 0)
    return "UB has " + number(ub) + " bytes; allowed: a multiple of " + number(kBlockBytes) + " up to " +
           number(kMaxUbBytes);
  if (site.instructions.size() > kMaxInstructions)
    return number(site.instructions.size()) + " instructions; at most " + number(kMaxInstructions);
  if (program.allocations.size() > kMostAllocations)
    return "more than " + number(kMostAllocations) + " allocations";
  return allocations_misplaced(program);
}

Complaint too_many_repeats(const Site& site) {
  if (site.insn().repeat <= kMostRepeats) return {};
  return number(site.insn().repeat) + " repeats; a program of lanecheck has at most " + number(kMostRepeats) +
         " in an instruction";
}

/// Lanes up to the last that the mask has active.
unsigned lanes_to_last_active(const MaskBits& mask, unsigned lanes) {
  while (lanes > 0 && (mask.words[(lanes - 1) / 64] >> (lanes - 1) % 64 & 1) == 0) --lanes;
  return lanes;
}

/// Bytes that the operand must have in its allocation.
std::uint64_t reach(const Site& site) {
  const bool may_overhang = site.readings.masked_tail == MaskedTail::may_overhang &&
                            site.row().mask != MaskUse::ignores && site.here.total == kNoTotal &&
                            site.column().walk == Walk::blocks;
  if (!may_overhang) return extent(site.here, site.k);
  return extent(site.insn(), site.k, lanes_to_last_active(site.mask, lanes_of(site.insn())));
}

Complaint outside_its_allocation(const Site& site) {
  const Operand& operand = site.operand();
  if (operand.allocation >= site.program.allocations.size())
    return role_of(site) + " names allocation " + number(operand.allocation) + ", which does not exist";
  const Allocation& home = site.program.allocations[operand.allocation];
  const std::uint64_t end = operand.offset + reach(site);
  if (operand.offset <= home.bytes && end <= home.bytes) return {};
  return role_of(site) + " reaches byte " + number(end) + " of allocation '" + home.name + "', which has " +
         number(home.bytes) + " bytes";
}

/// The operand moves to the end of its allocation, or a data block further.
bool to_end_of_allocation(EdgeSubject& s) {
  if (s.row().operands.empty()) return false;
  const unsigned k = s.drawn_operand();
  if (s.walks(k, Walk::indexed) || s.walks(k, Walk::packed) || s.insn.repeat == 0) return false;
  const Allocation& home = s.program.allocations[s.insn.operands[k].allocation];
  const std::uint64_t bytes = extent(s.resolved(), k), end = s.insn.operands[k].offset + bytes;
  if (end > home.bytes || bytes == 0) return false;
  const auto blocks = static_cast<std::uint32_t>((home.bytes - end) / kBlockBytes);
  s.insn.operands[k].offset += kBlockBytes * (blocks + (s.outside ? 1 : 0));
  return true;
}

Complaint no_room_for_whole_repeats(const Site& site) {
  const std::uint64_t start = start_of(site.program, site.operand());
  if (start + extent(site.insn(), site.k, lanes_of(site.insn())) <= site.program.ub.size()) return {};
  return "the last repeat of " + role_of(site) + " reaches past UB; leave room behind it";
}

/// What the column says; results of a reduction start at one repeat's results, if that is less.
std::uint64_t alignment_of(const Instruction& insn, unsigned k) {
  const OperandColumn& column = row_of(insn.op).operands[k];
  if (column.walk != Walk::results) return column.alignment;
  return std::min<std::uint64_t>(repeat_bytes(insn, k), column.alignment);
}

Complaint misaligned(const Site& site) {
  const std::uint64_t start = start_of(site.program, site.operand());
  const std::uint64_t unit = alignment_of(site.insn(), site.k);
  if (start % unit == 0) return {};
  return role_of(site) + " starts at byte " + number(start) + ", which is not a multiple of " + number(unit);
}

// Two pages state the alignment of their own operands.
bool is_of_gather_mask(const Site& site) {
  return site.row().compacts && site.column().walk != Walk::returned;
}
Complaint misaligned_in_gather_mask(const Site& site) {
  return is_of_gather_mask(site) ? misaligned(site) : Complaint{};
}
Complaint misaligned_in_padding(const Site& site) {
  return site.row().whole_blocks ? misaligned(site) : Complaint{};
}
Complaint misaligned_elsewhere(const Site& site) {
  return is_of_gather_mask(site) || site.row().whole_blocks ? Complaint{} : misaligned(site);
}

bool to_misaligned(EdgeSubject& s) {
  if (s.row().operands.empty()) return false;
  const unsigned k = s.drawn_operand();
  if (s.walks(k, Walk::indexed)) return false;
  s.make_room(k, 2 * kBlockBytes);
  s.insn.operands[k].offset += s.outside ? 1 + s.below(kBlockBytes - 1) : kBlockBytes;
  return true;
}

constexpr LegalityRule kPlaceRules[] = {
    {.position = 100,
     .id = "LAW-footprint",
     .kind = "footprint",
     .claim = "Every element of an operand lies inside its allocation.",
     .source = {kDevkit, "general constraints"},
     .profiles = every,
     .checks = {{Stage::place, outside_its_allocation}},
     .edge = to_end_of_allocation},
    {.position = 10,
     .id = "LAW-layout",
     .kind = "layout",
     .claim = "UB has at most 192 KiB, in data blocks of 32 bytes. Allocations start on data blocks and do "
              "not overlap. An instruction runs at most 8192 repeats, and UB has room for all lanes of each.",
     .source = {kDevkit, "Vector architecture"},
     .profiles = every,
     .checks = {{Stage::program, memory_misshaped},
                {Stage::walk, too_many_repeats},
                {Stage::place, no_room_for_whole_repeats}}},
    {.position = 110,
     .id = "LAW-alignment",
     .kind = "alignment",
     .claim = "Operands start on 32 bytes; results of a reduction on the bytes of one repeat's results, "
              "records and returned counts on 8, compare masks on 16.",
     .source = {kDevkit, "general constraints"},
     .profiles = every,
     .checks = {{Stage::place, misaligned_elsewhere}},
     .edge = to_misaligned},
    {.position = 310,
     .id = "GM-alignment",
     .kind = "alignment",
     .claim = "dst, src0 and src1 start on 32 bytes.",
     .source = {kGm, "dst, src0"},
     .profiles = a2 | p310,
     .checks = {{Stage::place, misaligned_in_gather_mask}},
     .edge = to_misaligned},
    {.position = 340,
     .id = "VP-alignment",
     .kind = "alignment",
     .claim = "dst and src start on 32 bytes.",
     .source = {kVp, "dst, src"},
     .profiles = p310,
     .checks = {{Stage::place, misaligned_in_padding}},
     .edge = to_misaligned},
};

}  // namespace

std::span<const LegalityRule> place_rules() {
  return kPlaceRules;
}

}  // namespace lanecheck::legality
