// Backends that follow a reading which forbids programs that the documents allow. What they do with such a
// program proves nothing: no case may count as a divergence, and no finding may be shown by such a program.
#include <gtest/gtest.h>

#include "fuzz/generate/generate_testing.h"
#include "fuzz/run/drawn_testing.h"
#include "fuzz/run/run.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace forbidding_reading_test {

enum class OnForbidden : std::uint8_t { leaves_other_bytes, refuses, breaks };
constexpr OnForbidden kEveryWay[] = {OnForbidden::leaves_other_bytes, OnForbidden::refuses,
                                     OnForbidden::breaks};

/// The oracle under these readings. Programs that they forbid get a wrong answer.
Backend following(const Readings& readings, OnForbidden way) {
  return function_backend(
      "follows a reading that forbids programs", "",
      [semantics = Semantics(readings), way](const Program& program, State& state) -> Outcome {
        execute(program, semantics, state);
        if (!find_fault(program, semantics.readings)) return Ran{};
        if (way == OnForbidden::refuses) return Refused{"an operand leaves its buffer"};
        if (way == OnForbidden::breaks) return Errored{"an operand leaves its buffer"};
        for (std::size_t byte = 0; byte < state.ub.size(); byte += 3) state.ub[byte] ^= std::byte{0x5a};
        return Ran{};
      });
}

/// Programs of the run that the readings forbid.
unsigned forbidden(const RunOptions& options, const Readings& readings) {
  Program program;
  unsigned count = 0;
  for (std::uint64_t index = 0; index < options.cases; ++index) {
    generate(options.seed, index, options.mix, program);
    count += find_fault(program, readings) ? 1 : 0;
  }
  return count;
}

void expect_nothing_is_proved(const RunOptions& options, const Readings& followed, OnForbidden way,
                              const std::string& which) {
  const Report report = run(options, following(followed, way));
  EXPECT_EQ(report.diverges + report.errored, 0u) << which;
  EXPECT_GT(report.undecided, 0u) << which;
  for (const Finding& finding : report.findings) {
    EXPECT_EQ(finding.verdict, Verdict::undecided) << which << ": " << finding.id << ": " << finding.what;
    EXPECT_FALSE(find_fault(finding.program, followed)) << which << ": " << finding.id << '\n'
                                                        << print(finding.program);
  }
}

class ForbiddingReading : public testing::TestWithParam<Profile> {};

TEST_P(ForbiddingReading, MakesProgramsThatProveNothing) {
  const RunOptions options = drawn_legal(GetParam(), 1500);
  for (const Reading& reading : readings())
    for (unsigned option = 0; option < reading.options.size(); ++option) {
      if (!reading.open_in(GetParam()) || reading.decides == Decides::legality) continue;
      Readings followed = options.readings;
      reading.set(followed, option);
      if (followed == options.readings) continue;
      const unsigned some = forbidden(options, followed);
      if (some == 0) continue;
      for (const OnForbidden way : kEveryWay)
        expect_nothing_is_proved(options, followed, way,
                                 std::string(reading.id) + "=" + std::string(reading.options[option].name) +
                                     ", " + std::to_string(some) + " programs, way " +
                                     std::to_string(static_cast<int>(way)));
    }
}

INSTANTIATE_TEST_SUITE_P(Profiles, ForbiddingReading, testing::ValuesIn(kEveryProfile), test_name_of);

}  // namespace forbidding_reading_test
}  // namespace lanecheck
