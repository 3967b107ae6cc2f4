// A reading that the backend follows with one instruction, and not with others.
#pragma once

#include <string>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

/// "the destination element is not written (what does cpadd write for ...?)"
std::string answer_to(const Reading& reading, std::string_view answer);

/// Names the finding by a reading: "muladddst.f32: all repeats read what stood there before the instruction
/// (what does a repeat ...?); so reading dst_read_back=as_before says, which the backend does not follow
/// everywhere". False if the reading does not give what the backend leaves after the instruction of the
/// finding, with the data of the program, with other data, with other repeat times, and if the instruction
/// runs alone with operands in a row.
bool is_named_by_partly_followed(Finding& finding, const Hypothesis& reading, AskedBackend& asked,
                                 const Documented& documented);

}  // namespace lanecheck
