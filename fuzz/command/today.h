// The date that a command works with.
#pragma once

#include <string>

namespace lanecheck {

/// `given`, which must be a date written as YYYY-MM-DD, or today by the clock, in UTC, if it is empty. Throws
/// InputError, which names `option`.
std::string date_or_today(const std::string& given, const std::string& option);

}  // namespace lanecheck
