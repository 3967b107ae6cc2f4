#include "fuzz/generate/boundary.h"

#include "fuzz/generate/builder.h"

namespace lanecheck {
namespace {

std::uint64_t type_pairs(Profile profile) {
  std::uint64_t pairs = 0;
  for (const Row& row : instruction_table())
    if (computes(row, profile)) pairs += row.in(profile).pairs.size();
  return pairs;
}

}  // namespace

bool computes(const Row& row, Profile profile) {
  return row.in(profile).offered && row.mask != MaskUse::is_mask_state;
}

std::uint64_t boundary_rows(Profile profile) {
  return type_pairs(profile) * kMaskTable.size() * kRepeatTable.size() * kStrideTable.size();
}

void build_boundary(Profile profile, std::uint64_t index, Builder& builder) {
  const auto take = [&](const auto& table) {
    const std::size_t digit = index % table.size();
    index /= table.size();
    return digit;
  };
  const std::uint64_t count = type_pairs(profile);
  std::uint64_t pair = index % count;
  index /= count;
  const auto choice = static_cast<unsigned>(take(kMaskTable));
  const std::uint32_t repeat = kRepeatTable[take(kRepeatTable)];
  const Strides strides = kStrideTable[take(kStrideTable)];
  if (row_of(profile).mask_operands == MaskOperands::never) builder.set_mask(kMaskTable[choice]);
  for (const Row& row : instruction_table()) {
    if (!computes(row, profile)) continue;
    const auto& pairs = row.in(profile).pairs;
    if (pair < pairs.size()) {
      // Contiguous strides at 254 repeats would make sequences of 64 KiB; walk on the spot instead.
      const Strides on_the_spot = {Stride{1, index & 1 ? 1u : 0u}, Stride{1, 1}, Stride{1, 1}};
      builder.add(row, pairs[pair], repeat, repeat > 3 ? on_the_spot : strides, choice);
      return;
    }
    pair -= pairs.size();
  }
}

}  // namespace lanecheck
