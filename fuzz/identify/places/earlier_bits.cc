#include "fuzz/identify/places/earlier_bits.h"

#include <random>
#include <vector>

#include "fuzz/identify/probes/shapes.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kComparedRepeats = 4;
constexpr unsigned kDrawnPrograms = 2;

/// Bit `n` of dst, counted from its start.
bool bit_of(const State& state, const Region& dst, unsigned n) {
  return (std::to_integer<unsigned>(state.ub[dst.begin + dst.margin + n / 8]) >> n % 8 & 1) != 0;
}

}  // namespace

std::optional<Difference> bits_of_earlier_repeats(const Subject& given, const Ask& ask) {
  const Row& row = row_of(given.insn.op);
  if (!row.compares || !row.has_repeat || row.operands[0].walk != Walk::bits) return {};
  Subject subject = in_a_row(given, kComparedRepeats);
  subject.insn.compare = Compare::eq;
  if (takes_scalar(subject.insn)) subject.insn.scalar = scalar_of(scalar_type(subject.insn), 1);
  const auto layout = lay_out(subject);
  const auto base = layout ? probe_program(subject, *layout, full_mask(subject)) : std::nullopt;
  if (!base) return {};
  const Element type = subject.insn.src_type;
  std::mt19937_64 random(9);
  std::vector<Program> programs(kDrawnPrograms, *base);
  for (Program& program : programs)
    for (unsigned k = 1; k < row.operands.size(); ++k)
      for (std::uint32_t n = 0; n < layout->regions[k].bytes / size_of(type); ++n)
        put_element(program, layout->regions[k], type, n, nearest(type, random() % 4 == 0 ? 1 : 2));
  const Answers is = ask_all(ask, programs), should = ask_all(ask_oracle(), programs);
  if (!is.why_not.empty() || !should.why_not.empty()) return {};
  const unsigned lanes = lanes_of(subject.insn);
  for (const bool one : {true, false}) {
    bool gives = true, differs = false;
    for (unsigned p = 0; p < kDrawnPrograms; ++p)
      for (unsigned n = 0; n < kComparedRepeats * lanes; ++n) {
        bool kept = bit_of(should.states[p], layout->regions[0], n);
        differs |= kept != bit_of(is.states[p], layout->regions[0], n);
        for (unsigned before = n; before >= lanes; before -= lanes)
          if (bit_of(should.states[p], layout->regions[0], before - lanes) == one) kept = one;
        gives &= kept == bit_of(is.states[p], layout->regions[0], n);
      }
    if (!gives || !differs) continue;
    const std::string value = one ? "1" : "0";
    Difference law{MapKind::dst,
                   "a bit of " + mnemonic(subject.insn) + " is " + value +
                       " also if the same bit of an earlier repeat is " + value,
                   {}};
    law.key = "dst: bits of earlier repeats";
    law.matter = Matter::address;
    return law;
  }
  return {};
}

}  // namespace lanecheck
