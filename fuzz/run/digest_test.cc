// Same seed, same bytes: digests of cases, expected results and canonical reports are kept in the repository.
// A change that only moves code must not change them. A change of what is generated, computed or reported
// copies the new lines from the failure's text into digest.txt, and says so in its commit.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "fuzz/generate/edge.h"
#include "fuzz/generate/generate.h"
#include "fuzz/run/differential_run.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/report_testing.h"
#include "fuzz/run/run.h"
#include "oracle/compare/accept.h"
#include "oracle/mutants/mutant.h"
#include "spec/program/profile.h"
#include "spec/text/fnv.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

class Digest {
 public:
  void add(std::uint8_t byte) { fnv_.add(byte); }
  void add(std::string_view text) { fnv_.add(text); }
  void add(const std::vector<std::byte>& bytes) { fnv_.add(bytes); }
  void add(const Program& program) {
    for (const Allocation& each : program.allocations)
      add(each.name + " " + std::string(name_of(each.type)) + " " + std::to_string(each.offset) + " " +
          std::to_string(each.bytes) + "\n");
    for (const Instruction& each : program.instructions) add(print_instruction(program, each) + "\n");
    add(program.ub);
  }
  std::string text() const {
    std::ostringstream out;
    out << std::hex << std::setw(16) << std::setfill('0') << fnv_.digest();
    return out.str();
  }

 private:
  Fnv fnv_;
};

/// 10,000 cases of a profile with the oracle's result: 3,000 are spread over the cases among which the rows
/// of the boundary tables come; the others come after them, where all cases are drawn. After every eighth
/// case comes a case at an edge of legality. Bytes that may differ are left out: the sign and payload of a
/// computed NaN depend on the compiler and its flags.
std::string digest_of_cases(Profile profile) {
  constexpr std::uint64_t kCases = 10'000, kBoundary = 3'000;
  constexpr std::uint64_t kSeed = 1;
  const Semantics semantics(default_readings(profile));
  Mix mix;
  mix.profile = profile;
  const std::uint64_t boundary = cases_with_boundaries(profile);
  Digest digest;
  Program program;
  State state;
  for (std::uint64_t n = 0; n < kCases; ++n) {
    const std::uint64_t index = n < kBoundary ? n * boundary / kBoundary : boundary + n;
    generate(kSeed, index, mix, program);
    digest.add(program);
    const AcceptMap lenient = accept_sets(program, semantics, state);
    for (std::size_t at = 0; at < state.ub.size(); ++at)
      if (!lenient.any_between(at, at + 1)) digest.add(std::to_integer<std::uint8_t>(state.ub[at]));
    for (const std::uint8_t slot : state.mask) digest.add(slot);
    if (n % 8 != 0) continue;
    const EdgeCase edge = generate_at_edge(kSeed, index, mix, program);
    digest.add(edge.rule->id);
    digest.add(edge.outside ? "outside" : "inside");
    digest.add(program);
  }
  return digest.text();
}

void add_report(Digest& digest, const Report& report) {
  digest.add(canonical(report));
}

/// Runs under a profile on the example, on every fourth mutant, on backends that accept illegal programs, and
/// of the example against the oracle.
std::string digest_of_reports(Profile profile) {
  RunOptions options;
  options.mix.profile = profile;
  options.readings = default_readings(profile);
  options.first = cases_with_boundaries(profile);
  options.cases = 800;
  Digest digest;
  add_report(digest, run(options, find_backend("example")));
  unsigned n = 0;
  for (const Mutant& mutant : mutants())
    if (mutant.exists_in(profile) && n++ % 4 == 0)
      add_report(digest, run(options, find_backend("wrong:" + mutant.id)));
  options.illegal_in_32 = 32;
  n = 0;
  for (const LegalityRule& rule : legality_rules())
    if (rule.tried() && rule.holds_in(profile) && n++ % 4 == 0)
      add_report(digest, run(options, accepting_backend(rule)));
  options.illegal_in_32 = 0;
  // Two oracles: the same code, so that NaNs differ only where the masks do.
  const auto mutant = std::ranges::find_if(mutants(), [&](const Mutant& m) { return m.exists_in(profile); });
  add_report(digest,
             run_differential(options, find_backend("wrong:" + mutant->id), find_backend("oracle"), false));
  return digest.text();
}

TEST(Digest, CasesAndReportsHaveTheBytesThatAreKept) {
  std::ostringstream now;
  for (const Profile profile : kEveryProfile)
    now << row_of(profile).name << " cases " << digest_of_cases(profile) << " reports "
        << digest_of_reports(profile) << '\n';
  std::ifstream file(LANECHECK_SOURCE_DIR "/fuzz/run/digest.txt");
  std::stringstream kept;
  kept << file.rdbuf();
  EXPECT_EQ(now.str(), kept.str());
}

}  // namespace
}  // namespace lanecheck
