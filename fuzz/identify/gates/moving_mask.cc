#include "fuzz/identify/gates/moving_mask.h"

#include <algorithm>
#include <cstdlib>

#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/probes/probe.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr int kSlots = 128;  // that two words hold; a mask register may have more

/// How a mask moves: repeat r is gated `step * n(r)` slots further, where n(r) counts the repeats from
/// `first` on, or all of them.
struct Move {
  unsigned first;   ///< the first repeat that is gated by other slots
  bool from_start;  ///< repeat `first` is moved by all repeats before it, else by one step
  int step;         ///< in slots; negative: to earlier ones
  int slots;        ///< that there are
  bool around;      ///< behind the last slot follows slot 0
  GateKind beyond;  ///< what slots do that two words do not hold, or that there are not: always or never

  unsigned steps(unsigned repeat) const {
    return repeat < first ? 0 : from_start ? repeat : repeat - first + 1;
  }
  Gate gate(unsigned repeat, unsigned lane) const {
    int slot = static_cast<int>(lane) + step * static_cast<int>(steps(repeat));
    if (around) slot = (slot % slots + slots) % slots;
    if (slot < 0 || slot >= std::min(slots, kSlots)) return {beyond, 0};
    return {GateKind::slot, static_cast<std::uint8_t>(slot)};
  }
};

std::vector<Move> moves(int lanes) {
  std::vector<Move> list;
  for (const unsigned first : {1u, 2u, 3u})
    for (const bool from_start : {false, true})
      for (const int size : {lanes, lanes / static_cast<int>(kRepeatBlocks), 1})
        for (const int step : {size, -size})
          for (const int slots : {kSlots, 2 * kSlots, lanes})
            for (const bool around : {true, false})
              for (const GateKind beyond : {GateKind::always, GateKind::never})
                if (!around || step % slots != 0)
                  list.push_back({first, from_start, step, slots, around, beyond});
  return list;
}

/// "lane L of repeat r by slot (L + 64 * (r - 1)) mod 256 if r is 2 or more"
std::string formula(const Move& move, int lanes) {
  const unsigned less = move.from_start ? 0 : move.first - 1;
  const std::string repeat = less == 0 ? "r" : "(r - " + std::to_string(less) + ")";
  const int size = std::abs(move.step);
  std::string text =
      "lane L of repeat r (of " + std::to_string(lanes) + " lanes; L and r are counted from 0) by slot ";
  text += std::string(move.around ? "(" : "") + (move.step > 0 ? "L + " : "L - ");
  text += (size == 1 ? "" : std::to_string(size) + " * ") + repeat;
  if (move.around) text += ") mod " + std::to_string(move.slots);
  if (move.first > 1) text += " if r is " + std::to_string(move.first) + " or more";
  const std::string acts = std::string("act like ") + (move.beyond == GateKind::always ? "1" : "0");
  if (!move.around && move.step < 0)
    text += "; slots before slot 0 " + acts;
  else if (!move.around || move.slots > kSlots)
    text += "; slots from " + std::to_string(std::min(move.slots, kSlots)) + " on " + acts;
  return text;
}

}  // namespace

std::vector<ElementGate> gates_in(const GateMap& map, const std::vector<bool>& skipped) {
  std::vector<ElementGate> elements;
  for (unsigned repeat = 0; repeat < map.repeats; ++repeat)
    for (unsigned lane = 0; lane < map.lanes; ++lane)
      if (!skipped[repeat * map.lanes + lane]) elements.push_back({repeat, lane, map.at(repeat, lane)});
  return elements;
}

std::optional<Difference> moving_mask(const Subject& subject, const std::vector<ElementGate>& seen) {
  const auto lanes = static_cast<int>(lanes_of(subject.insn));
  if (lanes > kSlots) return {};
  const unsigned settable = settable_slots(subject);  // the others up to kSlots are 0
  for (const Move& move : moves(lanes)) {
    const bool gives = std::ranges::all_of(seen, [&](const ElementGate& each) {
      const Gate gate = move.gate(each.repeat, each.lane);
      return each.gate ==
             (gate.kind == GateKind::slot && gate.slot >= settable ? Gate{GateKind::never, 0} : gate);
    });
    if (!gives) continue;
    Difference difference{MapKind::gate,
                          "the mask moves on from repeat to repeat of " + mnemonic(subject.insn) +
                              ": it gates " + formula(move, lanes),
                          {}};
    difference.law = GateLaw{{}, [move](unsigned repeat, unsigned lane, const MaskWords& mask) {
                               return std::optional(is_on(move.gate(repeat, lane), mask));
                             }};
    difference.general = std::string("the mask moves ") + (move.step > 0 ? "on" : "back") + " from repeat " +
                         std::to_string(move.first) + (move.around ? "" : ", not around its end");
    difference.says_slots = difference.of_all_shapes = difference.says_all = difference.moves_on = true;
    return difference;
  }
  return {};
}

}  // namespace lanecheck
