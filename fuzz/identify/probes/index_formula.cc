#include "fuzz/identify/probes/index_formula.h"

#include "fuzz/identify/probes/gate_law.h"

namespace lanecheck {
namespace {

template <class Formula>
bool holds(const std::vector<unsigned>& from, const std::vector<unsigned>& to, Formula formula) {
  for (std::size_t n = 0; n < from.size(); ++n)
    if (formula(from[n]) != to[n]) return false;
  return true;
}

/// Formulas with a power of two.
std::optional<std::string> binary_formula(const std::vector<unsigned>& from, const std::vector<unsigned>& to,
                                          unsigned lanes, const std::string& lane) {
  const unsigned flipped = from[0] ^ to[0];
  if (holds(from, to, [=](unsigned l) { return l ^ flipped; }))
    return lane + " xor " + std::to_string(flipped);
  for (unsigned power = 2; power < lanes; power *= 2) {
    const std::string shown = std::to_string(power);
    if (holds(from, to, [=](unsigned l) { return l % power; })) return lane + " mod " + shown;
    if (holds(from, to, [=](unsigned l) { return l - l % power; }))
      return lane + " - " + lane + " mod " + shown;
    if (holds(from, to, [=](unsigned l) { return l / power; })) return lane + " / " + shown;
    if (holds(from, to, [=](unsigned l) { return l * power; })) return shown + " * " + lane;
  }
  for (unsigned power = 2; power < lanes; power *= 2) {  // rows and columns are exchanged
    const unsigned rows = lanes / power;
    if (rows * power == lanes && holds(from, to, [=](unsigned l) { return l / power + l % power * rows; }))
      return lane + " / " + std::to_string(power) + " + " + std::to_string(rows) + " * (" + lane + " mod " +
             std::to_string(power) + ")";
  }
  return {};
}

}  // namespace

bool is_shift(const std::vector<unsigned>& from, const std::vector<unsigned>& to) {
  return !from.empty() && holds(from, to, [&](unsigned l) { return l + to[0] - from[0]; });
}

std::optional<std::string> index_formula(const std::vector<unsigned>& from, const std::vector<unsigned>& to,
                                         unsigned lanes, const std::string& lane) {
  if (from.empty()) return {};
  if (holds(from, to, [&](unsigned) { return to[0]; })) return std::to_string(to[0]);
  if (from == to) return lane;
  if (is_shift(from, to)) {
    const bool up = to[0] >= from[0];
    return lane + (up ? " + " : " - ") + std::to_string(up ? to[0] - from[0] : from[0] - to[0]);
  }
  if (holds(from, to, [=](unsigned l) { return lanes - 1 - l; }))
    return std::to_string(lanes - 1) + " - " + lane;
  if (auto formula = binary_formula(from, to, lanes, lane)) return formula;
  const unsigned turn = (to[0] + lanes - from[0]) % lanes;
  if (holds(from, to, [=](unsigned l) { return (l + turn) % lanes; }))
    return "(" + lane + " + " + std::to_string(turn) + ") mod " + std::to_string(lanes);
  const unsigned sum = from[0] + to[0];  // mirrored elsewhere than in the middle; any two places fit that
  if (from.size() > 2 && holds(from, to, [=](unsigned l) { return sum - l; }))
    return std::to_string(sum) + " - " + lane;
  return {};
}

std::optional<std::string> block_formula(const std::vector<unsigned>& from, const std::vector<unsigned>& to,
                                         unsigned lanes, const std::string& lane) {
  if (from.size() < 2) return {};
  for (unsigned block = 2; block < lanes; block *= 2)
    for (unsigned step = 1; step <= 2 * lanes; step *= 2)
      for (unsigned part = 2; part <= block; part *= 2)
        if (holds(from, to, [=](unsigned l) { return step * (l / block) + l % part; }))
          return std::to_string(step) + " * (" + lane + " / " + std::to_string(block) + ") + " + lane +
                 " mod " + std::to_string(part);
  return {};
}

std::optional<AroundName> reversed_word(const std::vector<unsigned>& some, const std::vector<unsigned>& slots,
                                        unsigned lanes) {
  constexpr unsigned kWord = 64;
  if (some.size() != kWord || lanes <= kWord || slots.back() % kWord != 0 || slots.back() > kWord) return {};
  const unsigned first = some.front();
  if (first != 0 && first != lanes - kWord) return {};
  for (unsigned n = 0; n < kWord; ++n)
    if (some[n] != first + n || slots[n] != slots.back() + kWord - 1 - n) return {};
  const std::string lanes_text = std::to_string(first) + ".." + std::to_string(first + kWord - 1);
  return AroundName{std::string("the ") + (first == 0 ? "first" : "last") + " lanes (" + lanes_text + ") of ",
                    std::string(" are gated by the slots of the ") + (slots.back() == 0 ? "low" : "high") +
                        " word in reverse order"};
}

std::string in_repeats(const std::vector<unsigned>& repeats, unsigned count) {
  return repeat_law(repeats, count).text();
}

}  // namespace lanecheck
