// The mask certificate: runs an instruction under masks that cover, compares with the documents, and says
// what the run shows.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz/backend/backend.h"
#include "fuzz/certificate/masked_program.h"
#include "spec/program/reading.h"

namespace lanecheck {

/// "high=0x1 low=0xff".
std::string mask_text(MaskWords mask);

/// What came of one instruction.
struct Certificate {
  std::string instruction;  ///< "add.f16"
  unsigned slots = 0;       ///< so many bits of the mask were set
  unsigned strength = 0;
  std::size_t masks = 0;           ///< so many masks were run and their results compared
  std::optional<Program> failing;  ///< the program with the first mask under which it does not conform
  MaskWords failing_mask{};        ///< this mask
  std::string why_not;  ///< why the masks do not show it; empty if they do, or if one of them fails

  bool holds() const { return !failing && why_not.empty(); }
  /// "any fault of this instruction that depends on at most 3 mask bits was exercised"; empty if it does not
  /// hold.
  std::string sentence() const;
};

class Certifier {
 public:
  /// `backend` must outlive the certifier. `between`, if there, is called often while masks are made and
  /// checked, and may throw.
  Certifier(const Backend& backend, const Readings& readings, unsigned strength,
            std::function<void()> between = {})
      : backend_(backend), readings_(readings), strength_(strength), between_(std::move(between)) {}

  /// Runs `program` under covering masks. Ends at the first mask under which it does not conform, or is
  /// skipped.
  Certificate certify(const MaskedProgram& program);
  /// The same with these masks. The certificate does not hold if they leave a hole.
  Certificate certify(const MaskedProgram& program, std::span<const MaskWords> masks);

 private:
  std::string why_not_covered(std::vector<MaskWords> met, unsigned slots);

  const Backend& backend_;
  Readings readings_;
  unsigned strength_;
  std::function<void()> between_;
  std::map<unsigned, std::vector<MaskWords>> covering_;  ///< masks, by the number of slots
  std::map<unsigned, std::vector<MaskWords>> proven_;    ///< masks without a hole, by the number of slots
};

}  // namespace lanecheck
