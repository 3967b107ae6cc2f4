#include "spec/legality.h"

#include <algorithm>
#include <bitset>

#include "spec/footprint.h"
#include "spec/mask_state.h"

namespace lanecheck {
namespace {

using Text = std::optional<std::string>;  // what is wrong, or nothing
using TouchedBlocks = std::bitset<kMaxUbBytes / kBlockBytes>;

std::string number(std::uint64_t n) {
  return std::to_string(n);
}

Text layout_fault(const Program& program) {
  const std::size_t ub = program.ub.size();
  if (ub == 0 || ub > kMaxUbBytes || ub % kBlockBytes != 0)
    return "UB has " + number(ub) + " bytes; allowed: a multiple of 32 up to " + number(kMaxUbBytes);
  if (program.instructions.size() > kMaxInstructions)
    return number(program.instructions.size()) + " instructions; at most " + number(kMaxInstructions);
  if (program.allocations.size() > 0xffff) return std::string("more than 65535 allocations");
  std::vector<const Allocation*> by_place;
  for (const Allocation& each : program.allocations) by_place.push_back(&each);
  std::ranges::sort(by_place, {}, &Allocation::offset);
  std::uint64_t free_from = 0;
  for (const Allocation* each : by_place) {
    const auto named = "allocation '" + each->name + "'";
    if (each->offset % kBlockBytes != 0)
      return named + " starts at byte " + number(each->offset) + ", which is no multiple of 32";
    if (each->offset < free_from) return named + " overlaps the one before it";
    free_from = std::uint64_t{each->offset} + each->bytes;
    if (free_from > ub) return named + " ends at byte " + number(free_from) + " of a UB of " + number(ub);
  }
  return {};
}

Text type_fault(const Instruction& i) {
  const Row& row = row_of(i.op);
  if (row.types.empty()) return {};
  const TypePair* pair = types_of(i);
  if (pair == nullptr) {
    std::string offered;
    for (const TypePair& each : row.types) {
      offered.append(offered.empty() ? "" : ", ").append(name_of(each.dst));
      if (each.src != each.dst) offered.append(" from ").append(name_of(each.src));
    }
    std::string what = "no ";
    what.append(name_of(i.dst_type))
        .append(" from ")
        .append(name_of(i.src_type))
        .append("; offered: ")
        .append(offered);
    return what;
  }
  if (row.form == Form::cast && (pair->rounds >> static_cast<unsigned>(i.round) & 1) == 0) {
    std::string what = "this cast has no round mode ";
    return what.append(kRoundNames[static_cast<unsigned>(i.round)]);
  }
  return {};
}

Text range_fault(const Instruction& i) {
  const Row& row = row_of(i.op);
  if (row.has_repeat && i.repeat > kMaxRepeat)
    return "repeat times " + number(i.repeat) + "; allowed: 0 to 255";
  for (unsigned k = 0; k < row.operands.size(); ++k)
    if (i.operands[k].block_stride > kMaxStride || i.operands[k].repeat_stride > kMaxStride)
      return std::string(row.operands[k].role) + " has a stride above 65535 blocks";
  for (unsigned q = 0; q < row.lengths; ++q)
    if (i.lengths[q] > 4095) return "a queue of " + number(i.lengths[q]) + " records; allowed: 0 to 4095";
  return {};
}

/// asc-devkit: 32 bytes, except results of a reduction (one repeat's results, 32 for cpadd), the queues of a
/// merge (a record) and the operand of set_cmpmask (16).
std::uint64_t alignment_of(const Instruction& i, unsigned k) {
  switch (row_of(i.op).operands[k].walk) {
    case Walk::results:
      return std::min<std::uint64_t>(repeat_bytes(i, k), kBlockBytes);
    case Walk::records:
      return k == 0 ? kBlockBytes : 8;
    case Walk::sixteen:
      return 16;
    default:
      return kBlockBytes;
  }
}

Text place_fault(const Program& program, const Instruction& i, unsigned k, unsigned lanes) {
  const Operand& operand = i.operands[k];
  const auto role = std::string(row_of(i.op).operands[k].role);
  if (operand.allocation >= program.allocations.size())
    return role + " names allocation " + number(operand.allocation) + ", which does not exist";
  const Allocation& home = program.allocations[operand.allocation];
  const std::uint64_t end = operand.offset + extent(i, k, lanes);
  if (operand.offset > home.bytes || end > home.bytes)
    return role + " reaches byte " + number(end) + " of allocation '" + home.name + "', which has " +
           number(home.bytes) + " bytes";
  return {};
}

/// Offsets of gather and scatter: multiples of the element size that stay inside the indexed allocation.
/// They must be data that no instruction writes, so that legality needs no execution.
Text offsets_fault(const Program& program, const Instruction& i, unsigned indexed, unsigned offsets) {
  const Operand& table = i.operands[offsets];
  for (const Instruction& other : program.instructions)
    if (const Row& row = row_of(other.op); !row.operands.empty() && row.operands[0].role == "dst" &&
                                           other.operands[0].allocation == table.allocation)
      return std::string(
          "offsets lie in an allocation that an instruction writes; keep them in one of their own");
  const Operand& target = i.operands[indexed];
  const std::uint64_t room = program.allocations[target.allocation].bytes - target.offset;
  const unsigned size = size_of(i.dst_type);
  const std::byte* words = program.ub.data() + start_of(program, table);
  for (unsigned n = 0; n < i.repeat * lanes_of(i); ++n) {
    const std::uint64_t offset = load<std::uint32_t>(words + 4 * n);
    if (offset % size != 0 || offset + size > room)
      return "offset number " + number(n) + " is " + number(offset) + "; allowed: multiples of " +
             number(size) + " up to " + number(room - std::min<std::uint64_t>(room, size));
  }
  return {};
}

TouchedBlocks touched(const Program& program, const Instruction& i, unsigned k) {
  TouchedBlocks blocks;
  const std::uint64_t start = start_of(program, i.operands[k]);
  if (row_of(i.op).operands[k].walk == Walk::indexed) {
    const Allocation& home = program.allocations[i.operands[k].allocation];
    for (std::uint64_t b = start / kBlockBytes; b * kBlockBytes < home.offset + home.bytes; ++b)
      blocks.set(b);
  }
  for_each_piece(i, k, [&](std::uint64_t offset, std::uint64_t bytes) {
    if (bytes == 0) return;
    for (auto b = (start + offset) / kBlockBytes; b <= (start + offset + bytes - 1) / kBlockBytes; ++b)
      if (b < blocks.size()) blocks.set(b);
  });
  return blocks;
}

/// No two repeats of operand `k` touch the same block.
bool repeats_are_disjoint(const Program& program, const Instruction& i, unsigned k) {
  Instruction one = i;
  one.repeat = 1;
  const TouchedBlocks first = touched(program, one, k);
  TouchedBlocks seen;
  for (unsigned r = 0; r < i.repeat; ++r) {
    const TouchedBlocks now = first << (r * i.operands[k].repeat_stride);
    if ((seen & now).any()) return false;
    seen |= now;
  }
  return true;
}

/// asc-devkit, general constraints: dst may accumulate over repeats through src1 of these.
bool may_accumulate(const Instruction& i, unsigned k) {
  const auto op = i.op;
  return k == 2 && i.operands[0].repeat_stride == 0 &&
         (op == Op::add || op == Op::sub || op == Op::mul || op == Op::vmax || op == Op::vmin) &&
         (i.dst_type == Element::f16 || i.dst_type == Element::f32 || i.dst_type == Element::i32);
}

Text overlap_fault(const Program& program, const Instruction& i) {
  const Row& row = row_of(i.op);
  if (row.operands.empty() || row.operands[0].role != "dst" || repeats_of(i) == 0) return {};
  const bool reads_dst = row.form == Form::multiply_add || row.form == Form::axpy;
  if (reads_dst && !repeats_are_disjoint(program, i, 0))
    return std::string("dst is read and written, and two repeats share a block of it");
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (i.operands[k].allocation != i.operands[0].allocation) continue;
    const bool same_walk = row.operands[k].walk == Walk::blocks && row.operands[0].walk == Walk::blocks &&
                           size_of(i.dst_type) == size_of(i.src_type);
    if (same_walk && i.operands[k] == i.operands[0] && !reads_dst) {
      if (i.operands[0].block_stride == 0)
        return std::string("in place with block stride 0: blocks of one repeat meet");
      if (may_accumulate(i, k) || i.repeat <= 1 || repeats_are_disjoint(program, i, 0)) continue;
      return "in place over " + number(i.repeat) + " repeats, and a repeat reads what an earlier one wrote";
    }
    if ((touched(program, i, 0) & touched(program, i, k)).any())
      return "dst and " + std::string(row.operands[k].role) +
             " overlap; allowed: apart, or exactly the same place, strides and width";
  }
  return {};
}

unsigned lanes_to_last_active(const Mask& mask, unsigned lanes) {
  while (lanes > 0 && mask[lanes - 1] == 0) --lanes;
  return lanes;
}

}  // namespace

std::optional<Fault> find_fault(const Program& program, const Readings& readings) {
  if (Text what = layout_fault(program)) return Fault{Fault::kWholeProgram, "layout", *what};
  Mask mask = kFullMask;
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    const Instruction& i = program.instructions[n];
    const Row& row = row_of(i.op);
    if (Text what = type_fault(i)) return Fault{n, "types", *what};
    if (Text what = range_fault(i)) return Fault{n, "range", *what};
    const bool overhang = readings.masked_tail == MaskedTail::may_overhang && row.mask != MaskUse::ignores;
    for (unsigned k = 0; k < row.operands.size(); ++k) {
      const bool may_overhang = overhang && row.operands[k].walk == Walk::blocks;
      const unsigned lanes = lanes_of(i);
      if (Text what = place_fault(program, i, k, may_overhang ? lanes_to_last_active(mask, lanes) : lanes))
        return Fault{n, "footprint", *what};
      const std::uint64_t start = start_of(program, i.operands[k]);
      if (may_overhang && start + extent(i, k, lanes) > program.ub.size())
        return Fault{n, "footprint", std::string(row.operands[k].role) + " reaches past UB"};
      if (const auto unit = alignment_of(i, k); start % unit != 0)
        return Fault{n, "alignment",
                     std::string(row.operands[k].role) + " starts at byte " + number(start) +
                         ", which is no multiple of " + number(unit)};
    }
    if (row.form == Form::gather)
      if (Text what = offsets_fault(program, i, 1, 2)) return Fault{n, "offsets", *what};
    if (row.form == Form::scatter)
      if (Text what = offsets_fault(program, i, 0, 2)) return Fault{n, "offsets", *what};
    if (Text what = overlap_fault(program, i)) return Fault{n, "overlap", *what};
    apply_documented(mask, i);
  }
  return {};
}

std::string describe(const Program& program, const Fault& fault) {
  if (fault.instruction == Fault::kWholeProgram) return "program: " + fault.what;
  std::string text = "instruction " + number(fault.instruction + 1) + " (";
  return text.append(row_of(program.instructions[fault.instruction].op).name)
      .append("): ")
      .append(fault.what);
}

}  // namespace lanecheck
