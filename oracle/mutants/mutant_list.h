// The list of mutants, by subject: each file adds the rows of its subject. mutants.cc calls these functions
// in the order of the list, which is also the order in which blame tries the mutants.
#pragma once

#include "oracle/mutants/mutant.h"

namespace lanecheck {

/// A mutant as the tables write it.
struct MutantRow {
  std::string_view id, what;
  std::string_view breaks[5];  ///< as many rules as it breaks, then empty names
  void (*apply)(Semantics&);
};

void add_rows(std::vector<Mutant>& list, std::span<const MutantRow> rows);

void add_set_mask_mutants(std::vector<Mutant>& list);
void add_lookup_mutants(std::vector<Mutant>& list);
void add_packed_bits_mutants(std::vector<Mutant>& list);
void add_reduction_mutants(std::vector<Mutant>& list);
void add_mask_use_mutants(std::vector<Mutant>& list);
void add_operand_mutants(std::vector<Mutant>& list);
void add_counter_mutants(std::vector<Mutant>& list);
void add_register_mutants(std::vector<Mutant>& list);
void add_lane_mutants(std::vector<Mutant>& list);
void add_gather_mask_mutants(std::vector<Mutant>& list);
void add_padding_mutants(std::vector<Mutant>& list);
void add_tik_mutants(std::vector<Mutant>& list);

}  // namespace lanecheck
