// What an executor is asked to believe. The default is what the documents say; a reading sets a field of
// `readings`; a wrong form (oracle/wrong_forms.h) replaces one of the seams below.
#pragma once

#include <array>

#include "spec/instruction.h"
#include "spec/mask.h"
#include "spec/mask_state.h"
#include "spec/reading.h"

namespace lanecheck {

struct Machine;

inline constexpr std::size_t kOps = [] {
  std::size_t count = 0;
#define INSTRUCTION(...) ++count;
#include "spec/instructions.def"
#undef INSTRUCTION
  return count;
}();

/// How a bit is found in the packed control of select, and put into the packed result of compare.
enum class BitLayout : std::uint8_t { lowest_first, highest_first, byte_per_element };

/// What a reduction writes for a result whose lanes are all off.
enum class EmptyResult : std::uint8_t { keeps_dst, writes };

struct Semantics {
  Semantics();  ///< as documented, all readings at their default
  explicit Semantics(const Readings& chosen);

  Readings readings;

  Mask initial_mask = kFullMask;                                                          // VMC 1
  void (*set_mask)(Mask&, std::uint64_t high, std::uint64_t low) = &lanecheck::set_mask;  // VMC 2
  void (*reset_mask)(Mask&) = [](Mask& mask) { mask = kFullMask; };                       // VMC 2

  /// The slots that gate the lanes of repeat `repeat`, lane l by element l. VMC 1: the mask itself, every
  /// time. `scratch` is there for those who believe otherwise.
  const std::uint8_t* (*gates)(const Mask&, const Instruction&, unsigned repeat, Mask& scratch) =
      [](const Mask& mask, const Instruction&, unsigned, Mask&) { return mask.data(); };

  std::array<MaskUse, kOps> use;                           // VMC 3, 4: the table
  std::array<Neutral, kOps> neutral;                       // VMC 3.2, 3.3: the table
  std::array<EmptyResult, kOps> empty;                     // VMC 3.2, 3.3: by the readings
  bool masked_off_becomes_zero = false;                    // VMC 3.1: keeps the old dst
  unsigned (*cast_lanes)(const Instruction&) = &lanes_of;  // VMC 3.1: the wider type
  BitLayout control = BitLayout::lowest_first;             // VMC 4
  BitLayout result_bits = BitLayout::lowest_first;         // VMC 4
  /// VMC 4: nothing happens after an instruction; readings mask_after_* reset the mask.
  void (*after)(Machine&, const Instruction&) = nullptr;

  /// Some arithmetic reading is not at its default.
  bool reads_arithmetic() const;
};

}  // namespace lanecheck
