// The maps of one instruction in one shape: what the documents define, and what probes read off a backend.
//
// Elements of an operand are counted from the place where it starts: element 0 is the first one, and what
// lies before it has negative numbers. Repeats and lanes are counted from 0.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/identify/probes/gate_law.h"
#include "fuzz/identify/probes/map_kind.h"
#include "reports/matter.h"
#include "spec/mask/mask_register.h"
#include "spec/program/mask.h"
#include "spec/program/program.h"
#include "spec/rules/gather_matter.h"

namespace lanecheck {

/// How a probe tells an instruction which elements take part.
enum class MaskGiven : std::uint8_t {
  words,       ///< two words: its own bitwise mask, or if it takes none, those of the register
  total,       ///< counter mode, with the number of elements in the register
  count,       ///< the instruction's own count of elements
  contiguous,  ///< the instruction's own contiguous mask
  length       ///< a contiguous length in the register (SetVectorMask with a length)
};

/// Is it a number of elements of all repeats together, in counter mode?
constexpr bool is_count(MaskGiven given) {
  return given == MaskGiven::total || given == MaskGiven::count;
}

/// One instruction in one shape: its op, element types, modes, scalar, strides and repeat times. The probes
/// choose where its operands lie, what they hold, and the mask.
/// The mask that a probe sets in place of a given one. Where the instruction that sets the mask is known to
/// be wrong, it is one that the register holds rightly.
using SettableMask = std::function<MaskWords(const MaskWords&)>;

struct Subject {
  Profile profile = kDefaultProfile;
  Instruction insn;
  MaskGiven given = MaskGiven::words;
  std::optional<MaskWords> own_mask{};  ///< of the program that diverged: the probes of gates try it too
  std::uint32_t missing = 0;   ///< elements that a count leaves out of the last repeat, or a length of each
  bool from_register = false;  ///< its mask is in the register, also if it may have one of its own
  bool meets_first_mask = false;  ///< nothing before it sets the mask: set_mask and reset_mask have no say
  bool by_total = false;          ///< set_vector_mask_total puts the count into the register
  unsigned in_place = 0;          ///< the source that lies where dst lies; 0: each operand lies apart
  SettableMask settable{};        ///< of the masks with which gates are measured; empty: all masks are
};

/// A map, or the reason why it could not be measured.
template <class Map>
struct Measured {
  std::optional<Map> map;
  std::string why_not = "not asked";  ///< meaningful if there is no map
};

/// What decides whether one lane of one repeat is written.
enum class GateKind : std::uint8_t {
  slot,      ///< written if the slot is 1
  inverted,  ///< written if the slot is 0
  always,    ///< written under every mask
  never,     ///< written under no mask
  several    ///< no single slot decides
};

struct Gate {
  GateKind kind = GateKind::never;
  std::uint8_t slot = 0;  ///< of GateKind::slot and GateKind::inverted, else 0

  bool operator==(const Gate&) const = default;
};

/// The gate of one element of one repeat.
struct ElementGate {
  unsigned repeat = 0, lane = 0;
  Gate gate;
};

struct GateMap {
  unsigned repeats = 0, lanes = 0;
  std::vector<Gate> gates;        ///< repeat times `lanes` + lane
  std::vector<MaskWords> masks;   ///< the masks that were tried
  std::vector<std::string> seen;  ///< for each gate and mask: 'w' written, 'k' kept
  std::vector<Mask> shown;        ///< what the backend shows as its mask register after each of these masks
  /// The bits that masked-off lanes receive if they do not keep their old dst; nothing if they keep it.
  std::optional<std::uint64_t> masked_off;
  std::vector<unsigned> masked_off_in{};  ///< the repeats in which they do so

  const Gate& at(unsigned repeat, unsigned lane) const { return gates[repeat * lanes + lane]; }
};

/// Which elements of dst are written under one mask.
struct DestinationMap {
  std::int32_t first = 0;     ///< the element that written[0] stands for
  std::vector<bool> written;  ///< the operand, and some room before and behind it
  std::size_t elsewhere = 0;  ///< bytes that are changed outside of this room

  bool writes(std::int32_t element) const {
    const std::int64_t n = std::int64_t{element} - first;
    return n >= 0 && n < static_cast<std::int64_t>(written.size()) && written[static_cast<std::size_t>(n)];
  }
};

inline constexpr std::int32_t kKept = std::numeric_limits<std::int32_t>::min();  ///< the old dst stands there
inline constexpr std::int32_t kNoElement = kKept + 1;  ///< no element of the operand gives the value there

inline constexpr std::int32_t kAlwaysOne = kKept + 2;  ///< the element there is 1 whatever the sources hold

inline constexpr std::int32_t kAlwaysZero =
    kKept + 3;  ///< the bit, or element, there is 0 whatever they hold

/// From which element of one source each element of dst is computed.
struct SourceMap {
  unsigned operand = 1;
  std::int32_t first = 0;             ///< the element of dst that source[0] stands for
  std::vector<std::int32_t> sources;  ///< an element of the operand, kKept or kNoElement
  /// Results are not the documented ones, but in all lanes the same function of the documented element: the
  /// places are right, and the arithmetic is not.
  bool other_function = false;

  std::int32_t at(std::int32_t element) const {
    const std::int64_t n = std::int64_t{element} - first;
    const bool inside = n >= 0 && n < static_cast<std::int64_t>(sources.size());
    return inside ? sources[static_cast<std::size_t>(n)] : kKept;
  }
};

struct PlaceMaps {
  Measured<DestinationMap> destination;
  std::vector<Measured<SourceMap>> sources;  ///< one for each source operand
};

/// Behind a law of gates: a mask in the register is obeyed.
inline constexpr std::string_view kOfOwnMask = ", for a mask of its own";
/// Behind a law of gates of a mask of bits, which may come from the register.
inline constexpr std::string_view kOfBits = ", under a mask of bits; contiguous masks of its own are obeyed";

/// How a measured map differs from the documented one.
struct Difference {
  MapKind map = MapKind::gate;
  std::string what;           ///< a sentence without a full stop: "lanes 0..3 of add.f16 are never written"
  std::string where;          ///< in which repeats: "in the last repeat"; empty: in all of them
  bool only_example = false;  ///< no formula was found, `what` gives an example
  /// What the sentence says of the gates of any program; nothing if it says nothing, or not of gates.
  std::optional<GateLaw> law{};
  std::optional<ResultLaw> results{};  ///< what it says of the results of a reduction
  std::vector<unsigned> unwritten{};   ///< results of a repeat that it says to be never written
  PlaceLaw places{};                   ///< what it says of places and repeats
  std::optional<StrideLaw> stride{};   ///< what it says of the strides of an operand
  bool of_any_operand = false;         ///< another law that other operands may obey: its key names none
  ValueLaw value{};                    ///< what it says of the value of a result
  bool of_all_shapes = false;          ///< measured in many shapes: the sentence names none
  bool says_all = false;               ///< says all that this map, or any source, showed in other shapes
  std::optional<Matter> matter{};      ///< if it is not that of the map
  /// What masked-off lanes receive in place of their old dst: "0".
  std::optional<std::string> masked_off{};
  RepeatLaw received_in{};  ///< the repeats in which masked-off lanes receive it
  /// The gates of all `lanes` that the sentence names, if they are of one kind.
  std::optional<GateKind> gates{};
  std::vector<unsigned> lanes{};
  bool says_slots = false;         ///< says which slots gate lanes, or that no single one does
  bool of_lane_count = false;      ///< says how many lanes a repeat has
  bool takes_less = false;         ///< leaves elements before a number out, and takes none behind it
  bool of_shown_register = false;  ///< says what set_mask leaves in a register that the backend shows
  bool of_bitwise_masks = false;   ///< what an instruction with such a mask of its own leaves in the register
  bool of_gated_reads = false;     ///< says that the mask, or a count, decides about what is read
  bool of_block_size = false;      ///< says that data blocks are taken to hold another number of elements
  bool of_repeats = false;         ///< says which repeats are performed, or how many
  bool moves_on = false;           ///< says that the mask moves on from repeat to repeat
  bool of_order = false;           ///< says which of several results stays at one place
  bool of_empty = false;           ///< says what becomes of results without active lanes
  bool in_place = false;           ///< says what happens where dst is also a source
  bool of_all_sorts = false;       ///< a law of sort32 and the merges: they share the code
  bool of_all_families = false;    ///< a law of values: instructions of other families may share the code
  bool writes_masked_off = false;  ///< says that masked-off lanes are written, with what stood there
  bool of_earlier = false;         ///< says what an earlier instruction of the kind has to do with it
  std::vector<GatherMatter> gathers{};  ///< what a law of gather_mask is about
  /// The key of the cause, with its map: "start: not with the neutral element". Empty: made of `general`.
  std::string key{};
  /// What the sentence says of any instruction and type. Empty: the sentence without the instruction's name.
  std::string general{};

  /// May other operands obey the law that the sentence says of one?
  bool names_operand() const { return stride.has_value() || of_any_operand; }
  std::string sentence() const { return where.empty() ? what : what + " " + where; }
};

}  // namespace lanecheck
