// The shapes in which an instruction is measured: strides and repeat times in which faults of different kinds
// show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

struct Shape {
  std::string name;  ///< "plain", "strided", "long", "spot", "wide"; of a diverging program: "apart", "given"
  std::string about;  ///< "repeat 3, operands in a row"
  Subject subject;
};

/// With `repeat` repeats, if it has such a field, and all operands in a row: no gaps between data blocks or
/// repeats.
Subject in_a_row(Subject subject, std::uint32_t repeat);
/// 255 repeats in a row; the second source stays where it is, because three operands of this size do not fit
/// into UB. With offsets, 100 repeats.
Subject of_255_repeats(const Subject& subject);

/// `row` in `types` with the modes and the scalar that are measured if nothing else is asked for.
Subject default_subject(Profile profile, const Row& row, const TypePair& types);

/// With a scalar that leaves the values of sources apart, if it takes one. Whether other scalars work is a
/// matter of values.
Subject with_plain_scalar(Subject subject);

/// The same instruction, with the same kind of mask operand, for elements of which a repeat has 128, then
/// additions of this kind; empty if a repeat of `subject` has 128 already.
std::vector<Subject> with_128_lanes(const Subject& subject);

/// The plain shape first: the others are named in a sentence only if the plain one does not show it.
std::vector<Shape> shapes_of(const Subject& subject);

/// One repeat, in which each operand has a block stride of its own.
Shape shape_of_one_repeat(const Subject& subject);

/// The subject with dst alone in a row, so that no two of its lanes write one place.
Subject with_dst_in_a_row(const Subject& given);

/// The shapes for an instruction of a diverging program: plain ones first, then with its own strides.
std::vector<Shape> shapes_of_case(const Subject& given);
/// Do several lanes write one element of dst? Then it does not show what gates each of them.
bool shares_places(const Instruction& insn);

}  // namespace lanecheck
