// The lists of instructions in sections 3 and 4 of VMC, as the document gives them, and the kinds of step
// that its sentences speak of. Kept apart from the instruction table on purpose: a wrong row disagrees with
// its rule.
#pragma once

#include <algorithm>

#include "spec/rules/cell.h"

namespace lanecheck::vmc {

constexpr bool among(Op op, std::initializer_list<Op> list) {
  return std::ranges::find(list, op) != list.end();
}

constexpr bool is_unary(Op op) {
  return among(op, {Op::exp, Op::ln, Op::abs, Op::rec, Op::sqrt, Op::rsqrt, Op::vnot, Op::relu});
}
constexpr bool is_binary(Op op) {
  return among(op,
               {Op::add, Op::sub, Op::mul, Op::div, Op::vmax, Op::vmin, Op::vand, Op::vor, Op::muladddst});
}
constexpr bool is_unary_scalar(Op op) {
  return among(op, {Op::adds, Op::muls, Op::vmaxs, Op::vmins, Op::lrelu, Op::axpy});
}
constexpr bool is_gated(Op op) {
  return is_unary(op) || is_binary(op) || is_unary_scalar(op) || op == Op::dup || op == Op::cast;
}
constexpr bool is_additive(Op op) {
  return among(op, {Op::cadd, Op::cgadd, Op::cpadd});
}
constexpr bool is_extreme(Op op) {
  return among(op, {Op::cmax, Op::cgmax, Op::cmin, Op::cgmin});
}
constexpr bool is_reduction(Op op) {
  return is_additive(op) || is_extreme(op);
}
constexpr bool ignores_masks(Op op) {
  return among(op, {Op::select, Op::compare, Op::compare_scalar, Op::gather, Op::scatter, Op::sort32,
                    Op::mergesort4, Op::mergesort_2seq, Op::brcb});
}
constexpr bool consumes(Op op) {
  return is_gated(op) || is_reduction(op);
}

// Kinds of step.
constexpr bool runs(const Cell& c) {
  return c.repeat != RepeatClass::zero;
}
constexpr bool some_off(const Cell& c) {
  return runs(c) && c.mask != MaskClass::full;
}
constexpr bool some_on(const Cell& c) {
  return runs(c) && c.mask != MaskClass::none;
}
constexpr bool mixed(const Cell& c) {
  return some_off(c) && some_on(c);
}
constexpr bool repeats(const Cell& c) {
  return runs(c) && c.repeat != RepeatClass::one;
}
/// Some block has no active lane (also when none has).
constexpr bool empty_block(const Cell& c) {
  return runs(c) && (c.mask == MaskClass::block_empty || c.mask == MaskClass::none);
}
constexpr bool empty_pair(const Cell& c) {
  return empty_block(c) || (runs(c) && c.mask == MaskClass::pair_empty);
}
constexpr unsigned wide_size(const Cell& c) {
  return std::max(size_of(c.dst_type), size_of(c.src_type));
}
constexpr bool half_and_float(const Cell& c) {
  return (c.dst_type == Element::f16 && c.src_type == Element::f32) ||
         (c.dst_type == Element::f32 && c.src_type == Element::f16);
}

constexpr bool sets(const Cell& c) {
  return c.op == Op::set_mask;
}
constexpr bool resets(const Cell& c) {
  return c.op == Op::reset_mask;
}

template <Op Which>
constexpr bool ignores_applies(const Cell& c) {
  return c.op == Which && some_off(c);
}
template <Op Which>
constexpr bool neutral_applies(const Cell& c) {
  return c.op == Which && mixed(c);
}

}  // namespace lanecheck::vmc
