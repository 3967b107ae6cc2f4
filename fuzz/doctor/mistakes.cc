#include <algorithm>
#include <bit>
#include <functional>

#include "fuzz/doctor/question.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The mask after `insn`; only set_mask and reset_mask change it (VMC 2, 4).
void apply_documented(Mask& mask, const Instruction& insn) {
  Mode mode{};
  set_by(Register{mask, mode}, insn);
}

using Programs = const Asked&;
using States = std::optional<std::vector<State>>;

State right_answer(const Program& program) {
  State state;
  execute(program, Semantics{}, state);
  return state;
}

/// A simulator with other semantics.
States believing(Programs asked, const Semantics& semantics) {
  std::vector<State> states(asked.programs.size());
  for (std::size_t n = 0; n < asked.programs.size(); ++n) execute(asked.programs[n], semantics, states[n]);
  return states;
}

/// Does everything that the instructions address lie in UB?
bool stays_inside(const Program& program) {
  for (const Instruction& insn : program.instructions)
    for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k)
      if (start_of(program, insn.operands[k]) + extent(insn, k, lanes_of(insn)) > program.ub.size())
        return false;
  return true;
}

/// An adapter that understands another program than the one it was sent.
template <class Change>
States misread(Programs asked, Change change) {
  std::vector<State> states;
  for (Program program : asked.programs) {
    change(program);
    if (!stays_inside(program)) return {};
    states.push_back(right_answer(program));
  }
  return states;
}

template <class Change>
States misread_each(Programs asked, Change change) {
  return misread(asked, [&](Program& program) {
    for (Instruction& insn : program.instructions) change(insn);
  });
}

/// An adapter that hands back something else than what it computed.
template <class Change>
States misreport(Programs asked, Change change) {
  std::vector<State> states;
  for (const Program& program : asked.programs) {
    states.push_back(right_answer(program));
    change(program, states.back());
  }
  return states;
}

void reverse_elements(std::vector<std::byte>& ub, std::size_t at, std::size_t bytes, unsigned size) {
  for (std::size_t n = at; n + size <= at + bytes; n += size)
    std::reverse(ub.begin() + static_cast<std::ptrdiff_t>(n),
                 ub.begin() + static_cast<std::ptrdiff_t>(n + size));
}

/// Elements are read and written with their bytes in the other order.
States big_endian(Programs asked) {
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

States whole_words_swapped(Programs asked) {
  return misreport(asked,
                   [](const Program&, State& state) { reverse_elements(state.ub, 0, state.ub.size(), 4); });
}

template <Element From, Element To>
States type_as(Programs asked) {
  return misread_each(asked, [](Instruction& insn) {
    Instruction other = insn;
    for (Element* type : {&other.dst_type, &other.src_type})
      if (*type == From) *type = To;
    if (types_of(other, Profile::vmc) == nullptr) return;
    if (takes_scalar(insn)) other.scalar.bits = insn.scalar.bits;
    insn = other;
  });
}

/// Signed elements are compared as unsigned: the same as signed ones with their highest bit flipped.
States signs_ignored(Programs asked) {
  std::vector<State> states;
  for (Program program : asked.programs) {
    const bool compares = !program.instructions.empty() && program.instructions.front().op == Op::vmax;
    const Element type = compares ? program.instructions.front().dst_type : Element::u8;
    const bool is_signed = type == Element::i8 || type == Element::i16 || type == Element::i32;
    const auto flip = [&](std::vector<std::byte>& ub) {
      for (std::size_t n = size_of(type) - 1; is_signed && n < ub.size(); n += size_of(type))
        ub[n] ^= std::byte{0x80};
    };
    flip(program.ub);
    states.push_back(right_answer(program));
    flip(states.back().ub);
  }
  return states;
}

/// Byte offset from the start of operand k of block b of repeat r, as the adapter believes.
using Address = std::uint64_t (*)(const Instruction& insn, unsigned k, unsigned r, unsigned b);

/// One elementwise instruction whose blocks lie elsewhere: repeat by repeat its blocks are brought together,
/// the instruction is executed on them, and its results are put where the adapter would put them.
bool execute_elsewhere(const Program& program, const Instruction& insn, Address address, State& state) {
  const Row& row = row_of(insn.op);
  for (const OperandColumn& column : row.operands)
    if (column.walk != Walk::blocks) return false;
  Program repeat;
  repeat.ub.resize(kRepeatBytes * row.operands.size());
  Instruction together = insn;
  together.repeat = 1;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    repeat.allocations.push_back({"x" + std::to_string(k), insn.dst_type, k * kRepeatBytes, kRepeatBytes});
    together.operands[k] = {static_cast<std::uint16_t>(k), 0, 1, kRepeatBlocks};
  }
  for (unsigned r = 0; r < insn.repeat; ++r) {
    for (unsigned pass = 0; pass < 2; ++pass) {
      for (unsigned k = 0; k < (pass == 0 ? row.operands.size() : 1); ++k)
        for (unsigned b = 0; b < kRepeatBlocks; ++b) {
          const std::uint64_t at = start_of(program, insn.operands[k]) + address(insn, k, r, b);
          if (at + kBlockBytes > state.ub.size()) return false;
          std::byte* here = repeat.ub.data() + k * kRepeatBytes + b * kBlockBytes;
          if (pass == 0) {
            std::copy_n(state.ub.data() + at, kBlockBytes, here);
            continue;
          }
          const unsigned size = size_of(insn.dst_type), lanes = per_block(insn.dst_type);
          for (unsigned n = 0; n < lanes; ++n)
            if (state.mask[b * lanes + n] != 0)
              std::copy_n(here + n * size, size, state.ub.data() + at + n * size);
        }
      if (pass > 0) continue;
      State after{repeat.ub, state.mask};
      execute_one(repeat, together, Semantics{}, after);
      repeat.ub = after.ub;
    }
  }
  return true;
}

template <class F>
States elsewhere(Programs asked, F address) {
  std::vector<State> states;
  for (const Program& program : asked.programs) {
    State state{program.ub, kFullMask};
    for (const Instruction& insn : program.instructions) {
      apply_documented(state.mask, insn);
      if (!row_of(insn.op).operands.empty() && !execute_elsewhere(program, insn, address, state)) return {};
    }
    states.push_back(std::move(state));
  }
  return states;
}

std::uint64_t steps(const Instruction& insn, unsigned k, unsigned r, unsigned b, std::uint64_t unit) {
  return (std::uint64_t{r} * insn.operands[k].repeat_stride +
          std::uint64_t{b} * insn.operands[k].block_stride) *
         unit;
}

template <std::uint64_t Reversed(std::uint64_t)>
States mask_words_as(Programs asked) {
  return misread_each(asked, [](Instruction& insn) {
    if (insn.op != Op::set_mask) return;
    insn.high = Reversed(insn.high);
    insn.low = Reversed(insn.low);
  });
}

std::uint64_t bits_reversed(std::uint64_t word) {
  std::uint64_t reversed = 0;
  for (unsigned bit = 0; bit < 64; ++bit) reversed |= (word >> bit & 1) << (63 - bit);
  return reversed;
}

/// Programs run one after the other on a machine that is not set up anew.
States without_reset(Programs asked, bool keeps_mask, bool keeps_memory) {
  std::vector<State> states;
  State machine;
  const auto run = [&](const Program& program) {
    State start{program.ub, keeps_mask ? machine.mask : kFullMask};
    if (keeps_memory)
      std::copy_n(machine.ub.begin(), std::min(machine.ub.size(), start.ub.size()), start.ub.begin());
    for (const Instruction& insn : program.instructions) execute_one(program, insn, Semantics{}, start);
    machine = std::move(start);
  };
  std::ranges::for_each(asked.before, run);
  for (const Program& program : asked.programs) {
    run(program);
    states.push_back(machine);
  }
  return states;
}

/// The oracle on all instructions but those that set the mask: they change what is shown, and nothing else.
States mask_not_connected(Programs asked) {
  std::vector<State> states;
  for (const Program& program : asked.programs) {
    State state{program.ub, kFullMask};
    Mask shown = kFullMask;
    for (const Instruction& insn : program.instructions) {
      apply_documented(shown, insn);
      if (insn.op != Op::set_mask) execute_one(program, insn, Semantics{}, state);
    }
    state.mask = shown;
    states.push_back(std::move(state));
  }
  return states;
}

constexpr AdapterMistake kMistakes[] = {
    {"memory-not-copied-in",
     "UB comes back as zeros: the bytes that were sent are not copied into the simulator's memory",
     "copy `ub` into the simulator before the first instruction, and all of it back after the last",
     [](Programs p) {
       return misread(p, [](Program& program) { std::ranges::fill(program.ub, std::byte{0}); });
     }},
    {"memory-not-copied-out", "UB comes back as it was sent: results stay inside the simulator",
     "copy all of the simulator's memory into the answer after the last instruction",
     [](Programs p) {
       return misreport(p, [](const Program& program, State& state) { state.ub = program.ub; });
     }},
    {"words-swapped", "the bytes of each 32-bit word come back in the other order",
     "hand memory over as bytes; do not go through arrays of big-endian words", whole_words_swapped},
    {"big-endian", "elements are read and written in big-endian order",
     "UB is little-endian: read elements with '<' formats", big_endian},
    {"mask-starts-empty", "programs start with an empty mask",
     "every program starts with all 256 mask slots at 1",
     [](Programs p) {
       Semantics empty;
       empty.initial_mask = Mask{};
       return believing(p, empty);
     }},
    {"mask-of-128-slots", "slots 128..255 of the mask come back as 0",
     "the mask has 256 slots; set_mask leaves the upper 128 as they are",
     [](Programs p) {
       return misreport(p, [](const Program&, State& state) {
         std::fill(state.mask.begin() + 128, state.mask.end(), std::uint8_t{0});
       });
     }},
    {"mask-not-shown", "the mask that comes back is always full",
     "put the mask as it is after the last instruction into the answer, or say shows_mask: false",
     [](Programs p) { return misreport(p, [](const Program&, State& state) { state.mask = kFullMask; }); }},
    {"mask-words-reversed", "the four words of the mask come back in the other order",
     "slots 0..63 are the first word of `mask`",
     [](Programs p) {
       return misreport(p, [](const Program&, State& state) {
         for (unsigned w = 0; w < 2; ++w)
           std::swap_ranges(state.mask.begin() + 64 * w, state.mask.begin() + 64 * w + 64,
                            state.mask.begin() + 64 * (3 - w));
       });
     }},
    {"mask-inverted", "a mask slot of 1 switches its lane off", "a slot of 1 means that the lane counts",
     [](Programs p) { return believing(p, find_mutant("mask-inverted")->semantics(Readings{})); }},
    {"set_mask-arguments-swapped", "the arguments of set_mask are swapped",
     "`high` is for lanes 64..127, `low` for lanes 0..63; high comes first",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.op == Op::set_mask) std::swap(insn.high, insn.low);
       });
     }},
    {"mask-bits-reversed", "the bits of the mask words are read from the wrong end",
     "bit 0, the lowest, is the lowest lane of its word", mask_words_as<bits_reversed>},
    {"mask-bits-all-reversed", "the 128 bits of the mask are read from the wrong end",
     "lane 0 is bit 0 of `low`; read a binary text from its right end",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) {
         const std::uint64_t high = bits_reversed(insn.low), low = bits_reversed(insn.high);
         insn.high = high;
         insn.low = low;
       });
     }},
    {"mask-not-connected", "set_mask changes the mask that is shown, but not what instructions do",
     "hand the program's mask to every instruction that obeys it", mask_not_connected},
    {"f16-as-i16", "f16 is computed as 16-bit integers",
     "look at the element type after the dot of `op`, not only at its size",
     type_as<Element::f16, Element::i16>},
    {"i16-as-f16", "16-bit integers are computed as f16",
     "look at the element type after the dot of `op`, not only at its size",
     type_as<Element::i16, Element::f16>},
    {"f32-as-i32", "f32 is computed as 32-bit integers",
     "look at the element type after the dot of `op`, not only at its size",
     type_as<Element::f32, Element::i32>},
    {"i32-as-f32", "32-bit integers are computed as f32",
     "look at the element type after the dot of `op`, not only at its size",
     type_as<Element::i32, Element::f32>},
    {"signed-as-unsigned", "signed integers are computed as unsigned",
     "i8, i16, i32 and i64 are two's complement", signs_ignored},
    {"dst-and-src-swapped", "dst and the first source are swapped",
     "operands go by their names: `dst` is written, `src` and `src0` are read",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) {
         if (row_of(insn.op).operands.size() > 1) std::swap(insn.operands[0], insn.operands[1]);
       });
     }},
    {"sources-swapped", "src0 and src1 are swapped", "src0 is the left operand, src1 the right one",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) {
         if (row_of(insn.op).operands.size() > 2) std::swap(insn.operands[1], insn.operands[2]);
       });
     }},
    {"offsets-ignored", "offsets of operands are ignored",
     "an operand starts at the offset of its allocation plus its own `offset`, both in bytes",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) operand.offset = 0;
       });
     }},
    {"allocations-ignored", "operands start at their own offset in UB, as if every allocation began at 0",
     "an operand starts at the offset of its allocation plus its own `offset`",
     [](Programs p) {
       return misread(p, [](Program& program) {
         for (Allocation& each : program.allocations) each.offset = 0;
       });
     }},
    {"offsets-in-elements", "offsets of operands are taken as elements", "`offset` counts bytes",
     [](Programs p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return insn.operands[k].offset * std::uint64_t{size_of(insn.dst_type) - 1} +
                steps(insn, k, r, b, kBlockBytes);
       });
     }},
    {"strides-in-bytes", "strides are taken as bytes",
     "block stride and repeat stride count blocks of 32 bytes",
     [](Programs p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return steps(insn, k, r, b, 1);
       });
     }},
    {"strides-in-elements", "strides are taken as elements",
     "block stride and repeat stride count blocks of 32 bytes",
     [](Programs p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return steps(insn, k, r, b, size_of(insn.dst_type));
       });
     }},
    {"strides-swapped", "block stride and repeat stride are swapped",
     "block b of repeat r is at (r * repeat_stride + b * block_stride) * 32 bytes",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) std::swap(operand.block_stride, operand.repeat_stride);
       });
     }},
    {"block-stride-ignored", "block strides are ignored: blocks are read and written one after the other",
     "block b of a repeat is at b * block_stride * 32 bytes",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) operand.block_stride = 1;
       });
     }},
    {"repeat-stride-ignored", "repeat strides are ignored: repeats follow one another",
     "repeat r is at r * repeat_stride * 32 bytes",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) operand.repeat_stride = kRepeatBlocks;
       });
     }},
    {"strides-of-dst", "all operands use the strides of dst", "each operand has strides of its own",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) {
           operand.block_stride = insn.operands[0].block_stride;
           operand.repeat_stride = insn.operands[0].repeat_stride;
         }
       });
     }},
    {"one-repeat", "only one repeat is executed", "execute `repeat` repeats; 0 executes none",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) { insn.repeat = std::min(insn.repeat, 1u); });
     }},
    {"repeat-0-is-1", "repeat times of 0 execute one repeat", "repeat times of 0 execute nothing",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) { insn.repeat = std::max(insn.repeat, 1u); });
     }},
    {"one-repeat-too-many", "one repeat too many is executed", "execute exactly `repeat` repeats",
     [](Programs p) { return misread_each(p, [](Instruction& insn) { ++insn.repeat; }); }},
    {"one-repeat-too-few", "one repeat too few is executed", "execute exactly `repeat` repeats",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) { insn.repeat -= insn.repeat > 0 ? 1 : 0; });
     }},
    {"scalar-is-0", "the scalar arrives as 0, or its value is taken as its bits",
     "`scalar` is an object: `value` is its value, `bits` its bits in the element type",
     [](Programs p) { return misread_each(p, [](Instruction& insn) { insn.scalar = {}; }); }},
    {"scalar-bits-as-value", "the bits of the scalar are taken as its value",
     "use `value`, or read `bits` as an element",
     [](Programs p) {
       return misread_each(p, [](Instruction& insn) {
         if (takes_scalar(insn))
           insn.scalar = scalar_of(scalar_type(insn), static_cast<double>(insn.scalar.bits));
       });
     }},
    {"mask-leaks", "the mask of one program is still set in the next",
     "set all 256 slots to 1 before every program", [](Programs p) { return without_reset(p, true, false); }},
    {"memory-leaks", "UB of one program is still there in the next",
     "copy all of `ub` into the simulator before every program",
     [](Programs p) { return without_reset(p, false, true); }},
    {"state-leaks", "mask and UB of one program are still there in the next",
     "start every program from its own `ub` and a full mask",
     [](Programs p) { return without_reset(p, true, true); }},
    {"only-first-instruction", "only the first instruction is executed",
     "execute all of `instructions`, in order",
     [](Programs p) {
       return misread(p, [](Program& program) {
         if (program.instructions.size() > 1) program.instructions.resize(1);
       });
     }},
    {"only-last-instruction", "only the last instruction is executed",
     "execute all of `instructions`, in order, on one state",
     [](Programs p) {
       return misread(p, [](Program& program) {
         if (program.instructions.size() > 1)
           program.instructions.erase(program.instructions.begin(), program.instructions.end() - 1);
       });
     }},
    {"last-instruction-missing", "the last instruction is not executed, or its result comes too late",
     "take the answer's memory after the last instruction",
     [](Programs p) {
       return misread(p, [](Program& program) {
         if (!program.instructions.empty()) program.instructions.pop_back();
       });
     }},
    {"only-first-allocation", "only the first allocation comes back",
     "copy every allocation back, in all of UB",
     [](Programs p) {
       return misreport(p, [](const Program& program, State& state) {
         if (program.allocations.empty()) return;
         const auto end =
             static_cast<std::ptrdiff_t>(program.allocations[0].offset + program.allocations[0].bytes);
         std::copy(program.ub.begin() + end, program.ub.end(), state.ub.begin() + end);
       });
     }},
    {"first-answer-for-all", "every program of a request gets the answer of the first",
     "answer each program of `programs` with its own result",
     [](Programs p) {
       std::vector<State> states = right_answers(p.programs);
       for (State& each : states)
         if (each.ub.size() == states.front().ub.size()) each = states.front();
       return States(states);
     }},
    {"last-answer-for-all", "every program of a request gets the answer of the last",
     "do not hand out the same memory for each answer",
     [](Programs p) {
       std::vector<State> states = right_answers(p.programs);
       for (State& each : states)
         if (each.ub.size() == states.back().ub.size()) each = states.back();
       return States(states);
     }},
};

}  // namespace

std::vector<State> right_answers(std::span<const Program> programs) {
  std::vector<State> states;
  for (const Program& program : programs) states.push_back(right_answer(program));
  return states;
}

std::span<const AdapterMistake> mistakes() {
  return kMistakes;
}

}  // namespace lanecheck
