#include "spec/program/reading.h"

#include <algorithm>
#include <array>

#include "spec/program/input_error.h"

namespace lanecheck {
namespace {

using namespace reading_options;

template <auto Field>
unsigned get(const Readings& readings) {
  return static_cast<unsigned>(readings.*Field);
}

template <auto Field>
void set(Readings& readings, unsigned option) {
  auto& field = readings.*Field;
  field = static_cast<std::remove_reference_t<decltype(field)>>(option);
}

// Where a question is open.
constexpr ProfileSet kNowhere;  // every profile settles it, and not all in the same way
constexpr ProfileSet kVmcOnly = {Profile::vmc}, kAscend = {Profile::a2}, kInference = {Profile::p310},
                     kOfTik = {Profile::tik}, kEvery = kAllProfiles;

constexpr Source kElementwise = {"asc-devkit", "element-wise pages"};
constexpr Source kReduceRepeat = {"asc-devkit", "ReduceRepeat, ReduceDataBlock"};

constexpr Reading kReadings[] = {
    {"empty_reduction",
     "What does a sum write when no lane of it (cadd) or of a block (cgadd) is active?",
     {kVmc, "3.2 against 6"},
     "3.2 speaks of the case itself, 6 of additive reductions in general; asc-devkit ReduceRepeat agrees "
     "with 3.2",
     kEmptyReduction,
     get<&Readings::empty_reduction>,
     set<&Readings::empty_reduction>,
     kVmcOnly | kAscend},
    {"empty_extreme",
     "What does a maximum or minimum write when no lane of it (cmax, cmin) or of a block (cgmax, cgmin) is "
     "active?",
     {kSvm, "Function Usage (silent)"},
     "SVM does not name the reductions; asc-devkit ReduceRepeat keeps dst. VMC settles it for its own "
     "profile: 3.3 keeps dst, and section 6 speaks of additive reductions only",
     kEmptyReduction,
     get<&Readings::empty_extreme>,
     set<&Readings::empty_extreme>,
     kAscend},
    {"empty_pair",
     "What does cpadd write for a pair with both elements masked off?",
     {kSvm, "Function Usage (silent)"},
     "asc-devkit ReducePairElem keeps dst on A2. VMC settles it for its own profile: 3.2 zeroes masked-off "
     "elements before the add, and names no exception for cpadd",
     kEmptyPair,
     get<&Readings::empty_pair>,
     set<&Readings::empty_pair>,
     kAscend},
    {"cast_mask",
     "Does cast consume the mask?",
     {kVmc, "3.1 against 5"},
     "3.1 gives the rule with an example; 5 lists cast as pending; asc-devkit Cast counts by the wider type",
     kCastMask,
     get<&Readings::cast_mask>,
     set<&Readings::cast_mask>,
     kVmcOnly},
    {"alias_winner",
     "Which write stays when a dst stride of 0 (or an overlap of repeats) makes several writes "
     "of one instruction meet?",
     {kVmc, "1 (silent)"},
     "repeats run in ascending order in every description of the unit",
     kAliasWinner,
     get<&Readings::alias_winner>,
     set<&Readings::alias_winner>,
     kEvery},
    {"masked_tail",
     "May lanes after the last active one address memory past the allocation?",
     {kVmc, "1, 3.1 (silent)"},
     "asc-devkit says that sources are read whatever the mask, its checker counts to the last active lane; "
     "a program that fits is legal under both",
     kMaskedTail,
     get<&Readings::masked_tail>,
     set<&Readings::masked_tail>,
     kEvery,
     Decides::legality},
    {"compare_nan",
     "What does a comparison with NaN yield?",
     {kVmc, "4 (silent)"},
     "IEEE 754 comparison",
     kCompareNan,
     get<&Readings::compare_nan>,
     set<&Readings::compare_nan>,
     kVmcOnly | kAscend},
    {"half_overflow", "What becomes of an f16 or bf16 result beyond the largest finite value?", kElementwise,
     "ReduceDataBlock and the A2 run-time default keep infinities; SetCtrlSpr's reset value "
     "saturates",
     kHalfOverflow, get<&Readings::half_overflow>, set<&Readings::half_overflow>, kEvery,
     Decides::lane_arithmetic},
    {"half_scalar", "Is the scalar of an f16 instruction rounded to f16 before the operation?", kElementwise,
     "the API types the scalar as the element type", kHalfScalar, get<&Readings::half_scalar>,
     set<&Readings::half_scalar>, kEvery, Decides::lane_arithmetic},
    {"integer_overflow", "What becomes of an integer result that does not fit?", kElementwise,
     "SetSaturationFlag: integer saturation is off by default", kIntegerOverflow,
     get<&Readings::integer_overflow>, set<&Readings::integer_overflow>, kEvery, Decides::lane_arithmetic},
    {"cast_overflow", "What does a cast to an integer do with a value that does not fit?", kElementwise,
     "SetSaturationFlag: cast saturation is on by default", kCastOverflow, get<&Readings::cast_overflow>,
     set<&Readings::cast_overflow>, kVmcOnly | kAscend},
    {"cast_nan", "What does a cast of NaN to an integer yield?", kElementwise,
     "SetSaturationFlag: NaN becomes 0", kCastNan, get<&Readings::cast_nan>, set<&Readings::cast_nan>,
     kVmcOnly | kAscend},
    {"sum_order", "In which order do cadd and cgadd add?", kReduceRepeat,
     "VMC does not say; an order is judged only when it is pinned", kSumOrder, get<&Readings::sum_order>,
     set<&Readings::sum_order>, kVmcOnly | kAscend},
    {"sort_ties",
     "In which order do equal scores leave sort32 and the merges?",
     {kVmc, "4 (silent)"},
     "asc-devkit Sort32 and MrgSort: the lower position goes first",
     kSortTies,
     get<&Readings::sort_ties>,
     set<&Readings::sort_ties>,
     kVmcOnly | kAscend},
    {"multiply_add", "Do muladddst and axpy round the product?", kElementwise,
     "VMC does not say; two operations round twice unless a document says fused", kMultiplyAdd,
     get<&Readings::multiply_add>, set<&Readings::multiply_add>, kEvery, Decides::lane_arithmetic},
    {"subnormals", "Are subnormal numbers kept in arithmetic?", kElementwise,
     "IEEE 754 unless a document says otherwise; A2 pages are silent", kSubnormals,
     get<&Readings::subnormals>, set<&Readings::subnormals>, kEvery, Decides::lane_arithmetic},
    {"mask_after_select",
     "What does select leave in the mask?",
     {kVmc, "4 (against Ascend C Select)"},
     "VMC: the mask is irrelevant to select; on hardware the generated code leaves it all ones",
     kMaskAfter,
     get<&Readings::mask_after_select>,
     set<&Readings::mask_after_select>,
     kVmcOnly},
    {"mask_after_brcb",
     "What does brcb leave in the mask?",
     {kVmc, "4 (against Ascend C Brcb)"},
     "VMC: brcb does not touch the mask; the Ascend C wrapper resets it",
     kMaskAfter,
     get<&Readings::mask_after_brcb>,
     set<&Readings::mask_after_brcb>,
     kVmcOnly | kAscend},
    {"mask_after_gather",
     "What do gather and scatter leave in the mask?",
     {kVmc, "4 (against Ascend C Gather)"},
     "VMC: gather does not touch the mask; the Ascend C wrapper passes a full mask",
     kMaskAfter,
     get<&Readings::mask_after_gather>,
     set<&Readings::mask_after_gather>,
     kVmcOnly},
    {"select_mask",
     "Does the mask gate what select writes?",
     {kVmc, "4 (against Ascend C Select)"},
     "VMC: the mask is irrelevant to select; asc-devkit Select: it filters the result, as on hardware",
     kMaskUse,
     get<&Readings::select_mask>,
     set<&Readings::select_mask>,
     kNowhere},
    {"gather_uses_mask",
     "Does the mask gate what gather writes?",
     {kVmc, "4 (against Ascend C Gather)"},
     "VMC: gather ignores the mask; asc-devkit Gather takes a mask and keeps dst where it is 0",
     kMaskUse,
     get<&Readings::gather_uses_mask>,
     set<&Readings::gather_uses_mask>,
     kNowhere},
    {"mask_after_gather_mask",
     "What does GatherMask leave in the mask register?",
     {kGm, "constraints (silent)"},
     "the library for A2 writes the mask argument there; no document says so",
     kMaskAfterGatherMask,
     get<&Readings::mask_after_gather_mask>,
     set<&Readings::mask_after_gather_mask>,
     kAscend | kInference},
    {"mask_after_operand",
     "What does an instruction with a mask of its own leave in the mask register?",
     {kSvm, "Constraints (silent)"},
     "the library puts the mask into the register and leaves it there; no document says so",
     kMaskAfterOperand,
     get<&Readings::mask_after_operand>,
     set<&Readings::mask_after_operand>,
     kAscend | kInference},
    {"mode_argument",
     "Does the mode argument of SetVectorMask with a length choose the mask mode?",
     {kSvm, "Table 1 (silent)"},
     "SVM asks for SetMaskCount or SetMaskNorm before the call; it does not say what the argument does "
     "without "
     "them. In the library it only says what the length means",
     kModeArgument,
     get<&Readings::mode_argument>,
     set<&Readings::mode_argument>,
     kAscend | kInference},
    {"counter_high_word",
     "What does SetVectorMask leave in slots 64 to 127 in counter mode?",
     {kSvm, "Table 2, maskHigh"},
     "SVM says of a maskHigh in counter mode that it does not take effect; the library writes both words",
     kCounterHighWord,
     get<&Readings::counter_high_word>,
     set<&Readings::counter_high_word>,
     kAscend | kInference},
    {"counter_high_word_range",
     "May the maskHigh of SetVectorMask be other than 0 in counter mode?",
     {kSvm, "Table 2, maskHigh"},
     "SVM asks for 0; that another value has no effect, as it goes on to say, may mean that it is allowed",
     kCounterHighWordRange,
     get<&Readings::counter_high_word_range>,
     set<&Readings::counter_high_word_range>,
     kAscend | kInference,
     Decides::legality},
    {"idle_select_bits",
     "What does a Select with control bits of its own (select_bits) leave in the compare mask if its repeat "
     "times are 0?",
     {"asc-devkit", "Select (silent)"},
     "the library loads the compare mask before the instruction that repeats; no page speaks of repeat "
     "times of 0",
     kIdleSelectBits,
     get<&Readings::idle_select_bits>,
     set<&Readings::idle_select_bits>,
     kAscend},
    {"cast_half_overflow", "What does a cast from f32 to f16 yield for a number of 65536 and beyond?",
     kElementwise,
     "the round modes of IEEE 754; on hardware a control bit chooses, and no document gives its value",
     kCastHalfOverflow, get<&Readings::cast_half_overflow>, set<&Readings::cast_half_overflow>,
     kVmcOnly | kAscend, Decides::lane_arithmetic},
    {"control_bits",
     "Which bit of a byte is the first in the control of a select and in the result of a compare?",
     {kVmc, "4 (silent)"},
     "section 2 counts the bits of the mask from the lowest",
     kBitOrder,
     get<&Readings::control_bits>,
     set<&Readings::control_bits>,
     kVmcOnly | kAscend},
    {"pattern_bits",
     "Which bit of a byte is the first in a user pattern of GatherMask?",
     {kGm, "src1_pattern (silent)"},
     "GM explains its fixed patterns from the lowest bit; it says that user patterns are consumed in a row, "
     "not "
     "from which end of a byte",
     kBitOrder,
     get<&Readings::pattern_bits>,
     set<&Readings::pattern_bits>,
     kAscend | kInference},
    {"gather_counter",
     "Does the mask argument of GatherMask's counter mode count one repeat or all of them?",
     {kGm, "reduce_mode, configurations 1 and 2"},
     "GM gives both for different versions and names none; asc-devkit GatherMask: one repeat on Atlas A2 and "
     "A3, all on inference products",
     kGatherCounter,
     get<&Readings::gather_counter>,
     set<&Readings::gather_counter>,
     kAscend | kInference},
    {"gather_past_count",
     "What stands in dst of GatherMask past the returned count?",
     {kGm, "returns (silent)"},
     "the document only speaks of valid elements; the official sample finds its old zeros there",
     kGatherPastCount,
     get<&Readings::gather_past_count>,
     set<&Readings::gather_past_count>,
     kAscend | kInference},
    {"zero_mask",
     "May a mask of normal mode be without an active lane?",
     {kSvm, "Function Usage"},
     "SVM and VP start their ranges at 1 and forbid two zero words; newer asc-devkit pages call it a no-op",
     kZeroMask,
     get<&Readings::zero_mask>,
     set<&Readings::zero_mask>,
     kAscend | kInference,
     Decides::legality},
    {"shift_left_sign",
     "Is the sign bit of a signed element shifted out by ShiftLeft?",
     {"asc-devkit", "ShiftLeft, older against newer"},
     "the newer page shifts it out; the older sample keeps it",
     kShiftLeftSign,
     get<&Readings::shift_left_sign>,
     set<&Readings::shift_left_sign>,
     kAscend,
     Decides::lane_arithmetic},
    {"pad_source",
     "Which block do padMode 1 and 2 mirror: the padded one, or its neighbour?",
     {kVp, "padMode 1, 2"},
     "the pictures of the document mirror the block itself; its words say adjacent data block",
     kPadSource,
     get<&Readings::pad_source>,
     set<&Readings::pad_source>,
     kInference},
    {"tik_overlap",
     "May dst and src of a TIK instruction be the same place?",
     {kTik, "notes"},
     "one sentence forbids any overlap, a later one permits complete overlap; the later one is the precise "
     "one",
     kTikOverlap,
     get<&Readings::tik_overlap>,
     set<&Readings::tik_overlap>,
     kOfTik,
     Decides::legality},
    {"tik_counter",
     "Does mask_mode counter have an effect?",
     {kTik, "mask, mask_mode"},
     "it depends on the product: Atlas 200/300/500 and training products take it as normal mode",
     kTikCounter,
     get<&Readings::tik_counter>,
     set<&Readings::tik_counter>,
     kOfTik},
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
  const std::string where = "'" + std::string(setting) + "'";
  std::string message;
  if (reading == nullptr) {
    message = "no such reading; there are:";
    for (const Reading& each : kReadings) message.append(" ").append(each.id);
    throw InputError(where, message);
  }
  if (equals != std::string_view::npos) {
    const auto name = setting.substr(equals + 1);
    for (unsigned option = 0; option < reading->options.size(); ++option)
      if (reading->options[option].name == name) return reading->set(readings, option);
  }
  message.append("write ").append(reading->id).append("=OPTION with one of:");
  for (const Option& option : reading->options) message.append(" ").append(option.name);
  throw InputError(where, message);
}

bool differ_in(Decides what, const Readings& one, const Readings& other) {
  return std::ranges::any_of(kReadings, [&](const Reading& each) {
    return each.decides == what && each.get(one) != each.get(other);
  });
}

std::vector<std::pair<std::string_view, std::string_view>> departures(const Readings& readings,
                                                                      const Readings& base) {
  std::vector<std::pair<std::string_view, std::string_view>> list;
  for (const Reading& reading : kReadings)
    if (const unsigned option = reading.get(readings); option != reading.get(base))
      list.emplace_back(reading.id, reading.options[option].name);
  return list;
}

}  // namespace lanecheck
