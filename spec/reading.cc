#include "spec/reading.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace lanecheck {
namespace {

template <auto Field>
unsigned get(const Readings& readings) {
  return static_cast<unsigned>(readings.*Field);
}

template <auto Field>
void set(Readings& readings, unsigned option) {
  auto& field = readings.*Field;
  field = static_cast<std::remove_reference_t<decltype(field)>>(option);
}

constexpr Source kElementwise = {"asc-devkit", "element-wise pages"};
constexpr Source kReduceRepeat = {"asc-devkit", "ReduceRepeat, ReduceDataBlock"};

constexpr Option kEmptyReduction[] = {
    {"keeps_dst", "the destination scalar is not written"},
    {"writes_neutral", "the neutral element (0, or the sentinel) is written"},
};
constexpr Option kEmptyPair[] = {
    {"writes_zero", "both elements read as 0 and the sum 0 is written"},
    {"keeps_dst", "the destination element is not written"},
};
constexpr Option kCastMask[] = {
    {"wider_domain", "mask slot e gates element e, 256 bytes of the wider of the two types make a repeat"},
    {"ignores_mask", "cast writes every element, as the pending entry of section 5 permits"},
};
constexpr Option kIntegerSentinel[] = {
    {"type_limit", "the least (for max) or greatest (for min) value of the type"},
    {"zero", "what converting an infinity to an integer yields in NumPy for narrow types: 0"},
};
constexpr Option kAliasWinner[] = {
    {"last_repeat", "repeats and blocks are written in ascending order, so the last write stays"},
    {"first_repeat", "the first write to a place stays; later repeats leave it"},
};
constexpr Option kMaskedTail[] = {
    {"must_fit", "every lane of the repeat lies inside the allocation, masked off or not"},
    {"may_overhang", "lanes after the last active one may lie past the allocation, inside UB"},
};
constexpr Option kCompareNan[] = {
    {"ieee", "NE is true, all others are false"},
    {"never", "all six are false"},
};
constexpr Option kHalfOverflow[] = {
    {"infinity", "IEEE: infinities and NaN stay"},
    {"saturate", "an infinite f16 or bf16 result becomes the largest finite value, NaN becomes 0"},
};
constexpr Option kHalfScalar[] = {
    {"rounded_first", "the scalar is rounded to the element type, then used"},
    {"kept_wide", "the operation is done in f32 with the unrounded scalar, then rounded once"},
};
constexpr Option kIntegerOverflow[] = {
    {"wraps", "the low bits stay (two's complement)"},
    {"saturates", "the result is clamped to the type"},
};
constexpr Option kCastOverflow[] = {
    {"saturates", "clamped to the least or greatest value"},
    {"wraps", "the low bits of the rounded integer stay"},
};
constexpr Option kCastNan[] = {
    {"zero", "NaN becomes 0"},
    {"lowest", "NaN becomes the least value of the type, as x86 conversions do"},
};
constexpr Option kSumOrder[] = {
    {"any", "any order: the sum may err by the bound of n additions"},
    {"pairwise", "neighbours are added level by level, each sum rounded to the type"},
    {"sequential", "from lane 0 upwards, each sum rounded to the type"},
    {"wide", "added in f32 from lane 0 upwards (f32: in f64), rounded once"},
};
constexpr Option kSortTies[] = {
    {"stable", "equal scores keep their source order; on a merge the lower queue goes first"},
    {"reversed", "equal scores come out in reverse source order; on a merge the higher queue goes first"},
};
constexpr Option kMultiplyAdd[] = {
    {"two_roundings", "the product is rounded, then the sum"},
    {"fused", "one rounding at the end"},
};
constexpr Option kSubnormals[] = {
    {"kept", "IEEE gradual underflow"},
    {"flushed", "subnormal float inputs and results of arithmetic become zero of their sign"},
};
constexpr Option kMaskAfter[] = {
    {"unchanged", "the mask stays as it was"},
    {"all_ones", "all 256 slots are 1 afterwards"},
};

constexpr Reading kReadings[] = {
    {"empty_reduction",
     "What does a reduction write when no lane of it (cadd, cmax, cmin) or of a block "
     "(cgadd, cgmax, cgmin) is active?",
     {kVmc, "3.2, 3.3 against 6"},
     "the rule for the operation outranks the general pattern of section 6; asc-devkit ReduceRepeat agrees",
     kEmptyReduction,
     get<&Readings::empty_reduction>,
     set<&Readings::empty_reduction>},
    {"empty_pair",
     "What does cpadd write for a pair with both elements masked off?",
     {kVmc, "3.2"},
     "VMC says masked-off elements are zeroed before the add; asc-devkit ReducePairElem keeps dst on A2",
     kEmptyPair,
     get<&Readings::empty_pair>,
     set<&Readings::empty_pair>},
    {"cast_mask",
     "Does cast consume the mask?",
     {kVmc, "3.1 against 5"},
     "3.1 gives the rule with an example; 5 lists cast as pending; asc-devkit Cast counts by the wider type",
     kCastMask,
     get<&Readings::cast_mask>,
     set<&Readings::cast_mask>},
    {"integer_sentinel",
     "What do masked-off elements of cmax, cmin, cgmax and cgmin read as in an integer "
     "type, which has no infinity?",
     {kVmc, "3.3"},
     "the limit of the type is the neutral element, which is what the infinities are for",
     kIntegerSentinel,
     get<&Readings::integer_sentinel>,
     set<&Readings::integer_sentinel>},
    {"alias_winner",
     "Which write stays when a dst stride of 0 (or an overlap of repeats) makes several writes "
     "of one instruction meet?",
     {kVmc, "1 (silent)"},
     "repeats run in ascending order in every description of the unit",
     kAliasWinner,
     get<&Readings::alias_winner>,
     set<&Readings::alias_winner>},
    {"masked_tail",
     "May lanes after the last active one address memory past the allocation?",
     {kVmc, "1, 3.1 (silent)"},
     "asc-devkit says that sources are read whatever the mask, its checker counts to the last active lane; "
     "a program that fits is legal under both",
     kMaskedTail,
     get<&Readings::masked_tail>,
     set<&Readings::masked_tail>},
    {"compare_nan",
     "What does a comparison with NaN yield?",
     {kVmc, "4 (silent)"},
     "IEEE 754 comparison",
     kCompareNan,
     get<&Readings::compare_nan>,
     set<&Readings::compare_nan>},
    {"half_overflow", "What becomes of an f16 or bf16 result beyond the largest finite value?", kElementwise,
     "ReduceDataBlock and the A2 run-time default keep infinities; SetCtrlSpr's reset value "
     "saturates",
     kHalfOverflow, get<&Readings::half_overflow>, set<&Readings::half_overflow>},
    {"half_scalar", "Is the scalar of an f16 instruction rounded to f16 before the operation?", kElementwise,
     "the API types the scalar as the element type", kHalfScalar, get<&Readings::half_scalar>,
     set<&Readings::half_scalar>},
    {"integer_overflow", "What becomes of an integer result that does not fit?", kElementwise,
     "SetSaturationFlag: integer saturation is off by default", kIntegerOverflow,
     get<&Readings::integer_overflow>, set<&Readings::integer_overflow>},
    {"cast_overflow", "What does a cast to an integer do with a value that does not fit?", kElementwise,
     "SetSaturationFlag: cast saturation is on by default", kCastOverflow, get<&Readings::cast_overflow>,
     set<&Readings::cast_overflow>},
    {"cast_nan", "What does a cast of NaN to an integer yield?", kElementwise,
     "SetSaturationFlag: NaN becomes 0", kCastNan, get<&Readings::cast_nan>, set<&Readings::cast_nan>},
    {"sum_order", "In which order do cadd and cgadd add?", kReduceRepeat,
     "VMC does not say; an order is judged only when it is pinned", kSumOrder, get<&Readings::sum_order>,
     set<&Readings::sum_order>},
    {"sort_ties",
     "In which order do equal scores leave sort32 and the merges?",
     {kVmc, "4 (silent)"},
     "asc-devkit Sort32 and MrgSort: the lower position goes first",
     kSortTies,
     get<&Readings::sort_ties>,
     set<&Readings::sort_ties>},
    {"multiply_add", "Do muladddst and axpy round the product?", kElementwise,
     "VMC does not say; two operations round twice unless a document says fused", kMultiplyAdd,
     get<&Readings::multiply_add>, set<&Readings::multiply_add>},
    {"subnormals", "Are subnormal numbers kept in arithmetic?", kElementwise,
     "IEEE 754 unless a document says otherwise; A2 pages are silent", kSubnormals,
     get<&Readings::subnormals>, set<&Readings::subnormals>},
    {"mask_after_select",
     "What does select leave in the mask?",
     {kVmc, "4 (against Ascend C Select)"},
     "VMC: the mask is irrelevant to select; on hardware the generated code leaves it all ones",
     kMaskAfter,
     get<&Readings::mask_after_select>,
     set<&Readings::mask_after_select>},
    {"mask_after_brcb",
     "What does brcb leave in the mask?",
     {kVmc, "4 (against Ascend C Brcb)"},
     "VMC: brcb does not touch the mask; the Ascend C wrapper resets it",
     kMaskAfter,
     get<&Readings::mask_after_brcb>,
     set<&Readings::mask_after_brcb>},
    {"mask_after_gather",
     "What do gather and scatter leave in the mask?",
     {kVmc, "4 (against Ascend C Gather)"},
     "VMC: gather does not touch the mask; the Ascend C wrapper passes a full mask",
     kMaskAfter,
     get<&Readings::mask_after_gather>,
     set<&Readings::mask_after_gather>},
};

}  // namespace

std::span<const Reading> readings() {
  return kReadings;
}

const Reading* find_reading(std::string_view id) {
  const auto* found = std::ranges::find(kReadings, id, &Reading::id);
  return found == std::end(kReadings) ? nullptr : found;
}

void pin(Readings& readings, std::string_view setting) {
  const auto equals = setting.find('=');
  const Reading* reading = find_reading(setting.substr(0, equals));
  std::string message = "'";
  message.append(setting).append("': ");
  if (reading == nullptr) {
    message += "no such reading; there are:";
    for (const Reading& each : kReadings) message.append(" ").append(each.id);
    throw std::invalid_argument(message);
  }
  if (equals != std::string_view::npos) {
    const auto name = setting.substr(equals + 1);
    for (unsigned option = 0; option < reading->options.size(); ++option)
      if (reading->options[option].name == name) return reading->set(readings, option);
  }
  message.append("write ").append(reading->id).append("=OPTION with one of:");
  for (const Option& option : reading->options) message.append(" ").append(option.name);
  throw std::invalid_argument(message);
}

std::vector<std::pair<std::string_view, std::string_view>> departures(const Readings& readings) {
  std::vector<std::pair<std::string_view, std::string_view>> list;
  for (const Reading& reading : kReadings)
    if (const unsigned option = reading.get(readings); option != 0)
      list.emplace_back(reading.id, reading.options[option].name);
  return list;
}

}  // namespace lanecheck
