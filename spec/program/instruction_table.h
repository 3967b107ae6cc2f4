// The instruction table: one row is one instruction. Parser, printer, generator, legality, reports and
// documentation read these rows and list no instructions themselves. Three places list instructions on
// purpose: the kernels of the oracle (oracle/execute), and, so that a wrong row is noticed, the example
// simulator (fuzz/simulator) and the rules (spec/rules/vmc_lists.h). A new instruction is a name in Op and a
// row in kInstructionRows at the same place, then a kernel.
#pragma once

#include <utility>

#include "spec/program/form_table.h"
#include "spec/program/type_list.h"

namespace lanecheck {

enum class Op : std::uint8_t {
  set_mask,
  reset_mask,
  set_cmpmask,
  exp,
  ln,
  abs,
  rec,
  sqrt,
  rsqrt,
  vnot,
  relu,
  add,
  sub,
  mul,
  div,
  vmax,
  vmin,
  vand,
  vor,
  muladddst,
  adds,
  muls,
  vmaxs,
  vmins,
  lrelu,
  axpy,
  dup,
  cast,
  cadd,
  cgadd,
  cpadd,
  cmax,
  cgmax,
  cmin,
  cgmin,
  select,
  compare,
  compare_scalar,
  gather,
  scatter,
  sort32,
  mergesort4,
  mergesort_2seq,
  brcb,
  select_number,
  set_vector_mask,
  set_vector_mask_len,
  set_vector_mask_total,
  set_mask_norm,
  set_mask_count,
  fusedmuladd,
  shl,
  shr,
  cmax_index,
  cmin_index,
  compare_cmpmask,
  get_cmpmask,
  select_bits,
  select_scalar,
  select_cmpmask,
  gatherb,
  gather_mask,
  gather_mask_user,
  vpadding,
};

/// What a masked-off source element of a reduction reads as.
enum class Neutral : std::uint8_t { none, zero, lowest, highest };

/// How far a result may be from the correctly rounded one (asc-devkit pages of Exp, Ln, Sqrt, Reciprocal,
/// Rsqrt).
enum class Tolerance : std::uint8_t {
  exact,
  one_ulp,
  estimate,  ///< relative 2^-8: 8 ULP in f16, 65536 in f32
  sum,       ///< any order of addition, unless the reading sum_order is pinned
};

/// Source data that makes a result decisive. The generator uses it, and has the values.
enum class SourceData : std::uint8_t {
  none,
  positive,  ///< small, even and odd in turn
  negative,  ///< small and odd, alternating in bit 1
  both,      ///< first source positive, second negative
  below,     ///< negative, all different within a repeat
  above,     ///< positive, all different within a repeat
  any_bits,  ///< random bytes
};

/// How well a sentence is founded. library: none of the five documents says it, only asc-devkit does.
enum class Standing : std::uint8_t { documented, contested, undecided, deprecated, library };
inline constexpr std::string_view kStandingNames[] = {"documented", "contested", "undecided", "deprecated",
                                                      "library"};

/// What an instruction has beside the facts of its form.
struct InstructionRow {
  Op op;
  std::string_view name;  ///< as programs spell it
  Form form;
  Neutral neutral = Neutral::none;  ///< what a masked-off source of a reduction reads as
  Tolerance tolerance = Tolerance::exact;
  SourceData data = SourceData::none;  ///< decisive source data
  int scalar = 0;                      ///< the decisive scalar
  bool in_place = false;               ///< decisive also if dst is the (first) source
  bool accumulates = false;  ///< dst may be src1 also where repeats meet, in f16, f32 and i32 (asc-devkit)
  TypesByProfile types;
  std::string_view api;  ///< what Ascend C (TIK) calls it
  Standing standing = Standing::documented;
  /// Where a document lists the instruction: a section of VMC, a heading of SVM, or the name of the page GM
  /// or VP. "asc-devkit" if no document lists it.
  std::string_view section;
};

/// A row of the table with the facts of its form.
struct Row : InstructionRow, FormRow {
  constexpr Row(const InstructionRow& row) : InstructionRow(row), FormRow(row_of(row.form)) {}

  constexpr const TypeList& in(Profile profile) const { return types.in(profile); }
  bool typed() const;  ///< does it take element types?
  /// Does it write a dst, which is then its first operand?
  constexpr bool writes_dst() const { return !operands.empty() && operands[0].role == "dst"; }
  constexpr bool brings_own_mask() const {
    return mask_operand == MaskOperand::own || mask_operand == MaskOperand::own_no_count;
  }
};

// This table may use long lines: a row is one line.
// clang-format off
inline constexpr auto kInstructionRows = [] {
  using namespace type_lists;
  using F = Form;
  using N = Neutral;
  using T = Tolerance;
  using D = SourceData;
  return std::to_array<InstructionRow>({
    {.op = Op::set_mask, .name = "set_mask", .form = F::set_mask, .types = {.vmc = kNoTypes}, .api = "set_mask", .section = "2"},
    {.op = Op::reset_mask, .name = "reset_mask", .form = F::reset_mask, .types = {.vmc = kNoTypes, .a2 = kNoTypes, .p310 = kNoTypes}, .api = "ResetMask", .section = "2"},
    {.op = Op::set_cmpmask, .name = "set_cmpmask", .form = F::set_cmpmask, .data = D::any_bits, .types = {.vmc = kCompareMask, .a2 = kCompareMask}, .api = "SetCmpMask", .standing = Standing::deprecated, .section = "5"},

    {.op = Op::exp, .name = "exp", .form = F::unary, .tolerance = T::one_ulp, .data = D::negative, .in_place = true, .types = {.vmc = kHalfAndFloat, .a2 = kHalfAndFloat}, .api = "Exp", .section = "3.1"},
    {.op = Op::ln, .name = "ln", .form = F::unary, .tolerance = T::one_ulp, .data = D::positive, .in_place = true, .types = {.vmc = kHalfAndFloat, .a2 = kHalfAndFloat}, .api = "Ln", .section = "3.1"},
    {.op = Op::abs, .name = "abs", .form = F::unary, .data = D::negative, .in_place = true, .types = {.vmc = kSigned, .a2 = kHalfAndFloat}, .api = "Abs", .section = "3.1"},
    {.op = Op::rec, .name = "rec", .form = F::unary, .tolerance = T::estimate, .data = D::positive, .types = {.vmc = kHalfAndFloat, .a2 = kHalfAndFloat}, .api = "Reciprocal", .section = "3.1"},
    {.op = Op::sqrt, .name = "sqrt", .form = F::unary, .tolerance = T::one_ulp, .data = D::positive, .types = {.vmc = kHalfAndFloat, .a2 = kHalfAndFloat}, .api = "Sqrt", .section = "3.1"},
    {.op = Op::rsqrt, .name = "rsqrt", .form = F::unary, .tolerance = T::estimate, .data = D::positive, .types = {.vmc = kHalfAndFloat, .a2 = kHalfAndFloat}, .api = "Rsqrt", .section = "3.1"},
    {.op = Op::vnot, .name = "vnot", .form = F::unary, .data = D::positive, .in_place = true, .types = {.vmc = kLogic, .a2 = kA2Logic}, .api = "Not", .section = "3.1"},
    {.op = Op::relu, .name = "relu", .form = F::unary, .data = D::positive, .types = {.vmc = kSigned, .a2 = kA2Relu}, .api = "Relu", .section = "3.1"},

    {.op = Op::add, .name = "add", .form = F::binary, .data = D::both, .in_place = true, .accumulates = true, .types = {.vmc = kArithmetic, .a2 = kNumeric, .p310 = kNumeric}, .api = "Add", .section = "3.1"},
    {.op = Op::sub, .name = "sub", .form = F::binary, .data = D::both, .in_place = true, .accumulates = true, .types = {.vmc = kArithmetic, .a2 = kNumeric, .p310 = kNumeric}, .api = "Sub", .section = "3.1"},
    {.op = Op::mul, .name = "mul", .form = F::binary, .data = D::both, .accumulates = true, .types = {.vmc = kArithmetic, .a2 = kNumeric, .p310 = kNumeric}, .api = "Mul", .section = "3.1"},
    {.op = Op::div, .name = "div", .form = F::binary, .data = D::both, .types = {.vmc = kHalfAndFloat, .a2 = kHalfAndFloat}, .api = "Div", .section = "3.1"},
    {.op = Op::vmax, .name = "vmax", .form = F::binary, .data = D::both, .accumulates = true, .types = {.vmc = kArithmetic, .a2 = kNumeric}, .api = "Max", .section = "3.1"},
    {.op = Op::vmin, .name = "vmin", .form = F::binary, .data = D::both, .accumulates = true, .types = {.vmc = kArithmetic, .a2 = kNumeric}, .api = "Min", .section = "3.1"},
    {.op = Op::vand, .name = "vand", .form = F::binary, .data = D::both, .types = {.vmc = kLogic, .a2 = kA2Logic}, .api = "And", .section = "3.1"},
    {.op = Op::vor, .name = "vor", .form = F::binary, .data = D::both, .types = {.vmc = kLogic, .a2 = kA2Logic}, .api = "Or", .section = "3.1"},
    {.op = Op::muladddst, .name = "muladddst", .form = F::multiply_add, .data = D::both, .types = {.vmc = kVmcMultiplyAdd, .a2 = kMultiplyAdd}, .api = "MulAddDst", .section = "3.1"},

    {.op = Op::adds, .name = "adds", .form = F::scalar, .data = D::positive, .scalar = 3, .in_place = true, .types = {.vmc = kArithmetic, .a2 = kNumeric, .p310 = kNumeric, .tik = kNumeric}, .api = "Adds", .section = "3.1"},
    {.op = Op::muls, .name = "muls", .form = F::scalar, .data = D::positive, .scalar = 3, .in_place = true, .types = {.vmc = kArithmetic, .a2 = kNumeric, .p310 = kNumeric, .tik = kNumeric}, .api = "Muls", .section = "3.1"},
    {.op = Op::vmaxs, .name = "vmaxs", .form = F::scalar, .data = D::positive, .scalar = -2, .types = {.vmc = kArithmetic, .a2 = kNumeric}, .api = "Maxs", .section = "3.1"},
    {.op = Op::vmins, .name = "vmins", .form = F::scalar, .data = D::positive, .scalar = 100, .types = {.vmc = kArithmetic, .a2 = kNumeric}, .api = "Mins", .section = "3.1"},
    {.op = Op::lrelu, .name = "lrelu", .form = F::scalar, .data = D::negative, .scalar = 2, .in_place = true, .types = {.vmc = kHalfAndFloat, .a2 = kHalfAndFloat}, .api = "LeakyRelu", .section = "3.1"},
    {.op = Op::axpy, .name = "axpy", .form = F::axpy, .data = D::positive, .scalar = 3, .types = {.vmc = kMultiplyAdd, .a2 = kMultiplyAdd, .tik = kMultiplyAdd}, .api = "Axpy", .section = "3.1"},

    {.op = Op::dup, .name = "dup", .form = F::dup, .scalar = 3, .types = {.vmc = kEveryType, .a2 = kMoved, .p310 = kPadded, .tik = kPadded}, .api = "Duplicate", .section = "3.1"},
    {.op = Op::cast, .name = "cast", .form = F::cast, .data = D::positive, .scalar = 2, .types = {.vmc = kCastPairs, .a2 = kCastPairs}, .api = "Cast", .section = "3.1"},

    {.op = Op::cadd, .name = "cadd", .form = F::reduce_repeat, .neutral = N::zero, .tolerance = T::sum, .data = D::positive, .types = {.vmc = kNumeric, .a2 = kHalfAndFloat}, .api = "WholeReduceSum", .section = "3.2"},
    {.op = Op::cgadd, .name = "cgadd", .form = F::reduce_block, .neutral = N::zero, .tolerance = T::sum, .data = D::positive, .types = {.vmc = kNumeric, .a2 = kHalfAndFloat}, .api = "BlockReduceSum", .section = "3.2"},
    {.op = Op::cpadd, .name = "cpadd", .form = F::reduce_pair, .neutral = N::zero, .data = D::positive, .types = {.vmc = kNumeric, .a2 = kHalfAndFloat}, .api = "PairReduceSum", .section = "3.2"},
    {.op = Op::cmax, .name = "cmax", .form = F::reduce_repeat, .neutral = N::lowest, .data = D::below, .types = {.vmc = kNumeric, .a2 = kHalfAndFloat}, .api = "WholeReduceMax", .section = "3.3"},
    {.op = Op::cgmax, .name = "cgmax", .form = F::reduce_block, .neutral = N::lowest, .data = D::below, .types = {.vmc = kNumeric, .a2 = kHalfAndFloat}, .api = "BlockReduceMax", .section = "3.3"},
    {.op = Op::cmin, .name = "cmin", .form = F::reduce_repeat, .neutral = N::highest, .data = D::above, .types = {.vmc = kNumeric, .a2 = kHalfAndFloat}, .api = "WholeReduceMin", .section = "3.3"},
    {.op = Op::cgmin, .name = "cgmin", .form = F::reduce_block, .neutral = N::highest, .data = D::above, .types = {.vmc = kNumeric, .a2 = kHalfAndFloat}, .api = "BlockReduceMin", .section = "3.3"},

    {.op = Op::select, .name = "select", .form = F::select, .data = D::both, .types = {.vmc = kNumeric, .a2 = kHalfAndFloat}, .api = "Select", .section = "4"},
    {.op = Op::compare, .name = "compare", .form = F::compare, .data = D::positive, .types = {.vmc = kCompare, .a2 = kA2Compare}, .api = "Compare", .section = "4"},
    {.op = Op::compare_scalar, .name = "compare_scalar", .form = F::compare_scalar, .data = D::positive, .scalar = 5, .types = {.vmc = kCompare, .a2 = kA2Compare}, .api = "Compares", .section = "4"},
    {.op = Op::gather, .name = "gather", .form = F::gather, .data = D::above, .types = {.vmc = kMoved, .a2 = kMoved}, .api = "Gather", .section = "4"},
    {.op = Op::scatter, .name = "scatter", .form = F::scatter, .data = D::positive, .types = {.vmc = kMoved}, .api = "Scatter", .section = "4"},
    {.op = Op::sort32, .name = "sort32", .form = F::sort32, .data = D::positive, .types = {.vmc = kHalfAndFloat, .a2 = kHalfAndFloat}, .api = "Sort32", .section = "4"},
    {.op = Op::mergesort4, .name = "mergesort4", .form = F::merge4, .types = {.vmc = kHalfAndFloat, .a2 = kHalfAndFloat}, .api = "MrgSort", .section = "4"},
    {.op = Op::mergesort_2seq, .name = "mergesort_2seq", .form = F::merge2, .types = {.vmc = kHalfAndFloat, .a2 = kHalfAndFloat}, .api = "MrgSort", .section = "4"},
    {.op = Op::brcb, .name = "brcb", .form = F::brcb, .data = D::positive, .types = {.vmc = kMoved, .a2 = kMoved}, .api = "Brcb", .section = "4"},
    {.op = Op::select_number, .name = "select_number", .form = F::select_number, .data = D::positive, .scalar = -3, .types = {.vmc = kNumeric}, .api = "select", .section = "4"},

    {.op = Op::set_vector_mask, .name = "set_vector_mask", .form = F::set_mask, .types = {.a2 = kMaskTypes, .p310 = kMaskTypes}, .api = "SetVectorMask", .section = "Prototype"},
    {.op = Op::set_vector_mask_len, .name = "set_vector_mask_len", .form = F::set_length, .types = {.a2 = kMaskTypes, .p310 = kMaskTypes}, .api = "SetVectorMask", .section = "Prototype"},
    {.op = Op::set_vector_mask_total, .name = "set_vector_mask_total", .form = F::set_length, .types = {.a2 = kNoTypes, .p310 = kNoTypes}, .api = "SetVectorMask", .section = "Prototype"},
    {.op = Op::set_mask_norm, .name = "set_mask_norm", .form = F::set_mode, .types = {.a2 = kNoTypes, .p310 = kNoTypes}, .api = "SetMaskNorm", .section = "Function Usage"},
    {.op = Op::set_mask_count, .name = "set_mask_count", .form = F::set_mode, .types = {.a2 = kNoTypes, .p310 = kNoTypes}, .api = "SetMaskCount", .section = "Function Usage"},
    {.op = Op::fusedmuladd, .name = "fusedmuladd", .form = F::multiply_add, .data = D::both, .types = {.a2 = kHalfAndFloat}, .api = "FusedMulAdd", .section = "asc-devkit"},
    {.op = Op::shl, .name = "shl", .form = F::shift, .data = D::positive, .in_place = true, .types = {.a2 = kShift}, .api = "ShiftLeft", .section = "asc-devkit"},
    {.op = Op::shr, .name = "shr", .form = F::shift, .data = D::negative, .types = {.a2 = kShift}, .api = "ShiftRight", .section = "asc-devkit"},
    {.op = Op::cmax_index, .name = "cmax_index", .form = F::reduce_extreme, .neutral = N::lowest, .data = D::below, .types = {.a2 = kHalfAndFloat}, .api = "WholeReduceMax", .section = "asc-devkit"},
    {.op = Op::cmin_index, .name = "cmin_index", .form = F::reduce_extreme, .neutral = N::highest, .data = D::above, .types = {.a2 = kHalfAndFloat}, .api = "WholeReduceMin", .section = "asc-devkit"},
    {.op = Op::compare_cmpmask, .name = "compare_cmpmask", .form = F::compare_cmpmask, .data = D::positive, .types = {.a2 = kCmpCompare}, .api = "Compare", .section = "asc-devkit"},
    {.op = Op::get_cmpmask, .name = "get_cmpmask", .form = F::get_cmpmask, .types = {.a2 = kCompareMask}, .api = "GetCmpMask", .section = "asc-devkit"},
    {.op = Op::select_bits, .name = "select_bits", .form = F::select_bits, .data = D::both, .types = {.a2 = kHalfAndFloat}, .api = "Select", .section = "asc-devkit"},
    {.op = Op::select_scalar, .name = "select_scalar", .form = F::select_scalar, .data = D::positive, .scalar = -3, .types = {.a2 = kHalfAndFloat}, .api = "Select", .section = "asc-devkit"},
    {.op = Op::select_cmpmask, .name = "select_cmpmask", .form = F::select_cmpmask, .data = D::both, .types = {.a2 = kHalfAndFloat}, .api = "Select", .section = "asc-devkit"},
    {.op = Op::gatherb, .name = "gatherb", .form = F::gather_blocks, .data = D::above, .types = {.a2 = kBlockMoved}, .api = "Gatherb", .section = "asc-devkit"},
    {.op = Op::gather_mask, .name = "gather_mask", .form = F::gather_mask, .data = D::above, .types = {.a2 = kMoved, .p310 = kPadded}, .api = "GatherMask", .section = "GM"},
    {.op = Op::gather_mask_user, .name = "gather_mask_user", .form = F::gather_mask_user, .data = D::above, .types = {.a2 = kMoved, .p310 = kPadded}, .api = "GatherMask", .section = "GM"},
    {.op = Op::vpadding, .name = "vpadding", .form = F::padding, .data = D::above, .types = {.p310 = kPadded}, .api = "VectorPadding", .section = "VP"},
  });
}();
// clang-format on

inline constexpr std::size_t kOps = kInstructionRows.size();

inline constexpr auto kInstructions = []<std::size_t... N>(std::index_sequence<N...>) {
  return std::array{Row(kInstructionRows[N])...};
}
(std::make_index_sequence<kOps>());

static_assert(
    [] {
      for (std::size_t n = 0; n < kOps; ++n)
        if (kInstructions[n].op != static_cast<Op>(n)) return false;
      return true;
    }(),
    "a row for each name in Op, in the same order");

inline constexpr std::span<const Row> instruction_table() {
  return kInstructions;
}
constexpr const Row& row_of(Op op) {
  return kInstructions[static_cast<std::size_t>(op)];
}
const Row* find_row(std::string_view name);

}  // namespace lanecheck
