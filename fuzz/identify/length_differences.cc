#include "fuzz/identify/length_differences.h"

#include <algorithm>

#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// How many elements take part for a length, and how this is said.
struct LengthRule {
  std::string text;
  std::function<std::uint32_t(std::uint32_t length)> reach;
};

std::string elements(std::uint32_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

/// What the number of elements is called.
std::string name_of(MaskGiven given) {
  switch (given) {
    case MaskGiven::contiguous:
    case MaskGiven::length:
      return "the length n";
    case MaskGiven::words:
    case MaskGiven::total:
    case MaskGiven::count:
      break;
  }
  return "the count n";
}

/// "in counter mode add.f16 ": how the number is given, and to what.
std::string start_of(const Subject& subject, MaskGiven given) {
  const std::string name = mnemonic(subject.insn);
  switch (given) {
    case MaskGiven::total:
      return "in counter mode " + name + " ";
    case MaskGiven::count:
      return "for a count of its own " + name + " ";
    case MaskGiven::contiguous:
      return "for a contiguous mask of its own " + name + " ";
    case MaskGiven::length:
      return "for a contiguous mask from the register " + name + " ";
    case MaskGiven::words:
      break;
  }
  return name + " ";
}

/// One element or two more or less, in all repeats together or within the last one, and the count modulo a
/// power of two.
void add_shifts_and_bits(std::vector<LengthRule>& rules, const std::string& n, std::uint32_t lanes,
                         bool in_repeats) {
  for (const std::uint32_t by : {1u, 2u}) {
    const auto whole = [lanes](std::uint32_t length) { return (length + lanes - 1) / lanes * lanes; };
    const std::string more = "takes " + elements(by) + " more than " + n;
    if (in_repeats) rules.push_back({more, [=](std::uint32_t length) { return length + by; }});
    rules.push_back({more + ", except if n fills " + (in_repeats ? "the last repeat" : "the repeat"),
                     [=](std::uint32_t length) { return std::min(length + by, whole(length)); }});
    rules.push_back({"takes " + elements(by) + " less than " + n,
                     [=](std::uint32_t length) { return length > by ? length - by : 0; }});
  }
  for (unsigned bits = 1; bits <= 16; ++bits)
    rules.push_back({"uses only the lowest " + std::to_string(bits) + " bits of " + n + " (n mod " +
                         std::to_string(1u << bits) + ")",
                     [=](std::uint32_t length) { return length & ((1u << bits) - 1); }});
}

/// The length in whole data blocks, repeats or powers of two.
void add_multiples(std::vector<LengthRule>& rules, const Subject& subject, const std::string& n,
                   bool in_repeats) {
  const unsigned lanes = lanes_of(subject.insn);
  struct Unit {
    unsigned size;
    std::string name;
  };
  std::vector<Unit> units;
  if (in_repeats) units.push_back({lanes, "repeat"});
  units.push_back({lanes / kRepeatBlocks, "data block"});
  for (const unsigned size : {2u, 4u, 8u, 16u, 32u}) units.push_back({size, ""});
  for (const Unit& unit : units) {
    const std::string whole =
        unit.name.empty() ? "groups of " + elements(unit.size) : unit.name + "s of " + elements(unit.size);
    const std::string last = "the last " + (unit.name.empty() ? "group" : unit.name);
    rules.push_back({"takes whole " + whole + ": " + last + " takes part in full, also past " + n,
                     [size = unit.size](std::uint32_t length) { return (length + size - 1) / size * size; }});
    rules.push_back({"takes whole " + whole + " only: " + last + " is left out if " + n + " does not fill it",
                     [size = unit.size](std::uint32_t length) { return length / size * size; }});
  }
}

std::vector<LengthRule> rules_for(const Subject& subject, MaskGiven given, const LengthMap& measured) {
  const bool in_repeats = given == MaskGiven::total || given == MaskGiven::count;
  const std::uint32_t lanes = measured.lanes;
  const std::string n = name_of(given);
  std::uint32_t most = 0;
  for (const LengthAnswer& answer : measured.answers) most = std::max(most, answer.reach);
  std::vector<LengthRule> rules;
  if (most == 0)
    rules.push_back({"takes no element, whatever " + n + " is", [](std::uint32_t) { return 0u; }});
  rules.push_back(
      {"takes " + elements(most) + ", whatever " + n + " is", [=](std::uint32_t) { return most; }});
  add_shifts_and_bits(rules, n, lanes, in_repeats);
  add_multiples(rules, subject, n, in_repeats);
  std::string limit = "stops after " + elements(most);
  if (in_repeats && most % lanes == 0)
    limit = most == lanes ? "stops after repeat 0, which is all of its repeat times"
                          : "stops after " + std::to_string(most / lanes) + " repeats of " + elements(lanes);
  rules.push_back(
      {limit + ", however large " + n + " is", [=](std::uint32_t length) { return std::min(length, most); }});
  return rules;
}

/// Are exactly the first `reach` elements written? Of a reduction, only the reach is known.
bool is_prefix(const LengthAnswer& answer) {
  const auto end =
      answer.written.begin() + std::min<std::ptrdiff_t>(answer.reach, std::ssize(answer.written));
  return std::find(answer.written.begin(), end, false) == end;
}

/// In each repeat that the count reaches, as many elements as the whole count.
bool counts_in_each_repeat(const LengthMap& measured) {
  return std::ranges::all_of(measured.answers, [&](const LengthAnswer& answer) {
    const std::uint32_t lanes = measured.lanes, in_one = std::min(answer.length, lanes);
    const std::uint32_t repeats = (answer.length + lanes - 1) / lanes;
    if (answer.written.empty()) return answer.reach == (repeats - 1) * lanes + in_one;
    for (std::uint32_t e = 0; e < answer.written.size(); ++e)
      if (answer.written[e] != (e / lanes < repeats && e % lanes < in_one)) return false;
    return true;
  });
}

std::string example(const LengthMap& measured, const LengthMap& documented, const std::string& n) {
  for (std::size_t k = 0; k < measured.answers.size(); ++k) {
    const LengthAnswer &is = measured.answers[k], &should = documented.answers[k];
    if (is.reach == should.reach && is.written == should.written) continue;
    std::string text =
        "does not take the first n elements, for example if " + n + " is " + std::to_string(is.length) + ": ";
    if (is.reach == 0) return text + "none";
    if (is_prefix(is)) return text + "the first " + std::to_string(is.reach);
    return text + "some of the first " + std::to_string(is.reach);
  }
  return {};
}

}  // namespace

std::vector<Difference> length_differences(const Subject& subject, MaskGiven given, const LengthMap& measured,
                                           const LengthMap& documented) {
  const auto agrees = [&](const auto& reach) {
    for (std::size_t k = 0; k < measured.answers.size(); ++k)
      if (measured.answers[k].reach != reach(k)) return false;
    return true;
  };
  const bool prefixes = std::ranges::all_of(measured.answers, is_prefix);
  if (prefixes && agrees([&](std::size_t k) { return documented.answers[k].reach; })) return {};
  const std::string start = start_of(subject, given);
  if (prefixes)
    for (const LengthRule& rule : rules_for(subject, given, measured))
      if (agrees([&](std::size_t k) { return rule.reach(measured.answers[k].length); }))
        return {{"length", start + rule.text, {}}};
  if (counts_in_each_repeat(measured))
    return {
        {"length", start + "lets each repeat take the first n elements instead of all repeats together", {}}};
  return {{"length", start + example(measured, documented, name_of(given)), {}, true}};
}

}  // namespace lanecheck
