// The rules of Vector Mask Constraints (VMC), section by section.
#include <algorithm>

#include "spec/mask/mask_register.h"
#include "spec/rules/documents.h"
#include "spec/rules/relation.h"
#include "spec/rules/vmc_lists.h"

namespace lanecheck {
namespace {

using namespace relation;
using namespace vmc;

/// Either pattern, or no use of the mask at all: never a mixture.
bool follows_one_pattern(const Step& s) {
  return is_reduction(s.insn.op) ? neutralises_masked_off(s) : gates_writeback(s) || ignores_mask(s);
}

bool slots_are(const Mask& mask, unsigned from, std::uint64_t word) {
  for (unsigned bit = 0; bit < 64; ++bit)
    if (mask[from + bit] != (word >> bit & 1)) return false;
  return true;
}
bool low_arrives(const Step& s) {
  return slots_are(s.after.mask, 0, s.insn.low);
}
bool high_arrives(const Step& s) {
  return slots_are(s.after.mask, 64, s.insn.high);
}
bool upper_half_stays(const Step& s) {
  return std::equal(s.before.mask.begin() + 128, s.before.mask.end(), s.after.mask.begin() + 128);
}
bool is_full(const Step& s) {
  return s.after.mask == kFullMask;
}
/// Element n of a select is src0's where bit n mod 8 of control byte n / 8 is 1, else src1's.
bool select_follows_packed_bits(const Step& s) {
  const auto start = [&](unsigned k) { return start_of(s.program, s.insn.operands[k]); };
  const unsigned size = size_of(s.insn.dst_type), per = per_block(s.insn.dst_type), lanes = lanes_of(s.insn);
  const Operand& dst = s.insn.operands[0];
  const bool repeats_meet = s.insn.repeat > 1 && dst.repeat_stride <= (kRepeatBlocks - 1) * dst.block_stride;
  if (dst.block_stride == 0 || repeats_meet) return true;  // left to the reading alias_winner
  for (unsigned n = 0; n < s.insn.repeat * lanes; ++n) {
    const auto at = [&](unsigned k) {
      const Operand& operand = s.insn.operands[k];
      const unsigned lane = n % lanes;
      return start(k) +
             kBlockBytes * (n / lanes * operand.repeat_stride + lane / per * operand.block_stride) +
             lane % per * size;
    };
    const bool first = (std::to_integer<unsigned>(s.before.ub[start(1) + n / 8]) >> n % 8 & 1) != 0;
    const auto from = s.before.ub.begin() + at(first ? 2 : 3);
    if (!std::equal(from, from + size, s.after.ub.begin() + at(0))) return false;
  }
  return true;
}

constexpr Rule kRules[] = {
    {.id = "VMC-0-one-pattern",
     .claim = "A vector instruction either consumes the mask or ignores it; it does not do one in one place "
              "and the other in another.",
     .source = {kVmc, "Goal"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return (consumes(c.op) || ignores_masks(c.op)) && mixed(c); },
     .holds = follows_one_pattern},
    {.id = "VMC-0-reproducible",
     .claim = "What set_mask and reset_mask leave depends on nothing that ran before.",
     .source = {kVmc, "Goal"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return (sets(c) || resets(c)) && c.origin == MaskOrigin::set; },
     .holds =
         [](const Step& s) {
           return s.insn.op == Op::reset_mask ? is_full(s) : low_arrives(s) && high_arrives(s);
         }},
    {.id = "VMC-1-default-mask",
     .claim = "A program starts with all 256 mask slots at 1.",
     .source = {kVmc, "1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return consumes(c.op) && runs(c) && c.origin == MaskOrigin::initial; },
     .holds = [](const Step& s) { return s.after.ub == s.unmasked.ub; }},
    {.id = "VMC-1-slot-per-element",
     .claim = "One mask slot stands for one logical element of the repeat, whatever its size.",
     .source = {kVmc, "1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_gated(c.op) && mixed(c) && wide_size(c) > 1; },
     .holds = gates_writeback},
    {.id = "VMC-1-prefix-32bit",
     .claim = "A repeat of f32 or i32 is governed by slots 0 to 63.",
     .source = {kVmc, "1"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) {
           return is_gated(c.op) && mixed(c) && (c.dst_type == Element::f32 || c.dst_type == Element::i32) &&
                  c.dst_type == c.src_type;
         },
     .holds = gates_writeback},
    {.id = "VMC-1-prefix-16bit",
     .claim = "A repeat of f16 or i16 is governed by slots 0 to 127.",
     .source = {kVmc, "1"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) {
           return is_gated(c.op) && mixed(c) && (c.dst_type == Element::f16 || c.dst_type == Element::i16) &&
                  c.dst_type == c.src_type;
         },
     .holds = gates_writeback},
    {.id = "VMC-1-prefix-8bit",
     .claim = "A repeat of i8 or u8 is governed by slots 0 to 255.",
     .source = {kVmc, "1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_gated(c.op) && mixed(c) && wide_size(c) == 1; },
     .holds = gates_writeback},
    {.id = "VMC-1-upper-slots",
     .claim = "Slots 128 to 255 are slots of their own: elements 128 to 255 of an 8-bit repeat do not follow "
              "slots 0 to 127.",
     .source = {kVmc, "1"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) {
           return is_gated(c.op) && some_off(c) && wide_size(c) == 1 && c.origin == MaskOrigin::set;
         },
     .holds = gates_writeback},
    {.id = "VMC-1-every-repeat",
     .claim = "Every repeat of an instruction uses the same mask.",
     .source = {kVmc, "1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_gated(c.op) && mixed(c) && repeats(c); },
     .holds = gates_writeback},
    {.id = "VMC-1-no-advance",
     .claim = "The mask does not advance from one repeat to the next.",
     .source = {kVmc, "1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return consumes(c.op) && mixed(c) && repeats(c); },
     .holds =
         [](const Step& s) {
           return is_reduction(s.insn.op) ? neutralises_masked_off(s) : gates_writeback(s);
         }},
    {.id = "VMC-2-low-word",
     .claim = "set_mask: bit i of the low word becomes slot i.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = sets,
     .holds = low_arrives},
    {.id = "VMC-2-high-word",
     .claim = "set_mask: bit i of the high word becomes slot 64 + i.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = sets,
     .holds = high_arrives},
    {.id = "VMC-2-upper-half-stays",
     .claim = "set_mask leaves slots 128 to 255 as they are.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = sets,
     .holds = upper_half_stays},
    {.id = "VMC-2-lowest-bit-first",
     .claim = "Bit 0 of a word is the lowest slot of its range.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = sets,
     .holds =
         [](const Step& s) {
           return s.after.mask[0] == (s.insn.low & 1) && s.after.mask[64] == (s.insn.high & 1);
         }},
    {.id = "VMC-2-highest-bit-last",
     .claim = "Bit 63 of a word is the highest slot of its range.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = sets,
     .holds =
         [](const Step& s) {
           return s.after.mask[63] == s.insn.low >> 63 && s.after.mask[127] == s.insn.high >> 63;
         }},
    {.id = "VMC-2-unsigned-words",
     .claim = "Both words are taken as unsigned 64-bit numbers: all 64 bits count, none is a sign.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = sets,
     .holds = [](const Step& s) { return low_arrives(s) && high_arrives(s); }},
    {.id = "VMC-2-argument-order",
     .claim = "set_mask takes the high word first: set_mask(hi, lo) puts hi into slots 64 to 127.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) { return sets(c) && c.mask != MaskClass::full && c.mask != MaskClass::none; },
     .holds = [](const Step& s) { return low_arrives(s) && high_arrives(s); }},
    {.id = "VMC-2-low-prefix",
     .claim = "set_mask(0, low) leaves slots 64 to 127 off.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return sets(c) && c.mask != MaskClass::full; },
     .holds = [](const Step& s) { return s.insn.high != 0 || high_arrives(s); }},
    {.id = "VMC-2-reset",
     .claim = "reset_mask puts all 256 slots back to 1.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = resets,
     .holds = is_full},
    {.id = "VMC-2-no-data",
     .claim = "set_mask and reset_mask change no byte of UB.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return sets(c) || resets(c); },
     .holds = leaves_ub},
    {.id = "VMC-3.1-writes-active",
     .claim = "An elementwise instruction writes the new result where the slot is 1.",
     .source = {kVmc, "3.1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_gated(c.op) && some_on(c); },
     .holds = writes_active},
    {.id = "VMC-3.1-keeps-masked-off",
     .claim = "An elementwise instruction keeps the old dst where the slot is 0.",
     .source = {kVmc, "3.1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_gated(c.op) && some_off(c); },
     .holds = keeps_masked_off},
    {.id = "VMC-3.1-unary",
     .claim = "exp, ln, abs, rec, sqrt, rsqrt, vnot and relu consume the mask at writeback.",
     .source = {kVmc, "3.1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_unary(c.op) && some_off(c); },
     .holds = gates_writeback},
    {.id = "VMC-3.1-binary",
     .claim = "add, sub, mul, div, vmax, vmin, vand, vor and muladddst consume the mask at writeback.",
     .source = {kVmc, "3.1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_binary(c.op) && some_off(c); },
     .holds = gates_writeback},
    {.id = "VMC-3.1-unary-scalar",
     .claim = "adds, muls, vmaxs, vmins, lrelu and axpy consume the mask at writeback.",
     .source = {kVmc, "3.1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_unary_scalar(c.op) && some_off(c); },
     .holds = gates_writeback},
    {.id = "VMC-3.1-dup",
     .claim = "dup consumes the mask at writeback.",
     .source = {kVmc, "3.1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::dup && some_off(c); },
     .holds = gates_writeback},
    {.id = "VMC-3.1-cast",
     .claim = "cast consumes the mask at writeback.",
     .source = {kVmc, "3.1 against 5"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return c.op == Op::cast && some_off(c); },
     .holds = gates_writeback},
    {.id = "VMC-3.1-cast-wider",
     .claim = "The lanes of a cast are counted by the wider of its two types.",
     .source = {kVmc, "3.1"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) {
           return c.op == Op::cast && runs(c) && size_of(c.dst_type) != size_of(c.src_type);
         },
     .holds = [](const Step& s) { return gates_writeback(s) && stays_in_footprint(s); }},
    {.id = "VMC-3.1-cast-half-float",
     .claim = "A cast between f16 and f32 uses 64 mask slots per full repeat, not 128.",
     .source = {kVmc, "3.1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::cast && runs(c) && half_and_float(c); },
     .holds = [](const Step& s) { return gates_writeback(s) && stays_in_footprint(s); }},
    {.id = "VMC-3.2-not-preserved",
     .claim =
         "cadd, cgadd and cpadd: a slot of 0 does not make dst keep its old value; the result is written.",
     .source = {kVmc, "3.2"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_additive(c.op) && mixed(c); },
     .holds = neutralises_masked_off},
    {.id = "VMC-3.2-cadd-zero",
     .claim = "cadd: a masked-off element does not contribute to the sum of the repeat.",
     .source = {kVmc, "3.2"},
     .standing = Standing::documented,
     .applies = neutral_applies<Op::cadd>,
     .holds = neutralises_masked_off},
    {.id = "VMC-3.2-cadd-empty",
     .claim = "cadd: when every lane of the active prefix is off, the destination scalar is not overwritten.",
     .source = {kVmc, "3.2 against 6"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return c.op == Op::cadd && runs(c) && c.mask == MaskClass::none; },
     .holds = keeps_empty_results},
    {.id = "VMC-3.2-cgadd-zero",
     .claim = "cgadd: a masked-off element does not contribute to the sum of its data block.",
     .source = {kVmc, "3.2"},
     .standing = Standing::documented,
     .applies = neutral_applies<Op::cgadd>,
     .holds = neutralises_masked_off},
    {.id = "VMC-3.2-cgadd-empty",
     .claim = "cgadd: a data block whose slots are all 0 leaves its destination scalar alone.",
     .source = {kVmc, "3.2 against 6"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return c.op == Op::cgadd && empty_block(c); },
     .holds = keeps_empty_results},
    {.id = "VMC-3.2-cpadd-zero",
     .claim = "cpadd: masked-off elements are zeroed before the pairwise add.",
     .source = {kVmc, "3.2"},
     .standing = Standing::documented,
     .applies = neutral_applies<Op::cpadd>,
     .holds = neutralises_masked_off},
    {.id = "VMC-3.2-cpadd-empty",
     .claim = "cpadd: a pair with both elements off is added as zeros and written.",
     .source = {kVmc, "3.2"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return c.op == Op::cpadd && empty_pair(c); },
     .holds = writes_empty_results},
    {.id = "VMC-3.3-cmax-sentinel",
     .claim = "cmax: a masked-off element acts like -inf.",
     .source = {kVmc, "3.3"},
     .standing = Standing::documented,
     .applies = neutral_applies<Op::cmax>,
     .holds = neutralises_masked_off},
    {.id = "VMC-3.3-cmax-empty",
     .claim = "cmax: when every lane of the active prefix is off, the destination scalar is not overwritten.",
     .source = {kVmc, "3.3 against 6"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return c.op == Op::cmax && runs(c) && c.mask == MaskClass::none; },
     .holds = keeps_empty_results},
    {.id = "VMC-3.3-cgmax-sentinel",
     .claim = "cgmax: a masked-off element acts like -inf.",
     .source = {kVmc, "3.3"},
     .standing = Standing::documented,
     .applies = neutral_applies<Op::cgmax>,
     .holds = neutralises_masked_off},
    {.id = "VMC-3.3-cgmax-empty",
     .claim = "cgmax: a data block whose slots are all 0 leaves its destination scalar alone.",
     .source = {kVmc, "3.3 against 6"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return c.op == Op::cgmax && empty_block(c); },
     .holds = keeps_empty_results},
    {.id = "VMC-3.3-cmin-sentinel",
     .claim = "cmin: a masked-off element acts like +inf.",
     .source = {kVmc, "3.3"},
     .standing = Standing::documented,
     .applies = neutral_applies<Op::cmin>,
     .holds = neutralises_masked_off},
    {.id = "VMC-3.3-cmin-empty",
     .claim = "cmin: when every lane of the active prefix is off, the destination scalar is not overwritten.",
     .source = {kVmc, "3.3 against 6"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return c.op == Op::cmin && runs(c) && c.mask == MaskClass::none; },
     .holds = keeps_empty_results},
    {.id = "VMC-3.3-cgmin-sentinel",
     .claim = "cgmin: a masked-off element acts like +inf.",
     .source = {kVmc, "3.3"},
     .standing = Standing::documented,
     .applies = neutral_applies<Op::cgmin>,
     .holds = neutralises_masked_off},
    {.id = "VMC-3.3-cgmin-empty",
     .claim = "cgmin: a data block whose slots are all 0 leaves its destination scalar alone.",
     .source = {kVmc, "3.3 against 6"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return c.op == Op::cgmin && empty_block(c); },
     .holds = keeps_empty_results},
    {.id = "VMC-4-select",
     .claim = "select ignores the mask.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = ignores_applies<Op::select>,
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
     .applies = [](const Cell& c) { return c.op == Op::select && runs(c); },
     .holds = ignores_mask},
    {.id = "VMC-4-packed-control",
     .claim = "The control of select is packed, one bit for an element: n elements take n / 8 bytes.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::select && runs(c); },
     .holds = select_follows_packed_bits},
    {.id = "VMC-4-packed-result",
     .claim = "compare and compare_scalar write packed bits: n elements give n / 8 bytes.",
     .source = {kVmc, "4"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return (c.op == Op::compare || c.op == Op::compare_scalar) && runs(c); },
     .holds = stays_in_footprint},
    {.id = "VMC-5-set-cmpmask",
     .claim = "set_cmpmask is kept for compatibility; it changes neither UB nor the vector mask.",
     .source = {kVmc, "5"},
     .standing = Standing::deprecated,
     .applies = [](const Cell& c) { return c.op == Op::set_cmpmask; },
     .holds = [](const Step& s) { return leaves_ub(s) && leaves_mask(s); }},
    {.id = "VMC-6-pattern-a",
     .claim = "Elementwise: the full result is computed, and written only where the slot is 1.",
     .source = {kVmc, "6"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_gated(c.op) && mixed(c); },
     .holds = [](const Step& s) { return gates_writeback(s) && stays_in_footprint(s); }},
    {.id = "VMC-6-pattern-b",
     .claim = "Additive reductions: masked-off sources act like 0 and the result is written all the same.",
     .source = {kVmc, "6 against 3.2"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return is_additive(c.op) && mixed(c); },
     .holds = [](const Step& s) { return neutralises_masked_off(s) && stays_in_footprint(s); }},
    {.id = "VMC-7-default-ones",
     .claim = "Checklist: the default mask is all ones.",
     .source = {kVmc, "7"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return consumes(c.op) && runs(c) && c.origin == MaskOrigin::initial; },
     .holds = [](const Step& s) { return s.after.ub == s.unmasked.ub; }},
    {.id = "VMC-7-set-mask-range",
     .claim = "Checklist: set_mask changes slots 0 to 127 and no other.",
     .source = {kVmc, "7"},
     .standing = Standing::documented,
     .applies = sets,
     .holds = [](const Step& s) { return low_arrives(s) && high_arrives(s) && upper_half_stays(s); }},
    {.id = "VMC-7-reset-full",
     .claim = "Checklist: reset_mask restores all ones.",
     .source = {kVmc, "7"},
     .standing = Standing::documented,
     .applies = resets,
     .holds = is_full},
    {.id = "VMC-7-keeps-dst",
     .claim = "Checklist: masked-off lanes of writeback-gated instructions keep the old dst.",
     .source = {kVmc, "7"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_gated(c.op) && some_off(c); },
     .holds = keeps_masked_off},
    {.id = "VMC-7-contributes-zero",
     .claim = "Checklist: masked-off lanes of additive reductions contribute zero instead of preserving dst.",
     .source = {kVmc, "7"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_additive(c.op) && mixed(c); },
     .holds = neutralises_masked_off},
};

}  // namespace

std::span<const Rule> vmc_rules() {
  return kRules;
}

}  // namespace lanecheck
