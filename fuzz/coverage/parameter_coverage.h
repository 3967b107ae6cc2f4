// Which pairs (instruction x parameter x class of its value) generated cases do not reach: the blind spots of
// the generator.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/coverage/parameter_classes.h"

namespace lanecheck {

/// A cell of the table, for one profile.
struct ParameterCell {
  Profile profile;
  Op op;
  Parameter parameter;
  unsigned of_class;
  bool reached;
  /// Why no case can reach the cell; "" if some case must.
  std::string_view reason;

  bool is_blind_spot() const { return !reached && reason.empty(); }
};

/// "vmc: select, repeat stride of src1: 128 and above".
std::string describe(const ParameterCell& cell);

/// Every cell of `profile`, with what the first `cases` cases of `seed` reach. Ends early, with cells that
/// seem not to be reached, if `stop` returns true.
std::vector<ParameterCell> parameter_cells(Profile profile, std::uint64_t seed, std::uint64_t cases,
                                           const std::function<bool()>& stop = {});

}  // namespace lanecheck
