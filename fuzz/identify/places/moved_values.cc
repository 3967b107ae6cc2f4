#include "fuzz/identify/places/moved_values.h"

#include <algorithm>
#include <random>

#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kRepeats = 2;

/// What an element becomes: `{n}` in the text stands for half its bits.
struct Change {
  const char* text;
  std::uint64_t (*of)(std::uint64_t bits, unsigned half);
};

constexpr std::uint64_t ones(unsigned count) {
  return (std::uint64_t{1} << count) - 1;
}

constexpr Change kChanges[] = {
    {"writes the low {n} bits of each element twice",
     [](std::uint64_t bits, unsigned half) { return (bits & ones(half)) | (bits & ones(half)) << half; }},
    {"writes the high {n} bits of each element twice",
     [](std::uint64_t bits, unsigned half) { return bits >> half | bits >> half << half; }},
    {"writes the low {n} bits of each element, with zeros above them",
     [](std::uint64_t bits, unsigned half) { return bits & ones(half); }},
    {"writes the low {n} bits of each element, with their sign above them",
     [](std::uint64_t bits, unsigned half) {
       const bool negative = (bits >> (half - 1) & 1) != 0;
       return (bits & ones(half)) | (negative ? ones(half) << half : 0);
     }},
    {"writes the high {n} bits of each element, with zeros below them",
     [](std::uint64_t bits, unsigned half) { return bits >> half << half; }},
    {"writes each element with its two halves of {n} bits exchanged",
     [](std::uint64_t bits, unsigned half) { return bits >> half | (bits & ones(half)) << half; }},
};

/// Elements of any bits; offsets that stay inside.
std::optional<Program> program_on(const Subject& subject, const Layout& layout, unsigned seed) {
  auto program = probe_program(subject, layout, full_mask(subject));
  if (!program) return {};
  const auto operands = row_of(subject.insn.op).operands;
  std::mt19937_64 random(seed);
  for (unsigned k = 0; k < operands.size(); ++k) {
    const Element type = operand_type(subject.insn, operands[k]);
    if (indexed_operand(row_of(subject.insn.op)) && k == kOffsetsOperand) {
      put_small_numbers(*program, layout.regions[k], k, seed);
      continue;
    }
    for (std::uint32_t n = 0; n < layout.regions[k].bytes / size_of(type); ++n)
      put_element(*program, layout.regions[k], type, n, random() >> (64 - 8 * size_of(type)));
  }
  return find_fault(*program) ? std::nullopt : std::move(program);
}

/// Does `actual` hold the changed element wherever `documented` holds another element than before?
bool gives(const Change& change, const Program& program, const Region& dst, Element type,
           const State& documented, const State& actual) {
  const unsigned half = 4 * size_of(type);
  for (std::uint32_t n = 0; n < dst.bytes / size_of(type); ++n) {
    const std::uint64_t moved = get_element(documented.ub, dst, type, n);
    const bool is_moved = moved != get_element(program.ub, dst, type, n);
    if (get_element(actual.ub, dst, type, n) != (is_moved ? change.of(moved, half) : moved)) return false;
  }
  return true;
}

}  // namespace

std::optional<Difference> moved_value_law(const Subject& given, const Ask& ask) {
  const Row& row = row_of(given.insn.op);
  if (given.insn.op != Op::brcb && (!indexed_operand(row) || row.moves_blocks)) return {};
  const Subject subject = in_a_row(given, kRepeats);
  const auto layout = lay_out(subject);
  const Element type = given.insn.dst_type;
  if (!layout || size_of(type) < 2) return {};
  const auto gives_on = [&](const Change& change, const Program& program, const State& is,
                            const State& should) {
    return gives(change, program, layout->regions[0], type, should, is);
  };
  const auto first = program_on(subject, *layout, 1), other = program_on(subject, *layout, 2);
  if (!first || !other) return {};
  const auto asked = [](const Ask& answers, const Program& program) {
    return ask_all(answers, {&program, 1});
  };
  const Answers is = asked(ask, *first), should = asked(ask_oracle(), *first);
  if (!is.why_not.empty() || is.states[0].ub == should.states[0].ub) return {};
  for (const Change& change : kChanges) {
    if (!gives_on(change, *first, is.states[0], should.states[0])) continue;
    const Answers again = asked(ask, *other);
    if (!again.why_not.empty() ||
        !gives_on(change, *other, again.states[0], asked(ask_oracle(), *other).states[0]))
      return {};
    std::string text = change.text;
    text.replace(text.find("{n}"), 3, std::to_string(4 * size_of(type)));
    Difference difference{MapKind::values, mnemonic(given.insn) + " " + text, {}};
    difference.key = "values: " + text;
    return difference;
  }
  return {};
}

}  // namespace lanecheck
