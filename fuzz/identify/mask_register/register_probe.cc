#include "fuzz/identify/mask_register/register_probe.h"

#include <algorithm>
#include <bit>

#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

/// The mask of the subject. Its slots 0, 63, 64 and 127 are 0, and those of the first register are 1.
constexpr MaskWords kOwn = {0x3a5c90d2e68f1b44, 0x5d17c8a3b06e9f22};
constexpr MaskWords kRegisters[] = {{0xb6d1f20c79a3e48d, 0x8e4b73d5196c2af9},
                                    {0x69e2873ab51cd076, 0x71b08c5ee4d3960c}};
/// As two words and as a count these are different elements: 1, 2 and 6, or the first 70.
constexpr MaskWords kModeProbe = {0, 70};

/// dup of a type with 128 lanes, which takes its mask from the register, into an allocation behind all
/// others.
std::optional<Instruction> add_reader(Program& program) {
  const Row& row = row_of(Op::dup);
  for (const TypePair& types : row.in(program.profile).pairs) {
    Instruction reader = in_a_row(default_subject(program.profile, row, types), 1).insn;
    if (lanes_of(reader) != kSlots) continue;
    const auto begin = static_cast<std::uint32_t>(in_whole_blocks(program.ub.size()));
    program.ub.resize(begin + 2 * kRepeatBytes);
    reader.operands[0] = {static_cast<std::uint16_t>(program.allocations.size()), 0, 1, kRepeatBlocks};
    program.allocations.push_back({"reader", reader.dst_type, begin, kRepeatBytes});
    return reader;
  }
  return {};
}

MaskWords written_by_reader(const Program& program, const State& state) {
  const std::uint32_t begin = program.allocations.back().offset;
  MaskWords words{};
  for (unsigned lane = 0; lane < kSlots; ++lane)
    if (state.ub[begin + 2 * lane] != std::byte{0} || state.ub[begin + 2 * lane + 1] != std::byte{0})
      (lane < 64 ? words.low : words.high) |= std::uint64_t{1} << (lane % 64);
  return words;
}

/// Two programs: one reads the slots of the register in normal mode, the other one the mode. Without `is_run`
/// the subject is left out.
std::vector<Program> readers_for(const Subject& subject, const Before& before, bool is_run) {
  auto program = subject_program(subject, before);
  if (!program) return {};
  const auto reader = add_reader(*program);
  if (!reader) return {};
  if (!is_run) program->instructions.clear();
  Instruction first = mask_instruction(Op::set_vector_mask, before.words);
  if (before.by_total) {
    first = mask_instruction(Op::set_vector_mask_total);
    first.settings[0] = static_cast<std::uint32_t>(before.words.low);
  }
  if (before.by_length) {
    first = mask_instruction(Op::set_vector_mask_len);
    first.settings[0] = static_cast<std::uint32_t>(std::popcount(before.words.low));
  }
  std::vector<Instruction> start = {first};
  if (before.mode == Mode::counter) start.insert(start.begin(), mask_instruction(Op::set_mask_count));
  if (before.first != MaskWords{kOnes, kOnes})
    start.insert(start.begin(), mask_instruction(Op::set_vector_mask, before.first));
  program->instructions.insert(program->instructions.begin(), start.begin(), start.end());
  std::vector<Program> programs(2, *program);
  programs[0].instructions.push_back(mask_instruction(Op::set_mask_norm));
  programs[1].instructions.push_back(mask_instruction(Op::set_vector_mask, kModeProbe));
  for (Program& each : programs) {
    each.instructions.push_back(*reader);
    if (find_fault(each)) return {};
  }
  return programs;
}

std::optional<Mode> mode_of(const MaskWords& written) {
  if (written == MaskWords{(std::uint64_t{1} << 6) - 1, kOnes}) return Mode::counter;
  if (written == kModeProbe) return Mode::normal;
  return {};
}

std::vector<LeftBehind> ask_for(const std::vector<Program>& programs, const Ask& ask) {
  const Answers answers = ask_all(ask, programs);
  std::vector<LeftBehind> all;
  for (std::size_t n = 0; n < answers.states.size(); n += 2)
    all.push_back({written_by_reader(programs[n], answers.states[n]),
                   mode_of(written_by_reader(programs[n + 1], answers.states[n + 1]))});
  return all;
}

std::vector<Observed> observe(const Subject& subject, const std::vector<Before>& tried, const Ask& ask,
                              bool is_run) {
  std::vector<Observed> seen;
  std::vector<Program> programs;
  for (const Before& before : tried) {
    const auto two = readers_for(subject, before, is_run);
    if (two.empty()) continue;
    programs.insert(programs.end(), two.begin(), two.end());
    seen.push_back({before, {}, {}});
  }
  const auto actual = ask_for(programs, ask), documented = ask_for(programs, ask_oracle());
  if (actual.size() != seen.size() || documented.size() != seen.size()) return {};
  for (std::size_t n = 0; n < seen.size(); ++n) {
    seen[n].actual = actual[n];
    seen[n].documented = documented[n];
  }
  return seen;
}

/// Masks with a word that is 0, all ones, or the one set before; lengths.
std::vector<Before> special_masks(const Subject& subject) {
  std::vector<Before> tried;
  const MaskWords& old = kRegisters[0];
  if (takes_words(subject))
    for (const MaskWords own : {MaskWords{0, kOwn.low},
                                {kOwn.high, 0},
                                {kOnes, kOwn.low},
                                {kOwn.high, kOnes},
                                {old.high, kOwn.low},
                                {kOwn.high, old.low}})
      tried.push_back({Mode::normal, old, own});
  if (row_of(subject.insn.op).has_words)  // the register is not set by the subject's own kind
    for (const std::uint64_t low : {0x7U, 0x1fffU})
      for (const MaskWords& own : {kOwn, MaskWords{~kOwn.high, ~kOwn.low}})
        tried.push_back({.mode = Mode::normal, .words = {0, low}, .own = own, .by_length = true});
  if (subject.insn.op == Op::set_vector_mask_total)
    for (const std::uint64_t count : {23u, 40u})
      tried.push_back({Mode::counter, {0, count}, {0, kLength}, kLength, true});
  if (takes_length(subject))
    for (const MaskWords& words : kRegisters)
      for (const std::uint32_t length : kLengths) tried.push_back({Mode::normal, words, kOwn, length});
  return tried;
}

}  // namespace

Ask with_mask_read(const Ask& ask) {
  return [ask](const Batch& batch) {
    std::vector<Program> programs(batch.programs.begin(), batch.programs.end());
    std::vector<bool> is_read;
    for (Program& each : programs) {
      Program longer = each;
      const auto reader = add_reader(longer);
      if (reader) longer.instructions.push_back(*reader);
      is_read.push_back(reader && !find_fault(longer));
      if (is_read.back()) each = std::move(longer);
    }
    ask({programs, batch.states, batch.outcomes});
    for (std::size_t n = 0; n < programs.size(); ++n) {
      if (!std::holds_alternative<Ran>(batch.outcomes[n])) continue;
      State documented;
      execute(batch.programs[n], Semantics(default_readings(batch.programs[n].profile)), documented);
      batch.states[n].mask = documented.mask;
      batch.states[n].mode = documented.mode;
      if (is_read[n]) {
        const MaskWords words = written_by_reader(programs[n], batch.states[n]);
        set_mask_word(batch.states[n].mask, 0, words.low);
        set_mask_word(batch.states[n].mask, 1, words.high);
      }
      batch.states[n].ub.resize(batch.programs[n].ub.size());
    }
  };
}

std::optional<Program> subject_program(const Subject& subject, const Before& before) {
  const Row& row = row_of(subject.insn.op);
  Program program{subject.profile, {}, {subject.insn}, {}};
  if (!row.operands.empty()) {
    const Subject plain = in_a_row(subject, before.repeats);
    const auto layout = lay_out(plain);
    if (!layout) return {};
    auto with_operands = probe_program(plain, *layout, before.own);
    if (!with_operands) return {};
    with_operands->instructions = {with_operands->instructions.back()};
    program = std::move(*with_operands);
    program.instructions[0].mask_from = subject.insn.mask_from;
  }
  Instruction& insn = program.instructions[0];
  if (takes_words(subject)) {
    const MaskWords full = full_mask(subject);
    insn.high = before.own.high & full.high;
    insn.low = before.own.low & full.low;
  } else {
    insn.high = 0;
    insn.low = insn.mask_from == MaskFrom::reg ? 0 : before.length;
  }
  if (row.mask == MaskUse::is_mask_state && !row.settings.empty()) insn.settings[0] = before.length;
  // gather_mask leaves its mask argument in the register, and no instruction reads an empty one.
  if (const auto mask = setting_index(row, "mask"); mask && row.compacts && insn.settings[*mask] == 0)
    insn.settings[*mask] = 1;
  return program;
}

bool takes_words(const Subject& subject) {
  return row_of(subject.insn.op).has_words || subject.insn.mask_from == MaskFrom::bitwise;
}

bool takes_length(const Subject& subject) {
  return subject.insn.op == Op::set_vector_mask_len || subject.insn.mask_from == MaskFrom::contiguous;
}

std::vector<Observed> observe_register(const Subject& subject, const Ask& ask, bool is_run) {
  std::vector<Before> counted = {{Mode::counter, {0, 40}, {0, kLength}},
                                 {Mode::counter, {0, 23}, {0, kLength}}};
  std::vector<Before> tried;
  for (const MaskWords& words : kRegisters) {
    tried.push_back({Mode::normal, words, kOwn});
    if (row_of(subject.insn.op).has_words) tried.push_back({Mode::normal, words, {~kOwn.high, ~kOwn.low}});
  }
  constexpr std::uint32_t kLong = 0x155a5;  // its bits 8 to 15, and those behind them, are not all 0
  if (takes_words(subject)) counted.push_back({.mode = Mode::counter, .words = {0, 40}, .own = {0, kLong}});
  const bool has_count = subject.insn.mask_from == MaskFrom::count;
  if (takes_length(subject) || has_count || subject.insn.op == Op::set_vector_mask_total)
    for (const std::uint32_t length : {2u, 61u}) {  // kLength and 2: their bits are not those of few slots
      counted.push_back({.mode = Mode::counter, .words = {0, 40}, .own = {0, length}, .length = length});
      tried.push_back({.mode = Mode::normal, .words = kRegisters[0], .own = kOwn, .length = length});
    }
  if (row_of(subject.insn.op).mask == MaskUse::is_mask_state && !row_of(subject.insn.op).has_words)
    counted.push_back({.mode = Mode::counter, .words = {0, 40}, .own = {0, kLength}, .first = kRegisters[1]});
  // A backend may fail in counter mode, or under one of the special masks: the others are evidence too.
  auto seen = observe(subject, counted, ask, is_run);
  std::ranges::copy(observe(subject, tried, ask, is_run), std::back_inserter(seen));
  if (!seen.empty())
    std::ranges::copy(observe(subject, special_masks(subject), ask, is_run), std::back_inserter(seen));
  return seen;
}

bool reader_finds(const Subject& subject, const std::vector<MaskWords>& masks, const Ask& ask) {
  std::vector<Before> tried;
  for (const MaskWords& words : masks) tried.push_back({Mode::normal, words, kOwn});
  return std::ranges::all_of(observe(subject, tried, ask, false),
                             [](const Observed& each) { return each.actual.words == each.documented.words; });
}

std::vector<Observed> observe_own_masks(const Subject& subject, const std::vector<MaskWords>& masks,
                                        const Ask& ask) {
  std::vector<Observed> seen;
  for (const MaskWords& own : masks)  // one at a time: a backend may fail under some of them
    std::ranges::copy(
        observe(subject, {{Mode::normal, kRegisters[seen.size() % std::size(kRegisters)], own}}, ask, true),
        std::back_inserter(seen));
  return seen;
}

std::vector<Observed> observe_lengths(const Subject& subject, const std::vector<std::uint32_t>& lengths,
                                      const Ask& ask) {
  std::vector<Observed> seen;
  for (const std::uint32_t length : lengths)
    std::ranges::copy(observe(subject, {{Mode::normal, kRegisters[0], kOwn, length}}, ask, true),
                      std::back_inserter(seen));
  return seen;
}

std::vector<Observed> observe_counts(const Subject& subject, const std::vector<std::uint64_t>& counts,
                                     const Ask& ask) {
  std::vector<Before> tried;
  for (const std::uint64_t count : counts)
    tried.push_back(
        {.mode = Mode::counter, .words = {0, count}, .own = {0, count}, .repeats = kRepeatsOfCounts});
  return observe(subject, tried, ask, true);
}

}  // namespace lanecheck
