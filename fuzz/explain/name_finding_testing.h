// For tests: the finding of a small program in profile vmc for which nothing known was found before.
#pragma once

#include <string_view>

#include "fuzz/explain/locate.h"
#include "fuzz/explain/name_finding.h"
#include "spec/text/program_text.h"

namespace lanecheck {

inline Finding named(std::string_view text, const Backend& backend) {
  const Documented documented(Profile::vmc, Readings{}, {});
  AskedBackend asked(backend, Profile::vmc);
  Finding finding;
  finding.program = parse_program(text, "test");
  locate(finding, asked, documented);
  name_finding(finding, {}, asked, documented);
  return finding;
}

}  // namespace lanecheck
