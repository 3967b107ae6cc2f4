#include "fuzz/explain/access_order.h"

#include <algorithm>
#include <functional>

#include "fuzz/explain/locate.h"
#include "fuzz/explain/repeatable.h"
#include "fuzz/identify/probes/one_repeat.h"
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

/// What `program` leaves if the repeats of the last instruction are executed from the last to the first.
std::vector<std::byte> in_reverse(Program program, const Documented& documented) {
  const Instruction insn = program.instructions.back();
  program.instructions.pop_back();
  for (unsigned r = repeats_of(insn); r-- > 0;) program.instructions.push_back(one_repeat(insn, r));
  State after;
  execute(program, documented.semantics, after);
  return std::move(after.ub);
}

/// An order of reads and writes that is not the documented one.
struct Order {
  std::string sentence;
  std::function<std::vector<std::byte>(const Program&)> leaves;
};

std::vector<Order> orders_of(const Instruction& insn, const std::vector<unsigned>& sources,
                             const Documented& documented) {
  std::string roles;
  for (const unsigned k : sources)
    roles += (roles.empty() ? "" : " and ") + std::string(row_of(insn.op).operands[k].role);
  std::vector<Order> orders = {
      {mnemonic(insn) + " reads all of " + roles +
           " before it writes dst: where the two share bytes, a repeat does not see what an earlier one "
           "wrote",
       [&](const Program& program) { return with_copied_sources(program, sources, documented); }}};
  const bool walks = std::ranges::all_of(row_of(insn.op).operands, [](const OperandColumn& operand) {
    return operand.walk == Walk::blocks || operand.walk == Walk::rows || operand.walk == Walk::results;
  });
  if (walks && repeats_of(insn) > 1)
    orders.push_back({mnemonic(insn) +
                          " executes its repeats from the last to the first, which shows where one of them "
                          "reads what another one writes",
                      [&](const Program& program) { return in_reverse(program, documented); }});
  return orders;
}

/// Does the backend leave what this order gives, whatever the data are, and not what the documents say?
bool is_followed(const Order& order, const Program& part, AskedBackend& asked, const Documented& documented) {
  bool differs = false;
  for (unsigned round = 0; round <= kRounds; ++round) {
    const Program program = round == 0 ? part : with_data(part, round);
    if (find_fault(program, documented.readings())) return false;
    const BackendAnswer answer = asked.ask(program);
    if (!answer.ran() || answer.state.ub != order.leaves(program)) return false;
    differs |= round > 0 && diverges(answer, program, documented, Shown{false, false});
  }
  return differs;
}

}  // namespace

std::optional<std::string> access_order(const Finding& finding, AskedBackend& asked,
                                        const Documented& documented) {
  const Program part = prefix(finding.program, finding.instruction + 1);
  const Instruction& insn = part.instructions.back();
  const auto shared = sources_that_share_dst(part, insn);
  if (!shared || shared->empty()) return {};
  for (const Order& order : orders_of(insn, *shared, documented))
    if (is_followed(order, part, asked, documented)) return order.sentence;
  return {};
}

}  // namespace lanecheck
