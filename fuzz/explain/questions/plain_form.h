// Forms of programs in which many mistakes cannot show: every mask full, no counter mode, one repeat in a
// row, one instruction alone, masks that the register holds rightly. What a backend with a known mistake does
// wrong in a form in which the known one does not show is another mistake.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

struct PlainForm {
  std::string_view text;  ///< "under full masks"
  /// The program in this form; several if each of its instructions makes one. None if that is not possible.
  std::vector<Program> (*made_of)(const Program& program, const Documented& documented);
  bool (*holds)(const Program& program, AskedBackend& asked);  ///< has the program this form?
  /// The mask to set in place of a given one, so that the program has this form. Null: any.
  MaskWords (*settable)(const MaskWords& mask, Profile profile, AskedBackend& asked) = nullptr;
};

std::span<const PlainForm> plain_forms();

/// The backend of `asked`, which runs programs of this form alone. It skips all others: so they are no
/// evidence. `asked` must outlive it.
Backend in_form(AskedBackend& asked, const PlainForm& form);

}  // namespace lanecheck
