#include "fuzz/backend/capabilities.h"

#include <algorithm>

#include "spec/program/profile.h"
#include "spec/text/did_you_mean.h"

namespace lanecheck {
namespace {

bool fits(std::string_view asked, std::string_view is) {
  return asked.empty() || asked == is;
}

bool fits(const Capability& offer, const TypePair& pair) {
  return fits(offer.dst, name_of(pair.dst)) && fits(offer.src, name_of(pair.src));
}

/// Does `offer` match some types of `row`? An offer that names types matches no instruction without types.
bool matches(const Capability& offer, const Row& row, Profile profile) {
  if (!fits(offer.instruction, row.name) || !fits(offer.profile, row_of(profile).name)) return false;
  const TypeList& types = row.in(profile);
  if (!types.offered) return false;
  if (!row.typed()) return !offer.instruction.empty() || (offer.dst.empty() && offer.src.empty());
  return std::ranges::any_of(types.pairs, [&](const TypePair& pair) { return fits(offer, pair); });
}

bool matches_any(const Capability& offer) {
  return std::ranges::any_of(instruction_table(), [&](const Row& row) {
    return std::ranges::any_of(kEveryProfile, [&](Profile profile) { return matches(offer, row, profile); });
  });
}

/// "a, b, c", each name once.
class NameList {
 public:
  void add(std::string_view name) {
    if (std::ranges::find(names_, name) != names_.end()) return;
    names_.emplace_back(name);
    text_.append(text_.empty() ? "" : ", ").append(name);
  }
  const std::string& text() const { return text_; }

 private:
  std::vector<std::string> names_;
  std::string text_;
};

std::string element_types() {
  NameList names;
  for (const Element type : kElements) names.add(name_of(type));
  return names.text();
}

std::string instruction_names() {
  NameList names;
  for (const Row& row : instruction_table()) names.add(row.name);
  return names.text();
}

/// The types (and, without types, the profiles) that exist for the instruction of an offer.
std::string alternatives(const Row& row, const std::string& profile_name) {
  NameList types, profiles;
  for (const Profile profile : kEveryProfile) {
    if (row.in(profile).offered) profiles.add(row_of(profile).name);
    if (!fits(profile_name, row_of(profile).name)) continue;
    for (const TypePair& pair : row.in(profile).pairs)
      types.add("dst " + std::string(name_of(pair.dst)) + " with src " + std::string(name_of(pair.src)));
  }
  const std::string name(row.name);
  if (types.text().empty()) return name + " exists in the profiles " + profiles.text();
  return name + " exists with " + types.text();
}

/// What is wrong with a row; "" if it matches an instruction.
std::string fault_of(const Capability& offer) {
  if (!offer.instruction.empty() && find_row(offer.instruction) == nullptr)
    return "there is no instruction '" + offer.instruction + "'; there are: " + instruction_names() +
           did_you_mean_instruction(offer.instruction);
  for (const std::string& type : {offer.dst, offer.src})
    if (!type.empty() && !element_named(type))
      return "there is no element type '" + type + "'; there are: " + element_types();
  if (!offer.profile.empty() && find_profile(offer.profile) == nullptr)
    return "there is no profile '" + offer.profile + "'; " + profile_names();
  if (!offer.mode.empty() && std::ranges::find(kModeNames, offer.mode) == std::end(kModeNames))
    return "there is no mode '" + offer.mode + "'; there are: normal, counter";
  if (matches_any(offer)) return {};
  if (offer.instruction.empty()) return "no instruction has these types in this profile";
  return alternatives(*find_row(offer.instruction), offer.profile);
}

/// {"instruction": "add", "dst": "u8"}
std::string text_of(const Capability& offer) {
  std::string text;
  for (const auto& [field, value] : fields_of(offer)) {
    if (value.empty()) continue;
    text.append(text.empty() ? "{\"" : ", \"").append(field).append("\": \"");
    text.append(value.substr(0, 60)).append("\"");
  }
  return text + "}";
}

}  // namespace

std::string fault_of(const Capabilities& offers) {
  for (std::size_t n = 0; n < offers.rows.size(); ++n)
    if (const std::string fault = fault_of(offers.rows[n]); !fault.empty())
      return "offers[" + std::to_string(n) + "] = " + text_of(offers.rows[n]) +
             " matches no instruction: " + fault;
  return {};
}

bool Capabilities::include(const Instruction& insn, Profile profile) const {
  const Row& row = row_of(insn.op);
  const auto takes = [&](const Capability& offer) {
    if (!fits(offer.instruction, row.name) || !fits(offer.profile, row_of(profile).name) ||
        (insn.mask_from == MaskFrom::count && !fits(offer.mode, "counter")))
      return false;
    return !row.typed() ||
           (fits(offer.dst, name_of(insn.dst_type)) && fits(offer.src, name_of(insn.src_type)));
  };
  return everything || std::ranges::any_of(rows, takes);
}

bool Capabilities::include_all_of(const Program& program) const {
  return everything || std::ranges::all_of(program.instructions, [&](const Instruction& insn) {
           return include(insn, program.profile);
         });
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
