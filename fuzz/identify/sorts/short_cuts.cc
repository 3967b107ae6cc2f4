#include "fuzz/identify/sorts/short_cuts.h"

#include <algorithm>
#include <string_view>

namespace lanecheck {
namespace {

/// What a short cut may ask of the queues of a repeat. None of them is empty.
struct ShortCut {
  std::string_view text;
  bool (*holds)(const std::vector<Queue>& queues);
};

double first_score(const Queue& queue) {
  return queue.front().value;
}

double last_score(const Queue& queue) {
  return queue.back().value;
}

/// sort32 has queues of one record.
constexpr ShortCut kOfSort32[] = {
    {"the first score is not less than the last one",
     [](const std::vector<Queue>& all) { return first_score(all.front()) >= last_score(all.back()); }},
    {"the first score is greater than the last one",
     [](const std::vector<Queue>& all) { return first_score(all.front()) > last_score(all.back()); }},
    {"the first score is not less than the second one",
     [](const std::vector<Queue>& all) { return first_score(all[0]) >= first_score(all[1]); }},
    {"the first score is the greatest one",
     [](const std::vector<Queue>& all) {
       return std::ranges::all_of(
           all, [&](const Queue& each) { return first_score(all[0]) >= first_score(each); });
     }},
    {"the last score is the least one",
     [](const std::vector<Queue>& all) {
       return std::ranges::all_of(
           all, [&](const Queue& each) { return last_score(all.back()) <= last_score(each); });
     }},
};

constexpr ShortCut kOfMerges[] = {
    {"the first score of queue 0 is not less than that of queue 1",
     [](const std::vector<Queue>& all) { return first_score(all[0]) >= first_score(all[1]); }},
    {"the first score of queue 0 is greater than that of queue 1",
     [](const std::vector<Queue>& all) { return first_score(all[0]) > first_score(all[1]); }},
    {"the last score of queue 0 is not less than that of queue 1",
     [](const std::vector<Queue>& all) { return last_score(all[0]) >= last_score(all[1]); }},
    {"the first scores of the queues descend",
     [](const std::vector<Queue>& all) {
       return std::ranges::is_sorted(all, std::ranges::greater(), first_score);
     }},
    {"the first score of the first queue is not less than the last score of the last one",
     [](const std::vector<Queue>& all) { return first_score(all.front()) >= last_score(all.back()); }},
};

}  // namespace

std::vector<SortLaw> short_cut_laws(bool sorts) {
  std::vector<SortLaw> laws;
  for (const ShortCut& each :
       sorts ? std::span<const ShortCut>(kOfSort32) : std::span<const ShortCut>(kOfMerges))
    laws.push_back({(sorts ? "leaves the records of a repeat in the order of the sources if "
                           : "puts its queues one behind the other without merging them if ") +
                        std::string(each.text),
                    [holds = each.holds](const SortCall& call) {
                      std::vector<Queue> left = documented_records(call);
                      for (std::size_t repeat = 0; repeat < left.size(); ++repeat) {
                        const auto& queues = call.repeats[repeat];
                        if (std::ranges::none_of(queues, &Queue::empty) && holds(queues))
                          left[repeat] = in_a_row(queues);
                      }
                      return left;
                    }});
  return laws;
}

}  // namespace lanecheck
