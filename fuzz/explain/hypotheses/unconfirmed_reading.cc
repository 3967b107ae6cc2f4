#include "fuzz/explain/hypotheses/unconfirmed_reading.h"

#include "fuzz/explain/questions/variation.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

/// The program with every lane on, by all mask words that it holds.
Program under_full_masks(Program program) {
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    Variation it = variation_of(program, n);
    if (it.mask) set_words(it, {kOnes, kOnes});
    program = std::move(it.program);
  }
  return program;
}

}  // namespace

bool is_refuted_under_full_masks(const Hypothesis& reading, const Program& program, AskedBackend& asked,
                                 const Documented& documented) {
  const Program full = under_full_masks(program);
  if (full == program || find_fault(full, documented.readings())) return false;
  BackendAnswer predicted{Ran{}, {}};
  execute(full, reading.semantics, predicted.state);
  return diverges(predicted, full, documented, asked.shown()) &&
         says(asked.ask(full), full, documented, asked.shown()) == Says::conforms;
}

}  // namespace lanecheck
