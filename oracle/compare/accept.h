// Accept sets: what may stand in one element of UB after a program. The kinds of leniency are a closed set: a
// further kind is a change to the documents, not a condition in the comparison.
//
// Every element that is not in the map must hold the oracle's bits. Masked-off elements are never lenient.
#pragma once

#include <span>
#include <vector>

#include "oracle/execute/semantics.h"
#include "spec/program/program.h"
#include "spec/program/state.h"

namespace lanecheck {

struct Accept {
  enum class Kind : std::uint8_t {
    any_nan,      ///< any NaN of the type (payloads are not portable)
    within_ulp,   ///< at most `ulp` steps from `bits`; +0 and -0 are no step apart
    sum_within,   ///< a sum in any order: at most `bound` from `value`
    unspecified,  ///< anything: the documents call the case undefined
  };
  Kind kind = Kind::unspecified;
  Element type = Element::u8;
  std::uint64_t bits = 0;
  std::uint32_t ulp = 0;
  double value = 0, bound = 0;

  /// May `actual`, the bits of an element, stand here?
  bool admits(std::uint64_t actual) const;
};

/// The lenient elements of UB; a byte belongs to one of them or to none.
class AcceptMap {
 public:
  explicit AcceptMap(std::size_t ub_bytes) : ub_bytes_(ub_bytes), block_(ub_bytes / kBlockBytes + 1, 0) {}

  /// Makes the element that starts at byte `at` lenient. No other lenient element may have one of its bytes.
  /// Does nothing past the end of UB.
  void put(std::size_t at, const Accept& accept);
  /// Makes all elements exact that have one of the `bytes` bytes from `at` on.
  void forget(std::size_t at, std::size_t bytes);
  /// Does a byte from `from` to before `to` belong to a lenient element?
  bool any_between(std::size_t from, std::size_t to) const;
  bool empty() const { return elements_.empty(); }  ///< no element was ever lenient

  /// Is byte `at` of `ub` allowed, although it differs from the oracle's?
  bool admits(std::span<const std::byte> ub, std::size_t at) const;

 private:
  struct Placed {
    std::size_t at;
    Accept accept;
  };
  /// Of the bytes of a data block: 1 + the index of the byte's element in elements_; 0 if the byte is exact.
  using Owners = std::array<std::uint32_t, kBlockBytes>;

  std::uint32_t owner_of(std::size_t at) const {
    const std::uint32_t block = block_[at / kBlockBytes];
    return block == 0 ? 0 : owners_[block - 1][at % kBlockBytes];
  }
  void set_owner(std::size_t at, std::size_t bytes, std::uint32_t owner);

  std::size_t ub_bytes_;
  std::vector<std::uint32_t>
      block_;  ///< by data block: 1 + the index of its bytes in owners_; 0 if all of them are exact
  std::vector<Owners> owners_;
  std::vector<Placed> elements_;
};

/// Runs `program` as execute() does, and notes what may differ from the state that it leaves in `result`
/// (lenient.cc).
AcceptMap accept_sets(const Program& program, const Semantics& semantics, State& result);

/// The same, for `bytes` (offsets in UB) alone; what it says of others means nothing. This is cheap if the
/// semantics does not clip repeats, so that the program is known to be legal.
AcceptMap accept_sets_at(std::span<const std::uint32_t> bytes, const Program& program,
                         const Semantics& semantics);

}  // namespace lanecheck
