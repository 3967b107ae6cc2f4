// The rules of TIK's general format of instructions with a vector and a scalar source (TIK).
#include <algorithm>

#include "spec/mask/footprint.h"
#include "spec/rules/documents.h"
#include "spec/rules/relation.h"

namespace lanecheck {
namespace {

using namespace relation;

/// The instructions of the format itself; axpy and dup differ in what they read.
bool plain(const Cell& c) {
  return c.op == Op::adds || c.op == Op::muls || c.op == Op::dup;
}
bool runs(const Cell& c) {
  return plain(c) && c.repeat != RepeatClass::zero;
}
bool normal(const Cell& c) {
  return runs(c) && c.from != MaskFrom::count;
}
bool counts(const Cell& c) {
  return runs(c) && c.from == MaskFrom::count;
}
bool repeats(const Cell& c) {
  return c.repeat != RepeatClass::one;
}
bool writes_where_on(const Step& s) {
  return gates_writeback(s) && stays_in_footprint(s);
}

constexpr Rule kRules[] = {
    {.id = "TIK-1-contiguous",
     .claim = "A mask number n: the first n elements of every repeat take part.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return normal(c) && c.from == MaskFrom::contiguous; },
     .holds = writes_where_on},
    {.id = "TIK-1-bits",
     .claim = "A mask list: an element takes part where its bit is 1, the lowest bit is the first element.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return normal(c) && c.from == MaskFrom::bitwise; },
     .holds = writes_where_on},
    {.id = "TIK-1-list-order",
     .claim = "The list is [mask_h, mask_l]: mask_h holds the high 64 elements, mask_l the low 64.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) { return normal(c) && c.from == MaskFrom::bitwise && size_of(c.dst_type) == 2; },
     .holds = writes_where_on},
    {.id = "TIK-1-32bit",
     .claim = "32-bit elements: mask_l alone governs the 64 elements of a repeat.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return normal(c) && size_of(c.dst_type) == 4; },
     .holds = writes_where_on},
    {.id = "TIK-1-keeps-dst",
     .claim = "An element that does not take part keeps its old dst.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return runs(c) && c.mask != MaskClass::full; },
     .holds = keeps_masked_off},
    {.id = "TIK-2-counter",
     .claim = "mask_mode counter: the mask is the number of source elements that are processed in all.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies = counts,
     .holds = writes_where_on},
    {.id = "TIK-2-counter-repeats",
     .claim = "mask_mode counter: repeats follow from the mask; repeat_times has no effect.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return counts(c) && repeats(c); },
     .holds = writes_where_on},
    {.id = "TIK-2-counter-tail",
     .claim = "mask_mode counter: the last repeat takes what is left.",
     .source = {kTik, "mask"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return counts(c) && c.tail; },
     .holds = writes_where_on},
    {.id = "TIK-3-repeats",
     .claim = "repeat_times is the number of repeats, each under the same mask.",
     .source = {kTik, "repeat_times"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return normal(c) && repeats(c); },
     .holds = writes_where_on},
    {.id = "TIK-3-scalar-zero",
     .claim = "A Scalar repeat_times of 0 is legal and does nothing.",
     .source = {kTik, "notes"},
     .standing = Standing::documented,
     .applies =
         [](const Cell& c) {
           return plain(c) && c.from != MaskFrom::count && c.repeat == RepeatClass::zero && c.scalar_repeat;
         },
     .holds = leaves_ub},
    {.id = "TIK-4-stride",
     .claim = "Repeat strides of dst and src count blocks of 32 bytes.",
     .source = {kTik, "notes"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return runs(c) && repeats(c) && c.stride == StrideClass::other; },
     .holds = writes_where_on},
    {.id = "TIK-4-block-row",
     .claim = "The data blocks of a repeat lie in a row: there is no block stride.",
     .source = {kTik, "prototype"},
     .standing = Standing::documented,
     .applies = runs,
     .holds = writes_where_on},
    {.id = "TIK-5-in-place",
     .claim = "dst and src may be the same place in one repeat.",
     .source = {kTik, "notes"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return runs(c) && c.in_place && c.repeat == RepeatClass::one; },
     .holds = writes_where_on},
    {.id = "TIK-5-in-place-repeats",
     .claim = "dst and src may be the same place over several repeats that do not depend on each other.",
     .source = {kTik, "notes"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return runs(c) && c.in_place && repeats(c); },
     .holds = writes_where_on},
};

}  // namespace

std::span<const Rule> tik_rules() {
  return kRules;
}

}  // namespace lanecheck
