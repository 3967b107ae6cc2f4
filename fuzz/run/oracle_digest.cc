// Prints a digest of what the oracle leaves after 3,000 cases of each profile. oracle_digest_test.sh runs
// this program twice: with the oracle as every other program has it, and with the oracle built for x86-64-v3.
#include <cstdint>
#include <cstdio>

#include "fuzz/generate/generate.h"
#include "oracle/execute/execute.h"
#include "spec/program/profile.h"
#include "spec/text/fnv.h"

namespace lanecheck {
namespace {

constexpr int kSkipped = 77;  // ctest: SKIP_RETURN_CODE

/// Over all bytes of UB and all slots of the mask. Half of the cases are spread over those among which
/// the rows of the boundary tables come; the other half comes after them, where all cases are drawn.
std::uint64_t digest_of(Profile profile) {
  constexpr std::uint64_t kCases = 3'000;
  const Semantics semantics(default_readings(profile));
  const std::uint64_t boundary = cases_with_boundaries(profile);
  Mix mix;
  mix.profile = profile;
  Program program;
  State state;
  Fnv fnv;
  for (std::uint64_t n = 0; n < kCases; ++n) {
    generate(1, n < kCases / 2 ? n * boundary * 2 / kCases : boundary + n, mix, program);
    execute(program, semantics, state);
    fnv.add(state.ub);
    for (const std::uint8_t slot : state.mask) fnv.add(slot);
  }
  return fnv.digest();
}

}  // namespace
}  // namespace lanecheck

int main() {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) {
    std::puts("skipped: this CPU cannot run code for x86-64-v3 (AVX2, FMA, BMI2)");
    return lanecheck::kSkipped;
  }
  for (const lanecheck::Profile profile : lanecheck::kEveryProfile)
    std::printf("%s %016llx\n", lanecheck::row_of(profile).name.data(),
                static_cast<unsigned long long>(lanecheck::digest_of(profile)));
}
