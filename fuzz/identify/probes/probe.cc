#include "fuzz/identify/probes/probe.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::uint32_t kMostMargin = 4096;

/// The subject on a UB of zeros, each operand in its region.
Program without_mask(const Subject& subject, const Layout& layout) {
  Program program{subject.profile, {}, {subject.insn}, {}};
  program.ub.resize(layout.ub_bytes);
  Instruction& insn = program.instructions.back();
  const Row& row = row_of(insn.op);
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Region& region = layout.regions[k];
    const bool shares = k != 0 && k == subject.in_place;
    insn.operands[k].allocation = static_cast<std::uint16_t>(shares ? 0 : program.allocations.size());
    insn.operands[k].offset = region.margin;
    if (shares) continue;
    program.allocations.push_back(
        {std::string(row.operands[k].role), operand_type(insn, row.operands[k]), region.begin, region.bytes});
  }
  return program;
}

Instruction without_operands(Op op) {
  Instruction insn;
  insn.op = op;
  return insn;
}

/// All elements of all repeats, or not all of the last one; of a contiguous mask, those of one repeat.
std::uint32_t full_length(const Subject& subject) {
  const std::uint32_t repeats = is_count(subject.given) ? repeats_of(subject.insn) : 1;
  return repeats * lanes_of(subject.insn) - subject.missing;
}

}  // namespace

std::string why_not(const Outcome& outcome) {
  if (std::holds_alternative<Ran>(outcome)) return {};
  if (const auto* refused = std::get_if<Refused>(&outcome)) return "the backend refuses it: " + refused->why;
  if (const auto* skipped = std::get_if<Skipped>(&outcome)) return "the backend skips it: " + skipped->why;
  if (const auto* errored = std::get_if<Errored>(&outcome)) return "the backend fails: " + errored->what;
  return "the backend was given up";
}

MaskFrom form_of(MaskGiven given) {
  switch (given) {
    case MaskGiven::words:
      return MaskFrom::bitwise;
    case MaskGiven::count:
      return MaskFrom::count;
    case MaskGiven::contiguous:
      return MaskFrom::contiguous;
    case MaskGiven::total:
    case MaskGiven::length:
      break;
  }
  return MaskFrom::reg;
}

Instruction mask_instruction(Op op, MaskWords words) {
  Instruction insn;
  insn.op = op;
  insn.dst_type = insn.src_type = Element::f16;
  insn.high = words.high;
  insn.low = words.low;
  return insn;
}

Ask ask_oracle() {
  return [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      execute(program, Semantics(default_readings(program.profile)), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
}

std::optional<Layout> lay_out(const Subject& subject) {
  const auto count = static_cast<std::uint32_t>(row_of(subject.insn.op).operands.size());
  std::array<std::uint64_t, kMaxOperands> extents{};
  std::uint64_t sum = 0;
  for (unsigned k = 0; k < count; ++k) {
    extents[k] = in_whole_blocks(extent(subject.insn, k, lanes_of(subject.insn)));
    if (row_of(subject.insn.op).operands[k].walk == Walk::indexed)
      extents[k] = std::uint64_t{repeats_of(subject.insn)} * kRepeatBytes;
    sum += extents[k];
  }
  if (subject.in_place != 0) extents[0] = std::max(extents[0], extents[subject.in_place]);
  constexpr std::uint32_t kLeastMargin = 8 * kBlockBytes;
  if (count == 0 || sum + 2 * count * kLeastMargin > kMaxUbBytes) return {};
  const auto room = static_cast<std::uint32_t>((kMaxUbBytes - sum) / (2 * count) / kBlockBytes * kBlockBytes);
  const std::uint32_t margin = std::min(kMostMargin, room);
  Layout layout;
  for (unsigned k = 0; k < count; ++k) {
    if (k != 0 && k == subject.in_place) {
      layout.regions[k] = layout.regions[0];
      continue;
    }
    const auto bytes = static_cast<std::uint32_t>(extents[k] + 2 * margin);
    layout.regions[k] = {layout.ub_bytes, bytes, margin};
    layout.ub_bytes += bytes;
  }
  return layout;
}

unsigned settable_slots(const Subject& subject) {
  const unsigned words = 128;
  return row_of(subject.profile).all_slots_legal || subject.from_register
             ? words
             : std::min(words, lanes_of(subject.insn));
}

bool takes_own_or_register(const Subject& subject) {
  const std::uint8_t forms = mask_forms(row_of(subject.insn.op), subject.profile);
  return has_form(forms, MaskFrom::reg) && has_form(forms, MaskFrom::bitwise) &&
         row_of(subject.profile).sets_mask == Op::set_vector_mask;
}

MaskWords full_mask(const Subject& subject) {
  const std::uint64_t all = ~std::uint64_t{0};
  const unsigned slots = settable_slots(subject);
  if (slots >= 128) return {all, all};
  return {slots > 64 ? all >> (128 - slots) : 0, slots >= 64 ? all : all >> (64 - slots)};
}

MaskWords settable_mask(const Subject& subject, const MaskWords& mask) {
  return subject.settable ? subject.settable(mask) : mask;
}

MaskWords gapped_mask(const Subject& subject) {
  const MaskWords full = full_mask(subject);
  return settable_mask(subject, {kGappedMask.high & full.high, kGappedMask.low & full.low});
}

std::optional<Program> probe_program(const Subject& subject, const Layout& layout, MaskWords mask) {
  if (subject.given != MaskGiven::words) return probe_of_length(subject, layout, full_length(subject));
  Program program = without_mask(subject, layout);
  Instruction& insn = program.instructions.back();
  const Row& row = row_of(insn.op);
  const auto sets_mask = row_of(subject.profile).sets_mask;
  const std::uint8_t forms = mask_forms(row, subject.profile);
  if (has_form(forms, MaskFrom::bitwise) && !subject.from_register) {
    insn.mask_from = MaskFrom::bitwise;
    insn.high = mask.high;
    insn.low = mask.low;
  } else if (has_form(forms, MaskFrom::reg) && sets_mask) {
    insn.mask_from = MaskFrom::reg;
    program.instructions.insert(program.instructions.begin(),
                                mask_setter(*row_of(subject.profile).sets_mask, mask,
                                            subject.from_register ? Element::f16 : subject.insn.src_type));
  } else if (row.mask != MaskUse::ignores) {
    return {};
  }
  return program;
}

std::optional<Program> probe_of_length(const Subject& subject, const Layout& layout, std::uint32_t length) {
  Program program = without_mask(subject, layout);
  Instruction& insn = program.instructions.back();
  const auto sets_mask = row_of(subject.profile).sets_mask;
  const std::uint8_t forms = mask_forms(row_of(insn.op), subject.profile);
  std::vector<Instruction> before;
  insn.mask_from = form_of(subject.given);
  if (!has_form(forms, insn.mask_from)) return {};
  if (insn.mask_from != MaskFrom::reg) {
    insn.high = 0;
    insn.low = length;
    return program;
  }
  if (!sets_mask || !row_of(subject.profile).has_modes) return {};
  if (subject.given == MaskGiven::total) {
    Instruction set = without_operands(Op::set_vector_mask_total);
    set.settings[0] = length;
    if (!subject.by_total) set = mask_setter(*sets_mask, {0, length}, subject.insn.src_type);
    before = {without_operands(Op::set_mask_count), set};
  } else {
    Instruction set = without_operands(Op::set_vector_mask_len);
    set.dst_type = set.src_type =
        lanes_of(insn.src_type) < lanes_of(insn.dst_type) ? insn.src_type : insn.dst_type;
    set.settings[0] = length;
    before = {set};
  }
  program.instructions.insert(program.instructions.begin(), before.begin(), before.end());
  return program;
}

void put_element(Program& program, const Region& region, Element type, std::uint32_t n, std::uint64_t bits) {
  std::byte* const at = &program.ub[region.begin + n * size_of(type)];
  with_type(type, [&](auto zero) { store(at, from_bits<decltype(zero)>(bits)); });
}

std::uint64_t get_element(std::span<const std::byte> ub, const Region& region, Element type,
                          std::uint32_t n) {
  const std::byte* const at = &ub[region.begin + n * size_of(type)];
  return with_type(type, [&](auto zero) { return bits_of(load<decltype(zero)>(at)); });
}

std::vector<std::uint32_t> changed_elements(std::span<const std::byte> before,
                                            std::span<const std::byte> after, const Region& region,
                                            Element type) {
  constexpr std::size_t kCompared = 256;  // bytes at once: most of a region is the same
  std::vector<std::uint32_t> changed;
  const std::size_t size = size_of(type), bytes = region.bytes / size * size;
  for (std::size_t from = 0; from < bytes; from += kCompared) {
    const std::size_t count = std::min(kCompared, bytes - from);
    const auto *was = &before[region.begin + from], *is = &after[region.begin + from];
    if (std::memcmp(was, is, count) == 0) continue;
    for (std::size_t at = 0; at < count; at += size)
      if (std::memcmp(was + at, is + at, size) != 0)
        changed.push_back(static_cast<std::uint32_t>((from + at) / size));
  }
  return changed;
}

bool is_allowed(const Program& program, const State& actual) {
  return agrees(program, Semantics(default_readings(program.profile)), actual, false);
}

void put_small_numbers(Program& program, const Region& region, unsigned k, unsigned seed) {
  const Instruction& insn = program.instructions.back();
  const Element type = operand_type(insn, row_of(insn.op).operands[k]);
  const bool offsets = indexed_operand(row_of(insn.op)) && k == kOffsetsOperand;
  std::array<std::uint64_t, 24> numbers{};
  for (unsigned number = 1; number < numbers.size(); ++number) numbers[number] = nearest(type, number);
  for (std::uint32_t n = 0; n < region.bytes / size_of(type); ++n)
    if (offsets)
      put_element(program, region, type, n, n * (5 + 2 * seed) % lanes_of(insn) * size_of(insn.dst_type));
    else
      put_element(program, region, type, n, numbers[1 + (n * (3 + 2 * k) + n / 16 + 5 * seed) % 23]);
}

std::uint64_t plain_bits(Element type, unsigned k) {
  return nearest(type, k == 1 ? 5 : 3);
}

void fill_region(Program& program, const Region& region, Element type, std::uint64_t bits) {
  const std::size_t size = size_of(type), bytes = region.bytes / size * size;
  if (bytes == 0) return;
  put_element(program, region, type, 0, bits);
  std::byte* const first = &program.ub[region.begin];
  for (std::size_t filled = size; filled < bytes; filled *= 2)
    std::copy_n(first, std::min(filled, bytes - filled), first + filled);
}

Answers ask_all(const Ask& ask, std::span<const Program> programs) {
  Answers answers;
  for (const Program& program : programs) {
    const auto fault = find_fault(program);
    if (fault) return {{}, "the probe would be illegal: " + describe(program, *fault)};
  }
  answers.states.resize(programs.size());
  std::vector<Outcome> outcomes(programs.size(), NotRun{});
  ask({programs, answers.states, outcomes});
  for (std::size_t n = 0; n < programs.size(); ++n) {
    std::string why = why_not(outcomes[n]);
    if (why.empty() && answers.states[n].ub.size() != programs[n].ub.size()) why = "the answer is too short";
    if (!why.empty()) return {{}, std::move(why)};
  }
  return answers;
}

}  // namespace lanecheck
