// Programs as JSON: the same content as the text form, field by field, data as runs ("7 x64").
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "spec/program.h"
#include "spec/reading.h"

namespace lanecheck {

nlohmann::ordered_json to_json(const Program& program);
nlohmann::ordered_json to_json(const Program& program, const Instruction& i);

/// Throws InputError whose text starts with `where` and the path of the fault. Checks the form, not legality.
Program program_from_json(const nlohmann::json& json, const std::string& where);

/// {"empty_pair": "keeps_dst"}: the readings that differ from the default.
nlohmann::ordered_json to_json(const Readings& readings);
Readings readings_from_json(const nlohmann::json& json, const std::string& where);

}  // namespace lanecheck
