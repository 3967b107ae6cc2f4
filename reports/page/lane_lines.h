// The lanes of a finding, as the JSON report lists them, told apart by what happened to them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/page/view.h"

namespace lanecheck::page {

/// `list` is the field "lanes" of a finding; `where` names it in errors. Throws InputError.
std::vector<LaneLine> read_lanes(const nlohmann::json& list, const std::string& where);

}  // namespace lanecheck::page
