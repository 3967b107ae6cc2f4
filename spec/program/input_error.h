// The error for wrong input of the user. It is thrown where the input is read and caught once, in main.
#pragma once

#include <stdexcept>
#include <string>

namespace lanecheck {

class InputError : public std::runtime_error {
 public:
  InputError(const std::string& where, const std::string& what) : std::runtime_error(where + ": " + what) {}
};

}  // namespace lanecheck
