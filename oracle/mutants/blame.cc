#include "oracle/mutants/blame.h"

#include <algorithm>

#include "spec/program/profile.h"

namespace lanecheck {

std::vector<Hypothesis> hypotheses(Profile profile, const Readings& base,
                                   const std::vector<std::string>& pinned) {
  std::vector<Hypothesis> all;
  const auto is_pinned = [&](const Reading& reading) {
    return std::ranges::find(pinned, reading.id) != pinned.end();
  };
  for (const Reading& reading : readings()) {
    if (!reading.open_in(profile)) continue;
    for (unsigned option = 0; option < reading.options.size(); ++option) {
      if (option == reading.get(base)) continue;
      Readings other = base;
      reading.set(other, option);
      std::string id(reading.id);
      id.append("=").append(reading.options[option].name);
      all.push_back({std::move(id), &reading, &reading.options[option], nullptr, nullptr, Semantics(other),
                     is_pinned(reading)});
    }
  }
  std::stable_partition(all.begin(), all.end(), [](const Hypothesis& each) { return !each.pinned; });
  for (const Mutant& wrong : mutants())
    if (wrong.exists_in(profile))
      all.push_back({wrong.id, nullptr, nullptr, nullptr, &wrong, wrong.semantics(base)});
  for (const Reading& reading : readings()) {
    if (reading.open_in(profile)) continue;
    const unsigned own = reading.get(base);
    for (const Profile& other : kEveryProfile) {
      const unsigned option = reading.get(default_readings(other));
      if (option == own) continue;
      Readings believed = base;
      reading.set(believed, option);
      std::string id(reading.id);
      id.append("=").append(reading.options[option].name);
      all.push_back(
          {std::move(id), &reading, &reading.options[option], &other, nullptr, Semantics(believed)});
      break;
    }
  }
  return all;
}

bool explains(const Hypothesis& hypothesis, const Program& program, const State& actual, Shown shown) {
  return agrees(program, hypothesis.semantics, actual, shown);
}

}  // namespace lanecheck
