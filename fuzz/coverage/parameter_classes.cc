#include "fuzz/coverage/parameter_classes.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "fuzz/generate/rounding_data.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

enum ValueClass : unsigned { kZero, kMinusZero, kSubnormal, kTie, kInfinite, kNan, kMost, kNegative };

unsigned repeat_class(std::uint32_t repeat) {
  if (repeat <= 1) return repeat;
  if (repeat <= 8) return 2;
  return repeat < 255 ? 3 : 4;
}

unsigned block_class(std::uint32_t stride) {
  if (stride <= 1) return stride;
  return stride <= 8 ? 2 : 3;
}

unsigned repeat_stride_class(std::uint32_t stride) {
  if (stride == 0) return 0;
  if (stride <= 8) return 1;
  return stride < 128 ? 2 : 3;
}

/// A mask may be in several classes.
ClassSet mask_classes(const std::array<std::uint64_t, 4>& words, const Instruction& insn) {
  const unsigned lanes = lanes_of(insn), per_data_block = lanes / kRepeatBlocks;
  const std::uint64_t low = lanes < 64 ? words[0] & ((std::uint64_t{1} << lanes) - 1) : words[0];
  const std::uint64_t high = lanes > 64 ? words[1] : 0;
  unsigned on = static_cast<unsigned>(std::popcount(low) + std::popcount(high));
  if (lanes > 128) on += 128;
  ClassSet classes = 0;
  const auto add = [&classes](unsigned n, bool holds) { classes |= holds ? ClassSet{1} << n : 0; };
  add(0, on == lanes);
  add(1, on == 0);
  add(2, on == 1);
  bool one_block_off = false;
  for (unsigned block = 0; per_data_block > 0 && on + per_data_block == lanes && block < kRepeatBlocks;
       ++block) {
    const unsigned first = block * per_data_block;
    const std::uint64_t word = first < 64 ? low : high;
    const std::uint64_t ones = per_data_block >= 64 ? kOnes : (std::uint64_t{1} << per_data_block) - 1;
    one_block_off |= first < 128 && (word & ones << first % 64) == 0;
  }
  add(3, one_block_off);
  add(4, words[0] != 0 && words[1] == 0);
  add(5, words[0] == 0 && words[1] != 0);
  add(6, on != lanes && on > 1 && words[0] != 0 && !one_block_off);
  return classes;
}

ClassSet value_classes(const Program& program, const ResolvedInstruction& here, unsigned k) {
  const Instruction& insn = here.insn;
  const Element type = insn.src_type;
  const std::uint64_t start = start_of(program, insn.operands[k]);
  const std::uint64_t sign = std::uint64_t{1} << (8 * size_of(type) - 1);
  const std::uint64_t infinity = nearest(type, HUGE_VAL);
  ClassSet classes = 0;
  const auto add = [&classes](ValueClass value, bool holds) { classes |= holds ? ClassSet{1} << value : 0; };
  for_each_piece(insn, k, [&](std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t at = start + offset; bytes >= size_of(type);
         at += size_of(type), bytes -= size_of(type)) {
      if (at + size_of(type) > program.ub.size()) return;
      std::uint64_t bits = 0;
      std::memcpy(&bits, program.ub.data() + at, size_of(type));
      const std::uint64_t magnitude = bits & (sign - 1);
      add(kZero, bits == 0);
      add(kMinusZero, bits == sign);
      add(kSubnormal, magnitude != 0 && (magnitude & infinity) == 0);
      add(kInfinite, magnitude == infinity);
      add(kNan, magnitude > infinity);
      add(kMost, magnitude == infinity - 1);
      add(kNegative, (bits & sign) != 0 && magnitude != 0 && magnitude < infinity);
      if (row_of(insn.op).rounds && (classes >> kTie & 1) == 0) add(kTie, is_tie(insn.dst_type, type, bits));
    }
  });
  return classes;
}

bool is_same_place(const Operand& a, const Operand& b) {
  return a.allocation == b.allocation && a.offset == b.offset;
}

ClassSet in_place_class(const Row& row, const Instruction& insn) {
  const auto first = operand_of(row, Parameter::src0_block), second = operand_of(row, Parameter::src1_block);
  const Operand& dst = insn.operands[0];
  if (first && is_same_place(insn.operands[*first], dst)) return 1u << 1;
  if (second && is_same_place(insn.operands[*second], dst))
    return 1u << (dst.repeat_stride == 0 && insn.repeat > 1 ? 3 : 2);
  return 1u;
}

ClassSet source_strides_class(const Row& row, const Instruction& insn) {
  const auto first = operand_of(row, Parameter::src0_block), second = operand_of(row, Parameter::src1_block);
  if (!first || !second) return 0;
  const Operand &a = insn.operands[*first], &b = insn.operands[*second];
  ClassSet classes = 0;
  if (a.block_stride == b.block_stride && a.repeat_stride == b.repeat_stride) classes |= 1;
  if (a.block_stride != b.block_stride) classes |= 2;
  if (a.repeat_stride != b.repeat_stride) classes |= 4;
  return classes;
}

void add_operands(const Program& program, const ResolvedInstruction& here, SeenClasses& seen) {
  const Instruction& insn = here.insn;
  const Row& row = row_of(insn.op);
  const auto of = [&seen](Parameter p) -> ClassSet& { return seen.of[static_cast<std::size_t>(p)]; };
  using enum Parameter;
  for (const Parameter p : {dst_block, src0_block, src1_block})
    if (const auto k = operand_of(row, p)) of(p) |= 1u << block_class(insn.operands[*k].block_stride);
  if (repeats_of(insn) > 1)
    for (const Parameter p : {dst_repeat, src0_repeat, src1_repeat})
      if (const auto k = operand_of(row, p))
        of(p) |= 1u << repeat_stride_class(insn.operands[*k].repeat_stride);
  for (const Parameter p : {src0_value, src1_value})
    if (const auto k = operand_of(row, p); k && is_float(insn.src_type))
      of(p) |= value_classes(program, here, *k);
}

}  // namespace

const ParameterRow& row_of(Parameter parameter) {
  static const std::vector<std::string_view> block = {"0", "1", "2..8", "above 8"};
  static const std::vector<std::string_view> repeat = {"0", "1..8", "9..127", "128 and above"};
  static const std::vector<std::string_view> value = {"0",   "-0",  "subnormal", "tie",
                                                      "inf", "nan", "greatest",  "negative"};
  static const std::array<ParameterRow, kParameters> rows = {{
      {"repeat times", {"0", "1", "2..8", "9..254", "255"}},
      {"mask", {"full", "empty", "one lane", "one block off", "low word only", "high word only", "other"}},
      {"in place", {"no", "dst is src0", "dst is src1", "accumulates"}},
      {"strides of the sources", {"equal", "other block stride", "other repeat stride"}},
      {"block stride of dst", block},
      {"block stride of src0", block},
      {"block stride of src1", block},
      {"repeat stride of dst", repeat},
      {"repeat stride of src0", repeat},
      {"repeat stride of src1", repeat},
      {"value of src0", value},
      {"value of src1", value},
  }};
  return rows[static_cast<std::size_t>(parameter)];
}

/// Is it a parameter of the operand with this role? A single source counts as the first.
bool belongs_to(Parameter parameter, std::string_view role) {
  using enum Parameter;
  if (parameter == dst_block || parameter == dst_repeat) return role == "dst";
  if (parameter == src1_block || parameter == src1_repeat || parameter == src1_value) return role == "src1";
  return role == "src" || role == "src0";
}

std::optional<unsigned> operand_of(const Row& row, Parameter parameter) {
  using enum Parameter;
  const bool is_repeat = parameter == dst_repeat || parameter == src0_repeat || parameter == src1_repeat;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const auto& [role, walk, type, per_repeat, alignment] = row.operands[k];
    const bool walks = walk == Walk::blocks || (is_repeat && (walk == Walk::results || walk == Walk::rows));
    if (walks && belongs_to(parameter, role)) return k;
  }
  return {};
}

void add_classes(const Program& program, const Readings& readings, std::vector<SeenClasses>& seen) {
  MaskBits mask;
  seen.resize(kOps);
  for (const Instruction& insn : program.instructions) {
    mask.load(insn, readings);
    const Row& row = row_of(insn.op);
    const ResolvedInstruction here = resolve(insn, mask, readings);
    SeenClasses& mine = seen[static_cast<std::size_t>(insn.op)];
    const auto of = [&mine](Parameter p) -> ClassSet& { return mine.of[static_cast<std::size_t>(p)]; };
    if (row.mask != MaskUse::is_mask_state) {
      of(Parameter::repeat) |= 1u << repeat_class(repeats_of(here.insn));
      if (mask.mode == Mode::normal) of(Parameter::mask) |= mask_classes(mask.words, insn);
      of(Parameter::in_place) |= in_place_class(row, insn);
      of(Parameter::source_strides) |= source_strides_class(row, insn);
      add_operands(program, here, mine);
    }
    mask.leave(insn, readings);
  }
}

}  // namespace lanecheck
