#include <algorithm>

#include "fuzz/doctor/mistaken_adapter.h"
#include "oracle/mutants/mutant.h"

namespace lanecheck {
namespace {

constexpr AdapterMistake kMistakes[] = {
    {"memory-not-copied-in",
     "UB comes back as zeros: the bytes that were sent are not copied into the simulator's memory",
     "copy `ub` into the simulator before the first instruction, and all of it back after the last",
     [](const Asked& p) {
       return misread(p, [](Program& program) { std::ranges::fill(program.ub, std::byte{0}); });
     }},
    {"memory-not-copied-out", "UB comes back as it was sent: results stay inside the simulator",
     "copy all of the simulator's memory into the answer after the last instruction",
     [](const Asked& p) {
       return misreport(p, [](const Program& program, State& state) { state.ub = program.ub; });
     }},
    {"words-swapped", "the bytes of each 32-bit word come back in reverse order",
     "pass memory on as bytes, not as arrays of big-endian words", whole_words_swapped},
    {"big-endian", "elements are read and written in big-endian order",
     "UB is little-endian: read elements with '<' formats", big_endian},
    {"mask-starts-empty", "programs start with an empty mask",
     "every program starts with all 256 mask slots at 1",
     [](const Asked& p) {
       Semantics empty;
       empty.initial_mask = Mask{};
       return believing(p, empty);
     }},
    {"mask-of-128-slots", "slots 128..255 of the mask come back as 0",
     "the mask has 256 slots; set_mask leaves the upper 128 as they are",
     [](const Asked& p) {
       return misreport(p, [](const Program&, State& state) {
         std::fill(state.mask.begin() + 128, state.mask.end(), std::uint8_t{0});
       });
     }},
    {"set_mask-clears-upper", "set_mask clears slots 128..255 of the mask",
     "set_mask changes slots 0..127 only; the upper 128 keep their values", upper_slots_cleared},
    {"set_mask-ignored", "set_mask has no effect: it does nothing, or it changes only a copy of the mask",
     "write the new mask back to where the instructions and the answer take it from",
     [](const Asked& p) {
       return misread(p, [](Program& program) {
         std::erase_if(program.instructions, [](const Instruction& insn) { return insn.op == Op::set_mask; });
       });
     }},
    {"set_mask-high-ignored", "set_mask ignores `high`: slots 64..127 stay as they were",
     "`high` sets slots 64..127, `low` sets slots 0..63", word_kept<1>},
    {"set_mask-low-ignored", "set_mask ignores `low`: slots 0..63 stay as they were",
     "`high` sets slots 64..127, `low` sets slots 0..63", word_kept<0>},
    {"set_mask-high-is-0", "set_mask takes `high` as 0", "`high` sets slots 64..127, `low` sets slots 0..63",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.op == Op::set_mask) insn.high = 0;
       });
     }},
    {"mask-not-shown", "the mask that comes back is always full",
     "put the mask as it is after the last instruction into the answer, or answer hello with shows_mask: "
     "false",
     [](const Asked& p) {
       return misreport(p, [](const Program&, State& state) { state.mask = kFullMask; });
     }},
    {"mask-words-reversed", "the four words of the mask come back in reverse order",
     "put slots 0..63 into the first word of `mask`",
     [](const Asked& p) {
       return misreport(p, [](const Program&, State& state) {
         for (unsigned w = 0; w < 2; ++w)
           std::swap_ranges(state.mask.begin() + 64 * w, state.mask.begin() + 64 * w + 64,
                            state.mask.begin() + 64 * (3 - w));
       });
     }},
    {"mask-inverted", "a mask slot of 1 switches its lane off", "a slot of 1 means that the lane is active",
     [](const Asked& p) { return believing(p, find_mutant("mask-inverted")->semantics(Readings{})); }},
    {"set_mask-arguments-swapped", "the arguments of set_mask are swapped",
     "`high` is for lanes 64..127, `low` for lanes 0..63; high comes first",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.op == Op::set_mask) std::swap(insn.high, insn.low);
       });
     }},
    {"mask-bits-reversed", "the bits of the mask words are read from the wrong end",
     "bit 0, the lowest, is the lowest lane of its word", mask_words_as<bits_reversed>},
    {"mask-bits-all-reversed", "the 128 bits of the mask are read from the wrong end",
     "lane 0 is bit 0 of `low`; read a binary text from its right end",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         const std::uint64_t high = bits_reversed(insn.low), low = bits_reversed(insn.high);
         insn.high = high;
         insn.low = low;
       });
     }},
    {"mask-not-connected", "set_mask changes the mask that is shown, but not what instructions do",
     "pass the program's mask to every instruction that obeys it", mask_not_connected},
    {"f16-as-i16", "f16 is computed as 16-bit integers",
     "use the element type after the dot of `op`, not only its size", type_as<Element::f16, Element::i16>},
    {"i16-as-f16", "16-bit integers are computed as f16",
     "use the element type after the dot of `op`, not only its size", type_as<Element::i16, Element::f16>},
    {"f32-as-i32", "f32 is computed as 32-bit integers",
     "use the element type after the dot of `op`, not only its size", type_as<Element::f32, Element::i32>},
    {"i32-as-f32", "32-bit integers are computed as f32",
     "use the element type after the dot of `op`, not only its size", type_as<Element::i32, Element::f32>},
    {"signed-as-unsigned", "signed integers are computed as unsigned",
     "i8, i16, i32 and i64 are two's complement", signs_ignored},
    {"dst-and-src-swapped", "dst and the first source are swapped",
     "take operands by their names: `dst` is written, `src` and `src0` are read",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (row_of(insn.op).operands.size() > 1) std::swap(insn.operands[0], insn.operands[1]);
       });
     }},
    {"sources-swapped", "src0 and src1 are swapped", "src0 is the left operand, src1 the right one",
     [](const Asked& p) { return misread_each(p, swap_sources); }},
    {"offsets-ignored", "offsets of operands are ignored",
     "an operand starts at the offset of its allocation plus its own `offset`, both in bytes",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) operand.offset = 0;
       });
     }},
    {"offsets-twice", "offsets of operands are added twice",
     "an operand starts at the offset of its allocation plus its own `offset`, both added once",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) operand.offset *= 2;
       });
     }},
    {"allocations-ignored", "operands start at their own offset in UB, as if every allocation began at 0",
     "an operand starts at the offset of its allocation plus its own `offset`",
     [](const Asked& p) {
       return misread(p, [](Program& program) {
         for (Allocation& each : program.allocations) each.offset = 0;
       });
     }},
    {"offsets-in-elements", "offsets of operands are counted in elements", "`offset` counts bytes",
     [](const Asked& p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return insn.operands[k].offset * std::uint64_t{size_of(insn.dst_type) - 1} +
                steps(insn, k, r, b, kBlockBytes);
       });
     }},
    {"strides-in-bytes", "strides are counted in bytes",
     "block stride and repeat stride count blocks of 32 bytes",
     [](const Asked& p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return steps(insn, k, r, b, 1);
       });
     }},
    {"strides-in-elements", "strides are counted in elements",
     "block stride and repeat stride count blocks of 32 bytes",
     [](const Asked& p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return steps(insn, k, r, b, size_of(insn.dst_type));
       });
     }},
    {"strides-are-0", "all block strides and repeat strides arrive as 0",
     "strides are whole numbers of blocks of 32 bytes; do not divide them by 32",
     [](const Asked& p) { return misread_each(p, [](Instruction& insn) { set_strides(insn, 0, 0); }); }},
    {"strides-ignored", "all strides are ignored: every operand has block stride 1 and repeat stride 8",
     "block b of repeat r is at (r * repeat_stride + b * block_stride) * 32 bytes",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) { set_strides(insn, 1, kRepeatBlocks); });
     }},
    {"operands-in-a-row", "all strides are ignored: the elements of every operand are taken in a row",
     "block b of repeat r is at (r * repeat_stride + b * block_stride) * 32 bytes",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         set_strides(insn, 1, kRepeatBlocks);
         if (reduces(insn)) insn.operands[0].repeat_stride = 1;
       });
     }},
    {"strides-swapped", "block stride and repeat stride are swapped",
     "block b of repeat r is at (r * repeat_stride + b * block_stride) * 32 bytes",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) std::swap(operand.block_stride, operand.repeat_stride);
       });
     }},
    {"block-stride-ignored", "block strides are ignored: blocks are read and written one after the other",
     "block b of a repeat is at b * block_stride * 32 bytes",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) operand.block_stride = 1;
       });
     }},
    {"src1-block-stride-ignored", "the block stride of src1 is ignored",
     "each source has its own block stride: block b is at b * block_stride * 32 bytes",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         const Row& row = row_of(insn.op);
         for (unsigned k = 0; k < row.operands.size(); ++k)
           if (row.operands[k].role == "src1") insn.operands[k].block_stride = 1;
       });
     }},
    {"repeat-stride-ignored", "repeat strides are ignored: repeats follow one another",
     "repeat r is at r * repeat_stride * 32 bytes",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) operand.repeat_stride = kRepeatBlocks;
       });
     }},
    {"strides-of-dst", "all operands use the strides of dst", "each operand has its own strides",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         for (Operand& operand : insn.operands) {
           operand.block_stride = insn.operands[0].block_stride;
           operand.repeat_stride = insn.operands[0].repeat_stride;
         }
       });
     }},
    {"strides-of-src", "all operands use the strides of the first source", "each operand has its own strides",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (row_of(insn.op).operands.size() < 2) return;
         set_strides(insn, insn.operands[1].block_stride, insn.operands[1].repeat_stride);
       });
     }},
    {"repeats-from-1", "repeats are counted from 1: every repeat is one repeat stride too far",
     "repeat r is at r * repeat_stride * 32 bytes, and the first repeat is repeat 0",
     [](const Asked& p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return steps(insn, k, r + 1, b, kBlockBytes);
       });
     }},
    {"one-repeat", "only one repeat is executed", "execute `repeat` repeats; 0 executes none",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) { insn.repeat = std::min(insn.repeat, 1u); });
     }},
    {"repeat-0-is-1", "repeat times of 0 execute one repeat", "repeat times of 0 execute nothing",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) { insn.repeat = std::max(insn.repeat, 1u); });
     }},
    {"one-repeat-too-many", "one repeat too many is executed", "execute exactly `repeat` repeats",
     [](const Asked& p) { return misread_each(p, [](Instruction& insn) { ++insn.repeat; }); }},
    {"one-repeat-too-few", "one repeat too few is executed", "execute exactly `repeat` repeats",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) { insn.repeat -= insn.repeat > 0 ? 1 : 0; });
     }},
    {"scalar-is-0", "the scalar arrives as 0, or its value is taken as its bits",
     "`scalar` is an object: `value` is its value, `bits` its bits in the element type",
     [](const Asked& p) { return misread_each(p, [](Instruction& insn) { insn.scalar = {}; }); }},
    {"scalar-bits-as-value", "the bits of the scalar are taken as its value",
     "use `value`, or read `bits` as an element",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (takes_scalar(insn))
           insn.scalar = scalar_of(scalar_type(insn), static_cast<double>(insn.scalar.bits));
       });
     }},
    {"vmin-as-vmax", "vmin is computed as vmax",
     "look at the whole name of the instruction: vmin takes the smaller value",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.op == Op::vmin) insn.op = Op::vmax;
       });
     }},
    {"cast-types-swapped", "the two element types of cast are swapped",
     "`op` is cast.DST.SRC: the type of dst comes first",
     [](const Asked& p) { return misread_each(p, swap_types); }},
    {"cast-mode-ignored", "cast always rounds to the nearest even number", "use the field `round`",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.op == Op::cast && insn.round != Round::none) insn.round = Round::rint;
       });
     }},
    {"cast-truncates", "cast always rounds towards 0", "use the field `round`",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.op == Op::cast && insn.round != Round::none) insn.round = Round::trunc;
       });
     }},
    {"compare-mode-ignored", "every comparison is computed as eq", "use the field `compare`",
     [](const Asked& p) { return misread_each(p, [](Instruction& insn) { insn.compare = Compare::eq; }); }},
    {"compare-scalar-first", "the scalar of compare_scalar is taken as the left operand",
     "compute `src < scalar`, not `scalar < src`",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.op == Op::compare_scalar) insn.compare = mirrored(insn.compare);
       });
     }},
    {"reduction-stride-in-blocks", "the repeat stride of a reduction's dst is counted in blocks",
     "the repeat stride of a reduction's dst counts the results of one repeat, not 32 bytes",
     [](const Asked& p) { return misread_each(p, step_by_blocks); }},
    {"reduction-stride-ignored", "the repeat stride of a reduction's dst is ignored",
     "the result of repeat r is at r * repeat_stride results",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (reduces(insn)) insn.operands[0].repeat_stride = 1;
       });
     }},
    {"gather-base-ignored", "the offsets of gather are counted from the start of UB",
     "an element is at the start of `src` plus its offset",
     [](const Asked& p) {
       return misread(p, [](Program& program) {
         for (Instruction& insn : program.instructions)
           if (insn.op == Op::gather) insn.operands[1] = {};
       });
     }},
    {"gather-offsets-in-elements", "the offsets of gather are counted in elements",
     "the offsets of gather count bytes", gather_offsets_scaled},
    {"select-sources-swapped", "select takes src1 where the control bit is 1",
     "a control bit of 1 takes the element of src0, a bit of 0 takes that of src1",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.op == Op::select) swap_sources(insn);
       });
     }},
    {"mask-leaks", "the next program still sees the mask that a program left",
     "set all 256 slots to 1 before every program",
     [](const Asked& p) { return without_reset(p, true, false); }},
    {"memory-leaks", "the next program still sees the UB that a program left",
     "copy all of `ub` into the simulator before every program",
     [](const Asked& p) { return without_reset(p, false, true); }},
    {"state-leaks", "the next program still sees the mask and the UB that a program left",
     "start every program from its own `ub` and a full mask",
     [](const Asked& p) { return without_reset(p, true, true); }},
    {"only-first-instruction", "only the first instruction is executed",
     "execute all of `instructions`, in order",
     [](const Asked& p) {
       return misread(p, [](Program& program) {
         if (program.instructions.size() > 1) program.instructions.resize(1);
       });
     }},
    {"only-last-instruction", "only the last instruction is executed",
     "execute all of `instructions`, in order, on one state",
     [](const Asked& p) {
       return misread(p, [](Program& program) {
         if (program.instructions.size() > 1)
           program.instructions.erase(program.instructions.begin(), program.instructions.end() - 1);
       });
     }},
    {"last-instruction-missing", "the last instruction is not executed, or its result comes too late",
     "take the answer's memory after the last instruction",
     [](const Asked& p) {
       return misread(p, [](Program& program) {
         if (!program.instructions.empty()) program.instructions.pop_back();
       });
     }},
    {"only-first-allocation", "only the first allocation comes back",
     "copy all of UB back, with every allocation",
     [](const Asked& p) {
       return misreport(p, [](const Program& program, State& state) {
         if (program.allocations.empty()) return;
         const auto end =
             static_cast<std::ptrdiff_t>(program.allocations[0].offset + program.allocations[0].bytes);
         std::copy(program.ub.begin() + end, program.ub.end(), state.ub.begin() + end);
       });
     }},
    {"first-answer-for-all", "every program of a request gets the answer of the first",
     "answer each program of `programs` with its own result",
     [](const Asked& p) {
       std::vector<State> states = right_answers(p.programs);
       for (State& each : states)
         if (each.ub.size() == states.front().ub.size()) each = states.front();
       return Foretold(states);
     }},
    {"last-answer-for-all", "every program of a request gets the answer of the last",
     "do not use the same memory for every answer",
     [](const Asked& p) {
       std::vector<State> states = right_answers(p.programs);
       for (State& each : states)
         if (each.ub.size() == states.back().ub.size()) each = states.back();
       return Foretold(states);
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
