#include "fuzz/simulator/instruction_list.h"

#include <algorithm>
#include <stdexcept>

namespace lanecheck::simulator {
namespace {

constexpr KnownInstruction kKnown[] = {
    {Op::set_mask, set_register, MaskRole::sets},
    {Op::reset_mask, set_register, MaskRole::sets},
    {Op::set_vector_mask, set_register, MaskRole::sets},
    {Op::set_vector_mask_len, set_register, MaskRole::sets},
    {Op::set_vector_mask_total, set_register, MaskRole::sets},
    {Op::set_mask_norm, set_register, MaskRole::sets},
    {Op::set_mask_count, set_register, MaskRole::sets},
    {Op::exp, unary, MaskRole::gates},
    {Op::ln, unary, MaskRole::gates},
    {Op::abs, unary, MaskRole::gates},
    {Op::rec, unary, MaskRole::gates},
    {Op::sqrt, unary, MaskRole::gates},
    {Op::rsqrt, unary, MaskRole::gates},
    {Op::vnot, unary, MaskRole::gates},
    {Op::relu, unary, MaskRole::gates},
    {Op::add, binary, MaskRole::gates},
    {Op::sub, binary, MaskRole::gates},
    {Op::mul, binary, MaskRole::gates},
    {Op::div, binary, MaskRole::gates},
    {Op::vmax, binary, MaskRole::gates},
    {Op::vmin, binary, MaskRole::gates},
    {Op::vand, binary, MaskRole::gates},
    {Op::vor, binary, MaskRole::gates},
    {Op::muladddst, multiply_add, MaskRole::gates},
    {Op::fusedmuladd, multiply_add, MaskRole::gates},
    {Op::adds, scalar, MaskRole::gates},
    {Op::muls, scalar, MaskRole::gates},
    {Op::vmaxs, scalar, MaskRole::gates},
    {Op::vmins, scalar, MaskRole::gates},
    {Op::lrelu, scalar, MaskRole::gates},
    {Op::axpy, axpy, MaskRole::gates},
    {Op::dup, dup, MaskRole::gates},
    {Op::cast, cast, MaskRole::gates},
    {Op::shl, shift, MaskRole::gates},
    {Op::shr, shift, MaskRole::gates},
    {Op::vpadding, pad, MaskRole::gates},
    {Op::cadd, reduce, MaskRole::neutral},
    {Op::cgadd, reduce, MaskRole::neutral},
    {Op::cpadd, reduce, MaskRole::neutral},
    {Op::cmax, reduce, MaskRole::neutral},
    {Op::cgmax, reduce, MaskRole::neutral},
    {Op::cmin, reduce, MaskRole::neutral},
    {Op::cgmin, reduce, MaskRole::neutral},
    {Op::cmax_index, extreme_and_index, MaskRole::neutral},
    {Op::cmin_index, extreme_and_index, MaskRole::neutral},
    {Op::select, select, MaskRole::gates_in_ascend_c},
    {Op::select_number, select_with_scalar, MaskRole::ignores},
    {Op::compare, compare, MaskRole::ignores},
    {Op::compare_scalar, compare_scalar, MaskRole::ignores},
    {Op::gather, gather, MaskRole::gates_in_ascend_c},
    {Op::gatherb, gatherb, MaskRole::ignores},
    {Op::scatter, scatter, MaskRole::ignores},
    {Op::gather_mask, collect, MaskRole::ignores},
    {Op::gather_mask_user, collect, MaskRole::ignores},
    {Op::sort32, sort32, MaskRole::ignores},
    {Op::mergesort4, mergesort4, MaskRole::ignores},
    {Op::mergesort_2seq, mergesort_2seq, MaskRole::ignores},
    {Op::brcb, brcb, MaskRole::ignores},
    {Op::set_cmpmask, set_compare_mask, MaskRole::ignores},
    {Op::get_cmpmask, get_compare_mask, MaskRole::ignores},
    {Op::compare_cmpmask, compare_to_mask, MaskRole::gates},
    {Op::select_bits, select_by_mask, MaskRole::gates},
    {Op::select_cmpmask, select_by_mask, MaskRole::gates},
    {Op::select_scalar, select_with_scalar, MaskRole::gates},
};

/// The same, by number of the instruction.
constexpr auto kByOp = [] {
  std::array<KnownInstruction, std::size(kKnown)> by_op{};
  for (const KnownInstruction& each : kKnown) by_op[static_cast<std::size_t>(each.op)] = each;
  return by_op;
}();
static_assert(
    [] {
      std::array<bool, std::size(kKnown)> seen{};
      for (const KnownInstruction& each : kKnown) seen[static_cast<std::size_t>(each.op)] = true;
      return std::ranges::all_of(seen, [](bool known) { return known; });
    }(),
    "every instruction has one entry");

}  // namespace

const KnownInstruction& known(Op op) {
  const auto number = static_cast<std::size_t>(op);
  if (number >= kByOp.size())
    throw std::logic_error("the example simulator does not know " + std::string(row_of(op).name));
  return kByOp[number];
}

void unknown(const Instruction& insn) {
  throw std::logic_error("the example simulator does not know this form of " +
                         std::string(row_of(insn.op).name));
}

}  // namespace lanecheck::simulator
