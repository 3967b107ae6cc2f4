// Finds out whether what a program leaves depends on the programs that the backend ran before it.
#pragma once

#include "fuzz/explain/questions/asked_backend.h"

namespace lanecheck {

/// The program with other data in all of its allocations: no NaN, no large offset.
Program with_data(Program program, unsigned round);
/// The program in which earlier instructions read copies, with other data, of the allocations that the last
/// one reads too: what they leave is then not what it computes. Allocations that somebody writes stay.
Program with_own_sources(const Program& program);
/// In how many rounds of other data a law must hold, beside the data of its program.
inline constexpr unsigned kOtherData = 2;

/// Does the backend leave other bytes if other bytes stand behind the end of its UB? It is asked about the
/// program with a larger UB. Its answers are not kept.
bool reads_behind_ub(const Program& program, AskedBackend& asked);

/// The program with the largest UB. Zeros follow the bytes of the program.
Program with_zeros_behind_ub(Program program);

/// What the same question brings if it is asked again and again.
enum class AskedAgain : std::uint8_t { same_state, other_states, does_not_run };
AskedAgain ask_again(const Program& program, AskedBackend& asked, unsigned times);

/// A program to run between two runs of `program`: with other data and other scalars, in every second round
/// under a full mask, so that masked-off instructions leave something too, and in the others with a mask of
/// its own at its end, which may stay.
Program to_run_between(const Program& program, unsigned round);
inline constexpr unsigned kRoundsBetween = 6;

/// Does the backend leave different states after `program`, depending on what it ran before? It is asked
/// about the program several times, and about the same program with other data in between. Its answers are
/// not kept.
bool depends_on_earlier_programs(const Program& program, AskedBackend& asked);

}  // namespace lanecheck
