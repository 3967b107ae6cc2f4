#include "fuzz/identify/trials/whole_control.h"

#include <algorithm>

#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// A program whose control bits are scattered. `first`: all bytes of repeat 0, if it is given.
std::optional<ShapeTrial> trial_of(const Subject& subject, unsigned k, std::optional<std::byte> first,
                                   unsigned seed, const Ask& ask) {
  const std::size_t bytes = lanes_of(subject.insn) / 8;
  const auto put_data = [&](ShapeTrial& it) {
    fill_scattered(it, seed);
    const Region& control = it.layout.regions[k];
    if (first) std::fill_n(it.program.ub.begin() + control.start(), bytes, *first);
  };
  return run_trial_with(subject, full_mask(subject), put_data, ask);
}

/// What is left if each repeat takes these control bits.
std::optional<Bytes> left_with(const ShapeTrial& trial, unsigned k, std::byte bits) {
  ShapeTrial changed = trial;
  const Region& control = trial.layout.regions[k];
  const auto own = trial.program.ub.begin() + control.begin;
  std::fill_n(changed.program.ub.begin() + control.begin, control.bytes, bits);
  auto left = left_by(changed, {trial.placed()});
  if (left) std::copy_n(own, control.bytes, left->begin() + control.begin);
  return left;
}

}  // namespace

std::optional<Difference> whole_control(const Subject& given, const Ask& ask) {
  constexpr unsigned kRepeats = 3;
  const auto operands = row_of(given.insn.op).operands;
  const auto control = std::ranges::find(operands, "control", &OperandColumn::role);
  if (control == operands.end() || control->walk != Walk::bits || !row_of(given.insn.op).has_repeat)
    return {};
  const auto k = static_cast<unsigned>(control - operands.begin());
  const Subject subject = in_a_row(given, kRepeats);
  std::string bits;
  for (const std::byte first : {std::byte{0}, std::byte{0xff}}) {
    const auto trial = trial_of(subject, k, first, 1, ask);
    if (!trial) return {};
    if (trial->is_right()) continue;
    if (left_with(*trial, k, first) != trial->actual) return {};
    bits += std::string(bits.empty() ? "" : " or ") + (first == std::byte{0} ? "all 0" : "all 1");
  }
  if (bits.empty()) return {};
  if (const auto scattered = trial_of(subject, k, {}, 2, ask); !scattered || !scattered->is_right())
    return {};
  const std::string text = "uses the control bits of repeat 0 in every repeat if these are " + bits;
  Difference difference{MapKind::control, mnemonic(subject.insn) + " " + text, {}};
  difference.key = "control: " + text;
  difference.of_all_shapes = true;
  return difference;
}

}  // namespace lanecheck
