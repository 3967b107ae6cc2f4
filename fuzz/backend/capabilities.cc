#include "fuzz/backend/capabilities.h"

#include <algorithm>

#include "spec/program/profile.h"

namespace lanecheck {

bool Capabilities::include(const Instruction& insn, Profile profile) const {
  const Row& row = row_of(insn.op);
  const auto fits = [](const std::string& asked, std::string_view is) {
    return asked.empty() || asked == is;
  };
  const auto takes = [&](const Capability& offer) {
    if (!fits(offer.instruction, row.name) || !fits(offer.profile, row_of(profile).name) ||
        (insn.mask_from == MaskFrom::count && !fits(offer.mode, "counter")))
      return false;
    return !row.typed() ||
           (fits(offer.dst, name_of(insn.dst_type)) && fits(offer.src, name_of(insn.src_type)));
  };
  return everything || std::ranges::any_of(rows, takes);
}

std::vector<Instruction> restrict_to(const Capabilities& offers, Program& program) {
  std::vector<Instruction> left_out;
  if (offers.everything) return left_out;
  std::erase_if(program.instructions, [&](const Instruction& insn) {
    if (offers.include(insn, program.profile)) return false;
    left_out.push_back(insn);
    return true;
  });
  return left_out;
}

}  // namespace lanecheck
