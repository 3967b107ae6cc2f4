// What adapters with a mistake answer: building blocks for the table of mistakes (mistakes.cc).
#pragma once

#include <algorithm>
#include <cstring>

#include "fuzz/doctor/question.h"
#include "oracle/execute/execute.h"
#include "oracle/execute/machine.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/text/number.h"

namespace lanecheck {

/// The states that an adapter leaves after each program. Nothing if they cannot be told.
using Foretold = std::optional<std::vector<State>>;

/// Changes the mask as an instruction that sets or resets it does.
inline void apply_documented(Mask& mask, const Instruction& insn) {
  Mode mode{};
  set_by(Register{mask, mode}, insn, Readings{});
}

/// set_mask of VMC, set_vector_mask of Ascend C.
inline bool sets_words(const Instruction& insn) {
  return row_of(insn.op).has_words;
}

inline Semantics semantics_of(const Program& program) {
  return Semantics(default_readings(program.profile));
}

inline State right_answer(const Program& program) {
  State state;
  execute(program, semantics_of(program), state);
  return state;
}

/// The answers of a simulator whose semantics `of` makes from the readings of a profile.
template <class SemanticsOf>
Foretold believing(const Asked& asked, SemanticsOf of) {
  std::vector<State> states(asked.programs.size());
  for (std::size_t n = 0; n < asked.programs.size(); ++n)
    execute(asked.programs[n], of(default_readings(asked.programs[n].profile)), states[n]);
  return states;
}

/// Does everything that the instructions address lie in UB?
inline bool stays_inside(const Program& program) {
  const Readings& readings = default_readings(program.profile);
  MaskBits reg;
  for (const Instruction& insn : program.instructions) {
    reg.load(insn, readings);
    if (!is_inside_ub(program, resolve(insn, reg, readings).insn)) return false;
    reg.leave(insn, readings);
  }
  return true;
}

/// An adapter that understands another program than the one it was sent.
template <class Change>
Foretold misread(const Asked& asked, Change change) {
  std::vector<State> states;
  for (Program program : asked.programs) {
    change(program);
    if (!stays_inside(program)) return {};
    states.push_back(right_answer(program));
  }
  return states;
}

template <class Change>
Foretold misread_each(const Asked& asked, Change change) {
  return misread(asked, [&](Program& program) {
    for (Instruction& insn : program.instructions)
      if constexpr (std::is_invocable_v<Change, Instruction&, Profile>)
        change(insn, program.profile);
      else
        change(insn);
  });
}

/// An adapter that takes an operand, given its role, for another.
template <class Change>
Foretold misread_operands(const Asked& asked, Change change) {
  return misread_each(asked, [&](Instruction& insn) {
    const Row& row = row_of(insn.op);
    for (unsigned k = 0; k < row.operands.size(); ++k) change(row.operands[k].role, insn.operands[k]);
  });
}

template <Op From, Op To>
Foretold op_as(const Asked& asked) {
  return misread_each(asked, [](Instruction& insn) {
    if (insn.op == From) insn.op = To;
  });
}

/// All operands get the same strides.
inline void set_strides(Instruction& insn, std::uint32_t block, std::uint32_t repeat) {
  for (Operand& operand : insn.operands) {
    operand.block_stride = block;
    operand.repeat_stride = repeat;
  }
}

/// src0 and src1 of an instruction that has both change places.
inline void swap_sources(Instruction& insn) {
  const Row& row = row_of(insn.op);
  for (unsigned k = 0; k + 1 < row.operands.size(); ++k)
    if (row.operands[k].role == "src0" && row.operands[k + 1].role == "src1")
      std::swap(insn.operands[k], insn.operands[k + 1]);
}

/// The operands of a comparison change sides.
inline Compare mirrored(Compare compare) {
  switch (compare) {
    case Compare::lt:
      return Compare::gt;
    case Compare::le:
      return Compare::ge;
    case Compare::gt:
      return Compare::lt;
    case Compare::ge:
      return Compare::le;
    case Compare::eq:
    case Compare::ne:
      return compare;
  }
  return compare;
}

/// cast.f16.f32 is taken for cast.f32.f16.
inline void swap_types(Instruction& insn, Profile profile) {
  Instruction other = insn;
  std::swap(other.dst_type, other.src_type);
  if (insn.op == Op::cast && types_of(other, profile) != nullptr) insn = other;
}

inline bool reduces(const Instruction& insn) {
  return row_of(insn.op).mask == MaskUse::neutral_source;
}

/// The dst of a reduction steps by blocks of 32 bytes instead of by results of one repeat.
inline void step_by_blocks(Instruction& insn) {
  if (!reduces(insn)) return;
  Instruction next = insn;
  next.operands[0].repeat_stride = 1;
  const auto per_stride = repeat_step(next, 0);
  insn.operands[0].repeat_stride =
      static_cast<std::uint32_t>(insn.operands[0].repeat_stride * kBlockBytes / per_stride);
}

/// The offsets of gather are taken as elements.
inline Foretold gather_offsets_scaled(const Asked& asked) {
  std::vector<State> states;
  for (const Program& sent : asked.programs) {
    Program program = sent;
    if (program.instructions.size() == 1 && program.instructions[0].op == Op::gather) {
      const Instruction& insn = program.instructions[0];
      const std::uint32_t start = start_of(program, insn.operands[2]);
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        std::uint32_t offset = 0;
        std::memcpy(&offset, program.ub.data() + start + lane * sizeof offset, sizeof offset);
        offset *= size_of(insn.dst_type);
        if (start_of(program, insn.operands[1]) + offset + size_of(insn.dst_type) > program.ub.size())
          return {};
        std::memcpy(program.ub.data() + start + lane * sizeof offset, &offset, sizeof offset);
      }
      states.push_back(right_answer(program));
      std::copy_n(sent.ub.begin() + start, lanes_of(insn) * sizeof start, states.back().ub.begin() + start);
    } else {
      states.push_back(right_answer(program));
    }
  }
  return states;
}

/// An adapter that returns something else than what it computed.
template <class Change>
Foretold misreport(const Asked& asked, Change change) {
  std::vector<State> states;
  for (const Program& program : asked.programs) {
    states.push_back(right_answer(program));
    change(program, states.back());
  }
  return states;
}

inline void reverse_elements(std::vector<std::byte>& ub, std::size_t at, std::size_t bytes, unsigned size) {
  for (std::size_t n = at; n + size <= at + bytes; n += size)
    std::reverse(ub.begin() + static_cast<std::ptrdiff_t>(n),
                 ub.begin() + static_cast<std::ptrdiff_t>(n + size));
}

/// Elements are read and written with their bytes in the other order.
inline Foretold big_endian(const Asked& asked) {
  std::vector<State> states;
  for (Program program : asked.programs) {
    const auto swap_all = [&](std::vector<std::byte>& ub) {
      for (const Allocation& each : program.allocations)
        reverse_elements(ub, each.offset, each.bytes, size_of(each.type));
    };
    if (!program.instructions.empty()) swap_all(program.ub);
    states.push_back(right_answer(program));
    if (!program.instructions.empty()) swap_all(states.back().ub);
  }
  return states;
}

inline Foretold whole_words_swapped(const Asked& asked) {
  return misreport(asked,
                   [](const Program&, State& state) { reverse_elements(state.ub, 0, state.ub.size(), 4); });
}

template <Element From, Element To>
Foretold type_as(const Asked& asked) {
  return misread_each(asked, [](Instruction& insn, Profile profile) {
    if (insn.op == Op::cast) return;  // it names both types, and adapters look at them
    Instruction other = insn;
    for (Element* type : {&other.dst_type, &other.src_type})
      if (*type == From) *type = To;
    if (types_of(other, profile) == nullptr) return;
    if (takes_scalar(insn)) other.scalar.bits = insn.scalar.bits;
    insn = other;
  });
}

/// Signed elements are compared as unsigned: the same as signed ones with their highest bit flipped.
inline Foretold signs_ignored(const Asked& asked) {
  std::vector<State> states;
  for (Program program : asked.programs) {
    const bool compares = !program.instructions.empty() && program.instructions.front().op == Op::vmax;
    const Element type = compares ? program.instructions.front().dst_type : Element::u8;
    const auto flip = [&](std::vector<std::byte>& ub) {
      for (std::size_t n = size_of(type) - 1; is_integer(type) && is_signed(type) && n < ub.size();
           n += size_of(type))
        ub[n] ^= std::byte{0x80};
    };
    flip(program.ub);
    states.push_back(right_answer(program));
    flip(states.back().ub);
  }
  return states;
}

/// Byte offset from the start of operand k of block b of repeat r, as the adapter computes it.
using Address = std::uint64_t (*)(const Instruction& insn, unsigned k, unsigned r, unsigned b);

/// One elementwise instruction, with its effective repeat times, whose blocks lie elsewhere: repeat by repeat
/// its blocks are brought together, the instruction is executed on them with all lanes on, and the results of
/// the lanes that are on are put where the adapter would put them.
inline bool execute_elsewhere(Machine& machine, const Instruction& insn, Address address, State& state) {
  const Row& row = row_of(insn.op);
  for (const OperandColumn& column : row.operands)
    if (column.walk != Walk::blocks || insn.dst_type != insn.src_type) return false;
  Program repeat;
  repeat.ub.resize(kRepeatBytes * row.operands.size());
  Instruction together = insn;
  together.repeat = 1;
  together.mask_from = MaskFrom::reg;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    repeat.allocations.push_back({"x" + std::to_string(k), insn.dst_type, k * kRepeatBytes, kRepeatBytes});
    together.operands[k] = {static_cast<std::uint16_t>(k), 0, 1, kRepeatBlocks};
  }
  for (unsigned r = 0; r < insn.repeat; ++r) {
    const std::uint8_t* const gate = machine.write_gate(insn, r);
    for (unsigned pass = 0; pass < 2; ++pass) {
      for (unsigned k = 0; k < (pass == 0 ? row.operands.size() : 1); ++k)
        for (unsigned b = 0; b < kRepeatBlocks; ++b) {
          const std::uint64_t at = start_of(machine.program, insn.operands[k]) + address(insn, k, r, b);
          if (at + kBlockBytes > state.ub.size()) return false;
          std::byte* here = repeat.ub.data() + k * kRepeatBytes + b * kBlockBytes;
          if (pass == 0) {
            std::copy_n(state.ub.data() + at, kBlockBytes, here);
            continue;
          }
          const unsigned size = size_of(insn.dst_type), lanes = per_block(insn.dst_type);
          for (unsigned n = 0; n < lanes; ++n)
            if (gate[b * lanes + n] != 0) std::copy_n(here + n * size, size, state.ub.data() + at + n * size);
        }
      if (pass > 0) continue;
      State after{repeat.ub, kFullMask};
      execute_one(repeat, together, Semantics{}, after);
      repeat.ub = after.ub;
    }
  }
  return true;
}

template <class F>
Foretold elsewhere(const Asked& asked, F address) {
  std::vector<State> states;
  for (const Program& program : asked.programs) {
    const Semantics semantics = semantics_of(program);
    State state{program.ub, kFullMask};
    for (const Instruction& insn : program.instructions) {
      if (row_of(insn.op).operands.empty()) {
        execute_one(program, insn, semantics, state);
        continue;
      }
      Machine machine(program, semantics, state);
      const Instruction here = begin(machine, insn);
      if (!execute_elsewhere(machine, here, address, state)) return {};
      leave_after(machine.reg(), insn, semantics.readings);
    }
    states.push_back(std::move(state));
  }
  return states;
}

/// `unit`: bytes of a repeat stride; `block_unit`: bytes of a block stride.
inline std::uint64_t steps(const Instruction& insn, unsigned k, unsigned r, unsigned b, std::uint64_t unit,
                           std::uint64_t block_unit) {
  return std::uint64_t{r} * insn.operands[k].repeat_stride * unit +
         std::uint64_t{b} * insn.operands[k].block_stride * block_unit;
}
inline std::uint64_t steps(const Instruction& insn, unsigned k, unsigned r, unsigned b, std::uint64_t unit) {
  return steps(insn, k, r, b, unit, unit);
}

}  // namespace lanecheck
