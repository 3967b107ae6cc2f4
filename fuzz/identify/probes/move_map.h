// Measures the places of instructions whose results are elements of a source, moved, or bits: reductions
// (under a mask with one lane on in each group a reduction moves this lane), compares, selects, gather,
// scatter, gatherb and brcb.
//
// Places are counted in elements, or in bits where the operand is packed bits.
#pragma once

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

bool has_move_probes(const Row& row);
/// Does the instruction choose between two sources by the bits of an operand?
bool selects_by_operand(const Row& row);

/// Number of the operand that holds the bits by which the instruction selects, if it has one.
std::optional<unsigned> control_operand(const Row& row);

/// The maps under `mask`; the same function measures a backend and, with ask_oracle(), the documents.
/// `shown`, if there, gets the mask register that the backend shows after each probe.
PlaceMaps measure_moves(const Subject& subject, MaskWords mask, const Ask& ask,
                        std::vector<Mask>* shown = nullptr);

/// A mask with lane `lane` of each group of a reduction on.
MaskWords one_of_each_group(const Subject& subject, unsigned lane);
/// Lanes of one result of a reduction.
unsigned group_size(const Instruction& insn);

/// The offset number that names element (or, of gatherb, data block) `place` in the probes.
unsigned number_of_place(const Instruction& insn, unsigned place);

}  // namespace lanecheck
