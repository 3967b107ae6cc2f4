// Case i of a seed and profile: a legal program, a function of (profile, seed, i) and of nothing else.
//
// Of the first cases two in four are directed (fuzz/generate/directed_cases.h), one is a row of the boundary
// tables and one is drawn, until all directed cases have come; then every second case is a row. The rows come
// in a scrambled order, so that the first of them are diverse: the tables cross every instruction and element
// type with mask words, repeat times and strides at their edges. All other cases are drawn, and so are all
// cases after the last row. Three quarters of the drawn cases are decisive (fuzz/generate/data.h); the rest
// are wild: values of every kind, results of one instruction as sources of the next, in-place operands,
// accumulation.
#pragma once

#include <cstdint>

#include "spec/program/program.h"

namespace lanecheck {

enum class Kind : std::uint8_t { boundary, decisive, wild, edge };
inline constexpr std::string_view kKindNames[] = {"boundary", "decisive", "wild", "edge"};

struct Mix {
  Profile profile = Profile::vmc;
  Family family = Family::any;      ///< family of the instructions that compute; the profile must have some
  unsigned most_instructions = 16;  ///< from 1 to 16
  bool with_boundaries = true;      ///< if false, all cases are drawn
  unsigned wild_in_sixteen = 4;     ///< share of wild cases among the drawn ones, in sixteenths
};

/// The drawn cases of a profile, without the rows of the boundary tables.
inline Mix drawn_mix(Profile profile) {
  return {.profile = profile, .with_boundaries = false};
}

/// Fills `program`, whose memory is reused from case to case.
Kind generate(std::uint64_t seed, std::uint64_t index, const Mix& mix, Program& program);

/// Is case `index` a row of the boundary tables or a directed case?
bool is_boundary_case(const Mix& mix, std::uint64_t index);

/// After so many cases every row of the tables has come; from then on all cases are drawn.
std::uint64_t cases_with_boundaries(Profile profile = Profile::vmc);

}  // namespace lanecheck
