// What a sentence says of any program: in which repeats which lanes are on under a mask, which results are
// written, or which instruction is executed in place of another one. A law can be tried on programs that were
// no probes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/mask/mask_register.h"
#include "spec/program/program.h"

namespace lanecheck {

/// A choice of repeats that holds for any repeat times.
struct RepeatLaw {
  enum class Kind : std::uint8_t { all, first, last, not_last, rest, from, even, odd, listed };
  Kind kind = Kind::all;
  /// Of Kind::from: the first repeat of the law. Of Kind::rest: how many repeats are a group; those behind
  /// the last whole group are the rest.
  unsigned from = 0;
  std::vector<unsigned> listed{};  ///< of Kind::listed

  /// Does the law hold for `repeat` of `count` repeats?
  bool holds(unsigned repeat, unsigned count) const;
  /// "in the last repeat"; empty for all repeats.
  std::string text() const;
};

/// The plainest law that chooses exactly `repeats` of `count`.
RepeatLaw repeat_law(const std::vector<unsigned>& repeats, unsigned count);

/// All repeats, and the choices that a law may be restricted to, the plainest first.
std::vector<RepeatLaw> repeat_laws();

struct GateLaw {
  RepeatLaw repeats{};
  /// Is the lane on under this mask? Nothing if the sentence says nothing of this lane.
  std::function<std::optional<bool>(unsigned repeat, unsigned lane, const MaskWords& mask)> on{};
};

/// What a sentence about places or repeats says: the instruction that is executed in place of the given one.
/// Nothing if the sentence says nothing of the given one. Empty if a sentence has no such law.
using PlaceLaw = std::function<std::optional<Instruction>(const Instruction&)>;

/// What an operand makes of one of its strides, whatever is given.
struct StrideLaw {
  std::uint32_t Operand::*field = nullptr;
  std::function<std::int64_t(std::int64_t given)> taken{};
  bool in_counter_mode = false;  ///< it was measured there, and not in normal mode
};

/// The last repeat is left out; nothing is said of instructions without repeats.
std::optional<Instruction> without_last_repeat(const Instruction& insn);
/// An instruction whose repeat times are 0 is executed once; nothing is said of others.
std::optional<Instruction> once_if_repeat_is_0(const Instruction& insn);
/// One repeat more is executed.
std::optional<Instruction> with_one_repeat_more(const Instruction& insn);

/// Which results of a reduction a sentence says to be written, or kept.
struct ResultLaw {
  /// Is this result written under the mask? Nothing: as documented.
  using Written = std::function<std::optional<bool>(unsigned result, const MaskWords& mask)>;

  bool keeps = false;  ///< results are kept that should be written
  Written written{};
};

/// What a result of a reduction is in place of the documented one. Empty if a sentence has no such law.
using ValueLaw = std::function<std::uint64_t(std::uint64_t documented)>;

}  // namespace lanecheck
