// The rules of Vector Mask Constraints (VMC), section 3: instructions that consume the mask.
#include "spec/rules/documents.h"
#include "spec/rules/relation.h"
#include "spec/rules/vmc_lists.h"

namespace lanecheck {
namespace {

using namespace relation;
using namespace vmc;

constexpr bool half_and_float(const Cell& c) {
  return (c.dst_type == Element::f16 && c.src_type == Element::f32) ||
         (c.dst_type == Element::f32 && c.src_type == Element::f16);
}

template <Op Which>
constexpr bool neutral_applies(const Cell& c) {
  return c.op == Which && mixed(c);
}

constexpr Rule kRules[] = {
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
     .source = {kVmc, "3.1 against 5"},
     .standing = Standing::contested,
     .applies =
         [](const Cell& c) {
           return c.op == Op::cast && runs(c) && size_of(c.dst_type) != size_of(c.src_type);
         },
     .holds = gates_writeback_alone},
    {.id = "VMC-3.1-cast-half-float",
     .claim = "A cast between f16 and f32 uses 64 mask slots per full repeat, not 128.",
     .source = {kVmc, "3.1 against 5"},
     .standing = Standing::contested,
     .applies = [](const Cell& c) { return c.op == Op::cast && runs(c) && half_and_float(c); },
     .holds = gates_writeback_alone},
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
     .standing = Standing::documented,
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
     .source = {kVmc, "3.3"},
     .standing = Standing::documented,
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
     .source = {kVmc, "3.3"},
     .standing = Standing::documented,
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
     .source = {kVmc, "3.3"},
     .standing = Standing::documented,
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
     .source = {kVmc, "3.3"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return c.op == Op::cgmin && empty_block(c); },
     .holds = keeps_empty_results},
};

}  // namespace

std::span<const Rule> vmc_consuming_rules() {
  return kRules;
}

}  // namespace lanecheck
