// The instruction is on offer, and so are its element types and modes.
#include "spec/legality/rows.h"

namespace lanecheck::legality {
namespace {

Complaint not_offered(const Site& site) {
  if (site.row().in(site.program.profile).offered) return {};
  return std::string("not in profile ").append(row_of(site.program.profile).name);
}

bool to_unoffered(EdgeSubject& s) {
  if (!s.outside) return true;
  for (const Row& other : instruction_table())
    if (other.form == s.row().form && !other.in(s.program.profile).offered) {
      s.insn.op = other.op;
      return true;
    }
  return false;
}

Complaint no_such_types(const Site& site) {
  const TypeList& list = site.row().in(site.program.profile);
  if (list.pairs.empty() || types_of(site.insn(), site.program.profile) != nullptr) return {};
  std::string offered;
  for (const TypePair& each : list.pairs) {
    offered.append(offered.empty() ? "" : ", ").append(name_of(each.dst));
    if (each.src != each.dst) offered.append(" from ").append(name_of(each.src));
  }
  return std::string("no ")
      .append(name_of(site.insn().dst_type))
      .append(" from ")
      .append(name_of(site.insn().src_type))
      .append("; offered: ")
      .append(offered);
}

Complaint no_such_types_to_pad(const Site& site) {
  return site.row().whole_blocks ? no_such_types(site) : Complaint{};
}
Complaint no_such_types_otherwise(const Site& site) {
  return site.row().whole_blocks ? Complaint{} : no_such_types(site);
}

bool to_drawn_type(EdgeSubject& s) {
  const auto& pairs = s.row().in(s.program.profile).pairs;
  if (pairs.empty() || s.insn.op == Op::set_cmpmask || s.insn.op == Op::get_cmpmask) return false;
  if (!s.outside) return true;
  const Element type = kElements[s.below(kElements.size())];
  if (s.row().compares)  // dst holds bits
    s.insn.src_type = type;
  else
    s.insn.dst_type = s.insn.src_type = type;
  s.insn.scalar = {};  // its bits may be none of the new type; 0 is a value of every type
  return types_of(s.insn, s.program.profile) == nullptr;
}

Complaint no_such_mode(const Site& site) {
  const Instruction& insn = site.insn();
  const TypePair* pair = types_of(insn, site.program.profile);
  if (pair == nullptr) return {};
  const auto offers = [&](auto mode) { return (pair->modes >> static_cast<unsigned>(mode) & 1) != 0; };
  if (site.row().rounds && !offers(insn.round))
    return std::string("this cast has no round mode ").append(kRoundNames[static_cast<unsigned>(insn.round)]);
  if (site.row().compares && pair->modes != 0 && !offers(insn.compare))
    return std::string("this comparison has no mode ")
        .append(kCompareNames[static_cast<unsigned>(insn.compare)]);
  return {};
}

bool to_drawn_mode(EdgeSubject& s) {
  const TypePair* pair = types_of(s.insn, s.program.profile);
  if (pair == nullptr || pair->modes == 0) return false;
  const bool comparison = s.row().compares;
  const auto modes = comparison ? std::size(kCompareNames) : std::size(kRoundNames);
  const unsigned mode = s.below(static_cast<unsigned>(modes));
  if (((pair->modes >> mode & 1) == 0) != s.outside) return false;
  if (comparison)
    s.insn.compare = static_cast<Compare>(mode);
  else
    s.insn.round = static_cast<Round>(mode);
  return true;
}

constexpr LegalityRule kTypeRules[] = {
    {.position = 20,
     .id = "LAW-offered",
     .kind = "types",
     .claim = "The instruction is one of the profile.",
     .source = {kDevkit, "the page of each instruction"},
     .profiles = every,
     .checks = {{Stage::types, not_offered}},
     .edge = to_unoffered},
    {.position = 30,
     .id = "LAW-types",
     .kind = "types",
     .claim = "The element types are on offer for the instruction.",
     .source = {kDevkit, "the page of each instruction"},
     .profiles = every,
     .checks = {{Stage::types, no_such_types_otherwise}},
     .edge = to_drawn_type},
    {.position = 330,
     .id = "VP-types",
     .kind = "types",
     .claim = "The element type is i16, u16, f16, i32, u32 or f32, the same for dst and src.",
     .source = {kVp, "Table 1"},
     .profiles = p310,
     .checks = {{Stage::types, no_such_types_to_pad}},
     .edge = to_drawn_type},
    {.position = 40,
     .id = "LAW-round-mode",
     .kind = "types",
     .claim =
         "The round mode of a cast is on offer for its element types. A comparison of i32 has the mode EQ.",
     .source = {kDevkit, "Cast, Compare"},
     .profiles = vmc | a2,
     .checks = {{Stage::types, no_such_mode}},
     .edge = to_drawn_mode},
};

}  // namespace

std::span<const LegalityRule> type_rules() {
  return kTypeRules;
}

}  // namespace lanecheck::legality
