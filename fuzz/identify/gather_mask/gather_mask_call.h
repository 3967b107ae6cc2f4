// One call of gather_mask as a probe, and what it leaves in dst and in the returned count.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// What stands where the count is returned, before the call.
inline constexpr std::uint64_t kOldCount = 0xb7c5d3e1f9a78b6d;

/// Bit `bit` of the user pattern, counted from the place where src1 starts: no part of it repeats another.
bool scattered_bit(std::int32_t bit);

/// One way to call the instruction.
struct GatherCall {
  Subject subject;
  std::vector<Instruction> before{};                          ///< mask instructions
  std::uint32_t earlier_repeat = 0;                           ///< repeat times of a first such call; 0: none
  std::function<bool(std::int32_t)> pattern = scattered_bit;  ///< the bits of src1 (gather_mask_user)

  const Instruction& insn() const { return subject.insn; }
  bool is_user() const { return insn().op == Op::gather_mask_user; }
  bool counts() const { return setting(insn(), "counter") != 0; }
  /// Is counter mode set before the call?
  bool after_counter_mode() const;
  /// Sets the number of the setting called `name`. Nothing happens if the instruction has no such setting.
  GatherCall& with(std::string_view name, std::uint32_t value);
  /// ", in its counter mode with a mask of 37"
  std::string condition() const;
  /// "repeat times 3, pattern 7, block stride 1 and repeat stride 8 of src0"
  std::string arguments() const;
};

/// dst after the call: which element of src0 stands at each place; kKept: none was written.
struct Gathered {
  std::vector<std::int32_t> places;
  std::uint64_t returned = 0;

  bool operator==(const Gathered&) const = default;
};

/// Elements of a repeat of 256 bytes.
inline unsigned whole_repeat(const Instruction& insn) {
  return kRepeatBytes / size_of(insn.src_type);
}

/// What `ask` does with the call; nothing if the call is illegal or does not run.
std::optional<Gathered> gather(const GatherCall& call, const Ask& ask);

/// Elements of dst whose places `gather` looks at.
std::size_t places_of_dst(const GatherCall& call);

/// The calls that are measured, from general to special. The last one has the shape of `given`.
std::vector<GatherCall> gather_calls(const Subject& given);

}  // namespace lanecheck
