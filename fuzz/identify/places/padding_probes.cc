#include "fuzz/identify/places/padding_probes.h"

#include "fuzz/identify/probes/digit_code.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr unsigned kFirstNumber = 2;  // what element 0 of src holds; 1 may be a constant

std::optional<Program> program_of(Subject subject, const Taking& taking, unsigned setting) {
  subject.given = taking.given;
  subject.insn.settings[0] = setting / kPadSides;
  subject.insn.settings[1] = setting % kPadSides;
  const auto layout = lay_out(subject);
  if (!layout) return {};
  auto program = taking.given == MaskGiven::words ? probe_program(subject, *layout, taking.words)
                                                  : probe_of_length(subject, *layout, taking.length);
  if (!program) return {};
  const Instruction& insn = subject.insn;
  const Region& src = layout->regions[1];
  fill_region(*program, layout->regions[0], insn.dst_type, old_dst_bits(insn, 0xb5));
  for (unsigned n = 0; n < kPadRepeats * lanes_of(insn); ++n)
    put_element(*program, src, insn.src_type, src.margin / size_of(insn.src_type) + n,
                nearest(insn.src_type, n + kFirstNumber));
  return program;
}

Padded read(const Subject& subject, const State& state) {
  const Region dst = lay_out(subject)->regions[0];
  const Element type = subject.insn.dst_type;
  Padded padded;
  for (unsigned n = 0; n < kPadRepeats * lanes_of(subject.insn); ++n) {
    const std::uint64_t bits = get_element(state.ub, dst, type, dst.margin / size_of(type) + n);
    const double value = value_of(type, bits);
    const bool is_element =
        value >= kFirstNumber && value < kFirstNumber + kPadRepeats * lanes_of(subject.insn);
    if (bits == old_dst_bits(subject.insn, 0xb5))
      padded.push_back(kKept);
    else if (bits == 0)
      padded.push_back(kAlwaysZero);
    else if (value == 1)
      padded.push_back(kAlwaysOne);
    else
      padded.push_back(is_element ? static_cast<std::int32_t>(value - kFirstNumber) : kNoElement);
  }
  return padded;
}

}  // namespace

std::optional<PadSeries> pad_series(const Subject& subject, const Taking& taking, const Ask& ask) {
  std::vector<Program> programs;
  for (unsigned setting = 0; setting < kPadModes * kPadSides; ++setting) {
    auto program = program_of(subject, taking, setting);
    if (!program) return {};
    programs.push_back(std::move(*program));
  }
  const Answers answers = ask_all(ask, programs), documented = ask_all(ask_oracle(), programs);
  if (!answers.why_not.empty() || !documented.why_not.empty()) return {};
  PadSeries series{taking, {}, {}};
  for (const State& state : answers.states) series.measured.push_back(read(subject, state));
  for (const State& state : documented.states) series.documented.push_back(read(subject, state));
  return series;
}

std::vector<unsigned> wrong_settings(const PadSeries& series) {
  std::vector<unsigned> wrong;
  for (unsigned setting = 0; setting < kPadModes * kPadSides; ++setting)
    if (series.measured[setting] != series.documented[setting]) wrong.push_back(setting);
  return wrong;
}

}  // namespace lanecheck
