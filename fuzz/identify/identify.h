// Measures what a backend does with one instruction and says how it differs from the documents.
#pragma once

#include "fuzz/identify/mask_register/state_map.h"
#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/program/state.h"

namespace lanecheck {

/// The maps of one shape, as measured and as documented.
struct MeasuredShape {
  Shape shape;
  PlaceMaps places, documented_places;
  Measured<GateMap> gates, documented_gates;
  std::vector<Mask> shown, documented_shown;  ///< the mask register after each probe of places or gates
};

struct Identification {
  std::vector<std::string> differences;  ///< sentences without a full stop; empty: the maps are as documented
  std::vector<Difference> parts;         ///< what each of the sentences is made of, without its shape
  std::vector<MeasuredShape> shapes;
  std::optional<StateMaps> state;  ///< in the first shape; nothing if the profile has no such probes
  std::optional<Measured<ReductionMap>> reduction;  ///< in the first shape; nothing for other instructions
  std::size_t programs = 0;                         ///< how many the backend was asked
  std::string not_run;  ///< why the backend ran no program with the instruction; empty if it ran one

  void add(std::optional<Difference> difference);

  bool measured() const;        ///< at least one map
  std::string why_not() const;  ///< of the first map that is missing; empty if all are there
};

/// The instruction in the shapes of shapes_of(), as far as they are needed: a map that differs in the first
/// one mostly differs in the next ones for the same reason. `shown`: what the states of the backend show
/// beside UB.
Identification identify(const Subject& subject, const Ask& ask, Shown shown = false);

/// Instruction `index` of a program that diverges, with few questions: in the plain shape, then with strides
/// of each operand, then in its own shape, until one shows a difference. With `which_repeats`, a difference
/// of some repeats only is measured with 255 repeats as well. `settable`: which masks the probes set.
Identification identify(const Program& diverging, std::size_t index, const Ask& ask, Shown shown,
                        bool which_repeats, const SettableMask& settable = {});

/// As identify() of a program that diverges, but only what the number does that its instruction is given in
/// place of a bitwise mask.
Identification identify_number(const Program& diverging, std::size_t index, const Ask& ask);

}  // namespace lanecheck
