// The user's input is wrong. Thrown where it is read, caught once, in main.
#pragma once

#include <stdexcept>
#include <string>

namespace lanecheck {

class InputError : public std::runtime_error {
 public:
  InputError(const std::string& where, const std::string& what) : std::runtime_error(where + ": " + what) {}
};

}  // namespace lanecheck
