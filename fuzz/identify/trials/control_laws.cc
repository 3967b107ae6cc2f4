#include "fuzz/identify/trials/control_laws.h"

#include <algorithm>
#include <functional>
#include <span>

#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The control operand of the instruction, if it has a bit for each lane.
std::optional<unsigned> control_of(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  const auto k = control_operand(row);
  if (!k || row.operands[*k].walk != Walk::bits || !row.has_repeat) return {};
  return k;
}

constexpr unsigned kControlRepeats = 3;

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

/// What is left if `change` has changed the control bits.
std::optional<Bytes> left_by_control(const ShapeTrial& trial, unsigned k,
                                     const std::function<void(std::span<std::byte>)>& change) {
  ShapeTrial changed = trial;
  const Region& control = trial.layout.regions[k];
  change(std::span(changed.program.ub).subspan(control.start(), control.bytes - control.margin));
  auto left = left_by(changed, {trial.placed()});
  if (left)
    std::copy_n(trial.program.ub.begin() + control.begin, control.bytes, left->begin() + control.begin);
  return left;
}

std::optional<Bytes> left_with_all(const ShapeTrial& trial, unsigned k, std::byte bits) {
  return left_by_control(trial, k,
                         [bits](std::span<std::byte> control) { std::ranges::fill(control, bits); });
}

/// What may decide for all lanes of a group of bytes of control.
struct BitsTogether {
  std::string_view text;
  bool (*holds)(std::span<const std::byte> bytes);
};

constexpr BitsTogether kBitsTogether[] = {
    {"any bit of them is 1",
     [](std::span<const std::byte> bytes) {
       return std::ranges::any_of(bytes, [](std::byte each) { return each != std::byte{0}; });
     }},
    {"all bits of them are 1",
     [](std::span<const std::byte> bytes) {
       return std::ranges::all_of(bytes, [](std::byte each) { return each == std::byte{0xff}; });
     }},
    {"the lowest bit of them is 1",
     [](std::span<const std::byte> bytes) { return (bytes.front() & std::byte{1}) != std::byte{0}; }},
    {"the highest bit of them is 1",
     [](std::span<const std::byte> bytes) { return (bytes.back() & std::byte{0x80}) != std::byte{0}; }},
};

void take_together(std::span<std::byte> control, std::size_t size, const BitsTogether& bits) {
  for (std::size_t at = 0; at + size <= control.size(); at += size) {
    const auto group = control.subspan(at, size);
    std::ranges::fill(group, bits.holds(group) ? std::byte{0xff} : std::byte{0});
  }
}

/// "takes the 8 bits of each byte of control together: all of their lanes take src0 if any bit of them is 1"
std::optional<Difference> bits_together(const Subject& given, unsigned k, const Ask& ask) {
  const Subject subject = in_a_row(given, kControlRepeats);
  std::vector<ShapeTrial> trials;
  for (const unsigned seed : {3U, 4U, 5U}) {
    const auto put_data = [&](ShapeTrial& it) {
      fill_scattered(it, seed);
      const Region& control = it.layout.regions[k];
      for (std::uint32_t n = 0; n < control.bytes; n += seed - 2)  // bytes of 0 and of ones among others
        it.program.ub[control.begin + n] = n % 4 == 0 ? std::byte{0xff} : std::byte{0};
    };
    auto trial = run_trial_with(subject, full_mask(subject), put_data, ask);
    if (!trial) return {};
    trials.push_back(std::move(*trial));
  }
  if (std::ranges::all_of(trials, &ShapeTrial::is_right)) return {};
  for (const auto& [size, name] : {std::pair{1U, "the 8 bits of each byte"},
                                   {2U, "the 16 bits of every 2 bytes"},
                                   {4U, "the 32 bits of every 4 bytes"}})
    for (const BitsTogether& bits : kBitsTogether) {
      const bool gives = std::ranges::all_of(trials, [&, size = size](const ShapeTrial& each) {
        return left_by_control(each, k, [&](std::span<std::byte> control) {
                 take_together(control, size, bits);
               }) == each.actual;
      });
      if (!gives) continue;
      const std::string text = std::string("takes ") + name +
                               " of control together: all of their lanes take src0 if " +
                               std::string(bits.text);
      Difference difference{MapKind::control, mnemonic(subject.insn) + " " + text, {}};
      difference.key = "control: " + text;
      difference.of_all_shapes = true;
      return difference;
    }
  return {};
}

}  // namespace

std::optional<Difference> control_law(const Subject& subject, const Ask& ask) {
  const auto k = control_of(subject.insn);
  if (!k) return {};
  if (auto together = bits_together(subject, *k, ask)) return together;
  return whole_control(subject, ask);
}

std::optional<Difference> whole_control(const Subject& given, const Ask& ask) {
  const auto control = control_of(given.insn);
  if (!control) return {};
  const unsigned k = *control;
  const Subject subject = in_a_row(given, kControlRepeats);
  std::string bits;
  for (const std::byte first : {std::byte{0}, std::byte{0xff}}) {
    const auto trial = trial_of(subject, k, first, 1, ask);
    if (!trial) return {};
    if (trial->is_right()) continue;
    if (left_with_all(*trial, k, first) != trial->actual) return {};
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
