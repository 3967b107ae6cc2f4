#include "fuzz/explain/observed/same_sources.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kSrc0 = 1, kSrc1 = 2;

bool start_together(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (row.operands.size() <= kSrc1) return false;
  const auto walks = [&](unsigned k) { return row.operands[k].walk == Walk::blocks; };
  return walks(kSrc0) && walks(kSrc1) && insn.operands[kSrc0].allocation == insn.operands[kSrc1].allocation &&
         insn.operands[kSrc0].offset == insn.operands[kSrc1].offset;
}

/// Operand `k` with the strides of `other`.
Program with_strides_of(Program program, unsigned k, unsigned other) {
  Instruction& insn = program.instructions.back();
  insn.operands[k].block_stride = insn.operands[other].block_stride;
  insn.operands[k].repeat_stride = insn.operands[other].repeat_stride;
  return program;
}

/// The program with this number in all elements of the allocation of its sources.
Program with_sources(Program program, double number) {
  const Instruction& insn = program.instructions.back();
  const Allocation& source = program.allocations[insn.operands[kSrc0].allocation];
  const std::uint64_t bits = nearest(insn.src_type, number);
  for (std::size_t at = 0; at + size_of(insn.src_type) <= source.bytes; at += size_of(insn.src_type))
    std::memcpy(&program.ub[source.offset + at], &bits, size_of(insn.src_type));
  return program;
}

/// `part` with its own data and with others. Infinite sources and NaN show whether anything is computed.
std::vector<Program> with_several_data(const Program& part) {
  std::vector<Program> all = {part, with_data(part, 1), with_data(part, 2)};
  using Limits = std::numeric_limits<double>;
  if (is_float(part.instructions.back().src_type))
    for (const double number : {Limits::infinity(), Limits::quiet_NaN()})
      all.push_back(with_sources(part, number));
  return all;
}

/// Does the backend leave what the documents say of sources that are 0, whatever they hold?
bool gives_that_of_zeros(const Program& part, AskedBackend& asked, const Documented& documented) {
  return std::ranges::all_of(with_several_data(part), [&](const Program& each) {
    const BackendAnswer answer = asked.ask(each);
    State expected;
    execute(with_sources(each, 0), documented.semantics, expected);
    const Allocation& source =
        each.allocations[each.instructions.back().operands[kSrc0].allocation];  // dst lies apart
    std::copy_n(each.ub.begin() + source.offset, source.bytes, expected.ub.begin() + source.offset);
    return answer.ran() && identical_but_for_nans(each, expected, answer.state, asked.shown());
  });
}

/// Does the backend leave what the documents say of the other strides, with other data too?
bool takes_strides(const Program& program, unsigned k, unsigned other, AskedBackend& asked,
                   const Documented& documented) {
  for (const Program& each : with_several_data(program)) {
    const Program taken = with_strides_of(each, k, other);
    if (find_fault(each, documented.readings()) || find_fault(taken, documented.readings())) return false;
    const BackendAnswer answer = asked.ask(each);
    if (!answer.ran() || !agrees(taken, documented.semantics, answer.state, asked.shown())) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> same_sources(const Finding& finding, AskedBackend& asked,
                                        const Documented& documented) {
  const Program part = prefix(finding.program, finding.instruction + 1);
  const Instruction& insn = part.instructions.back();
  if (!start_together(insn)) return {};
  Variation apart = variation_of(part, finding.instruction);
  put_apart(apart, kSrc1);
  if (find_fault(apart.program, documented.readings()) ||
      says(asked.ask(apart.program), apart.program, documented, asked.shown()) != Says::conforms)
    return {};
  const std::string where = "if src0 and src1 start at the same place, ", name = mnemonic(insn);
  for (const auto& [k, other] : {std::pair{kSrc1, kSrc0}, {kSrc0, kSrc1}})
    if (takes_strides(part, k, other, asked, documented))
      return where + (k == kSrc1 ? "src1" : "src0") + " of " + name + " walks with the strides of " +
             (k == kSrc1 ? "src0" : "src1") + " instead of its own";
  const bool dst_apart = insn.operands[0].allocation != insn.operands[kSrc0].allocation;
  if (dst_apart && gives_that_of_zeros(part, asked, documented))
    return where + name + " gives what it gives for elements that are 0, whatever they are";
  return where + name + " computes other values than with src1 in an allocation of its own";
}

}  // namespace lanecheck
