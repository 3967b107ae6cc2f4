#include "spec/program/reading.h"

#include <algorithm>

#include "spec/program/input_error.h"

namespace lanecheck {

const Reading* find_reading(std::string_view id) {
  const auto found = std::ranges::find(readings(), id, &Reading::id);
  return found == readings().end() ? nullptr : &*found;
}

void pin(Readings& readings, std::string_view setting) {
  const auto equals = setting.find('=');
  const Reading* reading = find_reading(setting.substr(0, equals));
  const std::string where = "'" + std::string(setting) + "'";
  std::string message;
  if (reading == nullptr) {
    message = "no such reading; there are:";
    for (const Reading& each : lanecheck::readings()) message.append(" ").append(each.id);
    throw InputError(where, message);
  }
  if (equals != std::string_view::npos) {
    const auto name = setting.substr(equals + 1);
    for (unsigned option = 0; option < reading->options.size(); ++option)
      if (reading->options[option].name == name) return reading->set(readings, option);
  }
  message.append("write ").append(reading->id).append("=OPTION with one of:");
  for (const Option& option : reading->options) message.append(" ").append(option.name);
  throw InputError(where, message);
}

bool differ_in(Decides what, const Readings& one, const Readings& other) {
  return std::ranges::any_of(readings(), [&](const Reading& each) {
    return each.decides == what && each.get(one) != each.get(other);
  });
}

std::vector<std::pair<std::string_view, std::string_view>> departures(const Readings& readings,
                                                                      const Readings& base) {
  std::vector<std::pair<std::string_view, std::string_view>> list;
  for (const Reading& reading : lanecheck::readings())
    if (const unsigned option = reading.get(readings); option != reading.get(base))
      list.emplace_back(reading.id, reading.options[option].name);
  return list;
}

}  // namespace lanecheck
