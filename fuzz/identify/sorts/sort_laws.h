// What sort32 or a merge may do instead of taking the greatest score first.
#pragma once

#include <string>

#include "fuzz/identify/sorts/sort_call.h"

namespace lanecheck {

struct SortLaw {
  std::string text;                                       ///< "sorts in ascending order"
  std::function<std::vector<Queue>(SortCall call)> left;  ///< the records that each repeat leaves in dst
  std::function<void(Instruction& insn)> take{};          ///< what the call is taken for; empty: for itself
  std::uint32_t (*step)(const Instruction& insn) = bytes_of_repeat;  ///< in dst, from repeat to repeat
  bool of_places = false;  ///< says from where records are read, or where they go: an address, no arithmetic
  std::string general{};   ///< the same law of instructions that cannot show all of it; empty: the text
};

/// What each repeat leaves by the documents: the greatest score first, of equal ones that of the first queue.
std::vector<Queue> documented_records(const SortCall& call);

/// The same if each repeat sorts all records of its queues, whether these descend or not.
std::vector<Queue> sorted_records(const SortCall& call);

/// The laws of this instruction, the plainest first.
std::vector<SortLaw> sort_laws(const Instruction& insn);

}  // namespace lanecheck
