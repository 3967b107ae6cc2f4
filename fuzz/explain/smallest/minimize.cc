#include "fuzz/explain/smallest/minimize.h"

#include <rapidcheck/Seq.h>
#include <rapidcheck/Shrinkable.h>
#include <rapidcheck/seq/Create.h>
#include <rapidcheck/seq/Transform.h>
#include <rapidcheck/shrinkable/Create.h>

#include "fuzz/explain/smallest/moves.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

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
  return [readings](const Program& program) { return !find_fault(program, readings).has_value(); };
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
