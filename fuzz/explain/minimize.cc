#include "fuzz/explain/minimize.h"

#include <algorithm>
#include <vector>

#include <rapidcheck/Seq.h>
#include <rapidcheck/Shrinkable.h>
#include <rapidcheck/seq/Create.h>
#include <rapidcheck/seq/Transform.h>
#include <rapidcheck/shrinkable/Create.h>

#include "fuzz/explain/moves.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

/// Do the elements of each repeat of a scatter go to places of their own?
bool scatters_apart(const Program& program) {
  for (const Instruction& insn : program.instructions) {
    const Row& row = row_of(insn.op);
    if (row.operands.empty() || row.operands[0].walk != Walk::indexed) continue;
    const std::byte* const table = program.ub.data() + start_of(program, insn.operands[kOffsetsOperand]);
    for (unsigned r = 0; r < insn.repeat; ++r) {
      std::vector<std::uint32_t> offsets;
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
        offsets.push_back(load<std::uint32_t>(table + std::size_t{4} * (r * lanes_of(insn) + lane)));
      std::ranges::sort(offsets);
      if (std::ranges::adjacent_find(offsets) != offsets.end()) return false;
    }
  }
  return true;
}

rc::Shrinkable<Program> tree_of(const Program& program, const ProgramTest& allowed) {
  return rc::shrinkable::shrinkRecur(program, [allowed](const Program& from) {
    auto candidates = rc::seq::map(rc::seq::fromContainer(moves_of(from)), [from](const Move& move) {
      Program smaller = from;
      move(smaller);
      return smaller;
    });
    return rc::seq::filter(std::move(candidates), allowed);
  });
}

}  // namespace

ProgramTest legal_under(const Readings& readings) {
  return [readings](const Program& program) {
    return !find_fault(program, readings).has_value() && scatters_apart(program);
  };
}

Minimized minimize(const Program& program, const ProgramTest& allowed, const ProgramTest& still,
                   unsigned most_tries, const std::function<bool()>& ends) {
  Minimized result{program};
  auto tree = tree_of(program, allowed);
  for (bool smaller = true; smaller;) {
    smaller = false;
    auto shrinks = tree.shrinks();
    while (auto candidate = shrinks.next()) {
      if (result.tries >= most_tries || (ends && ends())) {
        result.program = tree.value();
        return result;
      }
      ++result.tries;
      if (!still(candidate->value())) continue;
      tree = *candidate;
      smaller = true;
      break;
    }
  }
  result.program = tree.value();
  result.complete = true;
  return result;
}

}  // namespace lanecheck
