// Programs that probe one instruction: where its operands lie in UB, the mask that it meets, and how a
// backend is asked about many of them.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz/backend/backend.h"
#include "fuzz/identify/probes/maps.h"

namespace lanecheck {

/// Runs the programs of a batch and fills in its states and outcomes. run_all() of a backend is one.
using Ask = std::function<void(const Batch&)>;

/// The oracle as something that can be asked, under the readings of each program's profile.
Ask ask_oracle();

/// One operand in UB: it starts `margin` bytes behind the start of its region, so that what happens before
/// and behind it is seen.
struct Region {
  std::uint32_t begin = 0, bytes = 0, margin = 0;

  std::uint32_t start() const { return begin + margin; }
};

/// Each operand in a region of its own, except a source in place.
struct Layout {
  std::array<Region, kMaxOperands> regions{};
  std::uint32_t ub_bytes = 0;
};
/// Nothing if the operands do not fit into UB.
std::optional<Layout> lay_out(const Subject& subject);

/// The subject on a UB of zeros, under `mask`; nothing if the mask decides about its lanes and its profile
/// cannot give it this mask. If a number of elements is given in place of words, all elements take part.
std::optional<Program> probe_program(const Subject& subject, const Layout& layout, MaskWords mask);

/// The subject on a UB of zeros, with `length` elements that take part; nothing if its profile cannot give it
/// a number of elements in this way. `subject.given` is not MaskGiven::words.
std::optional<Program> probe_of_length(const Subject& subject, const Layout& layout, std::uint32_t length);

/// The mask operand of an instruction that takes its mask in this way.
MaskFrom form_of(MaskGiven given);

/// An instruction of an Ascend C profile that sets the mask or its mode, for 16-bit elements.
Instruction mask_instruction(Op op, MaskWords words = {});

/// Slots that a mask of this subject can set: 128, or in the profiles that take no more, its lanes.
unsigned settable_slots(const Subject& subject);
/// The mask that probes set in place of this one.
MaskWords settable_mask(const Subject& subject, const MaskWords& mask);
/// The mask with all settable slots 1.
MaskWords full_mask(const Subject& subject);

/// Can the instruction have a bitwise mask of its own, and also take what SetVectorMask left in the register?
bool takes_own_or_register(const Subject& subject);

/// The mask of an earlier set_mask. Its words differ, and so do neighbouring slots in every distance.
inline constexpr MaskWords kEarlierMask = {0x2f8b6ce19d03574a, 0x94d1a76e50f83c2b};

/// A mask whose words differ, with gaps of many lengths.
inline constexpr MaskWords kGappedMask = {0x6d21f0c3a95e7b04, 0xb5c6e8127af09b49};
/// Its slots that a mask of this subject can set.
MaskWords gapped_mask(const Subject& subject);

/// Element `n` of the region of operand `k`, counted from the region's begin.
void put_element(Program& program, const Region& region, Element type, std::uint32_t n, std::uint64_t bits);
std::uint64_t get_element(std::span<const std::byte> ub, const Region& region, Element type, std::uint32_t n);
/// The elements of the region that the two UBs hold otherwise, in order.
std::vector<std::uint32_t> changed_elements(std::span<const std::byte> before,
                                            std::span<const std::byte> after, const Region& region,
                                            Element type);
void fill_region(Program& program, const Region& region, Element type, std::uint64_t bits);
/// What every element of operand `k` holds in a probe that only asks which elements are written. The sources
/// differ: no difference and no product of bits is 0.
std::uint64_t plain_bits(Element type, unsigned k);

/// Small whole numbers in all elements of operand `k` of the last instruction. Neighbours differ, and those
/// of another `seed`. Offsets of a gather stay inside its operand, and those of one repeat differ.
void put_small_numbers(Program& program, const Region& region, unsigned k, unsigned seed);

/// The answers to some programs. If one of them is illegal or does not run, there are none.
struct Answers {
  std::vector<State> states;
  std::string why_not;  ///< empty if all programs ran
};
Answers ask_all(const Ask& ask, std::span<const Program> programs);

/// Is `actual` what the documents allow UB to hold after `program`? Says nothing of the mask.
bool is_allowed(const Program& program, const State& actual);

/// Why a program did not run: "the backend skips it: ..."; empty if it ran.
std::string why_not(const Outcome& outcome);

}  // namespace lanecheck
