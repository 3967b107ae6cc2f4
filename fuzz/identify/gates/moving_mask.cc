#include "fuzz/identify/gates/moving_mask.h"

#include <algorithm>

#include "fuzz/identify/gates/mask_condition.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kSlots = 128;  // that two words hold; a mask register may have more

/// How a mask moves: repeat r is gated `step * n(r)` slots further, where n(r) counts the repeats from
/// `first` on, or all of them.
struct Move {
  unsigned first;    ///< the first repeat that is gated by other slots
  bool from_start;   ///< repeat `first` is moved by all repeats before it, else by one step
  unsigned step;     ///< in slots
  unsigned modulus;  ///< behind the last slot follows slot 0
  GateKind behind;   ///< what the slots from 128 on do, if there are such: always or never

  unsigned steps(unsigned repeat) const {
    return repeat < first ? 0 : from_start ? repeat : repeat - first + 1;
  }
  Gate gate(unsigned repeat, unsigned lane) const {
    const unsigned slot = (lane + step * steps(repeat)) % modulus;
    if (slot >= kSlots) return {behind, 0};
    return {GateKind::slot, static_cast<std::uint8_t>(slot)};
  }
};

std::vector<Move> moves(unsigned lanes) {
  std::vector<Move> list;
  for (const unsigned first : {1u, 2u, 3u})
    for (const bool from_start : {false, true})
      for (const unsigned step : {lanes, lanes / kRepeatBlocks, 1u})
        for (const unsigned modulus : {kSlots, 2 * kSlots, lanes})
          for (const GateKind behind : {GateKind::always, GateKind::never})
            if (step % modulus != 0) list.push_back({first, from_start, step, modulus, behind});
  return list;
}

/// "lane L of repeat r by slot (L + 64 * (r - 1)) mod 256 if r is 2 or more"
std::string formula(const Move& move) {
  const unsigned less = move.from_start ? 0 : move.first - 1;
  const std::string repeat = less == 0 ? "r" : "(r - " + std::to_string(less) + ")";
  std::string text = "lane L of repeat r (both counted from 0) by slot (L + ";
  text += (move.step == 1 ? "" : std::to_string(move.step) + " * ") + repeat + ") mod ";
  text += std::to_string(move.modulus);
  if (move.first > 1) text += " if r is " + std::to_string(move.first) + " or more";
  if (move.modulus > kSlots)
    text += std::string("; slots from 128 on act like ") + (move.behind == GateKind::always ? "1" : "0");
  return text;
}

}  // namespace

std::optional<Difference> moving_mask(const Subject& subject, const std::vector<ElementGate>& seen) {
  const unsigned lanes = lanes_of(subject.insn);
  if (lanes > kSlots) return {};
  for (const Move& move : moves(lanes)) {
    const bool gives = std::ranges::all_of(
        seen, [&](const ElementGate& each) { return each.gate == move.gate(each.repeat, each.lane); });
    if (!gives) continue;
    Difference difference{MapKind::gate,
                          "the mask moves on from repeat to repeat of " + mnemonic(subject.insn) +
                              ": it gates " + formula(move),
                          {}};
    difference.law = GateLaw{{}, [move](unsigned repeat, unsigned lane, const MaskWords& mask) {
                               return std::optional(is_on(move.gate(repeat, lane), mask));
                             }};
    difference.general = "the mask moves on from repeat " + std::to_string(move.first);
    difference.says_slots = difference.of_all_shapes = difference.says_all = true;
    return difference;
  }
  return {};
}

}  // namespace lanecheck
