#include "fuzz/explain/earlier/layout_of_earlier.h"

#include <algorithm>

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Is operand `k` a source that is walked by data blocks?
bool is_walked_source(const Instruction& insn, unsigned k) {
  const OperandColumn& column = row_of(insn.op).operands[k];
  return k > 0 && column.walk == Walk::blocks && column.role.starts_with("src");
}

bool has_walked_source(const Instruction& insn) {
  for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
    if (is_walked_source(insn, k)) return true;
  return false;
}

/// Does a source of `earlier` have the block stride of operand `k`?
bool has_block_stride_of(const Instruction& earlier, const Instruction& insn, unsigned k) {
  for (unsigned other = 1; other < row_of(earlier.op).operands.size(); ++other)
    if (is_walked_source(earlier, other) &&
        earlier.operands[other].block_stride == insn.operands[k].block_stride)
      return true;
  return false;
}

/// `ub`, with what lies in each lane of `one`, of one repeat, where an element of `size` bytes would lie.
/// Nothing if that is behind the end of UB.
std::optional<std::vector<std::byte>> with_other_layout(const Program& program, const Instruction& one,
                                                        const Instruction& earlier,
                                                        const std::vector<std::byte>& ub) {
  std::vector<std::byte> moved = ub;
  const unsigned own = size_of(one.src_type), size = size_of(earlier.src_type), per = kBlockBytes / size;
  for (unsigned k = 1; k < row_of(one.op).operands.size(); ++k) {
    if (!is_walked_source(one, k) || !has_block_stride_of(earlier, one, k)) continue;
    const std::size_t start = start_of(program, one.operands[k]);
    for (unsigned lane = 0; lane < lanes_of(one); ++lane) {
      const std::size_t from =
          start + std::size_t{lane / per} * one.operands[k].block_stride * kBlockBytes + lane % per * size;
      if (from + own > ub.size()) return {};
      std::copy_n(ub.begin() + static_cast<std::ptrdiff_t>(from), own,
                  moved.begin() + static_cast<std::ptrdiff_t>(start + lane_offset(one, k, 0, lane)));
    }
  }
  return moved;
}

/// Does the backend leave what follows if the last instruction reads so, after instruction `at`?
bool reads_so(Program program, std::size_t at, PredictedPart& predicted, bool& shows) {
  add_room_behind(program, std::byte{0x35}, 2 * kRepeatBlocks);  // what lies further on is read, too
  if (find_fault(program, predicted.documented().readings())) return true;
  const Instruction& insn = program.instructions.back();
  State state = predicted.before_of(program, program.instructions.size() - 1);
  if (state.mode == Mode::counter) return false;  // it has other repeat times
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    const Instruction one = one_repeat(insn, repeat);
    auto moved = with_other_layout(program, one, program.instructions[at], state.ub);
    if (!moved) return false;
    State read = state;
    read.ub = *moved;
    execute_one(program, one, predicted.documented().semantics, read);
    for (std::size_t n = 0; n < read.ub.size(); ++n)
      if (read.ub[n] == (*moved)[n]) read.ub[n] = state.ub[n];
    state = std::move(read);
  }
  return predicted.agrees(program, state, shows);
}

/// Is the backend right if the sources of the last instruction have other block strides?
bool is_right_with_other_strides(Program program, PredictedPart& predicted) {
  Instruction& insn = program.instructions.back();
  for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
    if (is_walked_source(insn, k)) insn.operands[k].block_stride += 1;
  make_room(program);
  if (find_fault(program, predicted.documented().readings())) return false;
  bool shows = false;
  return predicted.agrees(program, predicted.before_of(program, program.instructions.size()), shows);
}

}  // namespace

std::optional<Carried> layout_of_earlier(const Program& part, std::size_t at, PredictedPart& predicted) {
  const Instruction &insn = part.instructions.back(), &earlier = part.instructions[at];
  if (row_of(earlier.op).operands.empty() || !has_walked_source(insn) || !has_walked_source(earlier) ||
      size_of(insn.src_type) == size_of(earlier.src_type) || lanes_of(insn) != lanes_of(earlier))
    return {};
  bool shows_again = false;
  const auto holds = [&](const Program& program, bool& shows) {
    return reads_so(program, at, predicted, shows);
  };
  if (!predicted.holds_for_data(holds, shows_again) || !shows_again) return {};
  return Carried{
      mnemonic(insn) + " reads its sources as if their elements had " +
          std::to_string(size_of(earlier.src_type)) + " bytes instead of " +
          std::to_string(size_of(insn.src_type)) + ", as those of " + earlier_one(part, at) + " have" +
          (is_right_with_other_strides(part, predicted) ? ", if both have the same block stride" : ""),
      "layout", Matter::address, true, true};
}

}  // namespace lanecheck
