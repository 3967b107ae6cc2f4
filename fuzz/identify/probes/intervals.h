// Sets of numbers as text: intervals, progressions, or the first and the last of many.
#pragma once

#include <string>
#include <vector>

namespace lanecheck {

/// "0..63, 65", "1, 3 .. 127"; of more than a few pieces the first six and the last. `numbers` ascends.
std::string intervals(const std::vector<unsigned>& numbers);

/// "lane 5" or "lanes 0..63".
std::string counted_noun(const std::string& noun, const std::vector<unsigned>& numbers);

/// Sorted, each number once.
std::vector<unsigned> sorted_unique(std::vector<unsigned> numbers);

}  // namespace lanecheck
