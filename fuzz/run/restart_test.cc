// A backend that is started again after its process has ended must be the same one.
#include <gtest/gtest.h>

#include "fuzz/run/bad_backend_testing.h"

namespace lanecheck {
namespace {

TEST(Isolation, ASecondProcessThatCannotStartIsToldAndWhatWasFoundIsKept) {
  for (const auto& [fault, says] :
       {std::pair{"restart_offers", "there is no instruction 'frobnicate'"},
        std::pair{"restart_differs", "it answered hello in another way than before"}}) {
    const StartedFile file;
    const Backend backend = bad_backend(fault);
    const auto outcomes =
        outcomes_of(backend, {echo_program(1), echo_program(0xee), echo_program(2), echo_program(3)});
    EXPECT_TRUE(std::holds_alternative<Ran>(outcomes[0]));
    for (std::size_t n = 1; n < outcomes.size(); ++n)
      EXPECT_TRUE(std::holds_alternative<NotRun>(outcomes[n])) << fault << ", program " << n;
    EXPECT_NE(backend.given_up().find("cannot be started again: "), std::string::npos);
    EXPECT_NE(backend.given_up().find(says), std::string::npos) << backend.given_up();
  }
}

TEST(Isolation, OffersMayComeInAnotherOrderFromASecondProcess) {
  const StartedFile file;
  const Backend backend = bad_backend("restart_reorders");
  const auto outcomes = outcomes_of(backend, {echo_program(1), echo_program(0xee), echo_program(2)});
  EXPECT_TRUE(std::holds_alternative<Ran>(outcomes[0]));
  EXPECT_TRUE(std::holds_alternative<Errored>(outcomes[1]));
  EXPECT_TRUE(std::holds_alternative<Ran>(outcomes[2]));
  EXPECT_EQ(backend.given_up(), "");
}

}  // namespace
}  // namespace lanecheck
