// The rules of SetVectorMask (SVM): normal and counter mode, who sets the mask, and how long it stays. Where
// SVM leaves a detail to the page on masks of asc-devkit, the section says so.
#include "spec/rules/cell_kinds.h"
#include "spec/rules/documents.h"
#include "spec/rules/relation.h"

namespace lanecheck {
namespace {

using namespace relation;
using namespace cell_kinds;

// The instructions as SVM, and the page on masks of asc-devkit that it refers to, speak of them. They are
// kept apart from the instruction table on purpose: if a row of the table is wrong, it disagrees with its
// rule.
bool elementwise(Op op) {
  return among(op,
               {Op::exp,   Op::ln,    Op::abs,   Op::rec,  Op::sqrt, Op::rsqrt, Op::vnot, Op::relu, Op::add,
                Op::sub,   Op::mul,   Op::div,   Op::vmax, Op::vmin, Op::vand,  Op::vor,  Op::adds, Op::muls,
                Op::vmaxs, Op::vmins, Op::lrelu, Op::shl,  Op::shr,  Op::dup,   Op::cast});
}
bool reduces(Op op) {
  return among(op, {Op::cadd, Op::cgadd, Op::cpadd, Op::cmax, Op::cgmax, Op::cmin, Op::cgmin, Op::cmax_index,
                    Op::cmin_index});
}
bool sets_register(Op op) {
  return among(op, {Op::set_vector_mask, Op::set_vector_mask_len, Op::set_vector_mask_total});
}
bool sets_mode(Op op) {
  return among(op, {Op::set_mask_norm, Op::set_mask_count});
}

bool in_normal_mode(const Cell& c) {
  return elementwise(c.op) && c.mode == Mode::normal && runs(c);
}
bool in_counter_mode(const Cell& c) {
  return elementwise(c.op) && c.mode == Mode::counter && runs(c);
}

/// SetVectorMask with a length n: slots below n are on, those from n to the end of a repeat are off.
bool first_slots_on(const Step& s) {
  for (unsigned slot = 0; slot < lanes_of(s.insn.dst_type); ++slot)
    if (s.after.mask[slot] != (slot < s.insn.settings[0] ? 1 : 0)) return false;
  return true;
}
bool register_holds_operand(const Step& s) {
  const Walked walked(s);
  return mask_word(s.after.mask, 0) == walked.mask.words[0] &&
         mask_word(s.after.mask, 1) == walked.mask.words[1];
}

/// Only this profile offers reductions and instructions of 64-bit elements.
constexpr ProfileSet kOnlyA2 = {Profile::a2};

constexpr Rule kSvmRules[] = {
    {.id = "SVM-1-contiguous",
     .claim = "Normal mode, contiguous: of every repeat the first n elements take part.",
     .source = {kSvm, "Function Usage"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return in_normal_mode(c) && c.from == MaskFrom::contiguous; },
     .holds = gates_writeback_alone},
    {.id = "SVM-1-16bit",
     .claim = "A repeat of 16-bit elements has 128 of them: a mask of 128 takes all in.",
     .source = {kSvm, "Function Usage"},
     .standing = Standing::documented,
     .about = About::lane_count,
     .applies = [](const Cell& c) { return in_normal_mode(c) && wide_size(c) == 2; },
     .holds = gates_writeback_alone},
    {.id = "SVM-1-32bit",
     .claim = "A repeat of 32-bit elements has 64 of them: a mask of 64 takes all in.",
     .source = {kSvm, "Function Usage"},
     .standing = Standing::documented,
     .about = About::lane_count,
     .applies = [](const Cell& c) { return in_normal_mode(c) && wide_size(c) == 4; },
     .holds = gates_writeback_alone},
    {.id = "SVM-1-64bit",
     .claim = "A repeat of 64-bit elements has 32 of them: a mask of 32 takes all in.",
     .source = {kSvm, "Function Usage"},
     .standing = Standing::documented,
     .about = About::lane_count,
     .applies = [](const Cell& c) { return in_normal_mode(c) && wide_size(c) == 8; },
     .holds = gates_writeback_alone,
     .profiles = kOnlyA2},
    {.id = "SVM-1-bitwise",
     .claim = "Normal mode, bitwise: an element takes part where its bit is 1 and does not where it is 0.",
     .source = {kSvm, "Function Usage"},
     .standing = Standing::documented,
     // SetVectorMask and the default mask switch elements on bit by bit, too.
     .applies =
         [](const Cell& c) {
           return in_normal_mode(c) && (c.from == MaskFrom::bitwise || c.from == MaskFrom::reg);
         },
     .holds = gates_writeback_alone},
    {.id = "SVM-1-low-word",
     .claim = "maskLow holds the bits of elements 0 to 63, the lowest bit first.",
     .source = {kSvm, "Table 2"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::set_vector_mask; },
     .holds = low_word_arrives},
    {.id = "SVM-1-high-word",
     .claim = "maskHigh, the first argument, holds the bits of elements 64 to 127.",
     .source = {kSvm, "Table 2"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::set_vector_mask; },
     .holds = high_word_arrives},
    {.id = "SVM-1-length",
     .claim = "SetVectorMask with a length n in normal mode switches the first n elements of a repeat on.",
     .source = {kSvm, "Table 2"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::set_vector_mask_len; },
     .holds = first_slots_on},
    {.id = "SVM-1-every-repeat",
     .claim = "The mask of normal mode speaks of a single repeat: every repeat uses the same.",
     .source = {kSvm, "Function Usage"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return in_normal_mode(c) && repeats(c) && c.mask != MaskClass::full; },
     .holds = gates_writeback_alone},
    {.id = "SVM-1-keeps-dst",
     .claim = "An element that does not take part keeps its old dst.",
     .source = {kSvm, "Function Usage (asc-devkit, mask page)"},
     .standing = Standing::library,
     .applies = [](const Cell& c) { return elementwise(c.op) && some_off(c); },
     .holds = keeps_masked_off},
    {.id = "SVM-1-reductions",
     .claim = "Reductions: an element that does not take part does not contribute.",
     .source = {kSvm, "Function Usage"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return reduces(c.op) && c.mode == Mode::normal && some_off(c); },
     .holds = neutralises_masked_off,
     .profiles = kOnlyA2},
    {.id = "SVM-2-total",
     .claim = "Counter mode: the mask is the number of elements of the whole computation.",
     .source = {kSvm, "Function Usage"},
     .standing = Standing::documented,
     .applies = in_counter_mode,
     .holds = gates_writeback_alone},
    {.id = "SVM-2-repeats",
     .claim = "Counter mode: the number of repeats follows from the count; repeat times have no effect.",
     .source = {kSvm, "Function Usage (asc-devkit, mask page)"},
     .standing = Standing::library,
     .about = About::repeats,
     .applies = in_counter_mode,
     .holds = [](const Step& s) { return repeat_times_fit_count(s) || gates_writeback_alone(s); }},
    {.id = "SVM-2-tail",
     .claim = "Counter mode: a last repeat that is not full takes its first elements, as many as are left.",
     .source = {kSvm, "Function Usage (asc-devkit, mask page)"},
     .standing = Standing::library,
     .applies = [](const Cell& c) { return in_counter_mode(c) && c.tail; },
     .holds = gates_writeback_alone},
    {.id = "SVM-2-strides",
     .claim = "Counter mode: block strides and repeat strides apply as in normal mode.",
     .source = {kSvm, "Function Usage (asc-devkit, mask page)"},
     .standing = Standing::library,
     .about = About::strides,
     .applies =
         [](const Cell& c) { return in_counter_mode(c) && repeats(c) && c.stride != StrideClass::canonical; },
     .holds = gates_writeback_alone},
    {.id = "SVM-2-low-word",
     .claim = "Counter mode: maskLow is the count.",
     .source = {kSvm, "Table 2"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::set_vector_mask && c.mode == Mode::counter; },
     .holds = low_word_arrives},
    {.id = "SVM-2-length",
     .claim = "SetVectorMask with a length in counter mode makes it the count.",
     .source = {kSvm, "Table 2"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::set_vector_mask_total; },
     .holds = [](const Step& s) { return mask_word(s.after.mask, 0) == s.insn.settings[0]; }},
    {.id = "SVM-2-reductions",
     .claim = "Counter mode: elements past the count do not contribute to a reduction.",
     .source = {kSvm, "Function Usage (asc-devkit, mask page)"},
     .standing = Standing::library,
     .applies = [](const Cell& c) { return reduces(c.op) && c.mode == Mode::counter && runs(c); },
     .holds = neutralises_masked_off,
     .profiles = kOnlyA2},
    {.id = "SVM-3-from-outside",
     .claim =
         "An instruction that does not set its mask (isSetMask false) uses the one that SetVectorMask set.",
     .source = {kSvm, "Constraints"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) {
           return elementwise(c.op) && runs(c) && c.from == MaskFrom::reg && c.origin == MaskOrigin::set;
         },
     .holds = gates_writeback_alone},
    {.id = "SVM-3-its-own",
     .claim =
         "An instruction that sets its mask itself (isSetMask true) does not see what SetVectorMask set.",
     .source = {kSvm, "Constraints"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return elementwise(c.op) && runs(c) && c.from != MaskFrom::reg; },
     .holds = gates_writeback_alone},
    {.id = "SVM-3-stays",
     .claim = "SetVectorMask holds for all calls that follow, not for one.",
     .source = {kSvm, "Examples"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) {
           return elementwise(c.op) && c.from == MaskFrom::reg && c.origin == MaskOrigin::set;
         },
     .holds = leaves_mask},
    {.id = "SVM-3-reset",
     .claim = "ResetMask restores the default: every element takes part.",
     .source = {kSvm, "Constraints"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::reset_mask; },
     .holds = register_is_full},
    {.id = "SVM-3-reset-mode",
     .claim = "ResetMask does not change the mode; SetMaskNorm does.",
     .source = {kSvm, "Examples (asc-devkit, ResetMask and library)"},
     .standing = Standing::library,
     .applies = [](const Cell& c) { return c.op == Op::reset_mask; },
     .holds = [](const Step& s) { return s.after.mode == s.before.mode; }},
    {.id = "SVM-4-norm",
     .claim = "SetMaskNorm chooses normal mode, whatever was on.",
     .source = {kSvm, "Function Usage"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::set_mask_norm; },
     .holds = [](const Step& s) { return s.after.mode == Mode::normal; }},
    {.id = "SVM-4-count",
     .claim = "SetMaskCount chooses counter mode, whatever was on.",
     .source = {kSvm, "Function Usage"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::set_mask_count; },
     .holds = [](const Step& s) { return s.after.mode == Mode::counter; }},
    {.id = "SVM-4-mode-alone",
     .claim = "SetMaskNorm and SetMaskCount leave the mask itself as it is.",
     .source = {kSvm, "Function Usage (asc-devkit, mask page)"},
     .standing = Standing::library,
     .applies = [](const Cell& c) { return sets_mode(c.op); },
     .holds = [](const Step& s) { return s.after.mask == s.before.mask; }},
    {.id = "SVM-4-mask-alone",
     .claim = "SetVectorMask does not choose the mode, its template argument included.",
     .source = {kSvm, "Table 1 (silent; asc-devkit library)"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return sets_register(c.op); },
     .holds = [](const Step& s) { return s.after.mode == s.before.mode; }},
    {.id = "SVM-4-no-data",
     .claim = "Setting the mask or its mode changes no byte of UB.",
     .source = {kSvm, "Function Usage (silent)"},
     .standing = Standing::contested,
     .applies =
         [](const Cell& c) { return sets_register(c.op) || sets_mode(c.op) || c.op == Op::reset_mask; },
     .holds = leaves_ub},
    {.id = "SVM-4-operand-stays",
     .claim = "The mask that an instruction set itself stays in the register.",
     .source = {kSvm, "Constraints (silent; asc-devkit library)"},
     .standing = Standing::contested,
     .applies =
         [](const Cell& c) {
           return elementwise(c.op) && (c.from == MaskFrom::contiguous || c.from == MaskFrom::bitwise);
         },
     .holds = register_holds_operand},
    {.id = "SVM-4-first-n-after",
     .claim = "The form for the first n elements ends in normal mode with a full mask.",
     .source = {kSvm, "Function Usage (asc-devkit, mask page)"},
     .standing = Standing::library,
     .applies = [](const Cell& c) { return elementwise(c.op) && c.from == MaskFrom::count; },
     .holds = [](const Step& s) { return s.after.mode == Mode::normal && register_is_full(s); }},
};

}  // namespace

std::span<const Rule> svm_rules() {
  return kSvmRules;
}

}  // namespace lanecheck
