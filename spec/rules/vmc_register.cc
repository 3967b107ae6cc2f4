// The rules of Vector Mask Constraints (VMC), its goal and sections 1 and 2: the mask register and who sets
// it.
#include "spec/rules/documents.h"
#include "spec/rules/relation.h"
#include "spec/rules/vmc_lists.h"

namespace lanecheck {
namespace {

using namespace relation;
using namespace vmc;

/// The mask gates the writeback everywhere (VMC 6, pattern A) or nowhere: never a mixture.
bool follows_one_pattern(const Step& s) {
  return gates_writeback(s) || ignores_mask(s);
}

constexpr Rule kRegisterRules[] = {
    {.id = "VMC-0-one-pattern",
     .claim = "A vector instruction either consumes the mask or ignores it; it does not do one in one place "
              "and the other in another.",
     .source = {kVmc, "Goal"},
     .standing = Standing::documented,
     // The rule does not judge reductions, because no run of a step shows what they do without the mask.
     .applies = [](const Cell& c) { return (is_gated(c.op) || ignores_masks(c.op)) && mixed(c); },
     .holds = follows_one_pattern},
    {.id = "VMC-0-reproducible",
     .claim = "What set_mask and reset_mask leave depends on nothing that ran before.",
     .source = {kVmc, "Goal"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return (sets(c) || resets(c)) && c.origin == MaskOrigin::set; },
     .holds =
         [](const Step& s) {
           return s.insn.op == Op::reset_mask ? register_is_full(s) : both_words_arrive(s);
         }},
    {.id = "VMC-1-default-mask",
     .claim = "A program starts with all 256 mask slots at 1.",
     .source = {kVmc, "1"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return consumes(c.op) && runs(c) && c.origin == MaskOrigin::initial; },
     .holds = [](const Step& s) { return same_bytes(s.after.ub, s.unmasked.ub); }},
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
     .about = About::lane_count,
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
     .about = About::lane_count,
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
     .about = About::lane_count,
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
     .holds = low_word_arrives},
    {.id = "VMC-2-high-word",
     .claim = "set_mask: bit i of the high word becomes slot 64 + i.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = sets,
     .holds = high_word_arrives},
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
     .holds = both_words_arrive},
    {.id = "VMC-2-argument-order",
     .claim = "set_mask takes the high word first: set_mask(hi, lo) puts hi into slots 64 to 127.",
     .source = {kVmc, "2 (contradicts itself: its arguments are said to be swapped)"},
     .standing = Standing::contested,
     .applies =
         [](const Cell& c) { return sets(c) && c.mask != MaskClass::full && c.mask != MaskClass::none; },
     .holds = both_words_arrive},
    {.id = "VMC-2-low-prefix",
     .claim = "set_mask(0, low) leaves slots 64 to 127 off.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return sets(c) && c.mask != MaskClass::full; },
     .holds = [](const Step& s) { return s.insn.high != 0 || high_word_arrives(s); }},
    {.id = "VMC-2-reset",
     .claim = "reset_mask puts all 256 slots back to 1.",
     .source = {kVmc, "2"},
     .standing = Standing::documented,
     .applies = resets,
     .holds = register_is_full},
    {.id = "VMC-2-no-data",
     .claim = "set_mask and reset_mask change no byte of UB.",
     .source = {kVmc, "2 (silent)"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return sets(c) || resets(c); },
     .holds = leaves_ub},
};

}  // namespace

std::span<const Rule> vmc_register_rules() {
  return kRegisterRules;
}

}  // namespace lanecheck
