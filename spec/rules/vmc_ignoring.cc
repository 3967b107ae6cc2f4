// The rules of Vector Mask Constraints (VMC), sections 4 and 5: instructions that ignore the mask.
#include <algorithm>

#include "spec/rules/documents.h"
#include "spec/rules/relation.h"
#include "spec/rules/vmc_lists.h"

namespace lanecheck {
namespace {

using namespace relation;
using namespace vmc;

/// Element n of a select is src0's if bit n mod 8 of control byte n / 8 is 1, else src1's or the number.
bool select_follows_packed_bits(const Step& s) {
  const Instruction& insn = s.insn;
  const unsigned size = size_of(insn.dst_type), lanes = lanes_of(insn);
  if (writes_a_place_twice(insn)) return true;  // left to the reading alias_winner
  const auto* scalar = reinterpret_cast<const std::byte*>(&insn.scalar.bits);  // little-endian
  const std::byte* control = s.before.ub.data() + start_of(s.program, insn.operands[1]);
  for (unsigned n = 0; n < insn.repeat * lanes; ++n) {
    const auto at = [&](unsigned k) { return lane_at(s, insn.operands[k], size, n / lanes, n % lanes); };
    const bool first = (std::to_integer<unsigned>(control[n / 8]) >> n % 8 & 1) != 0;
    const bool number = !first && insn.op == Op::select_number;
    const std::byte* want = number ? scalar : s.before.ub.data() + at(first ? 2 : 3);
    if (!std::equal(want, want + size, s.after.ub.data() + at(0))) return false;
  }
  return true;
}

template <Op Which>
constexpr bool ignores_applies(const Cell& c) {
  return c.op == Which && some_off(c);
}

constexpr Rule kIgnoringRules[] = {
    {.id = "VMC-4-select",
     .claim = "select ignores the mask.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_select(c.op) && some_off(c); },
     .holds = ignores_mask},
    {.id = "VMC-4-compare",
     .claim = "compare ignores the mask.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = ignores_applies<Op::compare>,
     .holds = ignores_mask},
    {.id = "VMC-4-compare_scalar",
     .claim = "compare_scalar ignores the mask.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = ignores_applies<Op::compare_scalar>,
     .holds = ignores_mask},
    {.id = "VMC-4-gather",
     .claim = "gather ignores the mask.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = ignores_applies<Op::gather>,
     .holds = ignores_mask},
    {.id = "VMC-4-scatter",
     .claim = "scatter ignores the mask.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = ignores_applies<Op::scatter>,
     .holds = ignores_mask},
    {.id = "VMC-4-sort32",
     .claim = "sort32 ignores the mask.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = ignores_applies<Op::sort32>,
     .holds = ignores_mask},
    {.id = "VMC-4-mergesort4",
     .claim = "mergesort4 ignores the mask.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = ignores_applies<Op::mergesort4>,
     .holds = ignores_mask},
    {.id = "VMC-4-mergesort_2seq",
     .claim = "mergesort_2seq ignores the mask.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = ignores_applies<Op::mergesort_2seq>,
     .holds = ignores_mask},
    {.id = "VMC-4-brcb",
     .claim = "brcb ignores the mask.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = ignores_applies<Op::brcb>,
     .holds = ignores_mask},
    {.id = "VMC-4-mask-stays",
     .claim = "An instruction that ignores the mask leaves it as it is.",
     .source = {kVmc, "4"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return ignores_masks(c.op) && c.origin == MaskOrigin::set; },
     .holds = leaves_mask},
    {.id = "VMC-4-own-control",
     .claim = "select follows its own control operand and nothing else.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = [](const Cell& c) { return is_select(c.op) && runs(c); },
     .holds = ignores_mask},
    {.id = "VMC-4-packed-control",
     .claim = "The control of select is packed, one bit for an element: n elements take n / 8 bytes.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = [](const Cell& c) { return is_select(c.op) && runs(c); },
     .holds = select_follows_packed_bits},
    {.id = "VMC-4-packed-result",
     .claim = "compare and compare_scalar write packed bits: n elements give n / 8 bytes.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .about = About::elements,
     .applies = [](const Cell& c) { return (c.op == Op::compare || c.op == Op::compare_scalar) && runs(c); },
     .holds = stays_in_footprint},
    {.id = "VMC-5-set-cmpmask",
     .claim =
         "set_cmpmask changes neither UB nor the vector mask. VMC itself only says that it is deprecated and "
         "kept for compatibility.",
     .source = {kVmc, "5 (silent; asc-devkit, SetCmpMask)"},
     .standing = Standing::library,
     .applies = [](const Cell& c) { return c.op == Op::set_cmpmask; },
     .holds = [](const Step& s) { return leaves_ub(s) && leaves_mask(s); }},
};

}  // namespace

std::span<const Rule> vmc_ignoring_rules() {
  return kIgnoringRules;
}

}  // namespace lanecheck
