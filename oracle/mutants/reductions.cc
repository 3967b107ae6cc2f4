// Mutants of one reduction each: what its masked-off elements and its results without active lanes become
// (VMC 3.2, 3.3).
#include <algorithm>

#include "oracle/mutants/replace_seam.h"

namespace lanecheck {
namespace {

/// One reduction looks up the first block's slots for every block.
template <Op Which>
const std::uint8_t* first_block(const Mask& m, const Instruction& insn, unsigned, Mask& scratch) {
  if (insn.op != Which) return m.data();
  return remap(scratch, [&](unsigned lane) { return m[lane % per_block(insn.src_type)]; });
}

/// One reduction takes a result without active lanes for one with all lanes active.
template <Op Which>
const std::uint8_t* empty_is_full(const Mask& m, const Instruction& insn, unsigned, Mask& scratch) {
  if (insn.op != Which) return m.data();
  const unsigned group = lanes_of(insn) / results_per_repeat(insn);
  return remap(scratch, [&](unsigned lane) {
    const auto* from = m.begin() + lane / group * group;
    return std::all_of(from, from + group, [](auto slot) { return slot == 0; }) ? std::uint8_t{1} : m[lane];
  });
}

std::function<void(Semantics&)> zero_sentinel(Op op) {
  return [=](Semantics& s) { s.neutral[static_cast<std::size_t>(op)] = Neutral::zero; };
}
std::function<void(Semantics&)> writes_empty(Op op) {
  return [=](Semantics& s) { s.empty[static_cast<std::size_t>(op)] = EmptyResult::writes; };
}
std::function<void(Semantics&)> looks_up(Slots slots) {
  return [=](Semantics& s) { s.seams.gates = slots; };
}

/// The rules that speak of one reduction, and how they are broken.
struct ReductionRules {
  Op op;
  std::string_view masked_off, empty;
  Slots empty_is_full;
  Slots first_block;  ///< null for those that do not go by block
};
constexpr ReductionRules kReductions[] = {
    {Op::cadd, "VMC-3.2-cadd-zero", "VMC-3.2-cadd-empty", empty_is_full<Op::cadd>, nullptr},
    {Op::cgadd, "VMC-3.2-cgadd-zero", "VMC-3.2-cgadd-empty", empty_is_full<Op::cgadd>,
     first_block<Op::cgadd>},
    {Op::cpadd, "VMC-3.2-cpadd-zero", "VMC-3.2-cpadd-empty", empty_is_full<Op::cpadd>, nullptr},
    {Op::cmax, "VMC-3.3-cmax-sentinel", "VMC-3.3-cmax-empty", empty_is_full<Op::cmax>, nullptr},
    {Op::cgmax, "VMC-3.3-cgmax-sentinel", "VMC-3.3-cgmax-empty", empty_is_full<Op::cgmax>,
     first_block<Op::cgmax>},
    {Op::cmin, "VMC-3.3-cmin-sentinel", "VMC-3.3-cmin-empty", empty_is_full<Op::cmin>, nullptr},
    {Op::cgmin, "VMC-3.3-cgmin-sentinel", "VMC-3.3-cgmin-empty", empty_is_full<Op::cgmin>,
     first_block<Op::cgmin>},
};

}  // namespace

void add_reduction_mutants(std::vector<Mutant>& list) {
  for (const ReductionRules& r : kReductions) {
    const std::string name(row_of(r.op).name);
    const bool additive = row_of(r.op).neutral == Neutral::zero;
    std::vector<std::string_view> broken = {r.masked_off};
    if (additive)
      broken.insert(broken.end(), {"VMC-3.2-not-preserved", "VMC-6-pattern-b", "VMC-7-contributes-zero"});
    list.push_back({name + "-keeps-dst", name + " gates its writeback instead of its source", broken,
                    replace_use(r.op, MaskUse::gates_writeback), r.op});
    list.push_back({name + "-ignores-mask",
                    name + " takes in masked-off elements",
                    {r.masked_off},
                    replace_use(r.op, MaskUse::ignores),
                    r.op});
    list.push_back({name + "-empty-means-full",
                    name + " treats a result without active lanes as fully active",
                    {r.empty},
                    looks_up(r.empty_is_full),
                    r.op});
    if (r.op != Op::cpadd)
      list.push_back({name + "-writes-empty",
                      name + " writes the neutral element where no lane is active",
                      {r.empty},
                      writes_empty(r.op),
                      r.op});
    if (!additive)
      list.push_back({name + "-sentinel-zero",
                      name + " lets a masked-off element act like 0",
                      {r.masked_off},
                      zero_sentinel(r.op),
                      r.op});
    if (r.first_block != nullptr)
      list.push_back({name + "-first-block",
                      name + " uses the slots of the first data block for every block",
                      {r.masked_off, r.empty},
                      looks_up(r.first_block),
                      r.op});
  }
}

}  // namespace lanecheck
