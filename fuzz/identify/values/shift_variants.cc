#include "fuzz/identify/values/shift_variants.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/identify/values/type_limits.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// The result for one element and its distance.
using Shifted = double (*)(Element type, double element, unsigned by);

double two_to(unsigned by) {
  return std::ldexp(1.0, static_cast<int>(by));  // and each product with 32 bits is exact
}

/// What the type can hold of an integer: it wraps around.
double wrapped(Element type, double number) {
  const double span = two_to(8 * size_of(type));
  const double rest = number - std::floor(number / span) * span;
  return rest > greatest_of(type) ? rest - span : rest;
}

ValueVariant element_by_element(std::string text, std::size_t by, Shifted shifted) {
  return {std::move(text), [=](const Program& program, State& state) {
            execute(program, Semantics(default_readings(program.profile)), state);
            const Instruction& insn = program.instructions.back();
            const Element type = insn.dst_type;
            const std::size_t size = size_of(type), dst = start_of(program, insn.operands[0]),
                              src = start_of(program, insn.operands[1]);
            for (std::size_t n = 0; n < std::size_t{insn.repeat} * lanes_of(insn); ++n) {
              std::uint64_t bits = 0;
              std::memcpy(&bits, &program.ub[src + n * size], size);
              bits = nearest(type, wrapped(type, shifted(type, value_of(type, bits), insn.settings[by])));
              std::memcpy(&state.ub[dst + n * size], &bits, size);
            }
          }};
}

/// Another distance of a shift.
void add_distances(const Subject& subject, std::size_t by, std::vector<ValueVariant>& variants) {
  const unsigned width = 8 * size_of(subject.insn.dst_type);
  const auto add = [&](const std::string& text, auto change) {
    variants.push_back(with_instruction(
        text, [by, change](Instruction& insn) { insn.settings[by] = change(insn.settings[by]); }));
  };
  for (unsigned modulo = 4; modulo <= width; modulo *= 2)
    add("takes its distance modulo " + (modulo == width ? "the width of its type" : std::to_string(modulo)),
        [=](unsigned own) { return own % modulo; });
  add("shifts by at most " + std::to_string(width - 1) + " bits",
      [=](unsigned own) { return std::min(own, width - 1); });
  add("shifts by 1 bit, whatever its distance is", [](unsigned) { return 1U; });
  add("shifts by 1 bit less", [](unsigned own) { return own == 0 ? own : own - 1; });
  add("shifts by 1 bit more", [=](unsigned own) { return std::min(own + 1, width); });
}

/// Other bits that come in or that are lost.
void add_results(const Subject& subject, std::size_t by, std::vector<ValueVariant>& variants) {
  const auto add = [&](const char* text, Shifted shifted) {
    variants.push_back(element_by_element(text, by, shifted));
  };
  if (subject.insn.op == Op::shr) {
    add("divides by a power of two and rounds towards zero instead of down",
        [](Element, double element, unsigned n) { return std::trunc(element / two_to(n)); });
    add("adds half of the last place to its result, which rounds it to the nearest",
        [](Element, double element, unsigned n) { return std::floor(element / two_to(n) + 0.5); });
    add("adds half of the last place to its result, which rounds it to the nearest, if its distance is less "
        "than the width of its type",
        [](Element type, double element, unsigned n) {
          return std::floor(element / two_to(n) + (n < 8 * size_of(type) ? 0.5 : 0));
        });
    return;
  }
  add("clamps its result to the type instead of losing bits", [](Element type, double element, unsigned n) {
    return std::clamp(element * two_to(n), least_of(type), greatest_of(type));
  });
  add("keeps the sign of its element", [](Element type, double element, unsigned n) {
    const double magnitude = wrapped(type, element * two_to(n));
    const bool changed = (magnitude < 0) != (element < 0) && is_signed(type);
    return changed ? magnitude + (element < 0 ? least_of(type) : -least_of(type)) : magnitude;
  });
}

}  // namespace

std::vector<ValueVariant> shift_variants(const Subject& subject) {
  const auto by = setting_index(row_of(subject.insn.op), "by");
  if (!by) return {};
  std::vector<ValueVariant> variants;
  add_distances(subject, *by, variants);
  add_results(subject, *by, variants);
  return variants;
}

}  // namespace lanecheck
