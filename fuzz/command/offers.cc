// lanecheck offers: every instruction of a profile, as text or as JSON.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "fuzz/command/options.h"
#include "reports/exit_code.h"
#include "reports/json_report.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Json = nlohmann::ordered_json;

constexpr MaskFrom kMaskForms[] = {MaskFrom::reg, MaskFrom::contiguous, MaskFrom::bitwise, MaskFrom::count};

std::string_view shown(MaskFrom from) {
  switch (from) {
    case MaskFrom::reg:
      return "";
    case MaskFrom::contiguous:
      return "mask n";
    case MaskFrom::bitwise:
      return "mask high:low";
    case MaskFrom::count:
      return "count n";
  }
  return "";
}

void print_parameters(const Row& row, Profile profile) {
  const char* separator = "  ";
  const auto next = [&](std::string_view text) {
    std::cout << separator << text;
    separator = ", ";
  };
  if (row.has_words) next("high, low");
  for (const OperandColumn& column : row.operands) {
    next(column.role);
    if (shows_block_stride(column.walk))
      std::cout << " (block stride, repeat stride)";
    else if (shows_repeat_stride(column.walk))
      std::cout << " (repeat stride)";
  }
  if (row.has_scalar) next("scalar");
  if (row.lengths > 0) next(std::to_string(row.lengths) + (row.lengths == 1 ? " length" : " lengths"));
  for (const SettingColumn& column : row.settings) next(column.name);
  for (const MaskFrom from : kMaskForms)
    if (from != MaskFrom::reg && has_form(mask_forms(row, profile), from)) next(shown(from));
  if (row.has_repeat) next("repeat");
}

void print_offers(Profile profile) {
  for (const Row& row : instruction_table()) {
    if (!row.in(profile).offered) continue;
    std::cout << row.name;
    print_parameters(row, profile);
    if (row_of(profile).names_api) std::cout << "  [" << row.api << "]";
    std::cout << '\n';
    if (row.in(profile).pairs.empty()) continue;
    std::cout << "   ";
    for (const TypePair& pair : row.in(profile).pairs) {
      std::cout << ' ' << name_of(pair.dst);
      if (pair.src != pair.dst) std::cout << '<' << name_of(pair.src);
    }
    std::cout << '\n';
  }
}

template <std::size_t N>
Json names_in(std::uint8_t modes, const std::string_view (&names)[N]) {
  Json list = Json::array();
  for (unsigned n = 0; n < N; ++n)
    if ((modes >> n & 1) != 0) list.push_back(names[n]);
  return list;
}

/// One mnemonic: the instruction in the element types `pair`, or without types if there are none.
Json mnemonic_json(const Row& row, const TypePair* pair) {
  Instruction insn;
  insn.op = row.op;
  if (pair != nullptr) {
    insn.dst_type = pair->dst;
    insn.src_type = pair->src;
  }
  Json json = {{"mnemonic", mnemonic(insn)}};
  if (pair == nullptr) return json;
  json["dst"] = name_of(pair->dst);
  json["src"] = name_of(pair->src);
  if (takes_scalar(insn)) json["scalar"] = name_of(scalar_type(insn));
  if (row.rounds) json["round"] = names_in(pair->modes, kRoundNames);
  if (row.compares)  // no list of modes means that all are on offer
    json["compare"] = names_in(pair->modes != 0 ? pair->modes : std::uint8_t{0xff}, kCompareNames);
  return json;
}

Json instruction_json(const Row& row, Profile profile) {
  Json json = {{"instruction", row.name}, {"api", row.api}};
  json["mnemonics"] = Json::array();
  for (const TypePair& pair : row.in(profile).pairs) json["mnemonics"].push_back(mnemonic_json(row, &pair));
  if (row.in(profile).pairs.empty()) json["mnemonics"].push_back(mnemonic_json(row, nullptr));
  json["operands"] = Json::array();
  for (const OperandColumn& column : row.operands)
    json["operands"].push_back({{"role", column.role},
                                {"block_stride", shows_block_stride(column.walk)},
                                {"repeat_stride", shows_repeat_stride(column.walk)}});
  json["settings"] = Json::array();
  for (const SettingColumn& column : row.settings)
    json["settings"].push_back({{"name", column.name}, {"least", column.least}, {"most", column.most}});
  json["lengths"] = row.lengths;
  json["mask_words"] = row.has_words;
  json["mask_from"] = Json::array();
  for (const MaskFrom from : kMaskForms)
    if (has_form(mask_forms(row, profile), from))
      json["mask_from"].push_back(kMaskFromNames[static_cast<std::size_t>(from)]);
  json["repeat"] = row.has_repeat;
  return json;
}

int offers_command(Profile profile, bool as_json) {
  if (!as_json) {
    print_offers(profile);
    return kConforms;
  }
  Json json = {{"schema", "lanecheck-offers-1"}, {"profile", row_of(profile).name}};
  json["instructions"] = Json::array();
  for (const Row& row : instruction_table())
    if (row.in(profile).offered) json["instructions"].push_back(instruction_json(row, profile));
  std::cout << dump(json) << '\n';
  return kConforms;
}

struct OffersCommand {
  ProfileGroup profile;
  bool json = false;
};

}  // namespace

void add_offers(CommandLine& line) {
  Command command =
      line.add("offers", "list every instruction with its operands and element types (dst<src)");
  const auto given = std::make_shared<OffersCommand>();
  given->profile.declare(command);
  command.flag("--json", given->json, "print JSON instead of text");
  command.footer(R"(What the fields mean is in fuzz/backend/protocol.md, section Programs.

Fields of --json, for each of `instructions`:
  instruction  the name without types
  api          what the API calls it
  mnemonics    the names that programs use. Each has `mnemonic` and, if it takes element types, `dst` and
               `src`; `scalar` is the type of its scalar, if it takes one; `round` (cast) and `compare`
               (compares) list the modes on offer
  operands     `role`, and whether a program gives its `block_stride` and `repeat_stride`
  settings     `name`, and the `least` and `most` legal value
  lengths      how many record counts it takes
  mask_words   true if the instruction itself takes the fields `high` and `low`
  mask_from    where its mask may come from: register, contiguous, bitwise, count
  repeat       true if it takes repeat times

Examples:
  lanecheck offers
  lanecheck offers --profile ascendc-a2
  lanecheck offers --profile tik --json)");
  command.action([given] { return offers_command(given->profile.profile(), given->json); });
}

}  // namespace lanecheck
