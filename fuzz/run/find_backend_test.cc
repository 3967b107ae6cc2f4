// Backends by name.
#include "fuzz/run/find_backend.h"

#include <gtest/gtest.h>

#include "oracle/execute/execute.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

TEST(FindBackend, KnowsTheBuiltInBackendsMutantsAndAcceptedFaults) {
  const std::string accepts = "wrong:accepts-" + std::string(legality_rules().front().id);
  for (const std::string& name :
       {std::string("example"), std::string("oracle"), std::string("wrong:cadd-keeps-dst"),
        std::string("wrong:cadd-keeps-dst+set-mask-swapped"), accepts})
    EXPECT_EQ(find_backend(name).name, name);
}

TEST(FindBackend, AnUnknownNameIsAnInputErrorThatListsTheNames) {
  for (const char* name : {"nonsense", "wrong:nonsense", "wrong:cadd-keeps-dst+nonsense",
                           "wrong:cadd-keeps-dst+", "wrong:accepts-nonsense", ""}) {
    try {
      find_backend(name);
      FAIL() << name;
    } catch (const InputError& error) {
      const std::string what = error.what();
      for (const std::string& part :
           {std::string("'") + name + "'", std::string("cmd: COMMAND"), std::string("plugin:PATH"),
            std::string("example, oracle"), std::string("wrong:ID")})
        EXPECT_NE(what.find(part), std::string::npos) << what;
    }
  }
}

TEST(OracleBackend, RunsEveryProfileUnderItsOwnSemantics) {
  std::vector<Profile> asked;
  oracle_backend("recording", [&](Profile profile) {
    asked.push_back(profile);
    return Semantics(default_readings(profile));
  });
  EXPECT_EQ(asked, std::vector<Profile>(kEveryProfile.begin(), kEveryProfile.end()));
  const Backend starts_empty = oracle_backend("starts with an empty mask in tik", [](Profile profile) {
    Semantics semantics(default_readings(profile));
    if (profile == Profile::tik) semantics.initial_mask = Mask{};
    return semantics;
  });
  for (const Profile profile : kEveryProfile) {
    const Program program{profile, {}, {}, std::vector<std::byte>(32)};
    State state;
    ASSERT_TRUE(std::holds_alternative<Ran>(starts_empty.run(program, state)));
    EXPECT_EQ(state.mask == kFullMask, profile != Profile::tik);
  }
}

}  // namespace
}  // namespace lanecheck
