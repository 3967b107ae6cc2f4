// For tests: the finding of a small program for which nothing known was found before.
#pragma once

#include <string_view>

#include "fuzz/explain/name_finding.h"
#include "fuzz/explain/questions/locate.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck {

inline Finding named(std::string_view text, const Backend& backend) {
  Finding finding;
  finding.program = parse_program(text, "test");
  const Profile profile = finding.program.profile;
  const Documented documented(profile, default_readings(profile), {});
  AskedBackend asked(backend, profile);
  locate(finding, asked, documented);
  name_finding(finding, {}, asked, documented);
  return finding;
}

}  // namespace lanecheck
