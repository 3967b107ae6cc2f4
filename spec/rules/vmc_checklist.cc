// The rules of Vector Mask Constraints (VMC), sections 6 and 7: the two patterns and the checklist.
#include "spec/rules/documents.h"
#include "spec/rules/relation.h"
#include "spec/rules/vmc_lists.h"

namespace lanecheck {
namespace {

using namespace relation;
using namespace vmc;

constexpr Rule kChecklistRules[] = {
    {.id = "VMC-6-pattern-a",
     .claim = "Elementwise: the full result is computed, and written only where the slot is 1.",
     .source = {kVmc, "6"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_gated(c.op) && mixed(c); },
     .holds = gates_writeback_alone},
    {.id = "VMC-6-pattern-b",
     .claim = "Additive reductions: masked-off sources act like 0, and a result with an active lane is "
              "written normally.",
     .source = {kVmc, "6"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_additive(c.op) && mixed(c); },
     .holds = [](const Step& s) { return neutralises_masked_off(s) && stays_in_footprint(s); }},
    {.id = "VMC-7-default-ones",
     .claim = "Checklist: the default mask is all ones.",
     .source = {kVmc, "7"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return consumes(c.op) && runs(c) && c.origin == MaskOrigin::initial; },
     .holds = [](const Step& s) { return same_bytes(s.after.ub, s.unmasked.ub); }},
    {.id = "VMC-7-set-mask-range",
     .claim = "Checklist: set_mask changes slots 0 to 127 and no other.",
     .source = {kVmc, "7"},
     .standing = Standing::documented,
     .applies = sets,
     .holds = [](const Step& s) { return both_words_arrive(s) && upper_half_stays(s); }},
    {.id = "VMC-7-reset-full",
     .claim = "Checklist: reset_mask restores all ones.",
     .source = {kVmc, "7"},
     .standing = Standing::documented,
     .applies = resets,
     .holds = register_is_full},
    {.id = "VMC-7-keeps-dst",
     .claim = "Checklist: masked-off lanes of writeback-gated instructions keep the old dst.",
     .source = {kVmc, "7"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_gated(c.op) && some_off(c); },
     .holds = keeps_masked_off},
    {.id = "VMC-7-contributes-zero",
     .claim = "Checklist: masked-off lanes of additive reductions contribute zero instead of preserving dst.",
     .source = {kVmc, "7"},
     .standing = Standing::documented,
     .applies = [](const Cell& c) { return is_additive(c.op) && mixed(c); },
     .holds = neutralises_masked_off},
};

}  // namespace

std::span<const Rule> vmc_checklist_rules() {
  return kChecklistRules;
}

}  // namespace lanecheck
