#include "fuzz/identify/compare_mask/left_bits.h"

#include <algorithm>
#include <cstring>

#include "fuzz/identify/compare_mask/bits_in_ub.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kLeftBits = 8 * kCompareMaskBytes;

/// One program: the bits before the instruction, those that get_cmpmask shows after it, and the first ones in
/// dst.
struct Left {
  MaskWords before{}, documented{}, actual{}, in_dst{};
};

/// What becomes of a bit.
struct BitFate {
  std::string_view text;
  bool (*of)(const Left& left, unsigned bit);
};

constexpr BitFate kBitFates[] = {
    {"are 0", [](const Left&, unsigned) { return false; }},
    {"are 1", [](const Left&, unsigned) { return true; }},
    {"are what they were before", [](const Left& left, unsigned bit) { return has_slot(left.before, bit); }},
    {"are inverted", [](const Left& left, unsigned bit) { return !has_slot(left.documented, bit); }},
    {"are those of the other word",
     [](const Left& left, unsigned bit) { return has_slot(left.documented, bit ^ 64U); }},
    {"are those of its dst", [](const Left& left, unsigned bit) { return has_slot(left.in_dst, bit); }},
};

/// The instruction between a set_cmpmask of `before` and a get_cmpmask into the last bytes of UB.
std::optional<Program> program_around(const Subject& subject, const MaskWords& before) {
  Program program{subject.profile, {}, {subject.insn}, {}};
  const Row& row = row_of(subject.insn.op);
  if (subject.insn.op != Op::get_cmpmask) {
    const auto layout = lay_out(subject);
    auto laid = layout ? probe_program(subject, *layout, full_mask(subject)) : std::nullopt;
    if (!laid) return {};
    program = std::move(*laid);
    for (unsigned k = 1; k < row.operands.size(); ++k) {
      const Element type = operand_type(subject.insn, row.operands[k]);
      const bool is_control = row.operands[k].role == "control";
      for (std::uint32_t n = 0; n < layout->regions[k].bytes / size_of(type); ++n)
        put_element(program, layout->regions[k], type, n,
                    is_control ? (n * 29 + 7) % 251 : nearest(type, n * (3 + 2 * k) / 4 % 3));
    }
  }
  const auto begin = static_cast<std::uint32_t>(in_whole_blocks(program.ub.size()));
  program.ub.resize(begin + kBlockBytes + 2 * kCopyBytes);
  const auto first = static_cast<std::uint16_t>(program.allocations.size());
  program.allocations.push_back({"before", Element::u8, begin, kBlockBytes});
  program.allocations.push_back({"between", Element::u8, begin + kBlockBytes, kCopyBytes});
  program.allocations.push_back({"after", Element::u8, begin + kBlockBytes + kCopyBytes, kCopyBytes});
  std::memcpy(&program.ub[begin], &before.low, sizeof before.low);
  std::memcpy(&program.ub[begin + sizeof before.low], &before.high, sizeof before.high);
  const auto at = [&](unsigned number) {
    return Operand{static_cast<std::uint16_t>(first + number), 0, 1, 8};
  };
  auto& list = program.instructions;
  if (subject.insn.op == Op::get_cmpmask) list.back() = compare_mask_copy(Op::get_cmpmask, at(1));
  list.insert(list.begin(), compare_mask_copy(Op::set_cmpmask, at(0)));
  list.push_back(compare_mask_copy(Op::get_cmpmask, at(2)));
  return program;
}

MaskWords words_at(const State& state, std::size_t at) {
  MaskWords words{};
  std::memcpy(&words.low, &state.ub[at], sizeof words.low);
  std::memcpy(&words.high, &state.ub[at + sizeof words.low], sizeof words.high);
  return words;
}

MaskWords words_after(const State& state) {
  return words_at(state, state.ub.size() - kCopyBytes);
}

/// Empty if the backend does not answer.
std::vector<Left> left_after(const Subject& subject, const Ask& ask) {
  std::vector<Left> all;
  std::vector<Program> programs;
  for (const MaskWords& before : {kEarlierMask, MaskWords{~kEarlierMask.high, ~kEarlierMask.low}}) {
    auto program = program_around(subject, before);
    if (!program) return {};
    programs.push_back(*std::move(program));
    all.push_back({before});
  }
  const Answers actual = ask_all(ask, programs), documented = ask_all(ask_oracle(), programs);
  if (!actual.why_not.empty() || !documented.why_not.empty()) return {};
  for (std::size_t n = 0; n < all.size(); ++n) {
    all[n].actual = words_after(actual.states[n]);
    all[n].documented = words_after(documented.states[n]);
    if (subject.insn.op != Op::get_cmpmask)
      all[n].in_dst = words_at(documented.states[n],
                               start_of(programs[n], programs[n].instructions.end()[-2].operands[0]));
  }
  return all;
}

/// The fate is that of the bits from `from` on, and all others are as documented.
bool gives(const BitFate& fate, unsigned from, unsigned end, const std::vector<Left>& all) {
  return std::ranges::all_of(all, [&](const Left& left) {
    for (unsigned bit = 0; bit < kLeftBits; ++bit) {
      const bool is_changed = bit >= from && bit < end;
      if (has_slot(left.actual, bit) != (is_changed ? fate.of(left, bit) : has_slot(left.documented, bit)))
        return false;
    }
    return true;
  });
}

/// "all bits of the compare mask are 0"; nothing if no fate gives all bits.
std::optional<std::string> law_of_left(const std::vector<Left>& all) {
  constexpr std::pair<unsigned, unsigned> kRanges[] = {{0, 128}, {64, 128}, {0, 64}, {32, 128},
                                                       {0, 32},  {16, 128}, {8, 128}};
  for (const auto& [from, end] : kRanges)
    for (const BitFate& fate : kBitFates)
      if (gives(fate, from, end, all))
        return (from == 0 && end == kLeftBits
                    ? "all bits"
                    : "bits " + std::to_string(from) + ".." + std::to_string(end - 1)) +
               " of the compare mask " + std::string(fate.text);
  return {};
}

std::string wrong_bits(const std::vector<Left>& all) {
  std::vector<unsigned> wrong;
  for (unsigned bit = 0; bit < kLeftBits; ++bit)
    if (std::ranges::any_of(all, [&](const Left& left) {
          return has_slot(left.actual, bit) != has_slot(left.documented, bit);
        }))
      wrong.push_back(bit);
  return counted_noun("bit", wrong) + " of the compare mask " + (wrong.size() == 1 ? "is" : "are") +
         " not always as documented";
}

}  // namespace

std::optional<Difference> left_bits_difference(Profile profile, const Ask& ask) {
  for (const Op op :
       {Op::get_cmpmask, Op::select_bits, Op::select_cmpmask, Op::compare, Op::compare_scalar, Op::select}) {
    const Row& row = row_of(op);
    if (!row.in(profile).offered) continue;
    std::optional<Difference> found;
    bool of_all_types = true;  // each leaves the same
    for (const TypePair& types : row.in(profile).pairs) {
      const Subject subject = in_a_row(default_subject(profile, row, types), 1);
      const std::vector<Left> all = left_after(subject, ask);
      const bool right =
          std::ranges::all_of(all, [](const Left& left) { return left.actual == left.documented; });
      const auto law = right ? std::nullopt : law_of_left(all);
      const std::string text = law.value_or(wrong_bits(all)), key = "dst: left in the compare mask: " + text;
      of_all_types = of_all_types && !right && (!found || found->key == key);
      if (right || found) continue;
      found = Difference{MapKind::dst, "after " + mnemonic(subject.insn) + ", " + text, {}, !law};
      found->key = key;
      found->of_all_shapes = true;
      found->matter = Matter::address;
      found->general = "after " + std::string(row.name) + ", " + text;
    }
    if (found && of_all_types) found->what = found->general;
    if (found) return found;
  }
  return {};
}

}  // namespace lanecheck
