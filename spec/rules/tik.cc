// The rules of TIK's general format of instructions with a vector and a scalar source (TIK).
#include "spec/rules/cell_kinds.h"
#include "spec/rules/documents.h"
#include "spec/rules/relation.h"

namespace lanecheck {
namespace {

using namespace relation;
using namespace cell_kinds;

/// The instructions that follow the general format exactly. axpy does not: it reads its dst.
bool follows_format(Op op) {
  return among(op, {Op::adds, Op::muls, Op::dup});
}
bool computes(const Cell& c) {
  return follows_format(c.op) && runs(c);
}
bool is_normal_in_tik(const Cell& c) {
  return computes(c) && c.from != MaskFrom::count;
}
bool is_counter_in_tik(const Cell& c) {
  return computes(c) && c.from == MaskFrom::count;
}

constexpr Rule kTikRules[] = {
    {.id = "TIK-1-contiguous",
     .claim = "A mask number n: the first n elements of every repeat take part.",
     .source = {kTik, "mask (names contiguous masks; asc-devkit, mask page)"},
     .standing = Standing::library,
     .applies = [](const Cell& c) { return is_normal_in_tik(c) && c.from == MaskFrom::contiguous; },
     .holds = gates_writeback_alone},
    {.id = "TIK-1-bits",
     .claim = "A mask list: an element takes part where its bit is 1, the lowest bit is the first element.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_normal_in_tik(c) && c.from == MaskFrom::bitwise; },
     .holds = gates_writeback_alone},
    {.id = "TIK-1-list-order",
     .claim = "The list is [mask_h, mask_l]: mask_h holds the high 64 elements, mask_l the low 64.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) {
           return is_normal_in_tik(c) && c.from == MaskFrom::bitwise && size_of(c.dst_type) == 2;
         },
     .holds = gates_writeback_alone},
    {.id = "TIK-1-32bit",
     .claim = "32-bit elements: mask_l alone governs the 64 elements of a repeat.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .about = About::lane_count,
     .applies = [](const Cell& c) { return is_normal_in_tik(c) && size_of(c.dst_type) == 4; },
     .holds = gates_writeback_alone},
    {.id = "TIK-1-keeps-dst",
     .claim = "An element that does not take part keeps its old dst.",
     .source = {kTik, "mask (silent; asc-devkit, mask page)"},
     .standing = Standing::library,
     .applies = [](const Cell& c) { return computes(c) && c.mask != MaskClass::full; },
     .holds = keeps_masked_off},
    {.id = "TIK-2-counter",
     .claim = "mask_mode counter: the mask is the number of source elements that are processed in all.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies = is_counter_in_tik,
     .holds = gates_writeback_alone},
    {.id = "TIK-2-counter-repeats",
     .claim = "mask_mode counter: repeats follow from the mask; repeat_times has no effect.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .about = About::repeats,
     .applies = is_counter_in_tik,
     .holds = [](const Step& s) { return repeat_times_fit_count(s) || gates_writeback_alone(s); }},
    {.id = "TIK-2-counter-tail",
     .claim = "mask_mode counter: the last repeat takes what is left.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_counter_in_tik(c) && c.tail; },
     .holds = gates_writeback_alone},
    {.id = "TIK-3-repeats",
     .claim = "repeat_times is the number of repeats.",
     .source = {kTik, "repeat_times"},
     .standing = Standing::documented,
     .about = About::repeats,
     .applies = [](const Cell& c) { return is_normal_in_tik(c) && repeats(c); },
     .holds = [](const Step& s) { return writes_active(s) && stays_in_footprint(s); }},
    {.id = "TIK-3-scalar-zero",
     .claim = "A Scalar repeat_times of 0 is legal: no repeat is done.",
     .source = {kTik, "repeat_times, notes"},
     .standing = Standing::documented,
     .about = About::repeats,
     .applies =
         [](const Cell& c) {
           return follows_format(c.op) && c.from != MaskFrom::count && c.repeat == RepeatClass::zero &&
                  c.scalar_repeat;
         },
     .holds = leaves_ub},
    {.id = "TIK-4-stride",
     .claim = "Repeat strides of dst and src count blocks of 32 bytes.",
     .source = {kTik, "notes"},
     .standing = Standing::documented,
     .about = About::strides,
     .applies = [](const Cell& c) { return computes(c) && repeats(c) && c.stride != StrideClass::canonical; },
     .holds = gates_writeback_alone},
    {.id = "TIK-4-block-row",
     .claim = "There is no block stride: the data blocks of a repeat lie in a row.",
     .source = {kTik, "prototype (silent on where the blocks lie)"},
     .standing = Standing::contested,
     .about = About::strides,
     .applies = computes,
     .holds = gates_writeback_alone},
    {.id = "TIK-5-in-place",
     .claim = "dst and src may be the same place in one repeat.",
     .source = {kTik, "notes"},
     .standing = Standing::contested,
     .about = About::in_place,
     .applies = [](const Cell& c) { return computes(c) && c.in_place && c.repeat == RepeatClass::one; },
     .holds = gates_writeback_alone},
    {.id = "TIK-5-in-place-repeats",
     .claim = "dst and src may be the same place over several repeats that do not depend on each other.",
     .source = {kTik, "notes"},
     .standing = Standing::contested,
     .about = About::in_place,
     .applies = [](const Cell& c) { return computes(c) && c.in_place && repeats(c); },
     .holds = gates_writeback_alone},
};

}  // namespace

std::span<const Rule> tik_rules() {
  return kTikRules;
}

}  // namespace lanecheck
