#include <algorithm>
#include <map>

#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/trials/conditional_law.h"
#include "fuzz/identify/trials/single_repeats.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::uint32_t kMostConstant = 16;

/// Where a wrong stride comes from.
struct StrideSource {
  std::string text;  ///< "block stride 1", "the block stride of dst instead of its own"
  std::function<std::uint32_t(const Instruction&)> value;
  std::string always{};  ///< see Conjecture
  std::optional<std::uint32_t> constant{};
};

const std::string kWhateverIsGiven = ", whatever is given";

std::vector<StrideSource> sources_of(const Instruction& insn, unsigned k, std::uint32_t Operand::*field) {
  std::vector<StrideSource> sources;
  const std::string name = stride_name(field);
  for (std::uint32_t stride = 0; stride <= kMostConstant; ++stride)
    sources.push_back({name + " " + std::to_string(stride), [stride](const Instruction&) { return stride; },
                       kWhateverIsGiven, stride});
  for (unsigned j = 0; j < operands_of(insn); ++j)
    if (j != k && has_stride(insn, j, field))
      sources.push_back(
          {"the " + name + " of " + std::string(row_of(insn.op).operands[j].role) + " instead of its own",
           [j, field](const Instruction& given) { return given.operands[j].*field; }});
  sources.push_back({"a " + name + " that is one more than what is given",
                     [k, field](const Instruction& given) { return given.operands[k].*field + 1; }});
  sources.push_back(
      {"a " + name + " that is one less than what is given", [k, field](const Instruction& given) {
         return given.operands[k].*field - std::min(given.operands[k].*field, 1U);
       }});
  return sources;
}

/// A choice of repeats.
struct RepeatSet {
  std::string text;  ///< "in the last repeat"
  std::function<bool(unsigned repeat, unsigned count)> has;
};

std::vector<RepeatSet> repeat_sets(unsigned count) {
  std::vector<RepeatSet> sets;
  for (const unsigned step : {2U, 4U, 8U, 16U})
    sets.push_back({"in the repeats that are left over after whole groups of " + std::to_string(step),
                    [step](unsigned r, unsigned all) { return r >= all / step * step; }});
  sets.push_back({"in the last repeat", [](unsigned r, unsigned all) { return r + 1 == all; }});
  sets.push_back({"in odd repeats (counted from 0)", [](unsigned r, unsigned) { return r % 2 == 1; }});
  sets.push_back({"in even repeats (counted from 0)", [](unsigned r, unsigned) { return r % 2 == 0; }});
  for (unsigned from = 1; from < std::min(count, 9U); ++from)
    sets.push_back({"from repeat " + std::to_string(from) + " (counted from 0) on",
                    [from](unsigned r, unsigned) { return r >= from; }});
  return sets;
}

/// The repeats in `set` lie as if `stride` were the repeat stride. `goes_on`: counted from the repeat before
/// them.
Distance in_some_repeats(const RepeatSet& set, const StrideSource& source, bool goes_on) {
  return [set, source, goes_on](const Instruction& insn, unsigned k, unsigned repeat) {
    const std::uint32_t wrong = step_with(insn, k, source.value(insn));
    const auto own = static_cast<std::uint32_t>(repeat_step(insn, k));
    if (!goes_on) return repeat * (set.has(repeat, insn.repeat) ? wrong : own);
    std::uint32_t place = 0;
    for (unsigned r = 1; r <= repeat; ++r) place += set.has(r, insn.repeat) ? wrong : own;
    return place;
  };
}

/// Groups of `size` repeats lie as if `stride` were the repeat stride; inside a group it is the own one.
Distance from_group_to_group(unsigned size, const StrideSource& source) {
  return [size, source](const Instruction& insn, unsigned k, unsigned repeat) {
    const unsigned inside = repeat % size;
    return (repeat - inside) * step_with(insn, k, source.value(insn)) +
           inside * static_cast<std::uint32_t>(repeat_step(insn, k));
  };
}

/// The distance of each repeat is rounded down to a multiple of `blocks` data blocks.
Distance rounded_down(unsigned blocks) {
  return [blocks](const Instruction& insn, unsigned k, unsigned r) {
    const std::uint32_t bytes = blocks * kBlockBytes;
    return static_cast<std::uint32_t>(r * repeat_step(insn, k)) / bytes * bytes;
  };
}

/// One instruction for each repeat; in those of `set`, operand `k` walks with another block stride.
std::vector<Instruction> with_block_stride_in(const RepeatSet& set, const Instruction& insn, unsigned k,
                                              const StrideSource& source) {
  std::vector<Instruction> repeats = one_for_each_repeat(insn, k, as_documented());
  for (unsigned r = 0; r < repeats.size(); ++r)
    if (set.has(r, insn.repeat)) repeats[r].operands[k].block_stride = source.value(insn);
  return repeats;
}

/// How the results that reach one element of dst are combined. `before`: what it holds; `is_first`: no
/// repeat has written it.
struct Combination {
  std::string text;  ///< after the name of the instruction
  std::function<double(double before, double result, bool is_first)> value;
};

const std::vector<Combination>& combinations() {
  static const std::vector<Combination> all = {
      {" adds up the results of repeats that write the same element of dst",
       [](double before, double result, bool is_first) { return is_first ? result : before + result; }},
      {" keeps the greatest of the results of repeats that write the same element of dst",
       [](double before, double result, bool is_first) {
         return is_first ? result : std::max(before, result);
       }},
      {" keeps the least of the results of repeats that write the same element of dst",
       [](double before, double result, bool is_first) {
         return is_first ? result : std::min(before, result);
       }},
      {" adds its results to what dst holds",
       [](double before, double result, bool) { return before + result; }},
      {" keeps the greater one of its result and what dst holds",
       [](double before, double result, bool) { return std::max(before, result); }},
      {" keeps the lesser one of its result and what dst holds",
       [](double before, double result, bool) { return std::min(before, result); }},
      {" writes twice its results", [](double, double result, bool) { return 2 * result; }},
  };
  return all;
}

std::optional<Bytes> combined(const ShapeTrial& trial, const Combination& combination) {
  const Instruction& insn = trial.placed();
  const Region& dst = trial.layout.regions[0];
  const Element type = insn.dst_type;
  Program changed = trial.program;
  std::map<std::uint32_t, bool> written;
  const auto repeats = written_alone(trial, one_for_each_repeat(insn, 0, as_documented()));
  if (!repeats) return {};
  for (const auto& repeat : *repeats)
    for (const auto& [n, bits] : repeat) {
      const double before = value_of(type, get_element(changed.ub, dst, type, n));
      const double value = combination.value(before, value_of(type, bits), !written[n]);
      put_element(changed, dst, type, n, nearest(type, value));
      written[n] = true;
    }
  if (same_bytes(changed.ub, trial.program.ub)) return {};  // nothing may have been written at all
  return std::move(changed.ub);
}

OfZero of_zero(const Instruction& insn, unsigned k, std::uint32_t Operand::*field, std::uint32_t stride) {
  const std::string name = stride_name(field), role(row_of(insn.op).operands[k].role);
  return OfZero{"the " + name + " of " + role + " is 0",
                role_of(insn, k) + " takes a " + name + " of 0 as " + std::to_string(stride),
                map_of_role(role),
                {field, [stride](std::int64_t given) { return given == 0 ? std::int64_t{stride} : given; }}};
}

/// Of the only operand that has such a stride; nothing if several have one.
std::optional<OfZero> of_zero_of_only(const Instruction& insn, std::uint32_t Operand::*field,
                                      std::uint32_t stride) {
  std::optional<unsigned> only;
  for (unsigned k = 0; k < operands_of(insn); ++k) {
    if (!has_stride(insn, k, field)) continue;
    if (only) return {};
    only = k;
  }
  if (!only) return {};
  return of_zero(insn, *only, field, stride);
}

/// All operands walk with one constant stride. Not 0: then all results meet, and the first one stays.
void add_strides_of_all(const Instruction& insn, std::uint32_t Operand::*field,
                        std::vector<Conjecture>& all) {
  for (std::uint32_t stride = 1; stride <= kMostConstant; ++stride) {
    const PlaceLaw law = [field, stride](const Instruction& given) {
      Instruction executed = given;
      for (unsigned k = 0; k < operands_of(given); ++k)
        if (has_stride(given, k, field)) executed.operands[k].*field = stride;
      return std::optional(executed);
    };
    all.push_back(conjecture_of("all operands of " + mnemonic(insn) + " walk with " + stride_name(field) +
                                    " " + std::to_string(stride),
                                MapKind::dst, law));
    all.back().always = kWhateverIsGiven;
    all.back().of_zero = of_zero_of_only(insn, field, stride);
  }
}

/// From repeat `first` on, each result of a reduction is combined with that of the repeat before it.
std::optional<Bytes> carried(const ShapeTrial& trial, unsigned first) {
  const Instruction& insn = trial.placed();
  const Region& dst = trial.layout.regions[0];
  const unsigned size = size_of(insn.dst_type), results = results_per_repeat(insn);
  const std::uint64_t step = repeat_step(insn, 0);
  if (step < std::uint64_t{results} * size) return {};
  Program changed = trial.program;
  changed.ub = trial.documented;
  for (unsigned r = std::max(first, 1U); r < repeats_of(insn); ++r)
    for (unsigned n = 0; n < results; ++n) {
      const auto at = static_cast<std::uint32_t>(dst.margin / size + r * step / size + n);
      const auto before = static_cast<std::uint32_t>(at - step / size);
      const double both = reduced_with(
          row_of(insn.op), value_of(insn.dst_type, get_element(changed.ub, dst, insn.dst_type, before)),
          value_of(insn.dst_type, get_element(changed.ub, dst, insn.dst_type, at)));
      put_element(changed, dst, insn.dst_type, at, nearest(insn.dst_type, both));
    }
  return std::move(changed.ub);
}

void add_carried(const Instruction& insn, std::vector<Conjecture>& all) {
  const std::string text = combines_with(row_of(insn.op), "what it wrote for the repeat before it");
  for (const unsigned first : {1U, 2U, 3U}) {
    const std::string what = first == 1
                                 ? std::string(kNotAnew)
                                 : text + ", from repeat " + std::to_string(first) + " (counted from 0) on";
    all.push_back({mnemonic(insn) + what, MapKind::dst});
    all.back().leaves = [first](const ShapeTrial& trial) { return carried(trial, first); };
    if (first == 1) all.back().key = kNotAnewKey;
  }
}

}  // namespace

std::vector<Conjecture> stride_conjectures(const Instruction& insn) {
  std::vector<Conjecture> all;
  for (unsigned k = 0; k < operands_of(insn); ++k)
    for (const auto field : kStrides) {
      if (!has_stride(insn, k, field)) continue;
      for (const StrideSource& source : sources_of(insn, k, field)) {
        const PlaceLaw law = [k, field, value = source.value](const Instruction& given) {
          Instruction executed = given;
          executed.operands[k].*field = value(given);
          return std::optional(executed);
        };
        const std::string role(row_of(insn.op).operands[k].role);
        all.push_back(conjecture_of(role_of(insn, k) + " walks with " + source.text, map_of_role(role), law));
        all.back().own = "the " + stride_name(field) + " of " + role;
        all.back().always = source.always;
        if (source.constant) all.back().of_zero = of_zero(insn, k, field, *source.constant);
      }
    }
  for (const auto field : kStrides) add_strides_of_all(insn, field, all);
  return all;
}

std::vector<Conjecture> repeat_conjectures(const Instruction& insn) {
  std::vector<Conjecture> all;
  const auto operands = row_of(insn.op).operands;
  if (!has_repeats_apart(insn)) return all;
  const auto add = [&](unsigned k, std::string text, const Distance& distance) {
    all.push_back({std::move(text), map_of_role(operands[k].role), [k, distance](const Instruction& given) {
                     return one_for_each_repeat(given, k, distance);
                   }});
  };
  // Of selects the maps say this, with the masks under which it was seen.
  const bool reads_bits =
      std::ranges::any_of(operands, [](const OperandColumn& each) { return each.walk == Walk::bits; });
  for (const RepeatSet& set : reads_bits ? std::vector<RepeatSet>() : repeat_sets(repeats_of(insn)))
    all.push_back(
        {mnemonic(insn) + " writes nothing " + set.text, MapKind::dst, [set](const Instruction& given) {
           auto repeats = one_for_each_repeat(given, 0, as_documented());
           unsigned r = 0;
           std::erase_if(repeats, [&](const Instruction&) { return set.has(r++, repeats_of(given)); });
           return repeats;
         }});
  for (unsigned k = 0; k < operands.size(); ++k) {
    add(k, "each repeat of " + role_of(insn, k) + " but the first lies where the repeat before it should lie",
        [](const Instruction& given, unsigned operand, unsigned r) {
          return static_cast<std::uint32_t>((r - std::min(r, 1U)) * repeat_step(given, operand));
        });
    for (const unsigned blocks : {2U, 4U, 8U})
      if (has_stride(insn, k, &Operand::repeat_stride))
        add(k,
            role_of(insn, k) + " lies at r * its repeat stride, rounded down to a multiple of " +
                std::to_string(blocks) + " data blocks, in repeat r (counted from 0)",
            rounded_down(blocks));
    for (const RepeatSet& set : repeat_sets(repeats_of(insn)))
      for (const StrideSource& source : sources_of(insn, k, &Operand::block_stride))
        if (has_stride(insn, k, &Operand::block_stride))
          all.push_back({set.text + ", " + role_of(insn, k) + " walks with " + source.text,
                         map_of_role(operands[k].role), [=](const Instruction& given) {
                           return with_block_stride_in(set, given, k, source);
                         }});
    const auto strides = sources_of(insn, k, &Operand::repeat_stride);
    for (const StrideSource& source : strides)
      for (const unsigned size : {2U, 4U, 8U})
        add(k,
            role_of(insn, k) + " walks with " + source.text + " from each group of " + std::to_string(size) +
                " repeats to the next one, and with its own inside a group",
            from_group_to_group(size, source));
    for (const RepeatSet& set : repeat_sets(repeats_of(insn)))
      for (const StrideSource& source : strides)
        for (const bool goes_on : {false, true})
          add(k,
              set.text + ", " + role_of(insn, k) + " walks with " + source.text +
                  (goes_on ? ", counted from the repeat before" : ", counted from the start"),
              in_some_repeats(set, source, goes_on));
  }
  return all;
}

std::vector<Conjecture> combination_conjectures(const Instruction& insn) {
  std::vector<Conjecture> all;
  const Walk walk = row_of(insn.op).operands[0].walk;
  if (walk != Walk::blocks && walk != Walk::results) return all;
  if (walk == Walk::results) add_carried(insn, all);
  for (const Combination& each : combinations()) {
    all.push_back({mnemonic(insn) + each.text, MapKind::dst});
    all.back().leaves = [each](const ShapeTrial& trial) { return combined(trial, each); };
  }
  return all;
}

}  // namespace lanecheck
