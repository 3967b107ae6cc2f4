// The rules of VectorPadding (VP).
#include <algorithm>
#include <optional>

#include "spec/rules/cell_kinds.h"
#include "spec/rules/documents.h"
#include "spec/rules/relation.h"

namespace lanecheck {
namespace {

using namespace relation;
using namespace cell_kinds;

bool pads(const Cell& c) {
  return c.op == Op::vpadding && runs(c);
}
template <unsigned Mode, unsigned Side>
bool pads_as(const Cell& c) {
  return pads(c) && c.variant == 2 * Mode + Side;
}
bool pads_with_some_off(const Cell& c) {
  return pads(c) && some_off(c);
}

/// The document's letters, for a block of `per` elements: which element of the block stands at place `n` of
/// its padding, or nothing for the letter x. On the left the letters are read towards the block (..cb|abc),
/// on the right away from it (abc|ba..).
std::optional<unsigned> letter(unsigned mode, bool right, unsigned n, unsigned per) {
  const unsigned away = right ? n : per - 1 - n;  // steps from the edge of the block into the padding
  const unsigned inwards = mode == 0 ? 0 : away + mode - 1;
  if (inwards >= per) return {};
  return right ? per - 1 - inwards : inwards;
}

/// Calls `holds(repeat, lane, now)` for each active element of dst, where `now` is where it stands in UB.
/// False as soon as one call is. Places that several elements write are left to the reading alias_winner.
template <class Holds>
bool every_active(const Step& s, Holds holds) {
  const Walked walked(s);
  const Instruction& insn = walked.here.insn;
  if (writes_a_place_twice(insn)) return true;
  for (std::uint64_t r = 0; r < insn.repeat; ++r)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
      if (walked.is_on(r, lane) &&
          !holds(r, lane, s.after.ub.data() + lane_at(s, insn.operands[0], size_of(insn.dst_type), r, lane)))
        return false;
  return true;
}

constexpr std::byte kZero[kBlockBytes] = {};

/// Active elements of dst are the padding of their own block of src.
bool pads_active(const Step& s) {
  const unsigned size = size_of(s.insn.dst_type), per = kBlockBytes / size;
  return every_active(s, [&](std::uint64_t r, unsigned lane, const std::byte* now) {
    const auto from = letter(setting(s.insn, "mode"), setting(s.insn, "side") == 1, lane % per, per);
    const std::byte* want = kZero;
    if (from) want = s.before.ub.data() + lane_at(s, s.insn.operands[1], size, r, lane - lane % per + *from);
    return std::equal(want, want + size, now);
  });
}

/// Active elements of dst are some element of their own block of src, or the 0 of padMode 2.
bool takes_from_own_block(const Step& s) {
  const unsigned size = size_of(s.insn.dst_type), per = kBlockBytes / size;
  return every_active(s, [&](std::uint64_t r, unsigned lane, const std::byte* now) {
    if (setting(s.insn, "mode") == 2 && std::equal(kZero, kZero + size, now)) return true;
    for (unsigned e = 0; e < per; ++e) {
      const std::byte* from =
          s.before.ub.data() + lane_at(s, s.insn.operands[1], size, r, lane - lane % per + e);
      if (std::equal(from, from + size, now)) return true;
    }
    return false;
  });
}

constexpr Rule kVpRules[] = {
    {.id = "VP-1-mode-0-left",
     .claim = "padMode 0 on the left: every element is the first of its data block (aaa|abc).",
     .source = {kVp, "Functions"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = (pads_as<0, 0>),
     .holds = pads_active},
    {.id = "VP-1-mode-0-right",
     .claim = "padMode 0 on the right: every element is the last of its data block (nop|ppp).",
     .source = {kVp, "Functions"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = (pads_as<0, 1>),
     .holds = pads_active},
    {.id = "VP-1-mode-1-left",
     .claim = "padMode 1 on the left: the data block mirrored at its first element (cba|abc).",
     .source = {kVp, "Functions"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = (pads_as<1, 0>),
     .holds = pads_active},
    {.id = "VP-1-mode-1-right",
     .claim = "padMode 1 on the right: the data block mirrored at its last element (nop|pon).",
     .source = {kVp, "Functions"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = (pads_as<1, 1>),
     .holds = pads_active},
    {.id = "VP-1-mode-2-left",
     .claim = "padMode 2 on the left: mirrored without the first element (xcb|abc).",
     .source = {kVp, "Functions"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = (pads_as<2, 0>),
     .holds = pads_active},
    {.id = "VP-1-mode-2-right",
     .claim = "padMode 2 on the right: mirrored without the last element (nop|onx).",
     .source = {kVp, "Functions"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = (pads_as<2, 1>),
     .holds = pads_active},
    {.id = "VP-1-zero",
     .claim = "padMode 2 fills the place of the discarded element with 0.",
     .source = {kVp, "Functions"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = [](const Cell& c) { return pads(c) && c.variant / 2 == 2; },
     .holds = pads_active},
    {.id = "VP-1-by-block",
     .claim = "Every data block is padded by itself.",
     .source = {kVp, "Functions"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = pads,
     .holds = takes_from_own_block},
    {.id = "VP-2-mask-write",
     .claim = "The mask gates what is written: an element that is off keeps its old dst.",
     .source = {kVp, "Constraints"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return pads_with_some_off(c) && c.mode == Mode::normal; },
     .holds = gates_writeback},
    {.id = "VP-2-mask-read",
     .claim =
         "The mask does not gate what is read: an element that is off is still mirrored into one that is on.",
     .source = {kVp, "Constraints"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = [](const Cell& c) { return pads_with_some_off(c) && c.mode == Mode::normal; },
     .holds = writes_active},
    {.id = "VP-2-contiguous",
     .claim = "Contiguous mask: the first n elements of every repeat.",
     .source = {kVp, "mask"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return pads(c) && c.from == MaskFrom::contiguous; },
     .holds = gates_writeback},
    {.id = "VP-2-bitwise",
     .claim = "Bitwise mask: an element takes part where its bit is 1.",
     .source = {kVp, "mask"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return pads(c) && c.from == MaskFrom::bitwise; },
     .holds = gates_writeback},
    {.id = "VP-2-outside",
     .claim = "isSetMask false: the mask is the one that SetVectorMask set.",
     .source = {kVp, "isSetMask"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) { return pads(c) && c.from == MaskFrom::reg && c.origin == MaskOrigin::set; },
     .holds = gates_writeback},
    {.id = "VP-3-count-write",
     .claim = "count is the number of elements that are written.",
     .source = {kVp, "Constraints"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return pads(c) && c.from == MaskFrom::count; },
     .holds = gates_writeback},
    {.id = "VP-3-count-read",
     .claim = "count does not bound what is read: the data block of the last element is read in full.",
     .source = {kVp, "Constraints"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = [](const Cell& c) { return pads(c) && c.from == MaskFrom::count && c.tail; },
     .holds = writes_active},
    {.id = "VP-4-strides",
     .claim = "Block strides and repeat strides apply to dst and src.",
     .source = {kVp, "repeatParams"},
     .standing = Standing::documented,
     .about = About::strides,
     .applies = [](const Cell& c) { return pads(c) && c.stride != StrideClass::canonical; },
     .holds =
         [](const Step& s) {
           return takes_from_own_block(s) && keeps_masked_off(s) && stays_in_footprint(s);
         }},
};

}  // namespace

std::span<const Rule> vp_rules() {
  return kVpRules;
}

}  // namespace lanecheck
