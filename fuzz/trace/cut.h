// Cuts one step out of a trace: a program that has this one instruction, the bytes of UB that matter to it,
// and before it the instructions that put the mask into the state which the step met.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz/trace/trace.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {

/// Bytes of UB that one operand of an instruction may touch.
struct Touched {
  Range range;
  std::size_t operand;
  bool is_written;
};

/// What the operands of a legal instruction touch. `program` has its allocations and UB before it; `before`
/// is the mask register before it.
std::vector<Touched> touched_by(const Program& program, const Instruction& insn, const MaskBits& before,
                                const Readings& readings);

/// The state beside UB that an instruction meets.
struct RegistersBefore {
  const MaskBits& mask;
  const std::array<std::byte, 16>* cmpmask;  ///< null: the compare mask is not known, or has no say
};

/// The instructions that make the mask register from the one which every program starts with; nothing if no
/// program can make it.
std::optional<std::vector<Instruction>> instructions_that_set(const MaskBits& mask, Profile profile);

struct Cut {
  Program program;
  std::vector<Range> kept;  ///< bytes of the whole UB that stand in `program`, one range after the other

  /// The bytes of another image of the whole UB, as UB of `program`.
  std::vector<std::byte> image(std::span<const std::byte> whole) const;
};

/// `changed`: further bytes that must stay. Nothing if no program can set the mask, or if the program would
/// be illegal.
std::optional<Cut> cut_out(const Program& whole, const Instruction& insn, std::span<const Touched> touched,
                           std::span<const Range> changed, const RegistersBefore& before,
                           const Readings& readings);

}  // namespace lanecheck
