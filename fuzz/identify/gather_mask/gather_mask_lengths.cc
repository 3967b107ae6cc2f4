#include "fuzz/identify/gather_mask/gather_mask_lengths.h"

#include <algorithm>

#include "spec/program/profile.h"

namespace lanecheck {
namespace {

std::uint32_t& setting_of(Instruction& insn, std::string_view name) {
  return insn.settings[*setting_index(row_of(insn.op), name)];
}

/// Executes a changed instruction in counter mode, or in normal mode.
template <class Change>
void add(std::vector<GatherLaw>& laws, const std::string& text, bool counts, Change change) {
  laws.push_back({MapKind::places, text, [counts, change](Instruction& insn) {
                    if ((setting(insn, "counter") != 0) == counts) change(insn);
                  }});
}

/// Another number of elements than the mask argument says.
void add_numbers(std::vector<GatherLaw>& laws) {
  const auto in_counter_mode = [&](const std::string& text, auto taken) {
    add(laws, text + ", in its counter mode", true,
        [taken](Instruction& i) { setting_of(i, "mask") = taken(i, setting_of(i, "mask")); });
  };
  using Number = std::uint32_t;
  in_counter_mode("rounds its mask argument up to whole repeats", [](const Instruction& i, Number mask) {
    return static_cast<Number>(rounded_up(mask, whole_repeat(i)));
  });
  in_counter_mode("rounds its mask argument up to whole data blocks", [](const Instruction& i, Number mask) {
    return static_cast<Number>(rounded_up(mask, per_block(i.src_type)));
  });
  laws.back().of_element_size = true;
  for (const Number group : {8u, 4u, 2u, 16u})
    in_counter_mode(
        "rounds its mask argument up to whole groups of " + std::to_string(group) + " elements",
        [group](const Instruction&, Number mask) { return static_cast<Number>(rounded_up(mask, group)); });
  in_counter_mode("leaves out what its mask argument counts after the last whole repeat",
                  [](const Instruction& i, Number mask) { return mask / whole_repeat(i) * whole_repeat(i); });
  in_counter_mode(
      "leaves out what its mask argument counts after the last whole repeat, if there is a whole one",
      [](const Instruction& i, Number mask) {
        return mask < whole_repeat(i) ? mask : mask / whole_repeat(i) * whole_repeat(i);
      });
  in_counter_mode("leaves out what its mask argument counts after the last whole data block",
                  [](const Instruction& i, Number mask) { return mask - mask % per_block(i.src_type); });
  laws.back().of_element_size = true;
  for (const Number group : {8u, 4u, 2u, 16u})
    in_counter_mode("leaves out what its mask argument counts after the last whole group of " +
                        std::to_string(group) + " elements",
                    [group](const Instruction&, Number mask) { return mask - mask % group; });
  in_counter_mode("looks at one whole repeat if its mask argument is more",
                  [](const Instruction& i, Number mask) { return std::min(mask, whole_repeat(i)); });
  in_counter_mode("leaves out the last repeat if its mask argument counts whole repeats and more than one",
                  [](const Instruction& i, Number mask) {
                    return mask % whole_repeat(i) == 0 && mask > whole_repeat(i) ? mask - whole_repeat(i)
                                                                                 : mask;
                  });
  in_counter_mode("leaves out the last repeat if its mask argument counts whole repeats",
                  [](const Instruction& i, Number mask) {
                    return mask % whole_repeat(i) == 0 ? mask - whole_repeat(i) : mask;
                  });
  in_counter_mode("looks at one repeat more if its mask argument counts whole repeats",
                  [](const Instruction& i, Number mask) {
                    return mask % whole_repeat(i) == 0 ? mask + whole_repeat(i) : mask;
                  });
  in_counter_mode("takes its mask argument for a number of bytes",
                  [](const Instruction& i, Number mask) { return mask / size_of(i.src_type); });
  in_counter_mode("looks at one element more than its mask argument says",
                  [](const Instruction&, Number mask) { return mask + 1; });
  in_counter_mode("looks at one element less than its mask argument says",
                  [](const Instruction&, Number mask) { return mask - 1; });
  for (const unsigned bits : {6u, 7u, 8u})
    in_counter_mode("uses only the lowest " + std::to_string(bits) + " bits of its mask argument",
                    [bits](const Instruction&, Number mask) { return mask & ((1u << bits) - 1); });
}

/// Other repeat times, where the mask argument has no say.
void add_repeat_times(std::vector<GatherLaw>& laws) {
  add(laws, "leaves out its last repeat, in its normal mode", false,
      [](Instruction& i) { i.repeat -= std::min(i.repeat, 1U); });
  add(laws, "leaves out its last repeat, if it has more than one, in its normal mode", false,
      [](Instruction& i) { i.repeat = std::max(i.repeat, 2U) - 1; });
  add(laws, "performs one repeat more than its repeat times, in its normal mode", false,
      [](Instruction& i) { ++i.repeat; });
  add(laws, "performs one repeat, whatever its repeat times are, in its normal mode", false,
      [](Instruction& i) { i.repeat = std::min(i.repeat, 1U); });
}

/// A mask argument that is ignored, or not ignored.
void add_modes(std::vector<GatherLaw>& laws) {
  laws.push_back({MapKind::places, "takes counter=0 for its counter mode, and counter=1 for its normal mode",
                  [](Instruction& i) { setting_of(i, "counter") ^= 1U; }});
  add(laws, "ignores its mask argument: every repeat is a whole one, in its counter mode", true,
      [](Instruction& i) { setting_of(i, "counter") = 0; });
  laws.push_back({.map = MapKind::places,
                  .text = "takes only the first `mask` elements of each repeat, if its mask argument is not "
                          "0 in normal mode",
                  .keeps = [](const GatherCall& call, const GatherElement& e, bool kept) {
                    const std::uint32_t mask = setting(call.insn(), "mask");
                    return kept && (call.counts() || mask == 0 || e.element < mask);
                  }});
  add(laws, "looks at `mask` elements in each repeat, if its mask argument is not 0 in normal mode", false,
      [](Instruction& i) { setting_of(i, "counter") = setting_of(i, "mask") != 0 ? 1 : 0; });
}

/// Which configuration of counter mode is followed.
void add_configurations(std::vector<GatherLaw>& laws) {
  const auto add = [&](const std::string& text, GatherCounter counter) {
    laws.push_back({.map = MapKind::places,
                    .text = "takes its mask argument for the elements of " + text + ", in its counter mode",
                    .readings = [counter](Readings& readings) { readings.gather_counter = counter; }});
  };
  add("all repeats together", GatherCounter::total);
  add("each repeat", GatherCounter::per_repeat);
  laws.push_back({.map = MapKind::places,
                  .text =
                      "executes no more repeats than its repeat times say, however many elements its mask "
                      "argument counts, in its counter mode",
                  .resolved = [](const GatherCall& call, ResolvedInstruction& here) {
                    here.insn.repeat = std::min(here.insn.repeat, std::max(1U, call.insn().repeat));
                  }});
  for (const bool at_most : {true, false})
    laws.push_back(
        {.map = MapKind::places,
         .text = std::string("looks at ") + (at_most ? "no more elements than" : "as many elements as") +
                 " the mask register counts, if the mask mode is counter mode before",
         .resolved = [at_most](const GatherCall& call, ResolvedInstruction& here) {
           if (!call.after_counter_mode()) return;
           const std::uint64_t own = here.total == kNoTotal
                                         ? std::uint64_t{here.insn.repeat} * whole_repeat(here.insn)
                                         : here.total;
           if (at_most && own <= call.before.back().low) return;
           here.total = call.before.back().low;
           here.insn.repeat = static_cast<std::uint32_t>(rounded_up(here.total, whole_repeat(here.insn)) /
                                                         whole_repeat(here.insn));
         }});
}

/// A whole repeat of another number of elements than 256 bytes hold.
void add_whole_repeats(std::vector<GatherLaw>& laws, const Instruction& insn) {
  for (const unsigned whole : {64u, 128u, 256u, 32u, 16u, 8u})
    if (whole != whole_repeat(insn))
      laws.push_back({.map = MapKind::places,
                      .text = "takes " + std::to_string(whole) + " elements for a whole repeat",
                      .whole = whole});
}

}  // namespace

void add_lengths(std::vector<GatherLaw>& laws, const Instruction& insn) {
  add_numbers(laws);
  add_repeat_times(laws);
  add_whole_repeats(laws, insn);
  add_modes(laws);
  add_configurations(laws);
}

}  // namespace lanecheck
