// Laws of places that maps suggest, and that further questions refute or limit.
#pragma once

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/shapes.h"

namespace lanecheck {

/// Do the sentences, if each one is a law of places, not give what scattered data show?
bool are_refuted(const Subject& subject, const std::vector<Difference>& differences, const Ask& ask);

/// The places of a reduction are measured with the first lane of each group on. Does it read other elements
/// with the second one on? Then the gates are wrong, and not the places.
bool hangs_on_mask(const Shape& shape, const std::vector<Difference>& differences, const Ask& ask);

/// Places are measured under a full mask. If they are as documented under other masks, the sentences say so.
void say_if_mask_is_full(const Subject& subject, std::vector<Difference>& differences, const Ask& ask);

/// Strides of dst are measured with sources in a row. If dst is right beside others, the sentence says so.
void say_if_sources_in_a_row(const Subject& subject, std::vector<Difference>& differences, const Ask& ask);

/// Adds to laws of gates that the mask must be the instruction's own, if it is right under one in the
/// register under which it is wrong with its own.
void say_if_own_mask(const Subject& subject, std::vector<Difference>& differences, const Ask& ask);

/// Adds to laws of vpadding its padModes, if it is right in others.
void say_if_pad_mode(const Subject& subject, std::vector<Difference>& differences, const Ask& ask);

/// Repeats that are wrong under a mask, or what is wrong under a full one, and right with a count of
/// elements: the sentence says so.
void say_if_not_counted(const Subject& subject, std::vector<Difference>& differences, const Ask& ask);

/// Adds to laws of gates that operands in a row are their condition, if they were seen in such a shape alone
/// and hold for other repeat times too.
void say_if_in_a_row(const Shape& shape, std::vector<Difference>& differences, const Ask& ask);

/// Do the sentences say that nothing is written, and is the instruction right under the register of ones that
/// a program starts with? The slots behind those of its lanes are 1 there alone.
bool is_right_under_ones_alone(const Subject& subject, const std::vector<Difference>& differences,
                               const Ask& ask);

}  // namespace lanecheck
