// The rules of gather_mask (GM).
#include <algorithm>

#include "spec/rules/cell_kinds.h"
#include "spec/rules/documents.h"
#include "spec/rules/relation.h"

namespace lanecheck {
namespace {

using namespace relation;
using namespace cell_kinds;

bool is_any_gather_mask(Op op) {
  return among(op, {Op::gather_mask, Op::gather_mask_user});
}
bool gathers(const Cell& c) {
  return is_any_gather_mask(c.op) && runs(c);
}
bool gathers_by_user_pattern(const Cell& c) {
  return c.op == Op::gather_mask_user && runs(c);
}
bool counts_elements(const Cell& c) {
  return (c.variant & 8) != 0;
}
bool has_mask_argument(const Cell& c) {
  return (c.variant & 16) != 0;
}
bool gathers_repeatedly(const Cell& c) {
  return is_any_gather_mask(c.op) && repeats(c);
}
template <unsigned Pattern>
bool pattern_is(const Cell& c) {
  return c.op == Op::gather_mask && (c.variant & 7) == Pattern && runs(c);
}

/// Does the document keep element `e` of a repeat? Fixed patterns are written there highest bit first.
bool fixed_keeps(unsigned pattern, std::uint64_t e) {
  constexpr unsigned kBits[] = {0, 0b0101, 0b1010, 0b0001, 0b0010, 0b0100, 0b1000, 0b1111};
  return (kBits[pattern & 7] >> e % 4 & 1) != 0;
}

/// Where the kept elements lie in UB, in the order of dst.
std::vector<std::uint64_t> kept_places(const Step& s) {
  const Walked walked(s);
  const Instruction& insn = walked.here.insn;
  const std::uint64_t lanes = lanes_of(insn);
  std::vector<std::uint64_t> places;
  for (std::uint64_t r = 0; r < insn.repeat; ++r)
    for (std::uint64_t e = 0; e < lanes && r * lanes + e < walked.here.total; ++e) {
      bool keeps = fixed_keeps(setting(insn, "pattern"), e);
      if (insn.op == Op::gather_mask_user) {
        const std::uint64_t bits =
            start_of(s.program, insn.operands[2]) + r * insn.operands[2].repeat_stride * kBlockBytes;
        keeps = (std::to_integer<unsigned>(s.before.ub[bits + e / 8]) >> e % 8 & 1) != 0;
      }
      if (keeps) places.push_back(lane_at(s, insn.operands[1], size_of(insn.src_type), r, e));
    }
  return places;
}

/// dst begins with the kept elements, one after the other.
bool packs_kept(const Step& s) {
  const std::uint64_t size = size_of(s.insn.dst_type), dst = start_of(s.program, s.insn.operands[0]);
  std::uint64_t n = 0;
  for (const std::uint64_t from : kept_places(s)) {
    const auto at = s.before.ub.begin() + static_cast<std::ptrdiff_t>(from);
    if (!std::equal(at, at + static_cast<std::ptrdiff_t>(size),
                    s.after.ub.begin() + static_cast<std::ptrdiff_t>(dst + n++ * size)))
      return false;
  }
  return true;
}
bool returns_count(const Step& s) {
  const unsigned last = s.insn.op == Op::gather_mask_user ? 3 : 2;  // a user pattern is an operand too
  return load<std::uint64_t>(s.after.ub.data() + start_of(s.program, s.insn.operands[last])) ==
         kept_places(s).size();
}
bool keeps_rest(const Step& s) {
  const std::uint64_t size = size_of(s.insn.dst_type), dst = start_of(s.program, s.insn.operands[0]);
  const Allocation& home = s.program.allocations[s.insn.operands[0].allocation];
  const auto from = static_cast<std::ptrdiff_t>(dst + kept_places(s).size() * size);
  const auto to = static_cast<std::ptrdiff_t>(home.offset + home.bytes);
  return std::equal(s.before.ub.begin() + from, s.before.ub.begin() + to, s.after.ub.begin() + from);
}
// Which configuration of counter mode a profile has (GM, reduce_mode). In configuration 1 the mask is the
// number of elements of each repeat, in configuration 2 of the whole call.
constexpr ProfileSet kPerRepeat = {Profile::a2};
constexpr ProfileSet kInAll = {Profile::p310};

constexpr Rule kRules[] = {
    {.id = "GM-1-pattern-1",
     .claim = "Fixed pattern 1 keeps every element with an even index of a repeat.",
     .source = {kGm, "src1_pattern"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::kept,
     .applies = pattern_is<1>,
     .holds = packs_kept},
    {.id = "GM-1-pattern-2",
     .claim = "Fixed pattern 2 keeps every element with an odd index of a repeat.",
     .source = {kGm, "src1_pattern"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::kept,
     .applies = pattern_is<2>,
     .holds = packs_kept},
    {.id = "GM-1-pattern-3",
     .claim = "Fixed pattern 3 keeps the first of every four elements of a repeat.",
     .source = {kGm, "src1_pattern"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::kept,
     .applies = pattern_is<3>,
     .holds = packs_kept},
    {.id = "GM-1-pattern-4",
     .claim = "Fixed pattern 4 keeps the second of every four elements of a repeat.",
     .source = {kGm, "src1_pattern"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::kept,
     .applies = pattern_is<4>,
     .holds = packs_kept},
    {.id = "GM-1-pattern-5",
     .claim = "Fixed pattern 5 keeps the third of every four elements of a repeat.",
     .source = {kGm, "src1_pattern"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::kept,
     .applies = pattern_is<5>,
     .holds = packs_kept},
    {.id = "GM-1-pattern-6",
     .claim = "Fixed pattern 6 keeps the fourth of every four elements of a repeat.",
     .source = {kGm, "src1_pattern"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::kept,
     .applies = pattern_is<6>,
     .holds = packs_kept},
    {.id = "GM-1-pattern-7",
     .claim = "Fixed pattern 7 keeps all elements of a repeat.",
     .source = {kGm, "src1_pattern"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::kept,
     .applies = pattern_is<7>,
     .holds = packs_kept},
    {.id = "GM-1-each-repeat",
     .claim = "All repeats use the same fixed pattern, from their first element on.",
     .source = {kGm, "src1_pattern"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::kept,
     .applies = [](const Cell& c) { return gathers_repeatedly(c) && !gathers_by_user_pattern(c); },
     .holds = packs_kept,
     .profiles = kPerRepeat},
    {.id = "GM-2-user-bit",
     .claim = "A user pattern keeps an element where its bit is 1, the lowest bit first.",
     .source = {kGm, "src1_pattern (silent on the order)"},
     .standing = Standing::contested,
     .about = About::elements,
     .gathers = GatherMatter::kept,
     .applies = gathers_by_user_pattern,
     .holds = packs_kept},
    {.id = "GM-2-user-in-a-row",
     .claim = "Within a repeat the bits of a user pattern are consumed one after the other.",
     .source = {kGm, "src1_pattern"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::kept,
     .applies = gathers_by_user_pattern,
     .holds = packs_kept},
    {.id = "GM-2-user-stride",
     .claim = "From repeat to repeat a user pattern advances by src1_repeat_stride.",
     .source = {kGm, "src1_pattern"},
     .standing = Standing::documented,
     .about = About::strides,
     .gathers = GatherMatter::pattern_stride,
     .applies = [](const Cell& c) { return gathers_by_user_pattern(c) && gathers_repeatedly(c); },
     .holds = packs_kept},
    {.id = "GM-3-normal-repeat",
     .claim = "Normal mode: every repeat takes 256 bytes of src0, repeat_times of them.",
     .source = {kGm, "reduce_mode"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::looked_at,
     .applies = [](const Cell& c) { return gathers(c) && !counts_elements(c); },
     .holds = packs_kept},
    {.id = "GM-3-normal-mask",
     .claim = "Normal mode: the mask argument has no effect.",
     .source = {kGm, "reduce_mode"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::looked_at,
     .applies = [](const Cell& c) { return gathers(c) && !counts_elements(c) && has_mask_argument(c); },
     .holds = packs_kept},
    {.id = "GM-3-counter-per-repeat",
     .claim = "Counter mode, configuration 1: every repeat takes `mask` elements, repeat_times of them.",
     .source = {kGm, "reduce_mode (configuration 1)"},
     .standing = Standing::contested,
     .about = About::elements,
     .gathers = GatherMatter::looked_at,
     .applies = [](const Cell& c) { return gathers(c) && counts_elements(c); },
     .holds = packs_kept,
     .profiles = kPerRepeat},
    {.id = "GM-3-counter-total",
     .claim = "Counter mode, configuration 2: `mask` elements in all, 256 bytes in a repeat.",
     .source = {kGm, "reduce_mode (configuration 2)"},
     .standing = Standing::contested,
     .about = About::elements,
     .gathers = GatherMatter::looked_at,
     .applies = [](const Cell& c) { return gathers(c) && counts_elements(c); },
     .holds = packs_kept,
     .profiles = kInAll},
    {.id = "GM-3-counter-repeats",
     .claim = "Counter mode, configuration 2: repeat_times has no effect.",
     .source = {kGm, "reduce_mode (configuration 2)"},
     .standing = Standing::contested,
     .about = About::elements,
     .gathers = GatherMatter::looked_at,
     .applies = [](const Cell& c) { return gathers(c) && counts_elements(c); },
     .holds = [](const Step& s) { return repeat_times_fit_count(s) || packs_kept(s); },
     .profiles = kInAll},
    {.id = "GM-4-block-stride",
     .claim = "src0_block_stride is the distance of data blocks of src0 within a repeat.",
     .source = {kGm, "params"},
     .standing = Standing::documented,
     .about = About::strides,
     .gathers = GatherMatter::block_stride,
     .applies = [](const Cell& c) { return gathers(c) && c.stride != StrideClass::canonical; },
     .holds = [](const Step& s) { return s.insn.operands[1].block_stride == 1 || packs_kept(s); }},
    {.id = "GM-4-repeat-stride",
     .claim = "src0_repeat_stride is the distance of repeats of src0.",
     .source = {kGm, "params"},
     .standing = Standing::documented,
     .about = About::strides,
     .gathers = GatherMatter::repeat_stride,
     .applies = [](const Cell& c) { return gathers_repeatedly(c) && c.stride != StrideClass::canonical; },
     .holds =
         [](const Step& s) { return s.insn.operands[1].repeat_stride == kRepeatBlocks || packs_kept(s); }},
    {.id = "GM-5-dense",
     .claim = "Kept elements are packed into dst without a gap, from one repeat to the next as well.",
     .source = {kGm, "first paragraph"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::packing,
     .applies = gathers_repeatedly,
     .holds = packs_kept},
    {.id = "GM-5-count",
     .claim = "The call returns how many elements it kept, over all repeats.",
     .source = {kGm, "returns"},
     .standing = Standing::documented,
     .about = About::elements,
     .gathers = GatherMatter::count,
     .applies = gathers,
     .holds = returns_count},
    {.id = "GM-5-past-count",
     .claim = "dst past the returned count keeps its old value.",
     .source = {kGm, "returns (silent)"},
     .standing = Standing::contested,
     .about = About::elements,
     .applies = gathers,
     .holds = keeps_rest},
    {.id = "GM-6-mode-after",
     .claim = "Afterwards normal mode is on, counter mode must be set again.",
     .source = {kGm, "constraints"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_any_gather_mask(c.op); },
     .holds = [](const Step& s) { return s.after.mode == Mode::normal; }},
    {.id = "GM-6-own-pattern",
     .claim = "Only the pattern selects; the vector mask has no say.",
     .source = {kGm, "first paragraph (silent on the vector mask)"},
     .standing = Standing::contested,
     .gathers = GatherMatter::vector_mask,
     .applies =
         [](const Cell& c) { return gathers(c) && c.mask != MaskClass::full && c.mode == Mode::normal; },
     .holds = packs_kept},
};

}  // namespace

std::span<const Rule> gm_rules() {
  return kRules;
}

}  // namespace lanecheck
