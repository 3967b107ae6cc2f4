#include "fuzz/identify/mask_register/register_bits.h"

#include <algorithm>

#include "fuzz/identify/probes/intervals.h"

namespace lanecheck {
namespace {

constexpr unsigned kWord = 64;

/// What a slot of the register holds.
struct Held {
  enum class Kind : std::uint8_t { right, zero, one, bit, inverted };
  Kind kind = Kind::right;
  unsigned bit = 0;  ///< of the own mask, of Kind::bit and Kind::inverted
};

/// Slots next to each other whose bits follow one formula.
struct Piece {
  std::vector<unsigned> slots;
  std::vector<Held> held;

  bool is_whole_word() const { return slots.size() == kWord && slots.front() % kWord == 0; }
};

std::optional<Held> held_in(const std::vector<Observed>& seen, unsigned slot) {
  using Kind = Held::Kind;
  const auto all = [&](auto is) {
    return std::ranges::all_of(
        seen, [&](const Observed& each) { return has_slot(each.actual.words, slot) == is(each); });
  };
  if (all([&](const Observed& each) { return has_slot(each.documented.words, slot); })) return Held{};
  if (all([](const Observed&) { return false; })) return Held{Kind::zero, 0};
  if (all([](const Observed&) { return true; })) return Held{Kind::one, 0};
  std::optional<Held> found;
  for (unsigned bit = 0; bit < kSlots; ++bit)
    for (const bool inverted : {false, true}) {
      if (!all([&](const Observed& each) { return has_slot(each.before.own, bit) != inverted; })) continue;
      if (found) return {};
      found = Held{inverted ? Kind::inverted : Kind::bit, bit};
    }
  return found;
}

/// Does the slot behind a piece belong to it? Its bits go up, or down, or are all 0 or 1.
bool goes_on(const Piece& piece, const Held& next) {
  const Held& last = piece.held.back();
  if (last.kind != next.kind) return false;
  if (next.kind != Held::Kind::bit && next.kind != Held::Kind::inverted) return true;
  const auto step = [](const Held& a, const Held& b) {
    return static_cast<int>(b.bit) - static_cast<int>(a.bit);
  };
  const int now = step(last, next);
  if (piece.held.size() == 1) return now == 1 || now == -1;
  return now == step(piece.held[piece.held.size() - 2], last);
}

std::string bits_text(const Piece& piece) {
  const unsigned first = piece.held.front().bit, slot = piece.slots.front();
  const bool down = piece.held.size() > 1 && piece.held[1].bit < first;
  const bool whole = piece.is_whole_word() && (down ? piece.held.back().bit : first) % kWord == 0;
  std::string text = piece.held.front().kind == Held::Kind::inverted ? "the inverse of " : "";
  if (whole) text += std::string("the ") + (first < kWord ? "low" : "high") + " word of its own mask";
  if (whole) return text + (down ? " in reverse order" : "");
  std::string formula = std::to_string(first + slot) + " - slot";
  if (!down && first != slot)
    formula = std::string("slot ") + (first > slot ? "+ " : "- ") +
              std::to_string(first > slot ? first - slot : slot - first);
  if (!down && first == slot) formula = "slot";
  if (piece.slots.size() == 1) formula = std::to_string(first);
  return text + "bit " + formula + " of its own mask (bit 64 is bit 0 of the high word)";
}

std::string text_of(const Piece& piece) {
  const bool one = piece.slots.size() == 1;
  const std::string slots = counted_noun("slot", piece.slots) + " of the mask register ";
  switch (piece.held.front().kind) {
    case Held::Kind::zero:
      return slots + (one ? "is 0" : "are 0");
    case Held::Kind::one:
      return slots + (one ? "is 1" : "are 1");
    case Held::Kind::right:
    case Held::Kind::bit:
    case Held::Kind::inverted:
      break;
  }
  return slots + (one ? "holds " : "hold ") + bits_text(piece);
}

}  // namespace

std::optional<std::string> register_bits(const std::vector<Observed>& seen) {
  constexpr std::size_t kMostPieces = 4;
  std::vector<Piece> pieces;
  bool joined = false;  // is the last slot one of the last piece?
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    const auto held = held_in(seen, slot);
    if (!held) return {};
    if (held->kind == Held::Kind::right) {
      joined = false;
      continue;
    }
    const bool same_word = slot % kWord != 0 || held->kind == Held::Kind::zero;
    if (!joined || !goes_on(pieces.back(), *held) || (!same_word && pieces.back().is_whole_word()))
      pieces.push_back({});
    pieces.back().slots.push_back(slot);
    pieces.back().held.push_back(*held);
    joined = true;
  }
  if (pieces.empty() || pieces.size() > kMostPieces) return {};
  std::string text;
  for (const Piece& piece : pieces) text += (text.empty() ? "" : ", ") + text_of(piece);
  return text;
}

}  // namespace lanecheck
