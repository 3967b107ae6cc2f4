// The kind of mask operand that an instruction takes, and the state of the register that it meets.
#include "spec/legality/find_fault.h"
#include "spec/legality/rows.h"

namespace lanecheck::legality {
namespace {

Complaint scalar_repeat_elsewhere(const Site& site) {
  if (row_of(site.program.profile).repeat_by_scalar || !site.insn().scalar_repeat) return {};
  return "only TIK takes repeat times from a Scalar";
}

Complaint no_such_operand(const Site& site) {
  const MaskFrom from = site.insn().mask_from;
  if (has_form(mask_forms(site.row(), site.program.profile), from)) return {};
  return std::string("takes no mask operand of the kind ")
      .append(kMaskFromNames[static_cast<std::size_t>(from)]);
}

Complaint meaning_left_open(const Site& site) {
  if (site.mask.mode != Mode::counter) return {};
  const Instruction& insn = site.insn();
  const Row& row = site.row();
  const bool never_counts = row.brings_own_mask() && insn.mask_from != MaskFrom::count;
  if (row.compares || insn.mask_from == MaskFrom::contiguous || never_counts)
    return "in counter mode the documents leave open what this means";
  const bool by_register = insn.mask_from == MaskFrom::reg && takes_mask(row);
  const bool by_operand = insn.mask_from == MaskFrom::bitwise;
  const std::uint64_t count = by_register ? site.mask.words[0] : insn.low;
  if ((by_register || by_operand) && count > kMostCount)
    return "in counter mode the documents leave open what a count above 2^32 - 1 means";
  if (by_operand && insn.high != 0) return "in counter mode the high word is to be 0";
  return {};
}

constexpr ProfileSet kEmptyRegisterIsOpen = p310;

Complaint register_is_empty(const Site& site) {
  const bool by_register = site.insn().mask_from == MaskFrom::reg && takes_mask(site.row());
  if (!by_register || site.mask.mode == Mode::counter || site.readings.zero_mask != ZeroMask::illegal)
    return {};
  if (site.mask.any_of(lanes_of(site.insn()))) return {};
  return "the register has no lane of this width on";
}

constexpr LegalityRule kRules[] = {
    {.position = 50,
     .id = "LAW-mask-form",
     .kind = "state",
     .claim = "The instruction takes a mask operand of this kind. Only TIK takes repeat times from a Scalar.",
     .source = {kSvm, "Prototype"},
     .profiles = every,
     .checks = {{Stage::repeat, scalar_repeat_elsewhere}, {Stage::mask, no_such_operand}}},
    {.position = 180,
     .id = "LAW-counter-open",
     .kind = "state",
     .claim = "In counter mode an instruction has no contiguous mask operand and is no gather, select or "
              "comparison, its count is at most 2^32 - 1, and the high word of its mask operand is 0. The "
              "documents leave open what anything else means.",
     .source = {kDevkit, "mask page (silent)"},
     .profiles = a2 | p310,
     .checks = {{Stage::mask, meaning_left_open}}},
    {.position = 190,
     .id = "LAW-register-open",
     .kind = "state",
     .claim =
         "The register has some lane on for an instruction that uses it; what happens otherwise is open on "
         "the inference products.",
     .source = {kSvm, "Function Usage (silent)"},
     .profiles = kEmptyRegisterIsOpen,
     .checks = {{Stage::mask, register_is_empty}}},
};

}  // namespace

std::span<const LegalityRule> mask_state_rules() {
  return kRules;
}

}  // namespace lanecheck::legality

namespace lanecheck {

bool may_meet_empty_register(Profile profile) {
  return !legality::kEmptyRegisterIsOpen.contains(profile);
}

}  // namespace lanecheck
