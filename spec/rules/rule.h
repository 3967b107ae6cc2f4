// A documented rule is an object: a sentence of a document that a machine can check.
//
// `applies` says which steps the sentence speaks of. It is apart from `holds` so that a rule that was never
// exercised counts as untested and not as passed. `holds` judges one step. Most rules compare it with the
// same implementation's own run of the same instruction under a full mask, and need not know what the
// instruction computes. Only instructions that move elements (select, GatherMask, VectorPadding) are computed
// anew. The rules keep their own lists of instructions, as each document gives them, and do not ask the
// instruction table what an instruction does with the mask: if a row of the table is wrong, it disagrees with
// its rule. Only where the lanes of an operand lie comes from the table, through spec/mask.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "spec/program/program.h"
#include "spec/program/source.h"
#include "spec/program/state.h"
#include "spec/rules/cell.h"
#include "spec/rules/gather_matter.h"

namespace lanecheck {

/// One instruction's execution by one implementation.
struct Step {
  const Program& program;  ///< the program whose allocations the operands name
  const Instruction& insn;
  const State& before;
  const State& after;
  /// What the implementation leaves when it runs `insn` on `before` under a full mask; for a reduction, on a
  /// source whose masked-off elements were replaced by the neutral element.
  const State& unmasked;
};

/// What the claim of a rule speaks of. A cause that is measured breaks no rule about something else.
enum class About : std::uint8_t {
  mask,        ///< which elements take part, what the others do, what stands in the register
  lane_count,  ///< how many lanes a repeat has
  repeats,     ///< how many repeats there are
  strides,
  in_place,  ///< dst that is also a source
  elements   ///< which elements an instruction moves, by control, pattern or padding
};

struct Rule {
  std::string_view id;     ///< "VMC-3.1-keeps-dst"
  std::string_view claim;  ///< in our words
  Source source;
  Standing standing;
  About about = About::mask;
  std::optional<GatherMatter> gathers{};  ///< of gather_mask; nothing: it follows from all of them
  bool (*applies)(const Cell&);
  bool (*holds)(const Step&);
  ProfileSet profiles{};  ///< the profiles in which the rule holds; empty: all of its document

  bool holds_in(Profile profile) const;
};

/// All rules, document by document, or those that hold in a profile.
std::span<const Rule> rules();
std::span<const Rule> rules(Profile profile);
const Rule* find_rule(std::string_view id);

}  // namespace lanecheck
