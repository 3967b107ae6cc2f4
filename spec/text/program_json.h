// Programs as JSON: the same content as the text form, field by field, data as runs ("7 x64").
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "spec/program/program.h"
#include "spec/program/reading.h"

namespace lanecheck {

nlohmann::ordered_json to_json(const Program& program);
nlohmann::ordered_json to_json(const Program& program, const Instruction& insn);
/// Appends the text of to_json(program, insn), without building a JSON value. Attached backends get every
/// case through this function.
void append_json(std::string& out, const Program& program, const Instruction& insn);

/// Where the initial bytes of UB are: as runs in "data" of each allocation (case files), or not in the JSON
/// (backend messages; the Program then has a UB of zeros).
enum class Image { in_allocations, apart };

/// Throws InputError whose text starts with `where` and the path of the fault. Checks the form, not legality.
/// With Image::apart fields that are not known are ignored, as the backend protocol asks.
Program program_from_json(const nlohmann::json& json, const std::string& where,
                          Image image = Image::in_allocations);
/// Reads one instruction, whose operands lie in the allocations of `program`, in the same way.
Instruction instruction_from_json(const nlohmann::json& json, const Program& program,
                                  const std::string& where, Image image = Image::in_allocations);

/// {"empty_pair": "keeps_dst"}: the readings that differ from those of the profile.
nlohmann::ordered_json to_json(const Readings& readings, Profile profile = Profile::vmc);
Readings readings_from_json(const nlohmann::json& json, const std::string& where,
                            Profile profile = Profile::vmc);

}  // namespace lanecheck
