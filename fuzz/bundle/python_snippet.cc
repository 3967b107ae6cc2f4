#include <nlohmann/json.hpp>

#include "fuzz/bundle/snippets.h"
#include "spec/text/program_json.h"

namespace lanecheck {
namespace {

/// The program as in the message `run` (fuzz/backend/protocol.md), without its UB.
std::string message_json(const Program& program) {
  nlohmann::ordered_json json = to_json(program);
  for (auto& allocation : json["allocations"]) allocation.erase("data");
  return json.dump(1);
}

std::string python_expectations(const SavedCase& finding, const std::string& name) {
  if (!finding.smallest.expect) return "    assert result.state == \"refused\"\n";
  std::string text =
      "    assert result.state == \"ran\", result.why\n    assert result.ub == " + name + "_EXPECTED\n";
  if (finding.mask_differs)
    text += "    if result.mask is not None:  # the backend shows its mask\n        assert result.mask == " +
            name + "_MASK\n";
  return text;
}

}  // namespace

std::string python_snippet(const SavedCase& finding, const std::string& what) {
  const std::string name = identifier_of(finding.id);
  const Case& smallest = finding.smallest;
  std::string text =
      "\"\"\"" + comment_text(what) + "\n\nFinding " + comment_text(finding.id) +
      " of lanecheck. Where the documents leave a choice (NaN, the last bit of exp), EXPECTED is one\n"
      "of the results that they allow.\"\"\"\nimport json\n\nfrom my_sim import backend  # your "
      "simulator as a lanecheck.Backend\n\n";
  text += name + "_PROGRAM = json.loads(r'''" + message_json(smallest.program) + "''')\n";
  text += name + "_PROGRAM[\"ub\"] = (\n" + quoted_hex(smallest.program.ub, "    ") + ")\n";
  if (smallest.expect)
    text += name + "_EXPECTED = bytes.fromhex(\n" + quoted_hex(smallest.expect->ub, "    ") + ")\n";
  if (smallest.expect && finding.mask_differs)
    text += name + "_MASK = bytes.fromhex(\n" + quoted_hex(mask_bytes(smallest.expect->mask), "    ") + ")\n";
  return text + "\n\ndef test_" + name + "():\n    result = backend(" + name + "_PROGRAM)\n" +
         python_expectations(finding, name);
}

}  // namespace lanecheck
