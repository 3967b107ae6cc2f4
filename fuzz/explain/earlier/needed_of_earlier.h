// What an earlier instruction must be like, so that a later one takes something of it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/earlier/ended_by.h"
#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

/// Would what is carried from instruction `at` show in the last instruction of this program?
using ShowsFrom = std::function<bool(const Program& program, std::size_t at)>;

/// A changed program; nothing if the change cannot be made.
using Changed = std::function<std::optional<Program>(const Program& program)>;

/// Is the backend right about `part` if it is changed so, wherever what is carried would show: with its own
/// data, or with other data? False if it shows nowhere.
bool is_right_if(const Program& part, const Changed& changed, const WouldShow& would_show,
                 AskedBackend& asked, const Documented& documented);

/// ", if both have the same number of lanes", if the backend is right about `part` with instruction `at` of
/// another number of lanes, though what is carried from it would show. Else empty.
std::string lanes_needed(const Program& part, std::size_t at, const ShowsFrom& would_show,
                         AskedBackend& asked, const Documented& documented);

/// ", if both have the same padMode and number of lanes", if the backend is right about `part` where
/// instruction `at` has others, though the field of it would show, and wrong where both have those; with
/// ", if both operands start at the same offset of their allocations", if an operand is carried and the
/// backend is right where the later one starts further. Else empty.
std::string fields_needed(const Program& part, std::size_t at, const CarriedField& field, AskedBackend& asked,
                          const Documented& documented);

/// ", not without instruction 2 (vmaxs.f32), if both have the same number of lanes", if the backend is right
/// about `part` without that instruction, which stands before `at`, and with one that has other lanes, though
/// the mask of before `at` would show. If it brings that mask itself: ", if instruction 1 (sub.i32) has the
/// same number of lanes, not if set_vector_mask sets that mask in place of instruction 1 (sub.i32)". Else
/// empty.
std::string users_needed(const Program& part, std::size_t at, const ShowsFrom& would_show,
                         AskedBackend& asked, const Documented& documented);

}  // namespace lanecheck
