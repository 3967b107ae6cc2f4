#include "spec/program/instruction.h"

#include <algorithm>

namespace lanecheck {
bool Row::typed() const {
  return std::ranges::any_of(kEveryProfile, [&](Profile profile) { return !in(profile).pairs.empty(); });
}

const Row* find_row(std::string_view name) {
  const auto* row = std::ranges::find(kInstructions, name, &Row::name);
  return row == kInstructions.end() ? nullptr : row;
}

const TypePair* types_of(const Instruction& insn, Profile profile) {
  for (const TypePair& pair : row_of(insn.op).in(profile).pairs)
    if (pair.dst == insn.dst_type && pair.src == insn.src_type) return &pair;
  return nullptr;
}

unsigned lanes_by_form(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  switch (row.lanes) {
    case LaneRule::types:
      break;
    case LaneRule::source:
      return lanes_of(insn.src_type);
    case LaneRule::fixed:
      return row.fixed_lanes;
    case LaneRule::lengths:
      return row.lengths == 1 ? 4 * insn.lengths[0] : insn.lengths[0] + insn.lengths[1];
    case LaneRule::counter:
      return setting(insn, "counter") != 0 ? setting(insn, "mask") : lanes_of(insn.src_type);
  }
  return std::min(lanes_of(insn.dst_type), lanes_of(insn.src_type));
}

unsigned results_per_repeat(const Instruction& insn) {
  switch (row_of(insn.op).results) {
    case ResultRule::one:
      break;
    case ResultRule::per_block:
      return kRepeatBlocks;
    case ResultRule::per_pair:
      return lanes_of(insn) / 2;
    case ResultRule::indexed:
      return setting(insn, "order") < 2 ? 2 : 1;
  }
  return 1;
}

bool takes_mask(const Row& row) {
  return row.mask == MaskUse::gates_writeback || row.mask == MaskUse::neutral_source || row.brings_own_mask();
}

std::optional<std::size_t> setting_index(const Row& row, std::string_view name) {
  for (std::size_t n = 0; n < row.settings.size(); ++n)
    if (row.settings[n].name == name) return n;
  return {};
}

std::uint32_t setting(const Instruction& insn, std::string_view name) {
  const auto index = setting_index(row_of(insn.op), name);
  return index ? insn.settings[*index] : 0;
}

}  // namespace lanecheck
