#include "fuzz/identify/probes/length_map.h"

#include <algorithm>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

std::vector<std::uint32_t> in_order(std::vector<std::uint32_t> lengths) {
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

/// One element, less and more than full repeats, around the ends of 8 bits, and powers of two: a law about
/// multiples of 64 is told from one about multiples of 8 by them.
std::vector<std::uint32_t> lengths_for(unsigned lanes, MaskGiven given) {
  std::vector<std::uint32_t> lengths = {1,         2,         4,    7, 8, 16, 32, lanes / 2, lanes / 2 + 1,
                                        lanes - 2, lanes - 1, lanes};
  if (is_count(given))
    for (const unsigned more :
         {lanes + 1, lanes + lanes / 4 + 3, 2 * lanes, 2 * lanes + 1, 3 * lanes + 5, 255u, 256u, 257u, 300u})
      lengths.push_back(more);
  else
    for (const unsigned more : {13u, lanes / 2 - 1, lanes / 2 + 6}) lengths.push_back(more);
  return in_order(lengths);
}

/// A reduction takes more programs for each length.
std::vector<std::uint32_t> few_lengths_for(unsigned lanes, MaskGiven given, unsigned repeat) {
  if (repeat > 1) return in_order({7, lanes, lanes + lanes / 4 + 3, repeat * lanes + 5});
  if (!is_count(given))
    return in_order({1, 7, 8, 32, lanes / 2, lanes / 2 + 1, lanes / 2 + 6, lanes - 1, lanes});
  return in_order({1, 7, 8, 32, lanes - 1, lanes, lanes + 1, lanes + lanes / 4 + 3, 2 * lanes - 4, 2 * lanes,
                   2 * lanes + 5, 3 * lanes + 5, 256, 300});
}

struct Lengths {
  Subject subject;
  Layout layout;      ///< with room for all lengths
  unsigned room = 0;  ///< elements
  std::vector<Instruction> before;
};

/// `most`: elements that must find room, if they are more than usual; not for reductions.
std::optional<Lengths> lengths_of(const Subject& given_subject, MaskGiven given,
                                  const std::vector<Instruction>& before, unsigned repeat,
                                  std::uint32_t most = 0) {
  constexpr unsigned kRepeats = 6;
  const unsigned lanes = lanes_of(given_subject.insn);
  Subject subject = in_a_row(given_subject, std::max(kRepeats, (most + lanes - 1) / lanes));
  subject.given = given;
  auto layout = lay_out(subject);
  if (!layout && most > 0) {  // all elements of a source are equal: it may stay where it is
    for (unsigned k = 1; k < row_of(subject.insn.op).operands.size(); ++k)
      subject.insn.operands[k].repeat_stride = 0;
    layout = lay_out(subject);
  }
  if (!layout) return {};
  const unsigned room = repeats_of(subject.insn) * lanes_of(subject.insn);
  if (row_of(subject.insn.op).has_repeat) subject.insn.repeat = repeat;
  return Lengths{subject, *layout, room, before};
}

/// The program for one length, if it is legal.
std::optional<Program> program_for(const Lengths& lengths, std::uint32_t length) {
  auto program = probe_of_length(lengths.subject, lengths.layout, length);
  if (!program) return {};
  const Instruction measured = program->instructions.back();
  program->instructions.insert(program->instructions.begin(), lengths.before.begin(), lengths.before.end());
  for (Instruction& each : program->instructions)
    if (each.op == measured.op) each.operands = measured.operands;
  return find_fault(*program) ? std::nullopt : std::move(program);
}

/// The state of UB around dst tells which elements are written.
Measured<LengthMap> measure_written(const Lengths& lengths, const std::vector<std::uint32_t>& numbers,
                                    const Ask& ask) {
  const Instruction& insn = lengths.subject.insn;
  const std::uint64_t old = old_dst_bits(insn, 0x35);
  LengthMap map{lanes_of(insn), lengths.room, {}, old};
  std::vector<Program> programs;
  for (const std::uint32_t length : numbers) {
    auto program = program_for(lengths, length);
    if (!program) continue;
    fill_region(*program, lengths.layout.regions[0], insn.dst_type, old);
    for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k) {
      const OperandColumn& column = row_of(insn.op).operands[k];
      const bool is_offsets = column.role == "offsets";  // all of them name the first element
      fill_region(*program, lengths.layout.regions[k], operand_type(insn, column),
                  is_offsets ? 0 : plain_bits(operand_type(insn, column), k));
    }
    programs.push_back(std::move(*program));
    map.answers.push_back({length, 0, {}});
  }
  if (programs.empty()) return {{}, "the profile has no legal probe for this"};
  const Answers answers = ask_all(ask, programs);
  if (!answers.why_not.empty()) return {{}, answers.why_not};
  const Region& dst = lengths.layout.regions[0];
  const std::uint32_t first = dst.margin / size_of(insn.dst_type);
  for (std::size_t n = 0; n < programs.size(); ++n) {
    LengthAnswer& answer = map.answers[n];
    for (std::uint32_t e = 0; e < lengths.room; ++e) {
      answer.written.push_back(get_element(answers.states[n].ub, dst, insn.dst_type, first + e) != old);
      if (answer.written.back()) answer.reach = e + 1;
    }
  }
  return {std::move(map), {}};
}

/// The program for one length in which the elements from `from` to before `end` decide the result of a
/// reduction, if they take part.
std::optional<Program> marked(const Lengths& lengths, std::uint32_t length, std::uint32_t from,
                              std::uint32_t end) {
  auto program = program_for(lengths, length);
  if (!program) return {};
  const Instruction& insn = lengths.subject.insn;
  const double losing = losing_number(insn);
  const Region& src = lengths.layout.regions[1];
  const std::uint32_t first = src.margin / size_of(insn.src_type);
  fill_region(*program, lengths.layout.regions[0], insn.dst_type, old_dst_bits(insn, 0x35));
  fill_region(*program, src, insn.src_type, nearest(insn.src_type, losing));
  for (std::uint32_t e = from; e < end; ++e)
    put_element(*program, src, insn.src_type, first + e, nearest(insn.src_type, losing == 0 ? 1 : -losing));
  return program;
}

/// All results of a state, in the order of their elements.
std::vector<std::uint64_t> results_of(const Lengths& lengths, const State& state) {
  const Instruction& insn = lengths.subject.insn;
  const Region& dst = lengths.layout.regions[0];
  const std::uint32_t first = dst.margin / size_of(insn.dst_type);
  std::vector<std::uint64_t> results(lengths.room / group_size(insn));
  for (std::uint32_t n = 0; n < results.size(); ++n)
    results[n] = get_element(state.ub, dst, insn.dst_type, first + n);
  return results;
}

/// Of a reduction that is wrong for some length: elements before, at and behind the documented and the
/// measured reach. The reach alone does not tell whether all elements before it take part.
/// Gives the reason if they could not be asked.
std::string ask_single_elements(const Lengths& lengths, LengthMap& map, const std::vector<State>& without,
                                const Ask& ask) {
  const auto is_right = [](const LengthAnswer& each) { return each.reach == each.length; };
  if (std::ranges::all_of(map.answers, is_right)) return {};
  const Region& dst = lengths.layout.regions[0];
  const auto results = [&](const State& state) { return std::span(state.ub).subspan(dst.begin, dst.bytes); };
  std::vector<Program> programs;
  std::vector<std::pair<std::size_t, std::uint32_t>> asked;
  for (std::size_t n = 0; n < map.answers.size(); ++n) {
    const LengthAnswer& each = map.answers[n];
    const std::uint32_t last = std::max(each.reach, std::min(each.length, lengths.room)) - 1;
    for (const std::uint32_t e :
         in_order({0, 64, each.length / 2, each.length - 1, each.length, (each.length + last) / 2, last / 2}))
      if (e < last) {
        programs.push_back(*marked(lengths, each.length, e, e + 1));
        asked.emplace_back(n, e);
      }
  }
  const Answers answers = ask_all(ask, programs);
  if (!answers.why_not.empty()) return answers.why_not;
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const auto& [n, e] = asked[k];
    map.answers[n].counted.emplace_back(e,
                                        !std::ranges::equal(results(answers.states[k]), results(without[n])));
  }
  return {};
}

/// The next reach to try: the documented one, the one behind it, then the middle of what is left.
std::uint32_t next_reach(const LengthAnswer& answer, std::uint32_t beyond) {
  if (answer.reach < answer.length && answer.length < beyond) return answer.length;
  if (answer.reach == answer.length && answer.length + 1 < beyond) return answer.length + 1;
  return (answer.reach + beyond) / 2;
}

/// Halves the range in which the last element lies that changes a result, for all lengths at once.
Measured<LengthMap> measure_reach(const Lengths& lengths, const std::vector<std::uint32_t>& numbers,
                                  const Ask& ask) {
  const Instruction& insn = lengths.subject.insn;
  LengthMap map{lanes_of(insn), lengths.room, {}, old_dst_bits(insn, 0x35)};
  std::vector<Program> programs;
  for (const std::uint32_t length : numbers)
    if (auto program = marked(lengths, length, lengths.room, lengths.room)) {
      programs.push_back(std::move(*program));
      map.answers.push_back({length, 0, {}});
    }
  if (programs.empty()) return {{}, "the profile has no legal probe for this"};
  const Answers without = ask_all(ask, programs);
  if (!without.why_not.empty()) return {{}, without.why_not};
  for (std::size_t n = 0; n < map.answers.size(); ++n)
    map.answers[n].results = results_of(lengths, without.states[n]);
  const Region& dst = lengths.layout.regions[0];
  const auto results = [&](const State& state) { return std::span(state.ub).subspan(dst.begin, dst.bytes); };
  std::vector<std::uint32_t> beyond(map.answers.size(), lengths.room + 1);  // reach is less than this
  for (;;) {
    programs.clear();
    std::vector<std::pair<std::size_t, std::uint32_t>> tried;
    for (std::size_t n = 0; n < map.answers.size(); ++n) {
      if (beyond[n] - map.answers[n].reach <= 1) continue;
      tried.emplace_back(n, next_reach(map.answers[n], beyond[n]));
      programs.push_back(*marked(lengths, map.answers[n].length, tried.back().second - 1, lengths.room));
    }
    if (programs.empty()) break;
    const Answers with = ask_all(ask, programs);
    if (!with.why_not.empty()) return {{}, with.why_not};
    for (std::size_t k = 0; k < tried.size(); ++k) {
      const auto& [n, reach] = tried[k];
      const bool counted = !std::ranges::equal(results(with.states[k]), results(without.states[n]));
      (counted ? map.answers[n].reach : beyond[n]) = reach;
    }
  }
  if (std::string why = ask_single_elements(lengths, map, without.states, ask); !why.empty())
    return {{}, std::move(why)};
  return {std::move(map), {}};
}

/// Is each lane written that takes part, whatever control bits and offsets say? Instructions that ignore the
/// mask in one profile have one of their own in another.
bool has_written_probes(const Row& row, Profile profile) {
  if (row.mask == MaskUse::neutral_source || !obeys_mask(profile, row.op) || row.operands.empty() ||
      row.compares || row.compacts || row.lanes != LaneRule::types)
    return false;
  const auto in_lanes = [](const OperandColumn& each) {
    return each.walk == Walk::blocks || each.walk == Walk::rows;
  };
  return in_lanes(row.operands[0]) && std::ranges::all_of(row.operands, [&](const OperandColumn& each) {
           return in_lanes(each) || each.walk == Walk::bits || each.walk == Walk::sixteen ||
                  each.walk == Walk::indexed || each.role == "offsets";
         });
}

}  // namespace

bool has_length_probes(const Subject& subject, MaskGiven given) {
  const Row& row = row_of(subject.insn.op);
  if (given == MaskGiven::words || !(has_written_probes(row, subject.profile) || has_reduction_probes(row)))
    return false;
  const auto lengths = lengths_of(subject, given, {}, 1);
  return lengths && program_for(*lengths, 1);
}

double losing_number(const Instruction& insn) {
  switch (row_of(insn.op).neutral) {
    case Neutral::lowest:
      return -100;
    case Neutral::highest:
      return 100;
    case Neutral::none:
    case Neutral::zero:
      break;
  }
  return 0;
}

std::vector<std::uint32_t> usual_lengths(const Subject& subject, MaskGiven given, unsigned repeat) {
  const unsigned lanes = lanes_of(subject.insn);
  return has_reduction_probes(row_of(subject.insn.op)) ? few_lengths_for(lanes, given, repeat)
                                                       : lengths_for(lanes, given);
}

Measured<LengthMap> measure_lengths(const Subject& subject, MaskGiven given, const Ask& ask,
                                    const std::vector<Instruction>& before, unsigned repeat,
                                    const std::vector<std::uint32_t>& numbers) {
  const std::uint32_t most = numbers.empty() || !is_count(given) ? 0 : std::ranges::max(numbers);
  const auto lengths = lengths_of(subject, given, before, repeat, most);
  if (!lengths) return {{}, "the operands do not fit into UB with room around them"};
  const bool reduces = has_reduction_probes(row_of(subject.insn.op));
  const auto asked = numbers.empty() ? usual_lengths(subject, given, repeat) : in_order(numbers);
  auto measured = reduces ? measure_reach(*lengths, asked, ask) : measure_written(*lengths, asked, ask);
  if (measured.map)
    for (LengthAnswer& answer : measured.map->answers) answer.repeat = repeat;
  return measured;
}

}  // namespace lanecheck
