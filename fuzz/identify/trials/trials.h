// Programs with scattered data in many shapes around one that diverges, and what a backend leaves in UB.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

using Bytes = std::vector<std::byte>;

/// One program: the subject under a mask, its operands in regions of their own.
struct ShapeTrial {
  Subject subject;
  MaskWords mask;
  Layout layout{};
  Program program{};
  Bytes documented{}, actual{};  ///< UB afterwards

  const Instruction& insn() const { return subject.insn; }
  /// The instruction as it stands in the program, with its offsets.
  const Instruction& placed() const { return program.instructions.back(); }
  bool is_right() const { return same_bytes(documented, actual); }
};

/// Puts scattered data into the sources, and a constant into dst.
void fill_scattered(ShapeTrial& trial, unsigned seed);

/// Nothing if the program is not legal or does not run. `seed`: of the data.
std::optional<ShapeTrial> run_trial(const Subject& subject, MaskWords mask, unsigned seed, const Ask& ask);

/// The same, with an old dst that differs from element to element.
std::optional<ShapeTrial> run_trial_over_numbers(const Subject& subject, MaskWords mask, unsigned seed,
                                                 const Ask& ask);

/// The same, with the data that `put_data` writes.
std::optional<ShapeTrial> run_trial_with(const Subject& subject, MaskWords mask,
                                         const std::function<void(ShapeTrial&)>& put_data, const Ask& ask);

/// The same, with `bits(n)` as element n of each source, and an old dst that differs from element to element.
std::optional<ShapeTrial> run_trial_with_values(const Subject& subject, MaskWords mask, unsigned seed,
                                                const std::function<std::uint64_t(std::uint32_t n)>& bits,
                                                const Ask& ask);

/// What the oracle leaves if it executes `instead` in place of the instruction; nothing if it cannot.
std::optional<Bytes> left_by(const ShapeTrial& trial, const std::vector<Instruction>& instead);

/// An element of dst that is written, and its bits.
struct WrittenElement {
  std::uint32_t n;
  std::uint64_t bits;
};

/// What each of `instead` changes in dst, each alone on the data of the trial; nothing if one cannot run.
std::optional<std::vector<std::vector<WrittenElement>>> written_alone(
    const ShapeTrial& trial, const std::vector<Instruction>& instead);

/// Trials around `first`: each stride, the repeat times and the mask changed alone, then several together.
std::vector<ShapeTrial> trials_around(const ShapeTrial& first, const Ask& ask);

inline constexpr std::uint32_t Operand::*kStrides[] = {&Operand::block_stride, &Operand::repeat_stride};

inline std::string stride_name(std::uint32_t Operand::*field) {
  return field == &Operand::block_stride ? "block stride" : "repeat stride";
}

/// Does this operand have the stride?
bool has_stride(const Instruction& insn, unsigned k, std::uint32_t Operand::*field);

}  // namespace lanecheck
