// What only mutants (oracle/mutants) replace. Every default here is what the documents say. A reader of the
// oracle may skip this file, and read `seams.x(...)` in the code as the documented function that it names.
#pragma once

#include <algorithm>

#include "spec/mask/mask_register.h"
#include "spec/program/instruction.h"
#include "spec/program/mask.h"
#include "spec/program/reading.h"
#include "spec/text/half_float.h"

namespace lanecheck {

struct Machine;

/// How a bit is found in the packed control of a select, and put into the packed result of a compare.
enum class BitLayout : std::uint8_t { lowest_first, highest_first, byte_per_element };

/// The mask register and its mode while a program runs.
struct Register {
  Mask& mask;
  Mode& mode;

  void set_words(MaskWords words) { lanecheck::set_mask(mask, words.high, words.low); }
  std::uint64_t high_word() const { return mask_word(mask, 1); }
  void all_ones() { mask = kFullMask; }
};

/// Which element of its block padding puts into lane `lane`, of `per`; `per` itself stands for the value 0
/// (VP).
unsigned pad_from(unsigned mode, unsigned side, unsigned lane, unsigned per);
/// Does fixed pattern `pattern` (1..7) of gather_mask keep element `e` of repeat `r`, which has `lanes`
/// elements?
bool pattern_keeps(unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes);
/// Lanes of repeat `repeat` of `lanes` that belong to the first `total` elements (SVM counter mode).
unsigned counted(std::uint64_t total, std::uint64_t repeat, unsigned lanes);

/// What `insn` walks over, given the register.
inline ResolvedInstruction documented_walk(const Instruction& insn, Mode mode, const Mask& mask,
                                           const Readings& readings) {
  return resolve(insn, mode, static_cast<std::uint32_t>(mask_word(mask, 0)), readings);
}

using PadFrom = unsigned (*)(unsigned mode, unsigned side, unsigned lane, unsigned per);
using PatternKeeps = bool (*)(unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes);
using Counted = unsigned (*)(std::uint64_t total, std::uint64_t repeat, unsigned lanes);
using SetMask = void (*)(Mask&, std::uint64_t high, std::uint64_t low);
/// What an instruction does to the mask register when it sets it, or before or after it computes.
using MaskHook = void (*)(Register, const Instruction&, const Readings&);
using Walker = ResolvedInstruction (*)(const Instruction&, Mode, const Mask&, const Readings&);
/// The slots that gate the lanes of repeat `repeat`; `scratch` is room for a mask of the hook's own.
using Slots = const std::uint8_t* (*)(const Mask&, const Instruction&, unsigned repeat, Mask& scratch);

/// What gather_mask does not do (GM).
struct GatherMaskSeams {
  PatternKeeps keeps = &pattern_keeps;
  BitLayout bits = BitLayout::lowest_first;  ///< of user patterns
  bool pattern_runs_on = false;              ///< user patterns: repeats consume one stream of bits
  bool pattern_stays = false;                ///< user patterns: every repeat starts at the first bit
  bool repeats_on_blocks = false;            ///< each repeat's elements start on a new block of dst
  bool counts_scanned = false;               ///< returns how many elements it looked at
  bool counts_last = false;                  ///< returns what the last repeat kept
  bool obeys_mask = false;                   ///< takes only elements whose slot in the vector mask is 1
};

struct Seams {
  SetMask set_mask = &lanecheck::set_mask;                              // VMC 2, SVM
  void (*reset_mask)(Register) = [](Register reg) { reg.all_ones(); };  // VMC 2, SVM
  /// SetVectorMask with a length, SetMaskNorm, SetMaskCount (SVM).
  MaskHook set_by = [](Register reg, const Instruction& insn, const Readings& r) {
    lanecheck::set_by(reg, insn, r);
  };
  /// The mask operand of an instruction goes into the register (SVM, VP, TIK).
  MaskHook before_compute = [](Register reg, const Instruction& insn, const Readings& r) {
    load_operand(reg, insn, r);
  };
  /// What stays in the register when an instruction has computed (SVM, GM; readings mask_after_*).
  MaskHook after_compute = [](Register reg, const Instruction& insn, const Readings& r) {
    leave_after(reg, insn, r);
  };
  /// Repeats and elements that an instruction walks over (SVM counter mode, GM counter modes).
  Walker walk = &documented_walk;
  /// VMC 1: the mask itself gates every repeat, element l of the repeat by slot l.
  Slots gates = [](const Mask& mask, const Instruction&, unsigned, Mask&) { return mask.data(); };
  Counted counted = &lanecheck::counted;                   // SVM counter mode
  bool masked_off_becomes_zero = false;                    // VMC 3.1: a masked-off lane keeps the old dst
  unsigned (*cast_lanes)(const Instruction&) = &lanes_of;  // VMC 3.1: the wider type decides
  BitLayout control = BitLayout::lowest_first;             // VMC 4
  BitLayout result_bits = BitLayout::lowest_first;         // VMC 4
  GatherMaskSeams gather_mask;                             // GM
  PadFrom pad_from = &lanecheck::pad_from;                 // VP
  bool pads_repeats = false;                               // VP: padding works by data block, not by repeat
  bool mask_gates_reads = false;                           // VP: the mask never gates a read
  /// Called after each instruction, if it is not null.
  void (*side_effect)(Machine&, const Instruction&) = nullptr;
  /// Skip repeats that are not entirely inside UB? Legal programs have none under their own semantics, so a
  /// caller that runs only such programs may switch this off. Other semantics may walk further.
  bool clips_repeats = true;
  /// How a float becomes an f16. Null: to the nearest, ties to even. Works under departs_in_arithmetic alone.
  Half (*narrow_half)(float) = nullptr;
};

}  // namespace lanecheck
