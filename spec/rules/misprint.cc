#include "spec/rules/misprint.h"

namespace lanecheck {
namespace {

constexpr Misprint kMisprints[] = {
    {"VP, mask",
     "the example [0, 8] is said to switch the fourth element on, but the array of this API has the low "
     "word first, so that it would be element 67",
     "programs name the high and the low word; the example fits TIK's list, from which it seems to be taken",
     false},
    {"SVM, Parameters against TIK, mask",
     "SetVectorMask and TIK take the high word first, the arrays of Ascend C "
     "the low word",
     "programs name the words; an adapter puts them in order", false},
    {"GM, src1_pattern",
     "fixed patterns are printed with the highest bit first, their explanation counts elements "
     "from the first",
     "the explanation: pattern 1 keeps even indices"},
    {"VMC, 3.1 against 5",
     "cast is listed as a consumer of the mask with a rule and an example, and as undecided",
     "the rule; reading cast_mask"},
    {"VMC, 3.2 against 6", "an empty reduction leaves dst alone, and the result is written normally",
     "the rule for the instruction; reading empty_reduction"},
    {"SVM, Examples (normal mode)",
     "a comment says BlkStride = 1 and that data is continuous within a repeat; the calls below it pass "
     "{2, 2, 2, 8, 8, 8}, block strides of 2",
     "a program gives its strides; the calls are taken as they stand"},
    {"VMC, 2 (stub call shape)",
     "the emitted instruction is said to swap the two call arguments; the line after it has set_mask(hi, lo) "
     "emit high=hi, low=lo, which swaps nothing but the order of the names",
     "high=hi, low=lo, as the example has it; programs name the words"},
    {"VMC, 3.3 against 6",
     "section 6 lets an instruction belong to one of two patterns, and neither is that of 3.3, where "
     "masked-off "
     "elements act like an infinity",
     "3.3 is a third pattern; 6 B is read of additive reductions alone, as it says"},
    {"TIK, mask and scalar",
     "the words of a mask list are int64 and have a range up to 2^64 - 1; the mask of counter mode may be an "
     "int16 or int32 Scalar and has a range up to 2^32 - 1",
     "the ranges: words are taken as 64 unsigned bits, a count as 32"},
    {"TIK, notes",
     "one note forbids any overlap of dst and src, a later one permits a complete overlap under conditions",
     "reading tik_overlap"},
    {"SVM, TIK, mask against VMC, 1 and 2",
     "for 32-bit elements SVM and TIK demand a maskHigh of 0; VMC sets any high word and reads the first 64 "
     "slots",
     "refused in the profiles of SVM and TIK, legal in vmc"},
    {"VMC, 1 against SVM, TIK",
     "the simulator has 256 mask slots and 8-bit elements use them all; SVM and TIK have 128 bits and name "
     "no "
     "8-bit elements",
     "256 slots in every profile; no instruction ever clears slots 128 to 255"},
    {"VMC, 3.2 and 3.3 against SVM, VP",
     "VMC says what reductions do if no lane is active; SVM and VP forbid a mask without an active element",
     "legal in vmc; reading zero_mask elsewhere"},
    {"TIK, mask_mode against SVM, VP",
     "TIK takes counter mode as normal mode on Atlas 200/300/500 inference and on training products; SVM "
     "lists "
     "training products and the AI Core of inference products without an x and offers counter mode there, "
     "and "
     "VP, for the same AI Core, offers a form with a count",
     "reading tik_counter for TIK; counter mode counts in the profiles of Ascend C"},
    {"GM, mask", "the range 1 to 2^32 - 1 is that of counter mode, normal mode recommends 0",
     "the range is judged in counter mode alone"},
    {"VP, mask", "ranges for 64-bit operands are given, and no 64-bit type is on offer",
     "the rule is tried on SetVectorMask"},
    {"TIK, mask",
     "a bitwise mask of 0 in both words is inside its range; a contiguous mask is given no range at all",
     "the first is legal and does nothing; contiguous masks are 1 to the lanes of a repeat, as on the mask "
     "page of "
     "asc-devkit, and nothing outside is tried"},
    {"SVM (silent)",
     "what a contiguous mask operand means while counter mode is on, and whether compares to memory "
     "count then",
     "not generated (LAW-counter-open)"},
    {"SVM (silent)",
     "what the register means as a count when a length was never set for counter mode: above 2^32 - 1, or "
     "with a "
     "high word",
     "not generated (LAW-counter-open)"},
    {"SVM, VP (silent)",
     "what an instruction does on inference products when the register has none of its lanes on, as after "
     "GatherMask with a mask of 0",
     "not generated there (LAW-register-open); on A2 it writes nothing"},
    {"SVM, Function Usage",
     "SetMaskCount or SetMaskNorm needs to be called before SetVectorMask; what the mask means if neither "
     "was "
     "called is not said",
     "a program starts in normal mode, and a SetVectorMask without such a call is legal: the mode that is on "
     "decides; reading mode_argument"},
    {"SVM, Prototype against Function Usage",
     "the length is an int32_t, and no range is given for the number of elements of counter mode; maskLow, "
     "which states it as well, is a uint64_t",
     "a length is at most 2^31 - 1 (SVM-range-length); counts up to 2^32 - 1 can be stated by maskLow"},
    {"TIK, mask",
     "a range for 64-bit operands is given (mask_h is 0, mask_l up to 2^32 - 1); the instructions of this "
     "format that lanecheck offers have none",
     "nothing to try in tik; the row of SVM, which is the same except that it leaves out 0, is tried on "
     "SetVectorMask (SVM-range-bitwise-64)"},
    {"VMC, 2 (8-bit elements)",
     "set_mask reaches slots 0 to 127, and a repeat of 8-bit elements has 256: nothing can switch elements "
     "128 to 255 off",
     "they are always active in vmc, because slots 128 to 255 stay 1; in the other profiles no instruction "
     "on offer computes on 8-bit lanes"},
    {"SVM, Constraints (silent)",
     "what the mask register holds after an instruction that brings its own mask and has repeat times of 0",
     "the same as after other repeat times: the mask operand goes into the register before the instruction "
     "repeats; reading mask_after_operand"},
    {"SVM, Function Usage (silent)",
     "for which of the two element types of a cast a contiguous mask is encoded; the library takes the "
     "narrower type",
     "the narrower type, whose lanes of a full repeat decide when the whole register is switched on; the "
     "lanes that are active follow the wider type, and the two agree on them"},
    {"GM, src1_pattern",
     "patterns 1 to 7 are given without a product; asc-devkit GatherMask has only 1 to 6 on inference "
     "products",
     "1 to 7 in every profile, as GM says", false},
    {"GM (silent)", "what a call with repeat times of 0 returns", "a count of 0; nothing else in UB changes"},
    {"TIK, repeat_times against mask",
     "an immediate 0 is not supported, and in counter mode repeat_times has no effect",
     "an immediate 0 is refused in both modes"},
    {"TIK, notes (silent)",
     "whether a repeat may write what an earlier one read from another place; only the reverse is spoken of",
     "not generated (LAW-overlap-open)"},
    {"VMC, 3.1 and 3.3; asc-devkit, element-wise pages (silent)",
     "what relu, vmax, vmin, vmaxs, vmins, lrelu and the reductions to an extreme yield if an element that "
     "takes part is NaN: NaN, the other operand, 0 or else",
     "any value is accepted in that element, and in what is computed from it"},
    {"VMC, 3.1 (silent)", "the sign of a zero where one of two zeros is chosen, and of a sum of zeros",
     "either sign is accepted"},
    {"VMC, 3.1 (silent)", "what div yields if the second operand is 0",
     "what IEEE 754 says; another value is the reading outside_domain. What is computed from it may be "
     "anything"},
    {"VMC, 3.1 (silent); asc-devkit, pages of Sqrt, Ln, Rsqrt and Reciprocal",
     "what sqrt, ln and rsqrt yield for an operand that is not greater than 0, and rec for 0; the pages "
     "call it unspecified",
     "what IEEE 754 says; another value is the reading outside_domain. What is computed from it may be "
     "anything",
     false},
    {"asc-devkit, precision conversion",
     "a cast of a negative number to u8 is called abnormal, and no result is given",
     "any value is accepted in that element; a number above 255 follows reading cast_overflow", false},
};

}  // namespace

std::span<const Misprint> misprints() {
  return kMisprints;
}

}  // namespace lanecheck
