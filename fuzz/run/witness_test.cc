// The smallest program of every mutant: it diverges, it is blamed on the mutant itself, and it is found with
// few questions to the backend.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/backend/stopwatch.h"
#include "fuzz/explain/smallest/neighbour.h"
#include "fuzz/generate/generate_testing.h"
#include "fuzz/run/drawn_testing.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/judge.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "oracle/mutants/blame.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The oracle under a mutant, which counts its calls.
Backend counting(const Mutant& mutant, const Readings& readings, unsigned& calls) {
  Backend backend = oracle_backend(mutant.id, mutant.semantics(readings));
  backend.run = [inner = backend.run, &calls](const Program& program, State& state) {
    ++calls;
    return inner(program, state);
  };
  return backend;
}

bool differs(const Program& program, const Readings& readings, const Backend& backend, Shown shown) {
  State state;
  backend.run(program, state);
  return !compare(program, Semantics(readings), state, shown).agrees;
}

/// Under this mutant and under the one named, the oracle leaves the same for all the programs that tell the
/// two apart elsewhere: nobody can name one rather than the other.
bool looks_alike(const Mutant& one, std::string_view named, const RunOptions& options) {
  const Mutant* const other = find_mutant(named);
  if (other == nullptr) return false;
  const Semantics first = one.semantics(options.readings), second = other->semantics(options.readings);
  Program program;
  State left, right;
  for (std::uint64_t index = 0; index < 4000; ++index) {
    generate(options.seed, index, options.mix, program);
    execute(program, first, left);
    execute(program, second, right);
    if (!identical(left, right, row_of(options.mix.profile).shows_mask)) return false;
  }
  return true;
}

/// The backend and the oracle agree on the neighbour that the finding states.
bool passes_with_its_change(const Finding& finding, const RunOptions& options, const Backend& backend) {
  for (const Neighbour& each : neighbours(finding))
    if ((each.change == finding.passes || each.change + std::string(kWithTheseData) == finding.passes) &&
        !find_fault(each.program, options.readings) &&
        !differs(each.program, options.readings, backend, backend.shown(options.mix.profile)))
      return true;
  return false;
}

class Witness : public testing::TestWithParam<Profile> {};

TEST_P(Witness, OfEveryMutantDivergesAndIsBlamedOnIt) {
  RunOptions options = drawn(GetParam());
  std::vector<unsigned> questions;
  std::vector<double> seconds;
  std::size_t with_neighbour = 0;
  for (const Mutant& mutant : mutants()) {
    if (!mutant.exists_in(GetParam())) continue;
    unsigned calls = 0;
    const Backend backend = counting(mutant, options.readings, calls);
    const Shown shown = backend.shown(GetParam());
    std::optional<Finding> finding;
    Program program;
    for (std::uint64_t index = 0; index < 8000 && !finding; ++index) {
      generate(options.seed, index, options.mix, program);
      if (!differs(program, options.readings, backend, shown)) continue;
      calls = 0;
      options.minimize = true;
      const Stopwatch watch;
      finding = judge(program, options, backend);
      seconds.push_back(watch.seconds());
    }
    ASSERT_TRUE(finding) << mutant.id;
    questions.push_back(calls);
    if (!finding->passes.empty()) {
      ++with_neighbour;
      EXPECT_TRUE(passes_with_its_change(*finding, options, backend)) << mutant.id << finding->passes;
    } else {
      std::cout << mutant.id << " has no passing neighbour\n";
    }
    if (finding->verdict == Verdict::undecided) continue;  // a reading says what this mutant does
    EXPECT_TRUE(finding->id == mutant.id || looks_alike(mutant, finding->id, options))
        << mutant.id << " is named " << finding->id << ": " << finding->what << '\n'
        << print(finding->program);
    EXPECT_TRUE(differs(finding->program, options.readings, backend, shown)) << mutant.id;
    options.minimize = false;
    const auto again = judge(finding->program, options, backend);
    ASSERT_TRUE(again) << mutant.id;
    EXPECT_EQ(again->id, finding->id) << "its witness\n" << print(finding->program);
  }
  std::ranges::sort(questions);
  std::ranges::sort(seconds);
  ASSERT_FALSE(questions.empty());
  RecordProperty("median_questions", static_cast<int>(questions[questions.size() / 2]));
  std::cout << "questions for a finding: median " << questions[questions.size() / 2] << ", most "
            << questions.back() << "; seconds: median " << seconds[seconds.size() / 2] << ", most "
            << seconds.back() << '\n';
  EXPECT_LE(questions[questions.size() / 2], 110u);
  // A program of one mask instruction that is always wrong has no neighbour that says anything.
  EXPECT_GE(100 * with_neighbour, 90 * questions.size());
}

INSTANTIATE_TEST_SUITE_P(Profiles, Witness, testing::ValuesIn(kEveryProfile), test_name_of);

}  // namespace
}  // namespace lanecheck
