// The parts of the list of wrong forms that have a file of their own.
#pragma once

#include "oracle/wrong_forms.h"

namespace lanecheck {

void add_ascend_forms(std::vector<WrongForm>& forms);

}  // namespace lanecheck
