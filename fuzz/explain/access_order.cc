#include "fuzz/explain/access_order.h"

#include <algorithm>

#include "fuzz/explain/locate.h"
#include "fuzz/explain/repeatable.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kRounds = 3;  // programs with other data

/// What `program` leaves if the last instruction reads `sources` from a copy that nothing is written to.
std::vector<std::byte> with_copied_sources(Program program, const std::vector<unsigned>& sources,
                                           const Documented& documented) {
  State before, after;
  execute(prefix(program, program.instructions.size() - 1), documented.semantics, before);
  const std::size_t size = program.ub.size(), start = in_whole_blocks(size);
  Instruction& insn = program.instructions.back();
  program.ub.resize(start);
  program.ub.insert(program.ub.end(), before.ub.begin(), before.ub.end());
  for (const unsigned k : sources) {
    insn.operands[k].offset = start_of(program, insn.operands[k]);
    insn.operands[k].allocation = static_cast<std::uint16_t>(program.allocations.size());
  }
  program.allocations.push_back(
      {"copy", Element::u8, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(size)});
  execute(program, documented.semantics, after);
  after.ub.resize(size);
  return std::move(after.ub);
}

}  // namespace

std::optional<std::string> access_order(const Finding& finding, AskedBackend& asked,
                                        const Documented& documented) {
  const Program part = prefix(finding.program, finding.instruction + 1);
  const Instruction& insn = part.instructions.back();
  const auto shared = sources_that_share_dst(part, insn);
  if (!shared || shared->empty()) return {};
  const std::vector<unsigned>& sources = *shared;
  bool differs = false;
  for (unsigned round = 0; round <= kRounds; ++round) {
    const Program program = round == 0 ? part : with_data(part, round);
    if (find_fault(program, documented.readings())) return {};
    const BackendAnswer answer = asked.ask(program);
    if (!answer.ran() || answer.state.ub != with_copied_sources(program, sources, documented)) return {};
    differs |= round > 0 && diverges(answer, program, documented, asked.shown());
  }
  if (!differs) return {};
  std::string roles;
  for (const unsigned k : sources)
    roles += (roles.empty() ? "" : " and ") + std::string(row_of(insn.op).operands[k].role);
  return mnemonic(insn) + " reads all of " + roles +
         " before it writes dst: where the two share bytes, a repeat does not see what an earlier one wrote";
}

}  // namespace lanecheck
