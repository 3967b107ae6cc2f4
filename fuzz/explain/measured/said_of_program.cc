#include "fuzz/explain/measured/said_of_program.h"

#include <algorithm>
#include <numeric>

#include "fuzz/explain/measured/gate_prediction.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/probes/shapes.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {
namespace {

/// Is a lane off, or may one be? A count, and counter mode, may leave lanes out of the last repeat.
bool has_lane_off(const Program& program, std::size_t index) {
  const Instruction& insn = program.instructions[index];
  if (insn.mask_from == MaskFrom::count) return true;
  const auto words = insn.mask_from == MaskFrom::contiguous
                         ? std::optional(operand_words(insn, default_readings(program.profile)))
                         : mask_at(program, index);
  const MaskWords full = full_mask({program.profile, insn});
  return !words || (words->high & full.high) != full.high || (words->low & full.low) != full.low;
}

/// Does the program itself show that an element of dst is written to one of these places? They are counted in
/// bytes from where dst starts. Under other masks than those of the probes it may be.
bool writes_one_of(const std::vector<std::uint64_t>& places, const Program& program, std::size_t index,
                   AskedBackend& asked, const Documented& documented) {
  if (places.empty()) return false;
  const Program part = prefix(program, index + 1);
  const Instruction& insn = part.instructions.back();
  State before;
  execute(prefix(program, index), documented.semantics, before);
  const BackendAnswer answer = asked.ask(part);
  const auto start = static_cast<std::ptrdiff_t>(start_of(part, insn.operands[0]));
  return answer.ran() && std::ranges::any_of(places, [&](std::uint64_t place) {
           const std::ptrdiff_t at = start + static_cast<std::ptrdiff_t>(place);
           const auto old = before.ub.begin() + at;
           return !std::equal(old, old + size_of(insn.dst_type), answer.state.ub.begin() + at);
         });
}

/// Do all places that are wrong with other data hold what stood there before, so that no wrong source has a
/// say?
bool only_leaves_unwritten(const Program& program, std::size_t index, AskedBackend& asked,
                           const Documented& documented) {
  const Program part = with_data(prefix(program, index + 1), 1);
  const BackendAnswer answer = asked.ask(part);
  if (!answer.ran()) return false;
  State before, should;
  execute(prefix(part, index), documented.semantics, before);
  execute(part, documented.semantics, should);
  bool any = false;
  for (std::size_t n = 0; n < should.ub.size(); ++n) {
    if (answer.state.ub[n] == should.ub[n]) continue;
    if (answer.state.ub[n] != before.ub[n]) return false;
    any = true;
  }
  return any;
}

/// Where these results of a reduction lie, of all repeats.
std::vector<std::uint64_t> places_of_results(const Instruction& insn, const std::vector<unsigned>& results) {
  std::vector<std::uint64_t> places;
  for (unsigned r = 0; r < insn.repeat; ++r)
    for (const unsigned result : results)
      places.push_back(r * repeat_step(insn, 0) + std::uint64_t{result} * size_of(insn.dst_type));
  return places;
}

/// The places that the sentence says to be unwritten in all repeats. None if it says that of no place, or if
/// dst is a source, too, or if other lanes may write them.
std::vector<std::uint64_t> unwritten_places(const Difference& said, const Instruction& insn) {
  if (!said.unwritten.empty()) return places_of_results(insn, said.unwritten);
  if (!said.where.empty() || said.results || said.what.find(" if ") != std::string::npos) return {};
  const bool of_lanes = said.gates == GateKind::never && !said.lanes.empty();
  const bool of_all = said.gates != GateKind::never && said.what.ends_with(" writes nothing");
  if ((!of_lanes && !of_all) || works_in_place(insn) || (of_lanes && shares_places(insn))) return {};
  const Walk walk = row_of(insn.op).operands[0].walk;
  const bool has_results = walk == Walk::results && of_all;
  if (!has_results && walk != Walk::blocks) return {};
  std::vector<unsigned> numbers(has_results ? results_per_repeat(insn) : lanes_of(insn));
  std::iota(numbers.begin(), numbers.end(), 0U);
  if (has_results) return places_of_results(insn, numbers);
  std::vector<std::uint64_t> places;
  for (unsigned r = 0; r < insn.repeat; ++r)
    for (const unsigned lane : of_lanes ? said.lanes : numbers)
      places.push_back(lane_offset(insn, 0, r, lane));
  return places;
}

/// Does the sentence speak of later repeats than the instruction has? Then something else is wrong in it: a
/// value that the probes have there alone.
bool speaks_of_later_repeats(const Difference& said, std::uint32_t repeats) {
  const std::string sentence = said.only_example ? said.where : said.sentence();
  constexpr std::string_view kCounted = " (counted from 0)";
  if (repeats < 2 && (sentence.find("in every odd repeat") != std::string::npos ||
                      sentence.find("in odd repeats") != std::string::npos))
    return true;
  for (const std::string_view before : {"in repeat ", "in repeats ", "from repeat "}) {
    const std::size_t at = sentence.find(before);
    if (at == std::string::npos || sentence.find(kCounted, at) == std::string::npos) continue;
    const std::string number = sentence.substr(at + before.size());
    if (number[0] >= '0' && number[0] <= '9' && std::stoul(number) >= repeats) return true;
  }
  return false;
}

/// Is the sentence measured under bitwise masks, while the program has a contiguous one and is right if the
/// same mask is given as words? Or does it name bitwise masks, while the program has a count?
bool speaks_of_other_form(const Difference& said, const Program& program, std::size_t index,
                          AskedBackend& asked, const Documented& documented) {
  Program with_words = prefix(program, index + 1);
  Instruction& insn = with_words.instructions.back();
  if (insn.mask_from == MaskFrom::count) return said.sentence().find(" bitwise mask") != std::string::npos;
  const bool is_of_words =
      said.of_bitwise_masks || said.map == MapKind::gate || said.map == MapKind::contribution;
  if (insn.mask_from != MaskFrom::contiguous || !is_of_words) return false;
  const MaskWords words = operand_words(insn, documented.readings());
  insn.mask_from = MaskFrom::bitwise;
  insn.high = words.high;
  insn.low = words.low;
  return !find_fault(with_words, documented.readings()) &&
         says(asked.ask(with_words), with_words, documented, asked.shown()) == Says::conforms;
}

}  // namespace

bool only_mask_is_wrong(const Program& program, std::size_t index, AskedBackend& asked,
                        const Documented& documented) {
  const Program part = prefix(program, index + 1);
  const BackendAnswer answer = asked.ask(part);
  if (!answer.ran()) return false;
  const Comparison found = compare(part, documented.semantics, answer.state, asked.shown());
  return found.mask_differs && found.bytes.empty();
}

bool contradicts(const Difference& said, const Program& program, std::size_t index, AskedBackend& asked,
                 const Documented& documented) {
  const Instruction& insn = program.instructions[index];
  if (writes_one_of(unwritten_places(said, insn), program, index, asked, documented)) return true;
  if (speaks_of_later_repeats(said, repeat_times_at(program, index))) return true;
  Instruction repeated = insn;  // a count runs as many repeats as it fills
  repeated.repeat = repeat_times_at(program, index);
  return said.writes_masked_off && !(has_lane_off(program, index) && shares_places(repeated));
}

bool leaves_right(const Difference& said, const Program& program, std::size_t index, AskedBackend& asked,
                  const Documented& documented) {
  if (speaks_of_other_form(said, program, index, asked, documented)) return true;
  const bool says_unwritten = said.what.find(" unwritten instead of writing ") != std::string::npos;
  if (is_source(said.map) && !said.only_example && !says_unwritten &&
      only_leaves_unwritten(program, index, asked, documented))
    return true;
  if (said.of_shown_register) {
    const Program before = prefix(program, index);
    return says(asked.ask(before), before, documented, asked.shown()) == Says::conforms;
  }
  const Laws laws = laws_of({said});
  return !laws.gates.empty() && !laws_deviate(program, index, laws, documented);
}

}  // namespace lanecheck
