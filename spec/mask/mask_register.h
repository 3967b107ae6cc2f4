// The mask register and its mode, and what the documented instructions do to them: set_mask and reset_mask
// (VMC 2), SetMaskNorm, SetMaskCount and SetVectorMask (SVM), and the instructions that bring their own mask.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>

#include "spec/program/instruction.h"
#include "spec/program/mask.h"
#include "spec/program/reading.h"

namespace lanecheck {

/// Who made the mask: the start of the program, an instruction that sets it, one that resets it, or the mask
/// operand of the instruction itself.
enum class MaskOrigin : std::uint8_t { initial, set, reset, operand };
inline constexpr std::string_view kMaskOriginNames[] = {"initial", "set", "reset", "operand"};

/// Bit i of `low` becomes slot i, bit i of `high` slot 64 + i; slots 128..255 stay (VMC 2, SVM).
inline void set_mask(Mask& mask, std::uint64_t high, std::uint64_t low) {
  set_mask_word(mask, 0, low);
  set_mask_word(mask, 1, high);
}

struct MaskWords {
  std::uint64_t high, low;

  bool operator==(const MaskWords&) const = default;
};

inline bool has_slot(const MaskWords& mask, unsigned slot) {
  return ((slot < 64 ? mask.low >> slot : mask.high >> (slot - 64)) & 1) != 0;
}

/// What a contiguous length becomes in the register (asc-devkit, kernel_utils_base.h). `lanes`: of a full
/// repeat of the element type.
MaskWords contiguous_words(std::uint64_t length, unsigned lanes, FullLength full);

/// What the mask operand of `insn` becomes in the register; MaskFrom::reg has none.
MaskWords operand_words(const Instruction& insn, const Readings& readings);

/// What set_mask, or SetVectorMask with two words, writes to the register. `high` is its high word before.
/// Under the reading counter_high_word=no_effect SetVectorMask leaves it as it is in counter mode.
inline MaskWords words_set_by(const Instruction& insn, Mode mode, std::uint64_t high,
                              const Readings& readings) {
  const bool high_is_lost = insn.op == Op::set_vector_mask && mode == Mode::counter &&
                            readings.counter_high_word == CounterHighWord::no_effect;
  return {high_is_lost ? high : insn.high, insn.low};
}

/// The greatest number of elements that SetVectorMask can be given: it takes an int32_t (SVM).
inline constexpr std::uint32_t kMostTotal = 0x7fffffff;

/// An instruction that writes two words to the register: set_mask, set_vector_mask (Profile row, sets_mask).
/// `type` counts only if the instruction takes element types.
Instruction mask_setter(Op op, MaskWords words, Element type = Element::f16);

[[noreturn]] void throw_sets_no_mask(const Instruction& insn);

/// What an instruction that sets the mask or its mode does to a register. `Register` has set_words,
/// high_word, all_ones and mode. Instructions that compute do nothing to it here.
template <class Register>
void set_by(Register&& reg, const Instruction& insn, const Readings& readings) {
  const Row& row = row_of(insn.op);
  if (row.mask != MaskUse::is_mask_state) return;
  if (row.has_words) return reg.set_words(words_set_by(insn, reg.mode, reg.high_word(), readings));
  switch (insn.op) {
    case Op::reset_mask:
      return reg.all_ones();
    case Op::set_vector_mask_len:
      return reg.set_words(contiguous_words(insn.settings[0], lanes_of(insn.dst_type), readings.full_length));
    case Op::set_vector_mask_total:
      return reg.set_words({0, insn.settings[0]});
    case Op::set_mask_norm:
    case Op::set_mask_count:
      reg.mode = insn.op == Op::set_mask_count ? Mode::counter : Mode::normal;
      return;
    default:
      throw_sets_no_mask(insn);
  }
}

/// The mask operand of `insn` goes into the register, before `insn` computes.
template <class Register>
void load_operand(Register&& reg, const Instruction& insn, const Readings& readings) {
  if (insn.mask_from == MaskFrom::reg) return;
  reg.set_words(operand_words(insn, readings));
  if (insn.mask_from == MaskFrom::count && readings.tik_counter == TikCounter::counter)
    reg.mode = Mode::counter;
}

/// Reading mask_after_operand=unchanged: the instruction puts back what its own mask replaced.
inline bool puts_mask_back(const Instruction& insn, const Readings& readings) {
  return readings.mask_after_operand == MaskAfterOperand::unchanged &&
         (insn.mask_from == MaskFrom::contiguous || insn.mask_from == MaskFrom::bitwise);
}

/// What an instruction leaves in the register and the mode, except what puts_mask_back() says.
template <class Register>
void leave_after(Register&& reg, const Instruction& insn, const Readings& readings) {
  if (insn.mask_from == MaskFrom::count) {
    reg.mode = Mode::normal;
    return reg.all_ones();
  }
  const Row& row = row_of(insn.op);
  if (row.mask == MaskUse::is_mask_state) {
    if (readings.mode_argument != ModeArgument::chooses) return;
    if (insn.op == Op::set_vector_mask_len) reg.mode = Mode::normal;
    if (insn.op == Op::set_vector_mask_total) reg.mode = Mode::counter;
    return;
  }
  if (insn.mask_from != MaskFrom::reg && readings.mask_after_operand == MaskAfterOperand::all_ones)
    return reg.all_ones();
  if (row.compacts) {
    reg.mode = Mode::normal;
    if (readings.mask_after_gather_mask == MaskAfterGatherMask::argument)
      reg.set_words({0, setting(insn, "mask")});
    if (readings.mask_after_gather_mask == MaskAfterGatherMask::all_ones) reg.all_ones();
  } else if (row.mask_after != nullptr && readings.*row.mask_after == MaskAfter::all_ones &&
             insn.mask_from == MaskFrom::reg) {
    reg.all_ones();
  }
}

/// The 256 slots as bits, slot i is bit i mod 64 of word i / 64, and the mode: what the mask of a documented
/// program is, cheap to follow and to classify.
struct MaskBits {
  std::array<std::uint64_t, 4> words{kOnes, kOnes, kOnes, kOnes};
  Mode mode = Mode::normal;
  MaskOrigin origin = MaskOrigin::initial;
  /// What the mask operand at hand replaced; kept only if the instruction puts it back.
  std::tuple<std::array<std::uint64_t, 4>, MaskOrigin> replaced{};

  void set_words(MaskWords to) {
    words[0] = to.low;
    words[1] = to.high;
    origin = MaskOrigin::set;
  }
  std::uint64_t high_word() const { return words[1]; }
  void all_ones() {
    words.fill(kOnes);
    origin = MaskOrigin::reset;
  }

  /// The mask operand of `insn` goes into the register, before `insn` computes.
  void load(const Instruction& insn, const Readings& readings) {
    if (puts_mask_back(insn, readings)) replaced = {words, origin};
    load_operand(*this, insn, readings);
    if (insn.mask_from != MaskFrom::reg) origin = MaskOrigin::operand;
  }
  /// What `insn` leaves in the register and the mode.
  void leave(const Instruction& insn, const Readings& readings) {
    set_by(*this, insn, readings);
    leave_after(*this, insn, readings);
    if (puts_mask_back(insn, readings)) std::tie(words, origin) = replaced;
  }
  void apply(const Instruction& insn, const Readings& readings) {
    load(insn, readings);
    leave(insn, readings);
  }

  std::uint32_t total() const { return static_cast<std::uint32_t>(words[0]); }  ///< the count of counter mode
  /// Is one of the first `lanes` (32, 64, 128 or 256) slots 1?
  bool any_of(unsigned lanes) const {
    if (lanes < 64) return (words[0] & ((std::uint64_t{1} << lanes) - 1)) != 0;
    return std::any_of(words.begin(), words.begin() + lanes / 64, [](auto word) { return word != 0; });
  }
};
MaskBits bits_of(const Mask& mask, Mode mode, MaskOrigin origin);

inline constexpr std::uint64_t kNoTotal =
    ~std::uint64_t{0};  ///< no count decides, only the lanes of the mask

/// What an instruction walks over, given the register: `insn` with its effective repeat times. Elements from
/// `total` on (repeat times lanes of a full repeat + lane) do not count.
struct ResolvedInstruction {
  Instruction insn;
  std::uint64_t total = kNoTotal;
};
/// `mask` after load().
ResolvedInstruction resolve(const Instruction& insn, const MaskBits& mask, const Readings& readings);
/// Resolves `insn` from the three values that decide it. `total` is the low 32 bits of the register.
ResolvedInstruction resolve(const Instruction& insn, Mode mode, std::uint32_t total,
                            const Readings& readings);

}  // namespace lanecheck
