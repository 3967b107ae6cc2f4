#include "fuzz/generate/end_of_ub.h"

#include <algorithm>

#include "spec/mask/mask_register.h"

namespace lanecheck {
namespace {

/// Behind a count, a backend may look at whole repeats: it needs the room that lies there.
bool counts_elements(const Program& program) {
  return std::ranges::any_of(program.instructions, [](const Instruction& insn) {
    return insn.mask_from == MaskFrom::count || insn.op == Op::set_mask_count ||
           insn.op == Op::set_vector_mask_total || row_of(insn.op).compacts;
  });
}

std::size_t end_of(const Allocation& allocation) {
  return std::size_t{allocation.offset} + allocation.bytes;
}

}  // namespace

void end_with_dst(Program& program) {
  if (program.instructions.empty() || counts_elements(program)) return;
  const Instruction& last = program.instructions.back();
  if (!row_of(last.op).writes_dst()) return;
  Allocation& dst = program.allocations[last.operands[0].allocation];
  const auto begin = static_cast<std::uint32_t>(program.ub.size() - program.ub.size() % kBlockBytes);
  if (std::size_t{begin} + dst.bytes > kMaxUbBytes) return;
  program.ub.resize(begin + dst.bytes);
  const auto old = program.ub.begin() + dst.offset;
  std::copy_n(old, dst.bytes, program.ub.begin() + begin);
  std::fill_n(old, dst.bytes, std::byte{0});
  dst.offset = begin;
}

void end_with_last_allocation(Program& program) {
  if (program.allocations.empty() || counts_elements(program)) return;
  program.ub.resize(end_of(*std::ranges::max_element(program.allocations, {}, end_of)));
}

}  // namespace lanecheck
