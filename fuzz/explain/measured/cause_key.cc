#include "fuzz/explain/measured/cause_key.h"

#include <algorithm>
#include <cstdio>

#include "fuzz/explain/questions/digit.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// `text` with `shown(digits, text before them, text behind them)` in place of each number, except in names
/// such as src0.
template <class Shown>
std::string with_each_number(std::string_view text, Shown shown) {
  std::string result;
  for (std::size_t n = 0; n < text.size();) {
    const std::size_t start = n;
    while (n < text.size() && is_digit(text[n])) ++n;
    if (n == start || (start > 0 && is_letter(text[start - 1]))) {
      n = std::max(n, start + 1);
      result += text.substr(start, n - start);
      continue;
    }
    result += shown(std::string(text.substr(start, n - start)), text.substr(0, start), text.substr(n));
  }
  return result;
}

std::string without_numbers(std::string_view text) {
  return with_each_number(text, [](const std::string&, std::string_view, std::string_view) { return "#"; });
}

/// Does `text` end with a word for what is counted alike in every element type?
bool counts_no_lanes(std::string_view text) {
  constexpr std::string_view kWords[] = {"data block ",  "bit ",         "lowest ",
                                         "repeat ",      "pattern ",     "groups of ",
                                         "element mod ", "element xor ", "lane mod "};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return text.ends_with(word); });
}

/// Numbers that only say how many lanes the type has become parts of a repeat: of f16, 127 becomes "P-1".
/// `blocks`: the number of lanes of a data block becomes "P/8" too, and 120 becomes "P-8".
std::string with_parts_of_repeat(std::string_view text, unsigned lanes, bool blocks) {
  const auto shown = [&](const std::string& digits, std::string_view before, std::string_view behind) {
    if (counts_no_lanes(before) || behind.starts_with(" bytes")) return digits;
    std::string part = digits;
    for (const auto& [of, name] : {std::pair{lanes, "P"}, {lanes / 2, "P/2"}, {lanes / 8, "P/8"}}) {
      if (of == lanes / 8 && !blocks) continue;
      if (of > 1 && digits == std::to_string(of)) part = name;
      if (of > 1 && digits == std::to_string(of - 1)) part = std::string(name) + "-1";
    }
    if (blocks && lanes >= 64 && digits == std::to_string(lanes - lanes / 8)) return std::string("P-P/8");
    for (unsigned less = 2; blocks && less <= lanes / 8; ++less)
      if (digits == std::to_string(lanes - less)) part = "P-" + std::to_string(less);
    return part;
  };
  return with_each_number(text, shown);
}

/// Is the difference that an operand takes other strides than its own?
bool says_strides(const Difference& difference) {
  constexpr std::string_view kSaid[] = {" walks with ",
                                        " bits of its block stride",
                                        " bits of its repeat stride",
                                        " bit of its block stride",
                                        " bit of its repeat stride",
                                        " stride for a signed byte",
                                        " takes a block stride of 0 as ",
                                        " takes a repeat stride of 0 as "};
  return std::ranges::any_of(
      kSaid, [&](std::string_view words) { return difference.what.find(words) != std::string::npos; });
}

/// "src1 walks with the repeat stride of src0": which stride differs depends on the numbers of a case. All
/// sources may share the code that takes their strides.
std::string key_of_strides(const Difference& difference, const Instruction& insn) {
  constexpr std::string_view kOwner = " stride of ", kOwn = " instead of its own";
  const std::string& what = difference.what;
  // An instruction with one source shares the code that takes the first of two.
  const std::string map(name_of(difference.map == MapKind::src0 ? MapKind::src : difference.map));
  if (const std::size_t at = what.find(kOwner); what.find(kOwn) != std::string::npos) {
    const std::size_t from = at + kOwner.size();
    return map + ": walks with the strides of " + what.substr(from, what.find(' ', from) - from);
  }
  const std::string role = is_source(difference.map) ? "src" : map;
  if (what.find("instead of") == std::string::npos) {  // a law of all strides, behind "src0 of add.f16 "
    std::string law = what.substr(what.find(' ', what.find(" of ") + 4) + 1);
    for (const char* const same : {", for a count of its own", ", if the mask mode is counter mode before"})
      replace_all(law, same, ", in counter mode");
    // A condition may show in part, and "whatever is given" may not show beside it.
    if (const std::size_t condition = law.find(" if "); condition != std::string::npos)
      law = law.substr(0, condition + 3);
    replace_all(law, ", whatever is given", "");
    replace_all(law, ", if", " if");
    if (difference.where.starts_with("if ") && !law.ends_with(" if")) law += " if";
    const bool of_any_operand = difference.stride || row_of(insn.op).compacts;
    return (of_any_operand ? std::string(kStridesKey) : role + ": ") + law;
  }
  const bool of_zero = what.find("instead of 0") != std::string::npos;
  return role + (of_zero ? ": does not follow a stride of 0" : ": walks with other strides");
}

/// "all lanes are gated by slots 1..64 instead of 0..63" without the number of lanes.
std::string with_relative_slots(const std::string& what, unsigned lanes) {
  constexpr const char* kForm = "all lanes are gated by slots %u..%u instead of 0..%u";
  unsigned from = 0, to = 0, last = 0;
  if (std::sscanf(what.c_str(), kForm, &from, &to, &last) != 3) return what;
  if (last + 1 != lanes || to - from != last) return what;
  return "all lanes are gated by slots " + std::to_string(from) + " further";
}

/// "lanes 1..7, 9..15, 17..23" and so on up to the last lane becomes "lanes 1..7 of every 8". Of several data
/// blocks, all types have the same bytes: "lanes 24..31, 56..63 .." of f16 becomes "bytes 48..63 of every
/// 64".
std::string with_periodic_lanes(const std::string& what, unsigned lanes, unsigned size) {
  constexpr std::string_view kStart = "lanes ";
  if (!what.starts_with(kStart)) return what;
  std::vector<std::pair<unsigned, unsigned>> ranges;
  std::size_t at = kStart.size();
  for (;;) {
    unsigned from = 0, to = 0;
    int length = 0;
    if (std::sscanf(what.c_str() + at, "%u..%u%n", &from, &to, &length) != 2) return what;
    ranges.emplace_back(from, to);
    at += static_cast<std::size_t>(length);
    if (what.compare(at, 2, ", ") != 0) break;
    at += 2;
  }
  if (ranges.size() < 2) return what;
  const unsigned period = ranges[1].first - ranges[0].first;
  for (std::size_t n = 0; n < ranges.size(); ++n)
    if (ranges[n].first != ranges[0].first + n * period || ranges[n].second != ranges[0].second + n * period)
      return what;
  if (ranges.back().second + period < lanes) return what;
  const bool of_blocks = period * size > kBlockBytes && period * size % kBlockBytes == 0;
  const unsigned unit = of_blocks ? size : 1;
  return (of_blocks ? "bytes " : "lanes ") + std::to_string(ranges[0].first * unit) + ".." +
         std::to_string((ranges[0].second + 1) * unit - 1) + " of every " + std::to_string(period * unit) +
         what.substr(at);
}

/// A length or count is the same number, whoever brings it. A value behind it may follow from the type.
std::string key_of_lengths(std::string what) {
  for (const std::string form :
       {" of its own", " from the register", "for a count ", "in counter mode ", "an instruction such as "})
    replace_all(what, form, "");
  constexpr std::string_view kTakes = "takes ", kBehind = " for the elements of the last repeat behind";
  const std::size_t from = what.find(kTakes), to = what.find(kBehind);
  if (from < to && to != std::string::npos) what.erase(from + kTakes.size(), to - from - kTakes.size());
  return what;
}

/// A reduction counts what others write, and an example is one of many.
std::string key_of_gates(std::string what) {
  if (what.find("not gated by any single slot") != std::string::npos) return "not gated by any single slot";
  what = what.substr(0, what.find(", for example"));
  replace_all(what, "the part of the mask for these lanes", "the mask");
  replace_all(what, std::string(kOfOwnMask), "");
  replace_all(what, std::string(kOfBits), "");
  replace_all(what, "counted", "written");
  replace_all(what, "left out", "kept");
  // The same law where a data block of dst has another number of lanes.
  for (const std::string_view start : {"the first lanes (", "the last lanes ("})
    if (what.starts_with(start)) what.erase(start.size() - 2, what.find(')') + 3 - start.size());
  replace_all(what, "the first slot of their data block (", "");
  replace_all(what, ") instead of their own", " instead of each by its own slot");
  // Which lanes have such a slot at all depends on the type.
  constexpr std::string_view kGated = " are gated by slot ", kFormula = " * lane";
  const std::size_t gated = what.find(kGated), formula = what.find(kFormula);
  if (what.starts_with("lanes ") && gated < formula && formula != std::string::npos)
    what.replace(0, gated, "lanes");
  return what;
}

/// "lanes 64..127": those that are written under no mask, or that no result counts. Nothing if `what` says
/// something else.
std::optional<std::string> lanes_never_written(MapKind map, const std::string& what, unsigned lanes) {
  const auto before = [&](std::string_view words) -> std::optional<std::string> {
    const std::size_t at = what.find(words);
    return at == std::string::npos ? std::nullopt : std::optional(what.substr(0, at));
  };
  if (map == MapKind::contribution &&
      what == "the last lane of each repeat, is left out of every result, even under a full mask")
    return "lane " + std::to_string(lanes - 1);
  if (map != MapKind::gate && map != MapKind::dst) return {};
  for (const std::string verb : {" are", " is"}) {
    if (auto those = before(verb + " never written")) return those;
    if (map != MapKind::dst || !what.ends_with(verb + " not written")) continue;
    if (what.starts_with("bit ")) return "lane " + before(verb)->substr(4);
    if (what.starts_with("lane")) return before(verb);
  }
  return {};
}

/// The first lane of each result, which counts whatever its slot is.
bool says_first_lanes_count(const std::string& what, const Instruction& insn) {
  const unsigned results = results_per_repeat(insn);
  if (results == 1) return what == "lane 0 is written, whatever its slot is, if the mask is not empty";
  return results == kRepeatBlocks &&
         what.starts_with("lanes 0, " + std::to_string(per_block(insn.src_type)) + " .. ") &&
         what.ends_with(" are written if any slot of their data block is 1");
}

/// "lanes 1..7 of every 8": these numbers say nothing of the type. A letter before them marks them as names.
std::string with_named_lanes(std::string what) {
  const std::size_t every = what.find(" of every ");
  const bool of_bytes = what.starts_with("bytes ");
  if ((!of_bytes && !what.starts_with("lanes ")) || every == std::string::npos) return what;
  std::string first = what.substr(0, every), rest = what.substr(every);
  replace_all(first, of_bytes ? "bytes " : "lanes ", of_bytes ? "bytes n" : "lanes n");
  replace_all(first, "..", "..n");
  replace_all(rest, " of every ", " of every n");
  return first + rest;
}

/// What is said without the name of the instruction. Not every instruction can be given a count.
std::string said_of_any(const Difference& difference, const Instruction& insn) {
  std::string what = difference.general.empty() ? difference.what : difference.general;
  replace_all(what, " of src0 and src1 ", " of src ");
  for (const std::string& each :
       {" of " + mnemonic(insn), mnemonic(insn) + " ", std::string(", but not with a count of its own"),
        std::string(", but not with a count from the register"), std::string(", but not in counter mode")})
    replace_all(what, each, "");
  return what;
}

}  // namespace

std::string cause_key(const Difference& difference, const Instruction& insn, bool plain) {
  if (!difference.key.empty()) return difference.key;
  std::string what = said_of_any(difference, insn);
  // An instruction with one source shares the code that takes the first of two.
  const std::string map(name_of(difference.map == MapKind::src0 ? MapKind::src : difference.map));
  if (says_strides(difference)) return key_of_strides(difference, insn);
  if (const std::size_t apart = what.find(" bytes apart instead of "); apart != std::string::npos) {
    const std::size_t from = what.find_first_of(":,", apart);  // ", as if": what stands behind the distance
    return map + ": " + (from == std::string::npos ? what.substr(0, apart) : "repeats" + what.substr(from));
  }
  if (const std::size_t extra = what.find(" of dst that it must not write"); extra != std::string::npos)
    return map + ": writes elements" + what.substr(extra, 30);
  if (difference.map == MapKind::length) what = key_of_lengths(std::move(what));
  if (difference.map == MapKind::mask_register) {
    replace_all(what, " slots 0.." + std::to_string(lanes_of(insn) - 1) + " of the mask",
                " all slots of the mask");
    replace_all(what, ", in normal mode", "");  // not every instruction can be asked in counter mode
    what = without_numbers(what);
  }
  replace_all(what, ", in place (dst is also src1)", ", in place (dst is also the first source)");
  if (difference.of_all_sorts) {  // its numbers are those of queues
    replace_all(what, ", also those of one queue", "");
    return map + ": " + what;
  }
  if (difference.map == MapKind::gate) what = key_of_gates(std::move(what));
  // Of an 8-bit type, the mask reaches the first 128 lanes only.
  const unsigned lanes = std::min(lanes_of(insn), 128u);
  for (const unsigned all : {lanes_of(insn), lanes})
    replace_all(what, "lanes 0.." + std::to_string(all - 1) + " ", "all lanes ");
  what = with_periodic_lanes(with_relative_slots(what, lanes), lanes, size_of(insn.dst_type));
  if (difference.map == MapKind::gate) {  // a data block of dst may be another part of a repeat
    const std::string per = std::to_string(per_block(insn.dst_type));
    replace_all(what, "lanes 1.." + std::to_string(per_block(insn.dst_type) - 1) + " of every " + per,
                "all lanes of a data block except its first");
    replace_all(what, "lane - lane mod " + per, "of its data block's first lane");
    const std::string last = std::to_string(per_block(insn.dst_type) - 1);
    replace_all(what, "slot lane xor " + last + " ", "the slot of its mirror image in the data block ");
    if (what.starts_with("lanes " + per + "..") &&
        what.find(" are gated by slot lane mod " + per + " ") != std::string::npos)
      what = "all lanes are gated by the slots of the first data block";
    if (says_first_lanes_count(what, insn)) what = "the first lane of each result counts if another does";
  }
  what = with_named_lanes(std::move(what));
  // Under a full mask they are not written; nothing shows then whether a gate or an address is the cause.
  if (const auto never = lanes_never_written(difference.map, what, lanes)) {
    const bool is_last = *never == "lane " + std::to_string(lanes_of(insn) - 1);  // of 256, too
    return "gate: " + with_parts_of_repeat(*never, is_last ? lanes_of(insn) : lanes, true) +
           " are never written";
  }
  if (!difference.where.empty()) what += " in some repeats";
  // Elsewhere a number such as 8 may be a distance or a data block of every type.
  if (row_of(insn.op).compacts && (!difference.only_example || what.find("pattern") != std::string::npos))
    return map + ": " + what;
  const bool by_block = results_per_repeat(insn) == kRepeatBlocks;  // "result 7" of any type
  const bool of_bits = row_of(insn.op).compares;  // bytes and words of bits are the same in each type
  const bool counts_lanes =
      difference.map == MapKind::gate || (difference.map == MapKind::dst && !by_block && !of_bits) ||
      (difference.map == MapKind::length && what.find(" bits of ") == std::string::npos);
  return map + ": " + (plain ? with_parts_of_repeat(what, lanes, counts_lanes) : without_numbers(what));
}

}  // namespace lanecheck
