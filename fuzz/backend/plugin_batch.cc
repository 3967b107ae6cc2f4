#include "fuzz/backend/plugin_batch.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "spec/program/profile.h"
#include "spec/text/instruction_fields.h"

namespace lanecheck {
namespace {

static_assert(static_cast<unsigned>(Element::f16) == LANECHECK_F16 &&
              static_cast<unsigned>(Element::u64) == LANECHECK_U64);
static_assert(static_cast<unsigned>(Round::odd) == LANECHECK_ODD &&
              static_cast<unsigned>(Compare::ge) == LANECHECK_GE);
static_assert(kMaskSlots == LANECHECK_MASK_SLOTS && kMaxOperands == LANECHECK_MOST_OPERANDS &&
              kMaxSettings == LANECHECK_MOST_SETTINGS);
static_assert(static_cast<unsigned>(MaskFrom::count) == LANECHECK_MASK_COUNT);

constexpr std::size_t kMostPrograms = 64;
constexpr std::size_t kGuardBytes = 64;
constexpr auto kGuard = [] {
  std::array<std::byte, kGuardBytes> pattern{};
  pattern.fill(std::byte{0xa5});
  return pattern;
}();
constexpr std::size_t kMostAllocations = 4096, kMostName = 64;
constexpr std::size_t kPadding = alignof(std::max_align_t);  // the most that carve() skips
constexpr std::size_t kClosedBytes =
    4096 + kMostPrograms * (kMaxInstructions * sizeof(lanecheck_instruction) + 2 * kPadding +
                            kMostAllocations * (sizeof(lanecheck_allocation) + kMostName + 1 + kPadding));
constexpr std::size_t kOpenBytes =
    kMostPrograms * (sizeof(lanecheck_program) + kMaskSlots + kMaxUbBytes + 4 * kGuardBytes);

/// Why the shared memory may have no room for a program; "" if it has.
std::string too_large(const Program& program) {
  const auto more_than = [](std::size_t most, const char* what) {
    return "more than " + std::to_string(most) + " " + what + ", the most that a plug-in is given";
  };
  if (program.instructions.size() > kMaxInstructions) return more_than(kMaxInstructions, "instructions");
  if (program.allocations.size() > kMostAllocations) return more_than(kMostAllocations, "allocations");
  if (program.ub.size() > kMaxUbBytes) return more_than(kMaxUbBytes, "bytes of UB");
  for (const Allocation& each : program.allocations)
    if (each.name.size() > kMostName) return more_than(kMostName, "letters in a name");
  return {};
}

/// What the library gets: the program, or an empty one if it is too large.
const Program& shown_to_library(const Program& program) {
  static const Program empty;
  return too_large(program).empty() ? program : empty;
}

/// Memory that is taken only as it is touched.
std::byte* map_shared(std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::runtime_error("no shared memory for a plug-in");
  return static_cast<std::byte*>(at);
}

template <class T>
T* carve(std::byte*& next, std::size_t count) {
  next += (alignof(std::max_align_t) - reinterpret_cast<std::uintptr_t>(next) % alignof(std::max_align_t)) %
          alignof(std::max_align_t);
  T* at = reinterpret_cast<T*>(next);
  next += count * sizeof(T);
  return at;
}

/// Writes the fields of an instruction into its C struct. Fields that an instruction does not have stay 0.
class FieldFiller {
 public:
  FieldFiller(const Program& program, lanecheck_instruction& into) : program_(program), into_(into) {}

  void word(FieldName, std::uint64_t) {}  // mask_operand writes both words

  void operand(const OperandColumn&, const Operand& operand) {
    into_.operands[into_.operand_count++] = {start_of(program_, operand), operand.allocation, operand.offset,
                                             operand.block_stride, operand.repeat_stride};
  }

  void scalar(FieldName, Element, const Scalar& scalar) {
    into_.scalar_bits = scalar.bits;
    into_.scalar_value = scalar.value;
  }

  void choice(FieldName, std::span<const std::string_view>, Round round) {
    into_.round = static_cast<std::uint32_t>(round);
  }
  void choice(FieldName, std::span<const std::string_view>, Compare compare) {
    into_.compare = static_cast<std::uint32_t>(compare);
  }

  void numbers(FieldName, std::span<const std::uint32_t> lengths) {
    std::ranges::copy(lengths, into_.lengths);
  }

  void number(FieldName, std::uint32_t setting) { into_.settings[settings_++] = setting; }

  void mask_operand(MaskFrom from, std::uint64_t high, std::uint64_t low) {
    into_.mask_from = static_cast<std::uint32_t>(from);
    into_.high = high;
    into_.low = low;
  }

  void repeat(std::uint32_t times, bool by_scalar) {
    into_.repeat = times;
    into_.scalar_repeat = by_scalar ? 1 : 0;
  }

 private:
  const Program& program_;
  lanecheck_instruction& into_;
  unsigned settings_ = 0;
};

void put(const Program& program, const Instruction& insn, lanecheck_instruction& into) {
  into = {};
  into.op = row_of(insn.op).name.data();
  into.dst_type = static_cast<std::uint32_t>(insn.dst_type);
  into.src_type = static_cast<std::uint32_t>(insn.src_type);
  into.repeat = 1;  // of an instruction without repeat times
  for_each_field(insn, FieldFiller(program, into));
}

/// The outcome of one program; a program that ran leaves its state in `state`.
Outcome outcome_of(const lanecheck_program& answer, std::span<const std::byte> ub,
                   std::span<const std::uint8_t> mask, State& state) {
  const std::string why(answer.why, strnlen(answer.why, LANECHECK_WHY_BYTES));
  switch (answer.verdict) {
    case LANECHECK_RAN:
      state.ub.assign(ub.begin(), ub.end());
      std::ranges::copy(mask, state.mask.begin());
      state.mode = answer.mode == 0 ? Mode::normal : Mode::counter;
      if (std::ranges::any_of(mask, [](std::uint8_t slot) { return slot > 1; }))
        return Errored{"left mask slots that are neither 0 nor 1"};
      if (answer.mode > 1) return Errored{"left a mode that is neither 0 nor 1"};
      return Ran{};
    case LANECHECK_REFUSED:
      return Refused{why};
    case LANECHECK_SKIPPED:
      return Skipped{why};
    case LANECHECK_ERRORED:
      return Errored{why};
    case LANECHECK_UNANSWERED:
      return Errored{"returned without a verdict on the program"};
    default:  // the library writes what it likes
      return Errored{"gave a verdict that does not exist: " + std::to_string(answer.verdict)};
  }
}

}  // namespace

PluginBatch::PluginBatch() : closed_(map_shared(kClosedBytes)), open_(map_shared(kOpenBytes)) {
  next_ = closed_;
  next_open_ = open_;
  count_ = carve<std::uint32_t>(next_, 1);
}

PluginBatch::~PluginBatch() {
  munmap(closed_, kClosedBytes);
  munmap(open_, kOpenBytes);
}

void PluginBatch::protect_input() const {
  mprotect(closed_, kClosedBytes, PROT_READ);
}

void PluginBatch::put(const Program& program, lanecheck_program& into) {
  into = {};
  auto* allocations = carve<lanecheck_allocation>(next_, program.allocations.size());
  for (std::size_t n = 0; n < program.allocations.size(); ++n) {
    const Allocation& each = program.allocations[n];
    char* name = carve<char>(next_, each.name.size() + 1);
    std::memcpy(name, each.name.c_str(), each.name.size() + 1);
    allocations[n] = {name, static_cast<std::uint32_t>(each.type), each.offset, each.bytes};
  }
  auto* instructions = carve<lanecheck_instruction>(next_, program.instructions.size());
  for (std::size_t n = 0; n < program.instructions.size(); ++n)
    lanecheck::put(program, program.instructions[n], instructions[n]);
  into.profile = row_of(program.profile).name.data();  // a literal
  into.instructions = instructions;
  into.instruction_count = static_cast<std::uint32_t>(program.instructions.size());
  into.allocations = allocations;
  into.allocation_count = static_cast<std::uint32_t>(program.allocations.size());
  into.ub_bytes = static_cast<std::uint32_t>(program.ub.size());
  into.mask = carve<std::uint8_t>(next_open_, kMaskSlots);
  std::memset(into.mask, 1, kMaskSlots);
  into.ub = carve<std::uint8_t>(next_open_, program.ub.size() + kGuardBytes);
  std::memcpy(into.ub, program.ub.data(), program.ub.size());
  std::memcpy(into.ub + program.ub.size(), kGuard.data(), kGuardBytes);
}

void PluginBatch::put(std::span<const Program> batch) {
  next_ = reinterpret_cast<std::byte*>(count_ + 1);
  next_open_ = open_;
  *count_ = static_cast<std::uint32_t>(batch.size());
  auto* into = carve<lanecheck_program>(next_open_, batch.size());
  for (std::size_t n = 0; n < batch.size(); ++n) put(shown_to_library(batch[n]), into[n]);
}

std::optional<Breakdown> PluginBatch::take(const Batch& batch) const {
  // The pointers in lanecheck_program may have been overwritten: walk as `put` did.
  std::byte* next = open_;
  const auto* answers = carve<lanecheck_program>(next, batch.programs.size());
  for (std::size_t n = 0; n < batch.programs.size(); ++n) {
    const std::size_t bytes = shown_to_library(batch.programs[n]).ub.size();
    const auto* mask = carve<std::uint8_t>(next, kMaskSlots);
    const auto* ub = carve<std::byte>(next, bytes + kGuardBytes);
    if (std::memcmp(ub + bytes, kGuard.data(), kGuardBytes) != 0)
      return Breakdown{"wrote beyond the end of UB"};
    if (std::string why = too_large(batch.programs[n]); !why.empty())
      batch.outcomes[n] = Skipped{std::move(why)};
    else
      batch.outcomes[n] = outcome_of(answers[n], {ub, bytes}, {mask, kMaskSlots}, batch.states[n]);
  }
  return {};
}

}  // namespace lanecheck
