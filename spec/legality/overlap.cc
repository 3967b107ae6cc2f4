// dst and sources that lie in one allocation.
#include <bitset>

#include "spec/legality/rows.h"
#include "spec/mask/footprint.h"

namespace lanecheck::legality {
namespace {

using TouchedBlocks = std::bitset<kMaxUbBytes / kBlockBytes>;

/// The data blocks of operand `k` that repeat `r` touches.
TouchedBlocks touched(const Site& site, unsigned k, unsigned r) {
  TouchedBlocks blocks;
  const Instruction& insn = site.insn();
  const std::uint64_t start = start_of(site.program, insn.operands[k]);
  if (site.row().operands[k].walk == Walk::indexed) {
    const Allocation& home = site.program.allocations[insn.operands[k].allocation];
    for (std::uint64_t b = start / kBlockBytes; b * kBlockBytes < home.offset + home.bytes; ++b)
      blocks.set(b);
  }
  for_each_piece_of(insn, k, r, lanes_in(site.here, r), [&](std::uint64_t offset, std::uint64_t bytes) {
    if (bytes == 0) return;
    for (auto b = (start + offset) / kBlockBytes; b <= (start + offset + bytes - 1) / kBlockBytes; ++b)
      if (b < blocks.size()) blocks.set(b);
  });
  return blocks;
}

/// No two repeats of dst touch the same block.
bool repeats_of_dst_are_disjoint(const Site& site) {
  TouchedBlocks seen;
  for (unsigned r = 0; r < repeats_of(site.insn()); ++r) {
    const TouchedBlocks now = touched(site, 0, r);
    if ((seen & now).any()) return false;
    seen |= now;
  }
  return true;
}

bool writes_dst(const Site& site) {
  return site.row().writes_dst() && repeats_of(site.insn()) != 0;
}

/// dst and the operand are the same elements, repeat by repeat.
bool is_dst_itself(const Site& site) {
  const Instruction& insn = site.insn();
  Operand dst = insn.operands[0];
  if (repeats_of(insn) <= 1) dst.repeat_stride = site.operand().repeat_stride;  // one repeat takes no stride
  return site.column().walk == Walk::blocks && site.row().operands[0].walk == Walk::blocks &&
         size_of(insn.dst_type) == size_of(insn.src_type) && site.operand() == dst;
}

/// gather_mask onto its own contiguous source: packing never runs ahead of reading (asc-devkit, example).
bool packs_in_place(const Site& site) {
  const Instruction& insn = site.insn();
  const Operand &dst = insn.operands[0], &src = insn.operands[1];
  return site.row().compacts && site.k == 1 && dst.offset == src.offset && src.block_stride == 1 &&
         (insn.repeat <= 1 || lanes_of(insn) * size_of(insn.src_type) <= src.repeat_stride * kBlockBytes);
}

/// asc-devkit, general constraints: dst may accumulate over repeats through src1 of these.
bool may_accumulate(const Site& site) {
  constexpr unsigned kSrc1 = 2;
  const Instruction& insn = site.insn();
  return site.k == kSrc1 && insn.operands[0].repeat_stride == 0 && accumulates(insn);
}

/// How the repeats of dst and of the operand meet.
enum class Meeting : std::uint8_t { nowhere, in_one_repeat, read_after_write, write_after_read };

/// The first of the three that happens, in the order of the enum except that one repeat goes before all.
Meeting blocks_meet(const Site& site) {
  TouchedBlocks written, read;
  Meeting found = Meeting::nowhere;
  for (unsigned r = 0; r < repeats_of(site.insn()); ++r) {
    const TouchedBlocks dst = touched(site, 0, r), src = touched(site, site.k, r);
    if ((dst & src).any()) return Meeting::in_one_repeat;
    if ((written & src).any()) found = Meeting::read_after_write;
    if (found == Meeting::nowhere && (read & dst).any()) found = Meeting::write_after_read;
    written |= dst;
    read |= src;
  }
  return found;
}

/// Does the program use dst as a source where that is allowed repeat by repeat?
bool is_in_place(const Site& site) {
  return is_dst_itself(site) && site.readings.tik_overlap == TikOverlap::partial_only;
}

Meeting meeting(const Site& site) {
  const Instruction& insn = site.insn();
  if (site.k == 0 || !writes_dst(site)) return Meeting::nowhere;
  if (site.operand().allocation != insn.operands[0].allocation || packs_in_place(site))
    return Meeting::nowhere;
  if (!is_in_place(site)) return blocks_meet(site);
  if (insn.operands[0].block_stride == 0) return Meeting::in_one_repeat;
  if (may_accumulate(site) || insn.repeat <= 1 || repeats_of_dst_are_disjoint(site)) return Meeting::nowhere;
  return Meeting::read_after_write;
}

std::string both(const Site& site) {
  return "dst and " + role_of(site);
}

Complaint meet_in_one_repeat(const Site& site) {
  if (meeting(site) != Meeting::in_one_repeat) return {};
  if (is_in_place(site)) return "in place with block stride 0: blocks of one repeat meet";
  if (is_dst_itself(site)) return both(site) + " overlap; allowed: apart";
  return both(site) + " overlap; allowed: apart, or the same place, strides and width";
}

Complaint read_after_write(const Site& site) {
  if (meeting(site) != Meeting::read_after_write) return {};
  if (is_in_place(site))
    return "in place over " + number(site.insn().repeat) +
           " repeats, and a repeat reads what an earlier one wrote";
  return both(site) + " overlap: a repeat reads what an earlier one wrote";
}

Complaint write_after_read(const Site& site) {
  if (meeting(site) != Meeting::write_after_read) return {};
  return both(site) + " overlap: a repeat writes what an earlier one read";
}

Complaint dst_read_back(const Site& site) {
  if (!writes_dst(site) || !site.row().reads_dst || repeats_of_dst_are_disjoint(site)) return {};
  return "dst is read and written, and two repeats share a block of it";
}

Complaint dst_blocks_meet(const Site& site) {
  const Operand& dst = site.insn().operands[0];
  if (!writes_dst(site) || !site.row().reads_dst || dst.block_stride != 0) return {};
  return "dst is read and written, and its block stride is 0: blocks of one repeat meet";
}

/// One source, which may take the place of dst.
bool may_be_in_place(const EdgeSubject& s) {
  return s.row().operands.size() == 2 && s.walks(0, Walk::blocks) && s.walks(1, Walk::blocks) &&
         !s.row().whole_blocks && size_of(s.insn.dst_type) == size_of(s.insn.src_type) &&
         s.insn.mask_from != MaskFrom::count;
}

/// dst and src in one allocation, in one repeat: the same place, or one data block apart.
bool to_partly_in_place(EdgeSubject& s) {
  if (!may_be_in_place(s)) return false;
  s.make_contiguous(0);
  s.make_contiguous(1);
  s.insn.repeat = 1;
  s.make_room(0, kRepeatBytes);
  s.insn.operands[1] = s.insn.operands[0];
  if (s.outside) s.insn.operands[1].offset += kBlockBytes;
  return true;
}

/// In place over two repeats that lie side by side, or share a data block.
bool to_repeats_in_place(EdgeSubject& s) {
  if (!may_be_in_place(s)) return false;
  s.make_contiguous(0);
  s.insn.repeat = 2;
  s.make_room(0, 2 * kRepeatBytes);
  if (s.outside) s.insn.operands[0].repeat_stride -= 1;
  s.insn.operands[1] = s.insn.operands[0];
  return true;
}

bool to_dst_read_back(EdgeSubject& s) {
  if (!s.row().reads_dst || s.insn.mask_from == MaskFrom::count) return false;
  s.insn.repeat = 2;
  for (unsigned k = 0; k < s.row().operands.size(); ++k) {
    s.make_contiguous(k);
    s.make_room(k, 2 * kRepeatBytes);
  }
  if (s.outside) s.insn.operands[0].repeat_stride -= 1;
  return true;
}

bool to_dst_blocks_that_meet(EdgeSubject& s) {
  if (!s.row().reads_dst) return false;
  s.insn.repeat = 1;
  for (unsigned k = 0; k < s.row().operands.size(); ++k) {
    s.make_contiguous(k);
    s.make_room(k, kRepeatBytes);
  }
  if (s.outside) s.insn.operands[0].block_stride = 0;
  return true;
}

constexpr LegalityRule kOverlapRules[] = {
    {.position = 150,
     .id = "LAW-overlap-dst",
     .kind = "overlap",
     .claim = "Repeats of a dst that is also read share no block.",
     .source = {kDevkit, "Axpy, MulAddDst"},
     .profiles = a2 | tik,
     .checks = {{Stage::operands, dst_read_back}},
     .edge = to_dst_read_back},
    {.position = 155,
     .id = "LAW-overlap-dst-blocks",
     .kind = "overlap",
     .claim = "In one repeat the data blocks of a dst that is also read are apart.",
     .source = {kDevkit, "general constraints"},
     .profiles = vmc,
     .checks = {{Stage::operands, dst_blocks_meet}},
     .edge = to_dst_blocks_that_meet},
    {.position = 130,
     .id = "LAW-overlap-partial",
     .kind = "overlap",
     .claim = "In one repeat dst and a source are apart or exactly the same place.",
     .source = {kDevkit, "general constraints"},
     .profiles = vmc | a2 | p310,
     .checks = {{Stage::overlap, meet_in_one_repeat}},
     .edge = to_partly_in_place},
    {.position = 430,
     .id = "TIK-overlap-one-repeat",
     .kind = "overlap",
     .claim = "In one repeat dst and src overlap completely or not at all.",
     .source = {kTik, "notes"},
     .profiles = tik,
     .checks = {{Stage::overlap, meet_in_one_repeat}},
     .edge = to_partly_in_place},
    {.position = 140,
     .id = "LAW-overlap-repeats",
     .kind = "overlap",
     .claim = "No repeat reads what an earlier one wrote, except for accumulation through src1.",
     .source = {kDevkit, "general constraints"},
     .profiles = vmc | a2 | p310,
     .checks = {{Stage::overlap, read_after_write}},
     .edge = to_repeats_in_place},
    {.position = 440,
     .id = "TIK-overlap-repeats",
     .kind = "overlap",
     .claim = "Over several repeats no dst of one repeat is the src of the next.",
     .source = {kTik, "notes"},
     .profiles = tik,
     .checks = {{Stage::overlap, read_after_write}},
     .edge = to_repeats_in_place},
    {.position = 200,
     .id = "LAW-overlap-open",
     .kind = "overlap",
     .claim = "No repeat writes what an earlier one read from another place; the documents speak of the "
              "reverse.",
     .source = {kDevkit, "general constraints (silent)"},
     .profiles = every,
     .checks = {{Stage::overlap, write_after_read}}},
};

}  // namespace

std::span<const LegalityRule> overlap_rules() {
  return kOverlapRules;
}

}  // namespace lanecheck::legality
