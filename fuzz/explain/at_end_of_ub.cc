#include "fuzz/explain/at_end_of_ub.h"

#include "fuzz/explain/locate.h"
#include "spec/text/program_text.h"

namespace lanecheck {

bool ends_with_ub(const Program& program, const Allocation& allocation) {
  return std::size_t{allocation.offset} + allocation.bytes == program.ub.size();
}

std::optional<std::string> wrong_at_end_of_ub(const Program& part, AskedBackend& asked,
                                              const Documented& documented) {
  const Instruction& last = part.instructions.back();
  const auto operands = row_of(last.op).operands;
  std::string at_end;
  for (unsigned k = 0; k < operands.size(); ++k)
    if (last.operands[k].allocation < part.allocations.size() &&
        ends_with_ub(part, part.allocations[last.operands[k].allocation]))
      at_end = at_end.empty() ? std::string(operands[k].role) : at_end;
  if (at_end.empty() || part.ub.size() + kBlockBytes > kMaxUbBytes) return {};
  Program longer = part;
  longer.ub.resize(part.ub.size() + kBlockBytes);
  const BackendAnswer answer = asked.ask(longer);
  if (!answer.ran() || diverges(answer, longer, documented, asked.shown())) return {};
  return mnemonic(last) + " is wrong if its " + at_end +
         " ends where UB ends; with a data block of UB behind it, it is right";
}

}  // namespace lanecheck
