#include "fuzz/identify/left_by_length.h"

#include <algorithm>

#include "fuzz/identify/lengths/length_differences.h"
#include "fuzz/identify/mask_register/register_map.h"
#include "fuzz/identify/mask_register/register_probe.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The slots of the register as the elements that take part.
LengthAnswer answer_of(std::uint32_t length, const MaskWords& words) {
  LengthAnswer answer{length, 0, {}};
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    answer.written.push_back(has_slot(words, slot));
    if (answer.written.back()) answer.reach = slot + 1;
  }
  return answer;
}

/// Both maps of these lengths; nothing if the backend does not answer.
std::optional<Lengths> lengths_in_register(const Subject& subject, const std::vector<std::uint32_t>& numbers,
                                           const Ask& ask) {
  Lengths lengths{{kSlots, kSlots, {}}, {kSlots, kSlots, {}}, {}, {}};
  for (const Observed& each : observe_lengths(subject, numbers, ask)) {
    lengths.measured.answers.push_back(answer_of(each.before.length, each.actual.words));
    lengths.documented.answers.push_back(answer_of(each.before.length, each.documented.words));
  }
  if (lengths.measured.answers.empty()) return {};
  return lengths;
}

/// Does the register hold the first n slots by the documents?
bool is_prefix(const LengthAnswer& answer) {
  return answer.reach == answer.length &&
         std::ranges::count(answer.written, true) == static_cast<std::ptrdiff_t>(answer.length);
}

/// The same with a way to ask more; nothing too if the documents leave something else than the own mask.
std::optional<Lengths> usual_lengths_in_register(const Subject& subject, const Ask& ask) {
  auto lengths = lengths_in_register(subject, usual_lengths(subject, MaskGiven::contiguous), ask);
  if (!lengths || !std::ranges::all_of(lengths->documented.answers, is_prefix)) return {};
  const auto asking = [=](const Ask& answers) {
    return [=](const std::vector<std::uint32_t>& numbers) -> Measured<LengthMap> {
      const auto more = lengths_in_register(subject, numbers, answers);
      if (!more) return {};
      return {more->measured, {}};
    };
  };
  lengths->ask = asking(ask);
  lengths->ask_documents = asking(ask_oracle());
  return lengths;
}

/// After a count of its own the documents leave a full mask. If a contiguous mask of all elements leaves the
/// same wrong slots, its law is the cause.
std::optional<Difference> law_of_full_mask(const Subject& subject, const Ask& ask) {
  if (subject.insn.mask_from != MaskFrom::count) return {};
  const Subject setter{subject.profile, mask_instruction(Op::set_vector_mask_len)};
  const auto full = observe_lengths(setter, {kSlots}, ask);
  if (full.size() != 1 || full[0].actual.words == full[0].documented.words) return {};
  const auto same = [&](const Observed& each) {
    return each.actual.words == full[0].actual.words && each.documented.words == full[0].documented.words;
  };
  const auto seen = observe_register(subject, ask, true);
  if (seen.empty() || !std::ranges::all_of(seen, same)) return {};
  auto lengths = usual_lengths_in_register(setter, ask);
  if (!lengths) return {};
  auto laws = length_differences(setter, MaskGiven::length, *std::move(lengths));
  if (laws.empty() || laws[0].only_example) return {};
  constexpr std::string_view kForm = " from the register";
  if (const std::size_t at = laws[0].what.find(kForm); at != std::string::npos)
    laws[0].what.erase(at, kForm.size());
  if (laws[0].general.empty()) laws[0].general = laws[0].what;  // the same law, whatever shows it
  const std::string name = mnemonic(setter.insn) + " ";
  if (const std::size_t at = laws[0].general.find(name); at != std::string::npos)
    laws[0].general.erase(at, name.size());
  laws[0].what += "; the mask register shows it behind " + mnemonic(subject.insn) +
                  ", which ends with the first 128 elements";
  return std::move(laws[0]);
}

/// Nothing if no law of the length gives all slots.
std::optional<Difference> law_in_register(const Subject& subject, const Ask& ask) {
  if (subject.insn.mask_from != MaskFrom::contiguous) return {};
  auto lengths = usual_lengths_in_register(subject, ask);
  if (!lengths) return {};
  for (const Subject& twin : with_128_lanes(subject)) {
    const auto of_twin = usual_lengths_in_register(twin, ask);
    if (!of_twin) continue;
    if (of_twin->measured.answers != of_twin->documented.answers)
      lengths->law_of_twin = length_law(twin, MaskGiven::contiguous, *of_twin);
    break;
  }
  auto laws = length_differences(subject, MaskGiven::contiguous, *std::move(lengths));
  if (laws.empty() || laws[0].only_example) return {};
  if (laws[0].general.empty()) laws[0].general = laws[0].what;
  laws[0].what += ", as the mask register shows behind it";
  return std::move(laws[0]);
}

/// Does the subject leave what it should with a bitwise mask of its own?
bool is_right_with_bitwise_mask(Subject subject, const Ask& ask) {
  subject.insn.mask_from = MaskFrom::bitwise;
  const auto seen = observe_register(subject, ask, true);
  return !seen.empty() &&
         std::ranges::all_of(seen, [](const Observed& each) { return each.actual == each.documented; });
}

}  // namespace

std::vector<Difference> left_in_register(const Subject& subject, const Ask& ask) {
  auto differences = register_differences(subject, ask);
  if (differences.empty() || is_law_of_words(differences[0], subject, ask)) return differences;
  if (auto law = law_in_register(subject, ask)) return {*std::move(law)};
  if (auto law = law_of_full_mask(subject, ask)) return {*std::move(law)};
  if (subject.insn.mask_from == MaskFrom::contiguous && !differences[0].only_example &&
      is_right_with_bitwise_mask(subject, ask))
    differences[0].what += ", with a contiguous mask of its own";
  return differences;
}

}  // namespace lanecheck
