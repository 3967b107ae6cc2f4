#include "fuzz/identify/masked_off.h"

#include "fuzz/identify/gate_differences.h"
#include "fuzz/probes/gate_map.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {

void say_masked_off(const Subject& subject, const Ask& ask, Difference& difference) {
  constexpr double kOther = 5;  // measure_gates() has 3
  if (!difference.what.starts_with(kMaskedOff)) return;
  const auto other = masked_off_value(subject, ask, kOther);
  const Instruction& insn = subject.insn;
  const auto value = [&](std::optional<std::uint64_t> bits) {
    return bits ? show_element(insn.dst_type, *bits) : std::string("their old dst");
  };
  if (difference.what.find(" receive " + value(other) + " ") != std::string::npos) return;
  const bool copies = insn.src_type == insn.dst_type && other == nearest(insn.dst_type, kOther);
  difference.what = std::string(kMaskedOff) + mnemonic(insn) + " receive " +
                    (copies ? "the element of a source" : "a value that depends on the sources") +
                    " instead of keeping their old dst";
}

}  // namespace lanecheck
