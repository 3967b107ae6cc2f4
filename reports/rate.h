// How often something happens: a share and its 95% interval.
#pragma once

#include <string>
#include <utility>

namespace lanecheck {

/// The 95% interval of Wilson for a rate of which `hits` of `tries` were seen: the lower and the upper end.
std::pair<double, double> rate_interval(unsigned hits, unsigned tries);

/// "31 of 100 asks (with 95% confidence, the rate is 23% to 41%)".
std::string rate_text(unsigned hits, unsigned tries);

}  // namespace lanecheck
