// Mutants of packed controls and results, and of the compare mask (VMC 4, 5).
#include "oracle/mutants/replace_seam.h"

namespace lanecheck {
namespace {

void cmpmask_is_the_mask(Semantics& s) {
  s.seams.side_effect = [](Machine& m, const Instruction& insn) {
    if (insn.op != Op::set_cmpmask) return;
    const std::byte* from = m.at(insn.operands[0]);
    set_mask(m.mask, load<std::uint64_t>(from + 8), load<std::uint64_t>(from));
  };
}

void select_leaves_its_own(Semantics& s) {
  s.seams.side_effect = [](Machine& m, const Instruction& insn) {
    if (insn.op == Op::select) set_mask(m.mask, 0, 0xffffffff);
  };
}

constexpr MutantRow kPackedBitsMutants[] = {
    {"select-control-msb",
     "select reads control bits from the highest down",
     {"VMC-4-packed-control"},
     [](Semantics& s) { s.seams.control = BitLayout::highest_first; }},
    {"select-control-bytes",
     "select wants a control byte per element",
     {"VMC-4-packed-control"},
     [](Semantics& s) { s.seams.control = BitLayout::byte_per_element; }},
    {"select-leaves-mask",
     "select leaves a mask of 32 lanes behind",
     {"VMC-4-mask-stays"},
     select_leaves_its_own},
    {"compare-msb",
     "compare packs bits from the highest down",
     {"VMC-4-packed-result"},
     [](Semantics& s) { s.seams.result_bits = BitLayout::highest_first; }},
    {"compare-bytes",
     "compare writes a byte per element",
     {"VMC-4-packed-result"},
     [](Semantics& s) { s.seams.result_bits = BitLayout::byte_per_element; }},
    {"cmpmask-sets-mask", "set_cmpmask loads the vector mask", {"VMC-5-set-cmpmask"}, cmpmask_is_the_mask},
};

}  // namespace

void add_packed_bits_mutants(std::vector<Mutant>& list) {
  add_rows(list, kPackedBitsMutants);
}

}  // namespace lanecheck
