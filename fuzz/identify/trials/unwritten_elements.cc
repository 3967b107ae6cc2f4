#include "fuzz/identify/trials/unwritten_elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kMovedValues = {
    0.0, 1.0, -1.0, 2.0, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN(), -0.0, 40.0};

/// An element of dst that must be written, and is or not.
struct MovedElement {
  Element type;
  std::uint64_t bits;
  bool is_written;

  double value() const { return value_of(type, bits); }
};

struct ValueOf {
  std::string_view text;
  bool (*holds)(const MovedElement& element);
};

constexpr ValueOf kValues[] = {
    {"0", [](const MovedElement& it) { return it.value() == 0; }},
    {"+0", [](const MovedElement& it) { return it.bits == 0; }},
    {"NaN", [](const MovedElement& it) { return std::isnan(it.value()); }},
    {"infinite", [](const MovedElement& it) { return std::isinf(it.value()); }},
    {"infinite or NaN", [](const MovedElement& it) { return !std::isfinite(it.value()); }},
    {"less than 0", [](const MovedElement& it) { return it.value() < 0; }},
    {"not greater than 0", [](const MovedElement& it) { return it.value() <= 0; }},
    {"greater than 0", [](const MovedElement& it) { return it.value() > 0; }},
    {"not 0", [](const MovedElement& it) { return it.value() != 0; }},
};

/// What becomes of each element, in a program with one value after the other in the source. Empty if
/// something else than its writing deviates.
std::vector<MovedElement> moved_elements(const Subject& subject, unsigned seed, const Ask& ask) {
  const Instruction& insn = subject.insn;
  const Element type = insn.dst_type;
  auto trial = run_trial_with_values(
      subject, full_mask(subject), seed,
      [&](std::uint32_t n) { return nearest(type, kMovedValues[(n * 5 + seed) % kMovedValues.size()]); },
      ask);
  if (!trial || trial->is_right()) return {};
  std::vector<MovedElement> all;
  const Region& dst = trial->layout.regions[0];
  for (std::uint32_t n = 0; n < dst.bytes / size_of(type); ++n) {
    const std::uint64_t should = get_element(trial->documented, dst, type, n),
                        is = get_element(trial->actual, dst, type, n),
                        old = get_element(trial->program.ub, dst, type, n);
    if (is != should && is != old) return {};
    if (should != old) all.push_back({type, should, is == should});
  }
  return all;
}

bool gives(const ValueOf& value, const std::vector<MovedElement>& all) {
  return !all.empty() && std::ranges::all_of(all, [&](const MovedElement& each) {
    return each.is_written != value.holds(each);
  });
}

}  // namespace

std::optional<Difference> unwritten_elements(const Subject& given, const Ask& ask) {
  const Row& row = row_of(given.insn.op);
  if (row.mask != MaskUse::ignores || !row.moves_bits || !row.has_repeat) return {};
  const Subject subject = in_a_row(given, 2);
  const auto first = moved_elements(subject, 1, ask);
  const auto value = std::ranges::find_if(kValues, [&](const ValueOf& each) { return gives(each, first); });
  if (value == std::end(kValues) || !gives(*value, moved_elements(subject, 2, ask))) return {};
  Difference difference{
      MapKind::values,
      mnemonic(subject.insn) + " does not write elements that are " + std::string(value->text),
      {}};
  // A type whose elements are taken for integers has one 0.
  difference.key =
      "values: does not write elements that are " + std::string(value->text == "+0" ? "0" : value->text);
  difference.matter = Matter::arithmetic;
  difference.of_all_shapes = true;
  return difference;
}

}  // namespace lanecheck
