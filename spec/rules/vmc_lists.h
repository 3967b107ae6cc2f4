// The lists of instructions in sections 2 to 4 of VMC, as the document gives them. They are kept apart from
// the instruction table on purpose: if a row of the table is wrong, it disagrees with its rule.
#pragma once

#include "spec/rules/cell_kinds.h"

namespace lanecheck::vmc {

using namespace cell_kinds;

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
  return among(op, {Op::select, Op::select_number, Op::compare, Op::compare_scalar, Op::gather, Op::scatter,
                    Op::sort32, Op::mergesort4, Op::mergesort_2seq, Op::brcb});
}
/// select has a tensor or a number as its second source.
constexpr bool is_select(Op op) {
  return op == Op::select || op == Op::select_number;
}
constexpr bool consumes(Op op) {
  return is_gated(op) || is_reduction(op);
}

constexpr bool sets(const Cell& c) {
  return c.op == Op::set_mask;
}
constexpr bool resets(const Cell& c) {
  return c.op == Op::reset_mask;
}

}  // namespace lanecheck::vmc
