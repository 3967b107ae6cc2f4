#include "fuzz/backend/plugin_batch.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>

#include "spec/program/profile.h"

namespace lanecheck {
namespace {

static_assert(static_cast<unsigned>(Element::f16) == LANECHECK_F16 &&
              static_cast<unsigned>(Element::u64) == LANECHECK_U64);
static_assert(static_cast<unsigned>(Round::odd) == LANECHECK_ODD &&
              static_cast<unsigned>(Compare::ge) == LANECHECK_GE);
static_assert(kMaskSlots == LANECHECK_MASK_SLOTS && kMaxOperands == LANECHECK_MOST_OPERANDS &&
              kMaxSettings == LANECHECK_MOST_SETTINGS);
static_assert(static_cast<unsigned>(MaskFrom::count) == LANECHECK_MASK_COUNT);

constexpr std::size_t kMostPrograms = kMostBatch;
constexpr std::size_t kGuardBytes = 512;  // more than a repeat
constexpr unsigned char kGuardByte = 0xa5;
constexpr auto kGuard = [] {
  std::array<std::byte, kGuardBytes> pattern{};
  pattern.fill(std::byte{kGuardByte});
  return pattern;
}();
constexpr std::size_t kMostAllocations = 4096, kMostName = 64;
constexpr std::size_t kPadding = alignof(std::max_align_t);  // the most that carve() skips
constexpr std::size_t kClosedBytes =
    4096 + kMostPrograms * (kMaxInstructions * sizeof(lanecheck_instruction) + 2 * kPadding +
                            kMostAllocations * (sizeof(lanecheck_allocation) + kMostName + 1 + kPadding));

// What the library writes: the programs, their masks, their UBs, in this order and without gaps. All memory
// between two of them is guard bytes, and so is the rest of the last page; the pages behind it are protected.
// So a write outside of the programs of the batch is always noticed. The UBs follow one another closely,
// because memory that is spread over many pages costs twice the time.
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMaskBytes = kMaskSlots + kGuardBytes;
constexpr std::size_t kProgramBytes = sizeof(lanecheck_program) + kMaskBytes + kMaxUbBytes + kGuardBytes;
constexpr std::size_t kOpenBytes =
    (kMostPrograms * kProgramBytes + 2 * kGuardBytes) / kPage * kPage + 2 * kPage;

void put_guard(std::byte* at, std::size_t bytes = kGuardBytes) {
  std::memset(at, kGuardByte, bytes);
}

/// The first byte of a guard that was changed; nothing if the guard holds.
std::optional<std::size_t> first_change(std::span<const std::byte> guard) {
  for (std::size_t at = 0; at < guard.size(); at += kGuardBytes) {
    const auto part = guard.subspan(at, std::min(kGuardBytes, guard.size() - at));
    if (std::memcmp(part.data(), kGuard.data(), part.size()) == 0) continue;
    return at + static_cast<std::size_t>(std::ranges::mismatch(part, kGuard).in1 - part.begin());
  }
  return {};
}

std::string behind(const char* what, std::size_t bytes) {
  return std::string("wrote beyond the end of ") + what + ", to byte " + std::to_string(bytes) + " behind it";
}

/// Which write outside its memory the library made for a program; nothing if none is seen.
std::optional<Breakdown> write_outside(const std::byte* ub, std::size_t bytes, const std::byte* mask) {
  if (const auto at = first_change({ub + bytes, kGuardBytes})) return Breakdown{behind("UB", *at)};
  const std::span front(ub - kGuardBytes, kGuardBytes);
  if (const auto at = first_change(front))
    return Breakdown{"wrote in front of UB, to byte " + std::to_string(kGuardBytes - *at) + " before it"};
  if (const auto at = first_change({mask + kMaskSlots, kGuardBytes}))
    return Breakdown{behind("the mask", *at)};
  return {};
}

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

/// Memory that is taken only as it is touched.
std::byte* map_shared(std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::runtime_error("no shared memory for a plug-in");
  return static_cast<std::byte*>(at);
}

std::byte* note_of_worker = nullptr;

/// Notes the address that the library must not write; then the signal ends the worker.
void on_forbidden_write(int signal, siginfo_t* info, void*) {
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  std::memcpy(note_of_worker, &at, sizeof at);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

template <class T>
T* carve(std::byte*& next, std::size_t count) {
  next += (alignof(std::max_align_t) - reinterpret_cast<std::uintptr_t>(next) % alignof(std::max_align_t)) %
          alignof(std::max_align_t);
  T* at = reinterpret_cast<T*>(next);
  next += count * sizeof(T);
  return at;
}

/// A flat copy: it is done for every instruction of every case. plugin_batch_test.cc compares it with the
/// list of fields (spec/text/instruction_fields.h).
void put(const Program& program, const Instruction& insn, lanecheck_instruction& into) {
  const Row& row = row_of(insn.op);
  into = {};
  into.op = row.name.data();
  into.dst_type = static_cast<std::uint32_t>(insn.dst_type);
  into.src_type = static_cast<std::uint32_t>(insn.src_type);
  into.repeat = repeats_of(insn);
  into.round = static_cast<std::uint32_t>(insn.round);
  into.compare = static_cast<std::uint32_t>(insn.compare);
  into.operand_count = static_cast<std::uint32_t>(row.operands.size());
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    into.operands[k] = {start_of(program, operand), operand.allocation, operand.offset, operand.block_stride,
                        operand.repeat_stride};
  }
  into.scalar_bits = insn.scalar.bits;
  into.scalar_value = insn.scalar.value;
  std::ranges::copy(insn.lengths, into.lengths);
  into.high = insn.high;
  into.low = insn.low;
  std::ranges::copy(insn.settings, into.settings);
  into.mask_from = static_cast<std::uint32_t>(insn.mask_from);
  into.scalar_repeat = insn.scalar_repeat ? 1 : 0;
}

/// The outcome of one program; a program that ran leaves its state in `state`.
Outcome outcome_of(const lanecheck_program& answer, std::span<const std::byte> ub,
                   std::span<const std::uint8_t> mask, State& state) {
  const auto why = [&] { return std::string(answer.why, strnlen(answer.why, LANECHECK_WHY_BYTES)); };
  switch (answer.verdict) {
    case LANECHECK_RAN:
      state.ub.assign(ub.begin(), ub.end());
      std::ranges::copy(mask, state.mask.begin());
      state.mode = answer.mode == 0 ? Mode::normal : Mode::counter;
      if (std::accumulate(mask.begin(), mask.end(), 0u, std::bit_or<>()) > 1)  // faster than any_of
        return Errored{"left mask slots that are neither 0 nor 1"};
      if (answer.mode > 1) return Errored{"left a mode that is neither 0 nor 1"};
      return Ran{};
    case LANECHECK_REFUSED:
      return Refused{why()};
    case LANECHECK_SKIPPED:
      return Skipped{why()};
    case LANECHECK_ERRORED:
      return Errored{why()};
    case LANECHECK_UNANSWERED:
      return Errored{"returned without a verdict on the program"};
    default:  // the library writes what it likes
      return Errored{"gave a verdict that does not exist: " + std::to_string(answer.verdict)};
  }
}

}  // namespace

PluginBatch::PluginBatch()
    : note_(map_shared(kPage)), closed_(map_shared(kClosedBytes)), open_(map_shared(kOpenBytes)) {
  next_ = closed_;
  count_ = carve<std::uint32_t>(next_, 1);
  used_ = carve<std::size_t>(next_, 1);
}

PluginBatch::~PluginBatch() {
  munmap(note_, kPage);
  munmap(closed_, kClosedBytes);
  munmap(open_, kOpenBytes);
}

void PluginBatch::watch_writes() const {
  note_of_worker = note_;
  struct sigaction action {};
  action.sa_sigaction = on_forbidden_write;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
}

void PluginBatch::protect() {
  if (protected_ == nullptr) {
    mprotect(closed_, kClosedBytes, PROT_READ);
    protected_ = open_ + kOpenBytes;
  }
  std::byte* const end = open_ + *used_;
  if (end < protected_) mprotect(end, static_cast<std::size_t>(protected_ - end), PROT_READ);
  if (end > protected_)
    mprotect(protected_, static_cast<std::size_t>(end - protected_), PROT_READ | PROT_WRITE);
  protected_ = end;
}

std::string PluginBatch::forbidden_write() const {
  std::uintptr_t at = 0;
  std::memcpy(&at, note_, sizeof at);
  const auto lies_in = [at](const std::byte* from, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(from);
    return at >= begin && at < begin + bytes;
  };
  if (lies_in(closed_, kClosedBytes))
    return "it wrote to the instructions or allocations, which it may only read";
  if (!lies_in(open_, kOpenBytes)) return {};
  const auto ub_end = reinterpret_cast<std::uintptr_t>(last_ub_end_);
  return "it " + behind(*count_ == 1 ? "UB" : "the last UB of the batch", at - ub_end);
}

void PluginBatch::put(const Program& program, std::size_t n) {
  lanecheck_program& into = programs()[n];
  into = {};
  auto* allocations = carve<lanecheck_allocation>(next_, program.allocations.size());
  for (std::size_t k = 0; k < program.allocations.size(); ++k) {
    const Allocation& each = program.allocations[k];
    char* name = carve<char>(next_, each.name.size() + 1);
    std::memcpy(name, each.name.c_str(), each.name.size() + 1);
    allocations[k] = {name, static_cast<std::uint32_t>(each.type), each.offset, each.bytes};
  }
  auto* instructions = carve<lanecheck_instruction>(next_, program.instructions.size());
  for (std::size_t k = 0; k < program.instructions.size(); ++k)
    lanecheck::put(program, program.instructions[k], instructions[k]);
  into.profile = row_of(program.profile).name.data();  // a literal
  into.instructions = instructions;
  into.instruction_count = static_cast<std::uint32_t>(program.instructions.size());
  into.allocations = allocations;
  into.allocation_count = static_cast<std::uint32_t>(program.allocations.size());
  into.ub_bytes = static_cast<std::uint32_t>(program.ub.size());
  std::byte* mask = masks_ + n * kMaskBytes;
  std::memset(mask, 1, kMaskSlots);
  put_guard(mask + kMaskSlots);
  into.mask = reinterpret_cast<std::uint8_t*>(mask);
  ubs_[n] = next_ub_;
  std::copy(program.ub.begin(), program.ub.end(), next_ub_);
  into.ub = reinterpret_cast<std::uint8_t*>(next_ub_);
  next_ub_ += program.ub.size();
  last_ub_end_ = next_ub_;
  put_guard(next_ub_);
  next_ub_ += kGuardBytes;
}

void PluginBatch::put(std::span<const Program> batch) {
  static const Program empty;  // instead of a program that is too large
  next_ = reinterpret_cast<std::byte*>(used_ + 1);
  std::byte* const programs_end = open_ + batch.size() * sizeof(lanecheck_program);
  put_guard(programs_end);
  masks_ = programs_end + kGuardBytes;
  next_ub_ = masks_ + batch.size() * kMaskBytes + kGuardBytes;
  put_guard(next_ub_ - kGuardBytes);
  std::memset(note_, 0, sizeof(std::uintptr_t));
  *count_ = static_cast<std::uint32_t>(batch.size());
  for (std::size_t n = 0; n < batch.size(); ++n) {
    too_large_[n] = too_large(batch[n]);
    put(too_large_[n].empty() ? batch[n] : empty, n);
  }
  *used_ = (static_cast<std::size_t>(next_ub_ - open_) + kPage - 1) / kPage * kPage;
  put_guard(next_ub_, *used_ - static_cast<std::size_t>(next_ub_ - open_));
}

std::optional<Breakdown> PluginBatch::take(const Batch& batch) const {
  if (first_change({masks_ - kGuardBytes, kGuardBytes})) return Breakdown{"wrote in front of the mask"};
  const std::span last_page(next_ub_, static_cast<std::size_t>(open_ + *used_ - next_ub_));
  if (const auto at = first_change(last_page))
    return Breakdown{
        behind(batch.programs.size() == 1 ? "UB" : "the last UB of the batch", kGuardBytes + *at)};
  // The pointers in lanecheck_program may have been overwritten, so they are not used.
  const lanecheck_program* answers = programs();
  for (std::size_t n = 0; n < batch.programs.size(); ++n) {
    const std::size_t bytes = too_large_[n].empty() ? batch.programs[n].ub.size() : 0;
    const std::byte *ub = ubs_[n], *mask = masks_ + n * kMaskBytes;
    if (auto breakdown = write_outside(ub, bytes, mask)) return breakdown;
    if (!too_large_[n].empty())
      batch.outcomes[n] = Skipped{too_large_[n]};
    else
      batch.outcomes[n] =
          outcome_of(answers[n], {ub, bytes}, {reinterpret_cast<const std::uint8_t*>(mask), kMaskSlots},
                     batch.states[n]);
  }
  return {};
}

}  // namespace lanecheck
