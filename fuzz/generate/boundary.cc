#include "fuzz/generate/boundary.h"

#include <numeric>

#include "fuzz/generate/builder.h"

namespace lanecheck {
namespace {

/// Asked for each case, so that it is counted once.
std::uint64_t type_pairs(Profile profile) {
  static const auto counts = [] {
    std::array<std::uint64_t, kProfiles> pairs{};
    for (const Profile each : kEveryProfile)
      for (const Row& row : instruction_table())
        if (computes(row, each)) pairs[static_cast<std::size_t>(each)] += row.in(each).pairs.size();
    return pairs;
  }();
  return counts[static_cast<std::size_t>(profile)];
}

/// How an instruction walks: one pair of the product of repeat times and strides.
struct Walked {
  std::uint32_t repeat;
  Strides strides;
};
constexpr std::uint64_t kShortWalks = kRepeatTable.size() * kStrideTable.size();
constexpr std::uint64_t kWalks = kShortWalks + kLongRepeatTable.size() * kOnTheSpot.size();

Walked walk_of(std::uint64_t n) {
  if (n < kShortWalks) return {kRepeatTable[n % kRepeatTable.size()], kStrideTable[n / kRepeatTable.size()]};
  n -= kShortWalks;
  return {kLongRepeatTable[n % kLongRepeatTable.size()], kOnTheSpot[n / kLongRepeatTable.size()]};
}

}  // namespace

std::uint64_t scrambled(std::uint64_t n, std::uint64_t count) {
  constexpr std::uint64_t kThousandth = 618;
  std::uint64_t step = count * kThousandth / 1000;
  while (std::gcd(step, count) != 1) ++step;
  return n * step % count;
}

bool computes(const Row& row, Profile profile) {
  return row.in(profile).offered && row.mask != MaskUse::is_mask_state;
}

std::uint64_t boundary_rows(Profile profile) {
  return type_pairs(profile) * kMaskTable.size() * kWalks;
}

void build_boundary(Profile profile, std::uint64_t index, Builder& builder) {
  const auto take = [&](std::uint64_t size) {
    const std::uint64_t digit = index % size;
    index /= size;
    return digit;
  };
  std::uint64_t pair = take(type_pairs(profile));
  const auto choice = static_cast<unsigned>(take(kMaskTable.size()));
  const Walked walked = walk_of(take(kWalks));
  if (row_of(profile).mask_operands == MaskOperands::never) builder.set_mask(kMaskTable[choice]);
  for (const Row& row : instruction_table()) {
    if (!computes(row, profile)) continue;
    const auto& pairs = row.in(profile).pairs;
    if (pair < pairs.size()) return builder.add(row, pairs[pair], walked.repeat, walked.strides, choice);
    pair -= pairs.size();
  }
}

}  // namespace lanecheck
