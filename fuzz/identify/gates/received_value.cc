#include "fuzz/identify/gates/received_value.h"

#include <algorithm>
#include <array>

#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"

namespace lanecheck {

std::uint64_t Drawn::get(std::span<const std::byte> ub, unsigned operand, unsigned repeat,
                         unsigned lane) const {
  const Element type = operand_type(subject.insn, row_of(subject.insn.op).operands[operand]);
  const Region& region = layout.regions[operand];
  const auto at = static_cast<std::uint32_t>(element_at(subject.insn, operand, repeat, lane));
  return get_element(ub, region, type, region.margin / size_of(type) + at);
}

bool is_on(const Drawn& each, unsigned lane) {
  return lane >= kMaskSlots / 2 || has_slot(each.mask, lane);
}

bool has_one_source(const Subject& subject) {
  return row_of(subject.insn.op).operands.size() == 2 && subject.insn.src_type == subject.insn.dst_type;
}

namespace {

/// The old dst of another lane or repeat.
void add_old_places(std::vector<Received>& all) {
  const auto add_old = [&](const std::string& of, auto other) {
    all.push_back({"the old dst of " + of, [other](const Drawn& each, unsigned repeat, unsigned lane) {
                     const auto [from, at] = other(each, repeat, lane);
                     return each.get(each.program.ub, 0, from, at);
                   }});
  };
  using At = std::pair<unsigned, unsigned>;  // repeat, lane
  add_old("their lane in repeat 0", [](const Drawn&, unsigned, unsigned lane) { return At{0, lane}; });
  add_old("their lane in the repeat before", [](const Drawn&, unsigned repeat, unsigned lane) {
    return At{repeat - std::min(repeat, 1U), lane};
  });
  add_old("their lane in the last repeat", [](const Drawn& each, unsigned, unsigned lane) {
    return At{repeats_of(each.subject.insn) - 1, lane};
  });
  add_old("the first lane of their data block", [](const Drawn& each, unsigned repeat, unsigned lane) {
    return At{repeat, lane - lane % per_block(each.subject.insn.dst_type)};
  });
  add_old("lane n of the repeat, where n lanes before them are off",
          [](const Drawn& each, unsigned repeat, unsigned lane) {
            unsigned off = 0;
            for (unsigned before = 0; before < lane; ++before) off += is_on(each, before) ? 0 : 1;
            return At{repeat, off};
          });
}

/// Is a lane from `first` to before `end` active?
bool any_on(const Drawn& each, unsigned first, unsigned end) {
  for (unsigned lane = first; lane < end; ++lane)
    if (is_on(each, lane)) return true;
  return false;
}

unsigned block_of(const Drawn& each, unsigned lane) {
  return lane - lane % per_block(each.subject.insn.dst_type);
}

bool is_behind_last(const Drawn& each, unsigned lane) {
  return !any_on(each, lane, lanes_of(each.subject.insn));
}

bool has_active_block(const Drawn& each, unsigned lane) {
  const unsigned first = block_of(each, lane);
  return any_on(each, first, first + per_block(each.subject.insn.dst_type));
}

constexpr OffLanes kOffLanes[] = {
    {"", [](const Drawn&, unsigned) { return true; }},
    {" behind the last active lane", is_behind_last},
    {" behind the last active lane, up to the end of its data block,",
     [](const Drawn& each, unsigned lane) {
       return is_behind_last(each, lane) && has_active_block(each, lane);
     }},
    {" before the first active lane",
     [](const Drawn& each, unsigned lane) { return !any_on(each, 0, lane); }},
    {" whose data block has an active lane", has_active_block},
    {" whose data block has no active lane",
     [](const Drawn& each, unsigned lane) { return !has_active_block(each, lane); }},
    {" behind the last active lane of their data block",
     [](const Drawn& each, unsigned lane) {
       return !any_on(each, lane, block_of(each, lane) + per_block(each.subject.insn.dst_type));
     }},
};

}  // namespace

std::span<const OffLanes> off_lanes() {
  return kOffLanes;
}

std::vector<Received> received_candidates(const Subject& subject) {
  const Row& row = row_of(subject.insn.op);
  const unsigned lanes = lanes_of(subject.insn);
  std::vector<Received> all;
  for (unsigned k = 1; k < row.operands.size(); ++k)
    if (operand_type(subject.insn, row.operands[k]) == subject.insn.dst_type &&
        row.operands[k].walk == Walk::blocks)
      all.push_back({"their element of " + std::string(row.operands[k].role),
                     [k](const Drawn& each, unsigned repeat, unsigned lane) {
                       return each.get(each.program.ub, k, repeat, lane);
                     }});
  if (takes_scalar(subject.insn) && scalar_type(subject.insn) == subject.insn.dst_type)
    all.push_back({"the scalar", [](const Drawn& each, unsigned, unsigned) {
                     return std::uint64_t{each.program.instructions.back().scalar.bits};
                   }});
  const auto add_neighbour = [&](const std::string& which, auto other) {
    all.push_back({"the old dst of " + which, [other](const Drawn& each, unsigned repeat, unsigned lane) {
                     return each.get(each.program.ub, 0, repeat, other(lane));
                   }});
    all.push_back({"the result of " + which, [other](const Drawn& each, unsigned repeat, unsigned lane) {
                     return each.get(each.result.ub, 0, repeat, other(lane));
                   }});
  };
  add_neighbour("the next lane", [=](unsigned lane) { return (lane + 1) % lanes; });
  add_neighbour("the lane before", [=](unsigned lane) { return (lane + lanes - 1) % lanes; });
  add_neighbour("the other lane of their pair", [](unsigned lane) { return lane ^ 1; });
  add_neighbour("lane 0", [](unsigned) { return 0u; });
  add_old_places(all);
  if (has_one_source(subject))
    all.push_back(
        {"what it computes of their old dst", [](const Drawn& each, unsigned repeat, unsigned lane) {
           return each.get(each.of_old.ub, 0, repeat, lane);
         }});
  constexpr std::array<std::string_view, 3> kWhich = {"first", "second", "third"};
  for (unsigned k = 1; k < row.operands.size(); ++k)
    all.push_back({"what it computes with 0 in place of their " + std::string(kWhich[k - 1]) + " source",
                   [k](const Drawn& each, unsigned repeat, unsigned lane) {
                     return each.get(each.of_zero[k - 1].ub, 0, repeat, lane);
                   }});
  return all;
}

}  // namespace lanecheck
