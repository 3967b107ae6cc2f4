// What ends that an instruction takes a field of an earlier one: a third instruction between the two.
#pragma once

#include <functional>

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/explain/questions/predicted_part.h"
#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// Would the field of `earlier` show in the last instruction of this program?
bool field_would_show(const Program& program, const Instruction& earlier, const CarriedField& field,
                      const Documented& documented, Shown shown);

/// Would what is carried show in the last instruction of this program, if the one before that did not end it?
using WouldShow = std::function<bool(const Program& between)>;

/// ", not if set_mask or adds.f32 comes between them", if the backend is right then about the last
/// instruction of `part`, though what is carried would show. Else empty. Tried are the mask that is there,
/// set again; the last instruction with other types; and an addition.
std::string ended_by(const Program& part, const WouldShow& would_show, AskedBackend& asked,
                     const Documented& documented);

/// The same, of a field that is carried from instruction `at`.
std::string ended_by(const Program& part, std::size_t at, const CarriedField& field, AskedBackend& asked,
                     const Documented& documented);

/// ", also if another shl.i32 comes between them", if the last instruction of the part still takes the field
/// of instruction `at` when the same instruction with another value stands between them. Else empty.
std::string also_behind_another(const Program& part, std::size_t at, const CarriedField& field,
                                PredictedPart& predicted);

}  // namespace lanecheck
