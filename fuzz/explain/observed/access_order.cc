#include "fuzz/explain/observed/access_order.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kRounds = 3;                         // programs with other data
constexpr unsigned kGroups[] = {2, 4, 8, 16, 3};        // repeats that may be read together
constexpr unsigned kOtherRepeats[] = {3, 4, 5, 9, 17};  // with which an order is tried, too

using Bytes = std::vector<std::byte>;

/// What the last instruction of `program` meets.
State before_last(const Program& program, const Documented& documented) {
  State state;
  execute(prefix(program, program.instructions.size() - 1), documented.semantics, state);
  return state;
}

/// Executes `insn`, whose sources are read from `read`, a UB that nothing is written to.
void execute_with_sources_in(const Bytes& read, const Program& program, Instruction insn,
                             const std::vector<unsigned>& sources, const Documented& documented,
                             State& state) {
  Program twice = program;
  const std::size_t size = state.ub.size(), start = in_whole_blocks(size);
  twice.ub = state.ub;
  twice.ub.resize(start);
  twice.ub.insert(twice.ub.end(), read.begin(), read.end());
  for (const unsigned k : sources) {
    insn.operands[k].offset = start_of(program, insn.operands[k]);
    insn.operands[k].allocation = static_cast<std::uint16_t>(twice.allocations.size());
  }
  twice.allocations.push_back(
      {"copy", Element::u8, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(size)});
  state.ub = twice.ub;
  execute_one(twice, insn, documented.semantics, state);
  state.ub.resize(size);
}

/// What `program` leaves if the last instruction reads `sources` of `group` repeats before it writes what it
/// makes of them. 0: of all repeats.
Bytes read_in_groups(const Program& program, const std::vector<unsigned>& sources, unsigned group,
                     const Documented& documented) {
  State state = before_last(program, documented);
  const Instruction& insn = program.instructions.back();
  const unsigned repeats = repeats_of(insn);
  if (group == 0) execute_with_sources_in(state.ub, program, insn, sources, documented, state);
  for (unsigned first = 0; group > 0 && first < repeats; first += group) {
    Instruction some = one_repeat(insn, first);
    some.repeat = std::min(group, repeats - first);
    execute_with_sources_in(state.ub, program, some, sources, documented, state);
  }
  return std::move(state.ub);
}

/// What `program` leaves if the last instruction reads `sources` of a repeat before the repeat before it
/// writes.
Bytes read_ahead(const Program& program, const std::vector<unsigned>& sources, const Documented& documented) {
  State state = before_last(program, documented);
  const Instruction& insn = program.instructions.back();
  Bytes read = state.ub;
  for (unsigned r = 0; r < repeats_of(insn); ++r) {
    Bytes before = state.ub;
    execute_with_sources_in(read, program, one_repeat(insn, r), sources, documented, state);
    read = std::move(before);
  }
  return std::move(state.ub);
}

/// What `program` leaves if the last instruction reads its old dst of a repeat before the repeat before it
/// writes.
Bytes old_dst_ahead(const Program& program, const Documented& documented) {
  State state = before_last(program, documented);
  const Instruction& insn = program.instructions.back();
  const std::size_t size = size_of(insn.dst_type);
  Bytes read = state.ub, inverted = state.ub;
  for (unsigned r = 0; r < repeats_of(insn); ++r) {
    for (std::size_t n = 0; n < read.size(); ++n) inverted[n] = ~read[n];
    State one = state, other = state;
    one.ub = read;
    other.ub = inverted;  // what is not written stays as it is
    execute_one(program, one_repeat(insn, r), documented.semantics, one);
    execute_one(program, one_repeat(insn, r), documented.semantics, other);
    const Bytes before = std::move(read);
    read = state.ub;
    for (std::size_t n = 0; n + size <= read.size(); n += size) {
      const bool is_kept = std::memcmp(&other.ub[n], &inverted[n], size) == 0 &&
                           std::memcmp(&one.ub[n], &before[n], size) == 0;
      if (!is_kept) std::memcpy(&state.ub[n], &one.ub[n], size);
    }
  }
  return std::move(state.ub);
}

/// What `program` leaves if the repeats of the last instruction are executed from the last to the first.
Bytes in_reverse(Program program, const Documented& documented) {
  const Instruction insn = program.instructions.back();
  program.instructions.pop_back();
  for (unsigned r = repeats_of(insn); r-- > 0;) program.instructions.push_back(one_repeat(insn, r));
  State after;
  execute(program, documented.semantics, after);
  return std::move(after.ub);
}

/// An order of reads and writes that is not the documented one.
struct Order {
  std::string sentence;
  std::function<Bytes(const Program&)> leaves;
  std::string reading{};
};

/// Does the backend leave what the order gives?
bool leaves(const BackendAnswer& answer, const Order& order, const Program& program) {
  return answer.ran() &&
         identical_but_for_nans(program, {.ub = order.leaves(program)}, answer.state, Shown{false, false});
}

std::vector<Order> orders_of(const Instruction& insn, const std::vector<unsigned>& sources,
                             const Documented& documented) {
  std::string roles;
  for (const unsigned k : sources)
    roles += (roles.empty() ? "" : " and ") + std::string(row_of(insn.op).operands[k].role);
  const auto in_groups = [&](unsigned group) {
    return [&sources, &documented, group](const Program& program) {
      return read_in_groups(program, sources, group, documented);
    };
  };
  const std::string reads = mnemonic(insn) + " reads ";
  const std::string not_seen = " dst: where the two share bytes, a repeat does not see what ";
  if (sources.empty())
    return {{reads + "old dst of the next repeat before it writes dst: a repeat does not see what the one "
                     "before it wrote",
             [&](const Program& program) { return old_dst_ahead(program, documented); }}};
  std::vector<Order> orders = {
      {reads + "all of " + roles + " before it writes" + not_seen + "an earlier one wrote", in_groups(0)}};
  const bool walks = std::ranges::all_of(row_of(insn.op).operands, [](const OperandColumn& operand) {
    return operand.walk == Walk::blocks || operand.walk == Walk::rows || operand.walk == Walk::results;
  });
  if (!walks || repeats_of(insn) < 2) return orders;
  orders.push_back(
      {reads + roles + " of the next repeat before it writes" + not_seen + "the one before it wrote",
       [&](const Program& program) { return read_ahead(program, sources, documented); }});
  for (const unsigned group : kGroups) {
    const std::string number = std::to_string(group);
    orders.push_back({reads + roles + " of " + number + " repeats together before it writes their part of" +
                          not_seen + "an earlier one of these " + number + " wrote",
                      in_groups(group)});
  }
  orders.push_back(
      {mnemonic(insn) + " executes its repeats from the last to the first, which shows where one of them "
                        "reads what another one writes",
       [&](const Program& program) { return in_reverse(program, documented); }, "alias_winner=first_repeat"});
  return orders;
}

/// `part`, and the same with other repeat times, as far as they are legal there.
std::vector<Program> with_other_repeats(const Program& part, const Documented& documented) {
  std::vector<Program> programs = {part};
  if (!row_of(part.instructions.back().op).has_repeat) return programs;
  for (const unsigned repeat : kOtherRepeats) {
    Program other = part;
    other.instructions.back().repeat = repeat;
    make_room(other);
    if (!find_fault(other, documented.readings())) programs.push_back(std::move(other));
  }
  return programs;
}

/// Does the backend leave what this order gives, whatever the data are, and not what the documents say?
bool is_followed(const Order& order, const Program& part, AskedBackend& asked, const Documented& documented) {
  bool differs = false;
  for (unsigned round = 0; round <= kRounds; ++round) {
    const Program program = round == 0 ? part : with_data(part, round);
    if (find_fault(program, documented.readings())) return false;
    const BackendAnswer answer = asked.ask(program);
    if (!leaves(answer, order, program)) return false;
    differs |= round > 0 && diverges(answer, program, documented, Shown{false, false});
  }
  return differs;
}

/// The same for each program; in some of them the data may not show the order.
bool gives(const Order& order, const std::vector<Program>& programs, AskedBackend& asked) {
  return std::ranges::all_of(programs, [&](const Program& each) {
    const Program program = with_data(each, 1);
    return leaves(asked.ask(program), order, program);
  });
}

}  // namespace

bool adds_up_over_repeats(const Instruction& insn) {
  const Operand& dst = insn.operands[0];
  const std::uint32_t blocks = (kRepeatBlocks - 1) * dst.block_stride + 1;
  return row_of(insn.op).reads_dst && row_of(insn.op).has_repeat && insn.repeat > 1 &&
         dst.repeat_stride < blocks;
}

std::optional<AccessOrder> access_order(const Finding& finding, AskedBackend& asked,
                                        const Documented& documented) {
  const Program part = prefix(finding.program, finding.instruction + 1);
  const Instruction& insn = part.instructions.back();
  const auto shared = sources_that_share_dst(part, insn);
  if (!shared || (shared->empty() && !adds_up_over_repeats(insn))) return {};
  const auto programs = with_other_repeats(part, documented);
  std::optional<AccessOrder> here;
  for (const Order& order : orders_of(insn, *shared, documented)) {
    if (!is_followed(order, part, asked, documented)) continue;
    if (gives(order, programs, asked)) return AccessOrder{order.sentence, order.reading};
    if (!here)
      here = AccessOrder{order.sentence + ", with the repeat times of this case", order.reading, true};
  }
  return here;
}

}  // namespace lanecheck
