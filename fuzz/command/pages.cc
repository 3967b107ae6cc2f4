// The commands that show what the documents say: rules with their coverage, the catalogue of rules and
// readings (Markdown), and the report on what the documents leave open.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>

#include "fuzz/command/commands.h"
#include "fuzz/explain/difference.h"
#include "fuzz/run/rule_coverage.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kCoverageCases = 8'000;

std::string_view title_of(std::string_view document) {
  static const std::map<std::string_view, std::string_view> titles = {
      {kVmc, "Vector Mask Constraints (cannbot-skills, A2 simulator)"},
      {kSvm, "SetVectorMask (Ascend C API)"},
      {kGm, "gather_mask (pyasc API)"},
      {kVp, "VectorPadding (ISASI) (Ascend C API)"},
      {kTik, "TIK, general format of instructions with a vector and a scalar source"}};
  const auto found = titles.find(document);
  return found == titles.end() ? document : found->second;
}

/// In a cell of a Markdown table.
std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell.append(c == '|' ? "\\" : "") += c;
  return cell;
}

/// "`vmc`, `tik`": the profiles of which `holds` is true.
template <class Holds>
std::string profiles_where(Holds holds) {
  std::string names;
  for (const Profile profile : kEveryProfile)
    if (holds(profile)) names.append(names.empty() ? "`" : ", `").append(row_of(profile).name).append("`");
  return names;
}

std::string_view standing_of(const Rule& rule) {
  return kStandingNames[static_cast<std::size_t>(rule.standing)];
}

void print_coverage(const RuleCoverage& each) {
  std::cout << std::left << std::setw(30) << each.id() << std::setw(12)
            << (each.rule != nullptr ? standing_of(*each.rule) : "legality") << std::right << std::setw(9)
            << each.exercised << std::setw(4) << each.caught << " of " << std::left << std::setw(4)
            << each.forms << (each.rule != nullptr ? each.rule->source.section : each.law->source.section)
            << ": " << (each.rule != nullptr ? each.rule->claim : each.law->claim) << '\n';
}

void print_rule_catalogue() {
  std::string_view document;
  for (const Rule& rule : rules()) {
    if (rule.source.document != document) {
      document = rule.source.document;
      std::cout << "\n## " << document << ": " << title_of(document) << "\n\nIn "
                << profiles_where(
                       [&](Profile p) { return std::ranges::count(row_of(p).documents, document) > 0; })
                << ".\n\n| rule | section | standing | claim |\n|---|---|---|---|\n";
    }
    std::cout << "| `" << rule.id << "` | " << rule.source.section << " | " << standing_of(rule) << " | "
              << in_cell(rule.claim) << " |\n";
  }
  std::cout
      << "\n## Legality\n\nWhat a backend that reports refusals must refuse. Rules without \"tried\" are "
         "conventions of the harness, or left open by the documents.\n\n"
         "| rule | document | profiles | tried | what is allowed |\n|---|---|---|---|---|\n";
  for (const LegalityRule& law : legality_rules())
    std::cout << "| `" << law.id << "` | " << law.source.document << ", " << law.source.section << " | "
              << profiles_where([&](Profile p) { return law.holds_in(p); }) << " | "
              << (law.tried ? "yes" : "") << " | " << in_cell(law.claim) << " |\n";
}

/// The options of a reading and who takes which.
void print_options(const Reading& reading) {
  for (unsigned option = 0; option < reading.options.size(); ++option) {
    std::cout << "- `" << reading.options[option].name << "`: " << reading.options[option].meaning;
    const std::string defaults =
        profiles_where([&](Profile p) { return reading.get(default_readings(p)) == option; });
    if (!defaults.empty()) std::cout << " (default in " << defaults << ")";
    std::cout << '\n';
  }
}

void print_reading_catalogue() {
  std::cout
      << "\n## Readings\n\nWhere the documents are silent or contradict each other. `--reading ID=OPTION` "
         "pins one, in the profiles that leave it open.\n";
  for (const Reading& reading : readings()) {
    std::cout << "\n### `" << reading.id << "`\n\n"
              << reading.question << " (" << reading.source.document << ", " << reading.source.section
              << ")\n\n";
    print_options(reading);
    const std::string open = profiles_where([&](Profile p) { return reading.open_in(p); });
    std::cout << "\nDefault because: " << reading.why << ". "
              << (open.empty() ? "Each profile has settled it." : "Open in " + open + ".") << '\n';
  }
}

/// A defect of the documents that no backend can show, because programs name what the texts confuse.
struct Misprint {
  std::string_view where, what, decision;
};
constexpr Misprint kMisprints[] = {
    {"VP, mask",
     "the example [0, 8] is said to switch the fourth element on, but the array of this API has the low "
     "word first, so that it would be element 67",
     "programs name the high and the low word; the example fits TIK's list, from which it seems to be taken"},
    {"SVM, Parameters against TIK, mask",
     "SetVectorMask and TIK take the high word first, the arrays of Ascend C "
     "the low word",
     "programs name the words; an adapter puts them in order"},
    {"GM, src1_pattern",
     "fixed patterns are printed with the highest bit first, their explanation counts elements "
     "from the first",
     "the explanation: pattern 1 keeps even indices"},
    {"VMC, 3.1 against 5",
     "cast is listed as a consumer of the mask with a rule and an example, and as undecided",
     "the rule; reading cast_mask"},
    {"VMC, 3.2 against 6", "an empty reduction leaves dst alone, and the result is written normally",
     "the rule for the instruction; reading empty_reduction"},
    {"GM, mask", "the range 1 to 2^32 - 1 is that of counter mode, normal mode recommends 0",
     "the range is judged in counter mode alone"},
    {"VP, mask", "ranges for 64-bit operands are given, and no 64-bit type is on offer",
     "the rule is tried on SetVectorMask"},
    {"TIK, mask", "a bitwise mask of 0 in both words is inside its range, a contiguous one of 0 is not",
     "both as written: the first is legal and does nothing"},
    {"SVM (silent)",
     "what a contiguous mask operand means while counter mode is on, and whether compares to memory "
     "count then",
     "not generated (LAW-counter-open)"},
    {"SVM (silent)",
     "what the register means as a count when a length was never set for counter mode: above 2^32 - 1, or "
     "with a "
     "high word",
     "not generated (LAW-counter-open)"},
    {"SVM, VP (silent)",
     "what an instruction does on inference products when the register has none of its lanes on, as after "
     "GatherMask with a mask of 0",
     "not generated there (LAW-register-open); on A2 it writes nothing"},
    {"GM, src1_pattern",
     "patterns 1 to 7 are given without a product; asc-devkit GatherMask has only 1 to 6 on inference "
     "products",
     "1 to 7 in every profile, as GM says"},
    {"GM (silent)", "what a call with repeat times of 0 returns", "a count of 0; nothing else in UB changes"},
    {"TIK, repeat_times against mask",
     "an immediate 0 is not supported, and in counter mode repeat_times has no effect",
     "an immediate 0 is refused in both modes"},
    {"TIK, notes (silent)",
     "whether a repeat may write what an earlier one read from another place; only the reverse is spoken of",
     "not generated (LAW-overlap-open)"},
};

}  // namespace

int rules_command(const CommandOptions& options) {
  if (options.markdown) {
    std::cout
        << "# Rules and readings\n\nGenerated by `lanecheck rules --markdown`; a test fails when this page "
           "is "
           "stale. The claims are in our words, each with the document and section that it comes from.\n";
    print_rule_catalogue();
    print_reading_catalogue();
    return kConforms;
  }
  const auto list = rule_coverage(options.run.seed, kCoverageCases);
  if (!options.uncovered)
    std::cout << std::left << std::setw(30) << "rule" << std::setw(12) << "standing" << std::right
              << std::setw(9) << "exercised"
              << "  caught   section: claim\n";
  std::string_view document;
  std::size_t uncovered = 0;
  for (const RuleCoverage& each : list) {
    uncovered += each.uncovered() ? 1 : 0;
    if (options.uncovered && !each.uncovered()) continue;
    const std::string_view source = each.rule != nullptr ? each.rule->source.document : "legality";
    if (source != document) std::cout << "-- " << title_of(source) << '\n';
    document = source;
    print_coverage(each);
  }
  std::cout << list.size() << " rules, " << uncovered << " uncovered (" << kCoverageCases
            << " cases for each profile)\n";
  return options.uncovered && uncovered > 0 ? kDiverges : kConforms;
}

int documents_command(const CommandOptions& options) {
  std::cout << "# What the documents leave open\n\nGenerated by `lanecheck documents`: each contradiction or "
               "silence "
               "found in the five documents, how it can be read, the smallest program on which the readings "
               "differ, and "
               "the reading that lanecheck takes. For their authors.\n";
  for (const Reading& reading : readings()) {
    std::cout << "\n## " << reading.question << "\n\n`" << reading.id << "`, " << reading.source.document
              << ", " << reading.source.section << "\n\n";
    print_options(reading);
    std::cout << "\nDefault because: " << reading.why << ".\n";
    // Where it is open; else where a profile differs from the first.
    const auto* profile = std::ranges::find_if(kEveryProfile, [&](Profile p) { return reading.open_in(p); });
    const bool settled = profile == kEveryProfile.end();
    if (settled)
      profile = std::ranges::find_if(kEveryProfile,
                                     [&](Profile p) { return reading.get(default_readings(p)) != 0; });
    Mix mix;
    mix.profile = *profile;
    const Readings own = default_readings(*profile);
    for (unsigned option = 0; option < reading.options.size(); ++option) {
      if (option == reading.get(own)) continue;
      Readings other = own;
      reading.set(other, option);
      const auto program = smallest_difference(options.run.seed, mix, own, other);
      std::cout << "\n`" << reading.options[option].name << "` against `"
                << reading.options[reading.get(own)].name << "`";
      if (!program) {
        std::cout << ": no generated program tells them apart (what one demands, the other allows).\n";
        continue;
      }
      const auto refused = find_fault(*program, own), refused_otherwise = find_fault(*program, other);
      if (refused) std::cout << ", which refuses it (" << refused->rule->id << ")";
      if (refused_otherwise) std::cout << " (the first refuses it, " << refused_otherwise->rule->id << ")";
      std::cout << ":\n\n```\n" << print(*program) << "```\n";
    }
  }
  std::cout << "\n## What no program shows\n\n| where | what | taken as |\n|---|---|---|\n";
  for (const Misprint& each : kMisprints)
    std::cout << "| " << each.where << " | " << each.what << " | " << each.decision << " |\n";
  return kConforms;
}

}  // namespace lanecheck
