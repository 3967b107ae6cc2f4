#include "spec/text/did_you_mean.h"

#include <algorithm>

namespace lanecheck {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // row[j]: the distance of the first i characters of `from` to the first j of `to`
  std::vector<std::size_t> before, last(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[to.size()];
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() > 200) return "";
  const std::size_t most = std::min(name.size() / 2, std::max<std::size_t>(2, name.size() / 3));
  std::size_t nearest = most + 1;
  std::string_view found;
  for (const std::string& each : known)
    if (const std::size_t distance = edit_distance(name, each); distance < nearest) {
      nearest = distance;
      found = each;
    }
  if (found.empty()) return "";
  return "; did you mean " + std::string(found) + "?";
}

std::string did_you_mean_instruction(std::string_view name, std::optional<Profile> profile) {
  std::vector<std::string> known;
  for (const Row& row : instruction_table())
    if (!profile || row.in(*profile).offered) known.emplace_back(row.name);
  return did_you_mean(name, known);
}

}  // namespace lanecheck
