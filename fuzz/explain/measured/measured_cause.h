// The cause of a divergence as measured on the backend: the first difference between its maps and the
// documented ones (fuzz/identify), as a sentence, as data, and as a key that other instructions share.
#pragma once

#include "fuzz/explain/questions/suspects.h"
#include "fuzz/identify/identify.h"
#include "reports/report.h"

namespace lanecheck {

struct MeasuredCause {
  std::string sentence;  ///< without a full stop
  std::string key;       ///< equal for one fault in several instructions of a family
  Difference difference{};
  std::string maps;  ///< of the identification, as JSON
  Matter matter = Matter::mask;
  std::vector<Program> diverging;   ///< probes on which the backend diverges
  std::vector<Program> conforming;  ///< probes on which it does not
  bool is_reading = false;          ///< one or two readings that count as no mistake explain all probes
  bool is_shared = false;           ///< instructions of other families may have the same cause
  bool predicts = false;            ///< the sentence gives what the backend leaves in the program itself
  std::size_t instruction = 0;      ///< the one that is wrong: another one may show what it did
  std::string reading{};  ///< says the same of the program, and the backend does not follow it everywhere

  /// Is it about what the instruction leaves in the mask register, or as the mode?
  bool is_of_state() const {
    return difference.map == MapKind::mask_register || difference.map == MapKind::state;
  }
};

/// Measures instruction `index` of `program`. If it sets the mask, a plain instruction is measured in its
/// place; if it uses the compare mask and is right, the instruction that wrote the mask. Nothing if no
/// difference shows, or if the backend does not answer. `to_name`: asks further in which repeats a difference
/// shows, and tells also a cause that readings explain. The key is the same without it.
std::optional<MeasuredCause> measure_cause(const Program& program, std::size_t index, AskedBackend& asked,
                                           const Documented& documented, bool to_name = false);

/// What instruction `index` leaves in the mask register, or as the mode, of a backend that does not show it.
std::optional<MeasuredCause> measure_state_left(const Program& program, std::size_t index,
                                                AskedBackend& asked, const Documented& documented);

/// The backend as something that probes ask, without a limit. `asked` must outlive it.
Ask ask_of(AskedBackend& asked);

/// Does `suspect` predict a divergence for a probe on which the backend conforms? Then it is not the cause.
bool is_refuted_by_probes(const Hypothesis& suspect, const MeasuredCause& cause, const Documented& documented,
                          Shown shown);

/// Does `suspect` reproduce what the backend did with the probes on which it diverges?
bool reproduces_probes(const Hypothesis& suspect, const MeasuredCause& cause, AskedBackend& asked);

/// Instructions that one piece of code may execute: "elementwise", "reduction", "mask", else the
/// instruction's name.
std::string family_of(const Instruction& insn, const Documented& documented);

/// "measured-strides-1f2e3d4c" for the key of a cause that all families may share.
std::string id_of_key(const std::string& key);

/// "measured-gate-1f2e3d4c": what is wrong, and a hash of the key and, if the cause is not shared, the
/// family.
std::string id_of(const MeasuredCause& cause, const std::string& family);

}  // namespace lanecheck
