// What an edge move changes: one instruction of a legal program, which is stepped just inside or just outside
// of one rule of legality.
#pragma once

#include <functional>
#include <optional>

#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"
#include "spec/program/program.h"

namespace lanecheck {

struct EdgeSubject {
  Program& program;
  Instruction& insn;  ///< one of `program`
  bool outside;
  std::function<unsigned(unsigned n)> below;  ///< draws one of 0 .. n - 1

  /// A word of UB before a move overwrote it.
  struct Overwritten {
    std::uint32_t at;  ///< bytes from the start of UB
    std::uint32_t word;
  };
  std::optional<Overwritten> overwritten = {};

  bool one_in(unsigned n) const { return below(n) == 0; }
  const Row& row() const { return row_of(insn.op); }
  bool takes(MaskFrom from) const { return has_form(mask_forms(row(), program.profile), from); }
  bool walks(unsigned k, Walk walk) const {
    return k < row().operands.size() && row().operands[k].walk == walk;
  }
  unsigned drawn_operand() const { return below(static_cast<unsigned>(row().operands.size())); }

  /// The instruction with its resolved repeat times, where it stands in its program.
  ResolvedInstruction resolved() const;
  /// The mode of the mask in which it stands there.
  Mode mode() const;
  /// Operand `k` moves to an allocation of its own at the end of UB, with `more` bytes behind it.
  void make_room(unsigned k, std::uint32_t more);
  void make_contiguous(unsigned k);
  /// Puts `word` at byte `at` of UB. A move may do so once, and changes no byte of UB in another way.
  void overwrite(std::uint32_t at, std::uint32_t word);
  /// Puts `value` into the setting called `name`; false if the instruction has no such setting.
  bool put(std::string_view name, std::uint32_t value);
};

/// Changes the subject; false if the rule does not speak of such an instruction, or if the draws do not lead
/// to the edge. The result may break other rules as well: find_fault decides.
using EdgeMove = bool (*)(EdgeSubject& subject);

}  // namespace lanecheck
