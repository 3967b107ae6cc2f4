#include "fuzz/identify/left_in_mask.h"

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "fuzz/probes/intervals.h"
#include "fuzz/probes/shapes.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

constexpr unsigned kPrograms = 6;
constexpr unsigned kRepeats = 2;

/// Values around the scalar, so that a comparison with it, or of two sources, is now true, now false.
std::vector<Program> programs_of(const Subject& subject, const Layout& layout) {
  std::vector<Program> programs;
  std::mt19937_64 random(1);
  const Scalar& scalar = subject.insn.scalar;
  const double least = takes_scalar(subject.insn) ? value_of(scalar_type(subject.insn), scalar.bits) - 1 : 1;
  for (unsigned n = 0; n < kPrograms; ++n) {
    const MaskWords full = full_mask(subject), drawn = {random(), random()};
    auto program = probe_program(subject, layout, {drawn.high & full.high, drawn.low & full.low});
    if (!program) return {};
    for (unsigned k = 1; k < row_of(subject.insn.op).operands.size(); ++k) {
      const Element type = operand_type(subject.insn, row_of(subject.insn.op).operands[k]);
      for (std::uint32_t at = 0; at < layout.regions[k].bytes / size_of(type); ++at)
        put_element(*program, layout.regions[k], type, at,
                    nearest(type, least + static_cast<double>(random() % 3)));
    }
    programs.push_back(std::move(*program));
  }
  return programs;
}

/// The register after one of the programs.
struct Left {
  Mask documented, actual;
  std::vector<std::byte> dst;  ///< the bytes of dst, as the backend left them
};

bool bit_of(const std::vector<std::byte>& bytes, std::size_t bit) {
  return bit / 8 < bytes.size() && (std::to_integer<unsigned>(bytes[bit / 8]) >> bit % 8 & 1) != 0;
}

using Value = std::function<bool(const Left&, unsigned slot)>;

bool gives(const std::vector<Left>& seen, const Numbers& slots, const Value& value) {
  return std::ranges::all_of(seen, [&](const Left& each) {
    return std::ranges::all_of(slots,
                               [&](unsigned slot) { return (each.actual[slot] != 0) == value(each, slot); });
  });
}

/// The slots in which the register is wrong after one program or another.
Numbers wrong_slots(const std::vector<Left>& seen) {
  Numbers slots;
  for (unsigned slot = 0; slot < kMaskSlots; ++slot)
    if (std::ranges::any_of(seen,
                            [&](const Left& each) { return each.actual[slot] != each.documented[slot]; }))
      slots.push_back(slot);
  return slots;
}

/// Whole words hold the wrong slots: some of them may be right by chance.
Numbers widened(const Numbers& slots) {
  Numbers wide;
  for (unsigned slot = slots.front() / 64 * 64; slot < (slots.back() / 64 + 1) * 64; ++slot)
    wide.push_back(slot);
  return wide;
}

std::optional<std::string> bits_of_results(const std::string& name, const std::vector<Left>& seen,
                                           const Numbers& slots) {
  const std::size_t bytes = seen[0].dst.size(), of_repeat = bytes / kRepeats;
  for (std::size_t from = 0; from < bytes; ++from) {
    const bool holds = gives(seen, slots, [&](const Left& each, unsigned slot) {
      return bit_of(each.dst, 8 * from + (slot - slots.front()));
    });
    if (!holds) continue;
    std::string which = "of its results from byte " + std::to_string(from) + " of dst on";
    if (from == 0) which = "of its first results";
    if (from == of_repeat) which = "of the results of its last repeat";
    return name + " puts the bits " + which + " into " + counted_noun("slot", slots) +
           " of the mask register";
  }
  return {};
}

}  // namespace

std::optional<std::string> left_in_mask(const Subject& given, const Ask& ask) {
  const Subject subject = in_a_row(given, kRepeats);
  const auto layout = lay_out(subject);
  if (!layout) return {};
  const auto programs = programs_of(subject, *layout);
  const Answers actual = ask_all(ask, programs), documented = ask_all(ask_oracle(), programs);
  if (programs.empty() || !actual.why_not.empty() || !documented.why_not.empty()) return {};
  std::vector<Left> seen;
  for (std::size_t n = 0; n < programs.size(); ++n) {
    const auto begin = actual.states[n].ub.begin() + layout->regions[0].start();
    seen.push_back(
        {documented.states[n].mask,
         actual.states[n].mask,
         {begin, begin + static_cast<std::ptrdiff_t>(extent(subject.insn, 0, lanes_of(subject.insn)))}});
  }
  const Numbers wrong = wrong_slots(seen);
  if (wrong.empty()) return {};
  const std::string name = mnemonic(subject.insn), start = name + " leaves ";
  for (const Numbers& slots : {widened(wrong), wrong}) {
    const std::string where = counted_noun("slot", slots) + " of the mask ";
    if (gives(seen, slots, [](const Left&, unsigned) { return true; })) return start + where + "at 1";
    if (gives(seen, slots, [](const Left&, unsigned) { return false; })) return start + where + "at 0";
    if (gives(seen, slots, [](const Left& each, unsigned slot) { return each.documented[slot] == 0; }))
      return start + where + "inverted";
    if (auto text = bits_of_results(name, seen, slots)) return text;
  }
  return name + " changes " + counted_noun("slot", wrong) + " of the mask register";
}

}  // namespace lanecheck
