// What an executor is asked to believe. The default is what the documents say; a reading sets a field of
// `readings`; a mutant (oracle/mutants/mutant.h) replaces one of the seams below.
#pragma once

#include <algorithm>
#include <array>

#include "spec/mask/mask_register.h"
#include "spec/program/instruction.h"
#include "spec/program/mask.h"
#include "spec/program/reading.h"

namespace lanecheck {

struct Machine;

/// How a bit is found in the packed control of select, and put into the packed result of compare.
enum class BitLayout : std::uint8_t { lowest_first, highest_first, byte_per_element };

/// What a reduction writes for a result whose lanes are all off.
enum class EmptyResult : std::uint8_t { keeps_dst, writes };

/// The register and its mode while a program runs.
struct Register {
  Mask& mask;
  Mode& mode;

  void set_words(MaskWords words) { lanecheck::set_mask(mask, words.high, words.low); }
  void all_ones() { mask = kFullMask; }
};

/// How gather_mask finds and puts its elements (GM).
struct Gathering {
  /// Does fixed pattern `pattern` (1..7) keep element `e` of repeat `r`, which has `lanes` elements?
  bool (*keeps)(unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes);
  BitLayout bits = BitLayout::lowest_first;  ///< of user patterns
  bool pattern_runs_on = false;              ///< user patterns: repeats consume one stream of bits
  bool pattern_stays = false;                ///< user patterns: every repeat starts at the first
  bool repeats_on_blocks = false;            ///< each repeat's elements start on a new block of dst
  bool counts_scanned = false;               ///< returns how many elements it looked at
  bool counts_last = false;                  ///< returns what the last repeat kept
  bool obeys_mask = false;                   ///< takes only elements that the vector mask has on
};

/// Which element of its block padding puts into lane `lane`, of `per`; `per` itself: 0 (VP).
using PadFrom = unsigned (*)(unsigned mode, unsigned side, unsigned lane, unsigned per);

unsigned pad_from(unsigned mode, unsigned side, unsigned lane, unsigned per);
bool pattern_keeps(unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes);

struct Semantics {
  Semantics();  ///< as VMC says, all readings at their default
  explicit Semantics(const Readings& chosen);

  Readings readings;
  /// The programs that run under these semantics are legal under them: nothing reaches past UB. Whoever
  /// believes in another mode, count or stride is kept inside.
  bool runs_legal_programs = false;

  Mask initial_mask = kFullMask;                                                          // VMC 1
  void (*set_mask)(Mask&, std::uint64_t high, std::uint64_t low) = &lanecheck::set_mask;  // VMC 2, SVM
  void (*reset_mask)(Register) = [](Register reg) { reg.all_ones(); };                    // VMC 2, SVM
  /// SetVectorMask with a length, SetMaskNorm, SetMaskCount (SVM).
  void (*set_by)(Register, const Instruction&) = [](Register reg, const Instruction& insn) {
    lanecheck::set_by(reg, insn);
  };
  /// The mask operand of an instruction, before it computes (SVM, VP, TIK).
  void (*load)(Register, const Instruction&, const Readings&) =
      [](Register reg, const Instruction& insn, const Readings& r) { load_operand(reg, insn, r); };
  /// Repeats and elements that an instruction walks over (SVM counter mode, GM counter modes).
  ResolvedInstruction (*walk)(const Instruction&, Mode, const Mask&, const Readings&) =
      [](const Instruction& insn, Mode mode, const Mask& mask, const Readings& r) {
        return resolve(insn, mode, static_cast<std::uint32_t>(mask_word(mask, 0)), r);
      };

  /// The slots that gate the lanes of repeat `repeat`, lane l by element l. VMC 1: the mask itself, every
  /// time. `scratch` is there for those who believe otherwise.
  const std::uint8_t* (*gates)(const Mask&, const Instruction&, unsigned repeat, Mask& scratch) =
      [](const Mask& mask, const Instruction&, unsigned, Mask&) { return mask.data(); };
  /// Lanes of repeat `repeat` of `lanes` that belong to the first `total` elements (SVM counter mode).
  unsigned (*counted)(std::uint64_t total, std::uint64_t repeat,
                      unsigned lanes) = [](std::uint64_t total, std::uint64_t repeat, unsigned lanes) {
    const std::uint64_t before = repeat * lanes;
    return total <= before ? 0 : static_cast<unsigned>(std::min<std::uint64_t>(total - before, lanes));
  };

  std::array<MaskUse, kOps> use;                           // VMC 3, 4: the table
  std::array<Neutral, kOps> neutral;                       // VMC 3.2, 3.3: the table
  std::array<EmptyResult, kOps> empty;                     // VMC 3.2, 3.3: by the readings
  bool masked_off_becomes_zero = false;                    // VMC 3.1: keeps the old dst
  unsigned (*cast_lanes)(const Instruction&) = &lanes_of;  // VMC 3.1: the wider type
  BitLayout control = BitLayout::lowest_first;             // VMC 4
  BitLayout result_bits = BitLayout::lowest_first;         // VMC 4
  Gathering gathering{&pattern_keeps};                     // GM
  PadFrom pad_from = &lanecheck::pad_from;                 // VP
  bool pads_repeats = false;                               // VP: by the data block, not by the repeat
  bool mask_gates_reads = false;                           // VP: never
  /// What stays in the register when an instruction has computed (SVM, GM; readings mask_after_*).
  void (*leave)(Register, const Instruction&, const Readings&) =
      [](Register reg, const Instruction& insn, const Readings& r) { leave_after(reg, insn, r); };
  /// Nothing more happens after an instruction.
  void (*after)(Machine&, const Instruction&) = nullptr;

  /// Some arithmetic reading is not at its default.
  bool reads_arithmetic() const;
};

}  // namespace lanecheck
