// Tells whether an instruction is wrong only because of an earlier one in the same program: it takes a
// stride, a scalar, a mask or another field of that one, which a simulator kept.
#pragma once

#include <optional>
#include <string>

#include "fuzz/explain/questions/suspects.h"
#include "reports/report.h"

namespace lanecheck {

struct Carried {
  std::string sentence;  ///< without a full stop: "dup.f16 takes the scalar of the earlier dup.f16"
  std::string kind;      ///< what is carried, for the finding's id: "scalar", "mask"; "something" if unknown
  Matter matter = Matter::unexplained;
  bool is_law = false;        ///< it is known what is carried
  bool is_shared = false;     ///< instructions of all families may share the code that keeps it
  std::string instruction{};  ///< that is wrong, with its types; empty: the one that diverges
};

/// Is the backend right about the diverging instruction alone, on the UB and under the mask that earlier
/// instructions leave by the documents? Then those matter in another way. What is said to be carried gives
/// all that the backend leaves, also with other data and with another field in the earlier instruction.
/// If the instruction is wrong alone too, only the mask of before can be carried. Nothing if it is not, or if
/// the instruction cannot run alone.
std::optional<Carried> carried_over(const Finding& finding, AskedBackend& asked,
                                    const Documented& documented);

}  // namespace lanecheck
