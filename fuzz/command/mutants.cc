// lanecheck mutants: implementations that are wrong on purpose, all of which must be caught.
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>

#include "fuzz/backend/stopwatch.h"
#include "fuzz/command/commands.h"
#include "fuzz/command/output_file.h"
#include "fuzz/generate/edge.h"
#include "fuzz/run/find_backend.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/mutant.h"
#include "reports/finding_case.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

/// Below the folder of the rule that names it, and of each other broken rule that has no case yet.
void save_witness(const CommandOptions& options, const Finding& finding, const std::string& name,
                  const std::string& about) {
  const Profile profile = finding.program.profile;
  for (std::size_t n = 0; n < finding.rules.size(); ++n) {
    const auto folder = std::filesystem::path(options.save) / finding.rules[n];
    if (n > 0 && std::filesystem::exists(folder)) continue;
    Case witness = case_of(finding, options.run.readings);
    witness.rule = finding.rules[n];
    witness.about = about;
    make_folder(folder);
    std::string file = "witness-" + name;
    if (profile != Profile::vmc) file.append("-").append(row_of(profile).name);
    OutputFile(folder / (file + ".json")).write(print_case(witness));
  }
}

}  // namespace

int mutants_command(const CommandOptions& options) {
  if (options.list) {
    for (const Mutant& wrong : mutants())
      std::cout << std::left << std::setw(34) << ("wrong:" + wrong.id) << wrong.what << "  ["
                << wrong.breaks.front() << "]\n";
    for (const LegalityRule& rule : legality_rules())
      if (rule.tried)
        std::cout << std::left << std::setw(34) << ("wrong:accepts-" + std::string(rule.id))
                  << "does not refuse what breaks: " << rule.claim << '\n';
    return kConforms;
  }
  struct Score {
    unsigned forms = 0, caught = 0;
    std::uint64_t cases = 0;
  };
  std::map<std::string_view, Score> scores;
  unsigned caught = 0;
  const Semantics documented(options.run.readings);
  RunOptions judged = options.run;
  for (const Reading& reading : readings()) judged.pinned.emplace_back(reading.id);
  Mix mix = options.run.mix;
  mix.boundaries_first = false;
  std::cout << std::left << std::setw(34) << "mutant" << std::right << std::setw(8) << "cases"
            << std::setw(10) << "seconds" << std::setw(14) << "instructions"
            << "  rule\n";
  const Profile profile = options.run.mix.profile;
  std::size_t count = 0;
  for (const Mutant& wrong : mutants()) {
    if (!wrong.exists_in(profile)) continue;
    ++count;
    const Backend backend = oracle_backend(wrong.id, wrong.semantics(options.run.readings));
    const Stopwatch watch;
    Program program;
    State expected, actual;
    std::uint64_t index = 0;
    bool found = false;
    for (; index < 100'000 && !found; ++index) {
      generate(options.run.seed, index, mix, program);
      execute(program, documented, expected);
      backend.run(program, actual);
      found = !identical(expected, actual, true) && !compare(program, documented, actual, true).agrees;
    }
    const double seconds = watch.seconds();
    const auto finding = found ? judge(program, judged, backend) : std::nullopt;
    caught += found ? 1 : 0;
    if (finding && !options.save.empty())
      save_witness(options, *finding, wrong.id,
                   "The smallest program that shows a backend whose mistake is: " + wrong.what + ".");
    for (const auto rule : wrong.breaks) {
      ++scores[rule].forms;
      scores[rule].caught += found ? 1 : 0;
      scores[rule].cases = std::max(scores[rule].cases, index);
    }
    std::cout << std::left << std::setw(34) << wrong.id << std::right << std::setw(8) << index
              << std::setw(10) << std::fixed << std::setprecision(4) << seconds << std::setw(14)
              << (finding ? std::to_string(finding->program.instructions.size()) : "not caught") << "  "
              << wrong.breaks.front() << '\n';
  }
  bool all = true;
  for (const LegalityRule& rule : legality_rules()) {
    if (!rule.tried || !rule.holds_in(profile)) continue;
    const Backend backend = accepting_backend(rule);
    Program program;
    std::uint64_t index = 0;
    for (; index < 100'000; ++index)
      if (const EdgeCase border = generate_at_edge(options.run.seed, index, options.run.mix, program);
          border.outside && border.rule == &rule)
        break;
    const auto finding = judge(program, judged, backend);
    const bool found = finding && !finding->rules.empty() && finding->rules.front() == rule.id;
    all &= found;
    ++count;
    caught += found ? 1 : 0;
    if (finding && !options.save.empty())
      save_witness(options, *finding, "accepted", "The smallest program found that breaks this rule alone.");
    std::cout << std::left << std::setw(34) << ("accepts-" + std::string(rule.id)) << std::right
              << std::setw(8) << index + 1 << std::setw(24)
              << (found ? std::to_string(finding->program.instructions.size()) : "not caught") << "  "
              << rule.id << '\n';
  }
  std::cout << '\n'
            << std::left << std::setw(28) << "rule"
            << "caught\n";
  for (const Rule& rule : rules(profile)) {
    const Score score = scores[rule.id];
    all &= score.forms > 0 && score.caught == score.forms;
    std::cout << std::left << std::setw(28) << rule.id << score.caught << " of " << score.forms << ", within "
              << score.cases << " cases\n";
  }
  std::cout << caught << " of " << count << " mutants caught\n";
  return all ? kConforms : kDiverges;
}

}  // namespace lanecheck
