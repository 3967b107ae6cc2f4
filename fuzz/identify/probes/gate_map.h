// Measures the gate map of an instruction whose mask gates the writeback: the slots are coded in binary.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

/// Drawn, with gaps; the first and the last slot of 64 lanes and of 128 are 1.
inline constexpr MaskWords kEndsAndGaps = {0x8d2f61c3a95e7b04, 0xb5c6e8127af09b4d};

/// For each bit of a slot's number the mask of the slots that have it, and its complement.
std::vector<MaskWords> coded_masks();

/// The masks of the probes: coded_masks(); then masks with one slot, all slots except one, one word, and
/// others whose words differ.
/// Without those that a profile does not allow.
std::vector<MaskWords> gate_masks(const Subject& subject);

/// The same function measures a backend and, with ask_oracle(), the documents. `before`: mask instructions at
/// the start of every probe. `masks`: instead of gate_masks().
Measured<GateMap> measure_gates(const Subject& subject, const Ask& ask,
                                const std::vector<Instruction>& before = {},
                                const std::vector<MaskWords>& masks = {});
/// The value that masked-off lanes receive if all source elements are `source`; nothing if they keep dst.
std::optional<std::uint64_t> masked_off_value(const Subject& subject, const Ask& ask, double source);

/// Adds a gate to `map`, which has its masks: what was seen of a lane under each of them, 'w' or 'k'.
void add_gate(GateMap& map, std::string seen, unsigned slots);

}  // namespace lanecheck
