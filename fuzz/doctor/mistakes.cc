#include <algorithm>
#include <cmath>

#include "fuzz/doctor/mistaken_adapter.h"

namespace lanecheck {
namespace {

constexpr ProfileSet kWithReductions = {Profile::vmc, Profile::a2};
constexpr ProfileSet kWithBlockStrides = {Profile::vmc, Profile::a2, Profile::p310};

constexpr AdapterMistake kOtherMistakes[] = {
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
    {"allocations-in-elements", "offsets of allocations are counted in elements",
     "the `offset` of an allocation counts bytes",
     [](const Asked& p) {
       return misread(p, [](Program& program) {
         for (Allocation& each : program.allocations) each.offset *= size_of(each.type);
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
    {"block-stride-in-bytes", "block strides are counted in bytes", "block strides count blocks of 32 bytes",
     [](const Asked& p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return steps(insn, k, r, b, kBlockBytes, 1);
       });
     }},
    {"block-stride-in-elements", "block strides are counted in elements",
     "block strides count blocks of 32 bytes",
     [](const Asked& p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return steps(insn, k, r, b, kBlockBytes, size_of(insn.dst_type));
       });
     }},
    {"repeat-stride-in-bytes", "repeat strides are counted in bytes",
     "repeat strides count blocks of 32 bytes",
     [](const Asked& p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return steps(insn, k, r, b, 1, kBlockBytes);
       });
     }},
    {"repeat-stride-in-elements", "repeat strides are counted in elements",
     "repeat strides count blocks of 32 bytes",
     [](const Asked& p) {
       return elsewhere(p, [](const Instruction& insn, unsigned k, unsigned r, unsigned b) {
         return steps(insn, k, r, b, size_of(insn.dst_type), kBlockBytes);
       });
     }},
    {"strides-are-0", "all block strides and repeat strides arrive as 0",
     "strides are whole numbers of blocks of 32 bytes; do not divide them by 32",
     [](const Asked& p) { return misread_each(p, [](Instruction& insn) { set_strides(insn, 0, 0); }); }},
    {"strides-ignored", "all strides are ignored: every operand has block stride 1 and repeat stride 8",
     "block b of repeat r is at (r * repeat_stride + b * block_stride) * 32 bytes",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) { set_strides(insn, 1, kRepeatBlocks); });
     },
     kWithBlockStrides},
    {"operands-in-a-row", "all strides are ignored: the elements of every operand are taken in a row",
     "block b of repeat r is at (r * repeat_stride + b * block_stride) * 32 bytes",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         set_strides(insn, 1, kRepeatBlocks);
         if (reduces(insn)) insn.operands[0].repeat_stride = 1;
       });
     },
     kWithReductions},
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
       return misread_operands(p, [](std::string_view role, Operand& operand) {
         if (role == "src1") operand.block_stride = 1;
       });
     }},
    {"dst-block-stride-ignored", "the block stride of dst is ignored",
     "dst has its own block stride: block b is at b * block_stride * 32 bytes",
     [](const Asked& p) {
       return misread_operands(p, [](std::string_view role, Operand& operand) {
         if (role == "dst") operand.block_stride = 1;
       });
     }},
    {"src-repeat-stride-ignored", "the repeat strides of the sources are ignored",
     "repeat r of a source is at r * its own repeat_stride * 32 bytes",
     [](const Asked& p) {
       return misread_operands(p, [](std::string_view role, Operand& operand) {
         if (role.starts_with("src")) operand.repeat_stride = kRepeatBlocks;
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
    {"repeat-ignored", "one repeat is executed, whatever `repeat` is",
     "execute `repeat` repeats; 0 executes none",
     [](const Asked& p) { return misread_each(p, [](Instruction& insn) { insn.repeat = 1; }); }},
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
    {"scalar-truncated", "the scalar loses its fraction",
     "pass the scalar on in its element type, not as a whole number",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (takes_scalar(insn) && is_float(scalar_type(insn)))
           insn.scalar = scalar_of(scalar_type(insn), std::trunc(insn.scalar.value));
       });
     }},
    {"vmin-as-vmax", "vmin is computed as vmax",
     "look at the whole name of the instruction: vmin takes the smaller value", op_as<Op::vmin, Op::vmax>},
    {"vmax-as-vmin", "vmax is computed as vmin",
     "look at the whole name of the instruction: vmax takes the greater value", op_as<Op::vmax, Op::vmin>},
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
  static const std::vector<AdapterMistake> all = [] {
    std::vector<AdapterMistake> list(mask_mistakes().begin(), mask_mistakes().end());
    list.insert(list.end(), std::begin(kOtherMistakes), std::end(kOtherMistakes));
    return list;
  }();
  return all;
}

}  // namespace lanecheck
