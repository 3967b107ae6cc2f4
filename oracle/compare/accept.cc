#include "oracle/compare/accept.h"

#include <cmath>
#include <cstring>

#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// Floats ordered as integers, so that neighbours differ by 1 and both zeros are 0.
std::int64_t ordinal(Element type, std::uint64_t bits) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * size_of(type) - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

}  // namespace

void AcceptMap::set_owner(std::size_t at, std::size_t bytes, std::uint32_t owner) {
  const std::size_t end = at + bytes;
  while (at < end) {
    std::uint32_t& block = block_[at / kBlockBytes];
    if (block == 0) {
      owners_.push_back({});
      block = static_cast<std::uint32_t>(owners_.size());
    }
    Owners& owners = owners_[block - 1];
    for (const std::size_t last = std::min(end, (at / kBlockBytes + 1) * kBlockBytes); at < last; ++at)
      owners[at % kBlockBytes] = owner;
  }
}

void AcceptMap::put(std::size_t at, const Accept& accept) {
  if (at + size_of(accept.type) > ub_bytes_) return;
  elements_.push_back({at, accept});
  set_owner(at, size_of(accept.type), static_cast<std::uint32_t>(elements_.size()));
}

void AcceptMap::forget(std::size_t at, std::size_t bytes) {
  if (empty()) return;
  const std::size_t end = std::min(at + bytes, ub_bytes_);
  for (std::size_t byte = at; byte < end; ++byte) {
    if (block_[byte / kBlockBytes] == 0) {
      byte |= kBlockBytes - 1;  // to the last byte of the data block
      continue;
    }
    const std::uint32_t owner = owner_of(byte);
    if (owner == 0) continue;
    const Placed& element = elements_[owner - 1];
    set_owner(element.at, size_of(element.accept.type), 0);
  }
}

bool AcceptMap::any_between(std::size_t from, std::size_t to) const {
  for (std::size_t byte = from; byte < std::min(to, ub_bytes_); ++byte)
    if (owner_of(byte) != 0) return true;
  return false;
}

bool AcceptMap::admits(std::span<const std::byte> ub, std::size_t at) const {
  const std::uint32_t owner = owner_of(at);
  if (owner == 0) return false;
  const Placed& element = elements_[owner - 1];
  std::uint64_t bits = 0;
  std::memcpy(&bits, ub.data() + element.at, size_of(element.accept.type));
  return element.accept.admits(bits);
}

bool Accept::admits(std::uint64_t actual) const {
  const double x = value_of(type, actual);
  switch (kind) {
    case Kind::any_nan:
      return std::isnan(x);
    case Kind::within_ulp:
      return !std::isnan(x) &&
             std::abs(ordinal(type, actual) - ordinal(type, bits)) <= static_cast<std::int64_t>(ulp);
    case Kind::sum_within:
      return std::abs(x - value) <= bound || actual == bits;
    case Kind::unspecified:
      break;
  }
  return true;
}

}  // namespace lanecheck
