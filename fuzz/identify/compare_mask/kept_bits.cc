#include "fuzz/identify/compare_mask/kept_bits.h"

#include <algorithm>
#include <cstring>

#include "fuzz/identify/compare_mask/bits_in_ub.h"
#include "fuzz/identify/probes/intervals.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kBits = 8 * kCompareMaskBytes;
using Bits = std::array<bool, kBits>;

Bits bits_of(std::span<const std::byte> bytes) {
  Bits bits{};
  for (unsigned n = 0; n < kBits; ++n)
    bits[n] = (std::to_integer<unsigned>(bytes[n / 8]) >> (n % 8) & 1) != 0;
  return bits;
}

Bits bits_of(MaskWords words) {
  Bits bits{};
  for (unsigned n = 0; n < kBits; ++n) bits[n] = ((n < 64 ? words.low : words.high) >> (n % 64) & 1) != 0;
  return bits;
}

/// One call: the mask it meets, what the compare mask held, what all lanes give, and what was left.
struct Call {
  unsigned lanes = 0;
  Bits mask{}, old{}, compared{}, left{};
};

/// One bit behind the call, by a law.
using Law = bool (*)(const Call& call, unsigned bit);

bool is_written(const Call& call, unsigned bit) {
  return bit < call.lanes && call.mask[bit];
}

bool documented(const Call& call, unsigned bit) {
  return is_written(call, bit) ? call.compared[bit] : call.old[bit];
}

struct LawRow {
  std::string_view text;  ///< behind the name of the instruction
  Law bit;
};

constexpr LawRow kLaws[] = {
    {"ignores its mask: masked-off lanes write their bits too",
     [](const Call& c, unsigned n) { return n < c.lanes ? c.compared[n] : c.old[n]; }},
    {"clears all bits of the compare mask that it does not write",
     [](const Call& c, unsigned n) { return is_written(c, n) && c.compared[n]; }},
    {"sets all bits of the compare mask that it does not write",
     [](const Call& c, unsigned n) { return !is_written(c, n) || c.compared[n]; }},
    {"clears the bits of masked-off lanes",
     [](const Call& c, unsigned n) { return n < c.lanes ? is_written(c, n) && c.compared[n] : c.old[n]; }},
    {"sets the bits of masked-off lanes",
     [](const Call& c, unsigned n) { return n < c.lanes ? !is_written(c, n) || c.compared[n] : c.old[n]; }},
    {"obeys the inverted mask",
     [](const Call& c, unsigned n) { return n < c.lanes && !c.mask[n] ? c.compared[n] : c.old[n]; }},
    {"clears the bits of the compare mask behind its lanes",
     [](const Call& c, unsigned n) { return n < c.lanes && documented(c, n); }},
    {"sets the bits of the compare mask behind its lanes",
     [](const Call& c, unsigned n) { return n >= c.lanes || documented(c, n); }},
    {"writes the bits of its lanes a second time behind them",
     [](const Call& c, unsigned n) { return documented(c, n % c.lanes); }},
    {"gates lanes 64..127 by slots 0..63",
     [](const Call& c, unsigned n) { return c.mask[n % 64] && n < c.lanes ? c.compared[n] : c.old[n]; }},
    {"never writes the bits of lanes 64..127",
     [](const Call& c, unsigned n) { return n < 64 ? documented(c, n) : c.old[n]; }},
    {"clears bits 64..127 of the compare mask",
     [](const Call& c, unsigned n) { return n < 64 && documented(c, n); }},
    {"never changes the compare mask", [](const Call& c, unsigned n) { return c.old[n]; }},
    {"writes the bits of each byte in reverse order",
     [](const Call& c, unsigned n) { return documented(c, n ^ 7); }},
    {"counts the lanes whose mask is 1 and writes their bits one behind the other",
     [](const Call& c, unsigned n) {
       unsigned on = 0;
       for (unsigned lane = 0; lane < c.lanes; ++lane)
         if (c.mask[lane] && on++ == n) return c.compared[lane];
       return c.old[n];
     }},
};

/// The call under `mask` on a compare mask that holds `old`, as a program; get_cmpmask writes into the last
/// bytes of UB.
std::optional<Program> program_of(const Subject& subject, MaskWords mask, MaskWords old) {
  const auto layout = lay_out(subject);
  auto program = layout ? probe_program(subject, *layout, mask) : std::nullopt;
  if (!program) return {};
  const Element type = subject.insn.src_type;
  for (unsigned k = 0; k < 2; ++k)
    for (std::uint32_t n = 0; n < layout->regions[k].bytes / size_of(type); ++n)
      put_element(*program, layout->regions[k], type, n,
                  nearest(type, (n * 2654435761U >> (20 + 3 * k)) % 4));  // Knuth's multiplicative hash
  const auto begin = static_cast<std::uint32_t>(program->ub.size());
  program->allocations.push_back({"compare_mask", Element::u8, begin, kCopyBytes});
  program->ub.resize(begin + kCopyBytes);
  std::memcpy(&program->ub[begin], &old.low, sizeof old.low);
  std::memcpy(&program->ub[begin + sizeof old.low], &old.high, sizeof old.high);
  const Operand bits{static_cast<std::uint16_t>(program->allocations.size() - 1), 0, 1, 8};
  auto& list = program->instructions;
  list.insert(list.begin(), compare_mask_copy(Op::set_cmpmask, bits));
  list.push_back(compare_mask_copy(Op::get_cmpmask, bits));
  return program;
}

std::span<const std::byte> compare_mask_in(const State& state) {
  return std::span(state.ub).last(kCopyBytes).first(kCompareMaskBytes);
}

}  // namespace

std::optional<Difference> kept_bits_difference(const Subject& subject, const Ask& ask) {
  constexpr MaskWords kNone = {0, 0}, kAll = {~std::uint64_t{0}, ~std::uint64_t{0}};
  constexpr MaskWords kOld = kEarlierMask, kOther = {~kOld.high, ~kOld.low};
  const MaskWords full = full_mask(subject);
  std::vector<Program> programs;
  std::vector<Call> calls;
  for (const MaskWords mask :
       {full, kGappedMask, MaskWords{0, kGappedMask.low}, MaskWords{kGappedMask.high, 1}})
    for (const MaskWords old : {kOld, kOther, kNone, kAll}) {
      const MaskWords given = {mask.high & full.high, mask.low & full.low};
      auto program = program_of(subject, given, old);
      const auto all = program_of(subject, full, old);
      if (!program || !all) return {};
      const Answers oracle = ask_all(ask_oracle(), {&*all, 1});
      if (!oracle.why_not.empty()) return {};
      calls.push_back({lanes_of(subject.insn),
                       bits_of(given),
                       bits_of(old),
                       bits_of(compare_mask_in(oracle.states[0])),
                       {}});
      programs.push_back(*std::move(program));
    }
  const Answers answers = ask_all(ask, programs);
  if (!answers.why_not.empty()) return {};
  for (std::size_t n = 0; n < calls.size(); ++n) calls[n].left = bits_of(compare_mask_in(answers.states[n]));
  const auto gives = [&](Law law) {
    return std::ranges::all_of(calls, [&](const Call& call) {
      for (unsigned bit = 0; bit < kBits; ++bit)
        if (law(call, bit) != call.left[bit]) return false;
      return true;
    });
  };
  if (gives(documented)) return {};
  for (const LawRow& row : kLaws)
    if (gives(row.bit)) {
      Difference difference{MapKind::dst, mnemonic(subject.insn) + " " + std::string(row.text), {}};
      difference.key = "dst: compare mask: " + std::string(row.text);
      difference.of_all_shapes = true;
      difference.matter = Matter::mask;
      return difference;
    }
  return {};
}

std::optional<Difference> copied_bits_difference(Profile profile, const Ask& ask) {
  Program program;
  program.profile = profile;
  program.ub.resize(kBlockBytes + kCopyBytes, std::byte(0x3c));
  program.allocations = {{"from", Element::u8, 0, kBlockBytes}, {"to", Element::u8, kBlockBytes, kCopyBytes}};
  for (unsigned n = 0; n < kCompareMaskBytes; ++n) program.ub[n] = std::byte(0x81 + 5 * n);
  program.instructions = {compare_mask_copy(Op::set_cmpmask, {0, 0, 1, 8}),
                          compare_mask_copy(Op::get_cmpmask, {1, 0, 1, 8})};
  const Answers answers = ask_all(ask, {&program, 1});
  if (!answers.why_not.empty()) return {};
  const std::span<const std::byte> left = std::span(answers.states[0].ub).subspan(kBlockBytes);
  std::vector<unsigned> kept, wrong;
  for (unsigned n = 0; n < kCompareMaskBytes; ++n)
    if (left[n] != program.ub[n]) (left[n] == std::byte(0x3c) ? kept : wrong).push_back(n);
  const bool beyond =
      std::ranges::any_of(left.subspan(kCompareMaskBytes), [](std::byte b) { return b != std::byte(0x3c); });
  const std::string pair = "set_cmpmask and get_cmpmask behind it ";
  std::string text;
  if (!kept.empty()) text = "leave " + counted_noun("byte", kept) + " of dst as they were";
  if (!wrong.empty())
    text +=
        (text.empty() ? "" : ", and ") + ("give others than those of src for " + counted_noun("byte", wrong));
  if (text.empty() && beyond) text = "write more than the 16 bytes of the compare mask";
  if (text.empty()) return {};
  Difference difference{MapKind::dst, pair + text, {}};
  difference.key = "dst: " + pair + text;
  difference.of_all_shapes = true;
  difference.matter = Matter::address;
  return difference;
}

}  // namespace lanecheck
