#include "fuzz/identify/probes/intervals.h"

#include <algorithm>

namespace lanecheck {
namespace {

/// Do all neighbours lie `numbers[1] - numbers[0]` apart, which is more than 1?
bool is_progression(const std::vector<unsigned>& numbers) {
  if (numbers.size() < 4 || numbers[1] - numbers[0] < 2) return false;
  for (std::size_t n = 1; n < numbers.size(); ++n)
    if (numbers[n] - numbers[n - 1] != numbers[1] - numbers[0]) return false;
  return true;
}

std::vector<std::string> pieces(const std::vector<unsigned>& numbers) {
  std::vector<std::string> texts;
  for (std::size_t from = 0; from < numbers.size();) {
    std::size_t to = from;
    while (to + 1 < numbers.size() && numbers[to + 1] == numbers[to] + 1) ++to;
    texts.push_back(std::to_string(numbers[from]));
    if (to > from) texts.back() += ".." + std::to_string(numbers[to]);
    from = to + 1;
  }
  return texts;
}

}  // namespace

std::string intervals(const std::vector<unsigned>& numbers) {
  if (is_progression(numbers))
    return std::to_string(numbers[0]) + ", " + std::to_string(numbers[1]) + " .. " +
           std::to_string(numbers.back());
  const auto all = pieces(numbers);
  constexpr std::size_t kFew = 8, kFirst = 6;
  std::string text;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (all.size() > kFew && n >= kFirst && n + 1 < all.size()) continue;
    if (n > 0) text += all.size() > kFew && n + 1 == all.size() ? ", ..., " : ", ";
    text += all[n];
  }
  return text;
}

std::string counted_noun(const std::string& noun, const std::vector<unsigned>& numbers) {
  return noun + (numbers.size() == 1 ? " " : "s ") + intervals(numbers);
}

std::vector<unsigned> sorted_unique(std::vector<unsigned> numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace lanecheck
