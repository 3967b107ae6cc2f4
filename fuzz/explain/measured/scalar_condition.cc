#include "fuzz/explain/measured/scalar_condition.h"

#include <algorithm>

#include "spec/legality/find_fault.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Other scalars, among them some that lie beside the one of `insn`.
std::vector<Scalar> other_scalars(const Instruction& insn) {
  const Element type = scalar_type(insn);
  std::vector<Scalar> others;
  for (const double number : {3.0, 5.0, insn.scalar.value + 1, insn.scalar.value - 1, 2 * insn.scalar.value})
    if (const Scalar other = scalar_of(type, number); other.bits != insn.scalar.bits) others.push_back(other);
  return others;
}

}  // namespace

std::string scalar_condition(const std::vector<Program>& diverging, const Instruction& insn,
                             AskedBackend& asked, const Documented& documented) {
  constexpr std::size_t kMostTried = 4;
  if (!takes_scalar(insn)) return {};
  const std::vector<Scalar> others = other_scalars(insn);
  std::size_t conform = 0;
  for (const Scalar& other : others)
    for (std::size_t n = 0; n < std::min(kMostTried, diverging.size()); ++n) {
      Program probe = diverging[n];
      for (Instruction& each : probe.instructions)
        if (each.op == insn.op) each.scalar = other;
      if (find_fault(probe, documented.readings())) continue;
      if (says(asked.ask(probe), probe, documented, asked.shown()) != Says::conforms) return {};
      ++conform;
    }
  if (conform == 0) return {};
  const Element type = scalar_type(insn);
  return "; so with scalar " + show_scalar(type, insn.scalar) + ", not with " + show_scalar(type, others[0]);
}

std::string repeat_form_condition(const std::vector<Program>& diverging, const Instruction& insn,
                                  AskedBackend& asked, const Documented& documented) {
  constexpr std::size_t kMostTried = 4;
  if (!insn.scalar_repeat) return {};
  std::size_t conform = 0;
  for (Program probe : diverging) {
    for (Instruction& each : probe.instructions) each.scalar_repeat = false;
    if (conform == kMostTried || find_fault(probe, documented.readings())) continue;
    if (says(asked.ask(probe), probe, documented, asked.shown()) != Says::conforms) return {};
    ++conform;
  }
  return conform == 0 ? "" : "; so with repeat times in a Scalar, not with a number";
}

}  // namespace lanecheck
